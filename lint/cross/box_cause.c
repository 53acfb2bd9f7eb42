/* Finds the joint that puts vertices outside of a bounding box, so that the finding can name it. */
#include "cross.h"
#include "md5_posed.h"
#include "placed.h"
#include "lint/common/parts.h"
#include "lint/core/check.h"
#include "parsers/core/allocate.h"
#include "parsers/core/emit.h"
#include "parsers/play/algebra.h"
#include "parsers/play/pose.h"

enum { LOOK_AT_MOST = 32 };
static const double SHORT = 1e-3; /* of the mesh's size: such bones are not compared */
/* A joint is the cause if it is this far from all that it moves, as a share of how far the vertex
 * is outside; and at least half of the other joints, of two or more, are far nearer. */
static const double APART = 0.25, NEARER = 4;
enum { LEAST_OTHERS = 2 };

/* ---- A bone that is too long or too short ---------------------------------------------------- */

/* How many times as long as in the bind pose a bone is; 1 if it has no length there, or if that
 * changes from frame to frame. */
static double ratio_of(const m5_box_stray *s, const m5_posed *p, uint32_t joint)
{
    double length = m5_vec_length(p->bind(p->context, joint).pos);
    double ratio = length > SHORT * s->size ? m5_posed_ratio(p, joint) : 1;
    return isnan(ratio) ? 1 : ratio;
}

/* The odd bone between a joint and the root; M5_NO_INDEX if there is none. */
static uint32_t odd_bone(const m5_box_stray *s, uint32_t joint, double *ratio)
{
    m5_bind_pair p = m5_bind_pair_of(s->mesh, s->anim);
    p.frames[1] = p.frames[0];
    p.frames[0] = s->frame;
    m5_posed posed = m5_posed_md5(&p);
    uint32_t odd = M5_NO_INDEX;
    double most = 0, second = 0;
    for (; p.mesh->joints[joint].parent >= 0; joint = (uint32_t)p.mesh->joints[joint].parent) {
        double here = ratio_of(s, &posed, joint), off = fabs(log(here));
        second = off > most ? most : fmax(off, second);
        if (!(off > most))
            continue;
        most = off;
        odd = joint;
        *ratio = here;
    }
    return m5_posed_is_odd(most, second) ? odd : M5_NO_INDEX;
}

/* ---- A joint far from its vertices ----------------------------------------------------------- */

/* How far a joint is from the box of its weights, which is in its own space. */
static double off_of(const m5_box *part)
{
    double square = 0;
    for (int k = 0; k < 3; k++) {
        double off = fmax(0, fmax(part->min[k], -part->max[k]));
        square += off * off;
    }
    return sqrt(square);
}

/* Whether a joint is far from all that it moves, and most others are not. */
static bool is_apart(const m5_box_stray *s, uint32_t joint, double *off)
{
    const m5_box *parts = s->mesh->parts;
    uint32_t others = 0, near = 0;
    if (parts == NULL)
        return false;
    *off = off_of(&parts[joint]);
    for (uint32_t i = 0; i < s->mesh->model.md5mesh->num_joints; i++) {
        if (i == joint || !(parts[i].min[0] <= parts[i].max[0]))
            continue;
        others++;
        near += NEARER * off_of(&parts[i]) <= *off;
    }
    return *off > APART * s->by && others >= LEAST_OTHERS && 2 * near >= others;
}

/* ---- A joint whose vertices alone are outside ------------------------------------------------ */

/* Where a joint would be without its jump, from its parent: between the frames around this one. */
static m5_transform without_jump(const m5_md5anim *anim, uint32_t frame, uint32_t joint)
{
    uint32_t last = frame != 0 ? frame - 1 : frame + 1;
    uint32_t next = frame + 1 != anim->num_frames ? frame + 1 : frame - 1;
    m5_transform from = m5_md5anim_local(anim, last, joint);
    m5_transform to = m5_md5anim_local(anim, next, joint);
    m5_pose_interpolate(&from, &to, 1, 0.5, m5_quat_lerp, true, &from);
    return from;
}

/* Where the vertices are in the frame; without its jump, if a joint is to be `still`. */
static bool place_all(const m5_box_stray *s, uint32_t still, m5_placed *p)
{
    const m5_md5anim *anim = s->anim->model.md5anim;
    m5_moved_joint moved = {.joint = still, .turned = true};
    uint32_t count = still != M5_NO_INDEX;
    if (count != 0)
        moved.to = without_jump(anim, s->frame, still);
    return m5_placed_begin(p, s->mesh->model.md5mesh, anim, s->room) &&
           m5_placed_find(p, s->frame, &moved, count);
}

static bool is_inside(const m5_box_stray *s, m5_vec p)
{
    const double at[3] = {p.x, p.y, p.z};
    for (int k = 0; k < 3; k++)
        if (!(at[k] >= s->box.min[k] - s->limit && at[k] <= s->box.max[k] + s->limit))
            return false;
    return true;
}

static bool is_on(const m5_skin *skin, uint32_t vert, uint32_t joint)
{
    const m5_skin_vertex *v = &skin->verts[vert];
    for (uint32_t i = v->start; i < v->start + v->count && i < v->start + LOOK_AT_MOST; i++)
        if (skin->weights[i].bone == joint && skin->weights[i].bias > 0)
            return true;
    return false;
}

/* If there is only one other joint, it says nothing that vertices are outside on this one. */
static bool is_only_one(const m5_box_stray *s, const m5_placed *p, uint32_t joint)
{
    uint32_t other = M5_NO_INDEX;
    bool several = false;
    for (uint32_t i = 0; i < p->skin.num_verts; i++) {
        if (p->skin.verts[i].count == 0 || is_on(&p->skin, i, joint))
            continue;
        if (!is_inside(s, p->verts[i]))
            return false;
        uint32_t bone = p->skin.weights[p->skin.verts[i].start].bone;
        several |= other != M5_NO_INDEX && bone != other;
        other = bone;
    }
    return several;
}

/* Whether vertices are outside on this joint only, and several others have vertices. */
static bool is_alone(const m5_box_stray *s, uint32_t joint)
{
    size_t mark = s->room->used;
    m5_placed p;
    bool alone = place_all(s, M5_NO_INDEX, &p) && is_only_one(s, &p, joint);
    m5_arena_release(s->room, mark);
    return alone;
}

/* ---- A jump ---------------------------------------------------------------------------------- */

/* Whether the mesh would be in the box without the jump, or nearly, as the joint would move a bit.
 */
static bool is_inside_without(const m5_box_stray *s, uint32_t joint)
{
    size_t mark = s->room->used;
    m5_box_stray near = *s;
    m5_placed p;
    near.limit = fmax(s->limit, s->by / 10);
    bool inside = place_all(s, joint, &p);
    for (uint32_t i = 0; inside && i < p.skin.num_verts; i++)
        inside = p.skin.verts[i].count == 0 || is_inside(&near, p.verts[i]);
    m5_arena_release(s->room, mark);
    return inside;
}

bool m5_check_is_by_jump(const m5_box_stray *s, m5_diag *d, char *why, size_t size)
{
    const m5_jump_mark *jump = m5_check_jump_in(s->anim, s->frame);
    if (jump == NULL || !is_inside_without(s, jump->joint))
        return false;
    m5_check_print(why, size, " (joint %u '%.*s' jumps in this frame)", jump->joint,
                   M5_CHECK_NAME(s->anim, s->anim->model.md5anim->joints[jump->joint].name));
    m5_relate(d, &s->anim->source, jump->at, "where the joint jumps");
    return true;
}

/* ---- Which ----------------------------------------------------------------------------------- */

void m5_check_box_cause(const m5_box_stray *s, m5_diag *d, char *why, size_t size)
{
    const m5_md5anim *anim = s->anim->model.md5anim;
    uint32_t joint = m5_check_joint_of(&s->mesh->model.md5mesh->meshes[s->in], s->vert);
    double ratio = 1, off = 0;
    why[0] = '\0';
    if (joint == M5_NO_INDEX)
        return;
    uint32_t odd = odd_bone(s, joint, &ratio);
    if (odd != M5_NO_INDEX) {
        m5_check_print(
            why, size,
            " (joint %u '%.*s' is %.4g times as far from its parent as in the bind pose)", odd,
            M5_CHECK_NAME(s->anim, anim->joints[odd].name), ratio);
        m5_relate(d, &s->anim->source, anim->joints[odd].name, "the joint that is elsewhere");
    } else if (is_apart(s, joint, &off)) {
        m5_name name = s->mesh->model.md5mesh->joints[joint].name;
        m5_check_print(why, size,
                       " (joint %u '%.*s' is %.4g units from all vertices that it moves)", joint,
                       M5_CHECK_NAME(s->mesh, name), off);
        m5_relate(d, &s->mesh->source, name, "the joint of this vertex");
    } else if (is_alone(s, joint)) {
        m5_name name = s->mesh->model.md5mesh->joints[joint].name;
        m5_check_print(why, size, " (all vertices outside are on joint %u '%.*s')", joint,
                       M5_CHECK_NAME(s->mesh, name));
        m5_relate(d, &s->mesh->source, name, "the joint of these vertices");
    }
}
