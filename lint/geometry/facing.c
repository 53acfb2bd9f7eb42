/* Finds pieces of a closed mesh whose triangles face inwards, by the sign of their volume. */
#include "facing.h"
#include "weld.h"
#include "parsers/core/allocate.h"
#include "parsers/play/algebra.h"

/* As a share of the cube of a mesh's size: a piece of less volume is a sheet with two sides. */
static const double LEAST = 1e-6;

/* A piece: triangles that are connected by their points. It is stored at one of these points. */
typedef struct piece {
    uint32_t tris;
    uint64_t rim; /* 0 if as many triangles run along each edge in either direction */
    double volume;
} piece;

typedef struct work {
    const m5_topology *shape;
    uint32_t *point;    /* of each vertex, the first one at its place */
    uint32_t *piece_at; /* of each point, the point where its piece is stored */
    piece *pieces;
} work;

/* Returns six times the volume between a triangle and a point. The sum over a closed piece is
 * the same for any point. */
static double volume_at(const m5_topology *s, uint32_t tri, m5_vec from)
{
    const uint32_t *t = s->tris[tri];
    m5_vec a = m5_vec_sub(s->pos[t[0]], from), b = m5_vec_sub(s->pos[t[1]], from);
    return m5_vec_dot(m5_vec_cross(a, b), m5_vec_sub(s->pos[t[2]], from));
}

/* Takes the middle of some triangles as a point inside the mesh. */
bool m5_facing_is_odd(const m5_topology *s)
{
    enum { LOOK_AT = 256 };
    uint32_t step = s->num_tris / LOOK_AT + 1, count = 0;
    m5_vec sum = {0, 0, 0};
    double volume = 0;
    for (uint32_t i = 0; i < s->num_tris; i += step, count++)
        sum = m5_vec_add(sum, s->pos[s->tris[i][0]]);
    m5_vec middle = m5_vec_times(sum, 1 / (double)count);
    for (uint32_t i = 0; i < s->num_tris; i += step)
        volume += volume_at(s, i, middle);
    return volume > 0;
}

static piece *piece_of(const work *w, uint32_t tri)
{
    return &w->pieces[w->piece_at[w->point[w->shape->tris[tri][0]]]];
}

/* Returns a number for an edge; the numbers of its two directions add up to 0. */
static uint64_t direction(const work *w, uint32_t a, uint32_t b)
{
    uint64_t from = w->point[a], to = w->point[b];
    uint64_t low = from < to ? from : to, high = from < to ? to : from;
    uint64_t mixed = (low << 32 | high) * 0x9e3779b97f4a7c15;
    mixed = (mixed ^ mixed >> 32) * 0xd6e8feb86659fd93;
    return from == to ? 0 : from < to ? mixed : 0 - mixed;
}

static void gather_pieces(const work *w)
{
    const m5_topology *s = w->shape;
    for (uint32_t i = 0; i < s->num_verts; i++)
        w->pieces[i] = (piece){.tris = 0};
    m5_weld_pieces(w->point, s->num_verts, s->tris, s->num_tris, w->piece_at);
    for (uint32_t i = 0; i < s->num_tris; i++) {
        const uint32_t *t = s->tris[i];
        piece *own = piece_of(w, i);
        own->tris++;
        own->volume += volume_at(s, i, s->pos[0]);
        own->rim += direction(w, t[0], t[1]) + direction(w, t[1], t[2]) + direction(w, t[2], t[0]);
    }
}

static m5_side side_of(const piece *p, double least)
{
    if (p->rim != 0 || !(fabs(p->volume) > least))
        return M5_SIDE_UNKNOWN;
    return p->volume > 0 ? M5_SIDE_INWARDS : M5_SIDE_OUTWARDS;
}

static m5_facing judge_pieces(const work *w, double least)
{
    const m5_topology *s = w->shape;
    m5_facing v = {.side = M5_SIDE_UNKNOWN};
    for (uint32_t i = s->num_tris; i-- > 0;) {
        m5_side side = side_of(piece_of(w, i), least);
        if (side == M5_SIDE_UNKNOWN)
            continue;
        if (v.count != 0 && side != v.side)
            return (m5_facing){.side = M5_SIDE_UNKNOWN};
        v = (m5_facing){.side = side, .first = i, .count = v.count + 1};
    }
    return v;
}

m5_facing m5_facing_find(const m5_topology *shape, m5_arena *arena)
{
    size_t mark = arena->used;
    m5_facing v = {.side = M5_SIDE_UNKNOWN};
    m5_box box = m5_box_empty();
    work w = {shape, m5_arena_take(arena, shape->num_verts, sizeof *w.point),
              m5_arena_take(arena, shape->num_verts, sizeof *w.piece_at),
              m5_arena_take(arena, shape->num_verts, sizeof *w.pieces)};
    for (uint32_t i = 0; i < shape->num_verts; i++)
        m5_box_add(&box, shape->pos[i]);
    double size = m5_box_diagonal(&box);
    if (w.point != NULL && w.piece_at != NULL && w.pieces != NULL &&
        m5_weld(shape->pos, shape->num_verts, arena, w.point)) {
        gather_pieces(&w);
        v = judge_pieces(&w, LEAST * size * size * size);
    }
    v.box = box;
    m5_arena_release(arena, mark);
    return v;
}
