/* The biped's 40 joints and their bind pose. */
#include "generate_rig.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

/* One row per joint, depth first: a joint's parent is the last joint before it that is one level
 * up. The character looks along x, its left is y, up is z. Only the left limbs are listed: each, a
 * joint with all its descendants, is made twice. */
typedef struct bone {
    int depth;
    bool sided, aims;
    const char *name;
    vec at;
} bone;

static const bone bones[] = {
    {0, false, false, "origin", {0, 0, 0}},
    {1, false, false, "pelvis", {0, 0, 38}},
    {2, false, true, "spine1", {-0.5, 0, 41}},
    {3, false, true, "spine2", {-0.3, 0, 46}},
    {4, false, true, "chest", {0, 0, 51}},
    {5, false, true, "neck", {-0.8, 0, 58}},
    {6, false, false, "head", {0.2, 0, 62}},
    {7, false, false, "jaw", {0.9, 0, 62.4}},
    {7, true, false, "eye", {3.5, 1.35, 65.2}},
    {5, true, true, "clavicle", {0.3, 1.2, 56.4}},
    {6, true, true, "upperArm", {-0.5, 7.4, 55.8}},
    {7, true, true, "lowerArm", {-0.9, 14.8, 48.2}},
    {8, true, true, "hand", {0.5, 21.2, 41.6}},
    {9, true, true, "middle1", {0.9, 24.1, 38.7}},
    {10, true, false, "middle2", {1.1, 25.5, 37.2}},
    {9, true, true, "index1", {2.2, 23.8, 39.0}},
    {10, true, false, "index2", {2.6, 25.1, 37.7}},
    {9, true, true, "thumb1", {1.9, 21.9, 41.0}},
    {10, true, false, "thumb2", {3.1, 22.8, 39.9}},
    {9, true, false, "attach", {1.2, 22.6, 39.6}},
    {2, true, true, "thigh", {0.2, 4.0, 36.6}},
    {3, true, true, "shin", {0.8, 4.4, 20.4}},
    {4, true, true, "foot", {-0.8, 4.6, 4.2}},
    {5, true, false, "toes", {4.6, 5.1, 1.5}},
};

enum { BONES = sizeof bones / sizeof *bones, DEPTHS = 16 };

vec mirrored(vec v, side s)
{
    return (vec){v.x, s == RIGHT ? -v.y : v.y, v.z};
}

static void side_name(char out[NAME_ROOM], const char *name, side s)
{
    static const char *const endings[] = {"", ".L", ".R"};
    snprintf(out, NAME_ROOM, "%s%s", name, endings[s]);
}

static void add_joint(rig *r, const bone *b, side s, int last[DEPTHS])
{
    assert(r->count < MAX_JOINTS);
    joint *j = &r->joints[r->count];
    side_name(j->name, b->name, s);
    j->parent = b->depth > 0 ? last[b->depth - 1] : -1;
    j->aims = b->aims;
    j->at = vec_as_printed(&r->digits, mirrored(b->at, s));
    last[b->depth] = r->count++;
}

/* The row after the limb that starts at row `first`. */
static int limb_end(int first)
{
    int end = first + 1;
    while (end < BONES && bones[end].depth > bones[first].depth)
        end++;
    return end;
}

static void add_joints(rig *r)
{
    int last[DEPTHS] = {0}; /* the last joint of each level */
    for (int i = 0, end; i < BONES; i = end) {
        end = bones[i].sided ? limb_end(i) : i + 1;
        for (int k = i; k < end; k++)
            add_joint(r, &bones[k], bones[i].sided ? LEFT : CENTRE, last);
        for (int k = i; k < end && bones[i].sided; k++)
            add_joint(r, &bones[k], RIGHT, last);
    }
}

/* The shortest turn from the parent's orientation keeps the parent-relative quaternions far from
 * half a turn, where w, which is not in the file, would lose its digits. */
static void turn_joint(rig *r, int index)
{
    joint *j = &r->joints[index];
    quat turn = j->parent < 0 ? (quat){{0, 0, 0}, -1} : r->joints[j->parent].turn;
    if (j->aims) {
        vec ahead = vec_unit(vec_sub(j[1].at, j->at));
        turn = quat_times(turn, quat_from_x_to(quat_rotate(quat_inverse(turn), ahead)));
    }
    j->turn = quat_as_printed(&r->digits, turn);
}

void rig_build(rig *r, digits d)
{
    *r = (rig){.digits = d};
    add_joints(r);
    for (int i = 0; i < r->count; i++)
        turn_joint(r, i);
}

static int find(const rig *r, const char *name)
{
    for (int i = 0; i < r->count; i++)
        if (strcmp(r->joints[i].name, name) == 0)
            return i;
    return -1;
}

int rig_find(const rig *r, const char *name, side s)
{
    char full[NAME_ROOM];
    side_name(full, name, s);
    int index = find(r, full);
    if (index < 0)
        index = find(r, name);
    assert(index >= 0 && "the tables name each other's joints");
    return index;
}
