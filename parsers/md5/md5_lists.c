/* Blocks and the lists of records in them: where they end, and the numbers of their records. */
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
    m5_emit(n->p->report, &d, M5_GRAVE,
            rule == n->rules->duplicate ? "this %s has the number %d of an earlier one, expected %u"
                                        : "this %s is numbered %d, expected %u",
            what, number, i);
}

/* Reads a number again; its sign may stand alone before it. */
static bool read_again(const m5_md5_parser *p, m5_span at, int32_t *number)
{
    const uint8_t *text = p->lx.base + at.offset;
    bool alone = at.length > 1 && text[0] == '-' && !m5_is_digit(text[1]);
    uint32_t from = alone ? at.length : 0;
    while (from > 0 && m5_is_digit(text[from - 1]))
        from--;
    if (alone && text[from - 1] != '/' && text[from - 1] > ' ') /* not all of the number */
        return false;
    if (m5_read_int(text + from, at.length - from, number) >= M5_NUMBER_IS_FLOAT)
        return false;
    *number = alone ? -*number : *number;
    return true;
}

static void check_number(numbers *n, uint32_t i, uint32_t offset)
{
    m5_span at = m5_lex_nth(n->p->report->source, offset, 1);
    int32_t number;
    bool lost = m5_lex_word_at(n->p->report->source, offset).length ==
                0; /* and the number with it */
    if (lost || !read_again(n->p, at, &number)) {
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
