/* Uses lines to find mistakes where the number of words in a file is wrong: the words of each line
 * are compared with the row that is expected there. Where the two disagree, the following lines
 * show whether the line itself is flawed, a line before it is missing, or it is an extra line. */
#include "ill.h"
#include "../core/emit.h"
#include "../core/text.h"

#include <string.h>

/* A line that has words: how many, up to a comment, and the first. No row has as many as LONG; in a
 * longer line the rest is not counted. */
enum { LONG = 64 };
typedef struct line {
    const uint8_t *from, *end;
    uint32_t words;
    m5_span first;
    const uint8_t *comment; /* where a comment begins in it, or NULL */
} line;

static bool is_line_end(uint8_t c)
{
    return c == '\n' || c == '\r';
}

static const uint8_t *line_end(const uint8_t *p, const uint8_t *end)
{
    const uint8_t *lf = memchr(p, '\n', (size_t)(end - p));
    end = lf != NULL ? lf : end;
    const uint8_t *cr = memchr(p, '\r', (size_t)(end - p));
    return cr != NULL ? cr : end;
}

/* Finds the first line from `p` on that has words; if there is none, `words` is 0. */
static line find_any_line(const m5_ill *ill, const uint8_t *p, bool comments)
{
    m5_words w = ill->words;
    line found = {p, w.end, 0, {0, 0}, NULL};
    for (w.p = p; w.p < w.end; w.p++) {
        if (is_line_end(*w.p) && found.words != 0)
            break;
        if (m5_words_blank(*w.p))
            continue;
        if ((comments || found.words != 0) && m5_words_at_comment(&w, w.p)) {
            found.comment = found.words != 0 ? w.p : NULL;
            w.p = line_end(w.p, w.end) - 1;
            continue;
        }
        if (found.words == LONG) {
            w.p = line_end(w.p, w.end);
            break;
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

/* Whether a line is a comment where a name is expected: a name may begin like a comment, but is one
 * word. */
static bool is_comment(const m5_ill *ill, const line *l)
{
    return l->words > 1 && m5_words_at_comment(&ill->words, l->from);
}

/* The same, but comments are skipped, also where names are expected. */
static line find_line(const m5_ill *ill, const uint8_t *p, bool comments)
{
    line l = find_any_line(ill, p, comments);
    while (!comments && is_comment(ill, &l))
        l = find_any_line(ill, l.end, comments);
    return l;
}

uint32_t m5_ill_comment_words(const m5_ill *ill)
{
    uint32_t words = 0;
    line l = find_any_line(ill, ill->words.p, false);
    for (; l.words != 0; l = find_any_line(ill, l.end, false))
        words += is_comment(ill, &l) ? l.words : 0;
    return words;
}

static bool holds(const m5_source *s, const line *l, const float *numbers)
{
    for (uint32_t i = 0; i < l->words; i++) {
        m5_span word = m5_words_nth(s, l->first.offset, i);
        float value = 0;
        m5_number_flaw flaw = m5_read_float(s->bytes + word.offset, word.length, &value);
        if (flaw > M5_NUMBER_LEADING_ZERO || value != numbers[i])
            return false;
    }
    return true;
}

uint32_t m5_ill_count_lines(const m5_ill *ill, const float *numbers, uint32_t count)
{
    uint32_t found = 0;
    const uint8_t *p = ill->words.p;
    for (line l = find_line(ill, p, true); l.words != 0; l = find_line(ill, l.end, true))
        found += l.words == count && holds(ill->report->source, &l, numbers);
    return found;
}

/* Whether a word begins with a letter and is not one like nan, which means a number. */
static bool is_prose(const m5_source *s, m5_span word)
{
    float value;
    return m5_words_is_prose(s, word) &&
           m5_read_float(s->bytes + word.offset, word.length, &value) == M5_NUMBER_SYNTAX;
}

/* Whether a line is one such word, or begins with one and has another: a single one among numbers
 * may be a damaged number. */
static bool is_sentence(const m5_source *s, const line *l)
{
    bool more = l->words == 1;
    if (!is_prose(s, l->first))
        return false;
    for (uint32_t i = 1; i < l->words && !more; i++)
        more = is_prose(s, m5_words_nth(s, l->first.offset, i));
    return more;
}

static bool is_integer(const m5_source *s, m5_span word)
{
    uint8_t c = s->bytes[word.offset];
    bool sign = c == '-' || c == '+';
    return m5_words_is_index(s, (m5_span){word.offset + sign, word.length - sign});
}

static bool is_row(const m5_ill *ill, const line *l, m5_ill_at at)
{
    const m5_source *s = ill->report->source;
    const m5_ill_section *section = &ill->plan.section[at.section];
    if (l->words != section->row[at.row].width)
        return false;
    if (section->row[at.row].are != NULL && !holds(s, l, section->row[at.row].are))
        return false;
    if (section->kind == M5_ILL_FLOATS && is_sentence(s, l))
        return false;
    if (section->kind == M5_ILL_INTS)
        return is_integer(s, l->first);
    bool doubtful = section->kind == M5_ILL_NAMES && ill->surplus > 0;
    return !doubtful || !m5_words_is_number(s, l->first);
}

static bool has_comments(const m5_ill *ill, m5_ill_at at)
{
    return at.cycle < ill->plan.cycles && ill->plan.section[at.section].kind != M5_ILL_NAMES;
}

enum { AHEAD = 12 };

/* How many lines from `p` on are the rows from `at` on; AHEAD if all lines looked at are. */
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

/* Whether several lines somewhere near the beginning are rows of the plan with more than one word.
 * The very first lines may be the ones that are wrong. */
bool m5_ill_has_rows(m5_ill *ill)
{
    enum { LINES = 12, APART = 4, ENOUGH = 8 };
    const uint8_t *p = ill->words.p;
    for (int i = 0; i < LINES; i++) {
        m5_ill_at at = m5_ill_first(&ill->plan);
        line l = find_line(ill, p, has_comments(ill, at));
        for (int k = 0; k < i + APART && at.cycle < ill->plan.cycles && l.words > 1; k++) {
            if (k + APART >= i && is_row(ill, &l, at) && agree(ill, p, at) >= ENOUGH)
                return true;
            m5_ill_advance(&ill->plan, &at);
        }
        p = l.end;
    }
    return false;
}

/* ---- What is wrong --------------------------------------------------------------------------- */

static void add(m5_text *out, const char *text)
{
    m5_text_add(out, text, strlen(text));
}

/* `rotation of key 7 of bone 3`, or as much of it as there is. */
static void name_row(const m5_ill *ill, m5_text *out)
{
    const m5_ill_section *section = &ill->plan.section[ill->at.section];
    if (section->num_rows > 1) {
        add(out, section->row[ill->at.row].name);
        add(out, section->row[ill->at.row].are != NULL ? ", 0 0 0 1, of " : " of ");
    }
    add(out, section->record);
    if (section->count > 1) {
        add(out, " ");
        m5_text_int(out, ill->at.record);
    }
    if (ill->plan.cycle == NULL)
        return;
    add(out, " of ");
    add(out, ill->plan.cycle);
    add(out, " ");
    m5_text_int(out, ill->at.cycle);
}

static void say(m5_ill *ill, m5_span word, uint32_t words, const char *what)
{
    char buffer[96] = "";
    m5_text due = {buffer, sizeof buffer, 0, false};
    uint32_t width = ill->plan.section[ill->at.section].row[ill->at.row].width;
    const char *plural = words == 1 ? "" : words == LONG ? "s or more" : "s";
    m5_diag d = m5_found(M5_ROW(ill_token_count), word);
    d.path = m5_ill_path(ill);
    name_row(ill, &due);
    if (words == width)
        m5_emit(ill->report, &d, 0, "%s: this line is something else, expected %s", what, buffer);
    else
        m5_emit(ill->report, &d, 0, "%s: this line has %u value%s, expected %u (%s)", what, words,
                plural, width, buffer);
    ill->told = true;
}

/* How many rows a line is if glued numbers are counted as several; 0 if that makes no whole row, or
 * more than are expected or missing. Only rows that are all alike can be several in a line. */
static uint32_t rows_glued(const m5_ill *ill, const line *l)
{
    const m5_source *s = ill->report->source;
    const m5_ill_section *section = &ill->plan.section[ill->at.section];
    uint32_t width = section->row[ill->at.row].width, numbers = 0;
    if (section->kind == M5_ILL_NAMES || l->words == LONG)
        return 0;
    for (uint32_t i = 0; i < l->words; i++)
        numbers += m5_words_numbers_in(s, m5_words_nth(s, l->first.offset, i));
    if (numbers == width)
        return l->words < width;
    bool several = section->num_rows == 1 && numbers % width == 0 &&
                   numbers / width <= section->count - ill->at.record;
    bool short_of = l->words < numbers && (int64_t)l->words - numbers >= ill->surplus;
    return several && short_of ? numbers / width : 0;
}

/* Numbers written without white space between them make a line that seems too short: reports them
 * instead. */
static bool explain_glued(m5_ill *ill, const line *l)
{
    const m5_source *s = ill->report->source;
    const m5_ill_section *section = &ill->plan.section[ill->at.section];
    uint32_t rows = rows_glued(ill, l);
    ill->words.path = m5_ill_path(ill);
    for (uint32_t i = 0; i < l->words && rows != 0; i++) {
        m5_span word = m5_words_nth(s, l->first.offset, i);
        if (m5_words_numbers_in(s, word) > 1)
            m5_words_say_glued(&ill->words, word,
                               section->kind == M5_ILL_INTS ? "an integer" : "a float");
    }
    if (rows == 0)
        return false;
    ill->words.p = l->end;
    ill->missing = rows - 1;
    ill->surplus += (int64_t)rows * section->row[ill->at.row].width - l->words;
    ill->words.too_few = ill->surplus < 0;
    return true;
}

/* How the lines from this one on can be made to agree with the plan again. */
typedef enum remedy_kind { LINE_FLAWED, LINES_JOINED, ROWS_MISSING, LINES_TOO_MANY } remedy_kind;
typedef struct remedy {
    remedy_kind kind;
    unsigned count;   /* of rows or lines */
    int64_t words;    /* extra, or (negative) missing */
    unsigned agree;   /* how many lines after it agree with the plan */
    const uint8_t *p; /* where reading goes on */
} remedy;

/* How well this explains why the file has more words than it should, or fewer. */
static int explains(const m5_ill *ill, const remedy *r)
{
    if (r->words == ill->surplus)
        return 2;
    return (r->words < 0) == (ill->surplus < 0) ? 1 : 0;
}

static void consider(const m5_ill *ill, remedy *best, remedy other)
{
    if (other.agree > best->agree ||
        (other.agree == best->agree && explains(ill, &other) > explains(ill, best)))
        *best = other;
}

static remedy flawed_line(const m5_ill *ill, const line *l)
{
    uint32_t width = ill->plan.section[ill->at.section].row[ill->at.row].width;
    return (remedy){LINE_FLAWED, 1, (int64_t)l->words - width, 0, l->end};
}

/* Two rows in one line, with one word missing: the line end between them was lost, and a word with
 * it, or two words were joined. */
static void consider_joined(const m5_ill *ill, const line *l, remedy *best)
{
    const m5_ill_plan *plan = &ill->plan;
    m5_ill_at next = ill->at;
    uint32_t width = plan->section[next.section].row[next.row].width, both = width;
    m5_ill_advance(plan, &next);
    both += next.cycle < plan->cycles ? plan->section[next.section].row[next.row].width : 0;
    m5_ill_advance(plan, &next);
    if (width > 1 && l->words > width &&
        l->words == both - 1) /* a line with only the next row is not two rows */
        consider(ill, best, (remedy){LINES_JOINED, 2, -1, agree(ill, l->end, next), l->end});
}

/* Finds the remedy after which the most lines agree. If several are equal, the one that explains
 * most is taken, then the simplest: a flawed line, then the fewest missing rows or extra lines. */
static remedy find_remedy(const m5_ill *ill, const line *l)
{
    enum { MOST = 48 };
    const m5_ill_plan *plan = &ill->plan;
    m5_ill_at next = ill->at;
    remedy best = flawed_line(ill, l);
    remedy missing = {ROWS_MISSING, 0, 0, 0, l->from}, more = {LINES_TOO_MANY, 0, 0, 0, l->from};
    m5_ill_advance(plan, &next);
    best.agree = agree(ill, l->end, next);
    consider_joined(ill, l, &best);
    next = ill->at;
    for (unsigned i = 1; i <= MOST && (best.agree < AHEAD || explains(ill, &best) < 2); i++) {
        if (next.cycle < plan->cycles) {
            missing.words -= plan->section[next.section].row[next.row].width;
            m5_ill_advance(plan, &next);
            missing.count = i;
            missing.agree = agree(ill, l->from, next);
            consider(ill, &best, missing);
        }
        line skipped = find_line(ill, more.p, has_comments(ill, ill->at));
        more = (remedy){LINES_TOO_MANY, i, more.words + skipped.words, 0, skipped.end};
        more.agree = skipped.words != 0 ? agree(ill, more.p, ill->at) : 0;
        consider(ill, &best, more);
    }
    return best;
}

/* In a line with too many words, the first one that is not a number where numbers are expected; if
 * all are numbers, the word after the last expected one. */
static m5_span word_too_many(const m5_ill *ill, const line *l, uint32_t width)
{
    const m5_source *s = ill->report->source;
    bool names = ill->plan.section[ill->at.section].kind == M5_ILL_NAMES;
    for (uint32_t i = 0; i < width && !names; i++) {
        m5_span word = m5_words_nth(s, l->first.offset, i);
        if (!m5_words_is_number(s, word))
            return word;
    }
    return m5_words_nth(s, l->first.offset, width);
}

static void say_flawed(m5_ill *ill, const line *l)
{
    uint32_t width = ill->plan.section[ill->at.section].row[ill->at.row].width;
    if (l->words < width && l->comment != NULL) {
        ill->words.p = l->comment;
        m5_words_skip_comment(&ill->words);
        ill->told = true;
    } else if (l->words > width) {
        bool name = ill->plan.section[ill->at.section].kind == M5_ILL_NAMES;
        say(ill, word_too_many(ill, l, width), l->words,
            name ? "a space in a name, or too many values" : "too many values");
    } else {
        say(ill, l->first, l->words, "too few values");
    }
}

/* Applies the remedy; false when lines were extra and the next line is to be tried. */
static bool apply(m5_ill *ill, const remedy *r, const line *l)
{
    ill->words.p = r->p;
    ill->surplus -= r->words;
    ill->slipped |= r->kind >= ROWS_MISSING;
    if (r->kind == ROWS_MISSING) {
        say(ill, l->first, l->words, r->count == 1 ? "a line is missing" : "lines are missing");
        ill->missing = r->count - 1;
        ill->invented += (uint64_t)-r->words;
    } else if (r->kind == LINES_TOO_MANY) {
        say(ill, l->first, l->words, r->count == 1 ? "extra line" : "extra lines");
    } else if (r->kind == LINES_JOINED) {
        uint32_t width = ill->plan.section[ill->at.section].row[ill->at.row].width;
        say(ill, m5_words_nth(ill->report->source, l->first.offset, width - 1), l->words,
            "two lines in one, with one value missing");
        ill->missing = 1;
    } else {
        say_flawed(ill, l);
    }
    return r->kind != LINES_TOO_MANY;
}

/* Whether nothing agrees any more, or so many rows are missing that their place cannot be known;
 * memory is only reserved for what the file has. */
static bool is_lost(const m5_ill *ill, const remedy *r)
{
    return r->agree == 0 || ill->invented > (uint64_t)(ill->words.p - ill->words.base) / 16 + 64;
}

/* Whether the rest of the file has one line for each expected name: then no line is extra, and some
 * names have spaces. Not asked for more names than any skeleton has, because the time grows with
 * their number. */
static bool has_line_per_name(const m5_ill *ill, const line *l)
{
    enum { MOST = 256 };
    const m5_ill_section *section = &ill->plan.section[ill->at.section];
    uint32_t due = section->count - ill->at.record;
    line next = *l;
    if (section->kind != M5_ILL_NAMES || due > MOST)
        return false;
    for (; next.words != 0 && due > 0; due--)
        next = find_line(ill, next.end, false);
    return next.words == 0 && due == 0;
}

/* How many integers there are from here on, up to the first other word; at most `most`. */
static uint32_t count_integers(const m5_ill *ill, const line *l, uint32_t most)
{
    m5_words w = ill->words;
    uint32_t found = 0;
    w.p = l->from;
    for (m5_span word = m5_words_next(&w); word.length != 0 && found < most; found++) {
        if (!is_integer(ill->report->source, word))
            break;
        word = m5_words_next(&w);
    }
    return found;
}

/* Whether integers are not written in rows, but for example one on each line: none of the next
 * lines is a row either. If names follow, all integers must be there; they are counted only once,
 * because the time grows with their number. */
static bool are_in_other_lines(const m5_ill *ill, const line *l)
{
    const m5_ill_plan *plan = &ill->plan;
    const m5_ill_section *section = &plan->section[ill->at.section];
    line next = find_line(ill, l->end, true);
    bool last = next.words == 0;
    if (plan->section[plan->num_sections - 1].kind == M5_ILL_NAMES)
        return !ill->told && count_integers(ill, l, section->count + 1) == section->count;
    for (unsigned i = 1; i < AHEAD && next.words != 0; i++) {
        if (is_row(ill, &next, ill->at))
            return false;
        next = find_line(ill, next.end, true);
    }
    return !last || (l->words > section->row[0].width && section->count > 1);
}

/* Whether the rest of the file is to be read word by word: only floats are always in rows, and each
 * missing or extra row was reported. If the number of words is still wrong, the end shows it. */
static bool are_words_left(const m5_ill *ill, const line *l)
{
    const m5_ill_section *section = &ill->plan.section[ill->at.section];
    if (section->kind == M5_ILL_FLOATS || ill->at.record != 0 || ill->plan.cycles != 1)
        return false;
    return ill->surplus == 0 || (section->kind == M5_ILL_INTS && are_in_other_lines(ill, l));
}

/* Explains why a line is not the row that it should be. False when lines were extra and the next
 * line is to be tried. */
static bool explain(m5_ill *ill, const line *l, m5_ill_row *out)
{
    uint32_t width = ill->plan.section[ill->at.section].row[ill->at.row].width;
    *out = M5_ILL_ROW_FLAWED;
    if (explain_glued(ill, l))
        return true;
    if (are_words_left(ill, l)) {
        ill->rows = false;
        ill->first_loose = ill->at.section;
        *out = M5_ILL_ROW_HERE;
        return true;
    }
    remedy r = find_remedy(ill, l);
    bool last = find_line(ill, l->end, true).words == 0;
    if (last && (ill->words.cut || (ill->words.too_few && l->words < width))) {
        *out = M5_ILL_ROW_END; /* the file is cut off in this row */
        return true;
    }
    if ((last && r.agree == 0) || /* nothing shows that it is another row */
        (r.kind == LINES_TOO_MANY && has_line_per_name(ill, l)))
        r = flawed_line(ill, l);
    if (r.kind == LINE_FLAWED && l->words == width) {
        *out = M5_ILL_ROW_HERE; /* its words are flawed: reading them reports that */
        return true;
    }
    bool done = apply(ill, &r, l);
    if (!last && is_lost(ill, &r)) {
        ill->ended = done = true;
        *out = M5_ILL_ROW_END;
    }
    return done;
}

m5_ill_row m5_ill_next_row(m5_ill *ill)
{
    if (ill->missing > 0) {
        ill->missing--;
        return M5_ILL_ROW_FLAWED;
    }
    for (;;) {
        bool comments = has_comments(ill, ill->at);
        while (m5_words_peek(&ill->words).length != 0 &&
               m5_words_at_comment(&ill->words, ill->words.p)) {
            line first = find_any_line(ill, ill->words.p, comments);
            if (!comments && !is_comment(ill, &first))
                break;
            m5_words_skip_comment(&ill->words);
        }
        line l = find_line(ill, ill->words.p, comments);
        m5_ill_row row = M5_ILL_ROW_HERE;
        if (l.words == 0)
            return M5_ILL_ROW_END;
        if (is_row(ill, &l, ill->at) || explain(ill, &l, &row))
            return row;
    }
}
