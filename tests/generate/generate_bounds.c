/* Computes the exact box around the biped in each frame. */
#include "generate_bounds.h"

#include <math.h>

/* A joint in model space: the directions of its three axes, and its position. */
typedef struct frame {
    vec x, y, z, at;
} frame;

/* As a game does it: the parent's orientation times the joint's own, normalised. */
static void place_joints(const rig *r, const pose poses[MAX_JOINTS], frame out[MAX_JOINTS])
{
    quat turn[MAX_JOINTS];
    for (int i = 0; i < r->count; i++) {
        int parent = r->joints[i].parent;
        turn[i] = poses[i].turn;
        out[i].at = poses[i].at;
        if (parent >= 0) {
            turn[i] = quat_unit(quat_times(turn[parent], poses[i].turn));
            out[i].at = vec_add(out[parent].at, quat_rotate(turn[parent], poses[i].at));
        }
        out[i].x = quat_rotate(turn[i], (vec){1, 0, 0});
        out[i].y = quat_rotate(turn[i], (vec){0, 1, 0});
        out[i].z = quat_rotate(turn[i], (vec){0, 0, 1});
    }
}

static vec skin(const frame joints[MAX_JOINTS], const weight *w, int count)
{
    vec sum = {0, 0, 0};
    for (int i = 0; i < count; i++, w++) {
        const frame *j = &joints[w->joint];
        double b = w->bias;
        sum.x += b * (j->x.x * w->at.x + j->y.x * w->at.y + j->z.x * w->at.z + j->at.x);
        sum.y += b * (j->x.y * w->at.x + j->y.y * w->at.y + j->z.y * w->at.z + j->at.y);
        sum.z += b * (j->x.z * w->at.x + j->y.z * w->at.y + j->z.z * w->at.z + j->at.z);
    }
    return sum;
}

static void include(box *around, const body *b, const frame joints[MAX_JOINTS], size_t index)
{
    const vertex *v = &b->vertices[index];
    vec at = skin(joints, &b->weights[v->first_weight], v->weights);
    const double place[3] = {at.x, at.y, at.z};
    for (int i = 0; i < 3; i++) {
        if (place[i] < around->min[i]) {
            around->min[i] = place[i];
            around->touching[i] = index;
        }
        if (place[i] > around->max[i]) {
            around->max[i] = place[i];
            around->touching[i + 3] = index;
        }
    }
}

static bool may_leave(const box *known, vec centre, double radius)
{
    const double place[3] = {centre.x, centre.y, centre.z};
    for (int i = 0; i < 3; i++)
        if (place[i] - radius < known->min[i] || place[i] + radius > known->max[i])
            return true;
    return false;
}

static void round_outwards(box *b, const digits *d)
{
    for (int i = 0; i < 3; i++) {
        b->min[i] = floor(b->min[i] * d->scale) / d->scale;
        b->max[i] = ceil(b->max[i] * d->scale) / d->scale;
    }
}

box body_box(const body *b, const pose poses[MAX_JOINTS], const box *last)
{
    frame joints[MAX_JOINTS];
    place_joints(b->rig, poses, joints);
    box out = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, {0}};
    for (int i = 0; last && i < 6; i++)
        include(&out, b, joints, last->touching[i]);
    for (size_t i = 0; i < b->ring_count; i++) {
        const ring *r = &b->rings[i];
        if (!may_leave(&out, skin(joints, r->centre, r->weights), r->radius))
            continue;
        for (int k = 0; k < r->vertices; k++)
            include(&out, b, joints, r->first_vertex + (size_t)k);
    }
    round_outwards(&out, &b->rig->digits);
    return out;
}
