/* Finds the joints of an md5mesh whose position or orientation is wrong, if they are few. */
#ifndef M5_LINT_COMMON_MISPLACED_H
#define M5_LINT_COMMON_MISPLACED_H

#include "lint/lint.h"
#include "parsers/play/vector.h"

enum { M5_MISPLACED_MOST = 3 };

typedef struct m5_misplaced {
    uint32_t joints[M5_MISPLACED_MOST]; /* that were reported, as a warning or more */
    uint32_t count;
    bool exchanged;       /* they are two, which have each other's place */
    uint32_t suspects[2]; /* one of these explains all that is wrong, but so do other causes; or
                           * M5_NO_INDEX */
} m5_misplaced;

/* `bind` has all joints' matrices. Looks at whole meshes; linear in their weights. */
m5_misplaced m5_check_md5mesh_misplaced(m5_lint_file *f, const m5_matrix *bind);

/* Whether a joint, which may be -1, was reported in a file that was linted. */
bool m5_check_is_misplaced(const m5_lint_file *f, int64_t joint);

/* Whether a joint was reported to have the place of another one, and that one its. */
bool m5_check_are_exchanged(const m5_lint_file *f, uint32_t joint, uint32_t *other);

/* Whether a mesh has a weight on a joint that was reported. */
bool m5_check_is_moved_by(const m5_md5mesh_mesh *mesh, const m5_misplaced *by);

#endif
