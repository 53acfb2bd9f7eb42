/* Lists of rigs, sorted by parts of their paths and by their joints, and lookups in them. */
#ifndef M5_LINT_CROSS_RIG_LISTS_H
#define M5_LINT_CROSS_RIG_LISTS_H

#include "lint/lint.h"

/* ---- Parts of a path ------------------------------------------------------------------------- */

typedef struct m5_path_part {
    const char *at;
    size_t length;
} m5_path_part;

/* The folder with its last slash; empty without one. */
m5_path_part m5_folder_of(const char *path);

/* The folder that a folder is in. */
m5_path_part m5_parent_of(m5_path_part folder);

/* The file's name without its extension. */
m5_path_part m5_stem_of(const char *path);

/* Shortens a stem to where a name may end: hero-walk to hero. False if that is the empty name. */
bool m5_shorten_stem(m5_path_part *stem);

/* ---- Keys ------------------------------------------------------------------------------------ */

/* The families of formats whose files belong together; each has files that others are compared
 * with, its bases: meshes, and skeletons of ill*. */
typedef enum m5_family { M5_FAMILY_MD5, M5_FAMILY_ILL, M5_NO_FAMILY } m5_family;
m5_family m5_family_of(const m5_rig *rig);

/* What rigs are sorted and looked up by. An order is a list of these that ends with M5_BY_END; the
 * last one may be given in part. */
typedef enum m5_rig_field {
    M5_BY_FAMILY,
    M5_BY_FOLDER,
    M5_BY_STEM,
    M5_BY_NAMES,
    M5_BY_JOINTS,
    M5_BY_PATH,
    M5_BY_END
} m5_rig_field;

extern const m5_rig_field m5_folder_order[]; /* family, folder, stem, path */
extern const m5_rig_field m5_stem_order[];   /* family, stem, names, joints, path */
extern const m5_rig_field m5_joints_order[]; /* family, names, joints, path */
extern const m5_rig_field m5_path_order[];   /* family, path */

typedef struct m5_rig_key {
    m5_family family;
    m5_path_part folder, stem, path; /* path: how it begins */
    uint64_t names, joints;
} m5_rig_key;
m5_rig_key m5_rig_key_of(const m5_rig *rig);

/* ---- Lists, of numbers of p->rigs ------------------------------------------------------------ */

typedef struct m5_rig_range {
    uint32_t first, count;
} m5_rig_range;

void m5_sort_rigs(const m5_pairs *p, uint32_t *list, uint32_t count, const m5_rig_field *order);

/* The first rig of a sorted list whose first `fields` fields come after the key, or (if `after` is
 * not set) are equal to it. */
uint32_t m5_find_rig(const m5_pairs *p, const uint32_t *list, uint32_t count, const m5_rig_key *k,
                     const m5_rig_field *order, unsigned fields, bool after);

/* The bases (of a list of all bases) whose first `fields` fields are as in the key. */
m5_rig_range m5_find_rigs(const m5_pairs *p, const uint32_t *list, const m5_rig_key *k,
                          const m5_rig_field *order, unsigned fields);

/* The same, in the nearest folder that has one: that of `path`, or the next one around it. `fields`
 * counts the path. */
m5_rig_range m5_find_rigs_near(const m5_pairs *p, const uint32_t *list, m5_rig_key *k,
                               const m5_rig_field *order, unsigned fields, const char *path);

#endif
