/* A parse of an illmesh at work. */
#ifndef M5_ILLMESH_STATE_H
#define M5_ILLMESH_STATE_H

#include "ill.h"
#include "illmesh.h"

#include <math.h>

/* Its sections. */
enum { M5_ILLMESH_VERTS, M5_ILLMESH_TRIANGLES, M5_ILLMESH_ODD };

typedef struct m5_illmesh_state {
    m5_ill *ill;
    m5_illmesh *mesh;
    bool flag[M5_ILL_FLAGS], bad_flag;
    bool behind_flags; /* a number was read as a flag that is none */
    m5_ill_count verts, indices;
    uint32_t index_limit; /* as many vertices as are declared or there */
    bool engine, merged;  /* how lines hold a vertex, if they do: see plan_vertex */
} m5_illmesh_state;

/* The flag that each part of a vertex needs. */
extern const uint8_t m5_illmesh_flag_of[M5_ILL_PARTS];

/* Words of a vertex that has the parts of these flags. */
uint32_t m5_illmesh_vertex_words(const bool flag[M5_ILL_FLAGS]);

/* What the file must hold, by the header in `w`. */
m5_ill_plan m5_illmesh_plan(const m5_illmesh_state *w);

/* Where the number of words is not what the header says, finds out which of its words is wrong, and
 * whether there are rows to go by. */
void m5_illmesh_survey(m5_illmesh_state *w);

/* If the header, read so far, has a flag or a count more than it should, with which all words are
 * accounted for, that is reported, and the others are taken. False when it is not known which are
 * the others. */
bool m5_illmesh_leave_out_number(m5_illmesh_state *w);

/* Whether a flag is missing of those before the last, which is to be read next: that is reported.
 */
bool m5_illmesh_lacks_flag(m5_illmesh_state *w);

/* Whether the number of indices, which is to be read next, is missing: that is reported. */
bool m5_illmesh_lacks_count(m5_illmesh_state *w);

/* How many of the vertices that could stand here look like some; 0 where the file ends in them.
 * Behind them `words` is where the triangles begin. */
uint32_t m5_illmesh_vertices_with_sense(const m5_illmesh_state *w, uint32_t verts, m5_words *words);

/* Whether so many of ten triangles that could stand here have three vertices below `limit`. */
bool m5_illmesh_are_triangles(m5_words *words, uint32_t indices, uint32_t limit, unsigned of_ten);

/* Whether all lines of a vertex have three words, as those of triangles have: then none tells where
 * lines are missing or too many. */
bool m5_illmesh_lines_are_alike(const m5_illmesh_state *w);

/* There the numbers may tell: from one vertex on none makes sense, and with lines more or less all
 * do. If so, that is reported. */
bool m5_illmesh_find_lines(m5_illmesh_state *w);

/* Whether these four floats could be bones; or -1, for none, or what was told already: they are
 * wrong, but tell bones from other numbers. */
static inline bool m5_illmesh_are_bones(const float *f)
{
    for (int i = 0; i < 4; i++) {
        bool whole = f[i] >= 0 && f[i] < 16777216.0F && f[i] == (float)(int32_t)f[i];
        if (!whole && f[i] != -1 && !isnan(f[i]))
            return false;
    }
    return true;
}

/* Whether these eight floats could be four bones and their weights. */
static inline bool m5_illmesh_is_blend(const float *f)
{
    double sum = 0;
    if (!m5_illmesh_are_bones(f))
        return false;
    for (int i = 0; i < 4; i++) {
        if (!(f[i + 4] >= -1e-3F) || !(f[i + 4] <= 1.001F))
            return false;
        sum += (double)f[i + 4];
    }
    return fabs(sum - 1) <= 0.01;
}

#endif
