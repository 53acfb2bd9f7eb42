/* Private: all declarations of a run, and what they refer to. */
#ifndef M5_LINT_DEF_LINK_STATE_H
#define M5_LINT_DEF_LINK_STATE_H

#include "link.h"

/* Where a reference leads to, if not to a number. */
#define M5_DEF_NOTHING M5_NO_INDEX    /* there is none */
#define M5_DEF_OPEN (M5_NO_INDEX - 1) /* to something that is not in the files of the run */

static inline bool m5_def_is_known(uint32_t reference)
{
    return reference < M5_DEF_OPEN;
}

/* A declaration by its file and its number there. */
typedef struct m5_def_place {
    uint32_t file, number;
} m5_def_place;

typedef struct m5_def_linked_model {
    m5_def_place at;
    uint32_t parent; /* the model that it inherits */
    uint32_t mesh;   /* the asset, its own or an inherited one */
    uint32_t depth;  /* how many models it inherits from */
    bool open;       /* one of these is not known, or they form a cycle */
    bool used;       /* an entity or another model names it */
    bool varied;     /* a model that inherits it has another mesh */
} m5_def_linked_model;

/* A key's value in an entity, its own or an inherited one: its file and number there. */
enum { M5_DEF_USES_MODEL, M5_DEF_USES_GIB, M5_DEF_USES_LEGS, M5_DEF_USES_ARMS, M5_DEF_USES };

typedef struct m5_def_linked_entity {
    m5_def_place at;
    m5_def_place uses[M5_DEF_USES]; /* number M5_DEF_NOTHING: none; M5_DEF_OPEN: maybe */
} m5_def_linked_entity;

typedef struct m5_def_link_state {
    const m5_def_game *game;
    m5_arena arena;
    m5_def_linked_model *models;
    m5_def_linked_entity *entities;
    uint32_t num_models, num_entities, num_anims;
    uint32_t *models_by_name, *entities_by_name; /* their numbers; see m5_def_find */
    uint32_t *assets_by_path, *assets_by_folder;
    uint32_t *anims_by_name; /* numbers of m5_def_anim_at */
    m5_def_place *anims;     /* all animations: the linked model, and the number in its file */
    uint32_t *stamps;        /* by model: the last one that inherits it, for m5_def_has_anim */
    uint32_t *joints;        /* of each asset in the order of names ... */
    uint32_t *first_joint;   /* ... from here on */
    uint32_t *joint_ends;    /* of each joint there: the one after the last one below it */
    uint64_t *joints_hash;   /* of each asset: of its joints' names, in any case, and parents */
    uint32_t *meshes;        /* of each animation: the asset of `declared` */
    uint32_t looked_at;      /* bytes of paths, for a similar name */
    uint32_t suggested;      /* how often a similar name was looked for, and not found */
} m5_def_link_state;

static inline m5_lint_file *m5_def_file(const m5_def_link_state *s, m5_def_place at)
{
    return s->game->defs[at.file];
}

/* A name of a declaration of any file. */
typedef struct m5_def_name {
    const m5_source *source;
    m5_name name;
} m5_def_name;

/* The declaration of a name that is nearest to the file of the name; M5_DEF_NOTHING if there is
 * none. */
void m5_def_sort_names(m5_def_link_state *s);
uint32_t m5_def_find_model(const m5_def_link_state *s, m5_def_name name);
uint32_t m5_def_find_entity(const m5_def_link_state *s, m5_def_name name);

/* Reports declarations that were read before, from another file. */
void m5_def_check_doubles(m5_def_link_state *s);

/* A name that may be meant by one that does not exist; its source is NULL if there is none. */
m5_def_name m5_def_similar_model(m5_def_link_state *s, m5_def_name name);
m5_def_name m5_def_similar_entity(m5_def_link_state *s, m5_def_name name);

/* The asset that a path in a declaration means; its path in the run may begin with other folders.
 * If there is none, M5_DEF_NOTHING or, if no other file is in its folder, M5_DEF_OPEN. */
void m5_def_sort_assets(m5_def_link_state *s);
uint32_t m5_def_find_asset(const m5_def_link_state *s, m5_def_name path);
/* A file in the folder of a path that is not there, which may be meant: its name is nearly the
 * same. NULL if there is none. `sure`: the path is misspelt, and no declaration names the file. */
const m5_def_asset *m5_def_similar_asset(m5_def_link_state *s, m5_def_name path, bool *sure);
void m5_def_mark_idle(m5_def_link_state *s); /* sets m5_declared.idle, once all are used */
bool m5_def_is_other_case(const m5_def_asset *asset, m5_def_name path);

/* Sorts animations by name. Whether a model has one, its own or inherited; true if it may. */
void m5_def_sort_anims(m5_def_link_state *s);
bool m5_def_has_anim(m5_def_link_state *s, uint32_t model, m5_def_name name, bool inherited);

/* Inheritance, and what is reported about it. */
void m5_def_link_models(m5_def_link_state *s);
void m5_def_link_entities(m5_def_link_state *s);

/* The joint of an asset by its name, whatever the case of letters; M5_DEF_NOTHING if there is
 * none. */
void m5_def_sort_joints(m5_def_link_state *s);
uint32_t m5_def_find_joint(const m5_def_link_state *s, uint32_t asset, m5_def_name name);

/* The joint after the last one that *name takes in. */
uint32_t m5_def_joint_end(const m5_def_link_state *s, uint32_t asset, uint32_t joint);

/* Compares what is linked with the assets. */
void m5_def_check_models(m5_def_link_state *s);
void m5_def_check_channels(m5_def_link_state *s, uint32_t model);
void m5_def_check_entities(m5_def_link_state *s);
void m5_def_check_missing(m5_def_link_state *s); /* once it is known which files are used */

#endif
