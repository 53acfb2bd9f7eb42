/* Parses declarations of Doom 3: finds each in its file, as idDeclFile::LoadAndParse does, and has
 * models and entities read. */
#include "def_parser.h"
#include "../core/allocate.h"
#include "../core/magic.h"

#include <string.h>

/* ---- Which kind of file it is ---------------------------------------------------------------- */

/* How much of TYPE NAME { was seen, for a type that may be misspelt. */
static unsigned follow_type(const m5_def_parser *p, unsigned seen, m5_def_token t)
{
    const char *name;
    if (t.new_line && m5_def_type_meant(p->source, t, &name) != M5_DEF_UNKNOWN)
        return 1;
    if (seen == 1 && m5_def_is_name(t))
        return 2;
    return seen == 2 && m5_def_is_sign(p, t, '{') ? 3 : 0;
}

/* The byte order mark of UTF-16, in which every other byte is NUL. */
static bool is_utf16(const m5_source *s)
{
    return s->size >= 2 && s->bytes[0] + s->bytes[1] == 0xff + 0xfe;
}

/* ... and of { "key" "value", since an entityDef needs no type. Strings of a C program that are one
 * below the other are no pairs. */
static unsigned follow_pair(const m5_def_parser *p, unsigned seen, m5_def_token t)
{
    if (m5_def_is_sign(p, t, '{'))
        return 1;
    bool value = seen == 2;
    return t.kind == M5_DEF_STRING && seen != 0 && !(value && t.new_line) ? seen + 1 : 0;
}

/* Whether the file ends for Doom 3 before its end: in a comment, or at a NUL byte with more than
 * blanks after it. */
static bool is_cut(const m5_source *s, m5_def_token end)
{
    uint32_t at = end.span.offset;
    while (end.flaw == M5_DEF_NUL && at < s->size && s->bytes[at] <= ' ')
        at++;
    return end.flaw != M5_DEF_FINE && at < s->size;
}

/* Whether TYPE and what follows show a declaration of Doom 3: TYPE NAME {, since types are common
 * words, or a model or entityDef without its name. */
static bool is_declaration(const m5_def_parser *p, m5_def_token t)
{
    m5_def_type type = t.new_line ? m5_def_type_of(p->source, t) : M5_DEF_UNKNOWN;
    m5_def_token next = m5_def_after(p, t);
    if (type == M5_DEF_UNKNOWN)
        return false;
    if (m5_def_is_name(next))
        return m5_def_is_sign(p, m5_def_after(p, next), '{');
    return type != M5_DEF_OTHER && m5_def_is_sign(p, next, '{');
}

/* Whether a file begins like a C program: with #, or with a macro or function and its arguments. */
static bool begins_like_c(const m5_def_parser *p)
{
    m5_def_token t = m5_def_scan(p->source, 0);
    return m5_def_is_sign(p, t, '#') ||
           (t.kind == M5_DEF_WORD && m5_def_is_sign(p, m5_def_after(p, t), '('));
}

/* What only .def files of other programs have: the section EXPORTS of Windows' linker, and blocks
 * of the Build engine such as model "imp.md3" { ... }. */
static bool is_foreign(const m5_def_parser *p, m5_def_token t)
{
    if (!t.new_line || t.kind != M5_DEF_WORD)
        return false;
    m5_def_token next = m5_def_after(p, t);
    bool build = m5_def_is(p->source, t.text, "model") &&
                 (m5_def_is_file(p, next, ".md3") || m5_def_is_file(p, next, ".md2")) &&
                 m5_def_is_sign(p, m5_def_after(p, next), '{');
    return build || m5_def_is(p->source, t.text, "EXPORTS");
}

/* Whether there are declarations from `from` on; `end` is where the text ends for Doom 3. */
static bool survey_part(m5_def_parser *p, uint32_t from, m5_def_token *end)
{
    uint32_t depth = 0;
    unsigned pair = 0, doubt = 0;
    bool is_def = false, extra = false, foreign = false;
    m5_def_token t = m5_def_scan(p->source, from);
    for (; t.kind != M5_DEF_END; t = m5_def_after(p, t)) {
        pair = follow_pair(p, pair, t);
        doubt = follow_type(p, doubt, t);
        is_def |= is_declaration(p, t) || pair == 3 || doubt == 3;
        foreign |= is_foreign(p, t);
        extra |= m5_def_is_sign(p, t, '}') && depth == 0;
        depth += m5_def_is_sign(p, t, '{');
        depth -= m5_def_is_sign(p, t, '}') && depth != 0;
    }
    p->balanced = depth == 0 && !extra;
    *end = t;
    return is_def && !foreign;
}

/* Whether a file has declarations, if only after a NUL byte or in a comment that is not closed:
 * other programs have files named .def too. Also learns whether each brace has its counterpart, and
 * whether the file is cut. */
static bool survey(m5_def_parser *p)
{
    m5_def_token end;
    bool is_def = survey_part(p, 0, &end), balanced = p->balanced;
    p->cut = is_cut(p->source, end);
    while (!is_def && end.flaw == M5_DEF_NUL)
        is_def = survey_part(p, end.span.offset + 1, &end);
    if (!is_def && end.flaw == M5_DEF_OPEN_COMMENT)
        is_def = survey_part(p, end.span.offset + 2, &end);
    p->balanced = balanced;
    return is_def || is_utf16(p->source);
}

/* ---- Declarations ---------------------------------------------------------------------------- */

/* Takes text that is part of no declaration, up to the next one. Returns whether a closing brace
 * after words shows that these belonged to the declaration before. */
static bool pass_strays(m5_def_parser *p)
{
    bool words = false, closes = false;
    uint32_t depth = 0;
    m5_def_token t = m5_def_peek(p);
    for (bool first = true; t.kind != M5_DEF_END; t = m5_def_peek(p), first = false) {
        if (!first && (depth == 0 || !p->balanced) && m5_def_begins_declaration(p, t))
            break;
        words |= !m5_def_is_brace(p, t);
        closes |= m5_def_is_sign(p, t, '}') && depth == 0;
        depth += m5_def_is_sign(p, t, '{');
        depth -= m5_def_is_sign(p, t, '}') && depth != 0;
        m5_def_next(p);
    }
    return words && closes;
}

/* Words alone may be meant for another engine, and a brace at the end of the file harms nothing. */
static void skip_strays(m5_def_parser *p)
{
    m5_span first = m5_def_peek(p).span;
    bool lost = pass_strays(p), last = m5_def_peek(p).kind == M5_DEF_END;
    m5_diag d = m5_def_found(p, M5_ROW(def_stray), first);
    if (m5_def_is(p->source, first, "{"))
        m5_def_report(p, &d, M5_GRAVE, "this block has no type and name");
    else if (m5_def_is(p->source, first, "}"))
        m5_def_report(p, &d, last && !lost ? M5_MILD : M5_GRAVE, "this '}' closes no block");
    else
        m5_def_report(p, &d, lost ? M5_GRAVE : M5_MILD, "'%.*s' is outside of any declaration%s",
                      M5_DEF_TEXT(p, first),
                      lost ? ", and a '}' follows: a '}' above is extra" : "");
}

static void read_body(m5_def_parser *p, m5_def_type type, m5_span name)
{
    if (type == M5_DEF_MODEL)
        m5_def_read_model(p, name);
    else if (type == M5_DEF_ENTITY)
        m5_def_read_entity(p, name);
    else
        m5_def_skip_block(p, name);
}

/* Whether the body of a declaration begins here without its opening brace. */
static bool begins_body(const m5_def_parser *p, m5_def_type type, m5_def_token t)
{
    if (type == M5_DEF_ENTITY)
        return t.kind == M5_DEF_STRING;
    return type == M5_DEF_MODEL && m5_def_model_key(p, t.text, false) != NULL;
}

static void say_no_start(m5_def_parser *p, m5_span name, m5_def_token found)
{
    m5_diag d = m5_def_found(p, M5_ROW(def_brace_missing), (m5_span){p->at, 0});
    m5_def_report(p, &d, 0, "'{' is missing after '%.*s', found %s%.*s%s", M5_DEF_TEXT(p, name),
                  found.kind == M5_DEF_END ? "the end of the file" : "'",
                  M5_DEF_TEXT(p, found.span), found.kind == M5_DEF_END ? "" : "'");
}

/* TYPE was taken. */
static void read_declaration(m5_def_parser *p, m5_def_type type, m5_span keyword)
{
    m5_def_token name = m5_def_peek(p);
    if (m5_def_is_sign(p, name, '{')) {
        m5_diag d = m5_def_found(p, M5_ROW(def_value_missing), keyword);
        m5_def_report(p, &d, 0, "'%.*s' needs a name, found '{'", M5_DEF_TEXT(p, keyword));
        m5_def_skip_block(p, keyword);
        return;
    }
    m5_name text;
    if (!m5_def_read_name(p, keyword, "a name", &text))
        return;
    m5_def_token open = m5_def_peek(p);
    if (!m5_def_is_sign(p, open, '{'))
        say_no_start(p, text, open);
    if (m5_def_is_sign(p, open, '{') || begins_body(p, type, open))
        read_body(p, type, text);
    else if (!m5_def_begins_declaration(p, open))
        pass_strays(p);
}

/* Takes the words before the opening brace of a declaration of an unknown type; they are on one
 * line, and the brace may be on the next. False if there is none. */
static bool skip_to_block(m5_def_parser *p, m5_def_token t)
{
    enum { MOST_WORDS = 8 };
    if (!m5_def_is_name(t) || m5_def_model_key(p, t.text, false) != NULL)
        return false;
    m5_def_token ahead = m5_def_after(p, t);
    unsigned words = 1;
    while (words < MOST_WORDS && ahead.kind != M5_DEF_END && !ahead.new_line &&
           !m5_def_is_brace(p, ahead))
        ahead = m5_def_after(p, ahead), words++;
    if (!m5_def_is_sign(p, ahead, '{'))
        return false;
    while (words-- != 0)
        m5_def_next(p);
    return true;
}

/* A word that is no known type. NAME { "key" ... } is an entityDef; another game may know other
 * types. */
static void read_unknown(m5_def_parser *p, m5_def_token t)
{
    m5_def_token second = m5_def_after(p, t), third = m5_def_after(p, second);
    const char *name = NULL;
    m5_def_type meant = m5_def_type_meant(p->source, t, &name);
    bool has_name = m5_def_is_name(second) && m5_def_is_sign(p, third, '{');
    if (m5_def_is_name(t) && m5_def_is_sign(p, second, '{') &&
        (third.kind == M5_DEF_STRING || m5_def_is_sign(p, third, '}'))) {
        m5_def_next(p);
        m5_def_read_entity(p, t.text);
    } else if (has_name && meant != M5_DEF_UNKNOWN) {
        m5_diag d = m5_def_found(p, M5_ROW(def_type_unknown), t.span);
        m5_def_next(p);
        m5_def_report(p, &d, 0, "'%.*s' is no type of declaration, expected '%s'",
                      M5_DEF_TEXT(p, t.span), name);
        read_declaration(p, meant, t.span);
    } else if (skip_to_block(p, t)) {
        m5_def_skip_block(p, t.text);
    } else {
        skip_strays(p);
    }
}

static void say_end(m5_def_parser *p, m5_def_token end)
{
    bool comment = end.flaw == M5_DEF_OPEN_COMMENT;
    m5_diag d = m5_def_found(
        p, comment ? M5_ROW(def_comment_unterminated) : M5_ROW(def_embedded_nul), end.span);
    d.at.length = comment ? 2 : 1;
    if (p->cut)
        m5_emit(p->report, &d, 0,
                comment ? "the comment is not closed before the end of the file"
                        : "a NUL byte (byte 0) ends the file for Doom 3");
}

static void read_file(m5_def_parser *p)
{
    p->at = 0;
    p->peeked = false;
    p->said_odd_byte = (m5_once){false, 0};
    p->line_end = 0;
    memset(p->hidden, 0, sizeof p->hidden);
    m5_def_token t = m5_def_peek_sound(p);
    for (; t.kind != M5_DEF_END; t = m5_def_peek_sound(p)) {
        m5_def_type type = m5_def_type_of(p->source, t);
        p->path = (m5_path){0};
        if (type == M5_DEF_UNKNOWN)
            read_unknown(p, t);
        else
            read_declaration(p, type, m5_def_next(p).text);
    }
    p->path = (m5_path){0};
    say_end(p, t);
}

/* ---- The whole file -------------------------------------------------------------------------- */

/* An array for records that were counted; `room` becomes false if there is no memory for it. */
static void *take(m5_arena *arena, size_t count, size_t size, bool *room)
{
    void *array = m5_arena_take(arena, count, size);
    *room &= array != NULL;
    return array;
}

/* ... and all of them, with a last record where a range needs its end. */
static bool reserve(m5_def *d, m5_arena *arena)
{
    bool room = true;
    d->models = take(arena, (size_t)d->num_models + 1, sizeof *d->models, &room);
    d->lines = take(arena, d->num_lines, sizeof *d->lines, &room);
    d->offsets = take(arena, d->num_offsets, sizeof *d->offsets, &room);
    d->channels = take(arena, d->num_channels, sizeof *d->channels, &room);
    d->joints = take(arena, d->num_joints, sizeof *d->joints, &room);
    d->anims = take(arena, (size_t)d->num_anims + 1, sizeof *d->anims, &room);
    d->files = take(arena, d->num_files, sizeof *d->files, &room);
    d->commands = take(arena, d->num_commands, sizeof *d->commands, &room);
    d->entities = take(arena, (size_t)d->num_entities + 1, sizeof *d->entities, &room);
    d->keys = take(arena, d->num_keys, sizeof *d->keys, &room);
    return room;
}

/* A file that is something else by its first bytes: a model, an archive, a web page. */
static void check_kind(m5_def_parser *p)
{
    const m5_magic *magic = m5_magic_of(p->source);
    if (magic == NULL)
        return;
    m5_diag d = m5_found(M5_ROW(def_other_kind), (m5_span){0, (uint32_t)strlen(magic->bytes)});
    d.fix = magic->advice;
    m5_emit(p->report, &d, 0, "expected declarations, but the file is %s", magic->what);
}

static void reset_counts(m5_def *d)
{
    d->num_models = d->num_lines = d->num_offsets = d->num_channels = d->num_joints = 0;
    d->num_anims = d->num_files = d->num_commands = d->num_entities = d->num_keys = 0;
}

/* The records after the last ones. */
static void close_ranges(m5_def *d)
{
    uint32_t size = d->source->size;
    d->models[d->num_models] = (m5_def_model){
        {size, 0}, size, d->num_lines, d->num_offsets, d->num_channels, d->num_anims};
    d->anims[d->num_anims] = (m5_def_anim){{size, 0}, d->num_files, d->num_commands, 0, 0};
    d->entities[d->num_entities] = (m5_def_entity){{size, 0}, d->num_keys};
}

m5_status m5_def_parse(m5_report *report, m5_arena *arena, const m5_def **out)
{
    m5_report silent = {.source = report->source};
    m5_def_parser p = {.report = &silent, .source = report->source};
    size_t mark = arena->used;
    uint64_t flaws = report->flaws;
    *out = p.def = m5_arena_take(arena, 1, sizeof *p.def);
    if (p.def == NULL)
        return M5_NO_MEMORY;
    *p.def = (m5_def){.source = report->source};
    bool is_def = !begins_like_c(&p) && survey(&p);
    if (is_def)
        read_file(&p);
    if (!reserve(p.def, arena)) {
        m5_arena_release(arena, mark);
        *out = NULL;
        return M5_NO_MEMORY;
    }
    reset_counts(p.def);
    p.report = report;
    p.storing = true;
    if (is_def)
        read_file(&p);
    else
        check_kind(&p);
    close_ranges(p.def);
    return report->flaws == flaws ? M5_CLEAN : M5_FLAWED;
}
