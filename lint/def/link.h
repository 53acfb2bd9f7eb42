/* What declarations of all files of a run say about each other and about the meshes and animations
 * that they name. The program fills in a table of files, wherever these are. */
#ifndef M5_LINT_DEF_LINK_H
#define M5_LINT_DEF_LINK_H

#include "lint/lint.h"

/* What is known of a mesh or animation. */
typedef struct m5_def_asset {
    const char *path;        /* on the disk or in its archive; not copied */
    const char *game_path;   /* as the game names it; NULL: unknown, it is the end of `path` */
    const m5_source *source; /* which the joints point into; NULL if these are unknown */
    const m5_md5_joint *joints;
    uint32_t num_joints;
    uint32_t num_frames, frame_rate; /* of an animation; 0 if unknown */
    uint32_t number;                 /* for m5_declared.base */
    bool packed;                     /* in an archive, where the game finds it in any case */
    bool used;                       /* out: a declaration names it */
    m5_declared declared;            /* out: of an animation, the model that plays it */
} m5_def_asset;

/* The files of a run. */
typedef struct m5_def_game {
    m5_lint_file *const
        *defs; /* each linted alone before; in the order in which a game reads them */
    uint32_t num_defs;
    m5_def_asset *assets;
    uint32_t num_assets;
    bool complete; /* all files of the game are there, those of its base too: what is not found is
                    * missing */
    /* Called for each asset that declarations of a file name, once for each time; or NULL. */
    void (*named)(void *user, uint32_t def, uint32_t asset);
    void *user;
} m5_def_game;

/* Fills in what a linted file says; false if it is no mesh and no animation. */
bool m5_def_asset_of(m5_def_asset *out, const m5_lint_file *file);

/* Compares all, and sets what is `out` in the assets. Findings go to the sinks of the files in
 * `defs`. `memory` has m5_def_link_memory(game) bytes, aligned for any type, and is not needed
 * afterwards. */
size_t m5_def_link_memory(const m5_def_game *game);
void m5_def_link(const m5_def_game *game, void *memory);

#endif
