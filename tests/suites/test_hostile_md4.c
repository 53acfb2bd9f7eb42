/* Expensive MD4 files: parsing and linting them must not need more memory than m5.h promises.
 * tests/gates/linear counts the steps. */
#include "hostile_files.h"

/* ---- MD4 ------------------------------------------------------------------------------------ */

static void put(file *f, uint32_t value)
{
    uint8_t bytes[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16),
                        (uint8_t)(value >> 24)};
    add_bytes(f, bytes, 4);
}

static void puts32(file *f, uint32_t value, size_t times)
{
    for (; times > 0; times--)
        put(f, value);
}

static void text_field(file *f, const char *text, size_t size)
{
    add_bytes(f, text, strlen(text));
    for (size_t i = strlen(text); i < size; i++)
        add_bytes(f, "", 1);
}

static int32_t down_one(unsigned i, unsigned bones)
{
    return i + 1 < bones ? (int32_t)i + 1 : -1;
}
static int32_t in_pairs(unsigned i, unsigned bones)
{
    return (i ^ 1) < bones ? (int32_t)(i ^ 1) : -1;
}

static int32_t around(unsigned i, unsigned bones)
{
    return (int32_t)((i + 1) % bones);
}

enum { ONE = 0x3f800000, NOT_A_NUMBER = 0x7fc00000 };

/* Header, bones and frames; the surfaces follow. `parent` NULL: all are roots. */
static void md4_start(file *f, unsigned bones, unsigned frames, unsigned surfs,
                      int32_t (*parent)(unsigned i, unsigned bones), uint32_t value)
{
    uint32_t frames_at = 100 + 40 * bones, surfs_at = frames_at + frames * (40 + 48 * bones);
    uint32_t end = surfs_at > f->target ? surfs_at : (uint32_t)f->target;
    add_bytes(f, "IDP4", 4), put(f, 4), text_field(f, "m", 64);
    put(f, frames), put(f, bones), put(f, surfs), put(f, frames_at), put(f, 100);
    put(f, surfs_at), put(f, end);
    for (unsigned i = 0; i < bones; i++) {
        text_field(f, "b", 32);
        put(f, parent == NULL ? UINT32_MAX : (uint32_t)parent(i, bones));
        put(f, value);
    }
    puts32(f, value, (size_t)frames * (10 + 12 * bones));
}

/* A surface of `size` bytes with its blocks one after another. */
static void md4_surface(file *f, uint32_t verts, uint32_t vert_bytes, uint32_t tris, uint32_t refs,
                        uint32_t size)
{
    uint32_t tris_at = 180 + vert_bytes, refs_at = tris_at + 12 * tris;
    add_bytes(f, "IDP4", 4), text_field(f, "s", 64), text_field(f, "", 64);
    put(f, 0), put(f, 0), put(f, 0), put(f, 0);
    put(f, verts), put(f, 180), put(f, tris), put(f, tris_at), put(f, refs), put(f, refs_at);
    put(f, refs_at + 4 * refs), put(f, size);
}

static void md4_end(file *f)
{
    while (left(f) > 0)
        add_bytes(f, "", 1);
}

static void md4_bones(file *f)
{
    md4_start(f, fits(f, 88), 1, 0, NULL, 0), md4_end(f);
}
static void md4_chain(file *f)
{
    md4_start(f, fits(f, 88), 1, 0, down_one, 0), md4_end(f);
}
static void md4_loops(file *f)
{
    md4_start(f, fits(f, 88), 1, 0, in_pairs, 0), md4_end(f);
}
static void md4_one_loop(file *f)
{
    md4_start(f, fits(f, 88), 1, 0, around, 0), md4_end(f);
}
static void md4_frames(file *f)
{
    md4_start(f, 1, fits(f, 100), 0, NULL, 0), md4_end(f);
}
static void md4_frames_odd(file *f)
{
    md4_start(f, 1, fits(f, 100), 0, NULL, NOT_A_NUMBER);
    md4_end(f);
}

static void md4_surfaces(file *f)
{
    unsigned surfs = left(f) > 400 ? (unsigned)((left(f) - 400) / 180) : 1;
    md4_start(f, 1, 1, surfs, NULL, 0);
    for (unsigned i = 0; i < surfs; i++)
        md4_surface(f, 0, 0, 0, 0, 180);
    md4_end(f);
}

/* Work that is done once for each bone must not be repeated for each surface. These surfaces seem
 * to end elsewhere, and their vertices never end. */
static void md4_surfaces_astray(file *f)
{
    unsigned surfs = left(f) > 400 ? (unsigned)((left(f) - 400) / 180) : 1;
    md4_start(f, 1, 1, surfs, NULL, 0);
    for (unsigned i = 0; i < surfs; i++) {
        puts32(f, 0, 37);
        put(f, INT32_MAX), put(f, 184), puts32(f, 0, 5), put(f, 180);
    }
    md4_end(f);
}

static void md4_surfaces_and_bones(file *f)
{
    unsigned bones = fits(f, 2 * 88), surfs = fits(f, 2 * 180);
    surfs -= surfs != 0; /* for the header */
    md4_start(f, bones, 1, surfs, NULL, 0);
    for (unsigned i = 0; i < surfs; i++)
        md4_surface(f, 0, 0, 0, 0, 180);
    md4_end(f);
}

/* One surface of vertices with `weights` weights each; all values of these are `value`. */
static void md4_vertices_of(file *f, uint32_t weights, uint32_t value, uint32_t bone)
{
    uint32_t each = 36 + 20 * weights;
    uint32_t verts = left(f) > 500 ? (uint32_t)(left(f) - 500) / (each + 4) : 1;
    md4_start(f, 1, 1, 1, NULL, 0);
    md4_surface(f, verts, verts * each, 0, 1, (uint32_t)left(f));
    for (uint32_t i = 0; i < verts; i++) {
        puts32(f, value, 8);
        put(f, weights);
        for (uint32_t k = 0; k < weights; k++)
            put(f, bone), puts32(f, value, 4);
    }
    put(f, 0), puts32(f, 0, verts);
    md4_end(f);
}

static void md4_vertices(file *f)
{
    md4_vertices_of(f, 0, 0, 0);
}
static void md4_vertices_odd(file *f)
{
    md4_vertices_of(f, 1, NOT_A_NUMBER, 0);
}
static void md4_weights(file *f)
{
    md4_vertices_of(f, 8, ONE, 0);
}
static void md4_weights_far(file *f)
{
    md4_vertices_of(f, 4, ONE, 7);
}

/* In each surface, reading the vertices fails at the last vertex, or ends too early. */
static void md4_walks_of(file *f, uint32_t first_weights, uint32_t per_surface)
{
    uint32_t bytes = 56 * per_surface, size = 180 + bytes + 4 + 4 * per_surface;
    unsigned surfs = left(f) > 400 ? (unsigned)((left(f) - 400) / size) : 1;
    md4_start(f, 1, 1, surfs, NULL, 0);
    for (unsigned i = 0; i < surfs; i++) {
        md4_surface(f, per_surface, bytes, 0, 1, size);
        for (uint32_t k = 0; k < per_surface; k++) {
            puts32(f, 0, 8), put(f, k == 0 ? first_weights : 1);
            put(f, 0), put(f, ONE), puts32(f, 0, 3);
        }
        puts32(f, 0, 1 + per_surface);
    }
    md4_end(f);
}

static void md4_walks_beyond(file *f)
{
    md4_walks_of(f, 3, 20);
}
static void md4_walks_short(file *f)
{
    md4_walks_of(f, 0, 20);
}
static void md4_one_walk(file *f)
{
    md4_walks_of(f, 2, (uint32_t)(left(f) > 700 ? (left(f) - 700) / 60 : 1));
}

/* Triangles, references and a collapse map in which every entry is wrong. */
static void md4_indices_beyond(file *f)
{
    uint32_t tris = left(f) > 800 ? (uint32_t)(left(f) - 800) / 16 : 1, refs = tris;
    md4_start(f, 1, 1, 1, NULL, 0);
    md4_surface(f, 1, 56, tris, refs, (uint32_t)left(f));
    puts32(f, 0, 8), put(f, 1), put(f, 0), put(f, ONE), puts32(f, 0, 3);
    puts32(f, 77, 3 * (size_t)tris + refs + 1);
    md4_end(f);
}

static void md4_refs_twice(file *f)
{
    uint32_t refs = left(f) > 800 ? (uint32_t)(left(f) - 800) / 4 : 1;
    md4_start(f, 1, 1, 1, NULL, 0);
    md4_surface(f, 1, 56, 0, refs, (uint32_t)left(f));
    puts32(f, 0, 8), put(f, 1), put(f, 0), put(f, ONE), puts32(f, 0, 3);
    puts32(f, 0, (size_t)refs + 1);
    md4_end(f);
}

/* Sets the field `back` bytes before the end to 1. */
static void count_one(file *f, size_t back)
{
    memcpy(f->bytes + f->size - back, "\1\0\0\0", 4);
}

/* One bone reference is declared, but references to all bones are there. */
static void md4_refs_undeclared(file *f)
{
    uint32_t bones = fits(f, 2 * 88);
    md4_start(f, bones, 1, 1, NULL, 0);
    md4_surface(f, 1, 56, 0, bones, 180 + 56 + 4 * bones + 4);
    count_one(f, 16);
    puts32(f, 0, 8), put(f, 1), put(f, 0), put(f, ONE), puts32(f, 0, 3);
    for (uint32_t i = 1; i <= bones; i++)
        put(f, i % bones);
    put(f, 0);
    md4_end(f);
}

/* One vertex is declared, but as many are there as the collapse map has entries. */
static void md4_verts_undeclared(file *f)
{
    uint32_t verts = left(f) > 500 ? (uint32_t)(left(f) - 500) / 60 : 1;
    md4_start(f, 1, 1, 1, NULL, 0);
    md4_surface(f, verts, 56 * verts, 0, 1, 180 + 60 * verts + 4);
    count_one(f, 32);
    for (uint32_t i = 0; i < verts; i++)
        puts32(f, 0, 8), put(f, 1), put(f, 0), put(f, ONE), puts32(f, 0, 3);
    puts32(f, 0, 1 + (size_t)verts);
    md4_end(f);
}

/* ---- All of them ---------------------------------------------------------------------------- */

static const shape shapes[] = {
    SHAPE(md4_bones, "md4"),
    SHAPE(md4_chain, "md4"),
    SHAPE(md4_loops, "md4"),
    SHAPE(md4_one_loop, "md4"),
    SHAPE(md4_frames, "md4"),
    SHAPE(md4_frames_odd, "md4"),
    SHAPE(md4_surfaces, "md4"),
    SHAPE(md4_surfaces_astray, "md4"),
    SHAPE(md4_surfaces_and_bones, "md4"),
    SHAPE(md4_vertices, "md4"),
    SHAPE(md4_vertices_odd, "md4"),
    SHAPE(md4_weights, "md4"),
    SHAPE(md4_weights_far, "md4"),
    SHAPE(md4_walks_beyond, "md4"),
    SHAPE(md4_walks_short, "md4"),
    SHAPE(md4_one_walk, "md4"),
    SHAPE(md4_indices_beyond, "md4"),
    SHAPE(md4_refs_twice, "md4"),
    SHAPE(md4_refs_undeclared, "md4"),
    SHAPE(md4_verts_undeclared, "md4"),
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

int main(int argc, char **argv)
{
    return run_shapes("md4 shapes", shapes, SHAPES, NULL, argc, argv);
}
