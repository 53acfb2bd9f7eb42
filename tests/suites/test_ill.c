/* Tests illmesh, illskel and illanim through the public interface: values, the places of parts, and
 * layouts. */
#include "support.h"
#include "fuzz/harness/check_clean.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

/* ---- Texts and models ----------------------------------------------------------------------- */

typedef struct parsed {
    m5_source source;
    m5_report report;
    m5_settings settings;
    m5_arena arena;
    m5_model model;
    m5_status status;
    uint64_t layouts; /* findings of illmesh-layout */
    char *text;
    void *memory;
} parsed;

static void take(void *user, const m5_diag *d)
{
    parsed *p = user;
    p->layouts += strcmp(d->rule->id, "illmesh-layout") == 0;
}

static void open_text(parsed *p, const char *format, const char *text, m5_ill_layout layout)
{
    char name[16];
    size_t size = strlen(text), room = m5_parse_memory(size);
    snprintf(name, sizeof name, "x.%s", format);
    *p = (parsed){.text = malloc(size), .memory = malloc(room)};
    memcpy(p->text, text, size);
    p->source = (m5_source){"text", (uint8_t *)p->text, (uint32_t)size};
    m5_arena_init(&p->arena, p->memory, room);
    p->settings = (m5_settings){.ill_layout = layout};
    p->report = (m5_report){.source = &p->source, .sink = {take, p}, .settings = &p->settings};
    p->status = m5_parse(m5_format_by_name(name), &p->report, &p->arena, &p->model);
    if (p->status == M5_CLEAN)
        harness_check_clean(&p->model);
}

static void close_text(parsed *p)
{
    free(p->memory);
    free(p->text);
}

static bool is_text(const parsed *p, m5_span span, const char *text)
{
    return span.length == strlen(text) && memcmp(p->text + span.offset, text, span.length) == 0;
}

/* ---- illmesh: every combination of flags, both layouts -------------------------------------- */

static const unsigned flag_of[M5_ILL_PARTS] = {0, 1, 2, 2, 3, 4, 4, 5};
static const m5_illmesh_part in_order[2][M5_ILL_PARTS] = {
    {M5_ILL_POSITION, M5_ILL_NORMAL, M5_ILL_TANGENT, M5_ILL_BITANGENT, M5_ILL_TEXCOORD,
     M5_ILL_BONES, M5_ILL_WEIGHTS, M5_ILL_COLOR},
    {M5_ILL_POSITION, M5_ILL_NORMAL, M5_ILL_TANGENT, M5_ILL_BITANGENT, M5_ILL_BONES, M5_ILL_WEIGHTS,
     M5_ILL_TEXCOORD, M5_ILL_COLOR}};

/* Values that encode part, place and vertex; bones are integers and weights sum to 1. */
static float value_of(unsigned vertex, m5_illmesh_part part, unsigned k)
{
    if (part == M5_ILL_BONES)
        return (float)(2 + 10 * vertex + k);
    if (part == M5_ILL_WEIGHTS)
        return k == 0 ? 0.5F : k == 3 ? 0 : 0.25F;
    return (float)part + 0.125F * (float)k + 16 * (float)vertex;
}

enum { VERTS = 3 };

static void write_mesh(char *out, unsigned mask, bool engine)
{
    out += sprintf(out, "ILLMESH0\n");
    for (unsigned i = 0; i < M5_ILL_FLAGS; i++)
        out += sprintf(out, "%u ", mask >> i & 1);
    out += sprintf(out, "\n%u\n6\n", VERTS);
    for (unsigned v = 0; v < VERTS; v++)
        for (unsigned i = 0; i < M5_ILL_PARTS; i++) {
            m5_illmesh_part part = in_order[engine][i];
            for (unsigned k = 0; mask >> flag_of[part] & 1 && k < m5_illmesh_width[part]; k++)
                out += sprintf(out, "%.9g ", (double)value_of(v, part, k));
            out += sprintf(out, "\n");
        }
    sprintf(out, "0 1 2\n2 1 0\n");
}

static void check_parts(const m5_illmesh *m, unsigned mask, bool engine)
{
    int32_t next = 0;
    for (unsigned i = 0; i < M5_ILL_PARTS; i++) {
        m5_illmesh_part part = in_order[engine][i];
        bool there = mask >> flag_of[part] & 1;
        ck_assert_msg(m->at[part] == (there ? next : -1), "flags 0x%x, part %d at %d, expected %d",
                      mask, (int)part, m->at[part], next);
        for (unsigned v = 0; there && v < VERTS; v++)
            for (unsigned k = 0; k < m5_illmesh_width[part]; k++)
                ck_assert(m->verts[v * m->stride + (uint32_t)next + k] == value_of(v, part, k));
        next += there ? m5_illmesh_width[part] : 0;
    }
    ck_assert_uint_eq(m->stride, (uint32_t)next);
}

static void check_mesh(unsigned mask, bool engine)
{
    static const uint32_t indices[] = {0, 1, 2, 2, 1, 0};
    char text[4096];
    parsed p;
    bool both = mask >> 3 & mask >> 4 & 1;
    write_mesh(text, mask, engine);
    open_text(&p, "illmesh", text, M5_ILL_AUTO);
    const m5_illmesh *m = p.model.illmesh;
    ck_assert_msg(p.status == M5_CLEAN, "flags 0x%x: flawed", mask);
    ck_assert(m->num_verts == VERTS && m->num_indices == 6 && m->verts_whole && m->indices_whole);
    ck_assert(memcmp(m->indices, indices, sizeof indices) == 0);
    ck_assert_int_eq(m->engine_layout, both && engine);
    ck_assert_uint_eq(p.layouts, both && engine);
    check_parts(m, mask, engine);
    for (unsigned i = 0; i < M5_ILL_FLAGS; i++)
        ck_assert(is_text(&p, m->flags[i], mask >> i & 1 ? "1" : "0"));
    ck_assert(is_text(&p, m->num_verts_at, "3") && is_text(&p, m->num_indices_at, "6"));
    for (uint32_t i = 1; i < VERTS; i++) {
        ck_assert_uint_gt(m->vert_offsets[i], m->vert_offsets[i - 1]);
        ck_assert_int_gt(text[m->vert_offsets[i]], ' ');
        ck_assert_int_le(text[m->vert_offsets[i] - 1], ' ');
    }
    ck_assert(text[m->triangle_offsets[1]] == '2' && text[m->triangle_offsets[0]] == '0');
    close_text(&p);
}

START_TEST(parts_are_where_the_flags_say)
{
    check_mesh((unsigned)_i, false);
    check_mesh((unsigned)_i, true);
}
END_TEST

/* A layout that is forced is used whatever the values are. If the values fit the other layout, that
 * is a warning. */
START_TEST(a_forced_layout_is_used)
{
    static const m5_ill_layout forced[] = {M5_ILL_SPEC, M5_ILL_ENGINE};
    for (unsigned mask = 24; mask < 64; mask += mask % 32 == 31 ? 25 : 1)
        for (int file = 0; file < 2; file++)
            for (int asked = 0; asked < 2; asked++) {
                char text[4096];
                parsed p;
                write_mesh(text, mask, file);
                open_text(&p, "illmesh", text, forced[asked]);
                const m5_illmesh *m = p.model.illmesh;
                ck_assert_int_eq(m->engine_layout, asked);
                ck_assert_uint_eq(p.report.warnings, asked != file);
                int32_t first = m->at[asked ? M5_ILL_BONES : M5_ILL_TEXCOORD];
                int32_t second = m->at[asked ? M5_ILL_TEXCOORD : M5_ILL_BONES];
                ck_assert_int_eq(second, first + (asked ? 8 : 2));
                ck_assert_int_eq(m->at[M5_ILL_WEIGHTS], m->at[M5_ILL_BONES] + 4);
                if (asked == file)
                    check_parts(m, mask, file);
                close_text(&p);
            }
}
END_TEST

/* One vertex fits each layout: that is no reason to doubt the layout that was forced. */
START_TEST(equally_likely_layouts_give_no_warning)
{
    static const m5_ill_layout forced[] = {M5_ILL_SPEC, M5_ILL_ENGINE};
    for (int i = 0; i < 2; i++) {
        parsed p;
        open_text(&p, "illmesh",
                  "ILLMESH0\n1 0 0 1 1 0\n2 0\n0 0 0\n0.5 0.5\n0 0 0 0\n1 0 0 0\n"
                  "0 0 0\n0 0 0 0\n1 0 0 0\n0.25 0.25\n",
                  forced[i]);
        ck_assert_int_eq(p.model.illmesh->engine_layout, forced[i] == M5_ILL_ENGINE);
        ck_assert_uint_eq(p.report.warnings, 0);
        close_text(&p);
    }
}
END_TEST

/* Extra indices belong to no triangle. */
START_TEST(extra_indices_make_indices_not_whole)
{
    parsed p;
    open_text(&p, "illmesh", "ILLMESH0 1 0 0 0 0 0 1 1 0 0 0 0", M5_ILL_AUTO);
    ck_assert(p.status == M5_FLAWED && p.model.illmesh->verts_whole &&
              !p.model.illmesh->indices_whole);
    close_text(&p);
}
END_TEST

/* Without texture coordinates or without bones there is only one layout, whichever is forced. */
START_TEST(layout_does_not_matter_without_bones_or_texture)
{
    for (unsigned mask = 1; mask < 64; mask++) {
        char text[4096];
        parsed p;
        if ((mask & 24) == 24)
            continue;
        write_mesh(text, mask, false);
        open_text(&p, "illmesh", text, M5_ILL_ENGINE);
        ck_assert(p.status == M5_CLEAN && !p.model.illmesh->engine_layout && p.layouts == 0);
        check_parts(p.model.illmesh, mask, false);
        close_text(&p);
    }
}
END_TEST

/* ---- illmesh: what is clean and what is not ------------------------------------------------- */

static const struct {
    const char *text;
    m5_status status;
    uint32_t verts, indices;
} meshes[] = {
    {"ILLMESH0 1 0 0 0 0 0 1 0 0 0 0", M5_CLEAN, 1, 0},
    {"ILLMESH0\r\n1 0 0 0 0 0\r\n1\r\n3\r\n0 0 0\r\n0 0 0\r\n", M5_CLEAN, 1, 3},
    {" ILLMESH0 1 0 0 0 0 0 1 0 0 0 0", M5_CLEAN, 1, 0},
    {"ILLMESH0 0 0 0 0 0 0 4000000000 3 3999999999 0 1", M5_FLAWED, 0, 3},
    {"ILLMESH0 0 0 0 0 0 0 4000000000 3 4000000000 0 1", M5_FLAWED, 0, 3},
    {"ILLMESH0 1 0 0 0 0 0 1 3 0 0 0 0 0 1", M5_FLAWED, 1, 3},
    {"ILLMESH0 1 0 0 0 0 0 1 3 0 0 0 0 0 -1", M5_FLAWED, 1, 3},
    {"ILLMESH0 1 0 0 0 0 0 1 3 0 nan 0 0 0 0", M5_FLAWED, 1, 3},
    {"ILLMESH0 1 0 0 0 0 0 1 1 0 0 0 0", M5_FLAWED, 1, 0},
    {"ILLMESH0 1 0 0 0 1 0 1 0 0 0 0 1.5 0 0 0 1 0 0 0", M5_FLAWED, 1, 0},
    {"ILLMESH0 1 0 0 0 1 0 1 0 0 0 0 -1 0 0 0 1 0 0 0", M5_FLAWED, 1, 0},
    {"ILLMESH0 1 0 0 0 1 0 1 0 0 0 0 4294967295 0 0 0 1 0 0 0", M5_FLAWED, 1, 0},
    {"ILLMESH0 1 0 0 0 1 0 1 0 0 0 0 4294967040 0 0 0 1 0 0 0", M5_CLEAN, 1, 0},
    {"ILLMESH0 1 0 0 0 1 0 1 0 0 0 0 0 0 0 -0 1 0 0 0", M5_CLEAN, 1, 0},
    {"ILLMESH0 1 0 0 0 0 0 0 0", M5_FLAWED, 0, 0},
    {"ILLMESH0", M5_FLAWED, 0, 0},
    {"", M5_FLAWED, 0, 0},
    {"ILLSKEL0 1", M5_FLAWED, 0, 0},
    {"ILLMESH1 1 0 0 0 0 0 1 0 0 0 0", M5_FLAWED, 0, 0},
    {"ILLMESH0 1 0 0 0 0 0 4294967295 4294967295 0 0 0", M5_FLAWED, 0, 0},
    {"ILLMESH0 1 0 0 0 0 0 357913942 0 0 0 0", M5_FLAWED, 0, 0},
};

START_TEST(meshes_are_clean_or_flawed)
{
    parsed p;
    open_text(&p, "illmesh", meshes[_i].text, M5_ILL_AUTO);
    const m5_illmesh *m = p.model.illmesh;
    ck_assert_ptr_nonnull(m);
    ck_assert_int_eq(p.status, meshes[_i].status);
    ck_assert_uint_eq(m->num_verts, meshes[_i].verts);
    ck_assert_uint_eq(m->num_indices, meshes[_i].indices);
    close_text(&p);
}
END_TEST

/* Values that could not be read are marked, and no others. */
START_TEST(broken_values_are_marked)
{
    parsed p;
    open_text(&p, "illmesh", "ILLMESH0 1 0 0 0 0 0 2 3 1 x 3 4 5 6 0 -7 1", M5_ILL_AUTO);
    const m5_illmesh *m = p.model.illmesh;
    ck_assert(p.status == M5_FLAWED && p.report.errors == 2);
    ck_assert(!m->verts_whole && !m->indices_whole && m->num_verts == 2 && m->num_indices == 3);
    ck_assert(m->verts[0] == 1 && isnan(m->verts[1]) && m->verts[2] == 3 && m->verts[5] == 6);
    ck_assert(m->indices[0] == 0 && m->indices[1] == UINT32_MAX && m->indices[2] == 1);
    close_text(&p);
}
END_TEST

/* ---- illskel -------------------------------------------------------------------------------- */

static void write_skel(char *out, const int *parents, int bones)
{
    out += sprintf(out, "ILLSKEL0\n%d\n", bones);
    for (int i = 0; i < bones; i++)
        for (int k = 0; k < 4; k++)
            out += sprintf(out, "%d %d %d %d\n", k == 0, k == 1, k == 2, k == 3 ? 1 : i + 10 * k);
    for (int i = 0; i < bones; i++)
        out += sprintf(out, "%d\n", parents[i]);
    for (int i = 0; i < bones; i++)
        out += sprintf(out, "bone%d\n", i);
}

START_TEST(bones_are_as_written)
{
    static const int parents[] = {2, 0, -1, 1};
    char text[1024], name[8];
    parsed p;
    write_skel(text, parents, 4);
    open_text(&p, "illskel", text, M5_ILL_AUTO);
    const m5_illskel *s = p.model.illskel;
    ck_assert(p.status == M5_CLEAN && s->num_bones == 4 && is_text(&p, s->num_bones_at, "4"));
    ck_assert(s->matrices_whole && s->parents_whole && s->names_whole);
    for (int i = 0; i < 4; i++) {
        const m5_illskel_bone *b = &s->bones[i];
        snprintf(name, sizeof name, "bone%d", i);
        ck_assert(is_text(&p, b->name, name) && b->parent == parents[i]);
        ck_assert(b->matrix[0][0] == 1 && b->matrix[0][1] == 0 && b->matrix[0][3] == (float)i);
        ck_assert(b->matrix[2][3] == (float)(i + 20) && b->matrix[3][3] == 1);
        ck_assert(text[b->matrix_at] == '1' && atoi(text + b->parent_at) == parents[i]);
    }
    close_text(&p);
}
END_TEST

/* Random trees: in the order of a clean skeleton, each bone comes once, after its parent;
 * harness_walk_illskel asserts that. A bone whose parent is negative or the bone itself is a root.
 */
START_TEST(bones_are_ordered_after_their_parents)
{
    char text[8192];
    uint32_t state = 7 + (uint32_t)_i;
    for (int round = 0; round < 300; round++) {
        int parents[40], at[40], bones = 1 + round % 40;
        for (int i = 0; i < bones; i++)
            at[i] = i;
        for (int i = bones - 1; i > 0; i--) {
            state = state * 1664525 + 1013904223;
            int other = (int)(state >> 8) % (i + 1), swap = at[i];
            at[i] = at[other];
            at[other] = swap;
        }
        for (int i = 0; i < bones; i++) {
            state = state * 1664525 + 1013904223;
            parents[at[i]] = i == 0 ? -1 : state >> 30 == 0 ? at[i] : at[(int)(state >> 8) % i];
        }
        parsed p;
        write_skel(text, parents, bones);
        open_text(&p, "illskel", text, M5_ILL_AUTO);
        ck_assert_msg(p.status == M5_CLEAN, "flawed:\n%s", text);
        for (int i = 0; i < bones; i++)
            ck_assert_int_eq(p.model.illskel->bones[i].parent, parents[i] == i ? -1 : parents[i]);
        close_text(&p);
    }
}
END_TEST

static const struct {
    int parents[5];
    m5_status status;
    unsigned warnings;
} trees[] = {
    {{-1, 0, 1, 2, 3}, M5_CLEAN, 0},
    {{1, 2, 3, 4, -1}, M5_CLEAN, 0},
    {{0, 0, 0, 0, 0}, M5_CLEAN, 0},
    {{-1, -1, -1, -1, -1}, M5_CLEAN, 0},
    {{-2, 0, 0, 0, -2147483647 - 1}, M5_CLEAN, 2},
    {{1, 0, -1, 2, 2}, M5_FLAWED, 0},
    {{1, 2, 3, 4, 0}, M5_FLAWED, 0},
    {{1, 2, 3, 4, 3}, M5_FLAWED, 0},
    {{-1, 0, 0, 0, 5}, M5_FLAWED, 0},
    {{-1, 0, 0, 0, 2147483647}, M5_FLAWED, 0},
};

START_TEST(only_trees_of_bones_are_clean)
{
    char text[1024];
    parsed p;
    write_skel(text, trees[_i].parents, 5);
    open_text(&p, "illskel", text, M5_ILL_AUTO);
    ck_assert_int_eq(p.status, trees[_i].status);
    ck_assert_int_eq(p.model.illskel->parents_whole, p.status == M5_CLEAN);
    ck_assert_uint_eq(p.report.warnings, trees[_i].warnings);
    ck_assert_uint_eq(p.report.errors, p.status == M5_FLAWED);
    close_text(&p);
}
END_TEST

/* ---- illanim -------------------------------------------------------------------------------- */

START_TEST(keys_are_as_written)
{
    char text[4096], *out = text + sprintf(text, "ILLANIM0\n29.5\n3 2\n");
    for (int b = 0; b < 2; b++) {
        out += sprintf(out, "/bone#%d\n", b);
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 10; k++)
                out += sprintf(out, "%d.5%c", 100 * b + 10 * i + k, k == 9 ? '\n' : ' ');
    }
    parsed p;
    open_text(&p, "illanim", text, M5_ILL_AUTO);
    const m5_illanim *a = p.model.illanim;
    ck_assert(p.status == M5_CLEAN && a->whole && a->num_bones == 2 && a->num_frames == 3);
    ck_assert(a->frame_rate == 29.5F && is_text(&p, a->frame_rate_at, "29.5"));
    ck_assert(is_text(&p, a->num_frames_at, "3") && is_text(&p, a->num_bones_at, "2"));
    ck_assert(is_text(&p, a->bones[0].name, "/bone#0") && is_text(&p, a->bones[1].name, "/bone#1"));
    for (int b = 0; b < 2; b++)
        for (int i = 0; i < 3; i++) {
            const m5_illanim_key *key = &a->bones[b].keys[i];
            float first = (float)(100 * b + 10 * i) + 0.5F;
            ck_assert(strtof(text + key->offset, NULL) == first);
            ck_assert(key->pos[0] == first && key->pos[2] == first + 2);
            ck_assert(key->rotation[0] == first + 3 && key->rotation[3] == first + 6);
            ck_assert(key->scale[0] == first + 7 && key->scale[2] == first + 9);
        }
    close_text(&p);
}
END_TEST

static const struct {
    const char *text;
    m5_status status;
    uint32_t frames, bones;
} anims[] = {
    {"ILLANIM0 24 1 1 a 0 0 0 0 0 0 1 1 1 1", M5_CLEAN, 1, 1},
    {"ILLANIM0 -0.5 1 1 a 0 0 0 0 0 0 1 1 1 1", M5_CLEAN, 1, 1},
    {"ILLANIM0 24 1 1 1 0 0 0 0 0 0 1 1 1 1", M5_CLEAN, 1, 1},
    {"ILLANIM0 24 1 1 a 0 0 0 0 0 0 1 1 1 inf", M5_FLAWED, 1, 1},
    {"ILLANIM0 x 1 1 a 0 0 0 0 0 0 1 1 1 1", M5_FLAWED, 1, 1},
    {"ILLANIM0 24 0 1 a", M5_FLAWED, 0, 0},
    {"ILLANIM0 24 1 0", M5_FLAWED, 0, 0},
    {"ILLANIM0 24 4294967295 4294967295 a", M5_FLAWED, 4294967295, 0},
    {"ILLANIM0 24", M5_FLAWED, 0, 0},
    {"ILLANIM0", M5_FLAWED, 0, 0},
    {"ILLANIM0 24 1", M5_FLAWED, 0, 0},
};

START_TEST(animations_are_clean_or_flawed)
{
    parsed p;
    open_text(&p, "illanim", anims[_i].text, M5_ILL_AUTO);
    ck_assert_ptr_nonnull(p.model.illanim);
    ck_assert_int_eq(p.status, anims[_i].status);
    ck_assert_uint_eq(p.model.illanim->num_bones, anims[_i].bones);
    if (p.status == M5_CLEAN)
        ck_assert_uint_eq(p.model.illanim->num_frames, anims[_i].frames);
    close_text(&p);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ill");
    TCase *t = tcase_create("ill");
    tcase_set_timeout(t, 120);
    tcase_add_loop_test(t, parts_are_where_the_flags_say, 1, 64);
    tcase_add_test(t, a_forced_layout_is_used);
    tcase_add_test(t, equally_likely_layouts_give_no_warning);
    tcase_add_test(t, extra_indices_make_indices_not_whole);
    tcase_add_test(t, layout_does_not_matter_without_bones_or_texture);
    tcase_add_loop_test(t, meshes_are_clean_or_flawed, 0, sizeof meshes / sizeof *meshes);
    tcase_add_test(t, broken_values_are_marked);
    tcase_add_test(t, bones_are_as_written);
    tcase_add_loop_test(t, bones_are_ordered_after_their_parents, 0, 4);
    tcase_add_loop_test(t, only_trees_of_bones_are_clean, 0, sizeof trees / sizeof *trees);
    tcase_add_test(t, keys_are_as_written);
    tcase_add_loop_test(t, animations_are_clean_or_flawed, 0, sizeof anims / sizeof *anims);
    suite_add_tcase(suite, t);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
