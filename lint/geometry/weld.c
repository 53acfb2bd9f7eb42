/* Finds vertices at the same place.
 *
 * Vertices are sorted along the first axis, those that are near each other on it along the second,
 * and those that are then still together along the third; usually these are few. */
#include "weld.h"
#include "parsers/core/allocate.h"
#include "parsers/play/algebra.h"

#include <string.h>

/* Vertices that are nearer than this share of the mesh's size are at the same place. */
static const double NEAR = 2e-7;

enum { AXES = 3, FEW = 32, DIGITS = 4 };

typedef struct cell {
    uint32_t key; /* sorts like the vertex's coordinate on an axis */
    uint32_t vert;
} cell;

typedef struct weld {
    const m5_vec *pos;
    double near;
    cell *other; /* as many as there are vertices */
    uint32_t *point;
} weld;

/* Converts a float to an integer that sorts like it; float_of converts it back. */
static uint32_t key_of(float at)
{
    uint32_t bits;
    memcpy(&bits, &at, sizeof bits);
    return bits >> 31 ? ~bits : bits | 0x80000000;
}

static float float_of(uint32_t key)
{
    uint32_t bits = key >> 31 ? key & 0x7fffffff : ~key;
    float at;
    memcpy(&at, &bits, sizeof at);
    return at;
}

static uint32_t key_along(m5_vec p, int axis)
{
    return key_of((float)(axis == 0 ? p.x : axis == 1 ? p.y : p.z));
}

/* ---- Sorting --------------------------------------------------------------------------------- */

static void sort_few(cell *cells, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        cell c = cells[i];
        uint32_t k = i;
        for (; k > 0 && cells[k - 1].key > c.key; k--)
            cells[k] = cells[k - 1];
        cells[k] = c;
    }
}

static uint32_t digit_of(cell c, int digit)
{
    return c.key >> 8 * digit & 255;
}

/* Radix sort, from the lowest byte. */
static void sort_many(cell *cells, cell *other, uint32_t count)
{
    uint32_t start[DIGITS][256] = {{0}};
    cell *in = cells, *out = other;
    for (uint32_t i = 0; i < count; i++)
        for (int digit = 0; digit < DIGITS; digit++)
            start[digit][digit_of(cells[i], digit)]++;
    for (int digit = 0; digit < DIGITS; digit++) {
        uint32_t *at = start[digit], sum = 0;
        if (at[digit_of(cells[0], digit)] == count)
            continue; /* all have the same digit */
        for (int i = 0; i < 256; i++) {
            sum += at[i];
            at[i] = sum - at[i];
        }
        for (uint32_t i = 0; i < count; i++)
            out[at[digit_of(in[i], digit)]++] = in[i];
        cell *swap = in;
        in = out;
        out = swap;
    }
    if (in != cells)
        memcpy(cells, in, count * sizeof *cells);
}

/* ---- Places ---------------------------------------------------------------------------------- */

static void name_place(const weld *w, const cell *cells, uint32_t count)
{
    uint32_t first = cells[0].vert;
    for (uint32_t i = 1; i < count; i++)
        first = cells[i].vert < first ? cells[i].vert : first;
    for (uint32_t i = 0; i < count; i++)
        w->point[cells[i].vert] = first;
}

/* Splits cells that are together on the axes before this one. A cell belongs to a place if it is
 * at most `near` after the first cell there. Calls itself for the next axis, of three. */
static void part(const weld *w, cell *cells, uint32_t count, int axis)
{
    if (count == 1 || axis == AXES) {
        name_place(w, cells, count);
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        cells[i].key = key_along(w->pos[cells[i].vert], axis);
    if (count <= FEW)
        sort_few(cells, count);
    else
        sort_many(cells, w->other, count);
    for (uint32_t begin = 0, end; begin < count; begin = end) {
        double first = (double)float_of(cells[begin].key);
        for (end = begin + 1; end < count; end++)
            if ((double)float_of(cells[end].key) - first > w->near)
                break;
        part(w, cells + begin, end - begin, axis + 1);
    }
}

static double nearness(const m5_vec *pos, uint32_t count)
{
    m5_box box = m5_box_empty();
    for (uint32_t i = 0; i < count; i++)
        m5_box_add(&box, pos[i]);
    return NEAR * m5_box_diagonal(&box);
}

bool m5_weld(const m5_vec *pos, uint32_t count, m5_arena *arena, uint32_t *point)
{
    size_t mark = arena->used;
    cell *cells = m5_arena_take(arena, count, sizeof *cells);
    weld w = {pos, nearness(pos, count), m5_arena_take(arena, count, sizeof *w.other), point};
    bool room = cells != NULL && w.other != NULL;
    for (uint32_t i = 0; i < count && room; i++)
        cells[i].vert = i;
    if (room && count != 0)
        part(&w, cells, count, 0);
    m5_arena_release(arena, mark);
    return room;
}

/* ---- Pieces ---------------------------------------------------------------------------------- */

static uint32_t root_of(uint32_t *up, uint32_t point)
{
    while (up[point] != point)
        point = up[point] = up[up[point]];
    return point;
}

static void join(uint32_t *up, uint32_t a, uint32_t b)
{
    a = root_of(up, a);
    b = root_of(up, b);
    if (a < b)
        up[b] = a;
    else
        up[a] = b;
}

void m5_weld_pieces(const uint32_t *point, uint32_t num_verts, const uint32_t (*tris)[3],
                    uint32_t num_tris, uint32_t *piece)
{
    for (uint32_t i = 0; i < num_verts; i++)
        piece[i] = i;
    for (uint32_t i = 0; i < num_tris; i++) {
        join(piece, point[tris[i][0]], point[tris[i][1]]);
        join(piece, point[tris[i][1]], point[tris[i][2]]);
    }
    for (uint32_t i = 0; i < num_verts; i++)
        piece[i] = root_of(piece, i);
}
