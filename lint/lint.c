/* The list of checks: which of them a model of each format goes through. */
#include "lint/common/checks.h"
#include "lint/core/check.h"
#include "lint/core/names.h"
#include "lint/core/parts.h"
#include "lint/def/checks.h"
#include "lint/ignore/ignore.h"
#include "lint/ill/checks.h"
#include "lint/md4/checks.h"
#include "lint/md5/checks.h"
#include "lint/pack/checks.h"
#include "lint/targets/targets.h"
#include "parsers/core/allocate.h"
#include "parsers/core/emit.h"

static void m5_check_md5mesh(m5_lint_file *f)
{
    const m5_md5mesh *m = f->model.md5mesh;
    M5_PART(f, md5_joints,
            m5_check_md5_joints(f, m->joints, m->num_joints, m->joints_in_place, m->num_joints_at));
    M5_PART(f, md5_joints, m5_check_md5mesh_joints(f));
    M5_PART(f, md5mesh_shaders, m5_check_md5mesh_shaders(f));
    M5_PART(f, md5mesh_verts, m5_check_md5mesh_verts(f));
    M5_PART(f, md5mesh_triangles, m5_check_md5mesh_triangles(f));
    M5_PART(f, md5mesh_weights, m5_check_md5mesh_weights(f));
    M5_PART(f, md5mesh_weight_use, m5_check_md5mesh_weight_use(f));
    if (!m5_settings_of(&f->report)->no_geometry)
        M5_PART(f, md5mesh_topology, m5_check_md5mesh_topology(f));
    M5_PART(f, md5_layout,
            m5_check_md5_layout(f, m->num_joints_at.length != 0, m->long_lines, m->glued));
}

static void m5_check_md5anim(m5_lint_file *f)
{
    const m5_md5anim *m = f->model.md5anim;
    M5_PART(f, md5_joints,
            m5_check_md5_joints(f, m->joints, m->num_joints, m->joints_in_place, m->num_joints_at));
    M5_PART(f, md5_joints, m5_check_read_comments(f, m->joints, m->num_joints, m->joints_in_place));
    if (!f->in_group) {
        M5_PART(f, md5anim_roots, m5_check_md5anim_roots(f));
        M5_PART(f, md5_joints, m5_check_md5anim_names(f, NULL));
    }
    f->values_known = M5_PART(f, md5anim_components, m5_check_md5anim_components(f));
    if (!f->in_group)
        M5_PART(f, md5anim_roots, m5_check_md5anim_exchanged(f, NULL));
    M5_PART(f, md5anim_frames, m5_check_md5anim_frames(f, f->values_known));
    M5_PART(f, md5anim_bounds, m5_check_md5anim_bounds(f));
    if (!f->values_known || !m5_check_can_pose(m)) {
        m5_check_skip(f, M5_SKIPPED_MOTION);
    } else if (!m5_settings_of(&f->report)->no_geometry) {
        M5_PART(f, md5anim_motion, m5_check_md5anim_motion(f));
        M5_PART(f, md5anim_motion, m5_check_md5anim_box_jumps(f));
    }
    M5_PART(f, md5_layout,
            m5_check_md5_layout(f, m->num_joints_at.length != 0, m->long_lines, m->glued));
}

static void m5_check_md5camera(m5_lint_file *f)
{
    const m5_md5camera *m = f->model.md5camera;
    M5_PART(f, md5camera_frames, m5_check_md5camera_frames(f));
    M5_PART(f, md5camera_frames, m5_check_md5camera_far(f, M5_WARNING));
    if (!m->cuts_whole || !m->frames_in_place)
        m5_check_skip(f, M5_SKIPPED_CAMERA);
    else if (!m5_settings_of(&f->report)->no_geometry)
        M5_PART(f, md5camera_jumps, m5_check_md5camera_jumps(f));
    M5_PART(f, md5camera_frames, m5_check_md5camera_far(f, M5_NOTE));
    M5_PART(f, md5_layout, m5_check_md5_layout(f, m->num_frames_at.length != 0, false, false));
}

static void m5_check_md4(m5_lint_file *f)
{
    bool clean = f->report.flaws == 0; /* so far: every index and number is sound */
    M5_PART(f, md4, m5_check_md4_bones(f));
    bool rigid = M5_PART(f, md4, m5_check_md4_frames(f));
    M5_PART(f, md4, m5_check_md4_surfaces(f));
    if (!clean)
        m5_check_skip(f, M5_SKIPPED_MD4_SHAPE);
    else if (!m5_settings_of(&f->report)->no_geometry)
        M5_PART(f, md4_geometry, m5_check_md4_geometry(f, rigid));
    M5_PART(f, md4, m5_check_md4_spheres(f));
}

/* Where the checks of a format begin. */
enum {
    M5_PART_md5mesh = M5_PART_md5_joints,
    M5_PART_md5anim = M5_PART_md5_joints,
    M5_PART_md5camera = M5_PART_md5camera_frames
};

void m5_lint_model(m5_lint_file *f)
{
    f->names = m5_check_sort_names(f);
#define M5_FORMAT(symbol, name, text)                                                              \
    if (f->model.symbol != NULL)                                                                   \
        M5_PART(f, symbol, m5_check_##symbol(f));
#include "../parsers/formats.def"
#undef M5_FORMAT
    if (f->targets != NULL)
        m5_targets_measure(f->targets, &f->model);
    m5_enter(f, M5_PART_none);
}

static const m5_target_rows *rows_of(m5_lint_file *f)
{
    const m5_settings *settings = m5_settings_of(&f->report);
    m5_target_rows *rows;
    if (settings->target_rows != NULL)
        return settings->target_rows;
    rows = m5_arena_keep(&f->arena, sizeof *rows);
    if (rows != NULL)
        m5_target_rows_find(settings->targets, rows);
    return rows;
}

/* Lets the targets that are asked about see the findings in what they load. */
static bool watch(m5_lint_file *f)
{
    bool md5 = (m5_format_bit(f->model.format) & M5_IN_MD5_MODELS) != 0;
    if (m5_settings_of(&f->report)->targets == 0 || !md5)
        return true;
    const m5_target_rows *rows = rows_of(f);
    f->targets = rows != NULL ? m5_arena_keep(&f->arena, sizeof *f->targets) : NULL;
    if (f->targets != NULL)
        m5_targets_begin(f->targets, rows, &f->report, &f->model);
    return f->targets != NULL;
}

m5_status m5_lint_bytes(m5_lint_file *out, const m5_lint_input *in)
{
    const m5_format *format = m5_lint_format(in);
    *out = (m5_lint_file){.status = M5_NO_FORMAT,
                          .source = in->source,
                          .model.format = format,
                          .in_group = in->in_group,
                          .from = in->from};
    m5_arena_init(&out->arena, in->memory, in->size);
    out->report = (m5_report){.source = &out->source, .sink = in->sink, .settings = in->settings};
    if (format == NULL)
        return out->status;
    if (!watch(out) || !m5_ignore_begin(out, format))
        return out->status = M5_NO_MEMORY;
    out->status = M5_PART(out, parse, m5_parse(format, &out->report, &out->arena, &out->model));
    if (out->status != M5_NO_MEMORY)
        m5_lint_model(out);
    if (out->status != M5_NO_MEMORY && !out->in_group)
        m5_ignore_finish(out);
    m5_enter(out, M5_PART_none);
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
