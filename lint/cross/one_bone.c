/* Finds the one bone of an animation that has another length than in the mesh. Many bones differ in
 * sound pairs: tags, attachments, animations for another body. In 103 real pairs, those that move
 * vertices are 0.77 to 1.30 times as long as in the bind pose; the others, up to 4.2 times. */
#include "cross.h"
#include "lint/core/check.h"
#include "lint/core/frame_values.h"
#include "lint/geometry/compare.h"
#include "parsers/core/allocate.h"
#include "parsers/core/emit.h"
#include "parsers/play/pose.h"

#include <string.h>

enum { LEAST_BONES = 5, LOOK_AT_MOST = 32 };
static const double SHORT = 0.01; /* of the model's size: such bones are not compared */
/* The bone's length differs by this factor or more, and far more than any other's: its logarithm is
 * so many times as large. */
static const double ODD = 1.75, MORE = 2.5;
static const double SAME = 0.05; /* the relative difference of positions that only were rounded */
enum { BASEFRAME_LAST = 9 };
static const double STEADY = 1.25; /* from frame to frame */
static const double LEAST_BIAS = 0.05;

typedef struct search {
    const m5_md5mesh *mesh;
    const m5_md5anim *anim;
    const uint32_t *frames; /* M5_SAMPLES of them */
    uint8_t *moves;         /* for each joint: whether it or a joint below it has weights */
} search;

/* Where a joint is in the bind pose, in its parent's space. */
static m5_vec bind_offset(const search *s, uint32_t joint)
{
    m5_transform parent = m5_md5_transform(&s->mesh->bind[s->mesh->joints[joint].parent]);
    m5_vec own = m5_vec_of(s->mesh->bind[joint].pos);
    return m5_quat_rotate(m5_quat_inverse(parent.rotation), m5_vec_sub(own, parent.pos));
}

/* How many times as long as in the bind pose a bone is, in the first, the middle and the last
 * frame; NaN if that is not the same. */
static double ratio_of(const search *s, uint32_t joint)
{
    double bind = m5_vec_length(bind_offset(s, joint)), ratio = 0;
    for (int i = 0; i < M5_SAMPLES; i++) {
        double here = m5_vec_length(m5_md5anim_local(s->anim, s->frames[i], joint).pos) / bind;
        ratio = i == 0 ? here : ratio;
        if (!(here <= STEADY * ratio && ratio <= STEADY * here))
            return NAN;
    }
    return ratio;
}

static void mark_moving(const search *s)
{
    const m5_md5mesh *m = s->mesh;
    memset(s->moves, 0, m->num_joints);
    for (uint32_t i = 0; i < m->num_meshes; i++)
        for (uint32_t k = 0; k < m->meshes[i].num_weights; k++)
            if (m->meshes[i].weights[k].joint < m->num_joints)
                s->moves[m->meshes[i].weights[k].joint] = 1;
    for (uint32_t i = m->num_joints; i-- > 0;)
        if (s->moves[i] && m->joints[i].parent >= 0)
            s->moves[m->joints[i].parent] = 1;
}

static double least_length(const search *s)
{
    m5_box box = m5_box_empty();
    for (uint32_t i = 0; i < s->mesh->num_joints; i++)
        m5_box_add(&box, m5_vec_of(s->mesh->bind[i].pos));
    return SHORT * m5_box_diagonal(&box);
}

/* The only bone that is much longer or shorter; M5_NO_INDEX if there is none, or others are, too.
 * Bones whose length is not steady say nothing. */
static uint32_t find_odd(const search *s, double *ratio)
{
    uint32_t odd = M5_NO_INDEX, bones = 0;
    double least = least_length(s), most = 0, second = 0;
    for (uint32_t i = 0; i < s->mesh->num_joints; i++) {
        if (!s->moves[i] || s->mesh->joints[i].parent < 0 ||
            !(m5_vec_length(bind_offset(s, i)) > least))
            continue;
        double here = ratio_of(s, i), off = fabs(log(here));
        bones += isnan(here) ? 0 : 1;
        if (off > most) {
            second = most;
            most = off;
            odd = i;
            *ratio = here;
        } else if (off > second) {
            second = off;
        }
    }
    return bones > LEAST_BONES && most >= log(ODD) && most >= MORE * second ? odd : M5_NO_INDEX;
}

enum { INSIDE = 1, OUTSIDE = 2 };

/* Whether a vertex hangs on joints that are marked in `inside`, on others, or on both. */
static int sides_of(const m5_md5mesh_mesh *m, uint32_t vert, const uint8_t *inside)
{
    int sides = 0;
    for (uint32_t k = 0; k < m->verts[vert].count && k < LOOK_AT_MOST; k++) {
        const m5_md5mesh_weight *w = &m->weights[m->verts[vert].start + k];
        if ((double)w->bias >= LEAST_BIAS)
            sides |= inside[w->joint] ? INSIDE : OUTSIDE;
    }
    return sides;
}

/* Whether a triangle is between vertices on marked joints and vertices on others. */
static bool is_shared(const m5_md5mesh_mesh *m, const uint8_t *inside)
{
    for (uint32_t i = 0; m->skin_whole && i < m->num_tris; i++) {
        int sides = 0;
        for (int k = 0; k < 3 && m->tris[i].vert[0] != M5_BROKEN; k++)
            sides |= sides_of(m, m->tris[i].vert[k], inside);
        if (sides == (INSIDE | OUTSIDE))
            return true;
    }
    return false;
}

/* Whether what hangs on a joint, or below it, is connected with the rest: then skin is stretched,
 * and no part slides. Uses up `moves`. */
static bool stretches(const search *s, uint32_t joint)
{
    uint8_t *inside = s->moves;
    bool any = false;
    for (uint32_t i = 0; i < s->mesh->num_joints; i++) {
        int32_t parent = s->mesh->joints[i].parent;
        inside[i] = i == joint || (i > joint && parent >= 0 && inside[parent]);
    }
    for (uint32_t i = 0; i < s->mesh->num_meshes && !any; i++)
        any = is_shared(&s->mesh->meshes[i], inside);
    return any;
}

/* Whether the joint is in the same direction from its parent. */
static bool is_parallel(const search *s, uint32_t joint)
{
    static const double cosine = 0.999;
    m5_vec bind = bind_offset(s, joint), at = m5_md5anim_local(s->anim, 0, joint).pos;
    return m5_vec_dot(bind, at) >= cosine * m5_vec_length(bind) * m5_vec_length(at);
}

static bool find(const m5_lint_file *mesh, m5_lint_file *f, const search *s, bool *moved)
{
    const m5_rule *rule = M5_LINT_ROW(cross_bind_one_bone);
    double ratio = 1;
    mark_moving(s);
    uint32_t odd = find_odd(s, &ratio);
    if (odd == M5_NO_INDEX)
        return false;
    bool parallel = is_parallel(s, odd), stretched = stretches(s, odd);
    if (!parallel && !stretched)
        return false;
    m5_diag d = m5_check_at_pose(mesh, f, rule, odd, false);
    double measure = parallel && stretched ? M5_GRAVE : M5_MILD;
    *moved = m5_would_say(&f->report, rule, measure) >= M5_WARNING;
    m5_emit(&f->report, &d, measure,
            "joint %u '%.*s' is %.4g times as far from its parent as in the mesh's bind pose; all "
            "other bones that move vertices differ far less",
            odd, M5_CHECK_NAME(f, s->anim->joints[odd].name), ratio);
    return true;
}

bool m5_check_cross_one_bone(const m5_lint_file *mesh, m5_lint_file *f, const uint32_t *frames,
                             m5_arena *scratch, bool *moved)
{
    size_t mark = scratch->used;
    search s = {mesh->model.md5mesh, f->model.md5anim, frames,
                m5_arena_take(scratch, mesh->model.md5mesh->num_joints, 1)};
    *moved = false;
    bool found = s.moves != NULL && !mesh->misplaced &&
                 m5_check_wanted(f, M5_LINT_ROW(cross_bind_one_bone)) && find(mesh, f, &s, moved);
    m5_arena_release(scratch, mark);
    return found;
}

/* Where a joint's position or orientation comes from: frame 0 if that replaces the baseframe's by
 * another value, else the baseframe. */
m5_diag m5_check_at_pose(const m5_lint_file *mesh, const m5_lint_file *f, const m5_rule *rule,
                         uint32_t joint, bool turn)
{
    const m5_md5anim *anim = f->model.md5anim;
    const m5_md5anim_channel *c = &anim->channels[joint];
    m5_transform base = m5_md5_transform(&anim->base[joint]);
    m5_transform first = m5_md5anim_local(anim, 0, joint);
    bool same = turn ? m5_quat_angle(base.rotation, first.rotation) < 0.1
                     : m5_vec_distance(base.pos, first.pos) <= SAME * m5_vec_length(first.pos);
    m5_diag d = m5_check_at_record(f, rule, anim->base[joint].offset, BASEFRAME_LAST);
    d.path = m5_path1("baseframe", joint);
    if (!same) {
        uint32_t value = c->start + (turn ? m5_md5anim_count_flags(c->flags & 7) : 0);
        d.at = m5_check_value_at(f, 0, value);
        d.path = m5_path2("frame", 0, "value", value);
    }
    m5_relate(&d, &mesh->source,
              m5_check_at(mesh, NULL, mesh->model.md5mesh->bind[joint].offset, 0).at,
              "the mesh's joint");
    return d;
}
