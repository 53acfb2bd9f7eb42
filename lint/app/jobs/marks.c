/* Marks findings with their fixes: see marks.h. */
#include "marks.h"
#include "defs.h"
#include "mend.h"

#include <string.h>

/* What is known of a fix without its edits; NULL when out of memory. */
static const m5_fix *without_edits(m5_blocks *kept, const m5_fix *fix)
{
    static const m5_fix safe = {.safe = true}, unsafe = {.safe = false};
    if (fix->cut == 0)
        return fix->safe ? &safe : &unsafe;
    m5_fix *copy = m5_blocks_take(kept, sizeof *copy);
    if (copy != NULL)
        *copy = (m5_fix){.safe = fix->safe, .cut = fix->cut};
    return copy;
}

/* A copy that needs neither the file nor the arena; NULL when out of memory. */
static const m5_fix *copy_fix(m5_blocks *kept, const m5_fix *fix)
{
    m5_fix *copy = m5_blocks_take(kept, sizeof *copy);
    m5_edit *edits = m5_blocks_take(kept, fix->count * sizeof *edits);
    size_t length = 0;
    for (uint32_t i = 0; i < fix->count; i++)
        length += fix->edits[i].length;
    char *text = m5_blocks_take(kept, length);
    if (copy == NULL || edits == NULL || text == NULL)
        return NULL;
    *copy = *fix;
    copy->edits = edits;
    for (uint32_t i = 0; i < fix->count; i++) {
        edits[i] = fix->edits[i];
        edits[i].text = text;
        if (edits[i].length != 0) /* else there may be no text */
            memcpy(text, fix->edits[i].text, edits[i].length);
        text += edits[i].length;
    }
    return copy;
}

/* Memory in which fixes are found, until they are copied. */
typedef struct search {
    m5_fix_input in;
    m5_arena arena;
    void *memory;
    size_t size;
} search;

static bool begin_search(search *s, const m5_fixer *x, uint32_t which)
{
    m5_job *w = &x->jobs[which];
    *s = (search){.in = m5_fix_input_of(x, which, &w->file.arena)};
    s->size = m5_mend_memory(&s->in, &w->turn->found);
    s->memory = m5_reserve_sparse(s->size);
    m5_arena_init(&s->arena, s->memory, s->memory != NULL ? s->size : 0);
    return s->memory != NULL;
}

static void end_search(search *s)
{
    m5_arena_end(&s->arena);
    m5_unreserve(s->memory, s->size);
}

static bool shows_edits(const m5_fixer *x)
{
    return m5_options_shows(x->o) & M5_SHOWS_EDITS;
}

/* Several findings in a row may have one fix, which is copied once. */
static bool find_all(search *s, m5_turn *turn, bool edits)
{
    const m5_fix *fix, *last = NULL, *copy = NULL;
    for (m5_finding *f = turn->found.first; f != NULL; f = f->next, last = fix) {
        s->in.probe = !edits || m5_fix_may_be_long(f->diag.rule);
        fix = m5_fix_find(&s->in, &f->diag, &s->arena);
        if (fix != NULL && fix != last)
            copy = s->in.probe ? without_edits(&turn->kept, fix) : copy_fix(&turn->kept, fix);
        if (fix != NULL && copy == NULL)
            return false;
        f->fix = fix != NULL ? copy : NULL;
    }
    return true;
}

bool m5_marks_find(const m5_fixer *x, uint32_t which)
{
    m5_job *w = &x->jobs[which];
    search s;
    if (w->turn->found.kept == 0 || m5_defs_is_def(w) || m5_job_is_member(w))
        return true; /* no archive is changed */
    bool room = begin_search(&s, x, which) && find_all(&s, w->turn, shows_edits(x));
    end_search(&s);
    return room;
}

static bool is_left_out(const m5_finding *f)
{
    return f->fix != NULL && m5_fix_may_be_long(f->diag.rule);
}

bool m5_marks_wait(const m5_fixer *x, uint32_t which)
{
    const m5_finding *f = x->jobs[which].turn->found.first;
    while (f != NULL && !is_left_out(f))
        f = f->next;
    return f != NULL && shows_edits(x);
}

static bool find_left_out(const m5_fixer *x, uint32_t which, bool each)
{
    m5_turn *turn = x->jobs[which].turn;
    search s;
    bool room = begin_search(&s, x, which);
    for (m5_finding *f = turn->found.first; f != NULL && room; f = f->next)
        if (is_left_out(f) && (!f->folded || each)) {
            const m5_fix *fix = m5_fix_find(&s.in, &f->diag, &s.arena);
            f->fix = fix != NULL ? copy_fix(&turn->kept, fix) : NULL;
            room = fix == NULL || f->fix != NULL;
        }
    end_search(&s);
    return room;
}

bool m5_marks_end(const m5_fixer *x, uint32_t which)
{
    bool each = m5_options_shows(x->o) & M5_SHOWS_EACH;
    const m5_fix *fix, *last = NULL;
    m5_turn *turn = x->jobs[which].turn;
    bool room = !m5_marks_wait(x, which) || find_left_out(x, which, each);
    for (m5_finding *f = turn->found.first; f != NULL; f = f->next) {
        if (f->folded && !each)
            continue;
        fix = f->fix;
        if (fix != NULL && fix == last)
            f->fix = without_edits(&turn->kept, fix);
        room &= fix == NULL || f->fix != NULL;
        last = fix;
    }
    return room;
}

void m5_marks_drop(const m5_collector *found)
{
    for (m5_finding *f = found->first; f != NULL; f = f->next)
        f->fix = NULL;
}
