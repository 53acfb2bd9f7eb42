/* Keywords of both MD5 formats: in order, missing, misspelt, glued to their numbers, lost. */
#include "md5_parser.h"
#include "../core/emit.h"
#include "../core/text.h"

#include <string.h>

/* ---- Keywords ------------------------------------------------------------------------------ */

static uint8_t lower(uint8_t c)
{
    return c >= 'A' && c <= 'Z' ? (uint8_t)(c | 0x20) : c;
}

bool m5_md5_same_but_case(const m5_md5_parser *p, m5_token t, const char *word)
{
    const char *s = m5_lex_text(&p->lx, t.span);
    if (t.kind != M5_TOKEN_WORD || t.span.length != strlen(word))
        return false;
    for (uint32_t i = 0; i < t.span.length; i++)
        if (lower((uint8_t)s[i]) != lower((uint8_t)word[i]))
            return false;
    return true;
}

int m5_md5_find_exactly(const m5_md5_parser *p, const m5_md5_keys *keys, m5_token t)
{
    for (unsigned i = 0; i < keys->count && t.kind == M5_TOKEN_WORD; i++)
        if (m5_lex_is(&p->lx, t, keys->table[i].name))
            return (int)i;
    return M5_KEY_NONE;
}

int m5_md5_find_key(m5_md5_parser *p, const m5_md5_keys *keys, m5_token t)
{
    int key = m5_md5_find_exactly(p, keys, t);
    for (unsigned i = 0; i < keys->count && key == M5_KEY_NONE; i++) {
        if (!m5_md5_same_but_case(p, t, keys->table[i].name))
            continue;
        key = (int)i;
        m5_lex_say(&p->lx, M5_ROW(md5_key_case), t.span, "expected %s, found '%.*s'",
                   keys->table[i].name, (int)t.span.length, m5_lex_text(&p->lx, t.span));
    }
    return key;
}

/* ---- Their order ----------------------------------------------------------------------------- */

/* The expected keyword: the first in order that has not come and was not passed over, else the one
 * that repeats. */
static int due_key(const m5_md5_keys *keys)
{
    int last = M5_KEY_NONE;
    for (unsigned i = 0; i < keys->count; i++) {
        if (keys->seen[i].length == 0 && keys->instead[i].length == 0)
            return (int)i;
        if (keys->table[i].repeats)
            last = (int)i;
    }
    return last;
}

/* Whether a line has only a number after its first word. The line of a joint has more. */
static bool is_number_alone(const m5_md5_parser *p, m5_token t, m5_token number)
{
    m5_token behind = m5_lex_peek_behind(&p->lx, t, 2);
    return !number.new_line && m5_lex_begins_like_number(&p->lx, number) &&
           (behind.new_line || behind.kind == M5_TOKEN_END);
}

/* Whether a word is followed by what follows a keyword of this shape. */
static bool has_shape(const m5_md5_parser *p, m5_token t, m5_md5_value_kind shape)
{
    m5_token next = m5_lex_peek_behind(&p->lx, t, 1);
    switch (shape) {
    case M5_KEY_TEXT: return next.kind == M5_TOKEN_STRING && !next.new_line;
    case M5_KEY_NUMBER: return is_number_alone(p, t, next);
    case M5_KEY_BLOCK: return next.kind == M5_TOKEN_OPEN_BRACE;
    default:
        return m5_lex_begins_like_number(&p->lx, next) &&
               m5_lex_peek_behind(&p->lx, t, 2).kind == M5_TOKEN_OPEN_BRACE;
    }
}

bool m5_md5_is_whole_key(const m5_md5_parser *p, const m5_md5_keys *keys, m5_token t)
{
    int key = m5_md5_find_exactly(p, keys, t);
    return key != M5_KEY_NONE && has_shape(p, t, keys->table[key].shape);
}

/* The first keyword at the start of a line after `t`. It may be asked for many words in a row, and
 * the answer is the same for all of them. */
static int next_key(const m5_md5_parser *p, m5_md5_keys *keys, m5_token t)
{
    m5_report silent;
    m5_lex look = m5_lex_ahead(&p->lx, &silent);
    if (t.span.offset < keys->ahead_at)
        return keys->ahead;
    keys->ahead = M5_KEY_NONE;
    while (t.kind != M5_TOKEN_END && keys->ahead == M5_KEY_NONE) {
        m5_lex_take(&look, t);
        t = m5_lex_peek(&look);
        keys->ahead = t.new_line ? m5_md5_find_exactly(p, keys, t) : M5_KEY_NONE;
    }
    keys->ahead_at = t.span.offset;
    return keys->ahead;
}

/* Whether the line below that of `t` begins with a keyword. */
static bool comes_below(const m5_md5_parser *p, const m5_md5_key *key, m5_token t)
{
    m5_report silent;
    m5_lex look = m5_lex_ahead(&p->lx, &silent);
    m5_lex_take(&look, t);
    m5_lex_skip_line(&look);
    return m5_lex_is(&look, m5_lex_peek(&look), key->name);
}

/* Whether a block's first record begins here. */
static bool begins_block(const m5_md5_parser *p, m5_token t, const m5_md5_key *key)
{
    switch (*key->begins) {
    case '"': return t.kind == M5_TOKEN_STRING;
    case '(': return t.kind == M5_TOKEN_OPEN_PAREN;
    case '0': return m5_lex_begins_like_number(&p->lx, t);
    default: return m5_lex_is(&p->lx, t, key->begins);
    }
}

static void say_lost(m5_md5_parser *p, const m5_md5_key *key, m5_token t)
{
    bool block = key->shape >= M5_KEY_BLOCK;
    m5_lex_say(&p->lx, block ? M5_ROW(md5_record_syntax) : M5_ROW(md5_key_missing), t.span,
               block ? "expected '%s%s', found '%.*s'"
                     : "%s%s is missing, found '%.*s' in its place",
               key->name,
               !block                       ? ""
               : key->shape == M5_KEY_BLOCK ? " {"
                                            : " ... {",
               (int)t.span.length, m5_lex_text(&p->lx, t.span));
}

int m5_md5_find_lost_key(m5_md5_parser *p, m5_md5_keys *keys, m5_token t)
{
    int due = due_key(keys);
    if (due == M5_KEY_NONE || !t.new_line)
        return M5_KEY_NONE;
    const m5_md5_key *key = &keys->table[due];
    m5_token behind = m5_lex_peek_behind(&p->lx, t, 1);
    bool alone = behind.new_line || behind.kind == M5_TOKEN_END;
    bool named = key->shape == M5_KEY_BLOCK && behind.kind == M5_TOKEN_OPEN_BRACE; /* by `t` */
    bool lost = key->shape == M5_KEY_TEXT     ? t.kind == M5_TOKEN_STRING
                : key->shape == M5_KEY_NUMBER ? m5_lex_begins_like_number(&p->lx, t) && alone
                                              : begins_block(p, t, key) && !named;
    bool brace = t.kind == M5_TOKEN_OPEN_BRACE && key->shape == M5_KEY_BLOCK;
    if ((!lost && !brace) || (key->repeats ? comes_below(p, key, t) : next_key(p, keys, t) == due))
        return M5_KEY_NONE;
    say_lost(p, key, t);
    p->headless = key->shape >= M5_KEY_BLOCK && !brace;
    return due;
}

int m5_md5_find_glued(m5_md5_parser *p, const m5_md5_keys *keys, m5_token *t)
{
    const char *word = m5_lex_text(&p->lx, t->span);
    for (unsigned i = 0; i < keys->count && t->kind == M5_TOKEN_WORD && t->new_line; i++) {
        const char *name = keys->table[i].name;
        uint32_t length = (uint32_t)strlen(name), digits = length;
        m5_md5_value_kind shape = keys->table[i].shape;
        bool numbered = shape == M5_KEY_NUMBER || shape == M5_KEY_NUMBERED;
        if (!numbered || t->span.length <= length || memcmp(word, name, length) != 0)
            continue;
        while (digits < t->span.length && m5_is_digit((uint8_t)word[digits]))
            digits++;
        if (digits < t->span.length)
            continue;
        m5_lex_say(&p->lx, M5_ROW(md5_key_unknown), t->span, "'%.*s' has no space after '%s'",
                   (int)t->span.length, word, name);
        t->span.length = length;
        return (int)i;
    }
    return M5_KEY_NONE;
}

/* Whether a token at the start of a line is in the place of the expected keyword, or of the whole
 * first line of a block. For a block that may repeat, its contents must show that it is one. */
static bool stands_for(m5_md5_parser *p, const m5_md5_key *key, m5_token t)
{
    bool block = key->shape >= M5_KEY_BLOCK;
    m5_token behind = m5_lex_peek_behind(&p->lx, t, 1);
    p->headless = block && behind.new_line && begins_block(p, behind, key);
    if (key->repeats && key->shape == M5_KEY_BLOCK && !p->headless &&
        !begins_block(p, m5_lex_peek_behind(&p->lx, t, 2), key))
        return false;
    return p->headless || has_shape(p, t, key->shape);
}

int m5_md5_say_unknown(m5_md5_parser *p, m5_md5_keys *keys, m5_token t)
{
    int due = t.new_line ? due_key(keys) : M5_KEY_NONE;
    if (due != M5_KEY_NONE && !keys->table[due].repeats && next_key(p, keys, t) == due)
        due = M5_KEY_NONE;
    bool meant = due != M5_KEY_NONE && stands_for(p, &keys->table[due], t);
    bool word = t.new_line && t.kind == M5_TOKEN_WORD;
    m5_lex_say(&p->lx, word ? M5_ROW(md5_key_unknown) : M5_ROW(md5_record_syntax), t.span,
               "expected %s, found '%.*s'",
               meant        ? keys->table[due].name
               : t.new_line ? "a keyword"
                            : "the end of the line",
               (int)t.span.length, m5_lex_text(&p->lx, t.span));
    if (due != M5_KEY_NONE)
        keys->told[due] = true;
    return meant ? due : M5_KEY_NONE;
}

bool m5_md5_see(m5_md5_parser *p, m5_md5_keys *keys, int key, m5_token t)
{
    const m5_md5_key *k = &keys->table[key];
    if (!p->headless)
        m5_lex_begin(&p->lx, t);
    for (int i = 0; i < key; i++)
        if (keys->seen[i].length == 0 && keys->instead[i].length == 0)
            keys->instead[i] = t.span;
    if (keys->seen[key].length == 0) {
        keys->seen[key] = t.span;
        return true;
    }
    if (k->repeats)
        return true;
    m5_diag d = m5_found(M5_ROW(md5_key_duplicate), t.span);
    d.path = p->lx.path;
    m5_relate(&d, p->report->source, keys->seen[key], "first occurrence");
    m5_emit(p->report, &d, 0, "%s appears a second time", k->name);
    return false;
}

void m5_md5_skip(m5_md5_parser *p, int key)
{
    m5_lex *lx = &p->lx;
    m5_token t = m5_lex_peek(lx);
    while (t.kind != M5_TOKEN_END && t.kind != M5_TOKEN_OPEN_BRACE && !t.new_line) {
        m5_lex_take(lx, t);
        t = m5_lex_peek(lx);
    }
    if (p->top.table[key].shape < M5_KEY_BLOCK || t.kind != M5_TOKEN_OPEN_BRACE)
        return;
    m5_lex_take(lx, t);
    m5_lex_skip_block(lx);
}

static void say_order(m5_md5_parser *p, const m5_md5_keys *keys, unsigned late)
{
    m5_span found = keys->instead[late];
    m5_diag d = m5_found(M5_ROW(md5_key_order), found);
    d.path = p->lx.path;
    m5_relate(&d, p->report->source, keys->seen[late], "the expected keyword");
    m5_emit(p->report, &d, 0, "expected %s, found '%.*s'", keys->table[late].name,
            (int)found.length, m5_lex_text(&p->lx, found));
}

static bool is_missing(const m5_md5_keys *keys, unsigned i)
{
    return keys->seen[i].length == 0 && keys->table[i].required && !keys->told[i];
}

/* What is in the place of a missing keyword; `end` for the last ones. */
static m5_span place_of(const m5_md5_keys *keys, unsigned i, m5_span end)
{
    return keys->instead[i].length != 0 ? keys->instead[i] : end;
}

static bool is_commandline(const m5_md5_keys *keys, unsigned i)
{
    return strcmp(keys->table[i].name, "commandline") == 0;
}

/* Reports a missing keyword, together with later ones that are missing at the same place. */
static void say_missing(m5_md5_parser *p, const m5_md5_keys *keys, unsigned first, m5_span end)
{
    m5_span found = place_of(keys, first, end);
    bool commandline = is_commandline(keys, first);
    char others[128] = "";
    m5_text list = {others, sizeof others, 0, false};
    for (unsigned i = first + 1; i < keys->count && !commandline; i++) {
        if (!is_missing(keys, i) || place_of(keys, i, end).offset != found.offset)
            continue;
        m5_text_add(&list, ", ", 2);
        m5_text_add(&list, keys->table[i].name, strlen(keys->table[i].name));
    }
    bool several = list.length != 0;
    m5_diag d = m5_found(commandline ? M5_ROW(md5_commandline_missing) : M5_ROW(md5_key_missing),
                         found);
    d.path = p->lx.path;
    m5_emit(p->report, &d, 0, "%s%s %s missing, found '%.*s' in %s place", keys->table[first].name,
            others, several ? "are" : "is", (int)found.length, m5_lex_text(&p->lx, found),
            several ? "their" : "its");
}

void m5_md5_finish_keys(m5_md5_parser *p, const m5_md5_keys *keys, m5_span end)
{
    m5_span late = {0, 0}, missing = {0, 0}; /* where the last one was reported */
    bool top = keys == &p->top; /* where a missing MD5Version was reported at the start */
    for (unsigned i = top; i < keys->count; i++) {
        m5_span instead = keys->instead[i];
        if (keys->seen[i].length != 0 && instead.length != 0) {
            if (instead.offset != late.offset)
                say_order(p, keys, i);
            late = instead;
        } else if (is_missing(keys, i) && place_of(keys, i, end).length == 0) {
            m5_lex_expected(&p->lx, (m5_token){.kind = M5_TOKEN_END}, keys->table[i].name);
        } else if (is_missing(keys, i) && place_of(keys, i, end).offset != missing.offset) {
            say_missing(p, keys, i, end);
            missing = is_commandline(keys, i) ? missing : place_of(keys, i, end);
        }
    }
}
