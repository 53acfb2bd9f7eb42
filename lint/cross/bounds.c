/* Compares an animation's bounding boxes with the mesh that moves in them. */
#include "cross.h"
#include "lint/common/frame_boxes.h"
#include "lint/common/parts.h"
#include "lint/core/check.h"
#include "lint/geometry/frame_boxes.h"
#include "lint/md5/checks.h"
#include "parsers/core/allocate.h"
#include "parsers/core/emit.h"
#include "parsers/play/algebra.h"
#include "parsers/play/pose.h"

#include <string.h>

/* Tokens of  ( x y z ) ( x y z )  and of  vert number ( s t ) start count */
enum { BOUNDS_LAST = 9, VERT_LAST = 7, CAUSE_SHOWN = 200 };

typedef struct boxes {
    const m5_lint_file *file;
    const m5_md5anim *anim; /* in it */
    bool one_corner;        /* some box has the one-corner bug, see m5_check_is_one_corner */
    m5_transform *joints;   /* in the current frame */
    uint32_t slip;          /* frames before it have the box of their own number, the others ... */
    int by;                 /* ... that of the next (1) or the last (-1) number, and it has none */
} boxes;

/* The number of a frame's box; M5_NO_INDEX if it has none. */
static uint32_t box_number(const boxes *b, uint32_t frame)
{
    uint32_t number = frame;
    if (frame >= b->slip)
        number = frame == b->slip && b->by < 0 ? M5_NO_INDEX : frame + (uint32_t)b->by;
    return number < b->anim->num_bounds ? number : M5_NO_INDEX;
}

/* False for a box that another rule reports: of a frame that is wrong, of zero size, with one
 * corner, or with a minimum above its maximum. */
static bool box_of(const void *context, uint32_t frame, m5_box *out)
{
    const boxes *b = context;
    uint32_t number = box_number(b, frame);
    if (number == M5_NO_INDEX)
        return false;
    const m5_md5anim_bounds *bounds = &b->anim->bounds[number];
    if (m5_check_is_odd_frame(b->file, frame) || m5_check_is_point(bounds) ||
        m5_check_is_odd_box(b->file, frame) || (b->one_corner && m5_check_is_one_corner(bounds)))
        return false;
    *out = m5_box_of(bounds->min, bounds->max);
    return out->min[0] <= out->max[0] && out->min[1] <= out->max[1] && out->min[2] <= out->max[2];
}

static void pose(const void *context, uint32_t frame, m5_matrix *bones)
{
    const boxes *b = context;
    m5_md5anim_pose(b->anim, frame, b->joints);
    for (uint32_t i = 0; i < b->anim->num_joints; i++)
        bones[i] = m5_matrix_of(&b->joints[i]);
}

/* ---- Messages -------------------------------------------------------------------------------- */

static m5_diag at_box(const m5_lint_file *f, const m5_rule *rule, uint32_t number)
{
    m5_diag d = m5_check_at_record(f, rule, f->model.md5anim->bounds[number].offset, BOUNDS_LAST);
    d.path = m5_path1("bounds", number);
    return d;
}

/* The largest distance between the same side of two boxes. */
static double apart(const m5_box *a, const m5_box *b)
{
    double most = 0;
    for (int k = 0; k < 3; k++)
        most = fmax(most, fmax(fabs(a->min[k] - b->min[k]), fabs(a->max[k] - b->max[k])));
    return most;
}

/* Whether `one` explains a box much better than `fit` does, which is the mesh's own box. */
static bool explains(const m5_box *box, const m5_box *one, const m5_box *fit)
{
    return apart(box, one) <= m5_box_diagonal(fit) / 20 && apart(box, one) < apart(box, fit) / 4;
}

/* Why the box of a frame is wrong, if comparing it with the mesh's own box shows this: three bugs
 * of exporters, all seen in real files. `root` is where the first joint is. */
static const char *explain(const m5_md5anim_bounds *bounds, const m5_box *box, const m5_box *fit,
                           m5_vec root)
{
    const double from[3] = {root.x, root.y, root.z};
    m5_box still = *fit, sum = *fit;
    for (int k = 0; k < 3; k++) {
        still.min[k] -= from[k];
        still.max[k] -= from[k];
    }
    sum.min[1] += fit->min[2];
    sum.max[1] += fit->max[2];
    if (m5_check_is_one_corner(bounds))
        return " (its minimum repeats max.x: a known bug of one exporter)";
    if (explains(box, &sum, fit))
        return " (z seems to be added to its y: a known bug of one exporter)";
    return explains(box, &still, fit) ? " (it would fit the mesh with the root at 0 0 0)" : "";
}

/* The boxes may be right, if the mesh was found to be wrong: scaled or rotated without its joints,
 * or with a joint elsewhere. */
static void say_misfit(m5_lint_file *f, const m5_frame_boxes *e, m5_diag *d, const char *cause)
{
    static const double note = 0.05;
    m5_emit(&f->report, d, fmin(note, e->worst.share),
            "frame %u: the mesh is outside the bounding box (%u of %u frames); the cause may be "
            "that %s",
            e->worst.frame, e->outside, e->seen, cause);
}

/* How far outside of a box, in diagonals, the mesh must be to be reported. */
static double least_outside(const m5_lint_file *f)
{
    return m5_check_least(f, M5_LINT_ROW(cross_bounds_mesh));
}

/* Advice where a jump is the cause. Then there is no fix. */
static const char box_may_be_right[] =
    "correct the value where the joint jumps; if the jump is meant, let the exporter compute the "
    "box of this frame again";

static void say_outside(const m5_lint_file *mesh_file, m5_lint_file *f, const boxes *b,
                        const m5_frame_boxes *e, m5_arena *room)
{
    const m5_md5mesh *m = mesh_file->model.md5mesh;
    uint32_t frame = e->worst.frame, vert = e->worst.vert, mesh = 0;
    for (; vert >= m->meshes[mesh].num_verts; mesh++)
        vert -= m->meshes[mesh].num_verts;
    uint32_t offset = m->meshes[mesh].verts[vert].offset;
    uint32_t number = box_number(b, frame);
    const m5_md5anim_bounds *bounds = &b->anim->bounds[number];
    m5_box box = m5_box_of(bounds->min, bounds->max);
    m5_vec root = m5_md5anim_local(f->model.md5anim, frame, 0).pos; /* joint 0 has no parent */
    m5_diag d = at_box(f, M5_LINT_ROW(cross_bounds_mesh), number);
    m5_relate(&d, &mesh_file->source, m5_check_at_record(mesh_file, NULL, offset, VERT_LAST).at,
              "the vertex");
    char cause[CAUSE_SHOWN];
    if (mesh_file->misfit || mesh_file->misplaced != NULL) {
        say_misfit(f, e, &d,
                   mesh_file->misfit ? "the mesh does not fit its own joints"
                                     : "a joint of the mesh is not where it should be");
        return;
    }
    double limit = least_outside(f) * m5_box_diagonal(&box);
    m5_box_stray stray = {
        mesh_file, f, frame, mesh, vert, e->worst.by, m5_box_diagonal(&e->fit), box, limit, room};
    m5_frame_boxes shown = *e;
    const char *why = cause;
    if (!m5_check_can_skin(mesh_file->model.md5mesh))
        shown.fit = m5_box_empty(); /* which may not hold all vertices */
    if (e->outside <= m5_check_count_jumps(f) &&
        m5_check_is_by_jump(&stray, &d, cause, sizeof cause)) {
        d.fix = box_may_be_right;
        shown.fit = m5_box_empty(); /* which would hold the jump */
    } else if (*(why = explain(bounds, &box, &e->fit, root)) == '\0') {
        m5_check_box_cause(&stray, &d, cause, sizeof cause);
        why = cause;
    }
    m5_frame_boxes_say(&shown, &f->report, &d, vert, "mesh", mesh, why);
}

/* ---- When ------------------------------------------------------------------------------------ */

/* An animation and its boxes, and how much work on them is still allowed. */
typedef struct look {
    const m5_same_rig *others;
    m5_lint_file *mesh, *f;
    boxes boxes;
    m5_boxed_frames frames; /* with `boxes` as their context */
    uint64_t budget;
    m5_arena *scratch; /* NULL: use each mesh's own arena */
} look;

static m5_arena *room_of(const look *l, m5_lint_file *mesh)
{
    return l->scratch != NULL ? l->scratch : &mesh->arena;
}

/* Another mesh that the animation may be for as well. */
static m5_lint_file *other_of(const look *l, uint32_t i)
{
    return l->others->files[l->others->list[i]];
}

/* Whether a mesh belongs to the same character, which may consist of several files with one bind
 * pose. */
static bool is_of_character(const look *l, const m5_lint_file *other)
{
    return other == l->mesh || (other != NULL && other->model.md5mesh != NULL &&
                                other->model.md5mesh->joints_whole && m5_check_fits(other, l->f) &&
                                m5_check_same_bind(other->model.md5mesh, l->mesh->model.md5mesh));
}

/* A quick test that saves most of the work: whether the box of each frame surely holds all meshes,
 * since it holds the box of each joint's vertices. */
static bool holds(const look *l)
{
    m5_arena *room = room_of(l, l->mesh);
    uint32_t joints = l->mesh->model.md5mesh->num_joints;
    double limit = m5_check_least_shown(l->f, M5_LINT_ROW(cross_bounds_mesh));
    size_t mark = room->used;
    m5_box *parts = m5_arena_take(room, joints, sizeof *parts);
    bool holds = parts != NULL && !m5_check_wanted(l->f, M5_LINT_ROW(cross_bounds_loose));
    for (uint32_t i = 0; holds && i < joints; i++)
        parts[i] = m5_box_empty();
    for (uint32_t i = 0; holds && i <= l->others->count; i++) {
        const m5_lint_file *mesh = i == 0 ? l->mesh : other_of(l, i - 1);
        if ((i != 0 && mesh == l->mesh) || !is_of_character(l, mesh))
            continue;
        holds = mesh->parts != NULL;
        for (uint32_t k = 0; holds && k < joints; k++)
            m5_box_join(&parts[k], &mesh->parts[k]);
    }
    holds = holds && m5_frame_boxes_hold(parts, joints, &l->frames, limit, l->budget, room);
    m5_arena_release(room, mark);
    return holds;
}

/* False if this mesh cannot be measured: it is not whole, a vertex is far away, or the budget is
 * used up. It may use an equal share of what those after it need too. */
static bool measure(look *l, m5_lint_file *mesh, uint32_t left, m5_frame_boxes *found)
{
    m5_arena *room = room_of(l, mesh);
    size_t mark = room->used;
    m5_skin skin;
    uint64_t share = l->budget / left, rest = l->budget - share;
    bool done = share != 0 && !mesh->far && m5_check_can_place(mesh->model.md5mesh) &&
                m5_check_make_skin(mesh->model.md5mesh, room, &skin) &&
                m5_frame_boxes_find(&skin, &l->frames, least_outside(l->f), &share, room, found);
    m5_arena_release(room, mark);
    l->budget = rest + share;
    return done;
}

/* The boxes should hold each mesh; they are only loose if they are loose around all of them. */
static void measure_all(look *l)
{
    m5_frame_boxes worst = {.reach = m5_box_empty()};
    m5_lint_file *worst_mesh = NULL;
    bool all = true;
    for (uint32_t i = 0; i <= l->others->count; i++) { /* its own first */
        m5_lint_file *mesh = i == 0 ? l->mesh : other_of(l, i - 1);
        m5_frame_boxes found;
        if ((i != 0 && mesh == l->mesh) || !is_of_character(l, mesh))
            continue;
        if (!measure(l, mesh, l->others->count + 1 - i, &found)) {
            all = false;
            continue;
        }
        all &= (i == 0 || found.seen == found.boxed) && m5_check_can_skin(mesh->model.md5mesh);
        m5_box_join(&found.reach, &worst.reach);
        bool is_worst = worst_mesh == NULL || m5_frame_boxes_are_worse(&found, &worst);
        worst.reach = found.reach;
        worst_mesh = is_worst ? mesh : worst_mesh;
        worst = is_worst ? found : worst;
    }
    if (worst.outside != 0) {
        say_outside(worst_mesh, l->f, &l->boxes, &worst, room_of(l, worst_mesh));
    } else if (all && worst.seen != 0) {
        uint32_t number = box_number(&l->boxes, worst.largest);
        m5_diag loose = at_box(l->f, M5_LINT_ROW(cross_bounds_loose), number);
        m5_frame_boxes_say_loose(&worst, &l->f->report, &loose);
    }
}

/* ---- One box too many, or too few ------------------------------------------------------------ */

/* Marks each frame in which something is outside of the box. False if this was not found out. */
static bool mark_outside(look *l, uint32_t slip, uint32_t left, uint8_t *outside)
{
    m5_frame_boxes found;
    l->boxes.slip = slip;
    l->frames.outside = outside;
    bool done = measure(l, l->mesh, left, &found) && found.seen == found.boxed;
    l->frames.outside = NULL;
    return done;
}

static bool are_same(const m5_md5anim *m, uint32_t box, uint32_t other)
{
    const m5_md5anim_bounds *a = &m->bounds[box], *b = &m->bounds[other];
    return m5_check_are_equal(a->min, b->min, 3) && m5_check_are_equal(a->max, b->max, 3);
}

/* How unlikely it is that a box is the extra one, as a number of frames: mostly it is the copy of
 * one beside it, or the last. */
static uint32_t unlikeliness(const boxes *b, uint32_t box)
{
    const m5_md5anim *m = b->anim;
    bool last = box + 1 == m->num_bounds;
    if (b->by < 0 || (box != 0 && are_same(m, box, box - 1)) ||
        (!last && are_same(m, box, box + 1)))
        return 0;
    return last ? 1 : 3;
}

/* The frame from which on the boxes have slipped: so that the mesh is outside of the fewest. */
static void choose_slip(boxes *b, const uint8_t *before, const uint8_t *behind)
{
    uint32_t frames = b->anim->num_frames, gap = b->by < 0, least = UINT32_MAX, outside = 0;
    for (uint32_t i = gap; i < frames; i++)
        outside += behind[i];
    for (uint32_t i = 0; i + gap <= frames; i++) {
        uint32_t cost = outside + unlikeliness(b, i);
        b->slip = cost < least ? i : b->slip;
        least = cost < least ? cost : least;
        outside += i < frames ? before[i] : 0;
        outside -= i + gap < frames ? behind[i + gap] : 0;
    }
}

static bool find_slip(look *l)
{
    const m5_md5anim *anim = l->boxes.anim;
    m5_arena *room = room_of(l, l->mesh);
    size_t mark = room->used, frames = anim->num_frames;
    uint8_t *outside = m5_arena_take(room, 2 * frames, 1);
    bool by_one = anim->num_bounds == frames + 1 || anim->num_bounds + 1 == frames;
    l->boxes.by = anim->num_bounds > frames ? 1 : -1;
    if (!by_one || outside == NULL || l->boxes.joints == NULL)
        return false;
    memset(outside, 0, 2 * frames);
    bool found = mark_outside(l, anim->num_frames, 3, outside) &&
                 mark_outside(l, 0, 2, outside + frames);
    if (found)
        choose_slip(&l->boxes, outside, outside + frames);
    m5_arena_release(room, mark);
    return found;
}

/* ---- All together ---------------------------------------------------------------------------- */

void m5_check_cross_bounds(const m5_same_rig *others, m5_lint_file *mesh, m5_lint_file *f,
                           m5_arena *scratch)
{
    const m5_md5anim *anim = f->model.md5anim;
    uint64_t budget = m5_check_budget(f, f->source.size);
    look l = {.others = others, .mesh = mesh, .f = f, .budget = budget, .scratch = scratch};
    m5_arena *room = room_of(&l, mesh);
    size_t mark = room->used;
    l.boxes = (boxes){.file = f,
                      .anim = anim,
                      .one_corner = m5_check_first_corner(anim) != M5_NO_INDEX,
                      .joints = m5_arena_take(room, anim->num_joints, sizeof *l.boxes.joints),
                      .slip = anim->num_frames};
    l.frames = (m5_boxed_frames){.context = &l.boxes,
                                 .count = anim->num_frames,
                                 .box = box_of,
                                 .pose = pose,
                                 .plain = m5_settings_of(&f->report)->plain};
    if (mesh->model.md5mesh->num_meshes != 0 && !m5_check_can_place(mesh->model.md5mesh))
        m5_check_skip(f, M5_SKIPPED_BOXED_MESH);
    if (!anim->bounds_in_place && !find_slip(&l))
        m5_check_skip(f, M5_SKIPPED_BOXES);
    else if (l.boxes.joints != NULL && !(anim->bounds_in_place && holds(&l)))
        measure_all(&l);
    m5_arena_release(room, mark);
}
