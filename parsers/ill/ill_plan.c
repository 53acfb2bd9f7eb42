/* What an ill* file must hold after its header, where in it a parse is, and where it ended too
 * early. */
#include "ill.h"
#include "../core/emit.h"
#include "../core/ends.h"

uint32_t m5_ill_record_words(const m5_ill_section *section)
{
    uint32_t words = 0;
    for (unsigned i = 0; i < section->num_rows; i++)
        words += section->row[i].width;
    return words;
}

/* Counts are below 2^32 and records below 2^32 words; UINT64_MAX means more than any file has. */
uint64_t m5_ill_plan_words(const m5_ill_plan *plan)
{
    uint64_t words = 0;
    for (unsigned i = 0; i < plan->num_sections; i++)
        words += (uint64_t)plan->section[i].count * m5_ill_record_words(&plan->section[i]);
    return words != 0 && plan->cycles > UINT64_MAX / words ? UINT64_MAX : words * plan->cycles;
}

static bool is_empty(const m5_ill_section *section)
{
    return section->count == 0 || section->num_rows == 0;
}

/* Moves to the first section, from this one on, that has records. If there are many cycles, at
 * least one section has some. */
static void skip_empty(const m5_ill_plan *plan, m5_ill_at *at)
{
    while (at->cycle < plan->cycles) {
        if (at->section == plan->num_sections) {
            at->section = 0;
            at->cycle++;
        } else if (is_empty(&plan->section[at->section])) {
            at->section++;
        } else {
            return;
        }
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
        m5_emit(ill->report, &d, 0, "the file ends within its header");
    else if (!in_file)
        m5_emit(ill->report, &d, 0,
                "the number of values after the header is %llu, but its counts require %llu",
                (unsigned long long)ill->words_found,
                (unsigned long long)m5_ill_plan_words(&ill->plan));
    else if (ill->plan.cycle == NULL)
        m5_emit(ill->report, &d, 0, "the file ends before %s %u is complete; the last is %s %u",
                section->record, ill->at.record, section->record, section->count - 1);
    else
        m5_emit(ill->report, &d, 0,
                "the file ends before %s %u of %s %u is complete; the last is %s %u of %s %u",
                section->record, ill->at.record, ill->plan.cycle, ill->at.cycle, section->record,
                section->count - 1, ill->plan.cycle, ill->plan.cycles - 1);
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
