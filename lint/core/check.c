/* What checks share: places of findings, levels in force, scratch memory, frames known to be wrong,
 * bounding boxes. */
#include "check.h"
#include "parsers/core/allocate.h"
#include "parsers/core/emit.h"
#include "parsers/core/text.h"
#include "parsers/md5/lex.h"

#include <stdarg.h>
#include <string.h>

const m5_format *m5_lint_format(const m5_lint_input *in)
{
    const m5_format *format = in->format != NULL ? in->format : m5_format_by_name(in->source.name);
    return format != NULL ? format : m5_format_by_content(in->source.bytes, in->source.size);
}

bool m5_lint_is_base(const m5_format *format)
{
    unsigned bit = format != NULL ? m5_format_bit(format) : 0;
    return (bit & (M5_IN_MD5MESH | M5_IN_ILLSKEL)) != 0;
}

bool m5_check_wanted(const m5_lint_file *f, const m5_rule *rule)
{
    return m5_would_say(&f->report, rule, DBL_MAX) != M5_SILENT;
}

void m5_check_print(char *out, size_t size, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    m5_text text = {out, size, 0, false};
    m5_text_format(&text, format, args);
    va_end(args);
}

bool m5_check_are_equal(const float *a, const float *b, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (a[i] != b[i])
            return false;
    return true;
}

bool m5_check_are_pixels(uint32_t count, uint32_t all, float largest)
{
    enum { MANY = 8 };
    static const float least_texture = 60; /* 64, less a margin */
    return count >= MANY && count > all - all / 4 && largest >= least_texture;
}

bool m5_check_is_far_texcoord(const float st[2])
{
    return fabs((double)st[0]) > M5_CHECK_TILED || fabs((double)st[1]) > M5_CHECK_TILED;
}

double m5_lowest_limit(const m5_levels *l)
{
    return fmin(l->note, fmin(l->warning, l->error));
}

double m5_check_least_shown(const m5_lint_file *f, const m5_rule *rule)
{
    const m5_levels *in_force = m5_settings_of(&f->report)->levels;
    return m5_lowest_limit(in_force != NULL ? &in_force[rule->number] : &rule->levels);
}

double m5_check_least(const m5_lint_file *f, const m5_rule *rule)
{
    return fmin(m5_lowest_limit(&rule->levels), m5_check_least_shown(f, rule));
}

uint64_t m5_check_budget(const m5_lint_file *f, uint64_t bytes)
{
    uint64_t asked = m5_settings_of(&f->report)->geometry_budget;
    uint64_t most = asked != 0 ? asked : M5_GEOMETRY_BUDGET;
    uint64_t linear = M5_GEOMETRY_A_BYTE * bytes;
    return most == UINT64_MAX || most < linear ? most : linear;
}

m5_diag m5_check_at(const m5_lint_file *f, const m5_rule *rule, uint32_t offset, uint32_t n)
{
    return m5_found(rule, m5_lex_nth(&f->source, offset, n));
}

m5_diag m5_check_at_record(const m5_lint_file *f, const m5_rule *rule, uint32_t offset, uint32_t n)
{
    m5_span last = m5_lex_nth(&f->source, offset, n);
    return m5_found(rule, (m5_span){offset, last.offset + last.length - offset});
}

/* The unit of a number's last decimal, if that is the third, fourth or fifth. */
static double last_decimal(double number)
{
    static const double precision = 1e-7; /* of a float near 1 */
    for (double unit = 1e-3; unit > 0.9e-5; unit /= 10)
        if (fabs(number - unit * round(number / unit)) <= precision)
            return unit;
    return 0;
}

double m5_check_rounding(const float q[3])
{
    double most = 0;
    for (int k = 0; k < 3; k++)
        most += fabs((double)q[k]) * last_decimal((double)q[k]);
    return most;
}

void *m5_check_scratch(m5_lint_file *f, size_t count, size_t size)
{
    return m5_arena_take(&f->arena, count, size);
}

const char *m5_skipped_text(m5_skipped which)
{
    static const char *const texts[] = {
        [M5_SKIPPED_SUMS] = "bias sums, since weights are missing or out of order",
        [M5_SKIPPED_JOINTS] =
            "joints, bones and bounding boxes against the mesh, since joints are missing or unreadable",
        [M5_SKIPPED_PLACES] =
            "where vertices are, since joints, vertices or weights are missing or unreadable",
        [M5_SKIPPED_EDGES] =
            "open edges and the facing of meshes, since triangles are missing or unreadable",
        [M5_SKIPPED_MOTION] =
            "poses and motion, since joints, their components, the baseframe or the order of frames are unknown",
        [M5_SKIPPED_FRAMES] = "single frames that are incomplete or unreadable",
        [M5_SKIPPED_BONES] =
            "bones and bounding boxes against the mesh, since joints differ or cannot be placed",
        [M5_SKIPPED_BOXES] =
            "bounding boxes against the mesh, since it is unknown which box belongs to which frame",
        [M5_SKIPPED_BOXED_MESH] =
            "bounding boxes against the mesh, since its vertices cannot all be placed",
        [M5_SKIPPED_CAMERA] = "jumps of the view, since frames or cuts are missing or wrong",
        [M5_SKIPPED_MD4_SHAPE] =
            "the shape and motion of the model, since an offset, count, index or number is wrong",
        [M5_SKIPPED_ILLMESH_SHAPE] =
            "the shape of the mesh, since vertices or triangles are missing, unreadable or wrong",
        [M5_SKIPPED_ILLANIM_MOTION] = "motion, since keys are missing or unreadable",
        [M5_SKIPPED_SKELETON] =
            "bones and sizes against the skeleton, since a part of the two files is missing or unreadable",
    };
    return texts[which];
}

void m5_check_skip(m5_lint_file *f, m5_skipped which)
{
    if (which < M5_SKIPPED_PLACES || !m5_settings_of(&f->report)->no_geometry)
        f->skipped |= 1U << which;
}

/* What is wrong with a frame: its joints, its bounding box. */
enum { ODD_FRAME = 1, ODD_BOX = 2 };

static void mark(m5_lint_file *f, uint32_t frame, int what)
{
    const m5_model *m = &f->model;
    uint32_t count = m->md5anim != NULL     ? m->md5anim->num_frames
                     : m->md5camera != NULL ? m->md5camera->num_frames
                     : m->md4 != NULL       ? m->md4->num_frames
                                            : 0;
    if (f->odd_frames == NULL && count != 0 &&
        (f->odd_frames = m5_arena_keep(&f->arena, count)) != NULL)
        memset(f->odd_frames, 0, count);
    if (f->odd_frames != NULL)
        f->odd_frames[frame] |= (uint8_t)what;
}

void m5_check_leave_out_frame(m5_lint_file *f, uint32_t frame)
{
    mark(f, frame, ODD_FRAME);
}

void m5_check_leave_out_box(m5_lint_file *f, uint32_t frame)
{
    mark(f, frame, ODD_BOX);
}

void m5_check_mark_frame(m5_lint_file *f, uint32_t frame, const m5_rule *rule, double measure)
{
    if (m5_would_say(&f->report, rule, measure) >= M5_WARNING)
        m5_check_leave_out_frame(f, frame);
}

bool m5_check_is_odd_frame(const m5_lint_file *f, uint32_t frame)
{
    return f->odd_frames != NULL && f->odd_frames[frame] & ODD_FRAME;
}

bool m5_check_is_odd_box(const m5_lint_file *f, uint32_t frame)
{
    return f->odd_frames != NULL && f->odd_frames[frame] & ODD_BOX;
}

void m5_check_mark_jump(m5_lint_file *f, uint32_t frame, m5_jump_mark jump)
{
    size_t size = f->model.md5anim != NULL ? f->model.md5anim->num_frames * sizeof jump : 0;
    if (f->jumps == NULL && size != 0 && (f->jumps = m5_arena_keep(&f->arena, size)) != NULL)
        memset(f->jumps, 0, size);
    if (f->jumps != NULL)
        f->jumps[frame] = jump;
}

const m5_jump_mark *m5_check_jump_in(const m5_lint_file *f, uint32_t frame)
{
    return f->jumps != NULL && f->jumps[frame].at.length != 0 ? &f->jumps[frame] : NULL;
}

uint32_t m5_check_count_jumps(const m5_lint_file *f)
{
    uint32_t count = 0;
    for (uint32_t i = 0; f->jumps != NULL && i < f->model.md5anim->num_frames; i++)
        count += m5_check_jump_in(f, i) != NULL;
    return count;
}

bool m5_check_is_read(const m5_md5anim *m, uint32_t frame)
{
    return m->num_components == 0 || !isnan(m->components[(size_t)frame * m->num_components]);
}

/* Whether it is known what the baseframe says of a joint. */
bool m5_check_has_base(const m5_md5anim *m, uint32_t joint)
{
    return m->base_in_place && !isnan(m->base[joint].pos[0]);
}

bool m5_check_can_pose(const m5_md5anim *m)
{
    bool whole = m->channels_whole && m->frames_in_place && m->num_frames != 0;
    for (uint32_t i = 0; whole && i < m->num_joints; i++)
        whole = m->joints[i].parent != M5_BROKEN_PARENT &&
                (m->channels[i].flags == M5_MD5ANIM_ALL || m5_check_has_base(m, i));
    return whole;
}

bool m5_check_is_point(const m5_md5anim_bounds *b)
{
    return b->min[0] == b->max[0] && b->min[1] == b->max[1] && b->min[2] == b->max[2];
}

bool m5_check_is_one_corner(const m5_md5anim_bounds *b)
{
    return b->min[0] == b->max[0] && (b->min[1] == b->max[0] || b->min[2] == b->max[0]) &&
           !m5_check_is_point(b);
}

uint32_t m5_check_first_corner(const m5_md5anim *m)
{
    for (uint32_t i = 0; i < m->num_bounds; i++) {
        const m5_md5anim_bounds *b = &m->bounds[i];
        if (m5_check_is_one_corner(b) && b->min[1] == b->min[2] && b->min[0] != 0)
            return i;
    }
    return M5_NO_INDEX;
}
