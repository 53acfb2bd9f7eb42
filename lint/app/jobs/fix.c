/* Fixes files: in memory first, and what that comes to is shown or written. */
#define _POSIX_C_SOURCE 200809L

#include "fix.h"
#include "difference.h"
#include "mend.h"
#include "lint/app/system/whole_file.h"
#include "lint/core/check.h"
#include "parsers/core/allocate.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char no_memory[] = "out of memory";

/* ---- Fixes of a file ------------------------------------------------------------------------- */

static void add_mesh(const m5_lint_file **list, uint32_t *count, const m5_lint_file *file)
{
    if (file != NULL && file->model.md5mesh != NULL)
        list[(*count)++] = file;
}

void m5_fix_count_joints(m5_fixer *x, const uint32_t *order, size_t count)
{
    uint32_t most = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t joints = x->jobs[order[i]].num_joints;
        most = joints > most ? joints : most;
    }
    for (size_t i = 0; i < count; i++)
        x->jobs[order[i]].most_joints = most;
}

m5_fix_input m5_fix_input_of(const m5_fixer *x, uint32_t which, m5_arena *arena)
{
    m5_lint_file *f = x->files[which];
    const m5_pair *pair = &x->pairs->list[which];
    const m5_lint_file **meshes = m5_arena_keep(arena, (pair->num_equals + 1) * sizeof *meshes);
    m5_fix_input in = {.file = f, .meshes = meshes, .most_joints = x->jobs[which].most_joints};
    if (meshes == NULL || f->model.md5anim == NULL)
        return in;
    add_mesh(meshes, &in.num_meshes, f->base);
    for (uint32_t i = 0; i < pair->num_equals; i++)
        if (x->files[pair->equals[i]] != f->base)
            add_mesh(meshes, &in.num_meshes, x->files[pair->equals[i]]);
    return in;
}

/* ---- A file in memory ------------------------------------------------------------------------ */

/* An input that is fixed. */
typedef struct one {
    m5_fixer *x;
    uint32_t which;
} one;

static m5_linted as_linted(m5_job *w)
{
    return (m5_linted){&w->file, w->turn != NULL ? &w->turn->found : NULL, w->error != NULL};
}

static m5_linted lint_again(void *user, m5_bytes bytes)
{
    const one *f = user;
    m5_job *w = &f->x->jobs[f->which];
    m5_job_lint_again(w, f->x->o, bytes);
    if (w->error == NULL)
        m5_job_lint_pair(w, f->x->files, f->x->pairs, f->which);
    return as_linted(w);
}

static m5_fix_input input_again(void *user, m5_arena *arena)
{
    const one *f = user;
    return m5_fix_input_of(f->x, f->which, arena);
}

static void say_not_made(m5_job *w, const m5_mend *m)
{
    enum { MOST = 200 };
    char place[24], more[40] = "";
    if (w->why == NULL)
        w->why = malloc(MOST);
    w->unfixed = w->why != NULL ? w->why : no_memory;
    if (w->why == NULL)
        return;
    m5_lines lines = {.source = &w->file.source, .arena = &w->file.arena};
    if (w->file.model.format->text)
        m5_check_print(place, sizeof place, "line %u", m5_lines_find(&lines, m->not_made_at).line);
    else
        snprintf(place, sizeof place, "at 0x%x", (unsigned)m->not_made_at);
    if (m->num_not_made > 1)
        m5_check_print(more, sizeof more, "; nor were those of %u other rule%s",
                       m->num_not_made - 1, m->num_not_made == 2 ? "" : "s");
    m5_check_print(w->why, MOST,
                   "%s: the fix of %s was not made, since the file would not be better after it%s",
                   place, m->not_made->id, more);
}

static void fix_in_memory(m5_job *w, m5_mend *m)
{
    m5_mend_end end = m5_mend_all(m);
    if (end == M5_MEND_MORE)
        w->unfixed = "not all fixes were made: run it again";
    else if (end == M5_MEND_NO_MEMORY)
        w->unfixed = no_memory;
    else if (m->num_not_made != 0)
        say_not_made(w, m);
}

/* ---- The result ------------------------------------------------------------------------------ */

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

/* If the file has changed since it was read, it is left alone. */
static const char *write_result(const char *name, const m5_bytes *old, const m5_bytes *new)
{
    m5_whole_file file;
    const char *error = m5_whole_file_begin(&file, name);
    if (error != NULL)
        return error;
    m5_whole_file_write(&file, new->bytes, new->size);
    error = m5_bytes_changed(old, name);
    if (error == NULL)
        return m5_whole_file_end(&file, M5_WHOLE_OWNER | M5_WHOLE_LASTS);
    m5_whole_file_drop(&file);
    return error;
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
    bool (*put)(const m5_writer *, const char *, m5_content,
                m5_content) = w->file.model.format->text ? m5_difference_put
                                                         : m5_difference_put_binary;
    if (x->o->diff)
        error = m5_bytes_changed(old, w->input->name);
    if (x->o->diff && error == NULL)
        error = put(x->out, w->input->name, before, after) ? NULL : no_memory;
    else if (!w->input->is_stdin)
        error = write_result(w->input->name, old, &w->bytes);
    w->unfixed = error != NULL ? error : w->unfixed;
    return error == NULL;
}

bool m5_fix_file(m5_fixer *x, uint32_t which)
{
    m5_job *w = &x->jobs[which];
    one user = {x, which};
    m5_mend m = {.unsafe = x->o->unsafe_fixes,
                 .lint = lint_again,
                 .input = input_again,
                 .user = &user,
                 .now = as_linted(w),
                 .bytes = w->bytes};
    m5_bytes old = w->bytes;
    bool any = false;
    w->unfixed = !m5_mend_has_fixes(&m, &any) ? no_memory : any ? refuse(x, w) : NULL;
    if (!any || w->unfixed != NULL)
        return false;
    fix_in_memory(w, &m);
    if (m.bytes.bytes == old.bytes)
        return false;
    if (!put_result(x, w, &old)) {
        lint_again(&user, old);
        m5_bytes_free(&m.bytes);
        return false;
    }
    x->fixed += m.fixed;
    x->changed++;
    m5_bytes_free(&old);
    return true;
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
    m5_fix_count_joints(x, order, count);
    for (size_t i = 0; i < count; i++) {
        m5_job *w = &x->jobs[order[i]];
        if (w->error == NULL && !w->unread && !w->input->is_shadowed)
            m5_job_lint_pair(w, x->files, x->pairs, order[i]);
    }
}
