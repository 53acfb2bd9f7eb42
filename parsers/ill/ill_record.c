/* Reads records in the order of the plan, and checks the end of the file. */
#include "ill.h"
#include "../core/emit.h"
#include "../core/ends.h"

#include <math.h>

/* How words of a kind are read. `read` reads `count` of them to `out`, from its element `first` on.
 * `read_plain` reads as many as the fast readers can; it may be NULL. `mark` marks them as unknown.
 */
typedef struct reader {
    m5_word_status (*read)(m5_words *w, void *out, uint32_t first, uint32_t count);
    uint32_t (*read_plain)(m5_words *w, void *out, uint32_t count);
    void (*mark)(void *out, uint32_t first, uint32_t count);
} reader;

static m5_word_status read_row(m5_ill *ill, const reader *r, void *out, uint32_t first)
{
    const m5_ill_section *section = &ill->plan.section[ill->at.section];
    uint32_t width = section->row[ill->at.row].width;
    m5_ill_row row = ill->rows ? m5_ill_next_row(ill) : M5_ILL_ROW_HERE;
    m5_word_status status = row == M5_ILL_ROW_END ? M5_WORD_END : M5_WORD_BAD;
    if (ill->loud)
        ill->words.path = m5_ill_path(ill);
    if (row == M5_ILL_ROW_HERE)
        status = r->read(&ill->words, out, first, width);
    if (row != M5_ILL_ROW_HERE || status == M5_WORD_END)
        r->mark(out, first, width);
    if (status != M5_WORD_END)
        m5_ill_advance(&ill->plan, &ill->at);
    return status;
}

/* Reads all rows of a record at once, where it does not matter which word is in which row. */
static bool read_plain_record(m5_ill *ill, const reader *r, void *out)
{
    const m5_ill_section *section = &ill->plan.section[ill->at.section];
    const uint8_t *p = ill->words.p;
    uint32_t words = 0;
    if (ill->rows || r->read_plain == NULL)
        return false;
    for (unsigned i = 0; i < section->num_rows; i++)
        words += section->row[i].width;
    if (r->read_plain(&ill->words, out, words) != words) {
        ill->words.p = p;
        return false;
    }
    ill->at.row = section->num_rows - 1;
    m5_ill_advance(&ill->plan, &ill->at);
    return true;
}

/* Reads the rows of the next record. If that record is not in this section, there were fewer
 * records than expected: the file has no room for them, or rows were missing. */
static m5_word_status read_record(m5_ill *ill, unsigned in, const reader *r, void *out)
{
    const m5_ill_section *section = &ill->plan.section[ill->at.section];
    m5_word_status worst = M5_WORD_FINE;
    uint32_t done = 0;
    if (ill->at.cycle >= ill->plan.cycles || /* no caller asks for so many. LCOV_EXCL_BR_LINE */
        ill->at.section != in)
        m5_ill_say_end(ill);
    if (ill->ended)
        return M5_WORD_END;
    if (read_plain_record(ill, r, out))
        return M5_WORD_FINE;
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

static uint32_t read_plain_floats(m5_words *w, void *out, uint32_t count)
{
    return m5_words_floats(w, out, count);
}

m5_word_status m5_ill_floats(m5_ill *ill, unsigned section, float *out)
{
    return read_record(ill, section, &(reader){read_floats, read_plain_floats, mark_floats}, out);
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

static uint32_t read_plain_unsigneds(m5_words *w, void *out, uint32_t count)
{
    return m5_words_unsigneds(w, out, count);
}

m5_word_status m5_ill_unsigneds(m5_ill *ill, unsigned section, uint32_t *out)
{
    return read_record(ill, section,
                       &(reader){read_unsigneds, read_plain_unsigneds, mark_unsigneds}, out);
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

m5_word_status m5_ill_int(m5_ill *ill, unsigned section, int64_t *out)
{
    return read_record(ill, section, &(reader){read_int, NULL, mark_int}, out);
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

m5_word_status m5_ill_name(m5_ill *ill, unsigned section, m5_span *out)
{
    return read_record(ill, section, &(reader){read_name, NULL, mark_name}, out);
}

/* ---- The end --------------------------------------------------------------------------------- */

bool m5_ill_finish(m5_ill *ill)
{
    const m5_source *s = ill->report->source;
    m5_span word = m5_words_peek(&ill->words);
    bool sure = ill->rows || ill->told || ill->words.cut;
    if (ill->ended || word.length == 0)
        return !ill->ended || sure;
    m5_ill_kind kind = ill->plan.section[ill->plan.num_sections - 1].kind;
    bool more = kind == M5_ILL_INTS && m5_words_is_index(s, word);
    m5_diag d = m5_found(more ? M5_ROW(ill_token_count) : M5_ROW(ill_trailing_data), word);
    if (more && !ill->rows)
        d.at = m5_source_end(s);
    bool again = word.length == M5_ILL_MAGIC &&
                 memcmp(s->bytes + word.offset, s->bytes, M5_ILL_MAGIC) == 0;
    if (more)
        m5_emit(ill->report, &d, 0, "the file has more numbers than the header's counts require");
    else if (again)
        m5_emit(ill->report, &d, 0, "the file starts again here: it was written twice");
    else if (!ill->rows ||
             ill->at.cycle >= ill->plan.cycles) /* otherwise it is a row of the model */
        m5_emit(ill->report, &d, 0,
                "'%.*s' follows the end of the model, expected the end of the file",
                (int)word.length, (const char *)s->bytes + word.offset);
    return !more || sure;
}
