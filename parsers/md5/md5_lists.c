/* Blocks and the lists of records in them: counts, numbers, joints. */
#include "md5_parser.h"
#include "../core/allocate.h"
#include "../core/emit.h"

#include <string.h>

/* ---- Blocks and records -------------------------------------------------------------------- */

/* Whether a top-level block begins here, so that the current one was never closed. */
static bool block_begins(const m5_md5_parser *p, m5_token t)
{
    int k = t.new_line ? m5_md5_find_exactly(p, &p->top, t) : M5_KEY_NONE;
    if (k == M5_KEY_NONE || p->top.table[k].shape < M5_KEY_BLOCK)
        return false;
    bool numbered = p->top.table[k].shape == M5_KEY_NUMBERED;
    return m5_lex_peek_behind(&p->lx, t, numbered ? 2 : 1).kind == M5_TOKEN_OPEN_BRACE;
}

/* Whether `t` begins a line of the header or of another block, in a list of joints. */
static bool is_elsewhere(const m5_md5_parser *p, m5_token_kind kind, m5_token t)
{
    if (kind != M5_TOKEN_STRING || t.kind == M5_TOKEN_STRING)
        return false;
    int k = m5_md5_find_exactly(p, &p->top, t);
    bool joint = m5_lex_peek_behind(&p->lx, t, 2).kind == M5_TOKEN_OPEN_PAREN &&
                 m5_lex_peek_behind(&p->lx, t, 7).kind == M5_TOKEN_OPEN_PAREN; /* of that name */
    return !joint && ((t.kind == M5_TOKEN_OPEN_PAREN && *p->inner == NULL) ||
                      m5_md5_is_one_of(p, t, p->inner) ||
                      (k != M5_KEY_NONE && p->top.table[k].shape < M5_KEY_BLOCK));
}

/* Whether another block goes on here (with two lines), whose first lines were lost together with
 * the brace before. */
static bool block_goes_on(const m5_md5_parser *p, m5_token_kind kind, m5_token t)
{
    if (!is_elsewhere(p, kind, t))
        return false;
    m5_report silent;
    m5_lex ahead = m5_lex_ahead(&p->lx, &silent);
    m5_lex_take(&ahead, t);
    m5_lex_skip_line(&ahead);
    return is_elsewhere(p, kind, m5_lex_peek(&ahead));
}

bool m5_md5_file_restarts(const m5_md5_parser *p, m5_token t)
{
    return t.new_line && m5_md5_find_exactly(p, &p->top, t) == 0;
}

/* `keyword {` again, or only the brace, right after itself. */
static bool is_doubled(const m5_md5_parser *p, const m5_md5_key *key, m5_token t)
{
    if (t.kind == M5_TOKEN_OPEN_BRACE) /* and not what was meant as a record's parenthesis */
        return !m5_lex_begins_like_number(&p->lx, m5_lex_peek_behind(&p->lx, t, 1));
    bool numbered = key->shape == M5_KEY_NUMBERED;
    return t.new_line && m5_lex_is(&p->lx, t, key->name) &&
           m5_lex_peek_behind(&p->lx, t, numbered ? 2 : 1).kind == M5_TOKEN_OPEN_BRACE;
}

bool m5_md5_open_block(m5_md5_parser *p, int key)
{
    bool open = p->headless || m5_lex_open_brace(&p->lx);
    m5_token t = m5_lex_peek(&p->lx);
    while (open && !p->headless && is_doubled(p, &p->top.table[key], t)) {
        bool brace = t.kind == M5_TOKEN_OPEN_BRACE;
        m5_lex_say(&p->lx, brace ? M5_ROW(md5_record_syntax) : M5_ROW(md5_key_duplicate), t.span,
                   "'%.*s' appears a second time", (int)t.span.length, m5_lex_text(&p->lx, t.span));
        while (t.kind != M5_TOKEN_OPEN_BRACE) {
            m5_lex_take(&p->lx, t);
            t = m5_lex_peek(&p->lx);
        }
        m5_lex_take(&p->lx, t);
        t = m5_lex_peek(&p->lx);
    }
    p->headless = false;
    p->brace_told = false;
    return open;
}

/* A line that is not a record of this kind, not even a broken one: a word without a number after
 * it, or a token alone. */
static bool is_stray(const m5_md5_parser *p, m5_token_kind kind, m5_token t, m5_token behind)
{
    if (behind.kind == M5_TOKEN_END || block_begins(p, t) || block_goes_on(p, kind, t) ||
        m5_md5_file_restarts(p, t))
        return false;
    return behind.new_line || behind.kind == M5_TOKEN_CLOSE_BRACE || is_elsewhere(p, kind, t) ||
           (t.kind == M5_TOKEN_WORD && !m5_lex_begins_like_number(&p->lx, t) &&
            (kind != M5_TOKEN_STRING || behind.kind == M5_TOKEN_WORD) &&
            !m5_lex_begins_like_number(&p->lx, behind));
}

/* A parenthesis that is alone on the rest of its line, with no numbers in the next line. This is
 * asked for every pair, so it must be fast. */
static bool is_lone_paren(const m5_md5_parser *p, m5_token t)
{
    const uint8_t *next = p->lx.p + 1;
    if (next < p->lx.end && *next == ' ')
        return false;
    m5_token behind = m5_lex_peek_behind(&p->lx, t, 1);
    return behind.new_line && !m5_lex_begins_like_number(&p->lx, behind);
}

/* Something after a record on its line, a line that is not a record, or a closing brace that closes
 * nothing. */
static bool is_leftover(const m5_md5_parser *p, m5_token_kind kind, bool due, m5_token t)
{
    if (kind == M5_TOKEN_WORD || t.kind == M5_TOKEN_END)
        return false;
    if (t.kind == M5_TOKEN_OPEN_PAREN && kind == t.kind)
        return is_lone_paren(p, t);
    if (t.kind == kind && t.new_line)
        return false;
    m5_token behind = m5_lex_peek_behind(&p->lx, t, 1);
    if (t.kind == kind)
        return behind.new_line; /* a name with nothing after it, as in a comment */
    if (t.kind == M5_TOKEN_CLOSE_BRACE)
        return due && (behind.kind == kind ||
                       (!behind.new_line && m5_lex_begins_like_number(&p->lx, behind)));
    return !t.new_line || is_stray(p, kind, t, behind);
}

void m5_md5_pass_stray(m5_md5_parser *p, m5_token t)
{
    m5_lex_take(&p->lx, t);
    bool alone = t.new_line && m5_lex_peek(&p->lx).new_line;
    p->brace_told |= alone && t.span.length == 1;
    p->strays += t.kind != M5_TOKEN_CLOSE_BRACE || !alone;
}

static m5_token peek_next(m5_md5_parser *p, m5_token_kind kind, bool due)
{
    m5_token t = m5_lex_peek_record(&p->lx);
    while (is_leftover(p, kind, due, t)) {
        m5_lex_say(&p->lx, M5_ROW(md5_record_syntax), t.span, "expected %s, found '%.*s'",
                   t.new_line ? "a record" : "the end of the line", (int)t.span.length,
                   m5_lex_text(&p->lx, t.span));
        m5_md5_pass_stray(p, t);
        t = m5_lex_peek_record(&p->lx);
    }
    return t;
}

bool m5_md5_more(m5_md5_parser *p, m5_token_kind kind, bool due, m5_token *first)
{
    *first = peek_next(p, kind, due);
    if (first->kind == M5_TOKEN_CLOSE_BRACE) {
        m5_lex_close_brace(&p->lx, *first);
        return false;
    }
    if (m5_md5_file_restarts(p, *first)) {
        p->lx.ended = true; /* and the top level reports what began again */
        return false;
    }
    if (first->kind != M5_TOKEN_END && !block_begins(p, *first) && !block_goes_on(p, kind, *first))
        return true;
    first->new_line = false; /* the token itself is the place, not the end of the line before */
    if (!p->brace_told)
        m5_lex_expected(&p->lx, *first, "'}'");
    p->lx.ended |= first->kind == M5_TOKEN_END;
    return false;
}

/* ---- Record numbers -------------------------------------------------------------------------- */

typedef struct numbers {
    m5_md5_parser *p;
    const m5_md5_number_rules *rules;
    m5_md5_count *declared;
    uint32_t *used; /* by number, the offset + 1 of the record that has it, or 0 */
    uint32_t limit;
    int32_t before; /* the last record's number ... */
    bool repeating; /* ... which was reported as a duplicate: more of the same are not reported */
    bool astray;    /* it was reported that they are out of order, and they still are */
} numbers;

/* What is wrong with record i's number, or NULL. */
static const m5_rule *judge_number(const numbers *n, uint32_t i, int32_t number)
{
    if (number == (int64_t)n->before + 1 || number == (int64_t)i)
        return NULL;
    if (number < 0 || (uint32_t)number >= n->limit)
        return n->rules->range;
    if (n->used[number] != 0)
        return number == n->before && n->repeating ? NULL : n->rules->duplicate;
    return n->astray ? NULL : n->rules->order;
}

static void say_number(const numbers *n, uint32_t i, int32_t number, m5_span at,
                       const m5_rule *rule)
{
    const m5_source *s = n->p->report->source;
    const m5_path *path = &n->p->lx.path;
    const char *what = path->step[path->step[1].name != NULL].name;
    m5_diag d = m5_found(rule, at);
    d.path = *path;
    if (rule == n->rules->duplicate)
        m5_relate(&d, s, m5_lex_word_at(s, n->used[number] - 1), "first occurrence");
    m5_emit(n->p->report, &d, 0,
            rule == n->rules->duplicate ? "this %s has the number %d of an earlier one, expected %u"
                                        : "this %s is numbered %d, expected %u",
            what, number, i);
}

static void check_number(numbers *n, uint32_t i, uint32_t offset)
{
    m5_span at = m5_lex_nth(n->p->report->source, offset, 1);
    int32_t number;
    bool lost = m5_lex_word_at(n->p->report->source, offset).length ==
                0; /* and the number with it */
    if (lost || m5_read_int(n->p->lx.base + at.offset, at.length, &number) >= M5_NUMBER_IS_FLOAT) {
        n->before = (int32_t)i;
        return;
    }
    const m5_rule *rule = judge_number(n, i, number);
    bool all_there = n->declared->found == (uint32_t)n->declared->value;
    if (rule != NULL && all_there) {
        say_number(n, i, number, at, rule);
    } else if (rule != NULL && n->declared->odd.length == 0) {
        n->declared->odd = at;
        n->declared->odd_says = number > (int64_t)n->before + 1
                                    ? "numbers are missing before this one"
                                    : "repeated number";
    }
    if (number >= 0 && (uint32_t)number < n->limit)
        n->used[number] = offset + 1;
    n->astray = number != (int64_t)i && (n->astray || rule == n->rules->order);
    n->repeating = rule == n->rules->duplicate || (n->repeating && number == n->before);
    n->before = number;
}

void m5_md5_check_numbers(m5_md5_parser *p, const void *records, size_t stride, uint32_t count,
                          m5_md5_count *declared, const m5_md5_number_rules *rules)
{
    size_t mark = p->arena->used;
    numbers n = {.p = p,
                 .rules = rules,
                 .declared = declared,
                 .limit = (uint32_t)declared->value,
                 .before = -1};
    if (!declared->known) /* then none was kept */
        return;
    n.used = m5_md5_array(p, n.limit, sizeof *n.used);
    if (n.used == NULL)
        return;
    memset(n.used, 0, n.limit * sizeof *n.used);
    unsigned last = p->lx.path.step[1].name != NULL; /* mesh[0].vert[i] or frame[i] */
    for (uint32_t i = 0; i < count; i++) {
        uint32_t offset;
        memcpy(&offset, (const uint8_t *)records + i * stride, sizeof offset);
        p->lx.path.step[last].index = i;
        check_number(&n, i, offset);
    }
    m5_arena_release(p->arena, mark);
}

/* ---- Small parts ----------------------------------------------------------------------------- */

uint32_t m5_md5_capacity(const m5_md5_parser *p, const m5_md5_count *declared, uint32_t least)
{
    uint32_t most = (uint32_t)(p->lx.end - p->lx.p) / least;
    uint32_t value = declared->known ? (uint32_t)declared->value : 0;
    return value < most ? value : most;
}

bool m5_md5_may_keep(const m5_md5_parser *p, const uint8_t *start, uint32_t i, uint64_t least)
{
    return (uint64_t)(p->lx.p - start) / least > i;
}

void *m5_md5_array(m5_md5_parser *p, size_t count, size_t size)
{
    void *block = m5_arena_take(p->arena, count, size);
    if (block == NULL)
        p->out_of_memory = true;
    return block;
}

void *m5_md5_pack(m5_md5_parser *p, void *a, size_t a_size, void *b, size_t b_size, uint32_t n)
{
    uint8_t *end = (uint8_t *)a + n * a_size;
    size_t apart = (size_t)((uint8_t *)b - (uint8_t *)a);
    m5_arena_trim(p->arena, a, apart + n * b_size); /* both, with what is between: one block */
    memmove(end, b, n * b_size);
    m5_arena_trim(p->arena, a, n * (a_size + b_size));
    return end;
}

/* ---- Joints -------------------------------------------------------------------------------- */

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
        p->lx.path = m5_path1("joint", i);
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
        p->lx.path = m5_path1("joint", i);
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

/* Compares the number of joints with the declared one. A line that appears twice and is extra is
 * dropped. Returns whether it was reported that a line is missing. */
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
    if (read->kept == capacity + 1 && read->found == read->kept && doubled != M5_NO_INDEX) {
        drop_joint(read->joints, read->others, list->size, doubled, &read->kept);
        declared->found = read->found = read->kept;
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
    *others = m5_md5_pack(p, read.joints, sizeof *read.joints, read.others, list->size, read.kept);
    *whole = read.found == read.kept && !lost && joints_whole(declared, read.joints, read.kept);
    check_parents(p, read.joints, read.kept, declared, list);
    return read.kept;
}
