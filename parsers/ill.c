#include "ill.h"

#include <math.h>

/* ---- The magic word --------------------------------------------------------------------------- */

enum { MAGIC = 8 };

static bool begins_with(const m5_source *s, const char *bytes, uint32_t count)
{
    return s->size >= count && memcmp(s->bytes, bytes, count) == 0;
}

/* The binary files that later had the same magic go on with numbers right behind it. */
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
    const char *text = (const char *)s->bytes + word.offset;
    if (begins_with(s, "\xef\xbb\xbf", 3))
        m5_emit(ill->report, &d, 0, "a byte order mark, expected %s as the very first bytes",
                magic);
    else if (begins_with(s, "\xff\xfe", 2) || begins_with(s, "\xfe\xff", 2) ||
             begins_with(s, "I\0L", 3))
        m5_emit(ill->report, &d, 0, "UTF-16 text, expected ASCII that begins with %s", magic);
    else if (word.length == 0)
        m5_emit(ill->report, &d, 0, "the file is empty, expected %s", magic);
    else if (word.length == MAGIC && memcmp(text, "ILL", 3) == 0)
        m5_emit(ill->report, &d, 0, "%.*s: another kind of ill* file, expected %s", MAGIC, text,
                magic);
    else
        m5_emit(ill->report, &d, 0, "'%.*s', expected %s", (int)word.length, text, magic);
}

/* Takes the magic word; false when this is no such file. */
static bool read_magic(m5_ill *ill, const char *magic)
{
    const m5_source *s = ill->report->source;
    m5_span word = m5_words_next(&ill->words);
    const uint8_t *text = s->bytes + word.offset;
    bool same_kind = word.length >= MAGIC && memcmp(text, magic, MAGIC - 1) == 0;
    bool later = same_kind && m5_is_digit(text[MAGIC - 1]) && text[MAGIC - 1] != '0';
    if (word.length == MAGIC && memcmp(text, magic, MAGIC) == 0)
        return true;
    if (later) {
        m5_diag d = m5_found(M5_ROW(ill_version), (m5_span){word.offset, MAGIC});
        m5_emit(ill->report, &d, 0, "%.*s, a later format; expected %s", MAGIC, (const char *)text,
                magic);
    } else {
        say_magic(ill, word, magic);
    }
    return false;
}

static bool start(m5_ill *ill, const char *magic)
{
    const m5_source *s = ill->report->source;
    if (is_binary(s, magic)) {
        m5_diag d = m5_found(M5_ROW(ill_binary), (m5_span){0, MAGIC});
        m5_emit(ill->report, &d, 0, "%s, but binary data behind it", magic);
        return false;
    }
    m5_report silent = {.source = s}; /* of a file in another format nothing else is said */
    m5_words_init(&ill->words, &silent, false);
    if (!read_magic(ill, magic))
        return false;
    m5_words_init(&ill->words, ill->report, !ill->report->plain);
    m5_words_next(&ill->words);
    return true;
}

/* ---- Twice over ------------------------------------------------------------------------------- */

static bool said_nothing(const m5_report *r)
{
    return r->errors + r->warnings + r->notes + r->flaws == 0;
}

static void *attempt(m5_ill *ill, const char *magic, void *(*read)(m5_ill *))
{
    bool started = start(ill, magic);
    ill->ended = !started;
    return read(ill);
}

m5_status m5_ill_parse(m5_report *report, m5_arena *arena, const char *magic,
                       void *(*read)(m5_ill *ill), void **out)
{
    size_t mark = arena->used;
    m5_report silent = {.source = report->source,
                        .levels = report->levels,
                        .ill_layout = report->ill_layout,
                        .plain = report->plain};
    m5_ill ill = {.report = &silent, .arena = arena};
    *out = attempt(&ill, magic, read);
    if (!ill.out_of_memory && said_nothing(&silent))
        return M5_CLEAN;
    uint64_t flaws = report->flaws;
    bool out_of_memory = ill.out_of_memory;
    m5_arena_release(arena, mark);
    ill = (m5_ill){.report = report, .arena = arena, .loud = true};
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

/* ---- The header ------------------------------------------------------------------------------- */

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
    while (from > 0 && !m5_words_blank(s->bytes[from - 1]))
        from--;
    out->at = (m5_span){from, end - from};
    out->told = status == M5_WORD_BAD;
    ill->ended |= out->told;
    return !out->told;
}

bool m5_ill_can_hold(const m5_ill *ill, m5_ill_count *count, uint64_t words)
{
    uint64_t left = (uint64_t)(ill->words.end - ill->words.p) / 2; /* a blank, a digit */
    count->exceeds = words != 0 && count->value > left / words && !ill->words.cut;
    return !count->exceeds;
}

/* ---- Plans ------------------------------------------------------------------------------------ */

uint32_t m5_ill_record_words(const m5_ill_section *section)
{
    uint32_t words = 0;
    for (unsigned i = 0; i < section->num_rows; i++)
        words += section->row[i].width;
    return words;
}

/* Counts are below 2^32 and records below 2^32 words; UINT64_MAX stands for more than any file. */
uint64_t m5_ill_plan_words(const m5_ill_plan *plan)
{
    uint64_t words = 0;
    for (unsigned i = 0; i < plan->num_sections; i++)
        words += (uint64_t)plan->section[i].count * m5_ill_record_words(&plan->section[i]);
    return words != 0 && plan->cycles > UINT64_MAX / words ? UINT64_MAX : words * plan->cycles;
}

static bool has_names(const m5_ill_plan *plan)
{
    for (unsigned i = 0; i < plan->num_sections; i++)
        if (plan->section[i].kind == M5_ILL_NAMES)
            return true;
    return false;
}

/* A word, without comments where those can be told from names. */
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

/* The words from here on, with a report that tells nobody. */
static m5_words look_ahead(const m5_ill *ill, m5_report *silent)
{
    m5_words w = ill->words;
    *silent = (m5_report){.source = ill->report->source};
    w.report = silent;
    return w;
}

uint64_t m5_ill_words_left(const m5_ill *ill)
{
    m5_report silent;
    m5_words w = look_ahead(ill, &silent);
    bool comments = !has_names(&ill->plan);
    uint64_t words = 0;
    while (next_word(&w, comments).length != 0)
        words++;
    return words;
}

static bool is_kind(const m5_source *s, m5_span word, m5_ill_kind kind)
{
    if (kind == M5_ILL_NAMES)
        return !m5_words_is_number(s, word);
    if (kind == M5_ILL_FLOATS)
        return m5_words_is_number(s, word);
    m5_span digits = word;
    if (s->bytes[word.offset] == '-') {
        digits.offset++;
        digits.length--;
    }
    return m5_words_is_index(s, digits);
}

static bool breaks_line(const m5_words *w, uint32_t from, uint32_t to)
{
    for (const uint8_t *p = w->base + from; p < w->base + to; p++)
        if (*p == '\n' || *p == '\r')
            return true;
    return false;
}

m5_ill_fit m5_ill_fits(const m5_ill *ill, const m5_ill_plan *plan,
                       m5_span last[M5_ILL_MAX_SECTIONS])
{
    const m5_source *s = ill->report->source;
    m5_report silent;
    m5_words w = look_ahead(ill, &silent);
    uint32_t end = (uint32_t)(w.p - w.base);
    m5_ill_at at = m5_ill_first(plan);
    while (at.cycle < plan->cycles) {
        const m5_ill_section *section = &plan->section[at.section];
        for (uint32_t i = 0; i < section->row[at.row].width; i++) {
            m5_span word = next_word(&w, section->kind != M5_ILL_NAMES);
            if (word.length == 0)
                return section->missing != NULL ? M5_FITS_BUT_LESS : M5_FITS_NOT;
            if (!is_kind(s, word, section->kind) ||
                (ill->rows && breaks_line(&w, end, word.offset) != (i == 0)))
                return M5_FITS_NOT;
            end = word.offset + word.length;
            last[at.section] = word;
        }
        m5_ill_advance(plan, &at);
    }
    return next_word(&w, false).length == 0 ? M5_FITS : M5_FITS_BUT_MORE;
}

bool m5_ill_survey(m5_ill *ill)
{
    m5_span last[M5_ILL_MAX_SECTIONS];
    uint64_t due = m5_ill_plan_words(&ill->plan);
    ill->words_found = m5_ill_words_left(ill);
    ill->surplus = due <= INT64_MAX ? (int64_t)ill->words_found - (int64_t)due : INT64_MIN / 2;
    if (ill->surplus == 0)
        return false;
    ill->rows = m5_ill_has_rows(ill);
    return !ill->words.cut && m5_ill_fits(ill, &ill->plan, last) != M5_FITS;
}

static void say_exceeds(m5_ill *ill, m5_ill_count *count)
{
    m5_diag d = m5_found(M5_ROW(ill_count_exceeds_file), count->at);
    m5_emit(ill->report, &d, 0, "%u, but there are only %llu words behind the header", count->value,
            (unsigned long long)ill->words_found);
    count->told = true;
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
    m5_words_scan(&ill->words);
    ill->at.cycle = ill->plan.cycles;
    m5_ill_say_end(ill);
}

void m5_ill_say_count(m5_ill *ill, m5_ill_count *count, uint32_t found, const char *what,
                      m5_span last)
{
    m5_diag d = m5_found(count->exceeds ? M5_ROW(ill_count_exceeds_file) : M5_ROW(ill_token_count),
                         count->at);
    ill->told = true;
    if (last.length != 0)
        m5_relate(&d, ill->report->source, last, "the last one");
    if (!count->told)
        m5_emit(ill->report, &d, 0, "%u %s declared, %u found", count->value, what, found);
    count->told = true;
}

/* ---- Records ---------------------------------------------------------------------------------- */

void m5_ill_say_end(m5_ill *ill)
{
    const m5_ill_section *section = &ill->plan.section[ill->at.section];
    bool in_file = ill->at.cycle < ill->plan.cycles;
    const m5_rule *rule = in_file && section->missing != NULL ? section->missing
                                                              : M5_ROW(ill_token_count);
    if (ill->ended)
        return;
    ill->ended = true;
    if (ill->told || ill->words.cut || ill->words.glued)
        return;
    m5_diag d = m5_found(rule, m5_source_end(ill->report->source));
    if (in_file)
        d.path = m5_ill_path(ill);
    if (section->record == NULL)
        m5_emit(ill->report, &d, 0, "the file ends in its header");
    else if (!in_file)
        m5_emit(ill->report, &d, 0, "%llu words behind the header, but its counts ask for %llu",
                (unsigned long long)ill->words_found,
                (unsigned long long)m5_ill_plan_words(&ill->plan));
    else if (ill->plan.cycle == NULL)
        m5_emit(ill->report, &d, 0, "the file ends at %s %u of %u", section->record, ill->at.record,
                section->count);
    else
        m5_emit(ill->report, &d, 0, "the file ends in %s %u of %u, at %s %u of %u", ill->plan.cycle,
                ill->at.cycle, ill->plan.cycles, section->record, ill->at.record, section->count);
}

m5_path m5_ill_path(const m5_ill *ill)
{
    const m5_ill_section *section = &ill->plan.section[ill->at.section];
    m5_path path = m5_path1(ill->plan.cycle, ill->at.cycle);
    int i = ill->plan.cycle != NULL;
    path.step[i].name = section->record;
    path.step[i].index = section->count > 1 ? ill->at.record : M5_NO_INDEX;
    if (section->num_rows > 1) {
        path.step[i + 1].name = section->row[ill->at.row].name;
        path.step[i + 1].index = M5_NO_INDEX;
    }
    return path;
}

/* How the words of a kind are read: `count` of them to `out`, from its element `first` on; and how
 * they are marked as unknown. */
typedef struct reader {
    m5_word_status (*read)(m5_words *w, void *out, uint32_t first, uint32_t count);
    void (*mark)(void *out, uint32_t first, uint32_t count);
} reader;

static m5_word_status read_row(m5_ill *ill, const reader *r, void *out, uint32_t first)
{
    const m5_ill_section *section = &ill->plan.section[ill->at.section];
    uint32_t width = section->row[ill->at.row].width;
    m5_ill_row row = ill->rows ? m5_ill_next_row(ill) : M5_ROW_HERE;
    m5_word_status status = row == M5_ROW_END ? M5_WORD_END : M5_WORD_BAD;
    if (ill->loud)
        ill->words.path = m5_ill_path(ill);
    if (row == M5_ROW_HERE)
        status = r->read(&ill->words, out, first, width);
    if (row != M5_ROW_HERE || status == M5_WORD_END)
        r->mark(out, first, width);
    if (status != M5_WORD_END)
        m5_ill_advance(&ill->plan, &ill->at);
    return status;
}

/* The rows of the record that is next. */
static m5_word_status read_record(m5_ill *ill, const reader *r, void *out)
{
    const m5_ill_section *section = &ill->plan.section[ill->at.section];
    m5_word_status worst = M5_WORD_FINE;
    uint32_t done = 0;
    if (ill->ended || ill->at.cycle >= ill->plan.cycles)
        return M5_WORD_END;
    for (unsigned i = 0; i < section->num_rows && worst != M5_WORD_END; i++) {
        m5_word_status status = read_row(ill, r, out, done);
        worst = status > worst ? status : worst;
        done += section->row[i].width;
    }
    if (worst == M5_WORD_END)
        m5_ill_say_end(ill);
    return worst;
}

static void mark_floats(void *out, uint32_t first, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        ((float *)out)[first + i] = NAN;
}

static m5_word_status read_floats(m5_words *w, void *out, uint32_t first, uint32_t count)
{
    float *to = (float *)out + first;
    m5_word_status worst = M5_WORD_FINE;
    for (uint32_t i = 0; i < count && worst != M5_WORD_END; i++) {
        m5_word_status status = m5_words_float(w, &to[i]);
        if (status == M5_WORD_FINE)
            continue;
        to[i] = NAN;
        worst = status;
    }
    return worst;
}

m5_word_status m5_ill_floats(m5_ill *ill, float *out)
{
    return read_record(ill, &(reader){read_floats, mark_floats}, out);
}

static void mark_unsigneds(void *out, uint32_t first, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        ((uint32_t *)out)[first + i] = UINT32_MAX;
}

static m5_word_status read_unsigneds(m5_words *w, void *out, uint32_t first, uint32_t count)
{
    uint32_t *to = (uint32_t *)out + first;
    m5_word_status worst = M5_WORD_FINE;
    for (uint32_t i = 0; i < count && worst != M5_WORD_END; i++) {
        m5_word_status status = m5_words_unsigned(w, &to[i]);
        if (status == M5_WORD_FINE)
            continue;
        to[i] = UINT32_MAX;
        worst = status;
    }
    return worst;
}

m5_word_status m5_ill_unsigneds(m5_ill *ill, uint32_t *out)
{
    return read_record(ill, &(reader){read_unsigneds, mark_unsigneds}, out);
}

static void mark_int(void *out, uint32_t first, uint32_t count)
{
    (void)first;
    (void)count;
    *(int64_t *)out = -1;
}

static m5_word_status read_int(m5_words *w, void *out, uint32_t first, uint32_t count)
{
    (void)first;
    (void)count;
    return m5_words_int_slow(w, INT32_MIN, INT32_MAX, out);
}

m5_word_status m5_ill_int(m5_ill *ill, int64_t *out)
{
    return read_record(ill, &(reader){read_int, mark_int}, out);
}

static void mark_name(void *out, uint32_t first, uint32_t count)
{
    (void)first;
    (void)count;
    *(m5_span *)out = (m5_span){0, 0};
}

static m5_word_status read_name(m5_words *w, void *out, uint32_t first, uint32_t count)
{
    (void)first;
    (void)count;
    m5_span name = m5_words_next(w);
    *(m5_span *)out = name;
    return name.length != 0 ? M5_WORD_FINE : M5_WORD_END;
}

m5_word_status m5_ill_name(m5_ill *ill, m5_span *out)
{
    return read_record(ill, &(reader){read_name, mark_name}, out);
}

/* ---- The end ---------------------------------------------------------------------------------- */

bool m5_ill_finish(m5_ill *ill)
{
    const m5_source *s = ill->report->source;
    m5_span word = m5_words_peek(&ill->words);
    bool sure = ill->rows || ill->told || ill->words.cut;
    if (ill->ended || word.length == 0)
        return !ill->ended || sure;
    m5_ill_kind kind = ill->plan.section[ill->plan.num_sections - 1].kind;
    bool more = kind == M5_ILL_INTS && m5_words_is_index(s, word);
    m5_diag d = m5_found(more ? M5_ROW(ill_token_count) : M5_ROW(ill_trailing_data),
                         more && !ill->rows ? m5_source_end(s) : word);
    bool again = word.length == MAGIC && memcmp(s->bytes + word.offset, s->bytes, MAGIC) == 0;
    if (more)
        m5_emit(ill->report, &d, 0, "more numbers than the counts in the header ask for");
    else if (again)
        m5_emit(ill->report, &d, 0, "the file starts over: it is written twice");
    else
        m5_emit(ill->report, &d, 0, "'%.*s' stands behind the end of the model", (int)word.length,
                (const char *)s->bytes + word.offset);
    return !more || sure;
}
