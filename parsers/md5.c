#include "md5.h"

#include <string.h>

static m5_span point(uint32_t offset)
{
    return (m5_span){offset, 0};
}

/* ---- Reports ------------------------------------------------------------------------------- */

m5_diag m5_md5_at(const m5_md5_parser *p, const m5_rule *rule, uint32_t offset, uint32_t n)
{
    m5_diag d = m5_found(rule, m5_lex_nth(p->report->source, offset, n));
    d.path = p->lx.path;
    return d;
}

m5_span m5_md5_word_at(const m5_source *source, uint32_t offset)
{
    enum { LONGEST = 8 };
    uint32_t n = 0;
    while (n < LONGEST && offset + n < source->size && source->bytes[offset + n] >= 'a' &&
           source->bytes[offset + n] <= 'z')
        n++;
    return (m5_span){offset, n};
}

/* ---- The start of the file ----------------------------------------------------------------- */

/* A byte order mark of UTF-16, or the zero half of a letter. */
static bool is_utf16(const m5_source *s)
{
    const uint8_t *b = s->bytes;
    if (s->size < 2)
        return false;
    return (b[0] == 0xff && b[1] == 0xfe) || (b[0] == 0xfe && b[1] == 0xff) ||
           (b[0] == 'M' && b[1] == 0) || (b[0] == 0 && b[1] == 'M');
}

/* Whether any line begins with a keyword of the format: else it is another kind of file, and
 * nothing more can be said about it. */
static bool has_keyword(const m5_md5_parser *p)
{
    m5_report silent;
    m5_lex ahead = m5_lex_ahead(&p->lx, &silent);
    for (;;) {
        m5_token t = m5_lex_next(&ahead);
        if (t.kind == M5_TOKEN_END)
            return false;
        if (t.new_line && m5_md5_find_exactly(p, &p->top, t) != M5_KEY_NONE)
            return true;
    }
}

static void skip_bom(m5_md5_parser *p)
{
    m5_lex *lx = &p->lx;
    if (lx->end - lx->p < 3 || memcmp(lx->p, "\xef\xbb\xbf", 3) != 0)
        return;
    m5_diag d = m5_found(M5_ROW(md5_utf8_bom), (m5_span){0, 3});
    m5_emit(p->report, &d, 0, "the file begins with a UTF-8 byte order mark");
    lx->p += 3;
}

bool m5_md5_start(m5_md5_parser *p)
{
    const m5_source *s = p->report->source;
    if (is_utf16(s)) {
        m5_lex_say(&p->lx, M5_ROW(md5_utf16), (m5_span){0, 2},
                   "the file is UTF-16, expected plain ASCII or UTF-8");
        return false;
    }
    skip_bom(p);
    uint32_t begin = m5_lex_offset(&p->lx);
    m5_token t = m5_lex_peek(&p->lx);
    if (t.kind == M5_TOKEN_END) {
        m5_lex_say(&p->lx, M5_ROW(md5_magic_missing), point(0),
                   "the file is empty, expected MD5Version 10");
        return false;
    }
    if (m5_md5_find_key(p, &p->top, t) != 0) {
        m5_lex_say(&p->lx, M5_ROW(md5_magic_missing), t.span,
                   "expected MD5Version, found '%.*s'", (int)t.span.length, m5_lex_text(&p->lx, t.span));
        return has_keyword(p);
    }
    if (t.span.offset != begin)
        m5_lex_say(&p->lx, M5_ROW(md5_magic_not_first), t.span,
                   "MD5Version is not the first thing in the file");
    return true;
}

/* ---- Top level ----------------------------------------------------------------------------- */

static bool is_one_of(const m5_md5_parser *p, m5_token t, const char *const *words)
{
    for (; *words != NULL; words++)
        if (m5_lex_is(&p->lx, t, *words))
            return true;
    return false;
}

static const char *const camera_words[] = {"numCuts", "cuts", "camera", NULL};
static const char *const version6_words[] = {"numbones", "nummeshes", "bone", "numchannels",
                                             "channel", NULL};

/* A word of a camera at the start of a line below, for cameras have frames as well; of length 0
 * if there is none. */
static m5_span camera_word_below(const m5_md5_parser *p)
{
    m5_report silent;
    m5_lex ahead = m5_lex_ahead(&p->lx, &silent);
    for (;;) {
        m5_token t = m5_lex_next(&ahead);
        if (t.kind == M5_TOKEN_END || (t.new_line && is_one_of(p, t, camera_words)))
            return t.span;
    }
}

/* Words that tell of another kind of file altogether; says so, once. */
static bool is_foreign(m5_md5_parser *p, m5_token t)
{
    const char *word = m5_lex_text(&p->lx, t.span);
    if (is_one_of(p, t, version6_words)) {
        if (!p->bad_version)
            m5_lex_say(&p->lx, M5_ROW(md5_version), t.span,
                       "'%.*s' is version 6 syntax in a file that claims version 10",
                       (int)t.span.length, word);
        return true;
    }
    bool camera = is_one_of(p, t, camera_words);
    if (!camera && !is_one_of(p, t, p->foreign))
        return false;
    m5_span word_at = camera ? t.span : camera_word_below(p);
    if (word_at.length != 0)
        m5_lex_say(&p->lx, M5_ROW(md5_is_camera), word_at, "'%.*s' belongs to an md5camera file",
                   (int)word_at.length, m5_lex_text(&p->lx, word_at));
    else
        m5_lex_say(&p->lx, M5_ROW(md5_wrong_kind), t.span, "'%.*s' belongs to an %s file",
                   (int)t.span.length, word, p->foreign_kind);
    return true;
}

static void skip_to_key(m5_md5_parser *p)
{
    for (;;) {
        m5_lex_skip_line(&p->lx);
        m5_token t = m5_lex_peek(&p->lx);
        if (t.kind == M5_TOKEN_END ||
            (t.new_line && m5_md5_find_exactly(p, &p->top, t) != M5_KEY_NONE))
            return;
        m5_lex_take(&p->lx, t);
    }
}

/* A second copy of the file: its first keywords again, once a block was read. */
static bool begins_again(m5_md5_parser *p, int key, m5_token t)
{
    bool block = false;
    for (unsigned i = 0; i < p->top.count; i++)
        block |= p->top.table[i].shape >= M5_KEY_BLOCK && p->top.seen[i].length != 0;
    bool seen = key >= 0 && p->top.seen[key].length != 0;
    if (!block || !(key == 0 || (key == 1 && seen)))
        return false;
    m5_diag d = m5_found(M5_ROW(md5_file_repeated), t.span);
    if (seen)
        m5_relate(&d, p->report->source, p->top.seen[key], "the first one");
    m5_emit(p->report, &d, 0, "the file begins again: %s behind the first block",
            p->top.table[key].name);
    return true;
}

int m5_md5_top_key(m5_md5_parser *p, bool complete, m5_token *key)
{
    p->lx.path = (m5_path){0};
    for (;;) {
        m5_token t = *key = m5_lex_peek_record(&p->lx);
        if (t.kind == M5_TOKEN_END)
            return M5_KEY_NONE;
        int k = m5_md5_find_key(p, &p->top, t);
        if (begins_again(p, k, t))
            return M5_KEY_STOP;
        if (k != M5_KEY_NONE) {
            m5_lex_take(&p->lx, t);
            return k;
        }
        if (is_foreign(p, t))
            return M5_KEY_STOP;
        if (complete) {
            m5_lex_say(&p->lx, M5_ROW(md5_trailing_data), t.span,
                       "'%.*s' behind the last block of the file", (int)t.span.length,
                       m5_lex_text(&p->lx, t.span));
            return M5_KEY_STOP;
        }
        if (m5_lex_is_cut(&p->lx, t))
            return M5_KEY_NONE;
        k = m5_md5_find_lost_key(p, &p->top, t);
        if (k != M5_KEY_NONE)
            return k;
        k = m5_md5_say_unknown(p, &p->top, t);
        m5_lex_take(&p->lx, t);
        if (k != M5_KEY_NONE)
            return k;
        skip_to_key(p);
    }
}

/* ---- Header values ------------------------------------------------------------------------- */

void m5_md5_version(m5_md5_parser *p)
{
    m5_token t = m5_lex_peek(&p->lx);
    double value = 0;
    if (t.kind != M5_TOKEN_WORD || (t.new_line && !m5_lex_begins_like_number(&p->lx, t))) {
        m5_lex_expected(&p->lx, t, "10");
        return;
    }
    m5_lex_warn_layout(&p->lx, t);
    m5_lex_take(&p->lx, t);
    const char *s = m5_lex_text(&p->lx, t.span);
    m5_read_double((const uint8_t *)s, t.span.length, &value);
    p->bad_version = value != 10;
    if (p->bad_version)
        m5_lex_say(&p->lx, M5_ROW(md5_version), t.span, "expected version 10, found '%.*s'",
                   (int)t.span.length, s);
    else if (!m5_lex_is(&p->lx, t, "10"))
        m5_lex_say(&p->lx, M5_ROW(md5_version_form), t.span,
                   "the version is written '%.*s', expected 10", (int)t.span.length, s);
}

static void skip_bytes_of_line(m5_lex *lx)
{
    const uint8_t *lf = memchr(lx->p, '\n', (size_t)(lx->end - lx->p));
    lx->p = lf ? lf : lx->end;
    lx->gap = 0;
}

void m5_md5_commandline(m5_md5_parser *p, m5_name *out)
{
    m5_lex *lx = &p->lx;
    m5_token t = m5_lex_peek(lx);
    if (t.kind == M5_TOKEN_STRING && !t.new_line) {
        if (!m5_lex_name(lx, out))
            return;
        m5_diag d = m5_found(M5_ROW(md5_commandline_length), t.span);
        m5_emit(p->report, &d, out->length, "the commandline is %u bytes long, expected under 4096",
                out->length);
        return;
    }
    if (t.kind == M5_TOKEN_END) {
        m5_lex_expected(lx, t, "a quoted string");
        return;
    }
    m5_span at = t.new_line ? point((uint32_t)(lx->last - lx->base)) : t.span;
    m5_lex_say(lx, M5_ROW(md5_commandline_unquoted), at,
               t.new_line ? "expected a quoted string, found the end of the line"
                          : "expected a quoted string, found '%.*s'",
               (int)t.span.length, m5_lex_text(lx, t.span));
    if (t.kind == M5_TOKEN_STRING)
        m5_lex_take(lx, t);
    else if (!t.new_line)
        skip_bytes_of_line(lx);
}

bool m5_md5_int(m5_md5_parser *p, m5_md5_count *out)
{
    out->at = m5_lex_peek(&p->lx).span;
    out->known = m5_lex_int(&p->lx, &out->value);
    if (!out->known)
        m5_lex_skip_line(&p->lx);
    return out->known;
}

bool m5_md5_fits(m5_md5_parser *p, m5_md5_count *count, uint32_t bytes, uint32_t offset)
{
    uint32_t most = (p->report->source->size - offset) / bytes;
    if (!count->known || count->value < 0 || (uint32_t)count->value <= most)
        return count->known;
    count->most = most;
    count->exceeds = true;
    count->known = false;
    return false;
}

static void say_exceeds(m5_md5_parser *p, m5_md5_count *count, const char *key)
{
    m5_diag d = m5_found(M5_ROW(md5_count_exceeds_file), count->at);
    d.path = p->lx.path;
    m5_emit(p->report, &d, 0, "%s is %d, but the rest of the file has room for at most %u", key,
            count->value, count->most);
    count->exceeds = false;
}

void m5_md5_check_count(m5_md5_parser *p, const m5_rule *rule, m5_md5_count *count,
                        uint32_t found, const char *key, const char *what)
{
    bool again = count->told && count->told_found == found; /* of two lists that agree */
    count->found = found;
    if (p->lx.ended || again)
        return;
    if (count->exceeds)
        say_exceeds(p, count, key);
    if (!count->known || count->value < 0 || (uint32_t)count->value == found)
        return;
    count->told = true;
    count->told_found = found;
    m5_diag d = m5_found(rule, count->at);
    d.path = p->lx.path;
    uint32_t end = (uint32_t)((p->lx.gap ? p->lx.last : p->lx.p) - p->lx.base);
    if (count->odd.length != 0)
        m5_relate(&d, p->report->source, count->odd, count->odd_says);
    else
        m5_relate(&d, p->report->source, point(end), "they end here");
    m5_emit(p->report, &d, 0, "%s is %d, but the number of %s is %u", key, count->value, what,
            found);
}

uint32_t m5_md5_limit(const m5_md5_count *count)
{
    return count->known && (uint32_t)count->value > count->found ? (uint32_t)count->value
                                                                 : count->found;
}

/* ---- Blocks and records -------------------------------------------------------------------- */

/* Whether a top-level block begins here, so that the present one was never closed. */
static bool block_begins(m5_md5_parser *p, m5_token t)
{
    int k = t.new_line ? m5_md5_find_exactly(p, &p->top, t) : M5_KEY_NONE;
    if (k == M5_KEY_NONE || p->top.table[k].shape < M5_KEY_BLOCK)
        return false;
    bool numbered = p->top.table[k].shape == M5_KEY_NUMBERED;
    return m5_lex_peek_behind(&p->lx, t, numbered ? 2 : 1).kind == M5_TOKEN_OPEN_BRACE;
}

bool m5_md5_file_restarts(m5_md5_parser *p, m5_token t)
{
    return t.new_line && m5_md5_find_exactly(p, &p->top, t) == 0;
}

/* `keyword {` again, or only the brace, right behind itself. */
static bool is_doubled(const m5_md5_parser *p, const m5_md5_key *key, m5_token t)
{
    if (t.kind == M5_TOKEN_OPEN_BRACE)
        return true;
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
                   "'%.*s' a second time", (int)t.span.length, m5_lex_text(&p->lx, t.span));
        while (t.kind != M5_TOKEN_OPEN_BRACE) {
            m5_lex_take(&p->lx, t);
            t = m5_lex_peek(&p->lx);
        }
        m5_lex_take(&p->lx, t);
        t = m5_lex_peek(&p->lx);
    }
    p->headless = false;
    return open;
}

/* A closing brace with another record behind it closes nothing. */
static bool is_stray_brace(m5_md5_parser *p, m5_token_kind kind, m5_token brace)
{
    return kind != M5_TOKEN_WORD && m5_lex_peek_behind(&p->lx, brace, 1).kind == kind;
}

static bool is_leftover(m5_md5_parser *p, m5_token_kind kind, m5_token t)
{
    if (t.kind == M5_TOKEN_CLOSE_BRACE)
        return is_stray_brace(p, kind, t);
    return kind != M5_TOKEN_WORD && !t.new_line && t.kind != kind && t.kind != M5_TOKEN_END;
}

static m5_token peek_next(m5_md5_parser *p, m5_token_kind kind)
{
    m5_token t = m5_lex_peek_record(&p->lx);
    while (is_leftover(p, kind, t)) {
        m5_lex_say(&p->lx, M5_ROW(md5_record_syntax), t.span, "expected %s, found '%.*s'",
                   t.new_line ? "a record" : "the end of the line", (int)t.span.length,
                   m5_lex_text(&p->lx, t.span));
        m5_lex_take(&p->lx, t);
        m5_lex_skip_line(&p->lx);
        t = m5_lex_peek_record(&p->lx);
    }
    return t;
}

bool m5_md5_more(m5_md5_parser *p, m5_token_kind kind, m5_token *first)
{
    *first = peek_next(p, kind);
    if (first->kind == M5_TOKEN_CLOSE_BRACE) {
        m5_lex_close_brace(&p->lx, *first);
        return false;
    }
    if (m5_md5_file_restarts(p, *first)) {
        p->lx.ended = true; /* and what began again is told at the top */
        return false;
    }
    if (first->kind != M5_TOKEN_END && !block_begins(p, *first))
        return true;
    first->new_line = false; /* the token itself is the place, not the end of the line before */
    m5_lex_expected(&p->lx, *first, "'}'");
    return false;
}

/* ---- Record numbers -------------------------------------------------------------------------- */

typedef struct numbers {
    m5_md5_parser *p;
    const m5_md5_number_rules *rules;
    m5_md5_count *declared;
    uint32_t *used; /* by number, the offset + 1 of the record that bears it, or 0 */
    uint32_t limit;
    int32_t before; /* the last record's number ... */
    bool repeating; /* ... which was told to be a duplicate: more of the same go unsaid */
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
    return n->rules->order;
}

static void say_number(const numbers *n, uint32_t i, int32_t number, m5_span at,
                       const m5_rule *rule)
{
    const m5_source *s = n->p->report->source;
    m5_diag d = m5_found(rule, at);
    d.path = n->p->lx.path;
    if (rule == n->rules->duplicate)
        m5_relate(&d, s, m5_md5_word_at(s, n->used[number] - 1), "used here first");
    m5_emit(n->p->report, &d, 0, rule == n->rules->duplicate ? "number %d a second time, expected %u"
                                                             : "number %d, expected %u", number, i);
}

static void check_number(numbers *n, uint32_t i, uint32_t offset)
{
    m5_span at = m5_lex_nth(n->p->report->source, offset, 1);
    int32_t number;
    if (m5_read_int(n->p->lx.base + at.offset, at.length, &number) > M5_NUMBER_IS_FLOAT) {
        n->before = (int32_t)i;
        return;
    }
    const m5_rule *rule = judge_number(n, i, number);
    bool all_there = !n->declared->known || n->declared->found == (uint32_t)n->declared->value;
    if (rule != NULL && all_there) {
        say_number(n, i, number, at, rule);
    } else if (rule != NULL && n->declared->odd.length == 0) {
        n->declared->odd = at;
        n->declared->odd_says = number > (int64_t)n->before + 1 ? "numbers are left out before this one"
                                                                : "this number came before";
    }
    if (number >= 0 && (uint32_t)number < n->limit)
        n->used[number] = offset + 1;
    n->repeating = rule == n->rules->duplicate || (n->repeating && number == n->before);
    n->before = number;
}

void m5_md5_check_numbers(m5_md5_parser *p, const void *records, size_t stride, uint32_t count,
                          m5_md5_count *declared, const m5_md5_number_rules *rules)
{
    size_t mark = p->arena->used;
    numbers n = {p, rules, declared, NULL, m5_md5_limit(declared), -1, false};
    n.limit = n.limit < count || !declared->known ? count : (uint32_t)declared->value;
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

bool m5_md5_vector(m5_lex *lx, float out[3])
{
    return m5_lex_paren(lx, '(') && m5_lex_float(lx, &out[0]) && m5_lex_float(lx, &out[1]) &&
           m5_lex_float(lx, &out[2]) && m5_lex_paren(lx, ')');
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
        form = "and the parents lead back here in a loop";
    else if (i == 0)
        form = "but the first joint must be a root (-1)";
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
    if (parent < -1 && rules->parent_negative != NULL) {
        m5_diag d = m5_md5_at(p, rules->parent_negative, joints[i].offset, 1);
        m5_emit(p->report, &d, 0, "joint %u has parent %d, expected -1 for a root", i, parent);
    } else if (parent < -1) {
        m5_diag d = m5_md5_at(p, rules->parent_range, joints[i].offset, 1);
        m5_emit(p->report, &d, 0, "joint %u has parent %d, expected -1 for a root", i, parent);
    } else if (parent >= (int64_t)limit) {
        m5_diag d = m5_md5_at(p, rules->parent_range, joints[i].offset, 1);
        m5_emit(p->report, &d, 0, "joint %u has parent %d, but there are only %u joints", i,
                parent, limit);
    } else if (parent >= (int64_t)i && parent < (int64_t)count) {
        say_order_of_parent(p, joints, i, rules->parent_order, walk[i] == M5_BROKEN);
    }
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
    bool all_there = !declared->known || (uint32_t)declared->value == declared->found;
    for (uint32_t i = 0; i < count && all_there; i++) { /* else they may point one off */
        p->lx.path = m5_path1("joint", i);
        if (joints[i].name.offset != 0)
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

uint32_t m5_md5_read_joints(m5_md5_parser *p, m5_md5_count *declared,
                            const m5_md5_joint_list *list, m5_md5_joint **joints, void **others,
                            bool *whole)
{
    enum { OTHER_MAX = 8 };
    uint32_t kept = declared->known ? (uint32_t)declared->value : 0, found = 0;
    const uint8_t *start = p->lx.p;
    *joints = m5_md5_array(p, kept, sizeof **joints);
    uint8_t *other = m5_md5_array(p, kept, list->size);
    for (m5_token first; !p->out_of_memory && m5_md5_more(p, M5_TOKEN_STRING, &first); found++) {
        m5_md5_joint joint;
        uint32_t line[OTHER_MAX];
        p->lx.path = m5_path1("joint", found);
        if (!list->read(p, first, &joint, line) && kept > found &&
            !m5_md5_may_keep(p, start, found, list->least))
            kept = found;
        if (found < kept) {
            (*joints)[found] = joint;
            memcpy(other + found * list->size, line, list->size);
        }
    }
    if (p->out_of_memory)
        return 0;
    p->lx.path = (m5_path){0};
    m5_md5_check_count(p, list->count, declared, found, "numJoints", "joints");
    kept = found < kept ? found : kept;
    *others = m5_md5_pack(p, *joints, sizeof **joints, other, list->size, kept);
    *whole = found == kept && joints_whole(declared, *joints, kept);
    check_parents(p, *joints, kept, declared, list);
    return kept;
}
