/* The list of inputs to lint: files, standard input, and the models in archives. */
#ifndef M5_LINT_APP_INPUTS_INPUTS_H
#define M5_LINT_APP_INPUTS_INPUTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct m5_input {
    char *name;   /* the path of the file; shown in reports, decides the format and the group. The
                   * list frees it */
    size_t below; /* how much of the name is the folder given, with its slash; past the end of a
                   * file that was given itself */
    bool is_stdin;
    bool is_named; /* not only found in a game's folder: see m5_inputs_add_game */
    bool is_empty; /* a folder or archive without models */
    struct m5_bytes
        *bytes;        /* of standard input, which is read once; else NULL. The list frees them */
    const char *error; /* why there is nothing to read; NULL: not known yet */
    struct m5_archive *archive; /* that it is, or is a member of; or NULL */
    uint32_t member;            /* which, or M5_NO_INDEX: the archive itself */
    uint32_t game;              /* the number of the game's folder that it is in; 0: none */
    const char *game_path;      /* its path in that folder, at the end of `name`; NULL: in none */
    bool is_shadowed;           /* the engine never loads it ... */
    const char *instead; /* ... but the input of this name; NULL: an archive that it never opens */
} m5_input;

/* How an engine searches the folders of a game. */
typedef enum m5_game_rules { M5_GAME_DOOM3, M5_GAME_QUAKE } m5_game_rules;

typedef struct m5_inputs {
    m5_input *list;
    size_t count, room;
    const char *const
        *exclude; /* patterns of what to leave out of folders and archives: see exclude.h */
    size_t num_exclude;
    /* What else is to be left out of folders; or NULL. */
    bool (*excludes)(void *user, const char *path, bool folder);
    void *user;
    const char *stdin_name; /* of standard input; NULL: `-` */
    bool searched;          /* not each file was named: a folder, a list or an archive was given */
    bool any_model;         /* set by m5_inputs_finish: not all is empty or in error */
    bool follow_links;      /* a file that has several names by links is one input */
    m5_game_rules rules;
    uint32_t num_games;
    bool left_out; /* something in a folder or archive was excluded, or could not be read */
    struct m5_archive *archives;
} m5_inputs;

/* Adds an input, whose name may be NULL for want of memory; the list takes it over. Returns false
 * when out of memory. */
bool m5_inputs_put(m5_inputs *inputs, m5_input input);

/* Drops what was given twice, adds the models in archives, and sorts by name. Call it once, when
 * all is added. Returns false when out of memory. */
bool m5_inputs_finish(m5_inputs *inputs);

void m5_inputs_free(m5_inputs *inputs);

#endif
