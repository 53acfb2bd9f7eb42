/* Lines as a help where the number of words in a file is wrong: the row that a line should be is
 * compared with the words on it, and where the two disagree, the lines behind tell whether the line
 * itself is flawed, one before it is missing, or it is too many. */
#include "ill.h"

/* A line that has words: how many, up to a comment, and the first. */
typedef struct line {
    const uint8_t *from, *end;
    uint32_t words;
    m5_span first;
} line;

static bool is_line_end(uint8_t c)
{
    return c == '\n' || c == '\r';
}

/* The first line from `p` on that has words; none when `words` is 0. Where a name is due, `comments`
 * is false: it may begin like a comment. */
static line find_line(const m5_ill *ill, const uint8_t *p, bool comments)
{
    m5_words w = ill->words;
    line found = {p, w.end, 0, {0, 0}};
    for (w.p = p; w.p < w.end; w.p++) {
        if (is_line_end(*w.p) && found.words != 0)
            break;
        if (m5_words_blank(*w.p))
            continue;
        if ((comments || found.words != 0) && m5_words_at_comment(&w, w.p)) {
            while (w.p + 1 < w.end && !is_line_end(w.p[1]))
                w.p++;
            continue;
        }
        m5_span word = m5_words_next(&w);
        if (found.words++ == 0) {
            found.first = word;
            found.from = w.base + word.offset;
        }
        w.p--;
    }
    found.end = w.p;
    return found;
}

static bool is_empty(const m5_ill_section *section)
{
    return section->count == 0 || section->num_rows == 0;
}

/* To the first section, from this one on, that has records. */
static void skip_empty(const m5_ill_plan *plan, m5_ill_at *at)
{
    for (unsigned looked = 0; at->cycle < plan->cycles; at->section++) {
        if (at->section == plan->num_sections) {
            at->section = 0;
            at->cycle++;
        }
        if (at->cycle < plan->cycles && !is_empty(&plan->section[at->section]))
            return;
        if (++looked > plan->num_sections)
            at->cycle = plan->cycles; /* all are empty */
    }
}

m5_ill_at m5_ill_first(const m5_ill_plan *plan)
{
    m5_ill_at at = {0, 0, 0, 0};
    skip_empty(plan, &at);
    return at;
}

void m5_ill_advance(const m5_ill_plan *plan, m5_ill_at *at)
{
    const m5_ill_section *section = &plan->section[at->section];
    if (++at->row < section->num_rows)
        return;
    at->row = 0;
    if (++at->record < section->count)
        return;
    at->record = 0;
    at->section++;
    skip_empty(plan, at);
}

static bool is_row(const m5_ill *ill, const line *l, m5_ill_at at)
{
    const m5_source *s = ill->report->source;
    const m5_ill_section *section = &ill->plan.section[at.section];
    if (l->words != section->row[at.row].width)
        return false;
    if (section->kind == M5_ILL_INTS) {
        bool minus = s->bytes[l->first.offset] == '-';
        return m5_words_is_index(s, (m5_span){l->first.offset + minus, l->first.length - minus});
    }
    return true;
}

static bool has_comments(const m5_ill *ill, m5_ill_at at)
{
    return at.cycle < ill->plan.cycles && ill->plan.section[at.section].kind != M5_ILL_NAMES;
}

enum { AHEAD = 16 };

/* How many lines from `p` on are the rows from `at` on; AHEAD if all are that are looked at. */
static unsigned agree(const m5_ill *ill, const uint8_t *p, m5_ill_at at)
{
    for (unsigned i = 0; i < AHEAD; i++) {
        line l = find_line(ill, p, has_comments(ill, at));
        if (at.cycle >= ill->plan.cycles)
            return l.words == 0 ? AHEAD : i;
        if (l.words == 0 || !is_row(ill, &l, at))
            return i;
        p = l.end;
        m5_ill_advance(&ill->plan, &at);
    }
    return AHEAD;
}

bool m5_ill_has_rows(m5_ill *ill)
{
    enum { LINES = 10, ENOUGH = 8 };
    const uint8_t *p = ill->words.p;
    m5_ill_at before = m5_ill_first(&ill->plan), at = before, behind = before;
    for (int i = 0; i < LINES && at.cycle < ill->plan.cycles; i++) {
        m5_ill_advance(&ill->plan, &behind);
        line l = find_line(ill, p, has_comments(ill, at));
        if (l.words == 0)
            break;
        if (agree(ill, p, at) >= ENOUGH || agree(ill, p, behind) >= ENOUGH ||
            agree(ill, p, before) >= ENOUGH)
            return true;
        p = l.end;
        before = at;
        at = behind;
    }
    return false;
}

/* ---- What is wrong ------------------------------------------------------------------------------ */

static void say(m5_ill *ill, m5_span word, uint32_t words, const char *what)
{
    const m5_ill_section *section = &ill->plan.section[ill->at.section];
    uint32_t width = section->row[ill->at.row].width;
    m5_diag d = m5_found(M5_ROW(ill_token_count), word);
    d.path = m5_ill_path(ill);
    m5_emit(ill->report, &d, 0, "%s: a line of %u word%s, where %s %u, %s, is due with %u", what,
            words, words == 1 ? "" : "s", section->record, ill->at.record,
            section->row[ill->at.row].name, width);
    ill->told = true;
}

/* Numbers written without a blank between them make a line that is too short: then that is told. */
static bool explain_glued(m5_ill *ill, const line *l)
{
    const m5_source *s = ill->report->source;
    const m5_ill_section *section = &ill->plan.section[ill->at.section];
    uint32_t numbers = 0;
    if (section->kind == M5_ILL_NAMES || l->words >= section->row[ill->at.row].width)
        return false;
    for (uint32_t i = 0; i < l->words; i++)
        numbers += m5_words_numbers_in(s, m5_words_nth(s, l->first.offset, i));
    if (numbers != section->row[ill->at.row].width)
        return false;
    for (uint32_t i = 0; i < l->words; i++) {
        m5_span word = m5_words_nth(s, l->first.offset, i);
        if (m5_words_numbers_in(s, word) > 1)
            m5_words_say_glued(&ill->words, word,
                               section->kind == M5_ILL_INTS ? "an integer" : "a float");
    }
    ill->words.p = l->end;
    return true;
}

/* How the lines from this one on can be made to agree with the plan again. */
typedef enum remedy_kind { LINE_FLAWED, ROWS_MISSING, LINES_TOO_MANY } remedy_kind;
typedef struct remedy {
    remedy_kind kind;
    unsigned count; /* of rows or lines */
    unsigned agree;
    const uint8_t *p; /* where to go on */
} remedy;

static void consider(remedy *best, remedy other)
{
    if (other.agree > best->agree)
        *best = other;
}

/* The one after which most lines agree; of equals the simplest: a flawed line, then the fewest rows
 * missing or lines too many. */
static remedy find_remedy(const m5_ill *ill, const line *l)
{
    enum { MOST = 10 };
    m5_ill_at next = ill->at;
    const uint8_t *p = l->from;
    m5_ill_advance(&ill->plan, &next);
    remedy best = {LINE_FLAWED, 1, agree(ill, l->end, next), l->end};
    for (unsigned i = 1; i <= MOST && best.agree < AHEAD; i++) {
        consider(&best, (remedy){ROWS_MISSING, i, agree(ill, l->from, next), l->from});
        if (next.cycle < ill->plan.cycles)
            m5_ill_advance(&ill->plan, &next);
        p = find_line(ill, p, has_comments(ill, ill->at)).end;
        consider(&best, (remedy){LINES_TOO_MANY, i, agree(ill, p, ill->at), p});
    }
    return best;
}

static void say_flawed(m5_ill *ill, const line *l)
{
    uint32_t width = ill->plan.section[ill->at.section].row[ill->at.row].width;
    m5_span beyond = m5_words_nth(ill->report->source, l->first.offset, width);
    if (l->words > width)
        say(ill, beyond, l->words, "too many words");
    else
        say(ill, l->first, l->words,
            l->words < width ? "too few words" : "other words than are due");
}

/* The line should be this row, and is not. False when lines were too many and the next is to be
 * tried. */
static bool explain(m5_ill *ill, const line *l, m5_ill_row *out)
{
    uint32_t width = ill->plan.section[ill->at.section].row[ill->at.row].width;
    *out = M5_ROW_FLAWED;
    if (explain_glued(ill, l))
        return true;
    remedy r = find_remedy(ill, l);
    bool last = find_line(ill, l->end, true).words == 0;
    if (last && (ill->words.cut || (r.agree < AHEAD && l->words < width))) {
        *out = M5_ROW_END; /* cut off in this row */
        return true;
    }
    ill->words.p = r.p;
    ill->slipped |= r.kind != LINE_FLAWED;
    if (r.kind == ROWS_MISSING) {
        say(ill, l->first, l->words, r.count == 1 ? "a line is missing" : "lines are missing");
        ill->missing = r.count - 1;
    } else if (r.kind == LINES_TOO_MANY) {
        say(ill, l->first, l->words, r.count == 1 ? "a line too many" : "lines too many");
        return false;
    } else {
        say_flawed(ill, l);
    }
    if (r.agree == 0 && !last) {
        ill->ended = true; /* lost */
        *out = M5_ROW_END;
    }
    return true;
}

m5_ill_row m5_ill_next_row(m5_ill *ill)
{
    if (ill->missing > 0) {
        ill->missing--;
        return M5_ROW_FLAWED;
    }
    for (;;) {
        bool comments = has_comments(ill, ill->at);
        while (comments && m5_words_peek(&ill->words).length != 0 &&
               m5_words_at_comment(&ill->words, ill->words.p))
            m5_words_skip_comment(&ill->words);
        line l = find_line(ill, ill->words.p, comments);
        m5_ill_row row = M5_ROW_HERE;
        if (l.words == 0)
            return M5_ROW_END;
        if (is_row(ill, &l, ill->at) || explain(ill, &l, &row))
            return row;
    }
}
