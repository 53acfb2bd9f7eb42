/* Recognises what the numbers of an illmesh are by their values: normals and tangents have length
 * 1, weights sum to 1, and triangles have three different vertices. */
#include "illmesh_state.h"
#include "../core/emit.h"

#include <math.h>
#include <string.h>

static bool is_unit(const float *v)
{
    double square = (double)v[0] * v[0] + (double)v[1] * v[1] + (double)v[2] * v[2];
    return fabs(square - 1) < 0.02;
}

/* Whether a vertex's normal, tangent, bones and weights, as far as it has them, look like such. */
static bool makes_sense(const m5_illmesh_state *w, const float *v)
{
    uint32_t normal = w->flag[0] ? 3 : 0,
             tex = normal + (w->flag[1] ? 3 : 0) + (w->flag[2] ? 6 : 0);
    if ((w->flag[1] && !is_unit(v + normal)) || (w->flag[2] && !is_unit(v + tex - 6)))
        return false;
    if (!w->flag[4])
        return true;
    return m5_illmesh_is_blend(v + tex) || (w->flag[3] && m5_illmesh_is_blend(v + tex + 2));
}

/* What cannot be read becomes NaN. False at the end of the file. */
static bool read_floats(m5_words *words, float *v, uint32_t count)
{
    bool there = true;
    for (uint32_t i = 0; i < count; i++) {
        v[i] = NAN;
        there = m5_words_float_slow(words, &v[i]) != M5_WORD_END;
    }
    return there;
}

uint32_t m5_illmesh_vertices_with_sense(const m5_illmesh_state *w, uint32_t verts, m5_words *words)
{
    float v[32];
    uint32_t each = m5_illmesh_vertex_words(w->flag), sense = 0;
    if (each == 0)
        return verts;
    for (uint32_t i = 0; i < verts; i++) {
        if (!read_floats(words, v, each))
            return 0;
        sense += makes_sense(w, v);
    }
    return sense;
}

bool m5_illmesh_are_triangles(m5_words *words, uint32_t indices, uint32_t limit, unsigned of_ten)
{
    uint64_t sense = 0;
    for (uint32_t i = 0; i < indices / 3; i++) {
        uint32_t v[3] = {0, 0, 0}; /* this stays where an index cannot be read */
        for (int k = 0; k < 3; k++)
            m5_words_unsigned(words, &v[k]);
        sense += v[0] < limit && v[1] < limit && v[2] < limit && v[0] != v[1] && v[1] != v[2] &&
                 v[0] != v[2];
    }
    return sense * 10 >= (uint64_t)(indices / 3) * of_ten;
}

/* ---- Extra or missing lines ------------------------------------------------------------------ */

/* `count` extra or missing lines before the vector `row` of a vertex. */
typedef struct odd_lines {
    bool lack; /* they are missing; otherwise extra */
    unsigned row, count;
} odd_lines;

/* A missing vector is read as one of length 1. */
static void read_otherwise(m5_words *words, const odd_lines *odd, unsigned rows, float *v)
{
    for (unsigned i = 0; i < rows; i++, v += 3) {
        for (unsigned k = 0; k < odd->count && i == odd->row && !odd->lack; k++)
            read_floats(words, v, 3);
        if (odd->lack && i >= odd->row && i < odd->row + odd->count)
            memcpy(v, (float[]){1, 0, 0}, 3 * sizeof *v);
        else
            read_floats(words, v, 3);
    }
}

/* Whether, with these lines added or removed, this vertex makes sense, more of the vertices after
 * it do than now, and every triangle does. */
static bool explains(const m5_illmesh_state *w, m5_words words, const odd_lines *odd,
                     uint32_t vertex)
{
    float v[32];
    uint32_t each = m5_illmesh_vertex_words(w->flag), behind = w->verts.value - vertex - 1;
    m5_words now = words;
    read_otherwise(&words, odd, each / 3, v);
    if (!makes_sense(w, v))
        return false;
    read_floats(&now, v, each);
    uint32_t sense = m5_illmesh_vertices_with_sense(w, behind, &words);
    return (behind == 0 || sense > m5_illmesh_vertices_with_sense(w, behind, &now)) &&
           m5_illmesh_are_triangles(&words, w->indices.value, w->verts.value, 10);
}

static void say_lines(m5_illmesh_state *w, const odd_lines *odd, uint32_t vertex,
                      const m5_words *words)
{
    uint32_t here = (uint32_t)(words->p - words->base);
    m5_diag d = m5_found(M5_ROW(ill_token_count),
                         m5_words_nth(w->mesh->source, here, 3 * odd->row));
    d.path = m5_path1("vertex", vertex);
    m5_emit(w->ill->report, &d, 0,
            "%s: from this line on, values are not in the place where they belong",
            odd->count == 1 ? odd->lack ? "a line is missing" : "extra line"
            : odd->lack     ? "lines are missing"
                            : "extra lines");
    w->ill->ended = w->ill->told = true;
}

bool m5_illmesh_lines_are_alike(const m5_illmesh_state *w)
{
    const m5_ill_section *verts = &w->ill->plan.section[M5_ILLMESH_VERTS];
    for (unsigned i = 0; i < verts->num_rows; i++)
        if (verts->row[i].width != 3)
            return false;
    return w->ill->rows && verts->num_rows != 0;
}

/* Tries the first few vertices that make no sense: one has the lines, others may have another
 * mistake. */
bool m5_illmesh_find_lines(m5_illmesh_state *w)
{
    enum { MOST = 4 };
    m5_report silent;
    m5_words words = m5_ill_look_ahead(w->ill, &silent), here = words;
    uint32_t rows = m5_illmesh_vertex_words(w->flag) / 3;
    int64_t lines = w->ill->surplus / 3;
    unsigned tried = 0;
    float v[32];
    if (w->ill->surplus % 3 != 0 || lines <= -(int64_t)rows || lines >= rows ||
        w->indices.value < 3)
        return false;
    odd_lines odd = {.lack = lines < 0, .count = (unsigned)(lines < 0 ? -lines : lines)};
    for (uint32_t i = 0; i < w->verts.value && tried < MOST; i++, here = words) {
        read_floats(&words, v, 3 * rows);
        if (makes_sense(w, v))
            continue;
        for (odd.row = 0; odd.row + (odd.lack ? odd.count : 1) <= rows; odd.row++) {
            if (!explains(w, here, &odd, i))
                continue;
            say_lines(w, &odd, i, &here);
            return true;
        }
        tried++;
    }
    return false;
}
