/* A vertex lies between the places that its weights have for it. So a frame is settled by the
 * boxes of each bone's weights if these, where the bone is, reach out of the frame's box
 * nowhere; if not, by the weights of those bones that do; and only vertices with such a weight
 * outside are placed exactly. */
#include "envelope.h"

#include <stdarg.h>
#include <string.h>

typedef struct search {
    const m5_skin *skin;
    const m5_boxed_frames *frames;
    double limit; /* a share of the diagonal */
    uint64_t *budget;
    m5_box *parts;    /* of each bone, in its own space */
    m5_box *moved;    /* ... and in the frame at hand */
    m5_matrix *bones; /* in the frame at hand */
    uint8_t *bone_out, *weight_out;
    m5_envelope *found;
    double largest; /* the diagonal of the largest box */
} search;

/* A box that is so small a share of the mesh is filled in for one that is not known. */
static const double PLACEHOLDER = 1e-3;

/* What rounding makes of a share. */
static const double LEAST_SHARE = 1e-4;

static bool is_empty(const m5_box *box)
{
    return !(box->min[0] <= box->max[0]);
}

static void spend(search *s, uint64_t work)
{
    *s->budget -= work < *s->budget ? work : *s->budget;
}

/* Not fmax, which is a call, and has NaN to think of. */
static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* How far a point is outside a box, on the axis where it is most; at most 0 if it is inside. */
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

/* ---- What could be out ----------------------------------------------------------------------- */

/* Marks bones whose weights may be out. */
static bool mark_bones(search *s, const m5_box *box, double limit)
{
    bool any = false;
    for (uint32_t i = 0; i < s->skin->num_bones; i++) {
        s->bone_out[i] = !is_empty(&s->parts[i]) && reach(box, &s->moved[i]) > limit;
        any |= s->bone_out[i];
    }
    return any;
}

static bool mark_weights(search *s, const m5_box *box, double limit)
{
    bool any = false;
    for (uint32_t i = 0; i < s->skin->num_weights; i++) {
        const m5_skin_weight *w = &s->skin->weights[i];
        s->weight_out[i] = 0;
        if (!s->bone_out[w->bone] || w->bias == 0)
            continue;
        s->weight_out[i] = beyond(box, m5_skin_place_weight(w, s->bones)) > limit;
        any |= s->weight_out[i];
    }
    spend(s, s->skin->num_weights);
    return any;
}

static bool may_be_out(const search *s, uint32_t vert)
{
    const m5_skin_vert *v = &s->skin->verts[vert];
    return memchr(s->weight_out + v->start, 1, v->count) != NULL;
}

/* ---- What is --------------------------------------------------------------------------------- */

static m5_vec place(search *s, uint32_t vert)
{
    spend(s, s->skin->verts[vert].count);
    return m5_skin_place(s->skin, vert, s->bones);
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

/* Whether all vertices are past one side. The first one mostly is not. */
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

bool m5_envelope_is_worse(const m5_envelope *a, const m5_envelope *b)
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
    if (s->found->outside++ == 0 || is_worse(&stray, &s->found->worst))
        s->found->worst = stray;
}

/* ---- Frames ---------------------------------------------------------------------------------- */

/* Where the mesh can be in the frame at hand. */
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

static void look(search *s, uint32_t frame, const m5_box *box)
{
    double limit = s->limit * m5_box_diagonal(box);
    s->frames->pose(s->frames->context, frame, s->bones);
    spend(s, s->skin->num_bones);
    m5_box all = reach_of(s);
    if (is_empty(&all) || m5_box_diagonal(box) < PLACEHOLDER * m5_box_diagonal(&all)) {
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

/* The bits of a number below 2^bits from the last to the first: 0 1 2 3 4 ... become numbers
 * that are spread evenly, however many of them are taken. */
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

/* The mesh's box in the worst frame: what would fit. */
static void fit_worst(search *s)
{
    s->frames->pose(s->frames->context, s->found->worst.frame, s->bones);
    for (uint32_t i = 0; i < s->skin->num_verts; i++)
        if (s->skin->verts[i].count != 0)
            m5_box_add(&s->found->fit, m5_skin_place(s->skin, i, s->bones));
}

bool m5_envelope_find(const m5_skin *skin, const m5_boxed_frames *frames, double limit,
                      uint64_t *budget, m5_arena *arena, m5_envelope *out)
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
                .bone_out = m5_arena_take(arena, skin->num_bones, 1),
                .weight_out = m5_arena_take(arena, skin->num_weights, 1)};
    *out = (m5_envelope){.fit = m5_box_empty(), .boxes = m5_box_empty(), .reach = m5_box_empty()};
    bool room = s.parts != NULL && s.moved != NULL && s.bones != NULL && s.bone_out != NULL &&
                s.weight_out != NULL;
    if (room) {
        m5_skin_boxes(skin, s.parts);
        look_at_all(&s);
        if (out->outside != 0)
            fit_worst(&s);
    }
    m5_arena_release(arena, mark);
    return room;
}

/* ---- Where all is well ----------------------------------------------------------------------- */

/* A box by its middle, and how far it goes from there. */
typedef struct hull {
    uint32_t bone;
    double middle[3], half[3];
} hull;

static uint32_t list_hulls(const m5_box *boxes, uint32_t count, hull *out)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (is_empty(&boxes[i]))
            continue;
        out[n].bone = i;
        for (int k = 0; k < 3; k++) {
            out[n].middle[k] = (boxes[i].min[k] + boxes[i].max[k]) / 2;
            out[n].half[k] = (boxes[i].max[k] - boxes[i].min[k]) / 2;
        }
        n++;
    }
    return n;
}

/* Whether it stays in the box, but for so much, where the bone is. */
static bool stays(const hull *p, const m5_matrix *bone, const m5_box *box, double most)
{
    bool in = true;
    for (int i = 0; i < 3; i++) {
        const double *m = bone->row[i];
        double middle = m[0] * p->middle[0] + m[1] * p->middle[1] + m[2] * p->middle[2] + m[3];
        double half = fabs(m[0]) * p->half[0] + fabs(m[1]) * p->half[1] + fabs(m[2]) * p->half[2];
        in &= middle - half >= box->min[i] - most && middle + half <= box->max[i] + most;
    }
    return in;
}

static bool all_stay(const hull *parts, uint32_t count, const m5_boxed_frames *frames, double limit,
                     m5_matrix *bones)
{
    m5_box box;
    for (uint32_t f = 0; f < frames->count; f++) {
        if (!frames->box(frames->context, f, &box))
            continue;
        double most = limit * m5_box_diagonal(&box);
        frames->pose(frames->context, f, bones);
        for (uint32_t i = 0; i < count; i++)
            if (!stays(&parts[i], &bones[parts[i].bone], &box, most))
                return false;
    }
    return true;
}

bool m5_envelope_holds(const m5_box *boxes, uint32_t num_bones, const m5_boxed_frames *frames,
                       double limit, uint64_t budget, m5_arena *arena)
{
    static const double rounding = 0.999;
    size_t mark = arena->used;
    hull *parts = m5_arena_take(arena, num_bones, sizeof *parts);
    m5_matrix *bones = m5_arena_take(arena, num_bones, sizeof *bones);
    bool holds = false;
    if (parts != NULL && bones != NULL && (uint64_t)frames->count * num_bones <= budget)
        holds = all_stay(parts, list_hulls(boxes, num_bones, parts), frames,
                         rounding * fmax(limit, LEAST_SHARE), bones);
    m5_arena_release(arena, mark);
    return holds;
}

/* ---- Biases ---------------------------------------------------------------------------------- */

enum { ADD_AT_MOST = 32 }; /* vertices may share weights; no working model has so many on one */

static bool holds(const m5_skin *skin, const m5_skin_vert *v)
{
    double sum = 0;
    if (v->count > ADD_AT_MOST)
        return false;
    for (uint32_t k = v->start; k < v->start + v->count; k++) {
        sum += (double)skin->weights[k].bias;
        if (!(skin->weights[k].bias >= 0))
            return false;
    }
    return fabs(sum - 1) <= 1e-3;
}

void m5_envelope_choose(const m5_skin *skin, uint8_t *used)
{
    for (uint32_t i = 0; i < skin->num_verts; i++)
        used[i] &= holds(skin, &skin->verts[i]);
}

/* ---- In words -------------------------------------------------------------------------------- */

enum { TEXT_MAX = 160 };

static void print(char out[TEXT_MAX], const char *format, ...)
{
    va_list args;
    va_start(args, format);
    m5_text text = {out, TEXT_MAX, 0, false};
    m5_text_format(&text, format, args);
    va_end(args);
}

/* `12 of 60 frames are so`, and `( x y z ) ( x y z )`. */
static void print_counts(const m5_envelope *e, char out[TEXT_MAX])
{
    if (e->seen == e->boxed)
        print(out, "%u of %u frames are so", e->outside, e->boxed);
    else
        print(out, "%u of the %u frames looked at, of %u, are so", e->outside, e->seen, e->boxed);
}

static void print_box(const m5_box *b, char out[TEXT_MAX])
{
    print(out, "( %.5g %.5g %.5g ) ( %.5g %.5g %.5g )", b->min[0], b->min[1], b->min[2], b->max[0],
          b->max[1], b->max[2]);
}

void m5_envelope_say(const m5_envelope *e, m5_report *report, m5_diag *d, uint32_t vert,
                     const char *part, uint32_t number, const char *why)
{
    const m5_stray *w = &e->worst;
    char counts[TEXT_MAX], fit[TEXT_MAX];
    print_counts(e, counts);
    print_box(&e->fit, fit);
    if (w->disjoint)
        m5_emit(report, d, M5_BEYOND,
                "frame %u: all of the mesh is outside its box%s: vertex %u of %s %u "
                "is %.4g away along %c, at %.6g; %s; %s would hold the mesh",
                w->frame, why, vert, part, number, w->by, "xyz"[w->axis], w -> at, counts, fit);
    else
        m5_emit(report, d, w->share,
                "frame %u: vertex %u of %s %u is outside its box%s by %.4g, %.3g%% of "
                "the diagonal: %c is %.6g, the %s %.6g; %s; %s would hold the mesh",
                w->frame, vert, part, number, why, w->by, 100 * w->share, "xyz"[w->axis], w -> at,
                w -> above ? "maximum" : "minimum", w->above ? w->at - w->by : w->at + w->by,
                counts, fit);
}

void m5_envelope_say_loose(const m5_envelope *e, m5_report *report, m5_diag *d)
{
    double mesh = m5_box_diagonal(&e->reach), ratio = m5_box_diagonal(&e->boxes) / mesh;
    char reach_text[TEXT_MAX];
    if (!(mesh > 0) || is_empty(&e->reach) || !(ratio > 1.05))
        return;
    print_box(&e->reach, reach_text);
    m5_emit(
        report, d, ratio,
        "together the boxes are %.3g times as large as the mesh in all %u frames%s, which stays in "
        "%s; that of frame %u is the largest",
        ratio, e->seen, e->seen < e->boxed ? " looked at" : "", reach_text, e->largest);
}
