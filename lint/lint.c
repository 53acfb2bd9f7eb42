/* The list of checks: which of them a model of each format goes through. */
#include "lint/common/checks.h"
#include "lint/core/check.h"
#include "lint/core/names.h"
#include "lint/ill/checks.h"
#include "lint/md4/checks.h"
#include "lint/md5/checks.h"
#include "parsers/core/emit.h"

static void m5_check_md5mesh(m5_lint_file *f)
{
    const m5_md5mesh *m = f->model.md5mesh;
    m5_check_md5_joints(f, m->joints, m->num_joints, m->joints_in_place, m->num_joints_at);
    m5_check_md5_parent_comments(f, m->joints, m->num_joints, m->joints_in_place);
    m5_check_md5mesh_joints(f);
    m5_check_md5mesh_shaders(f);
    m5_check_md5mesh_verts(f);
    m5_check_md5mesh_triangles(f);
    m5_check_md5mesh_weights(f);
    if (!m5_settings_of(&f->report)->no_geometry)
        m5_check_md5mesh_topology(f);
    m5_check_md5_layout(f, m->num_joints_at.length != 0, m->long_lines);
}

static void m5_check_md5anim(m5_lint_file *f)
{
    const m5_md5anim *m = f->model.md5anim;
    m5_check_md5_joints(f, m->joints, m->num_joints, m->joints_in_place, m->num_joints_at);
    m5_check_md5_parent_comments(f, m->joints, m->num_joints, m->joints_in_place);
    if (!f->in_group)
        m5_check_md5anim_roots(f);
    f->values_known = m5_check_md5anim_components(f);
    m5_check_md5anim_frames(f, f->values_known);
    m5_check_md5anim_bounds(f);
    if (!f->values_known || !m5_check_can_pose(m)) {
        m5_check_skip(f, M5_SKIPPED_MOTION);
    } else if (!m5_settings_of(&f->report)->no_geometry) {
        m5_check_md5anim_motion(f);
        m5_check_md5anim_box_jumps(f);
    }
    m5_check_md5_layout(f, m->num_joints_at.length != 0, m->long_lines);
}

static void m5_check_md4(m5_lint_file *f)
{
    bool clean = f->report.flaws == 0; /* so far: every index and number is sound */
    m5_check_md4_bones(f);
    bool rigid = m5_check_md4_frames(f);
    m5_check_md4_surfaces(f);
    if (!clean)
        m5_check_skip(f, M5_SKIPPED_MD4_SHAPE);
    else if (!m5_settings_of(&f->report)->no_geometry)
        m5_check_md4_geometry(f, rigid);
}

void m5_lint_model(m5_lint_file *f)
{
    f->names = m5_check_sort_names(f);
#define M5_FORMAT(symbol, name, text)                                                              \
    if (f->model.symbol != NULL)                                                                   \
        m5_check_##symbol(f);
#define M5_FORMAT_LATER(name, text)
#include "../parsers/formats.def"
#undef M5_FORMAT
#undef M5_FORMAT_LATER
}

m5_status m5_lint_bytes(m5_lint_file *out, const m5_lint_input *in)
{
    const m5_format *format = m5_lint_format(in);
    *out = (m5_lint_file){.status = M5_NO_FORMAT,
                          .source = in->source,
                          .model.format = format,
                          .in_group = in->in_group};
    m5_arena_init(&out->arena, in->memory, in->size);
    out->report = (m5_report){.source = &out->source, .sink = in->sink, .settings = in->settings};
    if (format == NULL || format->parse == NULL)
        return out->status;
    out->status = m5_parse(format, &out->report, &out->arena, &out->model);
    if (out->status != M5_NO_MEMORY)
        m5_lint_model(out);
    return out->status;
}

m5_status m5_lint_group(m5_lint_file *const *out, const m5_lint_input *in, size_t count,
                        void *memory)
{
    m5_status worst = M5_CLEAN;
    for (size_t i = 0; i < count; i++) {
        m5_lint_input own = in[i];
        own.in_group = true;
        m5_lint_bytes(out[i], &own);
        worst = out[i]->status > worst ? out[i]->status : worst;
    }
    m5_lint_together(out, count, memory);
    return worst;
}

size_t m5_lint_memory(size_t size, size_t findings)
{
    size_t fixed = findings < (SIZE_MAX - 65536) / 1024 ? 65536 + findings * 1024 : SIZE_MAX;
    return size < (SIZE_MAX - fixed) / 16 ? fixed + 16 * size : SIZE_MAX;
}
