/* Parses the cuts of an md5camera: the frames after which another shot begins. */
#include "md5camera_state.h"
#include "../core/allocate.h"
#include "../core/emit.h"

#include <string.h>

static m5_span cut_at(const m5_md5camera_state *p, uint32_t i)
{
    return m5_lex_nth(p->model->source, p->model->cuts[i].offset, 0);
}

/* ---- cuts { frame ... } ---------------------------------------------------------------------- */

/* Reported once a file. */
static void note_line(m5_md5camera_state *p, m5_token t, const char *what)
{
    if (!m5_once_open(&p->said_line, t.span))
        return;
    m5_lex_say(&p->md5.lx, M5_ROW(md5camera_cut_line), t.span, "%s", what);
    m5_once_done(&p->said_line, p->md5.lx.report);
}

/* Whether another cut follows, or something in its place; otherwise the closing brace was taken, or
 * it is reported that it or the line after it is missing. */
static bool is_more(m5_md5camera_state *p, uint32_t found, m5_token *t)
{
    m5_lex *lx = &p->md5.lx;
    *t = m5_lex_peek(lx);
    if (m5_lex_begins_like_number(lx, *t))
        return true;
    if (t->kind == M5_TOKEN_CLOSE_BRACE) {
        if (!t->new_line && found != 0)
            note_line(p, *t, "'}' is on the line of a cut, expected a line of its own");
        m5_lex_take(lx, *t);
        return false;
    }
    if (t->kind == M5_TOKEN_OPEN_PAREN && t->new_line &&
        m5_lex_begins_like_number(lx, m5_lex_peek_behind(lx, *t, 2)))
        return false; /* a frame: what is missing before it is reported where it is read */
    return m5_md5_more(&p->md5, M5_TOKEN_WORD, false, t);
}

static void say_below(m5_md5camera_state *p, m5_span at, int32_t frame)
{
    m5_diag d = m5_found(M5_ROW(md5camera_cut_range), at);
    d.path = p->md5.lx.path;
    m5_emit(p->md5.report, &d, 0, "cut %u is frame %d, expected a frame from 1 on",
            p->md5.lx.path.step[0].index, frame);
}

/* Reads a word. An unreadable number may be two that are joined, so that there may be more cuts
 * than words; and what does not begin like a number may be no cut at all. Returns whether it may
 * be one. */
static bool read_cut(m5_md5camera_state *p, m5_token t, m5_md5camera_cut *cut)
{
    m5_lex *lx = &p->md5.lx;
    int32_t frame;
    bool number = m5_lex_begins_like_number(lx, t);
    *cut = (m5_md5camera_cut){t.span.offset, M5_BROKEN};
    t.new_line = true; /* several cuts on one line are no warning */
    m5_lex_begin(lx, t);
    if (!m5_lex_int(lx, &frame))
        p->md5.strays++;
    else if (frame < 1)
        say_below(p, t.span, frame);
    else
        cut->frame = (uint32_t)frame;
    return number;
}

static void pass_odd_token(m5_md5camera_state *p, m5_token t)
{
    m5_lex *lx = &p->md5.lx;
    m5_lex_say(lx, M5_ROW(md5_record_syntax), t.span, "expected a cut, found '%.*s'",
               (int)t.span.length, m5_lex_text(lx, t.span));
    m5_md5_pass_stray(&p->md5, t);
}

/* Reads up to `room` cuts; returns how many came. */
static uint32_t read_list(m5_md5camera_state *p, m5_md5camera_cut *cuts, uint32_t room)
{
    m5_lex *lx = &p->md5.lx;
    uint32_t found = 0;
    for (m5_token t; is_more(p, found, &t);) {
        m5_md5camera_cut cut;
        lx->path = m5_path1("cut", found);
        if (t.kind != M5_TOKEN_WORD) {
            pass_odd_token(p, t);
            continue;
        }
        if (!t.new_line && found != 0)
            note_line(p, t, "this cut is on the line of the one before it");
        if (!read_cut(p, t, &cut))
            continue;
        if (found < room)
            cuts[found] = cut;
        found++;
    }
    lx->path = (m5_path){0};
    return found;
}

/* The only cut that equals the one before it; M5_NO_INDEX if there is none or are several. */
static uint32_t find_doubled(const m5_md5camera_cut *cuts, uint32_t count)
{
    uint32_t found = M5_NO_INDEX;
    for (uint32_t i = 1; i < count; i++) {
        if (cuts[i].frame != cuts[i - 1].frame || cuts[i].frame == M5_BROKEN)
            continue;
        if (found != M5_NO_INDEX)
            return M5_NO_INDEX;
        found = i;
    }
    return found;
}

/* Of `kept` cuts, at most one more than declared: drops one that appears twice and is extra. */
static void settle(m5_md5camera_state *p, uint32_t found, uint32_t kept)
{
    m5_md5camera *m = p->model;
    m5_md5_count *count = &p->num_cuts;
    uint32_t due = count->known ? (uint32_t)count->value : 0, doubled = M5_NO_INDEX;
    if (found == due + 1 && kept == found)
        doubled = find_doubled(m->cuts, kept);
    if (doubled != M5_NO_INDEX) {
        count->odd = cut_at(p, doubled);
        count->odd_says = "same as the cut before";
    }
    m5_md5_check_count(&p->md5, M5_ROW(md5camera_cut_count), count, found, "numCuts", "cuts");
    if (doubled != M5_NO_INDEX)
        memmove(&m->cuts[doubled], &m->cuts[doubled + 1], (kept - doubled - 1) * sizeof *m->cuts);
    m->num_cuts = kept < due ? kept : due;
    m->cuts_whole = count->known && m->num_cuts == due && (found == due || doubled != M5_NO_INDEX);
    m5_arena_trim(p->md5.arena, m->cuts, m->num_cuts * sizeof *m->cuts);
}

void m5_md5camera_read_cuts(m5_md5camera_state *p)
{
    uint32_t due = m5_md5_capacity(&p->md5, &p->num_cuts, M5_MD5CAMERA_MIN_CUT);
    uint32_t room = p->num_cuts.known ? due + 1 : 0;
    p->model->cuts = m5_md5_array(&p->md5, room, sizeof *p->model->cuts);
    if (p->model->cuts == NULL)
        return;
    uint32_t found = read_list(p, p->model->cuts, room);
    settle(p, found, found < room ? found : room);
}

/* ---- Their range and order ------------------------------------------------------------------- */

static m5_diag found_at_cut(const m5_md5camera_state *p, const m5_rule *rule, uint32_t i)
{
    m5_diag d = m5_found(rule, cut_at(p, i));
    d.path = m5_path1("cut", i);
    return d;
}

static void say_range(m5_md5camera_state *p, uint32_t i, uint32_t limit)
{
    m5_diag d = found_at_cut(p, M5_ROW(md5camera_cut_range), i);
    uint32_t frame = p->model->cuts[i].frame;
    if (limit > 1)
        m5_emit(p->md5.report, &d, 0, "cut %u is frame %u, expected a frame from 1 to %u", i, frame,
                limit - 1);
    else
        m5_emit(p->md5.report, &d, 0,
                "cut %u is frame %u, but a camera with one frame can have no cut", i, frame);
}

/* What a cut must stay below: as many frames as are declared or came; 0 if that is unknown. */
static uint32_t frame_limit(const m5_md5camera_state *p)
{
    bool unknown = !p->num_frames.known && p->md5.lx.ended;
    return unknown ? 0 : m5_md5_limit(&p->num_frames);
}

static void check_range(m5_md5camera_state *p)
{
    m5_md5camera *m = p->model;
    uint32_t limit = frame_limit(p);
    for (uint32_t i = 0; i < m->num_cuts && limit != 0; i++) {
        uint32_t frame = m->cuts[i].frame;
        if (frame == M5_BROKEN || frame < limit)
            continue;
        say_range(p, i, limit);
        m->cuts[i].frame = M5_BROKEN;
    }
}

static void say_twice(m5_md5camera_state *p, uint32_t i, uint32_t before)
{
    m5_diag d = found_at_cut(p, M5_ROW(md5camera_cut_duplicate), i);
    m5_relate(&d, p->model->source, cut_at(p, before), "first occurrence");
    m5_emit(p->md5.report, &d, 0, "cut %u is frame %u, the same as cut %u", i,
            p->model->cuts[i].frame, before);
}

static void say_order(m5_md5camera_state *p, uint32_t i, uint32_t before)
{
    const m5_md5camera_cut *cuts = p->model->cuts;
    m5_diag d = found_at_cut(p, M5_ROW(md5camera_cut_order), i);
    m5_relate(&d, p->model->source, cut_at(p, before), "the cut before");
    m5_emit(p->md5.report, &d, 0,
            "cut %u is frame %u, expected a frame after %u, which is cut %u; cuts must be in order",
            i, cuts[i].frame, cuts[before].frame, before);
}

/* Compares each cut with the last one before it that is known. That they are out of order is
 * reported once, and so is each run of equal ones, unless it was reported that there are extra
 * cuts. Returns whether all are in order. */
static bool check_order(m5_md5camera_state *p)
{
    const m5_md5camera_cut *cuts = p->model->cuts;
    const m5_md5_count *count = &p->num_cuts;
    bool extra = count->told && count->found > (uint32_t)count->value;
    bool in_order = true, told = false, repeating = false;
    uint32_t before = M5_NO_INDEX;
    for (uint32_t i = 0; i < p->model->num_cuts; i++) {
        if (cuts[i].frame == M5_BROKEN)
            continue;
        bool known = before != M5_NO_INDEX;
        bool twice = known && cuts[i].frame == cuts[before].frame;
        bool early = known && cuts[i].frame < cuts[before].frame;
        if (twice && !extra && !repeating)
            say_twice(p, i, before);
        if (early && !told)
            say_order(p, i, before);
        told |= early;
        in_order &= !twice && !early;
        repeating = twice;
        before = i;
    }
    return in_order;
}

void m5_md5camera_check_cuts(m5_md5camera_state *p)
{
    m5_md5camera *m = p->model;
    check_range(p);
    m->cuts_whole &= check_order(p);
    for (uint32_t i = 0; i < m->num_cuts; i++) {
        m5_md5camera_cut *cut = &m->cuts[i];
        if (cut->frame >= m->num_frames)
            cut->frame = M5_BROKEN;
        m->cuts_whole &= cut->frame != M5_BROKEN;
    }
}
