/* Which files are shown, if only those that changed are, or those that are named besides a game. */
#include "program.h"
#include "lint/app/inputs/file_list.h"
#include "lint/app/inputs/git.h"

#include <stdlib.h>

bool m5_changed_wanted(const m5_options *o)
{
    return o->only.count != 0 || o->ask_git;
}

/* A game is there to be looked up in, and only what is named besides is of interest. */
static bool wants_named_only(const m5_options *o)
{
    return o->games.count != 0 && (o->num_arguments != 0 || o->lists.count != 0);
}

static bool take_changed(void *user, const char *entry)
{
    return m5_only_add(user, NULL, entry);
}

bool m5_changed_list(m5_program *p)
{
    bool changed = m5_changed_wanted(&p->options), named = wants_named_only(&p->options);
    if (!changed && !named)
        return true;
    p->totals.only_some = true;
    for (size_t i = 0; i < p->inputs.count; i++) /* without folders that have no models */
        p->totals.inputs += !p->inputs.list[i].is_empty || p->inputs.list[i].archive != NULL;
    p->listed = calloc(p->inputs.count + 1, 1);
    if (p->listed == NULL || (changed && !m5_only_mark(&p->only, &p->inputs, p->listed)))
        return false;
    for (size_t i = 0; i < p->inputs.count && named; i++) {
        bool listed = p->inputs.list[i].is_named && (!changed || p->listed[i] != 0);
        p->listed[i] = listed ? M5_LISTED_ITSELF : 0;
    }
    return true;
}

bool m5_changed_read(m5_program *p, bool *room)
{
    const m5_options *o = &p->options;
    const char *error = NULL;
    *room = !m5_changed_wanted(o) || m5_only_begin(&p->only);
    for (size_t i = 0; i < o->only.count && *room && error == NULL; i++) {
        *room = m5_file_list_read(o->only.list[i], o->nul, take_changed, &p->only, &error);
        if (error != NULL)
            m5_program_say_error(p, o->only.list[i], error);
    }
    m5_git_result git = M5_GIT_DONE;
    if (o->ask_git && *room && error == NULL)
        git = m5_git_changed(&p->only, o->since);
    if (git == M5_GIT_FAILED)
        m5_output_string(
            &p->err,
            "md5lint: --changed-from-git: git does not know what changed in the repository of the current folder\n");
    *room &= git != M5_GIT_NO_MEMORY;
    return *room && error == NULL && git == M5_GIT_DONE;
}

/* Whether an input cannot be read. An MD4 was not read yet. */
static bool is_unreadable(const m5_job *w)
{
    const m5_format *format = w->file.model.format;
    if (w->bytes.error != NULL || format == NULL || m5_format_bit(format) != M5_IN_MD4 ||
        m5_job_is_member(w) || w->input->is_shadowed || w->bytes.bytes != NULL)
        return w->bytes.error != NULL;
    m5_bytes start = m5_bytes_read(w->input, M5_READ_START);
    m5_bytes_free(&start);
    return start.error != NULL;
}

void m5_changed_list_unread(m5_program *p)
{
    for (size_t i = 0; i < p->inputs.count && p->listed != NULL; i++)
        if (is_unreadable(&p->jobs[i]) && !p->jobs[i].unread && !p->inputs.list[i].is_empty)
            p->listed[i] |= M5_LISTED_ITSELF;
}

bool m5_changed_any(const m5_program *p, size_t group)
{
    bool any = p->listed == NULL;
    for (size_t i = m5_program_begin_of(p, group); i < p->group_ends[group] && !any; i++)
        any = p->listed[p->pairs.order[i]];
    return any;
}
