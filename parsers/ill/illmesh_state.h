/* The state of a parse of an illmesh. */
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
    bool behind_flags; /* a number was read as a flag that is not one */
    m5_ill_count verts, indices;
    uint32_t index_limit; /* the number of vertices declared or found, whichever is higher */
    bool engine, merged;  /* how a vertex is divided into lines, if it is: see plan_vertex */
} m5_illmesh_state;

/* The flag that each part of a vertex needs. */
extern const uint8_t m5_illmesh_flag_of[M5_ILL_PARTS];

/* Words of a vertex that has the parts of these flags. */
uint32_t m5_illmesh_vertex_words(const bool flag[M5_ILL_FLAGS]);

/* What the file must hold, by the header in `w`. */
m5_ill_plan m5_illmesh_plan(const m5_illmesh_state *w);

/* Where the number of words does not match the header, finds out which word of the header is wrong,
 * and whether the lines are rows of the plan. */
void m5_illmesh_survey(m5_illmesh_state *w);

/* If an extra flag or count in the header, as read so far, accounts for all words, reports it and
 * leaves it out. False when it is not known which one is extra. */
bool m5_illmesh_leave_out_number(m5_illmesh_state *w);

/* Whether a flag is missing before the last flag, which is to be read next. If so, reports it. */
bool m5_illmesh_lacks_flag(m5_illmesh_state *w);

/* Whether the number of indices, which is to be read next, is missing. If so, reports it. */
bool m5_illmesh_lacks_count(m5_illmesh_state *w);

/* How many of the `verts` vertices that begin here look like vertices; 0 if the file ends in them.
 * Afterwards `words` is where the triangles begin. */
uint32_t m5_illmesh_vertices_with_sense(const m5_illmesh_state *w, uint32_t verts, m5_words *words);

/* Whether at least `of_ten` of ten triangles that begin here have three different vertices below
 * `limit`. */
bool m5_illmesh_are_triangles(m5_words *words, uint32_t indices, uint32_t limit, unsigned of_ten);

/* Whether all lines of a vertex have three words, like those of triangles: then lines do not show
 * where one is missing or extra. */
bool m5_illmesh_lines_are_alike(const m5_illmesh_state *w);

/* Finds such lines by the numbers: from one vertex on they make no sense, but with lines added or
 * removed they do. If so, reports it. */
bool m5_illmesh_find_lines(m5_illmesh_state *w);

/* Whether these four floats could be bones. -1, written for no bone, and NaN, for what could not be
 * read, are wrong, but still look like bones. */
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
    static const float least = -1e-3F, most = 1.001F; /* no constants: these may have more digits */
    double sum = 0;
    if (!m5_illmesh_are_bones(f))
        return false;
    for (int i = 0; i < 4; i++) {
        if (!(f[i + 4] >= least) || !(f[i + 4] <= most))
            return false;
        sum += (double)f[i + 4];
    }
    return fabs(sum - 1) <= 0.01;
}

#endif
