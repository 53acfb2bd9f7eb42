/* Fixes files. Each attempt is linted: what does not improve a file is taken back. */
#define _POSIX_C_SOURCE 200809L

#include "fix.h"
#include "difference.h"
#include "whole_file.h"
#include "lint/core/check.h"
#include "lint/fix/fix.h"
#include "parsers/core/allocate.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PASSES = 100 };
static const char no_memory[] = "out of memory";

/* ---- Fixes of a file ------------------------------------------------------------------------- */

static void add_mesh(const m5_lint_file **list, uint32_t *count, const m5_lint_file *file)
{
    if (file != NULL && file->model.md5mesh != NULL)
        list[(*count)++] = file;
}

/* The files of the same group, if the number of joints is to be fixed. */
static void add_group(const m5_fixer *x, uint32_t which, m5_arena *arena, m5_fix_input *in)
{
    const m5_pairs *p = x->pairs;
    const m5_collector *found = &x->jobs[which].turn->found;
    uint32_t begin = 0, end = 0;
    if (m5_collector_made(found, M5_RULE_md5mesh_joint_count) == 0 &&
        m5_collector_made(found, M5_RULE_md5anim_hierarchy_count) == 0)
        return;
    for (bool here = false; !here && end < p->count;) {
        begin = end;
        end = m5_pairs_end(p, begin);
        for (uint32_t i = begin; i < end; i++)
            here |= p->order[i] == which;
    }
    const m5_lint_file **group = m5_arena_keep(arena, (end - begin + 1) * sizeof *group);
    for (uint32_t i = begin; i < end && group != NULL; i++)
        group[in->num_group++] = x->files[p->order[i]];
    in->group = group;
}

/* The file, and the meshes that its boxes may be for. Without memory there are no meshes, and boxes
 * are not fixed. */
static m5_fix_input input_of(const m5_fixer *x, uint32_t which, m5_arena *arena)
{
    m5_lint_file *f = x->files[which];
    const m5_pair *pair = &x->pairs->list[which];
    const m5_lint_file **meshes = m5_arena_keep(arena, (pair->num_equals + 1) * sizeof *meshes);
    m5_fix_input in = {.file = f, .meshes = meshes};
    add_group(x, which, arena, &in);
    if (meshes == NULL || f->model.md5anim == NULL)
        return in;
    add_mesh(meshes, &in.num_meshes, f->base);
    for (uint32_t i = 0; i < pair->num_equals; i++)
        if (x->files[pair->equals[i]] != f->base)
            add_mesh(meshes, &in.num_meshes, x->files[pair->equals[i]]);
    return in;
}

static size_t sum_of_sizes(const m5_fix_input *in)
{
    size_t sum = in->file->source.size;
    for (uint32_t i = 0; i < in->num_meshes; i++)
        sum += in->meshes[i]->source.size;
    return sum;
}

/* Memory for the fixes of a file, and to work in; more where each number may get an edit. */
static size_t memory_for(const m5_fix_input *in, const m5_job *w)
{
    bool each = m5_collector_made(&w->turn->found, M5_RULE_cross_bind_scale) != 0;
    return (each ? 5 : 2) * m5_lint_memory(sum_of_sizes(in), w->turn->found.kept);
}

bool m5_fix_mark(const m5_fixer *x, uint32_t which, bool edits)
{
    m5_job *w = &x->jobs[which];
    m5_fix_input in = input_of(x, which, &w->file.arena);
    m5_arena arena;
    in.probe = !edits;
    if (w->turn->found.kept == 0)
        return true;
    w->turn->fixes_size = memory_for(&in, w);
    w->turn->fixes = m5_reserve(w->turn->fixes_size);
    if (w->turn->fixes == NULL)
        return false;
    m5_arena_init(&arena, w->turn->fixes, w->turn->fixes_size);
    for (m5_finding *f = w->turn->found.first; f != NULL; f = f->next)
        if (!f->folded)
            f->fix = m5_fix_find(&in, &f->diag, &arena);
    m5_arena_end(&arena);
    return true;
}

/* ---- An attempt ------------------------------------------------------------------------------ */

/* Fixes that are tried together, and of which rules they are. */
typedef struct attempt {
    void *memory;
    size_t size;
    m5_arena arena;
    const m5_fix **fixes;
    const m5_rule **rules;
    uint32_t *at; /* where the findings are */
    uint32_t count;
} attempt;

/* Finds the fixes of all rules that are not barred; of one rule only, unless `only` is NULL. */
static bool find_fixes(const m5_fixer *x, uint32_t which, const bool *barred, const m5_rule *only,
                       attempt *a)
{
    m5_job *w = &x->jobs[which];
    m5_fix_input in = input_of(x, which, &w->file.arena);
    *a = (attempt){.size = memory_for(&in, w)};
    a->memory = m5_reserve(a->size);
    m5_arena_init(&a->arena, a->memory, a->memory != NULL ? a->size : 0);
    a->fixes = m5_arena_keep(&a->arena, (w->turn->found.kept + 1) * sizeof *a->fixes);
    a->rules = m5_arena_keep(&a->arena, (w->turn->found.kept + 1) * sizeof *a->rules);
    a->at = m5_arena_keep(&a->arena, (w->turn->found.kept + 1) * sizeof *a->at);
    if (a->fixes == NULL || a->rules == NULL || a->at == NULL)
        return false;
    for (m5_finding *f = w->turn->found.first; f != NULL; f = f->next) {
        const m5_rule *rule = f->diag.rule;
        if (barred[rule->number] || (only != NULL && rule != only))
            continue;
        const m5_fix *fix = m5_fix_find(&in, &f->diag, &a->arena);
        if (fix == NULL || !(fix->safe || x->o->unsafe_fixes))
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

/* What was found before, and how many fixes of each rule were made: one may fix several findings.
 */
typedef struct state {
    uint64_t made[M5_RULES], errors[M5_RULES], fixed[M5_RULES];
    uint32_t skipped;
    uint64_t flaws;
} state;

static void keep_state(const m5_job *w, state *out)
{
    for (unsigned i = 0; i < M5_RULES; i++) {
        out->made[i] = m5_collector_made(&w->turn->found, i);
        out->errors[i] = m5_collector_made_as(&w->turn->found, i, M5_ERROR);
        out->fixed[i] = 0;
    }
    out->skipped = w->file.skipped;
    out->flaws = w->file.report.flaws;
}

/* Whether the number of a mesh's records was fixed, and something turns out to be unused: then a
 * record is lost. */
static bool has_lost(const m5_job *w, const state *before)
{
    static const unsigned counts[] = {M5_RULE_md5mesh_vert_count, M5_RULE_md5mesh_tri_count,
                                      M5_RULE_md5mesh_weight_count};
    static const unsigned unused[] = {M5_RULE_md5mesh_vert_unused, M5_RULE_md5mesh_weight_unused,
                                      M5_RULE_md5mesh_vert_weight_skipped};
    bool fixed = false, more = false;
    for (int i = 0; i < 3; i++) {
        fixed |= before->fixed[counts[i]] != 0;
        more |= m5_collector_made(&w->turn->found, unused[i]) > before->made[unused[i]];
    }
    return fixed && more;
}

/* Whether more findings of a rule come from what was fixed. */
static bool may_be_new(const state *before, unsigned rule)
{
    for (unsigned i = 0; i < M5_RULES; i++)
        if (before->fixed[i] != 0 && m5_fix_may_bring(m5_rule_at(i), m5_rule_at(rule)))
            return true;
    return false;
}

/* Whether records are counted that were not, and so are read for the first time. */
static bool has_found(const state *before)
{
    for (unsigned i = 0; i < M5_RULES; i++)
        if (before->fixed[i] != 0 && m5_fix_may_reveal(m5_rule_at(i)))
            return true;
    return false;
}

/* Whether none of the rules' findings is new, and as many are gone as were fixed, of which the
 * state says how many each rule had. Where checks had been left out because of a flaw, or a part of
 * the file could not be read, only errors count as new; they also count if nobody wants to see
 * them. */
static bool is_better(const m5_job *w, const state *before)
{
    bool more = before->flaws != 0 || (before->skipped & ~w->file.skipped) != 0 ||
                has_found(before);
    for (unsigned i = 0; i < M5_RULES && w->error == NULL; i++) {
        const m5_collector *now = &w->turn->found;
        if (m5_collector_made_as(now, i, M5_ERROR) > before->errors[i] ||
            (!more && !may_be_new(before, i) &&
             m5_collector_made(now, i) + before->fixed[i] > before->made[i]))
            return false;
    }
    return w->error == NULL && w->file.report.flaws <= before->flaws;
}

/* How many findings are gone of the rules that were fixed: at least one for each fix, even if there
 * are others now in what could not be read before. */
static uint64_t count_gone(const m5_job *w, const state *before)
{
    uint64_t gone = 0;
    for (unsigned i = 0; i < M5_RULES; i++) {
        uint64_t now = m5_collector_made(&w->turn->found, i);
        uint64_t fewer = before->made[i] > now ? before->made[i] - now : 0;
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
static bool are_gone(const m5_job *w, const uint64_t *fixed, uint32_t count)
{
    for (const m5_finding *f = w->turn->found.first; f != NULL; f = f->next) {
        uint64_t key = key_of(f->diag.rule->number, f->diag.at.offset);
        if (bsearch(&key, fixed, count, sizeof *fixed, by_number) != NULL)
            return false;
    }
    return true;
}

static void lint_again(m5_fixer *x, uint32_t which, m5_bytes bytes)
{
    m5_job *w = &x->jobs[which];
    m5_job_lint_again(w, x->o, bytes);
    if (w->error == NULL)
        m5_job_lint_pair(w, x->files, x->pairs, which);
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

typedef enum outcome { NOTHING, BETTER, WORSE, NO_MEMORY } outcome;

/* Lints the file with new bytes, which it takes over, and takes them back if it is not better. */
static outcome try_bytes(m5_fixer *x, uint32_t which, m5_bytes new, const uint64_t *fixed,
                         uint32_t count)
{
    m5_job *w = &x->jobs[which];
    m5_bytes old = w->bytes;
    state before;
    keep_state(w, &before);
    for (uint32_t i = 0; i < count; i++)
        before.fixed[fixed[i] >> 32]++;
    lint_again(x, which, new);
    bool lost = !x->o->unsafe_fixes && w->error == NULL && has_lost(w, &before);
    if (!lost && is_better(w, &before) && are_gone(w, fixed, count)) {
        x->fixed += count_gone(w, &before);
        if (old.bytes != x->original)
            m5_bytes_free(&old);
        return BETTER;
    }
    lint_again(x, which, old);
    m5_bytes_free(&new);
    return WORSE;
}

static outcome try_patch(m5_fixer *x, uint32_t which, const attempt *a, const m5_patch *patch)
{
    buffer b = {patch->size <= M5_SOURCE_MAX ? malloc(patch->size + 1) : NULL, 0};
    uint64_t *fixed = list_fixed(a, patch);
    outcome result = NO_MEMORY;
    if (b.bytes != NULL && fixed != NULL) {
        m5_writer to = {add_bytes, &b};
        m5_patch_write(&x->jobs[which].file.source, patch, &to);
        m5_bytes new = {.bytes = b.bytes, .size = b.size};
        result = try_bytes(x, which, new, fixed, patch->num_taken);
    } else {
        free(b.bytes);
    }
    free(fixed);
    return result;
}

static outcome try_fixes(m5_fixer *x, uint32_t which, const bool *barred, const m5_rule *only)
{
    attempt a;
    m5_patch patch;
    outcome result = NO_MEMORY;
    if (find_fixes(x, which, barred, only, &a)) {
        m5_job *w = &x->jobs[which];
        x->tried = a.count != 0 ? a.at[0] : 0;
        if (a.count == 0)
            result = NOTHING;
        else if (m5_patch_make(&w->file.source, a.fixes, a.count, &a.arena, &patch))
            result = try_patch(x, which, &a, &patch);
    }
    end_attempt(&a);
    return result;
}

/* ---- All passes ------------------------------------------------------------------------------ */

static void say_not_made(m5_job *w, const m5_rule *rule, uint32_t at)
{
    static const char end[] = "was not made, since the file would not be better after it";
    enum { MOST = 160 };
    if (w->why == NULL)
        w->why = malloc(MOST);
    w->unfixed = w->why != NULL ? w->why : no_memory;
    if (w->why == NULL)
        return;
    m5_lines lines = {.source = &w->file.source, .arena = &w->file.arena};
    if (w->file.model.format->text)
        m5_check_print(w->why, MOST, "line %u: the fix of %s %s", m5_lines_find(&lines, at).line,
                       rule->id, end);
    else
        m5_check_print(w->why, MOST, "at 0x%x: the fix of %s %s", at, rule->id, end);
}

/* Tries each rule by itself, and bars those that do not make the file better. */
static outcome try_each(m5_fixer *x, uint32_t which, bool *barred)
{
    bool any = false;
    m5_job *w = &x->jobs[which];
    w->unfixed = NULL;
    for (unsigned i = 0; i < M5_RULES; i++) {
        const m5_rule *rule = m5_rule_at(i);
        if (barred[i] || m5_fix_kind_of(rule) == M5_FIX_NONE ||
            m5_collector_made(&w->turn->found, i) == 0)
            continue;
        outcome result = try_fixes(x, which, barred, rule);
        if (result == NO_MEMORY)
            return result;
        any |= result == BETTER;
        barred[i] = result == WORSE;
        if (result == WORSE)
            say_not_made(w, rule, x->tried);
    }
    return any ? BETTER : NOTHING;
}

/* What was not better once may be so after other fixes. */
static bool fix_in_memory(m5_fixer *x, uint32_t which)
{
    bool barred[M5_RULES] = {false}, any = false;
    outcome result = BETTER;
    m5_job *w = &x->jobs[which];
    for (int i = 0; i < PASSES && result == BETTER; i++) {
        result = try_fixes(x, which, barred, NULL);
        if (result == BETTER)
            w->unfixed = NULL;
        if (result == WORSE)
            result = try_each(x, which, barred);
        any |= result == BETTER;
        if (result == BETTER)
            memset(barred, 0, sizeof barred);
    }
    if (result == BETTER)
        w->unfixed = "not all fixes were made: run it again";
    if (result == NO_MEMORY)
        w->unfixed = no_memory;
    return any;
}

/* ---- The result ------------------------------------------------------------------------------ */

static bool is_any_fixable(m5_fixer *x, uint32_t which)
{
    attempt a;
    bool barred[M5_RULES] = {false};
    bool known = find_fixes(x, which, barred, NULL, &a), any = known && a.count != 0;
    end_attempt(&a);
    if (!known)
        x->jobs[which].unfixed = no_memory;
    return any;
}

static const char *cannot_write(const char *name)
{
    struct stat status;
    if (stat(name, &status) != 0)
        return strerror(errno);
    if (status.st_nlink > 1)
        return "the file has other names (hard links), which would keep the old content";
    bool writable = (status.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH)) != 0;
    return writable && access(name, W_OK) == 0 ? m5_whole_file_error(name)
                                               : "the file is read-only";
}

typedef struct result {
    const char *name;
    const m5_bytes *old, *new;
} result;

/* If the file has changed since it was read, it is left alone. */
static const char *put_bytes(void *user, const m5_writer *out)
{
    const result *r = user;
    m5_output_bytes(out, (const char *)r->new->bytes, r->new->size);
    return m5_bytes_changed(r->old, r->name);
}

static const char *write_result(const char *name, const m5_bytes *old, const m5_bytes *new)
{
    result r = {name, old, new};
    return m5_whole_file_write(name, &(m5_whole_file){put_bytes, &r, true});
}

/* Why a file that has fixes is not fixed; NULL if it is. */
static const char *refuse(const m5_fixer *x, const m5_job *w)
{
    if (m5_job_is_member(w))
        return "a file in an archive cannot be fixed: unpack it first";
    return x->o->fix && !w->input->is_stdin ? cannot_write(w->input->name) : NULL;
}

/* Returns whether the result was shown or written. */
static bool put_result(m5_fixer *x, m5_job *w, const m5_bytes *old)
{
    m5_content before = {old->bytes, old->size}, after = {w->bytes.bytes, w->bytes.size};
    const char *error = NULL;
    if (x->o->diff && !w->file.model.format->text)
        m5_difference_put_binary(x->out, w->input->name, before, after);
    else if (x->o->diff)
        error = m5_difference_put(x->out, w->input->name, before, after) ? NULL : no_memory;
    else if (!w->input->is_stdin)
        error = write_result(w->input->name, old, &w->bytes);
    w->unfixed = error != NULL ? error : w->unfixed;
    return error == NULL;
}

/* Takes all fixes of the file back. */
static void restore(m5_fixer *x, uint32_t which, m5_bytes old, uint64_t fixed)
{
    m5_bytes new = x->jobs[which].bytes;
    lint_again(x, which, old);
    m5_bytes_free(&new);
    x->fixed = fixed;
}

bool m5_fix_file(m5_fixer *x, uint32_t which)
{
    m5_job *w = &x->jobs[which];
    m5_bytes old = w->bytes;
    uint64_t fixed = x->fixed;
    bool any = is_any_fixable(x, which);
    x->original = old.bytes;
    if (any)
        w->unfixed = refuse(x, w);
    any = any && w->unfixed == NULL && fix_in_memory(x, which);
    if (any && !put_result(x, w, &old)) {
        restore(x, which, old, fixed);
        any = false;
    }
    x->changed += any;
    if (any)
        m5_bytes_free(&old);
    return any;
}

void m5_fix_put(const m5_fixer *x, uint32_t which)
{
    const m5_job *w = &x->jobs[which];
    const m5_archive *archive = w->input->archive;
    const m5_bytes *bytes = archive != NULL ? &archive->bytes : &w->bytes;
    bool first = archive == NULL || !m5_job_is_member(w);
    if (x->o->fix && w->input->is_stdin && first && bytes->bytes != NULL)
        m5_output_bytes(x->out, (const char *)bytes->bytes, bytes->size);
}

void m5_fix_lint_again(m5_fixer *x, const uint32_t *order, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        m5_job *w = &x->jobs[order[i]];
        if (w->error == NULL && !w->unread && !w->input->is_shadowed)
            m5_job_lint_again(w, x->o, w->bytes);
    }
    for (size_t i = 0; i < count; i++) {
        m5_job *w = &x->jobs[order[i]];
        if (w->error == NULL && !w->unread && !w->input->is_shadowed)
            m5_job_lint_pair(w, x->files, x->pairs, order[i]);
    }
}
