/* Names, roots and order of joints. */
#include "checks.h"
#include "lint/core/check.h"
#include "lint/core/names.h"
#include "parsers/core/emit.h"
#include "parsers/md5/lex.h"

#include <string.h>

/* ---- Names, in both formats ------------------------------------------------------------------ */

/* How many bytes of names some loaders keep, so that two long names become the same; 0 if these
 * stay different. */
static uint32_t kept_of_both(const m5_source *s, m5_name a, m5_name b)
{
    static const uint32_t kept[] = {63, 31};
    uint32_t least = a.length < b.length ? a.length : b.length, same = 0;
    while (same < least && s->bytes[a.offset + same] == s->bytes[b.offset + same])
        same++;
    if (same == a.length && same == b.length)
        return 0;
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (same >= kept[i])
            return kept[i];
    return 0;
}

/* Two names that are neighbours when sorted. */
static void check_collision(m5_lint_file *f, const m5_md5_joint *joints, uint32_t a, uint32_t b)
{
    const m5_source *s = &f->source;
    uint32_t first = a < b ? a : b, second = a < b ? b : a;
    uint32_t kept = kept_of_both(s, joints[a].name, joints[b].name);
    if (kept == 0)
        return;
    m5_diag d = m5_check_at(f, M5_LINT_ROW(md5_joint_name_collision), joints[second].offset, 0);
    d.path = m5_path1("joint", second);
    m5_relate(&d, s, joints[first].name, "the other joint");
    m5_emit(
        &f->report, &d, 0,
        "the names of joints %u and %u are equal in their first %u bytes, and some loaders keep "
        "no more",
        first, second, kept);
}

/* `names` is sorted: equal names are neighbours, and so are names that differ only in case. */
static void check_twins(m5_lint_file *f, const m5_md5_joint *joints, uint32_t count)
{
    const uint32_t *index = f->names;
    const m5_source *s = &f->source;
    for (uint32_t i = 1; i < count; i++) {
        uint32_t a = index[i - 1], b = index[i];
        check_collision(f, joints, a, b);
        if (!m5_check_same_but_case(s, joints[a].name, s, joints[b].name) ||
            joints[a].name.length == 0 || joints[a].name.offset == 0)
            continue;
        bool same = m5_check_compare_names(s, joints[a].name, s, joints[b].name) == 0;
        uint32_t first = a < b ? a : b, second = a < b ? b : a;
        m5_diag d = m5_check_at(
            f, same ? M5_LINT_ROW(md5_joint_name_duplicate) : M5_LINT_ROW(md5_joint_name_case),
            joints[second].offset, 0);
        d.path = m5_path1("joint", second);
        m5_relate(&d, s, joints[first].name, "the other joint");
        if (same && f->other_name == second + 1) {
            m5_overlook(&f->report, &d, 0);
            continue;
        }
        m5_emit(
            &f->report, &d, 0,
            same ? "joint %u is named '%.*s', the same as joint %u"
                 : "joint %u is named '%.*s', the same as joint %u except for upper and lower case",
            second, M5_CHECK_NAME(f, joints[second].name), first);
    }
}

static void check_name(m5_lint_file *f, const m5_md5_joint *joint, uint32_t i)
{
    m5_name n = joint->name;
    const m5_rule *length = M5_LINT_ROW(md5_joint_name_length);
    if (m5_would_say(&f->report, length, n.length) == M5_SILENT)
        return;
    m5_diag d = m5_check_at(f, length, joint->offset, 0);
    d.path = m5_path1("joint", i);
    m5_emit(&f->report, &d, n.length, "the joint's name is %u bytes long, expected at most 31",
            n.length);
}

/* Two empty names are the same name. */
static void check_empty_names(m5_lint_file *f, const m5_md5_joint *joints, uint32_t count)
{
    m5_tag tag = M5_TAG_none;
    for (uint32_t i = 0; i < count; i++) {
        if (joints[i].name.offset == 0 || joints[i].name.length != 0)
            continue;
        m5_diag d = m5_check_at(f, M5_LINT_ROW(md5_joint_name_empty), joints[i].offset, 0);
        d.path = m5_path1("joint", i);
        d.tag = tag;
        m5_emit(&f->report, &d, 0, "joint %u has an empty name", i);
        tag = M5_TAG_more;
    }
}

static bool has_blank(const m5_lint_file *f, m5_name n)
{
    const uint8_t *text = f->source.bytes + n.offset;
    return memchr(text, ' ', n.length) != NULL || memchr(text, '\t', n.length) != NULL;
}

/* Reported once per file: some exporters write a space in every name. */
static void check_blanks(m5_lint_file *f, const m5_md5_joint *joints, uint32_t count)
{
    uint32_t first = M5_NO_INDEX, blanks = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!has_blank(f, joints[i].name))
            continue;
        blanks++;
        first = first == M5_NO_INDEX ? i : first;
    }
    if (blanks == 0)
        return;
    m5_diag d = m5_check_at(f, M5_LINT_ROW(md5_joint_name_space), joints[first].offset, 0);
    d.path = m5_path1("joint", first);
    m5_emit(&f->report, &d, 0, "the joint's name '%.*s' contains a space or tab (%u of %u names)",
            M5_CHECK_NAME(f, joints[first].name), blanks, count);
}

/* With an extra line the joints are not `in_place`, and the wrong count is reported, not a twin. */
void m5_check_md5_joints(m5_lint_file *f, const m5_md5_joint *joints, uint32_t count, bool in_place,
                         m5_span at)
{
    if (f->names != NULL && in_place && f->model.md5anim == NULL)
        check_twins(f, joints, count);
    for (uint32_t i = 0; i < count; i++)
        if (joints[i].name.offset != 0)
            check_name(f, &joints[i], i);
    check_empty_names(f, joints, count);
    check_blanks(f, joints, count);
    m5_diag d = m5_found(M5_LINT_ROW(md5_joint_count_limit), at);
    m5_emit(&f->report, &d, count,
            "%u joints, expected at most 127 for Daemon and 255 for most other engines", count);
}

void m5_check_md5anim_names(m5_lint_file *f, const m5_md5mesh *base)
{
    const m5_md5anim *m = f->model.md5anim;
    if (f->names != NULL && m->joints_in_place)
        check_twins(f, m->joints, m->num_joints);
    bool same = base != NULL && base->num_joints == m->num_joints;
    m5_check_md5_parent_comments(f, m->joints, m->num_joints, same ? base->joints : NULL);
}

/* ---- Roots ----------------------------------------------------------------------------------- */

/* Whether the root was written with a number below -1. That has a rule of its own: perhaps the
 * joint should not be a root. */
static bool is_below_minus_one(const m5_lint_file *f, const m5_md5_joint *joint)
{
    m5_span at = m5_lex_nth(&f->source, joint->offset, 1);
    int32_t parent = -1;
    return m5_check_wanted(f, M5_ROW(md5mesh_joint_parent_negative)) &&
           m5_read_int(f->source.bytes + at.offset, at.length, &parent) == M5_NUMBER_FINE &&
           parent < -1;
}

static void check_roots(m5_lint_file *f, const m5_rule *rule, const m5_md5_joint *joints,
                        uint32_t count)
{
    uint32_t roots = 0, first = 0, second = 0;
    char comment[128] = "";
    for (uint32_t i = 0; i < count; i++) {
        if (joints[i].parent != -1)
            continue;
        first = roots++ == 0 ? i : first;
        second = roots > 1 && second == 0 && !is_below_minus_one(f, &joints[i]) ? i : second;
    }
    if (second == 0)
        return;
    uint32_t named = m5_check_commented_parent(f, joints, count, second);
    if (named != M5_NO_INDEX)
        m5_check_print(comment, sizeof comment, ", but its comment names joint %u '%.*s'", named,
                       M5_CHECK_NAME(f, joints[named].name));
    f->other_parent = second + 1;
    m5_diag d = m5_check_at(f, rule, joints[second].offset, 1);
    d.path = m5_path1("joint", second);
    m5_relate(&d, &f->source, joints[first].name, "the first root");
    m5_emit(&f->report, &d, 0, "joint %u '%.*s' is a second root (%u roots)%s", second,
            M5_CHECK_NAME(f, joints[second].name), roots, comment);
}

void m5_check_md5anim_roots(m5_lint_file *f)
{
    const m5_md5anim *m = f->model.md5anim;
    if (m->joints_in_place)
        check_roots(f, M5_LINT_ROW(md5anim_multiple_roots), m->joints, m->num_joints);
}

/* ---- The mesh's skeleton --------------------------------------------------------------------- */

/* Where a joint belongs in the order: a second root, which is reported, is in the branch before it;
 * so is a joint with another parent than its comment names. */
static int32_t branch_of(const m5_md5mesh *m, uint32_t joint, uint32_t commented)
{
    int32_t parent = m->joints[joint].parent;
    if (joint != 0 && (parent == -1 || joint == commented))
        return (int32_t)joint - 1;
    return parent;
}

/* Depth first: the parent is the joint before, or one of that joint's ancestors. Up to the first
 * joint out of order, this takes no more steps up than there were steps down. */
static void check_depth_first(m5_lint_file *f, const m5_md5mesh *m, uint32_t commented)
{
    for (uint32_t i = 1; i < m->num_joints; i++) {
        int32_t up = (int32_t)i - 1, parent = branch_of(m, i, commented);
        if (parent == M5_BROKEN_PARENT)
            return;
        while (up != parent && up >= 0)
            up = branch_of(m, (uint32_t)up, commented);
        if (up == parent || parent < 0)
            continue;
        m5_diag d = m5_check_at(f, M5_LINT_ROW(md5mesh_joint_depth_first), m->joints[i].offset, 1);
        d.path = m5_path1("joint", i);
        m5_relate(&d, &f->source, m->joints[parent].name, "the parent");
        m5_emit(&f->report, &d, 0,
                "joints are not listed depth first: another branch lies between joint %u '%.*s' "
                "and its parent",
                i, M5_CHECK_NAME(f, m->joints[i].name));
        return;
    }
}

static void check_origin(m5_lint_file *f, const m5_md5mesh *m)
{
    if (m->num_joints == 0 || m->joints[0].name.offset == 0)
        return;
    m5_name n = m->joints[0].name;
    if (n.length == 6 && memcmp(f->source.bytes + n.offset, "origin", 6) == 0)
        return;
    m5_diag d = m5_check_at(f, M5_LINT_ROW(md5mesh_joint_origin), m->joints[0].offset, 0);
    d.path = m5_path1("joint", 0);
    m5_emit(&f->report, &d, 0, "the root is named '%.*s', but Doom 3's exporter names it 'origin'",
            M5_CHECK_NAME(f, n));
}

static double square_of(const m5_md5mesh *m, uint32_t joint)
{
    const float *q = m->bind[joint].orient;
    return (double)q[0] * q[0] + (double)q[1] * q[1] + (double)q[2] * q[2];
}

static void say_overlength(m5_lint_file *f, uint32_t i, const char *others)
{
    const m5_md5mesh *m = f->model.md5mesh;
    double square = square_of(m, i);
    m5_diag d = m5_check_at(f, M5_LINT_ROW(md5_quat_overlength), m->joints[i].offset, 8);
    d.path = m5_path1("joint", i);
    m5_emit(&f->report, &d, square - 1 - m5_check_rounding(m->bind[i].orient),
            "joint %u: x*x + y*y + z*z of the orientation is %.8g, expected at most 1%s", i, square,
            others);
}

/* If several orientations are not quaternions at all, only the first is reported. */
static void check_orientations(m5_lint_file *f, const m5_md5mesh *m)
{
    static const double no_quaternion = 3; /* or more */
    uint32_t junk = 0, first = 0;
    char others[96];
    for (uint32_t i = 0; i < m->num_joints; i++) {
        if (m->joints[i].name.offset == 0 || !(square_of(m, i) >= no_quaternion))
            continue;
        first = junk++ == 0 ? i : first;
    }
    for (uint32_t i = 0; i < m->num_joints && junk < 2; i++)
        if (m->joints[i].name.offset != 0 && square_of(m, i) > 1)
            say_overlength(f, i, "");
    m5_check_print(others, sizeof others,
                   " (%u of %u joints have 3 or more): the numbers may be degrees or positions",
                   junk, m->num_joints);
    if (junk >= 2)
        say_overlength(f, first, others);
}

void m5_check_md5mesh_joints(m5_lint_file *f)
{
    const m5_md5mesh *m = f->model.md5mesh;
    m5_check_read_comments(f, m->joints, m->num_joints, m->joints_in_place);
    if (m->joints_in_place)
        check_roots(f, M5_LINT_ROW(md5mesh_joint_multiple_roots), m->joints, m->num_joints);
    uint32_t commented = m5_check_md5_parent_comments(f, m->joints, m->num_joints, NULL);
    if (m->joints_whole) {
        check_depth_first(f, m, commented);
        check_origin(f, m);
    }
    check_orientations(f, m);
}
