/* How all MD5 formats begin and what their headers have: version, command line, counts. */
#include "md5_parser.h"
#include "../core/emit.h"

#include "../core/magic.h"

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

/* ---- The start of the file ----------------------------------------------------------------- */

/* A byte order mark of UTF-16, or the NUL byte next to a letter. */
static bool is_utf16(const m5_source *s)
{
    const uint8_t *b = s->bytes;
    if (s->size < 2)
        return false;
    return (b[0] == 0xff && b[1] == 0xfe) || (b[0] == 0xfe && b[1] == 0xff) ||
           (b[0] == 'M' && b[1] == 0) || (b[0] == 0 && b[1] == 'M');
}

/* Whether any line begins with a keyword of the format. If none does, this is another kind of file,
 * and nothing more can be reported about it. */
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

/* Another kind of file, by its first bytes. Only NUL bytes are reported as such. */
static bool is_other_kind(m5_md5_parser *p)
{
    const m5_magic *magic = m5_magic_of(p->report->source);
    if (magic == NULL || *magic->bytes == '\0' || strcmp(magic->bytes, "MD5V") == 0)
        return false;
    bool model = magic->format != NULL && strcmp(magic->format, "pack") != 0;
    const m5_rule *rule = model ? M5_ROW(md5_wrong_kind) : M5_ROW(md5_magic_missing);
    m5_diag d = m5_found(rule, (m5_span){0, (uint32_t)strlen(magic->bytes)});
    d.fix = magic->advice;
    m5_emit(p->report, &d, 0, "expected MD5Version, but the file is %s", magic->what);
    return true;
}

bool m5_md5_start(m5_md5_parser *p)
{
    const m5_source *s = p->report->source;
    if (is_utf16(s)) {
        m5_lex_say(&p->lx, M5_ROW(md5_utf16), (m5_span){0, 2},
                   "the file is UTF-16, expected plain ASCII or UTF-8");
        return false;
    }
    if (is_other_kind(p))
        return false;
    skip_bom(p);
    uint32_t begin = m5_lex_offset(&p->lx);
    m5_token t = m5_lex_peek(&p->lx);
    if (t.kind == M5_TOKEN_END) {
        if (!p->lx.said_nul)
            m5_lex_say(&p->lx, M5_ROW(md5_magic_missing), point(0),
                       "the file is empty, expected MD5Version 10");
        return false;
    }
    if (m5_md5_find_key(p, &p->top, t) != 0) {
        m5_lex_say(&p->lx, M5_ROW(md5_magic_missing), t.span, "expected MD5Version, found '%.*s'",
                   (int)t.span.length, m5_lex_text(&p->lx, t.span));
        return has_keyword(p);
    }
    if (t.span.offset != begin)
        m5_lex_say(&p->lx, M5_ROW(md5_magic_not_first), t.span,
                   "MD5Version is not at the very start of the file");
    return true;
}

/* ---- Top level ----------------------------------------------------------------------------- */

bool m5_md5_is_one_of(const m5_md5_parser *p, m5_token t, const char *const *words)
{
    for (; *words != NULL; words++)
        if (m5_lex_is(&p->lx, t, *words))
            return true;
    return false;
}

/* Keywords that only one of the formats has. */
static const char *const mesh_words[] = {"numMeshes", "joints", "mesh", NULL};
static const char *const anim_words[] = {
    "numAnimatedComponents", "hierarchy", "bounds", "baseframe", "frame", NULL};
static const char *const camera_words[] = {"numCuts", "cuts", "camera", NULL};
static const char *const version6_words[] = {"numbones",    "nummeshes", "bone",
                                             "numchannels", "channel",   NULL};

/* Whether a word is a keyword of this format, of the other one or of cameras. */
static bool is_any_key(const m5_md5_parser *p, m5_token t)
{
    return m5_md5_find_exactly(p, &p->top, t) != M5_KEY_NONE || m5_md5_is_one_of(p, t, p->inner) ||
           m5_md5_is_one_of(p, t, p->foreign) || m5_md5_is_one_of(p, t, camera_words);
}

/* The first of these words at the start of a line from here on. Length 0 if there is none. */
static m5_span find_word(const m5_md5_parser *p, const char *const *words)
{
    m5_report silent;
    m5_lex ahead = m5_lex_ahead(&p->lx, &silent);
    for (;;) {
        m5_token t = m5_lex_next(&ahead);
        if (t.kind == M5_TOKEN_END || (t.new_line && m5_md5_is_one_of(p, t, words)))
            return t.span;
    }
}

/* Whether a word in a file that is read as a camera shows that it is none; reports that. Meshes and
 * animations both have joints. */
static bool is_no_camera(m5_md5_parser *p, m5_token t)
{
    if (p->ours || !m5_md5_is_one_of(p, t, p->foreign))
        return false;
    p->ours = find_word(p, camera_words).length != 0;
    if (p->ours)
        return false;
    const char *kind = find_word(p, mesh_words).length != 0   ? "an md5mesh"
                       : find_word(p, anim_words).length != 0 ? "an md5anim"
                                                              : "an md5mesh or md5anim";
    m5_lex_say(&p->lx, M5_ROW(md5_wrong_kind), t.span, "'%.*s' belongs to %s file",
               (int)t.span.length, m5_lex_text(&p->lx, t.span), kind);
    return true;
}

/* Whether a word belongs to another kind of file; reports that once. */
static bool is_foreign(m5_md5_parser *p, m5_token t)
{
    const char *word = m5_lex_text(&p->lx, t.span);
    if (m5_md5_is_one_of(p, t, version6_words)) {
        m5_lex_say(&p->lx, M5_ROW(md5_version), t.span,
                   "'%.*s' is version 6 syntax, but the file says that it is version 10",
                   (int)t.span.length, word);
        return true;
    }
    if (p->lx.camera)
        return is_no_camera(p, t);
    bool camera = m5_md5_is_one_of(p, t, camera_words);
    if (!camera && !m5_md5_is_one_of(p, t, p->foreign))
        return false;
    m5_span word_at = camera ? t.span : find_word(p, camera_words); /* which have frames, too */
    if (word_at.length != 0)
        m5_lex_say(&p->lx, M5_ROW(md5_is_camera), word_at, "'%.*s' belongs to an md5camera file",
                   (int)word_at.length, m5_lex_text(&p->lx, word_at));
    else
        m5_lex_say(&p->lx, M5_ROW(md5_wrong_kind), t.span, "'%.*s' belongs to an %s file",
                   (int)t.span.length, word, p->foreign_kind);
    return true;
}

/* Skips to a keyword: the next token, or the next one at the start of a line. */
static void skip_to_key(m5_md5_parser *p)
{
    m5_token t = m5_lex_peek(&p->lx);
    while (t.kind != M5_TOKEN_END && m5_md5_find_exactly(p, &p->top, t) == M5_KEY_NONE) {
        m5_lex_take(&p->lx, t);
        m5_lex_skip_line(&p->lx);
        t = m5_lex_peek(&p->lx);
    }
}

static bool has_block(const m5_md5_parser *p)
{
    bool block = false;
    for (unsigned i = 0; i < p->top.count; i++)
        block |= p->top.table[i].shape >= M5_KEY_BLOCK && p->top.seen[i].length != 0;
    return block;
}

/* How the first copy of the file ends: after a brace, and on a line of its own, or else. It is not
 * empty. */
static m5_tag end_of_copy(const m5_source *s, uint32_t at)
{
    uint32_t end = at;
    while (m5_is_blank(s->bytes[end - 1]))
        end--;
    if (s->bytes[end - 1] != '}')
        return M5_TAG_fewer;
    return end == at ? M5_TAG_glued : M5_TAG_none;
}

/* A second copy of the file: its first keyword, once a block was read. */
static bool begins_again(m5_md5_parser *p, int key, bool complete, m5_token t)
{
    bool seen = p->top.seen[0].length != 0;
    bool head = seen || m5_md5_find_exactly(p, &p->top, m5_lex_peek_behind(&p->lx, t, 2)) >= 0;
    if (key != 0 || !head || !has_block(p))
        return false;
    m5_diag d = m5_found(M5_ROW(md5_file_repeated), t.span);
    d.tag = complete ? end_of_copy(p->report->source, t.span.offset) : M5_TAG_fewer;
    if (seen)
        m5_relate(&d, p->report->source, p->top.seen[0], "first occurrence");
    m5_emit(p->report, &d, 0, "the file starts again: MD5Version after the first block");
    return true;
}

int m5_md5_top_key(m5_md5_parser *p, bool complete, m5_token *key)
{
    p->lx.path = (m5_path){0};
    if (p->other_syntax)
        return M5_KEY_STOP;
    for (;;) {
        m5_token t = *key = m5_lex_peek_record(&p->lx);
        if (t.kind == M5_TOKEN_END)
            return M5_KEY_NONE;
        int k = m5_md5_find_key(p, &p->top, t);
        if (begins_again(p, k, complete, t))
            return M5_KEY_STOP;
        if (k != M5_KEY_NONE) {
            m5_lex_take(&p->lx, t);
            return k;
        }
        if (is_foreign(p, t))
            return M5_KEY_STOP;
        if (complete) {
            m5_lex_say(&p->lx, M5_ROW(md5_trailing_data), t.span,
                       "'%.*s' after the last block, expected the end of the file",
                       (int)t.span.length, m5_lex_text(&p->lx, t.span));
            return M5_KEY_NONE; /* what is missing is still reported */
        }
        if (m5_lex_is_cut(&p->lx, t))
            return M5_KEY_NONE;
        k = m5_md5_find_lost_key(p, &p->top, t);
        if (k != M5_KEY_NONE)
            return k;
        k = m5_md5_find_glued(p, &p->top, &t);
        if (k == M5_KEY_NONE)
            k = m5_md5_say_unknown(p, &p->top, t);
        m5_lex_take(&p->lx, t);
        if (k != M5_KEY_NONE)
            return k;
        p->strays++;
        skip_to_key(p);
    }
}

/* ---- Header values ------------------------------------------------------------------------- */

/* Whether a line begins with a word that is no keyword, or a vert goes on behind its counts: then
 * the file is written like the version that it says, and would have a finding in every other line.
 */
static bool has_other_syntax(const m5_md5_parser *p)
{
    m5_report silent;
    m5_lex ahead = m5_lex_ahead(&p->lx, &silent);
    bool vert = false;
    unsigned parens = 0;
    for (m5_token t = m5_lex_next(&ahead); t.kind != M5_TOKEN_END; t = m5_lex_next(&ahead)) {
        if (t.new_line) {
            parens = 0;
            vert = m5_lex_is(&ahead, t, "vert");
            if (t.kind == M5_TOKEN_WORD && !m5_lex_begins_like_number(&ahead, t) &&
                !is_any_key(p, t))
                return true;
        }
        parens += t.kind == M5_TOKEN_OPEN_PAREN;
        if (vert && parens > 1)
            return true;
    }
    return false;
}

static void say_version(m5_md5_parser *p, m5_span at, double value)
{
    const char *found = m5_lex_text(&p->lx, at);
    p->other_syntax = has_other_syntax(p);
    const char *whose = value == 11   ? " (Enemy Territory: Quake Wars; DarkRadiant reads it)"
                        : value == 12 ? " (Storm Engine 2; DarkRadiant reads it)"
                                      : "";
    m5_lex_say(&p->lx, M5_ROW(md5_version), at, "expected version 10, found '%.*s'%s%s",
               (int)at.length, found, whose,
               p->other_syntax ? ", and the file is written like another version: nothing else was "
                                 "checked"
                               : "");
}

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
    if (value != 10)
        say_version(p, t.span, value);
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

/* `""mesh hero.ma"`: an extra quote, so that the text comes after the string. `escaped`: a
 * backslash is before the quote that ends it. */
static void pass_quoted_rest(m5_md5_parser *p, bool escaped)
{
    m5_lex *lx = &p->lx;
    m5_token t = m5_lex_peek(lx);
    if (t.new_line || t.kind == M5_TOKEN_END || m5_md5_is_whole_key(p, &p->top, t))
        return;
    m5_lex_say(lx, M5_ROW(md5_record_syntax), t.span,
               "expected the end of the line, found '%.*s'%s", (int)t.span.length,
               m5_lex_text(lx, t.span),
               escaped ? ": the string ends at its first quote, also after a backslash" : "");
    skip_bytes_of_line(lx);
}

void m5_md5_commandline(m5_md5_parser *p, m5_name *out)
{
    m5_lex *lx = &p->lx;
    m5_token t = m5_lex_peek(lx);
    if (t.kind == M5_TOKEN_STRING && !t.new_line) {
        if (!m5_lex_name(lx, out))
            return;
        pass_quoted_rest(p, out->length != 0 && lx->base[out->offset + out->length - 1] == '\\');
        m5_diag d = m5_found(M5_ROW(md5_commandline_length), t.span);
        if (!lx->camera)
            m5_emit(p->report, &d, out->length,
                    "the commandline is %u bytes long, expected at most 4095", out->length);
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
    out->known = m5_lex_int(&p->lx, &out->value) ||
                 m5_read_int(p->lx.base + out->at.offset, out->at.length, &out->value) ==
                     M5_NUMBER_IS_FLOAT; /* reported, but usable as a count */
    if (!out->known) {
        m5_lex_skip_line(&p->lx);
        return false;
    }
    m5_report silent;
    m5_lex ahead = m5_lex_ahead(&p->lx, &silent);
    m5_token behind = m5_lex_peek(&ahead);
    int32_t other = out->value;
    if (!behind.new_line && m5_lex_begins_like_number(&p->lx, behind))
        m5_read_int(p->lx.base + behind.span.offset, behind.span.length, &other);
    out->known &=
        other ==
        out->value; /* otherwise it is unknown which one is meant; that there are two is reported */
    return out->known;
}

static void say_value(m5_md5_parser *p, const m5_rule *rule, const m5_md5_count *count,
                      const char *key, const char *expected)
{
    m5_diag d = m5_found(rule, count->at);
    d.path = p->lx.path;
    m5_emit(p->report, &d, 0, "%s is %d, expected %s", key, count->value, expected);
}

void m5_md5_read_count(m5_md5_parser *p, m5_md5_count *count, int32_t least, const m5_rule *rule,
                       uint32_t bytes, const char *key)
{
    if (!m5_md5_int(p, count))
        return;
    if (count->value < least) {
        say_value(p, rule, count, key, least == 0 ? "0 or more" : "at least 1");
        count->known = false;
    }
    m5_md5_fits_file(p, count, bytes);
}

uint32_t m5_md5_read_frame_rate(m5_md5_parser *p, const m5_rule *range, const m5_rule *form)
{
    enum { ODD = 1000 };
    m5_md5_count rate = {.value = 0};
    uint64_t flaws = p->report->flaws;
    p->lx.may_cut = true;
    bool known = m5_md5_int(p, &rate);
    p->lx.may_cut = false;
    if (!known || p->report->flaws != flaws)
        return 0;
    if (rate.value <= 0)
        say_value(p, range, &rate, "frameRate", "at least 1");
    else if (rate.value > ODD)
        say_value(p, form, &rate, "frameRate", "at most 1000");
    return rate.value > 0 ? (uint32_t)rate.value : 0;
}

void m5_md5_fits(m5_md5_parser *p, m5_md5_count *count, uint32_t bytes, uint32_t offset)
{
    uint32_t most = (p->report->source->size - offset) / bytes;
    if (!count->known || (uint32_t)count->value <= most)
        return;
    count->most = most;
    count->exceeds = true;
    count->known = false;
}

void m5_md5_fits_file(m5_md5_parser *p, m5_md5_count *count, uint32_t bytes)
{
    m5_md5_fits(p, count, bytes, has_block(p) ? 0 : m5_lex_offset(&p->lx));
}

static void say_exceeds(m5_md5_parser *p, m5_md5_count *count, const char *key)
{
    m5_diag d = m5_found(M5_ROW(md5_count_exceeds_file), count->at);
    d.path = p->lx.path;
    m5_emit(p->report, &d, 0, "%s is %d, but the rest of the file has room for at most %u", key,
            count->value, count->most);
    count->exceeds = false;
}

void m5_md5_check_count(m5_md5_parser *p, const m5_rule *rule, m5_md5_count *count, uint32_t found,
                        const char *key, const char *what)
{
    bool again = count->told && count->told_found == found; /* of two lists that agree */
    uint32_t strays = p->strays;
    p->strays = 0;
    count->found = found;
    p->lx.lacks |= !count->known || (uint32_t)count->value != found;
    bool more = count->of_blocks && count->known && found > (uint32_t)count->value;
    if (again || (p->lx.ended && !more))
        return;
    if ((uint32_t)count->value >= found && (uint32_t)count->value - found <= strays)
        return; /* none is missing, or those that are may have been reported as stray lines */
    if (count->exceeds)
        say_exceeds(p, count, key);
    if (!count->known)
        return;
    count->told = true;
    count->told_found = found;
    m5_diag d = m5_found(rule, count->at);
    d.path = p->lx.path;
    bool fewer = found < (uint32_t)count->value;
    d.tag = found == 0 ? M5_TAG_nothing : fewer ? M5_TAG_fewer : M5_TAG_more;
    uint32_t end = (uint32_t)((p->lx.gap ? p->lx.last : p->lx.p) - p->lx.base);
    if (count->odd.length != 0)
        m5_relate(&d, p->report->source, count->odd, count->odd_says);
    else
        m5_relate(&d, p->report->source, point(end), "end of the list");
    m5_emit(p->report, &d, 0, "%s is %d, but the number of %s is %u", key, count->value, what,
            found);
}

uint32_t m5_md5_limit(const m5_md5_count *count)
{
    return count->known && (uint32_t)count->value > count->found ? (uint32_t)count->value
                                                                 : count->found;
}
