/* Reads an animation of a model declaration, as idDeclModelDef::ParseAnim does:
 *
 *     anim NAME FILE [, FILE [, FILE]] [{ flags, and frame NUMBER COMMAND ARGUMENTS }] */
#include "def_parser.h"

#include <string.h>

static const char *const flags[] = {"prevent_idle_override", "random_cycle_start", "ai_no_turn",
                                    "anim_turn"};
enum { FLAGS = sizeof flags / sizeof *flags };

_Static_assert(1 << (FLAGS - 1) == M5_DEF_ANIM_TURN, "a bit for each word");

const char *m5_def_flag_name(unsigned bit)
{
    return bit < FLAGS ? flags[bit] : NULL;
}

/* ---- Files -------------------------------------------------------------------------------------
 */

static void say_too_many(m5_def_parser *p, m5_span file)
{
    m5_diag d = m5_def_found(p, M5_ROW(def_anim_files), file);
    m5_def_report(p, &d, 0, "an animation has at most %d files", M5_DEF_SYNCED);
}

/* Whether another file follows: after a comma, or with the comma forgotten. */
static bool more_files(m5_def_parser *p, m5_span *comma)
{
    m5_def_token t = m5_def_peek(p);
    if (m5_def_is_sign(p, t, ',')) {
        *comma = m5_def_next(p).span;
        return true;
    }
    if (!m5_def_is_file(p, t, ".md5anim"))
        return false;
    m5_diag d = m5_def_found(p, M5_ROW(def_comma_missing), (m5_span){p->at, 0});
    m5_def_report(p, &d, 0, "',' is missing before the file '%.*s'", M5_DEF_TEXT(p, t.text));
    return true;
}

static void read_files(m5_def_parser *p, m5_def_anim *a, m5_span keyword)
{
    m5_def *d = p->def;
    m5_name file;
    do {
        if (!m5_def_read_name(p, keyword, "the path of an md5anim", &file))
            return;
        if (a->num_files == M5_DEF_SYNCED) {
            say_too_many(p, file);
            continue;
        }
        if (p->storing)
            d->files[d->num_files] = file;
        d->num_files++;
        a->num_files++;
    } while (more_files(p, &keyword));
}

/* ---- frame NUMBER [, NUMBER] COMMAND ARGUMENTS
 * --------------------------------------------------- */

static void say_frame(m5_def_parser *p, m5_span at, const char *what)
{
    m5_diag d = m5_def_found(p, M5_ROW(def_frame_number), at);
    m5_def_report(p, &d, 0, "%s, expected an integer from 1", what);
}

/* The number of a frame, or 0 after it was reported to be wrong. */
static int32_t read_frame(m5_def_parser *p, m5_span keyword, m5_span *at)
{
    m5_def_token t = m5_def_peek(p);
    int32_t frame = 0;
    *at = t.span;
    if (t.new_line || t.kind == M5_DEF_END || m5_def_is_brace(p, t)) {
        say_frame(p, keyword, "the number of the frame is missing");
        return 0;
    }
    if (m5_def_is_name(t) && t.kind != M5_DEF_NUMBER) { /* maybe the command already */
        say_frame(p, t.span, "this is not the number of a frame");
        return 0;
    }
    m5_def_next(p);
    if (m5_def_is_sign(p, t, '-')) {
        if (m5_def_peek(p).kind == M5_DEF_NUMBER)
            at->length = m5_def_end(m5_def_next(p)) - at->offset;
        say_frame(p, *at, "the number of the frame is negative");
    } else if (t.kind != M5_DEF_NUMBER) {
        say_frame(p, t.span, "this is not the number of a frame");
    } else if (!m5_def_int(p->source, t.text, &frame)) {
        say_frame(p, t.span, "the number of the frame is not an integer");
    } else if (frame == 0) {
        say_frame(p, t.span, "the number of the frame is 0");
    }
    return frame;
}

/* Quake 4 takes several numbers; the first one is kept. */
static void read_more_frames(m5_def_parser *p, m5_span keyword)
{
    m5_span at;
    while (m5_def_is_sign(p, m5_def_peek(p), ',')) {
        m5_def_next(p);
        read_frame(p, keyword, &at);
    }
}

/* Whether the arguments of a command end here. Two commands may share a line. */
static bool ends_arguments(const m5_def_parser *p, m5_def_token t)
{
    return t.new_line || t.kind == M5_DEF_END || m5_def_is_brace(p, t) ||
           (t.kind == M5_DEF_WORD && m5_def_is(p->source, t.text, "frame"));
}

static void read_frame_command(m5_def_parser *p, m5_span keyword)
{
    m5_def *d = p->def;
    m5_def_command c = {0};
    c.frame = read_frame(p, keyword, &c.frame_at);
    read_more_frames(p, keyword);
    m5_def_token t = m5_def_peek(p);
    if (t.new_line || !m5_def_is_name(t)) {
        m5_diag diag = m5_def_found(p, M5_ROW(def_command_missing), keyword);
        m5_def_report(p, &diag, 0, "'frame' needs a command on its line");
        m5_def_skip_line(p);
        return;
    }
    c.name = m5_def_next(p).text;
    c.arguments = (m5_span){p->at, 0};
    for (t = m5_def_peek(p); !ends_arguments(p, t); t = m5_def_peek(p)) {
        uint32_t from = c.arguments.length == 0 ? t.span.offset : c.arguments.offset;
        m5_def_next(p);
        c.arguments = (m5_span){from, p->at - from};
    }
    if (p->storing)
        d->commands[d->num_commands] = c;
    d->num_commands++;
}

/* ---- { flags and frame commands }
 * ---------------------------------------------------------------- */

static const char *misspelt_flag(const m5_def_parser *p, m5_def_token t)
{
    for (unsigned i = 0; i < FLAGS; i++)
        if (m5_def_is_misspelt(p->source, t.text, flags[i]))
            return flags[i];
    return m5_def_is_misspelt(p->source, t.text, "frame") ? "frame" : NULL;
}

/* A flag. Those of other engines are passed over, with numbers after them: rate 0.5 */
static void read_flag(m5_def_parser *p, m5_def_anim *a)
{
    m5_def_token t = m5_def_next(p);
    for (unsigned i = 0; i < FLAGS; i++)
        if (m5_def_is(p->source, t.text, flags[i])) {
            a->flags |= (uint16_t)(1u << i);
            return;
        }
    const char *meant = m5_def_is_name(t) ? misspelt_flag(p, t) : NULL;
    if (meant != NULL) {
        m5_diag d = m5_def_found(p, M5_ROW(def_flag_unknown), t.span);
        m5_def_report(p, &d, 0, "'%.*s' is no flag of an animation, expected '%s'",
                      M5_DEF_TEXT(p, t.text), meant);
    }
    if (meant != NULL && strcmp(meant, "frame") == 0)
        read_frame_command(p, t.text);
}

static void read_block(m5_def_parser *p, m5_def_anim *a)
{
    m5_def_next(p);
    for (;;) {
        m5_def_token t = m5_def_peek(p);
        if (t.kind == M5_DEF_END || m5_def_begins_model_line(p, t) ||
            m5_def_begins_declaration(p, t)) {
            m5_def_say_no_end(p, a->name);
            return;
        }
        if (m5_def_is_sign(p, t, '}')) {
            m5_def_next(p);
            return;
        }
        if (m5_def_is_sign(p, t, '{'))
            m5_def_skip_block(p, a->name);
        else if (m5_def_is(p->source, t.text, "frame"))
            read_frame_command(p, m5_def_next(p).text);
        else
            read_flag(p, a);
    }
}

/* Whether a line has no name but begins with the file. */
static bool lacks_name(m5_def_parser *p)
{
    m5_def_token t = m5_def_peek(p), second = m5_def_after(p, t);
    return m5_def_is_file(p, t, ".md5anim") && !(m5_def_is_name(second) && !second.new_line);
}

void m5_def_read_anim(m5_def_parser *p, m5_span keyword)
{
    m5_def *d = p->def;
    m5_def_anim a = {.first_file = d->num_files, .first_command = d->num_commands};
    a.name = (m5_name){keyword.offset, 0};
    m5_path outer = p->path;
    p->path = m5_path_to(outer, "anim", d->num_anims, p->source, a.name);
    if (lacks_name(p)) {
        m5_diag diag = m5_def_found(p, M5_ROW(def_value_missing), keyword);
        m5_def_report(p, &diag, 0, "'anim' needs a name before its file");
    } else if (!m5_def_read_name(p, keyword, "a name", &a.name)) {
        p->path = outer;
        return;
    }
    p->path = m5_path_to(outer, "anim", d->num_anims, p->source, a.name);
    read_files(p, &a, keyword);
    if (m5_def_is_sign(p, m5_def_peek(p), '{'))
        read_block(p, &a);
    if (p->storing)
        d->anims[d->num_anims] = a;
    d->num_anims++;
    p->path = outer;
}
