/* Adds up what targets make of files, and shows it. */
#include "report.h"
#include "parsers/core/text.h"

#include <stdlib.h>
#include <string.h>

bool m5_outcomes_has(const m5_outcomes *o, unsigned target)
{
    return (o->chosen >> target & 1) != 0;
}

/* ---- Adding ---------------------------------------------------------------------------------- */

static void add_file(m5_outcome_total *t, const m5_result *r, const m5_decision *d)
{
    t->unknown += d->unknown;
    if (d->outcome <= t->outcome)
        return;
    m5_lines lines = m5_result_lines(r);
    m5_place place = m5_lines_find(&lines, d->offset);
    t->outcome = d->outcome;
    t->rule = d->rule;
    t->limit = d->limit;
    t->measured = d->measured;
    t->line = place.line;
    t->column = place.column;
    t->file = r->path;
}

static void add_unread(m5_outcome_total *t, const m5_result *r)
{
    t->unknown++;
    if (t->outcome >= M5_UNKNOWN)
        return;
    *t = (m5_outcome_total){.outcome = M5_UNKNOWN, .unknown = t->unknown, .file = r->path};
}

/* Whether an animation has the path of its mesh, but for the extension. */
static bool is_named_like_mesh(const m5_lint_file *anim)
{
    if (anim->base == NULL)
        return false;
    const char *a = anim->source.name, *m = anim->base->source.name, *dot = strrchr(a, '.');
    size_t length = dot != NULL ? (size_t)(dot - a) : strlen(a);
    return strncmp(a, m, length) == 0 && strrchr(m, '.') == m + length;
}

void m5_outcomes_add(m5_outcomes *o, const m5_result *r)
{
    bool judged = r->error != NULL ||
                  r->file->targets != NULL; /* not a shadowed file, for example */
    if (o->chosen == 0 || !judged)
        return;
    o->read++;
    if (r->error == NULL && r->file->model.md5mesh != NULL)
        o->alone++;
    else if (r->error == NULL && is_named_like_mesh(r->file))
        o->alone--;
    for (unsigned i = 0; i < M5_TARGETS; i++) {
        if (!m5_outcomes_has(o, i))
            continue;
        if (r->error != NULL)
            add_unread(&o->total[i], r);
        else
            add_file(&o->total[i], r, &r->file->targets->decisions[i]);
    }
}

void m5_outcomes_finish(m5_outcomes *o)
{
    for (unsigned i = 0; i < M5_TARGETS && o->read == 0; i++)
        o->total[i].outcome = M5_UNKNOWN;
    for (unsigned i = 0; i < M5_TARGETS && o->alone > 0; i++) {
        m5_outcome_total *t = &o->total[i];
        if (!m5_target_needs_pair(i) || t->outcome >= M5_UNKNOWN)
            continue;
        *t = (m5_outcome_total){
            .outcome = M5_UNKNOWN, .unknown = t->unknown, .alone = (uint64_t)o->alone};
    }
}

/* ---- Showing --------------------------------------------------------------------------------- */

static void put_padded(const m5_writer *out, const char *text, size_t width)
{
    m5_output_string(out, text);
    for (size_t n = strlen(text); n < width; n++)
        m5_output_string(out, " ");
}

static void put_cause(const m5_writer *out, const m5_outcome_total *t)
{
    if (t->file != NULL)
        m5_output_safe(out, t->file, strlen(t->file));
    if (t->rule != NULL || t->limit != NULL)
        m5_write(out, ":%u:%u ", t->line, t->column);
    if (t->rule != NULL)
        m5_output_string(out, t->rule->id);
    if (t->limit != NULL)
        m5_write(out, "%llu %s, at most %u", (unsigned long long)t->measured,
                 m5_measure_name(t->limit->measure), t->limit->value);
}

void m5_outcomes_put(const m5_outcomes *o, const m5_writer *out)
{
    for (unsigned i = 0; i < M5_TARGETS; i++) {
        const m5_outcome_total *t = &o->total[i];
        if (!m5_outcomes_has(o, i))
            continue;
        put_padded(out, m5_targets[i].name, 17);
        put_padded(out, m5_outcome_name(t->outcome), t->file != NULL || t->alone != 0 ? 10 : 0);
        put_cause(out, t);
        if (t->alone != 0)
            m5_write(out, "%llu %s, but it loads only a mesh and an animation of the same name",
                     (unsigned long long)t->alone,
                     t->alone == 1 ? "md5mesh is alone" : "md5mesh files are alone");
        if (o->read == 0)
            m5_output_string(out, ": there is no md5mesh or md5anim");
        else if (t->unknown != 0)
            m5_write(out, " (%llu unknown)", (unsigned long long)t->unknown);
        m5_output_string(out, "\n");
    }
}

void m5_output_effects(const m5_writer *out, const m5_result *r, const m5_diag *d)
{
    const m5_targets_state *s = r->file->targets;
    uint8_t outcome[M5_TARGETS];
    const char *before = " (";
    if (s == NULL)
        return;
    m5_targets_effect(s, &r->file->source, d, outcome);
    for (unsigned i = 0; i < M5_TARGETS; i++) {
        if ((s->chosen >> i & 1) == 0 || outcome[i] == M5_LOADS)
            continue;
        m5_write(out, "%s%s %s", before, m5_targets[i].name, m5_outcome_name(outcome[i]));
        before = ", ";
    }
    m5_output_string(out, before[0] == ',' ? ")" : "");
}

/* ---- What is known --------------------------------------------------------------------------- */

static void put_limits(const m5_writer *out, unsigned target)
{
    for (size_t i = 0; i < m5_num_limits; i++) {
        const m5_limit *l = &m5_limits[i];
        if (l->target == target || l->target == m5_targets[target].like)
            m5_write(out, "    %s: at most %u, or %s %s (%s)\n", m5_measure_name(l->measure),
                     l->value, l->outcome == M5_UNKNOWN ? "the outcome is" : "it",
                     m5_outcome_name(l->outcome), l->evidence);
    }
}

/* Whether a date is a year or more before another; both are YYYY-MM-DD. */
static bool is_old(const char *date, const char *today)
{
    enum { YEAR = 4 };
    int years = atoi(today) - atoi(date);
    return years > 1 || (years == 1 && strcmp(date + YEAR, today + YEAR) <= 0);
}

void m5_list_targets(const m5_writer *out, const char *today)
{
    for (unsigned i = 0; i < M5_TARGETS; i++) {
        const m5_target *t = &m5_targets[i];
        m5_write(out, "%s", t->name);
        if (t->alias != NULL)
            m5_write(out, " or %s", t->alias);
        m5_write(out, ": %s\n    source read: %s of %s%s\n    needs: %s\n", t->what, t->commit,
                 t->date, is_old(t->date, today) ? ", over a year old: it may differ by now" : "",
                 t->needs);
        put_limits(out, i);
    }
}

static void put_selector(const m5_writer *out, const m5_verdict *v)
{
    const char *before = "";
    if (v->format != M5_FORMATS)
        m5_write(out, "%s", m5_format_at(v->format)->name), before = ", ";
    if (v->record != NULL)
        m5_write(out, "%s%s", before, *v->record != '\0' ? v->record : "elsewhere"), before = ", ";
    if (v->tag != M5_TAGS)
        m5_write(out, "%s%s", before, m5_tag_name(v->tag)), before = ", ";
    if (v->severity != M5_SILENT)
        m5_write(out, "%sif it is %s %s", before, v->severity == M5_ERROR ? "an" : "a",
                 m5_severity_name(v->severity));
    else if (*before == '\0')
        m5_output_string(out, "otherwise");
}

/* Whether no other row of the target is about the same rule. */
static bool is_only_row(const m5_verdict *v)
{
    size_t count = 0;
    for (size_t i = 0; i < M5_VERDICTS; i++)
        count += m5_verdicts[i].rule == v->rule && m5_verdicts[i].target == v->target;
    return count == 1;
}

bool m5_output_case(const m5_writer *out, const m5_verdict *v)
{
    bool plain = v->format == M5_FORMATS && v->record == NULL && v->tag == M5_TAGS &&
                 v->severity == M5_SILENT;
    if (plain && is_only_row(v))
        return false;
    put_selector(out, v);
    return true;
}

static void put_verdict(const m5_writer *out, const m5_verdict *v, unsigned target)
{
    m5_output_string(out, "  ");
    put_padded(out, m5_targets[target].name, 17);
    put_padded(out, m5_outcome_name(v->outcome), 10);
    m5_write(out, m5_output_case(out, v) ? " (%s)\n" : "%s\n", v->evidence);
}

/* The rows of a target about a rule, or those of the target that it is like. */
static bool put_rows(const m5_writer *out, const m5_rule *rule, unsigned target, int of)
{
    bool any = false;
    for (size_t i = 0; i < M5_VERDICTS; i++) {
        const m5_verdict *v = &m5_verdicts[i];
        if (v->rule != rule->number || v->target != of)
            continue;
        put_verdict(out, v, target);
        any = true;
    }
    return any;
}

/* Whether all targets load a file in spite of this rule's findings; true if nothing is known. */
static bool is_harmless(const m5_rule *rule)
{
    bool harmless = true;
    for (size_t i = 0; i < M5_VERDICTS; i++)
        harmless &= m5_verdicts[i].rule != rule->number || m5_verdicts[i].outcome == M5_LOADS;
    return harmless;
}

static bool has_row(const m5_rule *rule, int target, int outcome, bool other)
{
    for (size_t i = 0; i < M5_VERDICTS; i++) {
        const m5_verdict *v = &m5_verdicts[i];
        if (v->rule == rule->number && v->target == target && (v->outcome == outcome) != other)
            return true;
    }
    return false;
}

/* One row for an outcome: the targets that have it, and whether in some cases only. */
static void put_outcome(const m5_writer *out, const m5_rule *rule, m5_outcome outcome)
{
    const char *before = "| ";
    for (int i = 0; i < M5_TARGETS; i++) {
        bool own = has_row(rule, i, M5_LOADS, false) || has_row(rule, i, M5_LOADS, true);
        int of = own ? i : m5_targets[i].like;
        if (!has_row(rule, of, (int)outcome, false))
            continue;
        if (*before == '|')
            m5_write(out, "| %s ", m5_outcome_name(outcome));
        m5_write(out, "%s%s%s", before, m5_targets[i].name,
                 has_row(rule, of, (int)outcome, true) ? " (some cases)" : "");
        before = ", ";
    }
    m5_output_string(out, *before == '|' ? "" : " |\n");
}

void m5_explain_targets(const m5_writer *out, const m5_rule *rule, bool markdown)
{
    if ((rule->formats & M5_IN_MD5_MODELS) == 0)
        return;
    m5_output_string(out, markdown ? "\n" : "\nEngines\n");
    if (is_harmless(rule)) {
        m5_output_string(out, markdown ? "Engines: all load the file.\n" : "  all load the file\n");
        return;
    }
    if (markdown)
        m5_output_string(out, "| outcome | engines |\n|---|---|\n");
    for (int k = M5_CRASHES; k >= M5_LOADS && markdown; k--)
        put_outcome(out, rule, (m5_outcome)k);
    for (unsigned i = 0; i < M5_TARGETS && !markdown; i++)
        if (!put_rows(out, rule, i, (int)i) && m5_targets[i].like != M5_TARGET_NONE)
            put_rows(out, rule, i, m5_targets[i].like);
}
