/* Tests MD4 through the public interface: for the corpus's whole models the accessors return the
 * values of their sources, and counts and offsets of any size cause no read outside the file. */
#include "support.h"
#include "fuzz/harness/check_clean.h"
#include "tests/assemble/assemble.h"

#include <check.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- A file and its model ------------------------------------------------------------------- */

typedef struct parsed {
    m5_source source;
    m5_report report;
    m5_arena arena;
    const m5_md4 *m;
    m5_status status;
    uint8_t *bytes;
    void *memory;
} parsed;

static void parse(parsed *p)
{
    size_t room = m5_parse_memory(p->source.size);
    p->memory = malloc(room);
    m5_arena_init(&p->arena, p->memory, room);
    p->report = (m5_report){.source = &p->source};
    p->status = m5_md4_parse(&p->report, &p->arena, &p->m);
    ck_assert_ptr_nonnull(p->m);
    ck_assert_uint_le(p->arena.peak, room);
    if (p->status == M5_CLEAN)
        harness_walk_md4(p->m);
}

static void load(parsed *p, const char *name)
{
    char path[128], error[ASSEMBLE_ERROR];
    size_t size = 0;
    snprintf(path, sizeof path, "corpus/md4/%.*s/%s.source", (int)strcspn(name, "."), name, name);
    p->bytes = assemble_file(path, &size, error);
    ck_assert_msg(p->bytes != NULL, "%s: %s", path, error);
    p->source = (m5_source){name, p->bytes, (uint32_t)size};
}

static void open_whole(parsed *p, const char *name)
{
    load(p, name);
    parse(p);
    ck_assert_int_eq(p->status, M5_CLEAN);
    ck_assert_ptr_eq(p->m->source, &p->source);
}

static void forget_model(parsed *p)
{
    free(p->memory);
    p->memory = NULL;
}

static void close_file(parsed *p)
{
    forget_model(p);
    free(p->bytes);
}

static void set(parsed *p, uint32_t offset, uint32_t value)
{
    for (uint32_t i = 0; i < 4; i++)
        p->bytes[offset + i] = (uint8_t)(value >> 8 * i);
}

static void set_float(parsed *p, uint32_t offset, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    set(p, offset, bits);
}

static bool is_text(const parsed *p, m5_span span, const char *text)
{
    return span.length == strlen(text) && memcmp(p->bytes + span.offset, text, span.length) == 0;
}

static bool are(const float *values, int count, ...)
{
    va_list expected;
    bool same = true;
    va_start(expected, count);
    for (int i = 0; i < count; i++)
        same &= values[i] == (float)va_arg(expected, double);
    va_end(expected);
    return same;
}

/* ---- The box -------------------------------------------------------------------------------- */

START_TEST(the_box_has_its_bones)
{
    static const char *const names[] = {"base", "middle", "tip"};
    parsed p;
    open_whole(&p, "whole.box.md4");
    ck_assert(is_text(&p, p.m->name, "models/box"));
    ck_assert(p.m->num_frames == 2 && p.m->num_bones == 3 && p.m->num_surfs == 1);
    ck_assert(p.m->bones_whole && p.m->frames_whole && p.m->surfs_whole);
    ck_assert(p.m->frames_at == 0xdc && p.m->bones_at == 0x64);
    for (uint32_t i = 0; i < 3; i++) {
        m5_md4_bone b = m5_md4_bone_at(p.m, i);
        ck_assert(is_text(&p, b.name, names[i]));
        ck_assert(b.offset == 0x64 + 40 * i && b.parent == (int32_t)i - 1 && b.flags == 0);
    }
    close_file(&p);
}
END_TEST

START_TEST(the_box_has_its_frames)
{
    parsed p;
    float m[3][4];
    open_whole(&p, "whole.box.md4");
    m5_md4_frame f = m5_md4_frame_at(p.m, 0);
    ck_assert(!p.m->per_axis_bounds && f.offset == 0xdc);
    ck_assert(are(f.min, 3, -4.0, -4.0, 0.0) && are(f.max, 3, 4.0, 4.0, 8.0));
    ck_assert(are(f.origin, 3, 0.0, 0.0, 4.0) && f.radius == 6.9282032F);
    f = m5_md4_frame_at(p.m, 1);
    ck_assert(f.offset == 0x194 && are(f.max, 3, 4.0, 4.0, 10.0) && f.radius == 7.5498344F);
    ck_assert_uint_eq(m5_md4_matrix_at(p.m, 0, 2, m), 0x164);
    ck_assert(are(&m[0][0], 12, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 8.0));
    ck_assert_uint_eq(m5_md4_matrix_at(p.m, 1, 1, m), 0x1ec);
    ck_assert(m[0][0] == 0.70710678F && m[0][1] == -0.70710678F && m[2][3] == 5);
    ck_assert_uint_eq(m5_md4_matrix_at(p.m, 1, 2, m), 0x21c);
    ck_assert(are(&m[0][0], 12, 0.0, -1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 10.0));
    close_file(&p);
}
END_TEST

START_TEST(the_box_has_its_vertices)
{
    static const uint32_t offsets[] = {0x300, 0x338, 0x370, 0x3a8, 0x3e0, 0x418, 0x450, 0x49c};
    parsed p;
    open_whole(&p, "whole.box.md4");
    const m5_md4_surface *s = &p.m->surfs[0];
    ck_assert(is_text(&p, s->name, "box") && is_text(&p, s->shader, "models/crate"));
    ck_assert(s->offset == 0x24c && s->size == 0x354 && s->min_lod == 4 && !s->main_list);
    ck_assert(s->num_verts == 8 && s->num_tris == 12 && s->num_refs == 2);
    ck_assert(s->verts_whole && s->tris_whole && s->refs_whole && s->collapse_whole);
    for (uint32_t i = 0; i < 8; i++) {
        m5_md4_vertex v = m5_md4_vertex_at(p.m, s, i);
        ck_assert(v.offset == offsets[i] && s->verts[i] == offsets[i]);
        ck_assert_uint_eq(v.num_weights, i < 6 ? 1 : 2);
    }
    m5_md4_vertex v = m5_md4_vertex_at(p.m, s, 6);
    ck_assert(are(v.pos, 3, 4.0, 4.0, 8.0) && are(v.st, 2, 0.0, 0.0));
    ck_assert(v.normal[0] == 0.57735026F && v.normal[2] == 0.57735026F);
    v = m5_md4_vertex_at(p.m, s, 0);
    ck_assert(are(v.pos, 3, -4.0, -4.0, 0.0) && are(v.st, 2, 0.0, 1.0));
    close_file(&p);
}
END_TEST

/* boneRefs are 2 0: in a weight, 0 means bone 2, and 1 means bone 0. */
START_TEST(the_box_has_its_weights)
{
    parsed p;
    open_whole(&p, "whole.box.md4");
    const m5_md4_surface *s = &p.m->surfs[0];
    ck_assert(m5_md4_bone_ref_at(p.m, s, 0) == 2 && m5_md4_bone_ref_at(p.m, s, 1) == 0);
    m5_md4_weight w = m5_md4_weight_at(p.m, s, 0, 0);
    ck_assert(w.bone == 0 && w.weight == 1 && w.offset == 0x324 && are(w.pos, 3, -4.0, -4.0, 0.0));
    w = m5_md4_weight_at(p.m, s, 4, 0);
    ck_assert(w.bone == 2 && w.weight == 1 && are(w.pos, 3, -4.0, -4.0, 0.0));
    w = m5_md4_weight_at(p.m, s, 6, 0);
    ck_assert(w.bone == 0 && w.weight == 0.5F && are(w.pos, 3, 4.0, 4.0, 8.0));
    w = m5_md4_weight_at(p.m, s, 6, 1);
    ck_assert(w.bone == 2 && w.offset == 0x488 && are(w.pos, 3, 4.0, 4.0, 0.0));
    w = m5_md4_weight_at(p.m, s, 7, 0);
    ck_assert(w.bone == 2 && w.weight == 0.75F);
    w = m5_md4_weight_at(p.m, s, 7, 1);
    ck_assert(w.bone == 0 && w.weight == 0.25F && are(w.pos, 3, -4.0, 4.0, 8.0));
    close_file(&p);
}
END_TEST

START_TEST(the_box_has_its_triangles_and_collapses)
{
    static const uint32_t collapse[] = {0, 0, 1, 2, 0, 1, 2, 3};
    parsed p;
    uint32_t t[3];
    open_whole(&p, "whole.box.md4");
    const m5_md4_surface *s = &p.m->surfs[0];
    m5_md4_triangle_at(p.m, s, 0, t);
    ck_assert(t[0] == 0 && t[1] == 2 && t[2] == 1);
    m5_md4_triangle_at(p.m, s, 5, t);
    ck_assert(t[0] == 0 && t[1] == 5 && t[2] == 4);
    m5_md4_triangle_at(p.m, s, 11, t);
    ck_assert(t[0] == 3 && t[1] == 4 && t[2] == 7);
    ck_assert(s->tris_at == 0x4e8 && s->refs_at == 0x578 && s->collapse_at == 0x580);
    for (uint32_t i = 0; i < 8; i++)
        ck_assert_uint_eq(m5_md4_collapse_at(p.m, s, i), collapse[i]);
    close_file(&p);
}
END_TEST

/* ---- Two surfaces, blocks in another order -------------------------------------------------- */

START_TEST(two_surfaces_have_their_own_values)
{
    parsed p;
    uint32_t t[3];
    open_whole(&p, "whole.two-surfaces.md4");
    ck_assert(p.m->num_surfs == 2 && p.m->num_bones == 2 && p.m->num_frames == 1);
    const m5_md4_surface *left = &p.m->surfs[0], *right = &p.m->surfs[1];
    ck_assert(is_text(&p, left->name, "left") && is_text(&p, right->shader, "flags/right"));
    ck_assert(left->offset == 0x64 && left->size == 0x178 && right->offset == 0x1dc);
    ck_assert(left->num_verts == 3 && right->num_verts == 4 && right->num_tris == 2);
    ck_assert_uint_eq(m5_md4_weight_at(p.m, left, 0, 0).bone, 1);
    ck_assert_uint_eq(m5_md4_weight_at(p.m, right, 0, 0).bone, 1);
    ck_assert_uint_eq(m5_md4_weight_at(p.m, right, 1, 1).bone, 0);
    m5_md4_weight w = m5_md4_weight_at(p.m, right, 2, 0);
    ck_assert(w.bone == 0 && w.weight == 0.9F && are(w.pos, 3, -8.0, -8.0, 4.0));
    m5_md4_vertex v = m5_md4_vertex_at(p.m, left, 1);
    ck_assert(are(v.pos, 3, 8.0, 0.0, 0.0) && are(v.st, 2, 1.0, 0.0));
    m5_md4_triangle_at(p.m, right, 1, t);
    ck_assert(t[0] == 0 && t[1] == 2 && t[2] == 3);
    ck_assert_uint_eq(m5_md4_collapse_at(p.m, right, 3), 2);
    m5_md4_bone b = m5_md4_bone_at(p.m, 1);
    ck_assert(is_text(&p, b.name, "cloth") && b.parent == -1 && b.flags == 15);
    close_file(&p);
}
END_TEST

/* ---- Readings that depend ------------------------------------------------------------------- */

/* The bounds of both frames, axis by axis: min x, max x, min y ... */
START_TEST(bounds_are_the_same_in_both_layouts)
{
    static const float pairs[2][6] = {{-4, 4, -4, 4, 0, 8}, {-4, 4, -4, 4, 0, 10}};
    parsed vectors, axes;
    open_whole(&vectors, "whole.box.md4");
    load(&axes, "whole.box.md4");
    for (uint32_t i = 0; i < 12; i++)
        set_float(&axes, (i < 6 ? 0xdc : 0x194) + 4 * (i % 6), pairs[i / 6][i % 6]);
    parse(&axes);
    ck_assert(axes.status == M5_CLEAN && axes.m->per_axis_bounds && !vectors.m->per_axis_bounds);
    for (uint32_t i = 0; i < 2; i++) {
        m5_md4_frame a = m5_md4_frame_at(vectors.m, i), b = m5_md4_frame_at(axes.m, i);
        ck_assert_int_eq(memcmp(a.min, b.min, sizeof a.min), 0);
        ck_assert_int_eq(memcmp(a.max, b.max, sizeof a.max), 0);
        ck_assert(a.radius == b.radius && a.offset == b.offset);
        ck_assert(memcmp(a.origin, b.origin, sizeof a.origin) == 0);
    }
    close_file(&axes);
    close_file(&vectors);
}
END_TEST

/* An index beyond the bone references shows that weights use indices of the main list. */
START_TEST(weights_may_use_indices_of_the_main_list)
{
    static const uint32_t index_at[] = {0x324, 0x35c, 0x394, 0x3cc, 0x404,
                                        0x43c, 0x474, 0x488, 0x4c0, 0x4d4};
    static const uint32_t bone[] = {0, 0, 0, 0, 2, 2, 0, 2, 2, 0};
    parsed p;
    load(&p, "whole.box.md4");
    for (int i = 0; i < 10; i++)
        set(&p, index_at[i], bone[i]);
    parse(&p);
    const m5_md4_surface *s = &p.m->surfs[0];
    ck_assert(p.status == M5_CLEAN && s->main_list && p.report.warnings > 0);
    for (uint32_t i = 0, k = 0; i < 8; i++)
        for (uint32_t n = 0; n < m5_md4_vertex_at(p.m, s, i).num_weights; n++, k++)
            ck_assert_uint_eq(m5_md4_weight_at(p.m, s, i, n).bone, bone[k]);
    ck_assert(m5_md4_bone_ref_at(p.m, s, 0) == 2);
    close_file(&p);
}
END_TEST

/* Any negative parent makes a root, not only -1. */
START_TEST(parents_of_roots_read_as_minus_one)
{
    parsed p;
    load(&p, "whole.box.md4");
    set(&p, 0x64 + 32, (uint32_t)-7);
    parse(&p);
    ck_assert(p.status == M5_CLEAN && p.report.warnings == 1);
    ck_assert_int_eq(m5_md4_bone_at(p.m, 0).parent, -1);
    close_file(&p);
}
END_TEST

/* ---- Counts and offsets of any size --------------------------------------------------------- */

/* Numbers whose products with 12, 20, 36, 40, 48, 180 and 184 overflow 32 bits to small values, and
 * limits. */
static const uint32_t huge[] = {
    0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffc, 0x40000000, 0x40000001, 0x20000000, 0x20000001,
    0x10000000, 0x10000001, 0x15555556, 0x55555556, 0x0ccccccd, 0x66666667, 0x071c71c8, 0x06666667,
    0x05555556, 0x0aaaaaab, 0x016c16c2, 0x01642c86, 0x08000000, 0x04000000, 0x7ffffffc, 0x00010000,
    100000,     4096,       1441,       1440,       1439,       0};
enum { HUGE_VALUES = sizeof huge / sizeof *huge };

/* The counts and offsets in the header and the surfaces of the box. */
static const uint32_t fields[] = {0x48,  0x4c,  0x50,  0x54,  0x58,  0x5c,  0x60,  0x2e0, 0x2e4,
                                  0x2e8, 0x2ec, 0x2f0, 0x2f4, 0x2f8, 0x2fc, 0x320, 0x470};
enum { FIELDS = sizeof fields / sizeof *fields };

START_TEST(huge_counts_and_offsets_cause_no_wrong_reads)
{
    for (int i = 0; i < FIELDS; i++)
        for (int k = 0; k < HUGE_VALUES; k++) {
            parsed p;
            load(&p, "whole.box.md4");
            set(&p, fields[_i], huge[k]);
            if (i != _i)
                set(&p, fields[i], huge[(k + i) % HUGE_VALUES]);
            parse(&p);
            ck_assert_msg(p.status == M5_CLEAN || p.report.flaws != 0, "0x%x", fields[_i]);
            if (i == _i && huge[k] >= 0x01000000) /* alone: or no field may need the block */
                ck_assert_msg(p.status == M5_FLAWED, "0x%x = 0x%x is clean", fields[_i], huge[k]);
            close_file(&p);
        }
}
END_TEST

/* In a flawed model, a part that is called whole is as correct as in a clean model. */
START_TEST(whole_parts_of_flawed_models_are_correct)
{
    parsed p;
    load(&p, "whole.two-surfaces.md4");
    set(&p, 0x118, 77);     /* a triangle of the first surface */
    set(&p, 0x450 + 32, 1); /* bone 0: a child of bone 1 */
    parse(&p);
    const m5_md4_surface *left = &p.m->surfs[0], *right = &p.m->surfs[1];
    ck_assert_int_eq(p.status, M5_FLAWED);
    ck_assert(!left->tris_whole && left->verts_whole && left->refs_whole && left->collapse_whole);
    ck_assert(right->tris_whole && right->verts_whole && p.m->bones_whole && p.m->surfs_whole);
    ck_assert_int_eq(m5_md4_bone_at(p.m, 0).parent, 1);
    ck_assert(left->num_tris == 1 && right->num_tris == 2);
    close_file(&p);
}
END_TEST

/* The file cut off at every length. */
START_TEST(cut_files_are_flawed)
{
    parsed whole;
    load(&whole, _i == 0 ? "whole.box.md4" : "whole.two-surfaces.md4");
    for (uint32_t size = 0; size < whole.source.size; size++) {
        parsed p = {.bytes = malloc(size)};
        if (size != 0)
            memcpy(p.bytes, whole.bytes, size);
        p.source = (m5_source){"cut", p.bytes, size};
        parse(&p);
        ck_assert_msg(p.status == M5_FLAWED, "%u bytes are clean", size);
        close_file(&p);
    }
    free(whole.bytes);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("md4");
    TCase *t = tcase_create("md4");
    tcase_set_timeout(t, 120);
    tcase_add_test(t, the_box_has_its_bones);
    tcase_add_test(t, the_box_has_its_frames);
    tcase_add_test(t, the_box_has_its_vertices);
    tcase_add_test(t, the_box_has_its_weights);
    tcase_add_test(t, the_box_has_its_triangles_and_collapses);
    tcase_add_test(t, two_surfaces_have_their_own_values);
    tcase_add_test(t, bounds_are_the_same_in_both_layouts);
    tcase_add_test(t, weights_may_use_indices_of_the_main_list);
    tcase_add_test(t, parents_of_roots_read_as_minus_one);
    tcase_add_loop_test(t, huge_counts_and_offsets_cause_no_wrong_reads, 0, FIELDS);
    tcase_add_test(t, whole_parts_of_flawed_models_are_correct);
    tcase_add_loop_test(t, cut_files_are_flawed, 0, 2);
    suite_add_tcase(suite, t);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
