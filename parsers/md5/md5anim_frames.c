/* Parses the frames of an md5anim: their numbers and as many values as there are components. */
#include "md5anim_state.h"
#include "../core/allocate.h"
#include "../core/emit.h"

#include <math.h>
#include <string.h>

/* ---- frame number { value ... } -------------------------------------------------------------- */

static uint32_t num_values(const m5_md5anim_state *p)
{
    return p->num_components.known ? (uint32_t)p->num_components.value : 0;
}

/* The least text that a frame takes. */
static uint64_t least_frame(const m5_md5anim_state *p)
{
    return MIN_FRAME_BLOCK + MIN_VALUE * (uint64_t)num_values(p);
}

/* Room for all frames once the first one comes: for the values of as many as the file can hold,
 * and a word or two for each that is declared. */
static void start_frames(m5_md5anim_state *p, uint32_t offset)
{
    m5_md5anim *m = p->model;
    uint64_t most = (m->source->size - offset) / least_frame(p);
    p->start = p->md5.lx.base + offset;
    p->frames = M5_FRAMES_OPEN;
    p->room = p->num_frames.known ? (uint32_t)p->num_frames.value : 0;
    p->capacity = p->room < most ? p->room : (uint32_t)most;
    m->components = m5_md5_array(&p->md5, (size_t)p->capacity * num_values(p), sizeof(float));
    m->frames = m5_md5_array(&p->md5, p->room, sizeof *m->frames);
    p->values = m5_md5_array(&p->md5, p->room, sizeof *p->values);
}

/* Whether all frames were there, and the first one comes again. */
static bool frames_begin_again(m5_md5anim_state *p, int32_t number, m5_span at)
{
    if (number != 0 || p->frames_found == 0 || p->frames_found != p->room)
        return false;
    m5_diag d = m5_found(M5_ROW(md5anim_frame_duplicate), at);
    d.path = p->md5.lx.path;
    m5_relate(&d, p->model->source, m5_lex_word_at(p->model->source, p->model->frames[0]),
              "first occurrence");
    m5_emit(p->md5.report, &d, M5_MILD, "the frames start again: frame 0 appears a second time");
    return true;
}

/* Skips a word between the values that is not a number; false if it shows that the frame has ended.
 * A brace does not end it while more values are expected (`due`) and follow it. */
static bool pass_word(m5_md5anim_state *p, bool due)
{
    m5_lex *lx = &p->md5.lx;
    m5_token t = m5_lex_peek(lx);
    bool early = due && t.kind == M5_TOKEN_CLOSE_BRACE &&
                 m5_lex_begins_like_number(lx, m5_lex_peek_behind(lx, t, 1));
    if (!early && !m5_md5_more(&p->md5, M5_TOKEN_WORD, false, &t))
        return false;
    if (m5_lex_begins_like_number(lx, t)) /* the next line, after something that was reported */
        return true;
    m5_lex_say(lx, t.kind == M5_TOKEN_WORD ? M5_ROW(md5_number_syntax) : M5_ROW(md5_record_syntax),
               t.span, "expected a number, found '%.*s'", (int)t.span.length,
               (const char *)lx->base + t.span.offset);
    m5_md5_pass_stray(&p->md5, t);
    return true;
}

/* Takes the line of the closing brace, as exporters write it. */
static bool pass_last_line(m5_lex *lx)
{
    const uint8_t *p = lx->p;
    if (p >= lx->safe)
        return false;
    p += *p == '\r';
    if (p[0] != '\n' || p[1] != '}' || (p[2] != '\n' && p[2] != '\r'))
        return false;
    m5_lex_pass_line(lx, p);
    lx->p = p + 2;
    return true;
}

/* Reads values up to the closing brace, keeps the first `room` and returns how many came. If there
 * was something else between them, it is not known which value is which. */
static uint32_t read_values(m5_md5anim_state *p, float *out, uint32_t room, bool *known)
{
    m5_lex *lx = &p->md5.lx;
    uint32_t n = 0;
    uint64_t flaws = p->md5.report->flaws;
    bool read = true; /* on a line with a report, other mistakes are not reported */
    for (;; n++) {
        float value = (float)NAN;
        n += n < room ? m5_lex_values(lx, &out[n], room - n) : 0;
        if (n == room && pass_last_line(lx))
            break;
        if (!m5_lex_value(lx, &value) && !pass_word(p, n < room))
            break;
        read &= !isnan(value);
        if (n < room)
            out[n] = value;
    }
    p->md5.brace_told = false;
    p->md5.strays = 0;
    *known = read && p->md5.report->flaws == flaws;
    return n;
}

static void forget(float *values, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        values[i] = (float)NAN;
}

static void warn_of_brace_line(m5_lex *lx)
{
    m5_token t = m5_lex_peek(lx);
    if (m5_lex_begins_like_number(lx, t) && !t.new_line)
        m5_lex_say(lx, M5_ROW(md5anim_frame_brace_line), t.span,
                   "values begin on the line of the opening brace, expected on the next line");
}

/* In a frame with missing or extra values it is not known which value is which. */
static void read_frame_body(m5_md5anim_state *p, uint32_t offset)
{
    m5_md5anim *m = p->model;
    uint32_t i = p->frames_found++, width = m->num_components;
    bool keep = i < p->capacity, known;
    float *out = keep ? m->components + (size_t)i * width : NULL;
    uint32_t values = read_values(p, out, keep ? width : 0, &known);
    if (keep && (values != width || !known)) {
        forget(out, width);
        p->marked = true;
    }
    if (keep && !m5_md5_may_keep(&p->md5, p->start, i, least_frame(p)))
        p->capacity = i;
    if (i >= p->room)
        return;
    m->frames[i] = offset;
    p->values[i] = p->md5.lx.ended || !known ? width : values;
}

/* Reads `5 {` or, if the whole first line was lost, nothing. */
static void read_number(m5_md5anim_state *p)
{
    m5_lex *lx = &p->md5.lx;
    m5_token t = m5_lex_peek(lx);
    int32_t number;
    if (p->md5.headless && m5_lex_peek_behind(lx, t, 1).kind != M5_TOKEN_OPEN_BRACE)
        return;
    p->md5.headless = false;
    if (!m5_lex_int(lx, &number))
        return;
    p->repeated = frames_begin_again(p, number, t.span);
    p->out_of_turn |= !p->repeated && number != (int64_t)p->frames_found;
}

/* The place after at most two line endings. */
static const uint8_t *behind_lines(const uint8_t *p)
{
    for (int i = 0; i < 2; i++)
        p += p[0] == '\r' && p[1] == '\n' ? 2 : p[0] == '\n';
    return p;
}

/* Takes `frame 5 {` if 5 is expected, on a line of its own, with the first value below: as
 * exporters write it, so that there is nothing to report. Returns where it is, or 0 if it is
 * written differently. */
static uint32_t pass_first_line(m5_md5anim_state *p)
{
    m5_lex *lx = &p->md5.lx;
    const uint8_t *at, *brace;
    int32_t number;
    if (lx->p >= lx->safe || p->frames_found >= p->capacity)
        return 0;
    at = behind_lines(lx->p);
    if (at == lx->p || memcmp(at, "frame ", 6) != 0 ||
        (brace = m5_fast_int(at + 6, &number)) == NULL || number != (int64_t)p->frames_found ||
        brace[0] != ' ' || brace[1] != '{')
        return 0;
    const uint8_t *line = behind_lines(brace + 2), *value = line;
    while (value < line + 4 && (*value == ' ' || *value == '\t'))
        value++;
    if (line == brace + 2 || !(m5_is_digit(*value) || *value == '-'))
        return 0;
    m5_path_set(&lx->path, "frame", p->frames_found);
    m5_lex_pass_line(lx, at - 1);
    lx->record = at;
    lx->p = brace + 2;
    return (uint32_t)(at - lx->base);
}

void m5_md5anim_read_frame(m5_md5anim_state *p, int key, m5_token first)
{
    m5_lex *lx = &p->md5.lx;
    uint32_t offset = first.span.offset;
    if (p->frames == M5_FRAMES_TO_COME)
        start_frames(p, offset);
    if (p->md5.out_of_memory)
        return;
    m5_path_set(&lx->path, "frame", p->frames_found);
    read_number(p);
    if (p->repeated)
        return;
    if (!m5_md5_open_block(&p->md5, key)) {
        m5_lex_skip_line(lx);
        return;
    }
    warn_of_brace_line(lx);
    do
        read_frame_body(p, offset);
    while ((offset = pass_first_line(p)) != 0);
}

/* ---- How many values the frames hold --------------------------------------------------------- */

static uint32_t frames_listed(const m5_md5anim_state *p)
{
    return p->frames_found < p->room ? p->frames_found : p->room;
}

/* The offset of a frame's first value. */
static uint32_t first_value(const m5_md5anim_state *p, uint32_t i)
{
    enum { HEAD = 3 }; /* frame 0 { */
    return m5_lex_nth(p->md5.report->source, p->model->frames[i], HEAD).offset;
}

/* The first frame with as many values as expected; M5_NO_INDEX if there is none. */
static uint32_t find_right_frame(const m5_md5anim_state *p)
{
    for (uint32_t i = 0; i < frames_listed(p); i++)
        if (p->values[i] == p->model->num_components)
            return i;
    return M5_NO_INDEX;
}

/* In a single line of a frame whose lines are otherwise those of frame `right`. */
static bool say_odd_line(m5_md5anim_state *p, uint32_t i, uint32_t right)
{
    const m5_source *s = p->md5.report->source;
    m5_odd_line line;
    if (right == M5_NO_INDEX ||
        !m5_md5anim_find_odd_line(p, first_value(p, i), first_value(p, right), &line))
        return false;
    m5_diag d = m5_found(M5_ROW(md5anim_frame_values), line.span);
    d.path = m5_path1("frame", i);
    m5_relate(&d, s, line.like, "the same line of another frame");
    m5_emit(p->md5.report, &d, 0,
            "frame %u has %u values, expected %u: this line has %u, in frame %u it has %u", i,
            p->values[i], p->model->num_components, line.count, right, line.expected);
    return true;
}

/* If all frames are there, a frame with twice as many values as expected has no other frame in it.
 * It may have its only line twice. */
static bool say_repeated_line(m5_md5anim_state *p, uint32_t i)
{
    uint32_t due = p->model->num_components;
    m5_odd_line line;
    if (p->values[i] != 2 * (uint64_t)due || p->frames_found != p->room ||
        !m5_md5anim_find_repeated_line(p, first_value(p, i), &line))
        return false;
    m5_diag d = m5_found(M5_ROW(md5anim_frame_values), line.span);
    d.path = m5_path1("frame", i);
    m5_relate(&d, p->md5.report->source, line.like, "first occurrence");
    m5_emit(p->md5.report, &d, 0,
            "frame %u has %u values, expected %u: this line repeats the one before it", i,
            p->values[i], due);
    return true;
}

/* Twice as many values as expected are two frames, without the line between them. */
static void say_values(m5_md5anim_state *p, uint32_t i, uint32_t right)
{
    const m5_source *s = p->md5.report->source;
    uint32_t due = p->model->num_components, found = p->values[i];
    bool joined = due != 0 && found != 0 && found % due == 0;
    if (joined ? say_repeated_line(p, i) : say_odd_line(p, i, right))
        return;
    m5_diag d = m5_md5_at(&p->md5, M5_ROW(md5anim_frame_values), p->model->frames[i], 1);
    d.path = m5_path1("frame", i);
    m5_relate(&d, s, m5_lex_nth(s, first_value(p, i), joined ? due : found),
              joined ? "expected start of the next frame" : "end of the values");
    m5_emit(p->md5.report, &d, 0, "frame %u has %u value%s, expected %u%s", i, found,
            found == 1 ? "" : "s", due, joined ? ": a 'frame N {' line is missing" : "");
    p->frames_joined += joined ? found / due - 1 : 0;
}

/* If every frame has the same wrong number of values, the header is wrong. */
static bool header_is_wrong(const m5_md5anim_state *p)
{
    uint32_t count = frames_listed(p);
    for (uint32_t i = 1; i < count; i++)
        if (p->values[i] != p->values[0])
            return false;
    return p->values[0] != p->model->num_components && (count > 1 || p->values[0] == p->flags_sum);
}

static void say_header(m5_md5anim_state *p)
{
    const m5_md5anim *m = p->model;
    uint32_t found = p->values[0];
    m5_diag d = m5_found(M5_ROW(md5anim_frame_values), m->num_components_at);
    m5_relate(&d, m->source, m5_lex_word_at(m->source, m->frames[0]), "the first frame");
    if (found == p->flags_sum) {
        p->values_instead = found;
        m5_emit(p->md5.report, &d, 0,
                "numAnimatedComponents is %u, expected %u: the number of values in every frame "
                "and of bits set in the flags of all joints",
                m->num_components, found);
    } else {
        m5_emit(p->md5.report, &d, 0,
                "numAnimatedComponents is %u, but the number of values in every frame is %u",
                m->num_components, found);
    }
}

static void check_values(m5_md5anim_state *p)
{
    m5_md5anim *m = p->model;
    uint32_t count = frames_listed(p);
    if (count == 0 || !p->num_components.known)
        return;
    if (header_is_wrong(p)) {
        say_header(p);
        return;
    }
    uint32_t right = find_right_frame(p);
    for (uint32_t i = 0; i < count; i++)
        if (p->values[i] != m->num_components)
            say_values(p, i, right);
}

static void check_numbers(m5_md5anim_state *p)
{
    static const m5_md5_number_rules rules = {
        M5_ROW(md5anim_frame_index), M5_ROW(md5anim_frame_duplicate), M5_ROW(md5anim_frame_index)};
    p->num_frames.found = p->frames_found;
    p->md5.lx.path = m5_path1("frame", 0);
    if (p->out_of_turn)
        m5_md5_check_numbers(&p->md5, p->model->frames, sizeof *p->model->frames, frames_listed(p),
                             &p->num_frames, &rules);
}

void m5_md5anim_close_frames(m5_md5anim_state *p)
{
    m5_md5anim *m = p->model;
    if (p->frames != M5_FRAMES_OPEN)
        return;
    check_numbers(p);
    check_values(p);
    m->num_frames = p->frames_found < p->capacity ? p->frames_found : p->capacity;
    m->frames = m5_arena_pack(p->md5.arena, m->components,
                              (size_t)m->num_frames * m->num_components * sizeof *m->components,
                              m->frames, m->num_frames * sizeof *m->frames);
    m->frames_in_place = !p->out_of_turn;
    m->frames_whole = m->frames_in_place && !p->marked && p->num_frames.known &&
                      m->num_frames == (uint32_t)p->num_frames.value;
    p->frames = M5_FRAMES_CLOSED;
    p->capacity = p->room = 0;
}
