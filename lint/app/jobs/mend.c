/* Fixes bytes in memory, in passes: all fixes together, and each rule's by themselves if those are
 * not better. */
#include "mend.h"
#include "lint/lint.h"
#include "parsers/core/allocate.h"

#include <stdlib.h>
#include <string.h>

enum { PASSES = 100 };

/* ---- Fixes that are tried together ----------------------------------------------------------- */

typedef struct attempt {
    void *memory;
    size_t size;
    m5_arena arena;
    const m5_fix **fixes;
    const m5_rule **rules;
    uint32_t *at; /* where the findings are */
    uint32_t count;
} attempt;

static bool is_any_long(const m5_collector *found)
{
    const m5_finding *f = found->first;
    while (f != NULL && !m5_fix_may_be_long(f->diag.rule))
        f = f->next;
    return f != NULL;
}

size_t m5_mend_memory(const m5_fix_input *in, const m5_collector *found)
{
    size_t sum = in->file->source.size;
    for (uint32_t i = 0; i < in->num_meshes; i++)
        sum += in->meshes[i]->source.size;
    return (is_any_long(found) ? 5 : 2) * m5_lint_memory(sum, found->kept);
}

/* Finds the fixes of all rules that are not barred; of one rule only, unless `only` is NULL. */
static bool find_fixes(const m5_mend *m, const bool *barred, const m5_rule *only, attempt *a)
{
    const m5_collector *found = m->now.found;
    m5_fix_input in = m->input(m->user, &m->now.file->arena);
    *a = (attempt){.size = m5_mend_memory(&in, found)};
    a->memory = m5_reserve_sparse(a->size);
    m5_arena_init(&a->arena, a->memory, a->memory != NULL ? a->size : 0);
    a->fixes = m5_arena_keep(&a->arena, (found->kept + 1) * sizeof *a->fixes);
    a->rules = m5_arena_keep(&a->arena, (found->kept + 1) * sizeof *a->rules);
    a->at = m5_arena_keep(&a->arena, (found->kept + 1) * sizeof *a->at);
    if (a->fixes == NULL || a->rules == NULL || a->at == NULL)
        return false;
    for (const m5_finding *f = found->first; f != NULL; f = f->next) {
        const m5_rule *rule = f->diag.rule;
        if (barred[rule->number] || (only != NULL && rule != only))
            continue;
        const m5_fix *fix = m5_fix_find(&in, &f->diag, &a->arena);
        bool again = a->count != 0 && fix == a->fixes[a->count - 1]; /* several findings have it */
        if (fix == NULL || again || !(fix->safe || m->unsafe))
            continue;
        a->fixes[a->count] = fix;
        a->at[a->count] = f->diag.at.offset;
        a->rules[a->count++] = rule;
    }
    return true;
}

static void end_attempt(attempt *a)
{
    m5_arena_end(&a->arena);
    m5_unreserve(a->memory, a->size);
}

/* ---- What was found before and after ----------------------------------------------------------
 */

/* How many findings a file had of each rule, and how many fixes of each were made: one may fix
 * several findings. */
typedef struct state {
    uint64_t made[M5_RULES], errors[M5_RULES], fixed[M5_RULES];
    uint32_t skipped;
    uint64_t flaws;
} state;

static void keep_state(const m5_linted *now, state *out)
{
    memset(out->fixed, 0, sizeof out->fixed);
    for (unsigned i = 0; i < M5_RULES; i++) {
        out->made[i] = m5_collector_made(now->found, i);
        out->errors[i] = m5_collector_made_as(now->found, i, M5_ERROR);
    }
    out->skipped = now->file->skipped;
    out->flaws = now->file->report.flaws;
}

/* Whether `is_so` is true of a rule that was fixed and another one. */
static bool is_any(const state *before, bool (*is_so)(const m5_rule *, const m5_rule *),
                   unsigned other)
{
    for (unsigned i = 0; i < M5_RULES; i++)
        if (before->fixed[i] != 0 && is_so(m5_rule_at(i), m5_rule_at(other)))
            return true;
    return false;
}

static bool may_reveal(const state *before)
{
    for (unsigned i = 0; i < M5_RULES; i++)
        if (before->fixed[i] != 0 && m5_fix_may_reveal(m5_rule_at(i)))
            return true;
    return false;
}

/* Whether none of the rules' findings is new, and as many are gone as were fixed. Where checks had
 * been left out because of a flaw, or a part of the file could not be read, only errors count as
 * new, and what shows a loss by a safe fix. Findings also count if nobody wants to see them. */
static bool is_better(const m5_mend *m, const m5_linted *now, const state *before)
{
    if (now->failed || now->file->report.flaws > before->flaws)
        return false;
    bool reads_more = before->flaws != 0 || (before->skipped & ~now->file->skipped) != 0 ||
                      may_reveal(before);
    for (unsigned i = 0; i < M5_RULES; i++) {
        uint64_t made = m5_collector_made(now->found, i);
        if (m5_collector_made_as(now->found, i, M5_ERROR) > before->errors[i] ||
            (made > before->made[i] && !m->unsafe && is_any(before, m5_fix_may_lose, i)) ||
            (made + before->fixed[i] > before->made[i] && !reads_more &&
             !is_any(before, m5_fix_may_bring, i)))
            return false;
    }
    return true;
}

/* How many findings are gone of the rules that were fixed: at least one for each fix, even if there
 * are others now in what could not be read before. */
static uint64_t count_gone(const m5_linted *now, const state *before)
{
    uint64_t gone = 0;
    for (unsigned i = 0; i < M5_RULES; i++) {
        uint64_t made = m5_collector_made(now->found, i);
        uint64_t fewer = before->made[i] > made ? before->made[i] - made : 0;
        if (before->fixed[i] != 0)
            gone += fewer > before->fixed[i] ? fewer : before->fixed[i];
    }
    return gone;
}

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static uint64_t key_of(uint32_t high, uint32_t low)
{
    return (uint64_t)high << 32 | low;
}

/* The findings that are fixed, each as a number of its rule and of its place after the edits, in
 * order. NULL without memory. */
static uint64_t *list_fixed(const attempt *a, const m5_patch *patch)
{
    uint64_t *list = malloc((a->count + 1) * sizeof *list);
    uint32_t n = 0, edit = 0;
    int64_t by = 0;
    for (uint32_t i = 0; i < a->count && list != NULL; i++)
        if (patch->taken[i])
            list[n++] = key_of(a->at[i], a->rules[i]->number);
    if (list == NULL)
        return NULL;
    qsort(list, n, sizeof *list, by_number);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = (uint32_t)(list[i] >> 32), rule = (uint32_t)list[i];
        for (; edit < patch->count; edit++) {
            const m5_edit *e = patch->edits[edit];
            if (e->at.offset + e->at.length > at || e->at.offset == at)
                break;
            by += (int64_t)e->length - e->at.length;
        }
        list[i] = key_of(rule, (uint32_t)(at + by));
    }
    qsort(list, n, sizeof *list, by_number);
    return list;
}

/* Whether no finding that was fixed is still there. */
static bool are_gone(const m5_linted *now, const uint64_t *fixed, uint32_t count)
{
    for (const m5_finding *f = now->found->first; f != NULL; f = f->next) {
        uint64_t key = key_of(f->diag.rule->number, f->diag.at.offset);
        if (bsearch(&key, fixed, count, sizeof *fixed, by_number) != NULL)
            return false;
    }
    return true;
}

/* ---- An attempt -------------------------------------------------------------------------------
 */

typedef enum outcome { NOTHING, BETTER, WORSE, NO_MEMORY } outcome;

static void lint(m5_mend *m, m5_bytes bytes)
{
    m->bytes = bytes;
    m->now = m->lint(m->user, bytes);
}

/* Lints the file with new bytes, which it takes over, and takes them back if it is not better. */
static outcome try_bytes(m5_mend *m, m5_bytes new, const uint64_t *fixed, uint32_t count)
{
    m5_bytes old = m->bytes;
    state before;
    keep_state(&m->now, &before);
    for (uint32_t i = 0; i < count; i++)
        before.fixed[fixed[i] >> 32]++;
    lint(m, new);
    if (is_better(m, &m->now, &before) && are_gone(&m->now, fixed, count)) {
        m->fixed += count_gone(&m->now, &before);
        if (old.bytes != m->original)
            m5_bytes_free(&old);
        return BETTER;
    }
    lint(m, old);
    m5_bytes_free(&new);
    return m->now.failed ? NO_MEMORY : WORSE;
}

typedef struct buffer {
    uint8_t *bytes;
    size_t size;
} buffer;

static void add_bytes(void *user, const void *bytes, size_t count)
{
    buffer *b = user;
    memcpy(b->bytes + b->size, bytes, count);
    b->size += count;
}

static outcome try_patch(m5_mend *m, const attempt *a, const m5_patch *patch)
{
    buffer b = {patch->size <= M5_SOURCE_MAX ? malloc((size_t)patch->size + 1) : NULL, 0};
    uint64_t *fixed = list_fixed(a, patch);
    outcome result = NO_MEMORY;
    if (b.bytes != NULL && fixed != NULL) {
        m5_patch_write(&m->now.file->source, patch, &(m5_writer){add_bytes, &b});
        result = try_bytes(m, (m5_bytes){.bytes = b.bytes, .size = b.size}, fixed,
                           patch->num_taken);
    } else {
        free(b.bytes);
    }
    free(fixed);
    return result;
}

static outcome try_fixes(m5_mend *m, const bool *barred, const m5_rule *only)
{
    attempt a;
    m5_patch patch;
    outcome result = NO_MEMORY;
    if (find_fixes(m, barred, only, &a)) {
        m->tried = a.count != 0 ? a.at[0] : 0;
        if (a.count == 0)
            result = NOTHING;
        else if (m5_patch_make(&m->now.file->source, a.fixes, a.count, &a.arena, &patch))
            result = patch.num_taken != 0 ? try_patch(m, &a, &patch) : WORSE;
    }
    end_attempt(&a);
    return result;
}

/* ---- All passes ------------------------------------------------------------------------------ */

static void note_not_made(m5_mend *m, const m5_rule *rule)
{
    if (m->num_not_made++ == 0) {
        m->not_made = rule;
        m->not_made_at = m->tried;
    }
}

/* Tries each rule by itself, and bars those that do not make the file better. */
static outcome try_each(m5_mend *m, bool *barred)
{
    bool any = false;
    m->num_not_made = 0;
    for (unsigned i = 0; i < M5_RULES; i++) {
        const m5_rule *rule = m5_rule_at(i);
        if (barred[i] || m5_fix_kind_of(rule) == M5_FIX_NONE ||
            m5_collector_made(m->now.found, i) == 0)
            continue;
        outcome result = try_fixes(m, barred, rule);
        if (result == NO_MEMORY)
            return result;
        any |= result == BETTER;
        barred[i] = result == WORSE;
        if (result == WORSE)
            note_not_made(m, rule);
    }
    return any ? BETTER : NOTHING;
}

/* What was not better once may be so after other fixes. */
m5_mend_end m5_mend_all(m5_mend *m)
{
    bool barred[M5_RULES] = {false};
    outcome result = BETTER;
    m->original = m->bytes.bytes;
    for (int i = 0; i < PASSES && result == BETTER; i++) {
        result = try_fixes(m, barred, NULL);
        if (result == BETTER)
            m->num_not_made = 0;
        if (result == WORSE)
            result = try_each(m, barred);
        if (result == BETTER)
            memset(barred, 0, sizeof barred);
    }
    return result == NO_MEMORY ? M5_MEND_NO_MEMORY : result == BETTER ? M5_MEND_MORE : M5_MEND_DONE;
}

bool m5_mend_has_fixes(const m5_mend *m, bool *any)
{
    attempt a;
    bool barred[M5_RULES] = {false};
    bool known = find_fixes(m, barred, NULL, &a);
    *any = known && a.count != 0;
    end_attempt(&a);
    return known;
}
