/* Finds a mistake that an exporter made in every record: a row with too many or too few words, a
 * missing row or an extra row. It is only reported where lines show it and it accounts for all
 * words. Only floats are looked at: integers may be in lines of any length, and any word may be a
 * name. */
#include "ill.h"
#include "../core/emit.h"

typedef enum slip_kind { OTHER_WIDTH, ROW_MISSING, ROW_TOO_MANY } slip_kind;
typedef struct slip {
    slip_kind kind;
    unsigned section, row; /* of the plan; an extra row comes before this one */
    uint32_t words;        /* how many the row has */
} slip;

/* Makes the plan of a file with this mistake; false if no plan can describe it. */
static bool plan_of(const m5_ill_plan *usual, const slip *s, m5_ill_plan *out)
{
    *out = *usual;
    m5_ill_section *section = &out->section[s->section];
    if (s->kind != ROW_TOO_MANY) {
        section->row[s->row].width = s->words;
        return true;
    }
    if (section->num_rows == M5_ILL_MAX_ROWS)
        return false;
    for (unsigned i = section->num_rows++; i > s->row; i--)
        section->row[i] = section->row[i - 1];
    section->row[s->row].width = s->words;
    return true;
}

/* Whether lines do not show where a section ends and the next begins. */
static bool are_alike(const m5_ill_plan *plan, unsigned k)
{
    const m5_ill_section *section = &plan->section[k];
    bool alike = k + 1 < plan->num_sections;
    for (unsigned i = 0; alike && i < section->num_rows; i++)
        alike = section->row[i].width == section[1].row[0].width || section->row[i].width == 0;
    return alike;
}

static bool holds(m5_ill *ill, const m5_ill_plan *usual, const slip *s)
{
    m5_span last[M5_ILL_MAX_SECTIONS];
    m5_ill_plan plan;
    bool rows = ill->rows;
    if (!plan_of(usual, s, &plan) || are_alike(&plan, s->section))
        return false;
    ill->rows = true;
    bool fits = m5_ill_fits(ill, &plan, last) == M5_FITS;
    ill->rows = rows;
    return fits;
}

/* If several rows could have the mistake, the last one is taken. `each` is how many extra words
 * every record has. */
static bool find_in(m5_ill *ill, const m5_ill_plan *usual, unsigned k, int64_t each, slip *found)
{
    const m5_ill_section *section = &usual->section[k];
    bool any = false;
    for (unsigned i = 0; i <= section->num_rows; i++) {
        int64_t words = i < section->num_rows ? section->row[i].width + each : -1;
        slip tries[] = {{words == 0 ? ROW_MISSING : OTHER_WIDTH, k, i, (uint32_t)words},
                        {ROW_TOO_MANY, k, i, (uint32_t)each}};
        bool none = words < 0 || (words == 0 && section->num_rows == 1); /* there is no such row */
        for (int t = none; t < 1 + (each > 0); t++)
            if (holds(ill, usual, &tries[t])) {
                *found = tries[t];
                any = true;
            }
    }
    return any;
}

/* The first extra word, or the word where a missing one should be. */
static m5_span place_of(m5_ill *ill, const m5_ill_plan *usual, const slip *s)
{
    uint64_t before = 0;
    for (unsigned i = 0; i < s->section; i++)
        before += (uint64_t)usual->section[i].count * m5_ill_record_words(&usual->section[i]);
    for (unsigned i = 0; i < s->row; i++)
        before += usual->section[s->section].row[i].width;
    if (s->kind == OTHER_WIDTH && s->words > usual->section[s->section].row[s->row].width)
        before += usual->section[s->section].row[s->row].width;
    return m5_words_nth(ill->report->source, m5_words_here(&ill->words), (uint32_t)before);
}

static void say(m5_ill *ill, const m5_ill_plan *usual, const slip *s)
{
    const m5_ill_section *section = &usual->section[s->section];
    bool rows = section->num_rows > 1, behind = s->row == section->num_rows;
    const char *row = section->row[behind ? s->row - 1 : s->row].name;
    m5_diag d = m5_found(M5_ROW(ill_token_count), place_of(ill, usual, s));
    const char *plural = s->words == 1 ? "" : "s";
    if (s->kind == ROW_TOO_MANY && rows)
        m5_emit(ill->report, &d, 0, "each %s has an extra line of %u value%s %s its %s",
                section->record, s->words, plural, behind ? "after" : "before", row);
    else if (s->kind == ROW_TOO_MANY)
        m5_emit(ill->report, &d, 0, "each %s has an extra line of %u value%s", section->record,
                s->words, plural);
    else if (s->kind == ROW_MISSING)
        m5_emit(ill->report, &d, 0, "the %s of each %s is missing, expected %u values", row,
                section->record, section->row[s->row].width);
    else
        m5_emit(ill->report, &d, 0, "each %s has %u value%s%s%s, expected %u", section->record,
                s->words, plural, rows ? " for its " : "", rows ? row : "",
                section->row[s->row].width);
}

bool m5_ill_find_slip(m5_ill *ill, const m5_ill_plan *usual)
{
    uint64_t due = m5_ill_plan_words(usual);
    int64_t surplus = (int64_t)ill->words_found - (int64_t)due;
    slip found;
    if (due > UINT32_MAX || surplus == 0)
        return false;
    for (unsigned k = 0; k < usual->num_sections; k++) {
        const m5_ill_section *section = &usual->section[k];
        int64_t records = (int64_t)section->count * usual->cycles;
        if (section->kind != M5_ILL_FLOATS || section->num_rows == 0 || records < 2 ||
            surplus % records != 0 || !find_in(ill, usual, k, surplus / records, &found))
            continue;
        say(ill, usual, &found);
        ill->told = ill->ended = true;
        return true;
    }
    return false;
}
