/* Judges findings and models by the rows of targets. */
#include "targets.h"
#include "lint/core/check.h"
#include "parsers/core/emit.h"

#include <string.h>

/* ---- Findings -------------------------------------------------------------------------------- */

/* A finding as rows see it. */
typedef struct traits {
    unsigned rule, format;
    m5_tag tag;
    m5_severity own;
    const char *record;
} traits;

static traits traits_of(const m5_source *s, unsigned format, const m5_diag *d)
{
    return (traits){d->rule->number, format, m5_tag_of(s, d), d->own, m5_record_of(s, d)};
}

/* How many columns of a row say more than "all", plus 1; 0 if the row is about other findings. */
static unsigned fit(const m5_verdict *v, const traits *t)
{
    bool format = v->format != M5_FORMATS, tag = v->tag != M5_TAGS;
    bool severity = v->severity != M5_SILENT, record = v->record != NULL;
    if ((format && v->format != t->format) || (tag && v->tag != t->tag) ||
        (severity && v->severity != t->own) || (record && strcmp(v->record, t->record) != 0))
        return 0;
    return 1u + format + tag + severity + record;
}

/* The row that fits best decides; of those that fit equally well, the first. */
static void look_up(const m5_target_rows *rows, const traits *t, uint8_t *outcome)
{
    uint8_t best[M5_TARGETS] = {0};
    memset(outcome, M5_UNKNOWN, M5_TARGETS);
    for (unsigned i = rows->first[t->rule]; i < M5_VERDICTS; i = rows->next[i]) {
        const m5_verdict *v = &m5_verdicts[i];
        unsigned how = fit(v, t);
        if (how <= best[v->target])
            continue;
        best[v->target] = (uint8_t)how;
        outcome[v->target] = v->outcome;
    }
    for (unsigned i = 0; i < M5_TARGETS; i++)
        if (best[i] == 0 && m5_targets[i].like != M5_TARGET_NONE)
            outcome[i] = outcome[m5_targets[i].like];
}

/* Whether something else than numbers and parentheses follows on the line. */
static bool has_odd_rest(const m5_source *s, const m5_diag *d)
{
    const uint8_t *p = s->bytes + d->at.offset + d->at.length, *end = s->bytes + s->size;
    while (p < end && *p != '\n' && *p != '/' && strchr(" \t\r().+-eE0123456789", *p) != NULL)
        p++;
    return p < end && *p != '\n' && *p != '/' && *p != '}';
}

/* Whether a number was not read that an engine may read, so that it is not known what else is wrong
 * in its record, or, if it is a count, with what it counts. Values of frames are read one by one.
 */
static bool hides_others(const m5_source *s, const m5_diag *d, const traits *t)
{
    static const m5_rule *const rules[] = {
        M5_ROW(md5_int_hex),          M5_ROW(md5_int_overflow),         M5_ROW(md5_number_syntax),
        M5_ROW(md5_float_comma),      M5_ROW(md5_number_float_for_int), M5_ROW(md5_float_overflow),
        M5_ROW(md5_float_non_finite), M5_ROW(md5_float_exponent_huge)};
    enum { INTEGERS = 5, ALL = sizeof rules / sizeof *rules };
    size_t i = 0;
    while (i < ALL && rules[i] != d->rule)
        i++;
    if (i == ALL || d->own != M5_ERROR || strcmp(t->record, "frame") == 0 ||
        strcmp(t->record, "bounds") == 0 || strcmp(t->record, "frameRate") == 0)
        return false;
    return i < INTEGERS || strcmp(t->record, "vert") == 0 || has_odd_rest(s, d);
}

/* Which targets do not mind what was found in a mesh, as it is behind those that numMeshes says,
 * and they do not read it: bits. */
static uint32_t not_reading(const m5_targets_state *s, const m5_diag *d)
{
    const m5_md5mesh *m = s->model->md5mesh;
    const char *step = d->path.step[0].name;
    bool behind = m != NULL && step != NULL && strcmp(step, "mesh") == 0 &&
                  d->path.step[0].index >= m->meshes_due;
    return behind ? ~s->rows->reads_all : 0;
}

static uint8_t unless(uint32_t bits, unsigned target, uint8_t outcome)
{
    return (bits >> target & 1) != 0 ? M5_LOADS : outcome;
}

static uint8_t doubted(uint8_t outcome)
{
    return outcome < M5_UNKNOWN ? M5_UNKNOWN : outcome;
}

void m5_targets_effect(const m5_targets_state *s, const m5_source *source, const m5_diag *diag,
                       uint8_t *outcome)
{
    traits t = traits_of(source, s->format, diag);
    look_up(s->rows, &t, outcome);
    uint32_t left_out = not_reading(s, diag);
    for (unsigned i = 0; i < M5_TARGETS && hides_others(source, diag, &t); i++)
        outcome[i] = doubted(outcome[i]);
    for (unsigned i = 0; i < M5_TARGETS; i++)
        outcome[i] = unless(left_out, i, outcome[i]);
}

static const uint8_t *known_effect(m5_targets_state *s, const traits *t)
{
    unsigned i = (t->rule * 31 + (unsigned)t->tag * 7 + (unsigned)t->own) % M5_TARGETS_SEEN;
    if (s->seen[i].record != NULL && s->seen[i].rule == t->rule && s->seen[i].tag == t->tag &&
        s->seen[i].own == t->own && strcmp(s->seen[i].record, t->record) == 0)
        return s->seen[i].outcome;
    s->seen[i].rule = (uint16_t)t->rule;
    s->seen[i].tag = (uint8_t)t->tag;
    s->seen[i].own = (uint8_t)t->own;
    s->seen[i].record = t->record;
    look_up(s->rows, t, s->seen[i].outcome);
    return s->seen[i].outcome;
}

static bool is_chosen(const m5_targets_state *s, unsigned target)
{
    return (s->chosen >> target & 1) != 0;
}

/* The severity that a finding is shown with. What no target minds is not shown, nor a rule that the
 * user switched off. */
static m5_severity severity_of(m5_outcome worst, m5_severity by_levels)
{
    if (worst >= M5_REFUSES)
        return M5_ERROR;
    if (worst == M5_UNKNOWN)
        return by_levels;
    return worst == M5_MISPLAYS ? M5_WARNING : M5_SILENT;
}

static bool is_switched_off(const m5_report *r, const m5_rule *rule)
{
    const m5_levels *levels = m5_settings_of(r)->levels;
    if (levels == NULL)
        return false;
    return m5_lowest_limit(&levels[rule->number]) == M5_NEVER &&
           (rule->levels.error != M5_NEVER || rule->levels.warning != M5_NEVER);
}

static m5_severity see(void *user, const m5_diag *d)
{
    m5_targets_state *s = user;
    m5_outcome worst = M5_LOADS;
    if (d->own == M5_SILENT && d->tag == M5_TAG_none &&
        s->rows->minds[d->rule->number] != M5_MINDS_EVEN_IF_OFF)
        return d->severity;
    uint32_t left_out = not_reading(s, d);
    m5_targets_measure_text(s, d, s->chosen & ~left_out);
    traits t = traits_of(s->source, s->format, d);
    const uint8_t *known = known_effect(s, &t);
    bool doubt = hides_others(s->source, d, &t);
    for (unsigned i = 0; i < M5_TARGETS; i++) {
        m5_decision *o = &s->decisions[i];
        m5_outcome outcome = unless(left_out, i, doubt ? doubted(known[i]) : known[i]);
        if (!is_chosen(s, i))
            continue;
        o->unknown += outcome == M5_UNKNOWN;
        worst = outcome > worst ? outcome : worst;
        if (outcome > o->outcome)
            *o = (m5_decision){
                .outcome = outcome, .unknown = o->unknown, .rule = d->rule, .offset = d->at.offset};
    }
    return is_switched_off(s->report, d->rule) ? M5_SILENT : severity_of(worst, d->severity);
}

/* The targets that rows of one hold for: itself, and those that are like it. */
static uint32_t holders_of(unsigned target)
{
    uint32_t bits = 1u << target;
    for (unsigned i = 0; i < M5_TARGETS; i++)
        if (m5_targets[i].like == (int)target)
            bits |= 1u << i;
    return bits;
}

/* Rules that no target minds are not run for them; one that is off, and that a target minds, is. */
static void find_minded(uint32_t targets, uint8_t *minds)
{
    bool holds[M5_TARGETS];
    for (unsigned i = 0; i < M5_TARGETS; i++)
        holds[i] = (holders_of(i) & targets) != 0;
    memset(minds, M5_MINDS_NOT, M5_RULES);
    for (unsigned i = 0; i < M5_VERDICTS; i++)
        if (m5_verdicts[i].outcome != M5_LOADS && holds[m5_verdicts[i].target])
            minds[m5_verdicts[i].rule] = M5_MINDS;
    for (unsigned i = 0; i < M5_RULES; i++)
        if (minds[i] != M5_MINDS_NOT && m5_lowest_limit(&m5_rule_at(i)->levels) == M5_NEVER)
            minds[i] = M5_MINDS_EVEN_IF_OFF;
    minds[M5_RULE_md5_word_length] = minds[M5_RULE_md5_line_too_long] = M5_MINDS;
}

/* A target that does not mind more meshes than numMeshes says reads them. */
static uint32_t find_reads_all(const m5_target_rows *rows)
{
    uint8_t outcome[M5_TARGETS];
    uint32_t targets = 0;
    traits more = {M5_RULE_md5mesh_mesh_count, M5_FORMAT_md5mesh, M5_TAG_more, M5_ERROR,
                   "numMeshes"};
    look_up(rows, &more, outcome);
    for (unsigned i = 0; i < M5_TARGETS; i++)
        targets |= outcome[i] == M5_LOADS ? 1u << i : 0;
    return targets;
}

void m5_target_rows_find(uint32_t targets, m5_target_rows *out)
{
    find_minded(targets, out->minds);
    for (unsigned i = 0; i < M5_RULES; i++)
        out->first[i] = M5_VERDICTS;
    for (unsigned i = M5_VERDICTS; i-- > 0;) {
        unsigned rule = m5_verdicts[i].rule;
        out->next[i] = out->first[rule];
        out->first[rule] = (uint16_t)i;
    }
    out->reads_all = find_reads_all(out);
}

void m5_targets_begin(m5_targets_state *s, const m5_target_rows *rows, m5_report *report,
                      const m5_model *model)
{
    memset(s, 0, sizeof *s);
    s->source = report->source;
    s->report = report;
    s->rows = rows;
    s->chosen = m5_settings_of(report)->targets;
    s->model = model;
    while (m5_format_at(s->format) != model->format)
        s->format++;
    report->watch = (m5_watch){see, s, rows->minds};
}
