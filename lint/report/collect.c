/* Gathers the findings of a file, and picks which of them are shown. */
#include "fold.h"
#include "lint/core/sort.h"
#include "parsers/core/allocate.h"
#include "parsers/core/emit.h"

#include <string.h>

void m5_collector_init(m5_collector *c, m5_arena *arena, uint32_t max_per_rule)
{
    memset(c, 0, sizeof *c);
    c->arena = arena;
    c->max_per_rule = max_per_rule;
}

bool m5_collector_is_empty(const m5_collector *c)
{
    uint64_t old = 0;
    for (unsigned i = 0; i <= M5_ERROR; i++)
        old += c->old[i];
    return c->counts == NULL && c->first == NULL && old == 0 && !c->lost;
}

/* ---- Counts ---------------------------------------------------------------------------------- */

uint32_t m5_collector_made_as(const m5_collector *c, unsigned rule, m5_severity severity)
{
    const m5_counted *k = m5_collector_counts(c, rule);
    return k != NULL ? k->made[severity - 1] - k->folded[severity - 1] : 0;
}

static uint64_t sum_of(const m5_counted *k, bool each)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < M5_ERROR; i++)
        sum += k->made[i] - (each ? 0 : k->folded[i]);
    return sum;
}

uint64_t m5_collector_made(const m5_collector *c, unsigned rule)
{
    const m5_counted *k = m5_collector_counts(c, rule);
    return k != NULL ? sum_of(k, false) : 0;
}

/* ---- Findings -------------------------------------------------------------------------------- */

/* How many findings of a rule are kept. What is not kept cannot be folded. */
static uint32_t most_kept(const m5_collector *c, const m5_rule *rule)
{
    bool more = c->keep_shared && c->max_per_rule < M5_FOLD_MOST && m5_may_fold(rule);
    return c->max_per_rule != 0 && more ? M5_FOLD_MOST : c->max_per_rule;
}

static void *keep(const m5_collector *c, size_t bytes)
{
    return c->take != NULL ? c->take(c->user, bytes) : m5_arena_keep(c->arena, bytes);
}

static const char *copy(const m5_collector *c, const char *text)
{
    if (text == NULL)
        return "";
    size_t bytes = strlen(text) + 1;
    char *kept = keep(c, bytes);
    return kept != NULL ? memcpy(kept, text, bytes) : NULL;
}

/* Keeps what is shown of a step's own name, which may be long. */
static bool copy_own(const m5_collector *c, m5_path *path, int step)
{
    char own[M5_PATH_OWN + 1];
    if (path->step[step].own_length == 0)
        return true;
    uint32_t length = m5_path_own(path->step[step].own, path->step[step].own_length, own);
    char *kept = keep(c, length);
    if (kept == NULL)
        return false;
    path->step[step].own = memcpy(kept, own, length);
    path->step[step].own_length = length;
    return true;
}

/* Copies a finding and its strings, but not the rule and the sources; false when out of memory. */
static bool copy_diag(const m5_collector *c, const m5_diag *diag, m5_diag *out)
{
    *out = *diag;
    out->message = copy(c, diag->message);
    bool whole = out->message != NULL;
    for (int i = 0; i < M5_PATH_STEPS && diag->path.step[i].name != NULL; i++)
        whole &= copy_own(c, &out->path, i);
    for (uint32_t i = 0; i < diag->num_related; i++) {
        out->related[i].message = copy(c, diag->related[i].message);
        whole &= out->related[i].message != NULL;
    }
    return whole;
}

/* The counts of a rule, which may be new; NULL when out of memory. */
static m5_counted *counts_of(m5_collector *c, unsigned rule)
{
    m5_counted **at = &c->counts;
    if (c->counted != NULL && c->counted->rule == rule)
        return c->counted;
    while (*at != NULL && (*at)->rule < rule)
        at = &(*at)->next;
    if (*at == NULL || (*at)->rule != rule) {
        m5_counted *new = keep(c, sizeof *new);
        if (new == NULL)
            return NULL;
        *new = (m5_counted){.next = *at, .rule = rule};
        *at = new;
    }
    return c->counted = *at;
}

/* Adds a copy of a finding to a list. */
static void keep_finding(m5_collector *c, const m5_diag *diag, bool old, m5_finding **first,
                         m5_finding **last)
{
    m5_finding *f = keep(c, sizeof *f);
    if (f != NULL)
        *f = (m5_finding){.old = old};
    if (f == NULL || !copy_diag(c, diag, &f->diag)) {
        c->lost = true;
        return;
    }
    if (*last != NULL)
        (*last)->next = f;
    else
        *first = f;
    *last = f;
    ++*(old ? &c->kept_old : &c->kept);
}

static void hide(m5_collector *c, const m5_diag *diag)
{
    c->old[diag->severity]++;
    if (c->keep_old && c->kept_old < M5_OLD_MOST && diag->severity >= c->least)
        keep_finding(c, diag, true, &c->first_old, &c->last_old);
}

void m5_collect(void *user, const m5_diag *diag)
{
    m5_collector *c = user;
    if (c->hides != NULL && c->hides(c->hider, diag, false)) {
        hide(c, diag);
        return;
    }
    if (diag->severity < c->least)
        return;
    m5_counted *counts = counts_of(c, diag->rule->number);
    if (counts == NULL) {
        c->lost = true;
        return;
    }
    uint32_t most = most_kept(c, diag->rule);
    bool kept = most == 0 || sum_of(counts, false) < most;
    counts->made[diag->severity - 1]++;
    if (kept)
        keep_finding(c, diag, false, &c->first, &c->last);
}

void m5_collect_silent(void *user, const m5_diag *diag)
{
    m5_collector *c = user;
    c->hides(c->hider, diag, true);
}

/* ---- Picking --------------------------------------------------------------------------------- */

static bool by_offset(const void *context, uint32_t a, uint32_t b)
{
    const m5_finding *const *list = context;
    if (list[a]->diag.at.offset != list[b]->diag.at.offset)
        return list[a]->diag.at.offset < list[b]->diag.at.offset;
    int worse = (int)list[a]->diag.severity - (int)list[b]->diag.severity;
    return worse != 0 ? worse > 0 : a < b;
}

/* The file's own before those that are folded. */
static bool by_severity(const void *context, uint32_t a, uint32_t b)
{
    const m5_finding *const *list = context;
    if (list[a]->diag.severity != list[b]->diag.severity)
        return list[a]->diag.severity > list[b]->diag.severity;
    if (list[a]->folded != list[b]->folded)
        return list[b]->folded;
    return by_offset(context, a, b);
}

/* Lists the findings that may be shown, in the order they were made, with an index into the list.
 * Of those that are folded there are as many as a rule's limit leaves beside the file's own.
 * Returns how many there are. */
static uint32_t list_all(const m5_collector *c, bool each, const m5_finding **list, uint32_t *index)
{
    uint32_t all = c->max_per_rule != 0 ? c->max_per_rule : UINT32_MAX, n = 0;
    uint32_t left[2][M5_RULES]; /* of the file's own, and of those that are folded */
    for (unsigned i = 0; i < M5_RULES; i++)
        left[0][i] = left[1][i] = all;
    for (const m5_finding *f = c->first; f != NULL; f = f->next)
        left[1][f->diag.rule->number] -= !f->folded && left[1][f->diag.rule->number] != 0;
    for (const m5_finding *f = c->first; f != NULL; f = f->next) {
        uint32_t *more = &left[f->folded][f->diag.rule->number];
        if ((f->folded && !each) || *more == 0)
            continue;
        --*more;
        list[n] = f;
        index[n] = n;
        n++;
    }
    return n;
}

/* Lists the hidden findings that were kept. False when out of memory. */
static bool list_old(const m5_collector *c, m5_shown *out)
{
    const m5_finding **list = keep(c, c->kept_old * sizeof *list);
    uint32_t *index = keep(c, c->kept_old * sizeof *index), n = 0;
    out->old = keep(c, c->kept_old * sizeof *out->old);
    if (list == NULL || index == NULL || out->old == NULL)
        return false;
    for (const m5_finding *f = c->first_old; f != NULL; f = f->next, n++) {
        list[n] = f;
        index[n] = n;
    }
    m5_check_sort(index, n, by_offset, list);
    for (uint32_t i = 0; i < n; i++)
        out->old[i] = list[index[i]];
    out->num_old = n;
    return true;
}

static bool pick(const m5_collector *c, uint32_t max, bool each, m5_shown *out)
{
    memset(out, 0, sizeof *out);
    out->from = c;
    out->each = each;
    for (m5_severity s = c->least; s <= M5_ERROR && c->keep_old; s++)
        out->old_left_out += c->old[s];
    out->old_left_out -= c->kept_old;
    for (const m5_counted *k = c->counts; k != NULL; k = k->next)
        out->hidden[k->rule] = sum_of(k, each);
    if (c->kept_old != 0 && !list_old(c, out))
        return false;
    if (c->kept == 0)
        return true;
    const m5_finding **list = keep(c, c->kept * sizeof *list);
    uint32_t *index = keep(c, c->kept * sizeof *index);
    out->list = keep(c, c->kept * sizeof *out->list);
    if (list == NULL || index == NULL || out->list == NULL)
        return false;
    uint32_t listed = list_all(c, out->each, list, index);
    out->count = max != 0 && max < listed ? max : listed;
    if (out->count < listed)
        m5_check_sort(index, listed, by_severity, list);
    m5_check_sort(index, out->count, by_offset, list);
    for (uint32_t i = 0; i < out->count; i++) {
        out->list[i] = list[index[i]];
        out->hidden[out->list[i]->diag.rule->number]--;
    }
    return true;
}

bool m5_collector_pick(const m5_collector *c, uint32_t max, m5_shown *out)
{
    return pick(c, max, false, out);
}

bool m5_collector_pick_each(const m5_collector *c, uint32_t max, m5_shown *out)
{
    return pick(c, max, true, out);
}
