/* The joints of both formats: their lines, how many there are, and their parents. */
#include "md5_parser.h"
#include "../core/allocate.h"
#include "../core/emit.h"

#include <string.h>

bool m5_md5_read_joint(m5_md5_parser *p, m5_token first, m5_md5_joint *out)
{
    out->offset = first.span.offset;
    if (m5_lex_is_cut(&p->lx, first))
        return false;
    m5_lex_begin(&p->lx, first);
    return m5_lex_name(&p->lx, &out->name) && m5_lex_int(&p->lx, &out->parent);
}

void m5_md5_skip_joint(m5_md5_parser *p, bool begun)
{
    bool broken = begun && m5_lex_peek(&p->lx).new_line;
    m5_lex_skip_line(&p->lx);
    m5_token t = m5_lex_peek(&p->lx);
    if (!broken || !(t.kind == M5_TOKEN_CLOSE_PAREN || m5_lex_begins_like_number(&p->lx, t)))
        return;
    m5_lex_take(&p->lx, t);
    m5_lex_skip_line(&p->lx);
}

static bool joints_whole(const m5_md5_count *declared, const m5_md5_joint *joints, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (joints[i].name.offset == 0)
            return false;
    return declared->known && (uint32_t)declared->value == count;
}

/* Marks the joints whose parents lead back to them. `walk[i]` is 0 until a walk from some
 * joint has come through i, then that walk's number; each joint is visited twice at most. */
static void find_loops(const m5_md5_joint *joints, uint32_t count, uint32_t *walk)
{
    memset(walk, 0, count * sizeof *walk);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t j = i;
        while (j < count && walk[j] == 0) {
            walk[j] = i + 1;
            j = joints[j].parent < 0 ? count : (uint32_t)joints[j].parent;
        }
        if (j >= count || walk[j] != i + 1)
            continue;
        while (walk[j] != M5_BROKEN) {
            walk[j] = M5_BROKEN;
            j = (uint32_t)joints[j].parent;
        }
    }
}

static void say_order_of_parent(m5_md5_parser *p, const m5_md5_joint *joints, uint32_t i,
                                const m5_rule *rule, bool in_loop)
{
    int32_t parent = joints[i].parent;
    m5_name n = joints[i].name, pn = joints[parent].name;
    m5_diag d = m5_md5_at(p, rule, joints[i].offset, 1);
    const char *form = "a parent must come before its joint";
    if ((uint32_t)parent == i)
        form = "a joint cannot be its own parent";
    else if (in_loop)
        form = "the chain of parents is a loop";
    else if (i == 0)
        form = "the first joint must be a root (parent -1)";
    if ((uint32_t)parent != i)
        m5_relate(&d, p->report->source, pn, "the parent");
    m5_emit(p->report, &d, 0, "joint %u '%.*s' has parent %d '%.*s': %s", i, (int)n.length,
            m5_lex_text(&p->lx, n), parent, (int)pn.length, m5_lex_text(&p->lx, pn), form);
}

/* `limit` is the declared number of joints, of which `count` are there. */
static void check_parent(m5_md5_parser *p, const m5_md5_joint *joints, uint32_t i, uint32_t count,
                         uint32_t limit, const m5_md5_joint_list *rules, const uint32_t *walk)
{
    int32_t parent = joints[i].parent;
    if (parent < -1) {
        bool negative = rules->parent_negative != NULL;
        m5_diag d = m5_md5_at(p, negative ? rules->parent_negative : rules->parent_range,
                              joints[i].offset, 1);
        m5_emit(p->report, &d, 0, "joint %u has parent %d, expected -1 (no parent) or a joint", i,
                parent);
    } else if (parent >= (int64_t)limit) {
        m5_diag d = m5_md5_at(p, rules->parent_range, joints[i].offset, 1);
        m5_emit(p->report, &d, 0, "joint %u has parent %d, but joints are numbered 0 to %u", i,
                parent, limit - 1);
    } else if (parent >= (int64_t)i && parent < (int64_t)count) {
        say_order_of_parent(p, joints, i, rules->parent_order, walk[i] == M5_BROKEN);
    }
}

/* Joints that are their own parents. */
typedef struct own_parents {
    uint32_t count, first;
    bool from_one; /* each parent is one too large, except 0 or -1, which means none */
} own_parents;

static own_parents find_own_parents(const m5_md5_joint *joints, uint32_t count)
{
    int32_t none = count != 0 ? joints[0].parent : 0;
    own_parents own = {.from_one = none == 0 || none == -1};
    for (uint32_t i = count; i-- > 1;) {
        int32_t parent = joints[i].parent;
        own.from_one &= parent >= none && parent <= (int64_t)i && (none == 0 || parent != 0);
        own.first = parent == (int64_t)i ? i : own.first;
        own.count += parent == (int64_t)i;
    }
    own.from_one &= own.count > (none == 0 ? 0U : 1U);
    own.first = none == 0 && own.from_one ? 0 : own.first;
    return own;
}

/* Returns whether so many joints are their own parent that all parents seem to be one too large.
 * Then one finding, at the first joint, speaks for all. */
static bool say_own_parents(m5_md5_parser *p, const m5_md5_joint *joints, const own_parents *own,
                            const m5_rule *rule)
{
    enum { MANY = 3 };
    uint32_t i = own->first;
    if (own->count < MANY && !own->from_one)
        return false;
    m5_diag d = m5_md5_at(p, rule, joints[i].offset, 1);
    d.path = m5_path1("joint", i);
    if (own->from_one)
        m5_emit(p->report, &d, 0,
                "joint %u has parent %u, expected %d: parents seem to be counted from 1", i, i,
                (int32_t)i - 1);
    else
        m5_emit(
            p->report, &d, 0,
            "joint %u is its own parent, and so are %u joints after it: parents seem to be 1 too "
            "large, as if a joint was deleted",
            i, own->count - 1);
    return true;
}

static void check_parents(m5_md5_parser *p, m5_md5_joint *joints, uint32_t count,
                          const m5_md5_count *declared, const m5_md5_joint_list *rules)
{
    uint32_t limit = m5_md5_limit(declared);
    size_t mark = p->arena->used;
    uint32_t *walk = m5_md5_array(p, count, sizeof *walk);
    if (walk == NULL)
        return;
    find_loops(joints, count, walk);
    bool all_there = !declared->known || declared->in_place;
    own_parents own = find_own_parents(joints, count);
    bool told = all_there && say_own_parents(p, joints, &own, rules->parent_order);
    for (uint32_t i = 0; i < count && all_there; i++) { /* otherwise parents may be off by one */
        m5_path_set(&p->lx.path, "joint", i);
        if (joints[i].name.offset != 0 && !(told && joints[i].parent == (int64_t)i))
            check_parent(p, joints, i, count, limit, rules, walk);
    }
    m5_arena_release(p->arena, mark);
    for (uint32_t i = 0; i < count; i++) {
        int32_t parent = joints[i].parent;
        if (parent < -1 && joints[i].name.offset != 0 && rules->parent_negative != NULL)
            joints[i].parent = -1;
        else if (parent < -1 || parent >= (int64_t)i)
            joints[i].parent = M5_BROKEN_PARENT;
    }
}

/* If there are extra joints, one that appears twice in a row may be the mistake. M5_NO_INDEX if
 * there is none. */
static uint32_t find_doubled(m5_md5_parser *p, const m5_md5_joint *joints, uint32_t count,
                             m5_md5_count *declared)
{
    for (uint32_t i = 1; i < count; i++) {
        m5_name one = joints[i - 1].name, other = joints[i].name;
        if (one.length == 0 || one.length != other.length ||
            memcmp(p->lx.base + one.offset, p->lx.base + other.offset, one.length) != 0)
            continue;
        declared->odd = (m5_span){other.offset, other.length};
        declared->odd_says = "same name as the joint before";
        return i;
    }
    return M5_NO_INDEX;
}

/* Takes the i-th of `*count` joints out of both lists. */
static void drop_joint(m5_md5_joint *joints, uint8_t *others, size_t size, uint32_t i,
                       uint32_t *count)
{
    uint32_t behind = --*count - i;
    memmove(joints + i, joints + i + 1, behind * sizeof *joints);
    memmove(others + i * size, others + (i + 1) * size, behind * size);
}

/* The joints as they were read. */
typedef struct joint_lines {
    m5_md5_joint *joints;
    uint8_t *others; /* what else each line has */
    uint32_t kept, found;
} joint_lines;

/* Reads up to `capacity` joints and one that may be extra. */
static joint_lines read_lines(m5_md5_parser *p, const m5_md5_joint_list *list, uint32_t capacity,
                              uint32_t room)
{
    enum { OTHER_MAX = 8 };
    joint_lines read = {.joints = m5_md5_array(p, room, sizeof *read.joints),
                        .others = m5_md5_array(p, room, list->size)};
    const uint8_t *start = p->lx.p;
    for (m5_token first;
         !p->out_of_memory && m5_md5_more(p, M5_TOKEN_STRING, read.found < capacity, &first);
         read.found++) {
        m5_md5_joint joint;
        uint32_t line[OTHER_MAX] = {0}, i = read.found;
        m5_path_set(&p->lx.path, "joint", i);
        if (!list->read(p, first, &joint, line) && room > i &&
            !m5_md5_may_keep(p, start, i, list->least))
            room = i;
        if (i < room) {
            read.joints[i] = joint;
            memcpy(read.others + i * list->size, line, list->size);
        }
    }
    p->lx.path = (m5_path){0};
    read.kept = read.found < room ? read.found : room;
    return read;
}

/* Compares the number of joints with the declared one. If the lists are right and the number is
 * wrong, it is corrected; a line that appears twice and is extra is dropped. Returns whether it was
 * reported that a line is missing. */
static bool settle_count(m5_md5_parser *p, m5_md5_count *declared, const m5_md5_joint_list *list,
                         uint32_t capacity, joint_lines *read)
{
    uint32_t doubled = M5_NO_INDEX;
    bool lost = false;
    if (read->found > capacity)
        doubled = find_doubled(p, read->joints, read->kept, declared);
    else if (list->find_lost != NULL)
        lost = list->find_lost(p, read->joints, read->others, read->kept, declared);
    m5_md5_check_count(p, list->count, declared, read->found, "numJoints", "joints");
    bool all_kept = declared->known && read->found == read->kept;
    if (all_kept && doubled != M5_NO_INDEX) {
        drop_joint(read->joints, read->others, list->size, doubled, &read->kept);
        declared->found = read->found = read->kept;
    } else if (all_kept && declared->odd.length == 0 && read->found != (uint32_t)declared->value &&
               list->is_right(p, declared, read->found)) {
        declared->value = (int32_t)read->found;
        return lost;
    }
    read->kept = read->kept < capacity ? read->kept : capacity;
    return lost;
}

uint32_t m5_md5_read_joints(m5_md5_parser *p, m5_md5_count *declared, const m5_md5_joint_list *list,
                            m5_md5_joint **joints, void **others, bool *whole)
{
    uint32_t capacity = m5_md5_capacity(p, declared, list->least);
    joint_lines read = read_lines(p, list, capacity, declared->known ? capacity + 1 : 0);
    if (p->out_of_memory)
        return 0;
    bool lost = settle_count(p, declared, list, capacity, &read);
    declared->in_place = declared->known && read.found == (uint32_t)declared->value && !lost;
    *joints = read.joints;
    *others = m5_arena_pack(p->arena, read.joints, read.kept * sizeof *read.joints, read.others,
                            read.kept * list->size);
    *whole = read.found == read.kept && !lost && joints_whole(declared, read.joints, read.kept);
    check_parents(p, read.joints, read.kept, declared, list);
    return read.kept;
}
