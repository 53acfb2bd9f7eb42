/* Gathers the findings of a file, and picks which of them are shown. */
#include "collect.h"
#include "lint/core/sort.h"
#include "parsers/core/allocate.h"

#include <string.h>

void m5_collector_init(m5_collector *c, m5_arena *arena, uint32_t max_per_rule)
{
    memset(c, 0, sizeof *c);
    c->arena = arena;
    c->max_per_rule = max_per_rule;
}

static const char *copy(m5_arena *arena, const char *text)
{
    if (text == NULL)
        return "";
    size_t bytes = strlen(text) + 1;
    char *kept = m5_arena_keep(arena, bytes);
    return kept != NULL ? memcpy(kept, text, bytes) : NULL;
}

/* Copies a finding and its strings, but not the rule and the sources; false when out of memory. */
static bool copy_diag(m5_arena *arena, const m5_diag *diag, m5_diag *out)
{
    *out = *diag;
    out->message = copy(arena, diag->message);
    bool whole = out->message != NULL;
    for (uint32_t i = 0; i < diag->num_related; i++) {
        out->related[i].message = copy(arena, diag->related[i].message);
        whole &= out->related[i].message != NULL;
    }
    return whole;
}

void m5_collect(void *user, const m5_diag *diag)
{
    m5_collector *c = user;
    uint64_t made = c->made[diag->rule->number]++;
    if (c->max_per_rule != 0 && made >= c->max_per_rule)
        return;
    m5_finding *f = m5_arena_keep(c->arena, sizeof *f);
    if (f == NULL || !copy_diag(c->arena, diag, &f->diag))
        return;
    f->next = NULL;
    if (c->last != NULL)
        c->last->next = f;
    else
        c->first = f;
    c->last = f;
    c->kept++;
}

/* ---- Picking --------------------------------------------------------------------------------- */

static bool by_severity(const void *context, uint32_t a, uint32_t b)
{
    const m5_finding *const *list = context;
    if (list[a]->diag.severity != list[b]->diag.severity)
        return list[a]->diag.severity > list[b]->diag.severity;
    if (list[a]->diag.at.offset != list[b]->diag.at.offset)
        return list[a]->diag.at.offset < list[b]->diag.at.offset;
    return a < b;
}

static bool by_offset(const void *context, uint32_t a, uint32_t b)
{
    const m5_finding *const *list = context;
    if (list[a]->diag.at.offset != list[b]->diag.at.offset)
        return list[a]->diag.at.offset < list[b]->diag.at.offset;
    return by_severity(context, a, b);
}

/* Lists all findings that were kept, in the order they were made, with an index into the list. */
static bool list_all(const m5_collector *c, const m5_finding ***list, uint32_t **index)
{
    *list = m5_arena_take(c->arena, c->kept, sizeof **list);
    *index = m5_arena_take(c->arena, c->kept, sizeof **index);
    if (*list == NULL || *index == NULL)
        return false;
    uint32_t n = 0;
    for (const m5_finding *f = c->first; f != NULL; f = f->next, n++) {
        (*list)[n] = f;
        (*index)[n] = n;
    }
    return true;
}

void m5_collector_pick(const m5_collector *c, uint32_t max, m5_shown *out)
{
    const m5_finding **list;
    uint32_t *index;
    memset(out, 0, sizeof *out);
    memcpy(out->hidden, c->made, sizeof out->hidden);
    if (!list_all(c, &list, &index))
        return;
    uint32_t count = max != 0 && max < c->kept ? max : c->kept;
    if (count < c->kept)
        m5_check_sort(index, c->kept, by_severity, list);
    m5_check_sort(index, count, by_offset, list);
    out->list = m5_arena_take(c->arena, count, sizeof *out->list);
    if (out->list == NULL)
        return;
    out->count = count;
    for (uint32_t i = 0; i < count; i++) {
        out->list[i] = list[index[i]];
        out->hidden[out->list[i]->diag.rule->number]--;
    }
}
