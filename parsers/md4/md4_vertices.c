/* Walks over the vertices of a surface. Where a vertex begins is known only from the number of
 * weights of the one before it, so after a wrong number everything is read from the wrong place. */
#include "md4_state.h"
#include "../core/allocate.h"
#include "../core/emit.h"

#include <float.h>

m5_path m5_md4_surface_path(const m5_md4_surface_state *p, const char *name, uint32_t index)
{
    return m5_path2("surface", p->place.index, name, index);
}

uint64_t m5_md4_vertex_size(uint32_t weights)
{
    return M5_MD4_VERTEX + (uint64_t)weights * M5_MD4_WEIGHT;
}

int64_t m5_md4_walk_end(const m5_source *source, int64_t at, uint64_t count, int64_t end)
{
    for (uint64_t i = 0; i < count; i++) {
        uint32_t weights = at >= 0 ? m5_cursor_bits(source, (uint64_t)at + 32) : UINT32_MAX;
        if (weights > M5_MD4_MAX_WEIGHTS || at + (int64_t)m5_md4_vertex_size(weights) > end)
            return -1;
        at += (int64_t)m5_md4_vertex_size(weights);
    }
    return at;
}

m5_diag m5_md4_found_in_vertex(const m5_md4_surface_state *p, const m5_rule *rule, uint32_t vertex,
                               uint32_t offset, const char *name)
{
    m5_path path = m5_md4_surface_path(p, "vertex", vertex);
    path.step[2].name = name;
    path.step[2].index = M5_NO_INDEX;
    return m5_md4_found(rule, offset, 4, path);
}

/* Whether these bytes look like a vertex. When a walk fails, the first vertex that does not look
 * like one is the one with the wrong number of weights. */
static bool sound_with(const m5_md4_surface_state *p, uint32_t at, uint32_t weights)
{
    /* Objects, since gcc for s390x may hold a constant as double. */
    static const float least = 0.99F, most = 1.01F;
    const m5_source *s = p->w->source;
    double sum = 0;
    if (m5_cursor_odd_float(s, at, 8) != 8 || weights == 0 || weights > M5_MD4_MAX_WEIGHTS)
        return false;
    for (uint32_t i = 0; i < weights; i++) {
        uint64_t weight = at + m5_md4_vertex_size(i);
        sum += (double)m5_cursor_float(s, weight + 4);
        if (m5_cursor_bits(s, weight) >= p->w->model->num_bones &&
            m5_cursor_bits(s, weight) >= p->s->num_refs)
            return false;
    }
    return sum > (double)least && sum < (double)most;
}

static bool looks_sound(const m5_md4_surface_state *p, uint32_t at)
{
    return sound_with(p, at, m5_cursor_bits(p->w->source, (uint64_t)at + 32));
}

void m5_md4_say_weight_count(const m5_md4_surface_state *p, uint32_t vertex, uint32_t at,
                             uint32_t fitting)
{
    int32_t count = m5_cursor_int(p->w->source, (uint64_t)at + 32);
    m5_diag d = m5_md4_found_in_vertex(p, M5_ROW(md4_weight_count), vertex, at + 32, "numWeights");
    if (fitting != 0)
        m5_md4_know(&d, M5_KNOWS_NUMBER, fitting);
    if (count == 0)
        m5_emit(p->w->report, &d, M5_MILD, "the vertex has no weights, expected 1 to %d",
                M5_MD4_MAX_WEIGHTS);
    else
        m5_emit(p->w->report, &d, count < 0 ? DBL_MAX : count, "numWeights is %d, expected 1 to %d",
                count, M5_MD4_MAX_WEIGHTS);
}

/* Whether all later vertices would look like vertices, and end where the next block begins, if
 * this vertex had this number of weights. */
static bool would_fit(const m5_md4_surface_state *p, uint32_t vertex, uint32_t at, uint32_t weights)
{
    uint64_t next = at + m5_md4_vertex_size(weights);
    for (vertex++; vertex < p->index_limit && next + M5_MD4_VERTEX <= p->verts_end; vertex++) {
        weights = m5_cursor_bits(p->w->source, next + 32);
        if (!looks_sound(p, (uint32_t)next))
            return false;
        next += m5_md4_vertex_size(weights);
    }
    return vertex == p->index_limit && next == p->verts_end;
}

static bool find_fitting(const m5_md4_surface_state *p, uint32_t vertex, uint32_t at,
                         uint32_t *weights)
{
    uint32_t declared = m5_cursor_bits(p->w->source, (uint64_t)at + 32);
    for (*weights = 0; *weights <= M5_MD4_MAX_WEIGHTS; ++*weights)
        if (*weights != declared && sound_with(p, at, *weights) &&
            would_fit(p, vertex, at, *weights))
            return true;
    return false;
}

/* Whether no weight is 0: that could be bytes that are no weight. */
static bool all_count(const m5_md4_surface_state *p, uint32_t at, uint32_t weights)
{
    for (uint32_t i = 0; i < weights; i++)
        if (m5_cursor_float(p->w->source, at + m5_md4_vertex_size(i) + 4) == 0)
            return false;
    return true;
}

static void say_walk(m5_md4_surface_state *p, uint32_t vertex, uint32_t at)
{
    m5_diag d = m5_md4_found_in_vertex(p, M5_ROW(md4_vertex_walk), vertex, at + 32, "numWeights");
    int32_t found = m5_cursor_int(p->w->source, (uint64_t)at + 32);
    uint32_t fitting;
    p->s->num_verts = vertex;
    p->s->verts_whole = false;
    if (find_fitting(p, vertex, at, &fitting)) {
        if (all_count(p, at, fitting))
            m5_md4_know(&d, M5_KNOWS_NUMBER, fitting);
        m5_emit(p->w->report, &d, 0,
                "numWeights is %d, expected %u: only then do the vertices end at the next block, "
                "at offset %u",
                found, fitting, p->verts_end - p->s->offset);
    } else
        m5_emit(p->w->report, &d, 0,
                "numWeights is %d, but then the vertices do not end at the next block, at offset "
                "%u",
                found, p->verts_end - p->s->offset);
}

static void say_count(m5_md4_surface_state *p, uint32_t fit)
{
    m5_diag d = m5_md4_found_field(M5_ROW(md4_vertex_walk), p->place, &m5_md4_in_surface.num_verts);
    if (fit != 0 && fit < p->index_limit) /* the collapse map has room for no more */
        m5_md4_know(&d, M5_KNOWS_GUESS, fit);
    m5_emit(p->w->report, &d, 0,
            "numVerts is %u, expected %u, the number of vertices before the next block, at offset "
            "%u",
            p->index_limit, fit, p->verts_end - p->s->offset);
    p->count_wrong = true;
    p->s->verts_whole = false;
    p->index_limit = fit > p->index_limit ? fit : p->index_limit;
}

static uint32_t first_odd(const m5_md4_surface_state *p, const uint32_t *verts, uint32_t count)
{
    uint32_t i = 0;
    while (i < count && looks_sound(p, verts[i]))
        i++;
    return i;
}

/* The walk cannot go on at vertex `stop`, at `at`. Finds where it went wrong. */
static void explain_walk(m5_md4_surface_state *p, const uint32_t *verts, uint32_t stop, uint32_t at)
{
    uint32_t odd = first_odd(p, verts, stop);
    p->s->num_verts = odd;
    p->s->verts_whole = false;
    if (odd < stop) {
        say_walk(p, odd, verts[odd]);
        return;
    }
    uint32_t fitting, weights = (uint64_t)at + M5_MD4_VERTEX <= p->verts_end
                                    ? m5_cursor_bits(p->w->source, (uint64_t)at + 32)
                                    : 0;
    if (at == p->verts_end || weights == 0)
        say_count(p, stop);
    else if (weights > M5_MD4_MAX_WEIGHTS)
        m5_md4_say_weight_count(p, stop, at, find_fitting(p, stop, at, &fitting) ? fitting : 0);
    else
        say_walk(p, stop, at);
}

/* The walk reached the last vertex. Even so, a wrong number of weights may have misled it; or
 * there are more vertices than declared. */
static void explain_rest(m5_md4_surface_state *p, const uint32_t *verts, uint32_t at)
{
    uint32_t more = 0, odd = first_odd(p, verts, p->s->num_verts), fitting;
    if (odd < p->s->num_verts) {
        if (find_fitting(p, odd, verts[odd], &fitting))
            say_walk(p, odd, verts[odd]);
        return;
    }
    while (p->verts_end - at >= M5_MD4_VERTEX && looks_sound(p, at)) {
        uint64_t size = m5_md4_vertex_size(m5_cursor_bits(p->w->source, (uint64_t)at + 32));
        if (size > p->verts_end - at)
            return;
        at += (uint32_t)size;
        more++;
    }
    if (more != 0 && at == p->verts_end)
        say_count(p, p->index_limit + more);
}

uint32_t m5_md4_walk_vertices(m5_md4_surface_state *p, uint32_t at)
{
    uint32_t declared = p->s->num_verts;
    uint32_t *verts = m5_arena_take(p->w->arena, declared, sizeof *verts);
    p->s->verts = verts;
    p->s->verts_whole = true;
    if (verts == NULL) {
        p->w->out_of_memory = true;
        p->s->num_verts = 0;
        return at;
    }
    for (uint32_t i = 0; i < declared; i++) {
        uint32_t left = p->verts_end - at;
        uint32_t weights = left >= M5_MD4_VERTEX ? m5_cursor_bits(p->w->source, (uint64_t)at + 32)
                                                 : 0;
        if (m5_md4_vertex_size(weights) > left) {
            explain_walk(p, verts, i, at);
            break;
        }
        verts[i] = at;
        at += (uint32_t)m5_md4_vertex_size(weights);
    }
    m5_arena_trim(p->w->arena, verts, p->s->num_verts * sizeof *verts);
    if (p->s->verts_whole && declared != 0)
        explain_rest(p, verts, at);
    return at;
}
