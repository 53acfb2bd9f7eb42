/* Checks that an animation has the same joints as its mesh, in the same order and hierarchy. */
#include "cross.h"
#include "lint/common/misplaced.h"
#include "lint/core/check.h"
#include "lint/core/names.h"
#include "lint/core/nearest.h"
#include "lint/md5/checks.h"
#include "parsers/core/emit.h"
#include "parsers/core/text.h"
#include "parsers/md5/lex.h"

#include <math.h>
#include <string.h>

typedef struct pair {
    const m5_lint_file *mesh_file;
    m5_lint_file *anim_file;
    const m5_md5mesh *mesh;
    const m5_md5anim *anim;
    uint32_t common; /* joints that both have */
} pair;

/* A path's last part, with its extension. */
static m5_name file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *start = slash != NULL ? slash + 1 : path;
    return (m5_name){(uint32_t)(start - path), (uint32_t)strlen(start)};
}

/* A file's name without its folders, for %.*s. */
#define FILE_NAME(file)                                                                            \
    (int)file_name((file)->source.name).length,                                                    \
        (file)->source.name + file_name((file)->source.name).offset

/* A finding at token `n` of the animation's joint `i`, with the mesh's joint as its related place.
 */
static m5_diag at_joint(const pair *p, const m5_rule *rule, uint32_t i, uint32_t n)
{
    m5_diag d = m5_check_at(p->anim_file, rule, p->anim->joints[i].offset, n);
    d.path = m5_path1("joint", i);
    m5_relate(&d, &p->mesh_file->source,
              m5_lex_nth(&p->mesh_file->source, p->mesh->joints[i].offset, n), "the mesh's joint");
    return d;
}

/* ---- Names ----------------------------------------------------------------------------------- */

enum { SUGGEST_MAX = 64 };

static int compare(const pair *p, uint32_t mesh_joint, uint32_t anim_joint)
{
    return m5_check_compare_names(&p->mesh_file->source, p->mesh->joints[mesh_joint].name,
                                  &p->anim_file->source, p->anim->joints[anim_joint].name);
}

/* Whether the animation has a joint with the name of the mesh's joint `k`, by binary search. */
static bool is_in_both(const pair *p, uint32_t k)
{
    const uint32_t *sorted = p->anim_file->names;
    uint32_t low = 0, high = p->anim->num_joints;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = compare(p, k, sorted[middle]);
        if (order == 0)
            return true;
        low = order > 0 ? middle + 1 : low;
        high = order > 0 ? high : middle;
    }
    return false;
}

/* The mesh's joint that has the name of the animation's joint `i`; else the one with the nearest
 * name, among those that the animation does not have; M5_NO_INDEX if over a third of the characters
 * differ in all of them. */
static uint32_t nearest(const pair *p, uint32_t i)
{
    m5_name n = p->anim->joints[i].name;
    uint32_t best = M5_NO_INDEX, best_distance = n.length / 3 + 1;
    for (uint32_t k = 0; k < p->mesh->num_joints && n.length <= SUGGEST_MAX; k++) {
        m5_name m = p->mesh->joints[k].name;
        if (m.length > SUGGEST_MAX)
            continue;
        uint32_t d = m5_edit_distance(p->anim_file->source.bytes + n.offset, n.length,
                                      p->mesh_file->source.bytes + m.offset, m.length);
        if (d < best_distance && (d == 0 || !is_in_both(p, k))) {
            best = k;
            best_distance = d;
        }
    }
    return best;
}

static bool same_but_case(const pair *p, uint32_t i)
{
    return m5_check_same_but_case(&p->mesh_file->source, p->mesh->joints[i].name,
                                  &p->anim_file->source, p->anim->joints[i].name);
}

/* Whether both have the same names, in any order. */
static bool same_set(const pair *p, const uint32_t *mesh_order, const uint32_t *anim_order)
{
    for (uint32_t i = 0; i < p->common; i++)
        if (compare(p, mesh_order[i], anim_order[i]) != 0)
            return false;
    return p->mesh->num_joints == p->anim->num_joints;
}

static uint32_t count_shared(const pair *p, const uint32_t *mesh_order, const uint32_t *anim_order)
{
    uint32_t shared = 0, a = 0, b = 0;
    while (a < p->mesh->num_joints && b < p->anim->num_joints) {
        int order = compare(p, mesh_order[a], anim_order[b]);
        shared += order == 0;
        a += order <= 0;
        b += order >= 0;
    }
    return shared;
}

/* Where the mesh has the joint, or one with a similar name: goes on after `joint 2 is 'arm'`. */
static void print_hint(const pair *p, uint32_t i, char *out, size_t size)
{
    uint32_t k = nearest(p, i);
    if (k == M5_NO_INDEX || k == i)
        return;
    if (compare(p, k, i) == 0)
        m5_check_print(out, size, " and '%.*s' is joint %u",
                       M5_CHECK_NAME(p->mesh_file, p->mesh->joints[k].name), k);
    else
        m5_check_print(out, size, " and joint %u has a similar name, '%.*s'", k,
                       M5_CHECK_NAME(p->mesh_file, p->mesh->joints[k].name));
}

static void say_name(const pair *p, uint32_t i, uint32_t shared)
{
    m5_diag d = at_joint(p, M5_LINT_ROW(cross_joint_name), i, 0);
    m5_name a = p->anim->joints[i].name, m = p->mesh->joints[i].name;
    char hint[128] = "";
    p->anim_file->other_name = i + 1;
    print_hint(p, i, hint, sizeof hint);
    m5_emit(&p->anim_file->report, &d, 0,
            "joint %u of '%.*s' is '%.*s'; in '%.*s' joint %u is '%.*s'%s; "
            "%u of %u names are in both files",
            i, FILE_NAME(p->anim_file), M5_CHECK_NAME(p->anim_file, a), FILE_NAME(p->mesh_file), i,
            M5_CHECK_NAME(p->mesh_file, m), hint, shared, p->anim->num_joints);
}

/* If the mesh has two lines exchanged, so that the weights are on wrong joints, that is reported
 * there. */
static void say_order(const pair *p, uint32_t i)
{
    m5_diag d = at_joint(p, M5_LINT_ROW(cross_joint_name_order), i, 0);
    uint32_t other;
    bool by_mesh = m5_check_are_exchanged(p->mesh_file, i, &other) && compare(p, other, i) == 0;
    m5_emit(&p->anim_file->report, &d, by_mesh ? M5_MILD : M5_GRAVE,
            "joints are the same as in '%.*s', but in another order: joint %u is '%.*s', expected "
            "'%.*s' (first difference)",
            FILE_NAME(p->mesh_file), i, M5_CHECK_NAME(p->anim_file, p->anim->joints[i].name),
            M5_CHECK_NAME(p->mesh_file, p->mesh->joints[i].name));
}

static void say_case(const pair *p, uint32_t i, uint32_t differ)
{
    m5_diag d = at_joint(p, M5_LINT_ROW(cross_joint_name_case), i, 0);
    m5_emit(&p->anim_file->report, &d, 0,
            "joint %u is '%.*s', expected '%.*s' as in '%.*s': only upper and lower case differ "
            "(%u of %u joints)",
            i, M5_CHECK_NAME(p->anim_file, p->anim->joints[i].name),
            M5_CHECK_NAME(p->mesh_file, p->mesh->joints[i].name), FILE_NAME(p->mesh_file), differ,
            p->common);
}

/* Whether so many joints differ that there must be one reason for all. */
static bool are_most(const pair *p, uint32_t differ)
{
    enum { FEW = 3 };
    return differ > FEW && 2 * (uint64_t)differ > p->common;
}

/* The names differ at most in upper and lower case. */
static void check_case(const pair *p)
{
    uint32_t differ = 0;
    for (uint32_t i = 0; i < p->common; i++)
        differ += compare(p, i, i) != 0;
    for (uint32_t i = 0, left = are_most(p, differ) ? 1 : differ; left != 0; i++) {
        if (compare(p, i, i) == 0)
            continue;
        say_case(p, i, differ);
        left--;
    }
}

/* The first joint whose name differs in more than upper and lower case; M5_NO_INDEX if none. */
static uint32_t first_other_name(const pair *p)
{
    for (uint32_t i = 0; i < p->common; i++)
        if (!same_but_case(p, i))
            return i;
    return M5_NO_INDEX;
}

/* Whether parents come after their joints in one of the files: its wrong order was reported. */
static bool is_out_of_order(const pair *p)
{
    for (uint32_t i = 0; i < p->common; i++)
        if (p->anim->joints[i].parent == M5_BROKEN_PARENT ||
            p->mesh->joints[i].parent == M5_BROKEN_PARENT)
            return true;
    return false;
}

/* Returns whether the joints correspond one to one. */
static bool check_names(const pair *p, const uint32_t *mesh_order, const uint32_t *anim_order)
{
    uint32_t first = first_other_name(p);
    bool reordered = first != M5_NO_INDEX && same_set(p, mesh_order, anim_order);
    if (reordered && !is_out_of_order(p))
        say_order(p, first);
    else if (!reordered && first != M5_NO_INDEX)
        say_name(p, first, count_shared(p, mesh_order, anim_order));
    if (first != M5_NO_INDEX)
        return false;
    check_case(p);
    return true;
}

/* ---- The rest -------------------------------------------------------------------------------- */

/* If one file has the other's names with some left out, the first name that is left out, as an
 * index into the longer list; else M5_NO_INDEX. */
static uint32_t first_left_out(const pair *p)
{
    uint32_t a = 0, m = 0, first = M5_NO_INDEX;
    bool anim_longer = p->anim->num_joints > p->mesh->num_joints;
    while (a < p->anim->num_joints && m < p->mesh->num_joints) {
        bool same = compare(p, m, a) == 0;
        if (!same && first == M5_NO_INDEX)
            first = anim_longer ? a : m;
        a += same || anim_longer;
        m += same || !anim_longer;
    }
    bool explained = anim_longer ? m == p->mesh->num_joints : a == p->anim->num_joints;
    if (!explained)
        return M5_NO_INDEX;
    return first != M5_NO_INDEX ? first : p->common;
}

/* `names`: what is to be said of them, or nothing. */
static void say_count(const pair *p, uint32_t left_out, const char *names)
{
    bool extra = p->anim->num_joints > p->mesh->num_joints;
    const m5_lint_file *in = extra ? p->anim_file : p->mesh_file;
    m5_diag d = m5_found(M5_LINT_ROW(cross_joint_count), p->anim->num_joints_at);
    d.tag = extra ? M5_TAG_more : M5_TAG_fewer;
    uint32_t a = p->anim->num_joints, m = p->mesh->num_joints;
    if (left_out == M5_NO_INDEX) {
        m5_relate(&d, &p->mesh_file->source, p->mesh->num_joints_at, "the mesh's numJoints");
        m5_emit(&p->anim_file->report, &d, 0,
                "the animation has %u joint%s, expected %u as in '%.*s'%s", a, a == 1 ? "" : "s", m,
                FILE_NAME(p->mesh_file), names);
        return;
    }
    m5_name n = (extra ? p->anim->joints : p->mesh->joints)[left_out].name;
    char more[32] = "";
    if (a != m + 1 && m != a + 1)
        m5_check_print(more, sizeof more, " (first of %u)", extra ? a - m : m - a);
    m5_relate(&d, &in->source, n, extra ? "the extra joint" : "the missing joint");
    m5_emit(&p->anim_file->report, &d, 0,
            "the animation has %u joint%s, expected %u as in '%.*s': '%.*s' is only in the %s%s", a,
            a == 1 ? "" : "s", m, FILE_NAME(p->mesh_file), M5_CHECK_NAME(in, n),
            extra ? "animation" : "mesh", more);
}

/* Returns whether the names are worth comparing: not if the joints left out were reported, or if
 * most names are others, so that the animation is of another character. */
static bool check_count(const pair *p)
{
    char names[64] = "";
    if (p->mesh->num_joints == p->anim->num_joints)
        return true;
    uint32_t left_out = first_left_out(p), count = p->anim->num_joints, shared = count;
    uint32_t alike = 0;
    if (left_out == M5_NO_INDEX && p->mesh_file->names != NULL && p->anim_file->names != NULL)
        shared = count_shared(p, p->mesh_file->names, p->anim_file->names);
    for (uint32_t i = 0; i < p->common; i++)
        alike += same_but_case(p, i);
    bool other = 2 * (uint64_t)shared < count && 2 * (uint64_t)alike < count;
    if (other)
        m5_check_print(names, sizeof names, "; %u of %u names are in both files", shared, count);
    say_count(p, left_out, names);
    return left_out == M5_NO_INDEX && !other;
}

static void say_parent(const pair *p, uint32_t i, uint32_t differ)
{
    m5_diag d = at_joint(p, M5_LINT_ROW(cross_joint_parent), i, 1);
    int32_t parent = p->anim->joints[i].parent;
    char comment[80] = "";
    uint32_t named = m5_check_commented_parent(p->mesh_file, p->mesh->joints, p->mesh->num_joints,
                                               i);
    if (named != M5_NO_INDEX && named == (uint32_t)parent)
        m5_check_print(comment, sizeof comment,
                       "; but a comment there names joint %d, so the mesh may be wrong", parent);
    m5_emit(&p->anim_file->report, &d, 0,
            "joint %u '%.*s' has parent %d, expected %d as in '%.*s' (%u of %u joints)%s", i,
            M5_CHECK_NAME(p->anim_file, p->anim->joints[i].name), parent, p->mesh->joints[i].parent,
            FILE_NAME(p->mesh_file), differ, p->common, comment);
}

/* Returns whether the parents are the same. Where most differ, only the first is reported, and none
 * if one of the files has broken parents, which may be the reason. Likewise where all that differ
 * are roots in one of the files. */
static bool check_parents(const pair *p)
{
    uint32_t differ = 0, broken = 0, roots = 0;
    for (uint32_t i = 0; i < p->common; i++) {
        int32_t a = p->anim->joints[i].parent, m = p->mesh->joints[i].parent;
        bool is_broken = a == M5_BROKEN_PARENT || m == M5_BROKEN_PARENT;
        broken += is_broken;
        differ += !is_broken && a != m;
        roots += !is_broken && a != m && (a == -1 || m == -1);
    }
    bool most = are_most(p, differ + broken);
    bool wanted = !most || broken == 0, once = most || roots == differ;
    for (uint32_t i = 0; wanted && i < p->common; i++) {
        int32_t a = p->anim->joints[i].parent, m = p->mesh->joints[i].parent;
        if (a == m || a == M5_BROKEN_PARENT || m == M5_BROKEN_PARENT)
            continue;
        say_parent(p, i, differ);
        wanted = !once;
        p->anim_file->parents_differ = !once;
        p->anim_file->other_parent = once ? i + 1 : 0;
    }
    uint32_t root = p->mesh_file->other_parent; /* is reported there, perhaps with its comment */
    if (root != 0 && p->anim_file->other_parent == 0 &&
        m5_check_commented_parent(p->mesh_file, p->mesh->joints, p->mesh->num_joints, root - 1) !=
            M5_NO_INDEX)
        p->anim_file->other_parent = root;
    return differ + broken == 0;
}

/* A path's last part, without its extension. */
static m5_name base_name(const char *path)
{
    m5_name name = file_name(path);
    const char *start = path + name.offset, *dot = strrchr(start, '.');
    name.length = dot != NULL ? (uint32_t)(dot - start) : name.length;
    return name;
}

static void check_file_name(const pair *p)
{
    const char *anim_path = p->anim_file->source.name, *mesh_path = p->mesh_file->source.name;
    m5_name a = base_name(anim_path), m = base_name(mesh_path);
    if (a.length == m.length && memcmp(anim_path + a.offset, mesh_path + m.offset, a.length) == 0)
        return;
    m5_diag d = m5_found(M5_LINT_ROW(cross_file_name), (m5_span){0, 0});
    m5_emit(&p->anim_file->report, &d, 0,
            "the animation is named '%.*s', expected '%.*s' like its mesh", (int)a.length,
            anim_path + a.offset, (int)m.length, mesh_path + m.offset);
}

static pair make_pair(const m5_lint_file *mesh, m5_lint_file *anim)
{
    const m5_md5mesh *m = mesh->model.md5mesh;
    const m5_md5anim *a = anim->model.md5anim;
    return (pair){mesh, anim, m, a, m->num_joints < a->num_joints ? m->num_joints : a->num_joints};
}

/* Whether both files were read so far that their joints have places, one for one. */
static bool can_pose(const pair *p)
{
    bool whole = !m5_settings_of(&p->anim_file->report)->no_geometry &&
                 p->anim_file->values_known && p->anim->num_joints == p->mesh->num_joints &&
                 m5_check_can_pose(p->anim);
    for (uint32_t i = 0; whole && i < p->mesh->num_joints; i++)
        whole = !isnan(p->mesh->bind[i].pos[0]);
    return whole;
}

bool m5_check_cross(const m5_lint_file *mesh, m5_lint_file *anim)
{
    pair p = make_pair(mesh, anim);
    check_file_name(&p);
    bool split = m5_check_split(mesh, anim);
    bool same = !split && p.mesh->joints_whole && p.anim->joints_whole && check_count(&p) &&
                mesh->names != NULL && anim->names != NULL &&
                check_names(&p, mesh->names, anim->names);
    if (anim->in_group && (!same || anim->targets != NULL))
        m5_check_md5anim_roots(anim); /* else the mesh's are reported, or that parents differ */
    bool exchanged = anim->in_group && m5_check_md5anim_exchanged(anim, mesh);
    return same && !exchanged && check_parents(&p) && can_pose(&p);
}

/* ---- How well they fit ----------------------------------------------------------------------- */

static bool fits_exactly(const pair *p)
{
    if (p->mesh->num_joints != p->anim->num_joints)
        return false;
    for (uint32_t i = 0; i < p->common; i++)
        if (p->mesh->joints[i].parent != p->anim->joints[i].parent || compare(p, i, i) != 0)
            return false;
    return true;
}

bool m5_check_fits(const m5_lint_file *mesh, m5_lint_file *anim)
{
    pair p = make_pair(mesh, anim);
    return fits_exactly(&p);
}
