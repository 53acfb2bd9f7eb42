/* Fixes: edits of a file's bytes that remove a finding. All other bytes stay as they are.
 *
 * Edits are only proposed here. The caller applies those it wants with m5_patch_make and
 * m5_patch_write, lints the result, and keeps the old bytes if a finding is still there or new.
 *
 * There are no files and no malloc: fixes and patches are in the caller's arena, for which 5 *
 * m5_lint_memory(size, findings) bytes are enough, with the sizes of `meshes` added to the file's.
 * Threads may find fixes in one file, each with an input and an arena of its own. */
#ifndef M5_LINT_FIX_FIX_H
#define M5_LINT_FIX_FIX_H

#include "../../parsers/core/writer.h"
#include "../core/edit.h"
#include "../lint.h"

M5_BEGIN_C

/* A linted file whose findings are to be fixed. For an md5anim, `meshes` are the md5mesh files that
 * its bounding boxes are for: the file that it was compared with and those that fit it as well. */
typedef struct m5_fix_input {
    m5_lint_file *file;
    const m5_lint_file *const *meshes; /* may be NULL */
    uint32_t num_meshes;
    uint32_t most_joints; /* the most of an md5mesh or md5anim in its group */
    bool probe;           /* only find out whether there is a fix: its edits may be left out */

    /* Private: a fix that all findings of a rule in one mesh or in the file have, so that it is
     * made once. */
    struct {
        const m5_rule *rule; /* NULL: none was made */
        uint32_t mesh;       /* M5_NO_INDEX: in the file */
        const m5_fix *fix;   /* NULL: they have none */
    } shared;
} m5_fix_input;

/* Returns the fix of a finding of the file, of which a copy of the m5_diag is enough; NULL if it
 * has none, or when out of memory. Findings may have the same fix, which is then returned again.
 * The fix and its texts are kept in the arena, which may be that of the file. An input is for one
 * arena, and for a file as it is: begin with a new one after the file was linted again. */
const m5_fix *m5_fix_find(m5_fix_input *in, const m5_diag *diag, m5_arena *arena);

/* Whether the fixes of a rule may bring more findings of another one, and be none the worse. */
bool m5_fix_may_bring(const m5_rule *rule, const m5_rule *other);

/* Whether records may be read after a fix of the rule that were not read before, so that anything
 * may be found in them. */
bool m5_fix_may_reveal(const m5_rule *rule);

/* Whether more findings of another rule, after a fix of the rule, show that a record was lost
 * before: then the fix is not safe. */
bool m5_fix_may_lose(const m5_rule *rule, const m5_rule *other);

/* Whether a fix of the rule may have an edit for each number of the file. It needs more memory. */
bool m5_fix_may_be_long(const m5_rule *rule);

/* The edits of several fixes, in order. Where two fixes want the same bytes, the first of them in
 * the file is in; the other one is left out and waits until the file was linted again. */
typedef struct m5_patch {
    const m5_edit *const *edits;
    uint32_t count;
    const bool *taken; /* which of the fixes are in */
    uint32_t num_taken;
    uint64_t size; /* of the new file, in bytes */
} m5_patch;

/* Chooses among `count` fixes of one file; one with edits that
 * overlap each other is left out, and at least one of the others is taken. False when out of
 * memory. */
bool m5_patch_make(const m5_source *source, const m5_fix *const *fixes, uint32_t count,
                   m5_arena *arena, m5_patch *out);

/* Writes the new file, piece by piece. */
void m5_patch_write(const m5_source *source, const m5_patch *patch, const m5_writer *out);

M5_END_C

#endif
