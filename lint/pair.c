/* Which animation belongs to which mesh. */
#include "check.h"

#include <string.h>

static bool is_format(const m5_format *format, const char *name)
{
    return format != NULL && strcmp(format->name, name) == 0;
}

size_t m5_group_end(const m5_format *const *formats, size_t begin, size_t count)
{
    bool mesh = false, anim_behind_mesh = false;
    for (size_t i = begin; i < count; i++) {
        if (is_format(formats[i], "md5mesh") && anim_behind_mesh)
            return i;
        mesh |= is_format(formats[i], "md5mesh");
        anim_behind_mesh |= mesh && is_format(formats[i], "md5anim");
    }
    return count;
}

/* Only a mesh whose skeleton could be read, all of it, can be anyone's. */
static bool is_mesh(const m5_lint_file *f)
{
    return f != NULL && f->model.md5mesh != NULL && f->model.md5mesh->joints_whole;
}

static const m5_lint_file *best_mesh(m5_lint_file *const *files, size_t count, m5_lint_file *anim)
{
    const m5_lint_file *best = NULL;
    uint64_t best_fit = 0;
    for (size_t i = 0; i < count; i++) {
        if (!is_mesh(files[i]))
            continue;
        uint64_t fit = check_fit(files[i], anim);
        if (best == NULL || fit >= best_fit) {
            best = files[i];
            best_fit = fit;
        }
    }
    return best;
}

void m5_lint_group(m5_lint_file *const *files, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (files[i] == NULL || files[i]->model.md5anim == NULL)
            continue;
        const m5_lint_file *mesh = best_mesh(files, count, files[i]);
        if (mesh != NULL)
            check_cross(mesh, files[i]);
    }
}
