#include "volume.h"
#include "weld.h"

/* Of the cube of a mesh's size: less is a sheet with two sides. */
static const double LEAST = 1e-6;

/* What hangs together by its points, kept at one of them. */
typedef struct piece {
    uint32_t up; /* another point of it; itself: what is below is the piece's */
    uint32_t tris;
    uint64_t rim; /* 0 if as many triangles run along each edge in either direction */
    double volume;
} piece;

typedef struct work {
    const m5_shape *shape;
    m5_vec middle;
    uint32_t *point; /* of each vertex, the first one at its place */
    piece *pieces; /* by point */
} work;

/* Six times the volume between a triangle and the middle. */
static double volume_at(const work *w, const uint32_t t[3])
{
    const m5_vec *pos = w->shape->pos;
    m5_vec a = m5_vec_sub(pos[t[0]], w->middle), b = m5_vec_sub(pos[t[1]], w->middle);
    return m5_vec_dot(m5_vec_cross(a, b), m5_vec_sub(pos[t[2]], w->middle));
}

/* Of an open mesh as well, which the middle closes after a fashion: a first look. */
static double volume_of_all(const work *w)
{
    double volume = 0;
    for (uint32_t i = 0; i < w->shape->num_tris; i++)
        volume += volume_at(w, w->shape->tris[i]);
    return volume;
}

static piece *piece_of(const work *w, uint32_t point)
{
    piece *p = w->pieces;
    while (p[point].up != point)
        point = p[point].up = p[p[point].up].up;
    return &p[point];
}

static void join(const work *w, uint32_t a, uint32_t b)
{
    piece *x = piece_of(w, w->point[a]), *y = piece_of(w, w->point[b]);
    if (x < y)
        y->up = x->up;
    else
        x->up = y->up;
}

/* A number for an edge, of which those of the two directions add up to 0. */
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
    const m5_shape *s = w->shape;
    for (uint32_t i = 0; i < s->num_verts; i++)
        w->pieces[i] = (piece){.up = i};
    for (uint32_t i = 0; i < s->num_tris; i++) {
        join(w, s->tris[i][0], s->tris[i][1]);
        join(w, s->tris[i][1], s->tris[i][2]);
    }
    for (uint32_t i = 0; i < s->num_tris; i++) {
        const uint32_t *t = s->tris[i];
        piece *own = piece_of(w, w->point[t[0]]);
        own->tris++;
        own->volume += volume_at(w, t);
        own->rim += direction(w, t[0], t[1]) + direction(w, t[1], t[2]) + direction(w, t[2], t[0]);
    }
}

static m5_side side_of(const piece *p, double least)
{
    if (p->rim != 0 || !(fabs(p->volume) > least))
        return M5_SIDE_UNKNOWN;
    return p->volume > 0 ? M5_SIDE_INWARDS : M5_SIDE_OUTWARDS;
}

static m5_volume judge_pieces(const work *w, double least)
{
    const m5_shape *s = w->shape;
    m5_volume v = {M5_SIDE_UNKNOWN, 0, 0};
    for (uint32_t i = s->num_tris; i-- > 0;) {
        m5_side side = side_of(piece_of(w, w->point[s->tris[i][0]]), least);
        if (side == M5_SIDE_OUTWARDS)
            return (m5_volume){M5_SIDE_UNKNOWN, 0, 0};
        if (side == M5_SIDE_INWARDS)
            v = (m5_volume){side, i, v.count + 1};
    }
    return v;
}

static m5_volume look_closer(work *w, double least, m5_arena *arena)
{
    const m5_shape *s = w->shape;
    size_t mark = arena->used;
    m5_volume v = {M5_SIDE_UNKNOWN, 0, 0};
    w->point = m5_arena_take(arena, s->num_verts, sizeof *w->point);
    if (w->point != NULL && m5_weld(s->pos, s->num_verts, arena, w->point) &&
        (w->pieces = m5_arena_take(arena, s->num_verts, sizeof *w->pieces)) != NULL) {
        gather_pieces(w);
        v = judge_pieces(w, least);
    }
    m5_arena_release(arena, mark);
    return v;
}

static m5_vec middle_of(const m5_box *box)
{
    const double *a = box->min, *b = box->max;
    return (m5_vec){(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2};
}

m5_volume m5_volume_find(const m5_shape *shape, m5_arena *arena)
{
    m5_box box = m5_box_empty();
    for (uint32_t i = 0; i < shape->num_verts; i++)
        m5_box_add(&box, shape->pos[i]);
    work w = {shape, middle_of(&box), NULL, NULL};
    double size = m5_box_diagonal(&box), least = LEAST * size * size * size;
    double volume = volume_of_all(&w);
    if (volume > least)
        return look_closer(&w, least, arena);
    return (m5_volume){volume < -least ? M5_SIDE_OUTWARDS : M5_SIDE_UNKNOWN, 0, 0};
}
