/* Fixes of ill files. Where a file fits exactly with other counts or flags, the model has been read
 * with those. */
#include "fixes.h"
#include "parsers/core/number.h"

#include <string.h>

/* The file begins with a byte order mark, and its magic follows. */
bool m5_fix_ill_magic(m5_fixing *x)
{
    const m5_source *s = &x->f->source;
    if (s->size < 6 || memcmp(s->bytes, "\xef\xbb\xbfILL", 6) != 0)
        return false;
    m5_fix_replace(x, (m5_span){0, 3}, NULL, 0);
    return true;
}

/* ---- Counts ---------------------------------------------------------------------------------- */

/* If nothing else says how many records there are, one may be lost or extra. */
static void set_count(m5_fixing *x, m5_span at, uint32_t count, bool certain)
{
    int32_t declared;
    const uint8_t *text = x->f->source.bytes + at.offset;
    bool known = m5_read_int(text, at.length, &declared) < M5_NUMBER_IS_FLOAT;
    if (at.offset != x->diag->at.offset || (known && (int64_t)declared == count))
        return;
    x->unsafe = !certain;
    m5_fix_print(x, at, "%u", count);
}

static void set_mesh_counts(m5_fixing *x, const m5_illmesh *m)
{
    uint64_t needs = 0; /* vertices */
    for (uint32_t i = 0; i < m->num_indices; i++)
        needs = m->indices[i] >= needs ? (uint64_t)m->indices[i] + 1 : needs;
    if (needs > m->num_verts)
        return;
    set_count(x, m->num_verts_at, m->num_verts, needs == m->num_verts);
    set_count(x, m->num_indices_at, m->num_indices, false);
}

static void set_counts(m5_fixing *x, const m5_model *m)
{
    if (m->illmesh != NULL)
        set_mesh_counts(x, m->illmesh);
    if (m->illskel != NULL)
        set_count(x, m->illskel->num_bones_at, m->illskel->num_bones, true);
    if (m->illanim != NULL) {
        set_count(x, m->illanim->num_frames_at, m->illanim->num_frames, m->illanim->num_bones > 1);
        set_count(x, m->illanim->num_bones_at, m->illanim->num_bones, false);
    }
}

/* Two counts, one after the other. */
static void swap(m5_fixing *x, m5_span first, m5_span second)
{
    const char *text = (const char *)x->f->source.bytes;
    x->unsafe = true;
    m5_fix_replace(x, first, text + second.offset, second.length);
    m5_fix_replace(x, second, text + first.offset, first.length);
}

/* Where the file fits with another count, the finding names the last value; where it fits with
 * counts that are swapped, the other one, or the frame rate before it. */
bool m5_fix_ill_count(m5_fixing *x)
{
    const m5_model *m = &x->f->model;
    uint32_t second = m->illmesh != NULL   ? m->illmesh->num_indices_at.offset
                      : m->illanim != NULL ? m->illanim->num_bones_at.offset
                                           : 0;
    if (x->diag->num_related != 1 || x->diag->related[0].at.length == 0)
        return false;
    if (m->illanim != NULL && x->diag->at.offset == m->illanim->num_frames_at.offset &&
        x->diag->related[0].at.offset == m->illanim->frame_rate_at.offset) {
        const char *rate = (const char *)x->f->source.bytes + x->diag->related[0].at.offset;
        if (memchr(rate, '.', x->diag->related[0].at.length) != NULL)
            return false; /* which is no count */
        swap(x, x->diag->related[0].at, x->diag->at);
    } else if (x->diag->related[0].at.offset == second) {
        swap(x, x->diag->at, x->diag->related[0].at);
    } else {
        set_counts(x, m);
    }
    return x->count != 0;
}
