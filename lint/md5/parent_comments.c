/* Exporters write the name of a joint's parent in a comment after the joint. Where it contradicts
 * the parent's index, one of the two is wrong. */
#include "checks.h"
#include "lint/core/check.h"
#include "lint/core/names.h"
#include "parsers/core/emit.h"

/* The joints of a file, and what their comments say. */
typedef struct parents {
    const m5_lint_file *f;
    const m5_md5_joint *joints;
    uint32_t count;
    uint32_t comments, agree, disagree; /* how many there are */
    uint32_t first,
        named; /* the first joint that disagrees, and the joint that its comment names */
} parents;

static bool is_blank(uint8_t c)
{
    return c == ' ' || c == '\t';
}

static m5_span trim(const uint8_t *bytes, uint32_t from, uint32_t to)
{
    while (from < to && is_blank(bytes[from]))
        from++;
    while (to > from && is_blank(bytes[to - 1]))
        to--;
    return (m5_span){from, to - from};
}

static bool are_slashes(const uint8_t *p)
{
    return p[0] == '/' && p[1] == '/';
}

/* The comment after a joint, without slashes and without a second comment in it, which may be for
 * md5lint; length 0 if there is none. It ends before the next joint, so that a file takes linear
 * time even if it is one line. */
static m5_span comment_of(const parents *p, uint32_t i)
{
    const uint8_t *b = p->f->source.bytes;
    uint32_t from = p->joints[i].name.offset + p->joints[i].name.length, end = from;
    uint32_t next = i + 1 < p->count ? p->joints[i + 1].offset : (uint32_t)p->f->source.size;
    while (end < next && b[end] != '\n' && b[end] != '\r')
        end++;
    while (from + 1 < end && !are_slashes(b + from))
        from++;
    if (from + 1 >= end)
        return (m5_span){from, 0};
    uint32_t to = from + 2;
    while (to + 1 < end && !are_slashes(b + to))
        to++;
    return trim(b, from + 2, to + 1 < end ? to : end);
}

/* Doom 3's exporter adds the animated components: `pubis ( Tx Ty Qz )`. Returns the text before
 * them. */
static m5_span without_components(const uint8_t *b, m5_span text)
{
    uint32_t at = text.length;
    if (at == 0 || b[text.offset + at - 1] != ')')
        return text;
    while (at > 0 && b[text.offset + at - 1] != '(')
        at--;
    return at > 0 ? trim(b, text.offset, text.offset + at - 1) : text;
}

static int compare(const parents *p, m5_span text, uint32_t joint)
{
    const m5_source *s = &p->f->source;
    m5_name name = {text.offset, text.length};
    return m5_check_compare_names(s, name, s, p->joints[joint].name);
}

/* The joint of this name, or M5_NO_INDEX. */
static uint32_t find_joint(const parents *p, m5_span text)
{
    uint32_t from = 0, to = p->count;
    while (from < to) {
        uint32_t middle = from + (to - from) / 2, joint = p->f->names[middle];
        int order = compare(p, text, joint);
        if (order == 0)
            return joint;
        if (order < 0)
            to = middle;
        else
            from = middle + 1;
    }
    return M5_NO_INDEX;
}

/* The joint that a comment names, if that is not the parent; else M5_NO_INDEX. A comment that is no
 * other joint's name neither agrees nor disagrees. */
static uint32_t judge(parents *p, uint32_t i)
{
    int32_t parent = p->joints[i].parent;
    m5_span whole = comment_of(p, i);
    m5_span text = without_components(p->f->source.bytes, whole);
    if (text.length == 0 || parent == M5_BROKEN_PARENT)
        return M5_NO_INDEX;
    p->comments++;
    if (parent >= 0 &&
        (compare(p, text, (uint32_t)parent) == 0 || compare(p, whole, (uint32_t)parent) == 0)) {
        p->agree++;
        return M5_NO_INDEX;
    }
    uint32_t named = find_joint(p, whole);
    named = named != M5_NO_INDEX ? named : find_joint(p, text);
    return named != i ? named : M5_NO_INDEX;
}

void m5_check_read_comments(m5_lint_file *f, const m5_md5_joint *joints, uint32_t count,
                            bool in_place)
{
    enum { LEAST = 3 };
    parents p = {.f = f, .joints = joints, .count = count};
    for (uint32_t i = 0; f->names != NULL && in_place && i < count; i++)
        if (joints[i].name.offset != 0)
            judge(&p, i);
    f->comments_name_parents = p.agree >= LEAST &&
                               (uint64_t)p.agree * 4 >= (uint64_t)p.comments * 3;
}

uint32_t m5_check_commented_parent(const m5_lint_file *f, const m5_md5_joint *joints,
                                   uint32_t count, uint32_t joint)
{
    parents p = {.f = f, .joints = joints, .count = count};
    return f->comments_name_parents && joints[joint].name.offset != 0 ? judge(&p, joint)
                                                                      : M5_NO_INDEX;
}

static m5_diag at_parent(const parents *p, uint32_t i)
{
    m5_diag d = m5_check_at(p->f, M5_LINT_ROW(md5_joint_parent_comment), p->joints[i].offset, 1);
    d.path = m5_path1("joint", i);
    return d;
}

static void say(const parents *p, m5_lint_file *f)
{
    const m5_md5_joint *joint = &p->joints[p->first];
    char parent[128] = "no parent", more[64] = "";
    m5_diag d = at_parent(p, p->first);
    m5_span comment = without_components(f->source.bytes, comment_of(p, p->first));
    m5_relate(&d, &f->source, comment, "the comment");
    if (joint->parent >= 0)
        m5_check_print(parent, sizeof parent, "parent %d '%.*s'", joint->parent,
                       M5_CHECK_NAME(f, p->joints[joint->parent].name));
    if (p->disagree > 1)
        m5_check_print(more, sizeof more, "; first of %u", p->disagree);
    m5_emit(&f->report, &d, 0,
            "joint %u '%.*s' has %s, but its comment names joint %u '%.*s' (%u of %u comments name "
            "the parent%s)",
            p->first, M5_CHECK_NAME(f, joint->name), parent, p->named,
            M5_CHECK_NAME(f, p->joints[p->named].name), p->agree, p->comments, more);
}

/* Whether another finding says that the joint's parent is wrong, or that the mesh's is. */
static bool is_reported(const parents *p, const m5_md5_joint *base, uint32_t i)
{
    bool compared = p->f->parents_differ && base != NULL && base[i].parent != M5_BROKEN_PARENT;
    return i + 1 == p->f->other_parent || (compared && base[i].parent != p->joints[i].parent);
}

/* With a missing or extra line the joints are not in place: then the wrong count is reported. */
uint32_t m5_check_md5_parent_comments(m5_lint_file *f, const m5_md5_joint *joints, uint32_t count,
                                      const m5_md5_joint *base)
{
    parents p = {.f = f, .joints = joints, .count = count};
    for (uint32_t i = 0; f->comments_name_parents && i < count; i++) {
        uint32_t named = joints[i].name.offset != 0 ? judge(&p, i) : M5_NO_INDEX;
        if (named == M5_NO_INDEX)
            continue;
        if (is_reported(&p, base, i)) {
            m5_diag d = at_parent(&p, i);
            m5_overlook(&f->report, &d, 0);
        } else if (p.disagree++ == 0) {
            p.first = i;
            p.named = named;
        }
    }
    if (p.disagree == 0)
        return M5_NO_INDEX;
    say(&p, f);
    return p.first;
}
