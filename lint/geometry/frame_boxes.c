/* Finds vertices that leave the boxes of their frames.
 *
 * A vertex is between the positions of its weights. So nothing is outside in a frame if the boxes
 * of each bone's weights, moved with the bone, are inside the frame's box. If some are not, the
 * weights of these bones are checked; and only vertices with a weight outside are placed
 * exactly. */
#include "frame_boxes.h"
#include "compare.h"
#include "parsers/core/allocate.h"
#include "parsers/core/exact.h"
#include "parsers/play/skin.h"
#include "parsers/play/skin_weight.h"

#include <string.h>

/* A box, given by its middle and how far it extends from there. */
typedef struct hull {
    uint32_t owner; /* its bone, or where its weights end in a list */
    double middle[3], half[3];
} hull;

enum { RUN = 16 };

typedef struct search {
    const m5_skin *skin;
    const m5_boxed_frames *frames;
    double limit; /* as a share of the diagonal */
    uint64_t *budget;
    m5_box *parts;     /* of each bone, in its own space */
    m5_box *moved;     /* the same in the current frame */
    m5_matrix *bones;  /* in the current frame */
    uint32_t *by_bone; /* weights with a bias, ordered by bone */
    hull *runs;        /* boxes around a few of these at a time */
    uint32_t *end;     /* where the runs of each bone end */
    uint8_t *bone_out, *weight_out;
    m5_frame_boxes *found;
    double largest; /* the diagonal of the largest box */
} search;

/* A box that is a smaller share of the mesh than this is a placeholder for an unknown box. */
static const double PLACEHOLDER = 1e-3;

/* The smallest limit, because of rounding; hulls are compared with a slightly smaller limit. */
static const double LEAST_SHARE = 1e-4, ROUNDING = 0.999;

static bool is_empty(const m5_box *box)
{
    return !(box->min[0] <= box->max[0]);
}

static void spend(search *s, uint64_t work)
{
    *s->budget -= work < *s->budget ? work : *s->budget;
}

/* Faster than fmax, which is a call and handles NaN. */
static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* Returns how far a point is outside a box, on the axis where it is farthest; 0 or less if it is
 * inside. */
static double beyond(const m5_box *box, m5_vec p)
{
    double x = larger(box->min[0] - p.x, p.x - box->max[0]);
    double y = larger(box->min[1] - p.y, p.y - box->max[1]);
    double z = larger(box->min[2] - p.z, p.z - box->max[2]);
    return larger(x, larger(y, z));
}

static double reach(const m5_box *box, const m5_box *part)
{
    double most = -HUGE_VAL;
    for (int k = 0; k < 3; k++)
        most = larger(most, larger(box->min[k] - part->min[k], part->max[k] - box->max[k]));
    return most;
}

static hull hull_of(uint32_t owner, const m5_box *box)
{
    hull h = {.owner = owner};
    for (int k = 0; k < 3; k++) {
        h.middle[k] = (box->min[k] + box->max[k]) / 2;
        h.half[k] = (box->max[k] - box->min[k]) / 2;
    }
    return h;
}

/* Whether a hull, moved with its bone, is outside a box by no more than `most`. */
static bool stays(const hull *h, const m5_matrix *bone, const m5_box *box, double most)
{
    bool in = true;
    for (int i = 0; i < 3; i++) {
        const double *m = bone->row[i];
        double middle = m[0] * h->middle[0] + m[1] * h->middle[1] + m[2] * h->middle[2] + m[3];
        double half = fabs(m[0]) * h->half[0] + fabs(m[1]) * h->half[1] + fabs(m[2]) * h->half[2];
        in &= middle - half >= box->min[i] - most && middle + half <= box->max[i] + most;
    }
    return in;
}

/* ---- What could be outside ------------------------------------------------------------------- */

/* Marks bones whose weights may be out. */
static bool mark_bones(search *s, const m5_box *box, double limit)
{
    bool any = false;
    for (uint32_t i = 0; i < s->skin->num_bones; i++) {
        s->bone_out[i] = !is_empty(&s->parts[i]) &&
                         (s->frames->plain || reach(box, &s->moved[i]) > limit);
        any |= s->bone_out[i];
    }
    return any;
}

static bool mark_run(search *s, uint32_t begin, uint32_t end, const m5_box *box, double limit)
{
    bool any = false;
    for (uint32_t i = begin; i < end; i++) {
        const m5_skin_weight *w = &s->skin->weights[s->by_bone[i]];
        bool out = beyond(box, m5_skin_weight_position(w, s->bones)) > limit;
        s->weight_out[s->by_bone[i]] = out;
        any |= out;
    }
    return any;
}

static bool mark_weights(search *s, const m5_box *box, double limit)
{
    bool any = false;
    memset(s->weight_out, 0, s->skin->num_weights);
    for (uint32_t bone = 0, i = 0; bone < s->skin->num_bones; i = s->end[bone++])
        for (; s->bone_out[bone] && i < s->end[bone]; i++)
            if (s->frames->plain || !stays(&s->runs[i], &s->bones[bone], box, ROUNDING * limit))
                any |= mark_run(s, i > 0 ? s->runs[i - 1].owner : 0, s->runs[i].owner, box, limit);
    spend(s, s->skin->num_weights);
    return any;
}

static void sort_by_bone(search *s)
{
    const m5_skin *skin = s->skin;
    memset(s->end, 0, skin->num_bones * sizeof *s->end);
    for (uint32_t i = 0; i < skin->num_weights; i++)
        s->end[skin->weights[i].bone] += skin->weights[i].bias != 0;
    for (uint32_t i = 0, sum = 0, count; i < skin->num_bones; i++, sum += count) {
        count = s->end[i];
        s->end[i] = sum;
    }
    for (uint32_t i = 0; i < skin->num_weights; i++)
        if (skin->weights[i].bias != 0)
            s->by_bone[s->end[skin->weights[i].bone]++] = i;
}

/* Weights that follow each other in a file are usually close together. */
static void make_runs(search *s)
{
    uint32_t runs = 0, at = 0;
    sort_by_bone(s);
    for (uint32_t bone = 0; bone < s->skin->num_bones; bone++) {
        uint32_t end = s->end[bone];
        while (at < end) {
            m5_box box = m5_box_empty();
            for (uint32_t stop = end - at > RUN ? at + RUN : end; at < stop; at++)
                m5_box_add(&box, m5_vec_of(s->skin->weights[s->by_bone[at]].pos));
            s->runs[runs++] = hull_of(at, &box);
        }
        s->end[bone] = runs;
    }
}

static bool may_be_out(const search *s, uint32_t vert)
{
    const m5_skin_vertex *v = &s->skin->verts[vert];
    return memchr(s->weight_out + v->start, 1, v->count) != NULL;
}

/* ---- What is outside ------------------------------------------------------------------------- */

static m5_vec place(search *s, uint32_t vert)
{
    spend(s, s->skin->verts[vert].count);
    return m5_skin_position(s->skin, vert, s->bones);
}

static void note_stray(m5_stray *stray, uint32_t vert, const m5_box *box, m5_vec p)
{
    const double at[3] = {p.x, p.y, p.z};
    for (int k = 0; k < 3; k++) {
        bool above = at[k] > box->max[k];
        double by = above ? at[k] - box->max[k] : box->min[k] - at[k];
        if (!(by > stray->by))
            continue;
        stray->vert = vert;
        stray->axis = k;
        stray->above = above;
        stray->at = at[k];
        stray->by = by;
    }
}

static bool is_past(const m5_box *box, int side, m5_vec p)
{
    const double at[3] = {p.x, p.y, p.z};
    return side < 3 ? at[side] < box->min[side] : at[side - 3] > box->max[side - 3];
}

/* Whether all vertices are past one side. Usually the first vertex is not. */
static bool all_past(search *s, const m5_box *box, int side)
{
    for (uint32_t i = 0; i < s->skin->num_verts && *s->budget != 0; i++)
        if (s->skin->verts[i].count != 0 && !is_past(box, side, place(s, i)))
            return false;
    return *s->budget != 0;
}

static bool is_disjoint(search *s, const m5_box *box)
{
    for (int side = 0; side < 6; side++)
        if (all_past(s, box, side))
            return true;
    return false;
}

static bool is_worse(const m5_stray *a, const m5_stray *b)
{
    return a->disjoint != b->disjoint ? a->disjoint : a->share > b->share;
}

bool m5_frame_boxes_are_worse(const m5_frame_boxes *a, const m5_frame_boxes *b)
{
    return a->outside != 0 && (b->outside == 0 || is_worse(&a->worst, &b->worst));
}

static void place_exactly(search *s, uint32_t frame, const m5_box *box, double limit)
{
    m5_stray stray = {.frame = frame};
    for (uint32_t i = 0; i < s->skin->num_verts && *s->budget != 0; i++) {
        spend(s, s->skin->verts[i].count);
        if (may_be_out(s, i))
            note_stray(&stray, i, box, place(s, i));
    }
    if (!(stray.by > limit))
        return;
    stray.share = stray.by / m5_box_diagonal(box);
    stray.disjoint = is_disjoint(s, box);
    s->found->disjoint += stray.disjoint;
    if (s->frames->outside != NULL)
        s->frames->outside[frame] = 1;
    if (s->found->outside++ == 0 || is_worse(&stray, &s->found->worst))
        s->found->worst = stray;
}

/* ---- Frames ---------------------------------------------------------------------------------- */

/* Returns a box that contains the mesh in the current frame. */
static m5_box reach_of(search *s)
{
    m5_box all = m5_box_empty();
    for (uint32_t i = 0; i < s->skin->num_bones; i++) {
        if (is_empty(&s->parts[i]))
            continue;
        s->moved[i] = m5_box_moved(&s->parts[i], &s->bones[i]);
        m5_box_join(&all, &s->moved[i]);
    }
    spend(s, s->skin->num_bones);
    return all;
}

/* Most of the mesh is far outside of a placeholder. If only a few bones are outside, it is these
 * bones that make the box look small. */
static bool is_placeholder(const search *s, const m5_box *box, const m5_box *all)
{
    uint32_t there = 0, far = 0;
    if (m5_box_diagonal(box) >= PLACEHOLDER * m5_box_diagonal(all))
        return false;
    for (uint32_t i = 0; i < s->skin->num_bones; i++) {
        there += !is_empty(&s->parts[i]);
        far += !is_empty(&s->parts[i]) && reach(box, &s->moved[i]) > m5_box_diagonal(box);
    }
    return far > there / 2;
}

static void look(search *s, uint32_t frame, const m5_box *box)
{
    double limit = s->limit * m5_box_diagonal(box);
    s->frames->pose(s->frames->context, frame, s->bones);
    spend(s, s->skin->num_bones);
    m5_box all = reach_of(s);
    if (is_empty(&all) || is_placeholder(s, box, &all)) {
        s->found->boxed--;
        return;
    }
    m5_box_join(&s->found->reach, &all);
    m5_box_join(&s->found->boxes, box);
    if (m5_box_diagonal(box) > s->largest) {
        s->largest = m5_box_diagonal(box);
        s->found->largest = frame;
    }
    s->found->seen++;
    if (mark_bones(s, box, limit) && mark_weights(s, box, limit))
        place_exactly(s, frame, box, limit);
}

/* Reverses the bits of a number below 2^bits: the first n numbers become numbers that are spread
 * evenly, for any n. */
static uint32_t spread(uint32_t number, int bits)
{
    uint32_t out = 0;
    for (int i = 0; i < bits; i++)
        out |= (number >> i & 1) << (bits - 1 - i);
    return out;
}

static void look_at_all(search *s)
{
    int bits = 0;
    while (bits < 31 && (uint32_t)1 << bits < s->frames->count)
        bits++;
    for (uint32_t i = 0; i < (uint32_t)1 << bits; i++) {
        m5_box box;
        uint32_t frame = spread(i, bits);
        if (frame >= s->frames->count || !s->frames->box(s->frames->context, frame, &box))
            continue;
        s->found->boxed++;
        if (*s->budget != 0)
            look(s, frame, &box);
    }
}

/* Finds the mesh's box in the worst frame: the box that would fit. */
static void fit_worst(search *s)
{
    s->frames->pose(s->frames->context, s->found->worst.frame, s->bones);
    for (uint32_t i = 0; i < s->skin->num_verts; i++)
        if (s->skin->verts[i].count != 0)
            m5_box_add(&s->found->fit, m5_skin_position(s->skin, i, s->bones));
}

bool m5_frame_boxes_find(const m5_skin *skin, const m5_boxed_frames *frames, double limit,
                         uint64_t *budget, m5_arena *arena, m5_frame_boxes *out)
{
    size_t mark = arena->used;
    search s = {.skin = skin,
                .frames = frames,
                .limit = fmax(limit, LEAST_SHARE),
                .budget = budget,
                .found = out,
                .parts = m5_arena_take(arena, skin->num_bones, sizeof *s.parts),
                .moved = m5_arena_take(arena, skin->num_bones, sizeof *s.moved),
                .bones = m5_arena_take(arena, skin->num_bones, sizeof *s.bones),
                .by_bone = m5_arena_take(arena, skin->num_weights, sizeof *s.by_bone),
                .runs = m5_arena_take(arena, (size_t)skin->num_weights / RUN + skin->num_bones,
                                      sizeof *s.runs),
                .end = m5_arena_take(arena, skin->num_bones, sizeof *s.end),
                .bone_out = m5_arena_take(arena, skin->num_bones, 1),
                .weight_out = m5_arena_take(arena, skin->num_weights, 1)};
    *out = (m5_frame_boxes){
        .fit = m5_box_empty(), .boxes = m5_box_empty(), .reach = m5_box_empty()};
    bool room = s.parts != NULL && s.moved != NULL && s.bones != NULL && s.by_bone != NULL &&
                s.runs != NULL && s.end != NULL && s.bone_out != NULL && s.weight_out != NULL;
    if (room) {
        make_runs(&s);
        m5_skin_boxes(skin, s.parts);
        look_at_all(&s);
        if (out->outside != 0)
            fit_worst(&s);
    }
    m5_arena_release(arena, mark);
    return room;
}

/* ---- Nothing outside ------------------------------------------------------------------------- */

static uint32_t list_hulls(const m5_box *parts, uint32_t count, hull *out)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i++)
        if (!is_empty(&parts[i]))
            out[n++] = hull_of(i, &parts[i]);
    return n;
}

static bool all_stay(const hull *hulls, uint32_t count, const m5_boxed_frames *frames, double limit,
                     m5_matrix *bones)
{
    m5_box box;
    for (uint32_t f = 0; f < frames->count; f++) {
        if (!frames->box(frames->context, f, &box))
            continue;
        double most = ROUNDING * limit * m5_box_diagonal(&box);
        bool any_inside = count == 0;
        frames->pose(frames->context, f, bones);
        for (uint32_t i = 0; i < count; i++) {
            const m5_matrix *bone = &bones[hulls[i].owner];
            if (!stays(&hulls[i], bone, &box, most))
                return false;
            any_inside = any_inside || stays(&hulls[i], bone, &box, 0);
        }
        if (!any_inside)
            return false;
    }
    return true;
}

bool m5_frame_boxes_hold(const m5_box *parts, uint32_t num_bones, const m5_boxed_frames *frames,
                         double limit, uint64_t budget, m5_arena *arena)
{
    size_t mark = arena->used;
    hull *hulls = m5_arena_take(arena, num_bones, sizeof *hulls);
    m5_matrix *bones = m5_arena_take(arena, num_bones, sizeof *bones);
    bool holds = false;
    if (!frames->plain && hulls != NULL && bones != NULL &&
        (uint64_t)frames->count * num_bones <= budget)
        holds = all_stay(hulls, list_hulls(parts, num_bones, hulls), frames,
                         fmax(limit, LEAST_SHARE), bones);
    m5_arena_release(arena, mark);
    return holds;
}

/* ---- Biases ---------------------------------------------------------------------------------- */

enum { ADD_AT_MOST = 32 }; /* vertices may share weights; no working model has more on one vertex */

static bool holds(const m5_skin *skin, const m5_skin_vertex *v)
{
    double sum = 0, least = 0;
    if (v->count > ADD_AT_MOST)
        return false;
    for (uint32_t k = v->start; k < v->start + v->count; k++) {
        double bias = (double)skin->weights[k].bias;
        sum += bias;
        least = bias < least ? bias : least;
    }
    return m5_biases_hold(sum, least);
}

bool m5_skin_biases_hold(const m5_skin *skin, uint32_t vert)
{
    return holds(skin, &skin->verts[vert]);
}

void m5_frame_boxes_choose(const m5_skin *skin, uint8_t *used)
{
    for (uint32_t i = 0; i < skin->num_verts; i++)
        used[i] &= holds(skin, &skin->verts[i]);
}

bool m5_skin_leave_out(m5_skin *skin, const uint8_t *used, m5_arena *arena)
{
    size_t mark = arena->used;
    int32_t *users = m5_arena_take(arena, (size_t)skin->num_weights + 1, sizeof *users);
    if (users == NULL)
        return false;
    /* how many ranges begin at a weight, minus how many end there */
    memset(users, 0, ((size_t)skin->num_weights + 1) * sizeof *users);
    for (uint32_t i = 0; i < skin->num_verts; i++) {
        if (!used[i])
            skin->verts[i].count = 0;
        users[skin->verts[i].start]++;
        users[skin->verts[i].start + skin->verts[i].count]--;
    }
    int32_t now = 0;
    for (uint32_t i = 0; i < skin->num_weights; i++)
        if ((now += users[i]) == 0)
            skin->weights[i].bias = 0;
    m5_arena_release(arena, mark);
    return true;
}
