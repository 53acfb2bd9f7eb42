/* What all ill* files have in common: the magic word, the counts, and whether the words that follow
 * fit them. */
#include "ill.h"
#include "../core/allocate.h"
#include "../core/emit.h"
#include "../core/ends.h"
#include "../core/magic.h"

/* ---- The magic word -------------------------------------------------------------------------- */

enum { MAGIC = M5_ILL_MAGIC };

static bool begins_with(const m5_source *s, const char *bytes, uint32_t count)
{
    return s->size >= count && memcmp(s->bytes, bytes, count) == 0;
}

/* Later binary files have the same magic, directly followed by bytes that are not text. */
static bool is_binary(const m5_source *s, const char *magic)
{
    enum { LOOK = 16 };
    if (!begins_with(s, magic, MAGIC))
        return false;
    for (uint32_t i = MAGIC; i < s->size && i < MAGIC + LOOK; i++) {
        bool blank = m5_words_blank(s->bytes[i]), control = s->bytes[i] < ' ' && !blank;
        bool lone_zero = s->bytes[i] == 0 && (i + 1 == s->size || s->bytes[i + 1] != 0);
        if ((control && !lone_zero) || (i == MAGIC && !blank))
            return true;
    }
    return false;
}

static void say_magic(m5_ill *ill, m5_span word, const char *magic)
{
    const m5_source *s = ill->report->source;
    m5_diag d = m5_found(M5_ROW(ill_magic), word.length != 0 ? word : m5_source_end(s));
    const m5_magic *kind = m5_magic_of(s);
    if (begins_with(s, "\xef\xbb\xbf", 3)) {
        m5_emit(ill->report, &d, 0, "the file begins with a byte order mark, expected %s", magic);
    } else if (begins_with(s, "\xff\xfe", 2) || begins_with(s, "\xfe\xff", 2) ||
               begins_with(s, "I\0L", 3)) {
        m5_emit(ill->report, &d, 0,
                "the file is UTF-16 text, expected ASCII text that begins with %s", magic);
    } else if (kind != NULL && strncmp(kind->bytes, magic, MAGIC - 1) != 0) {
        d.fix = kind->advice;
        m5_emit(ill->report, &d, 0, "expected %s, but the file is %s", magic, kind->what);
    } else if (word.length == 0) {
        m5_emit(ill->report, &d, 0, "the file is empty, expected %s", magic);
    } else {
        m5_emit(ill->report, &d, 0, "the first word is '%.*s', expected %s", (int)word.length,
                (const char *)s->bytes + word.offset, magic);
    }
}

static bool is_magic(const m5_source *s, m5_span word, const char *magic)
{
    return word.length == MAGIC && memcmp(s->bytes + word.offset, magic, MAGIC) == 0;
}

/* Reads the magic word; false when it is not the expected one. */
static bool read_magic(m5_ill *ill, const char *magic)
{
    const m5_source *s = ill->report->source;
    m5_span word = m5_words_next(&ill->words);
    const uint8_t *text = s->bytes + word.offset;
    bool same_kind = word.length >= MAGIC && memcmp(text, magic, MAGIC - 1) == 0;
    bool later = same_kind && m5_is_digit(text[MAGIC - 1]) && text[MAGIC - 1] != '0';
    if (is_magic(s, word, magic))
        return true;
    if (later) {
        m5_diag d = m5_found(M5_ROW(ill_version), (m5_span){word.offset, MAGIC});
        m5_emit(ill->report, &d, 0, "%.*s is a later version of the format, expected %s", MAGIC,
                (const char *)text, magic);
    } else {
        say_magic(ill, word, magic);
    }
    return false;
}

/* Git leaves both versions of what it could not merge between lines like `<<<<<<< HEAD`. A bone may
 * have a name like `<<<<<<<`, but then no other word follows on the line. */
static bool is_conflict_mark(const m5_source *s, const uint8_t *p)
{
    enum { MARK = 7 };
    const uint8_t *end = s->bytes + s->size;
    return end - p >= MARK + 2 && (p == s->bytes || p[-1] == '\n') &&
           memcmp(p, p + 1, MARK - 1) == 0 && p[MARK] == ' ' && !m5_words_blank(p[MARK + 1]);
}

static bool has_conflict(m5_ill *ill)
{
    const m5_source *s = ill->report->source;
    const uint8_t *end = s->bytes + s->size;
    for (const char *mark = "<>"; *mark != '\0'; mark++)
        for (const uint8_t *p = s->bytes; (p = memchr(p, *mark, (size_t)(end - p))) != NULL; p++) {
            if (!is_conflict_mark(s, p))
                continue;
            m5_diag d = m5_found(M5_ROW(ill_merge_conflict),
                                 m5_words_nth(s, (uint32_t)(p - s->bytes), 0));
            m5_emit(ill->report, &d, 0, "a merge conflict marker: nothing else was checked");
            return true;
        }
    return false;
}

static bool start(m5_ill *ill, const char *magic)
{
    const m5_source *s = ill->report->source;
    if (ill->loud && has_conflict(ill))
        return false;
    if (is_binary(s, magic)) {
        m5_diag d = m5_found(M5_ROW(ill_binary), (m5_span){0, MAGIC});
        m5_emit(ill->report, &d, 0, "binary data after %s, expected text", magic);
        return false;
    }
    m5_report silent = {.source = s}; /* for a file in another format nothing else is reported */
    m5_words_init(&ill->words, &silent, false);
    if (!read_magic(ill, magic))
        return false;
    m5_words_init(&ill->words, ill->report, !m5_settings_of(ill->report)->plain);
    m5_span word = m5_words_next(&ill->words);
    m5_span again = m5_words_peek(&ill->words);
    if (is_magic(s, again, magic)) {
        m5_diag d = m5_found(M5_ROW(ill_magic), again);
        m5_relate(&d, s, word, "first occurrence");
        m5_emit(ill->report, &d, 0, "%s is written twice", magic);
        m5_words_next(&ill->words);
    }
    return true;
}

/* ---- Read twice ------------------------------------------------------------------------------ */

static bool says_nothing(const m5_report *r)
{
    if (m5_settings_of(r)->silent != NULL)
        return false; /* it wants what is not counted, too */
    return r->errors + r->warnings + r->notes + r->found == 0;
}

static void *attempt(m5_ill *ill, const char *magic, void *(*read)(m5_ill *))
{
    bool started = start(ill, magic);
    ill->ended = !started;
    return read(ill);
}

/* Levels decide whether there is anything to report, but the causes are searched, and the model is
 * another one, only if there is by the rules' own. */
m5_status m5_ill_parse(m5_report *report, m5_arena *arena, const char *magic,
                       void *(*read)(m5_ill *ill), void **out)
{
    size_t mark = arena->used;
    m5_report silent = {.source = report->source, .settings = report->settings};
    m5_ill ill = {.report = &silent, .arena = arena};
    *out = attempt(&ill, magic, read);
    if (!ill.out_of_memory && says_nothing(&silent))
        return M5_CLEAN;
    uint64_t flaws = report->flaws;
    bool out_of_memory = ill.out_of_memory;
    m5_arena_release(arena, mark);
    ill = (m5_ill){.report = report, .arena = arena, .loud = silent.found != 0};
    if (!out_of_memory)
        *out = attempt(&ill, magic, read);
    if (!out_of_memory && !ill.out_of_memory)
        return report->flaws == flaws ? M5_CLEAN : M5_FLAWED;
    m5_arena_release(arena, mark);
    *out = NULL;
    return M5_NO_MEMORY;
}

void *m5_ill_array(m5_ill *ill, size_t count, size_t size)
{
    void *array = m5_arena_take(ill->arena, count, size);
    ill->out_of_memory |= array == NULL;
    ill->ended |= array == NULL;
    return array;
}

/* ---- The header ------------------------------------------------------------------------------ */

bool m5_ill_read_count(m5_ill *ill, m5_ill_count *out)
{
    const m5_source *s = ill->report->source;
    m5_words *w = &ill->words;
    m5_word_status status = m5_words_unsigned(w, &out->value);
    if (status == M5_WORD_END) {
        m5_ill_say_end(ill);
        return false;
    }
    uint32_t end = (uint32_t)(w->p - s->bytes), from = end;
    while (from > 0 && /* white space precedes, unless a mapped file changes. LCOV_EXCL_BR_LINE */
           !m5_words_blank(s->bytes[from - 1]))
        from--;
    out->at = (m5_span){from, end - from};
    out->told = status == M5_WORD_BAD;
    ill->ended |= out->told;
    return !out->told;
}

bool m5_ill_can_hold(const m5_ill *ill, m5_ill_count *count, uint64_t words)
{
    uint64_t left = (uint64_t)(ill->words.end - ill->words.p) / 2; /* white space, a digit */
    count->exceeds = words != 0 && count->value > left / words && !ill->words.cut;
    return !count->exceeds;
}

/* ---- Plans ----------------------------------------------------------------------------------- */

static bool has_names(const m5_ill_plan *plan)
{
    for (unsigned i = 0; i < plan->num_sections; i++)
        if (plan->section[i].kind == M5_ILL_NAMES)
            return true;
    return false;
}

/* The next word, with comments skipped where they cannot be names. */
static m5_span next_word(m5_words *w, bool comments)
{
    m5_span word = m5_words_peek(w);
    while (comments && word.length != 0 && m5_words_at_comment(w, w->p)) {
        m5_words_skip_comment(w);
        word = m5_words_peek(w);
    }
    w->p += word.length;
    return word;
}

m5_words m5_ill_look_ahead(const m5_ill *ill, m5_report *silent)
{
    m5_words w = ill->words;
    *silent = (m5_report){.source = ill->report->source};
    w.report = silent;
    return w;
}

uint32_t m5_ill_words_left(const m5_ill *ill)
{
    m5_report silent;
    m5_words w = m5_ill_look_ahead(ill, &silent);
    bool comments = !has_names(&ill->plan);
    uint32_t words = 0;
    while (next_word(&w, comments).length != 0)
        words++;
    return words;
}

/* Whether the word can be of the expected kind. Where lines show what each word is, any word can be
 * a name, and a float may be flawed. */
static bool is_kind(const m5_ill *ill, m5_span word, m5_ill_kind kind)
{
    const m5_source *s = ill->report->source;
    if (kind != M5_ILL_INTS)
        return ill->rows || m5_words_is_number(s, word) == (kind == M5_ILL_FLOATS);
    m5_span digits = word;
    if (s->bytes[word.offset] == '-') {
        digits.offset++;
        digits.length--;
    }
    return m5_words_is_index(s, digits);
}

m5_ill_fit m5_ill_fits(const m5_ill *ill, const m5_ill_plan *plan,
                       m5_span last[M5_ILL_MAX_SECTIONS])
{
    m5_report silent;
    m5_words w = m5_ill_look_ahead(ill, &silent);
    uint32_t end = (uint32_t)(w.p - w.base);
    m5_ill_at at = m5_ill_first(plan);
    bool loose = false; /* a line may hold any number of integers */
    while (at.cycle < plan->cycles) {
        const m5_ill_section *section = &plan->section[at.section];
        for (uint32_t i = 0; i < section->row[at.row].width; i++) {
            m5_span word = next_word(&w, section->kind != M5_ILL_NAMES);
            if (word.length == 0)
                return section->missing != NULL ? M5_FITS_SO_FAR : M5_FITS_NOT;
            bool odd = ill->rows && m5_words_line_ends(w.base, end, word.offset) != (i == 0);
            if (section->kind == M5_ILL_INTS && at.record + (i > 0) == 1)
                loose |= odd; /* the first record, up to the second, shows how all are written */
            if (!is_kind(ill, word, section->kind) ||
                (odd && !(loose && section->kind == M5_ILL_INTS)))
                return M5_FITS_NOT;
            end = word.offset + word.length;
            last[at.section] = word;
        }
        m5_ill_advance(plan, &at);
    }
    return next_word(&w, false).length == 0 ? M5_FITS : M5_FITS_SO_FAR;
}

/* Where names are expected, counting words cannot tell comments from names; only lines can. */
bool m5_ill_survey(m5_ill *ill)
{
    m5_span last[M5_ILL_MAX_SECTIONS];
    uint64_t due = m5_ill_plan_words(&ill->plan);
    uint32_t comments = has_names(&ill->plan) ? m5_ill_comment_words(ill) : 0;
    ill->words_found = m5_ill_words_left(ill);
    ill->surplus = due <= INT64_MAX ? (int64_t)ill->words_found - (int64_t)due : INT64_MIN / 2;
    if (ill->surplus != 0 || comments != 0) {
        ill->surplus -= comments;
        ill->rows = m5_ill_has_rows(ill);
        ill->surplus += ill->rows ? 0 : comments;
    }
    ill->words.too_few = ill->surplus < 0;
    if (ill->surplus == 0 && !ill->rows)
        return false;
    return !ill->words.cut && m5_ill_fits(ill, &ill->plan, last) != M5_FITS;
}

static void say_exceeds(m5_ill *ill, m5_ill_count *count)
{
    m5_diag d = m5_found(M5_ROW(ill_count_exceeds_file), count->at);
    m5_relate(&d, ill->report->source, m5_source_end(ill->report->source), "the end of the file");
    m5_emit(ill->report, &d, 0,
            "the header's counts require %llu values, but the rest of the file has only %llu: this "
            "count is wrong, or the file is cut off",
            (unsigned long long)m5_ill_plan_words(&ill->plan),
            (unsigned long long)ill->words_found);
    count->told = true;
}

/* Whether words that are not numbers explain the wrong number of words: parentheses, for example,
 * are extra words, and numbers joined by something other than white space are missing words. */
static bool explains_count(const m5_ill *ill, uint32_t odd)
{
    enum { GLUED = 4 };
    uint64_t off = (uint64_t)(ill->surplus < 0 ? -ill->surplus : ill->surplus);
    return (uint64_t)odd * GLUED > off;
}

void m5_ill_give_up(m5_ill *ill, m5_ill_count *const *counts, unsigned count)
{
    m5_span last[M5_ILL_MAX_SECTIONS];
    for (unsigned i = 0; i < count && !ill->ended; i++) {
        if (counts[i]->exceeds && !counts[i]->told)
            say_exceeds(ill, counts[i]);
        ill->ended = ill->told = counts[i]->told;
    }
    if (ill->ended || ill->rows || m5_ill_fits(ill, &ill->plan, last) != M5_FITS_NOT)
        return;
    if (!has_names(&ill->plan)) /* a name may look like a flawed number */
        ill->told = explains_count(ill, m5_words_scan(&ill->words));
    ill->at.cycle = ill->plan.cycles;
    m5_ill_say_end(ill);
}

void m5_ill_settle(m5_ill *ill)
{
    ill->surplus = 0;
    ill->words.too_few = false;
}

void m5_ill_say_count(m5_ill *ill, m5_ill_count *count, uint32_t found, const char *what,
                      m5_span last)
{
    m5_diag d = m5_found(count->exceeds ? M5_ROW(ill_count_exceeds_file) : M5_ROW(ill_token_count),
                         count->at);
    ill->told = true;
    if (last.length != 0)
        m5_relate(&d, ill->report->source, last, "last value found");
    if (!count->told)
        m5_emit(ill->report, &d, 0, "the number of %s is %u, but the file has %u", what,
                count->value, found);
    count->told = true;
}
