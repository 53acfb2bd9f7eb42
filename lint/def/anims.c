/* Animations of a model declaration: names, files, and those that are removed. */
#include "checks.h"
#include "def_names.h"
#include "lint/core/check.h"
#include "parsers/core/allocate.h"
#include "parsers/core/emit.h"
#include "parsers/core/number.h"
#include "parsers/def/def_lex.h"

#include <string.h>

static m5_diag found(const m5_lint_file *f, const m5_rule *rule, m5_span at, uint32_t model,
                     uint32_t anim)
{
    m5_diag d = m5_found(rule, at);
    d.path = m5_def_anim_path(f, model, anim);
    return d;
}

/* ---- Names -------------------------------------------------------------------------------------
 */

/* Doom 3 takes the digits at the end of a name as the number of a variant: walk1, walk2. At least
 * two characters must be left, or one that is not a digit and is not the first. */
static bool is_odd_name(const uint8_t *name, uint32_t length)
{
    while (length > 1 && m5_is_digit(name[length - 1]))
        length--;
    return length < 2;
}

static void check_name(m5_lint_file *f, uint32_t model, uint32_t i)
{
    m5_name name = f->model.def->anims[i].name;
    if (name.length == 0 && f->report.flaws != 0)
        return; /* it is missing, and that was reported */
    m5_diag d = found(f, M5_LINT_ROW(def_anim_name), name, model, i);
    if (is_odd_name(f->source.bytes + name.offset, name.length))
        m5_emit(&f->report, &d, 0,
                "the animation's name '%.*s' has fewer than 2 characters before its number",
                M5_CHECK_NAME(f, name));
}

static void check_doubles(m5_lint_file *f, uint32_t model)
{
    const m5_def_model *m = &f->model.def->models[model];
    const m5_def_anim *anims = f->model.def->anims + m->first_anim;
    uint32_t count = m[1].first_anim - m->first_anim, original = 0;
    size_t mark = f->arena.used;
    uint32_t *index = m5_def_sort(f, &anims->name, sizeof *anims, count, m5_def_compare_exact);
    for (uint32_t i = 1; index != NULL && i < count; i++) {
        m5_name a = anims[index[original]].name, b = anims[index[i]].name;
        if (b.length == 0 || m5_def_compare_exact(&f->source, a, &f->source, b) != 0) {
            original = i;
            continue;
        }
        m5_diag d = found(f, M5_LINT_ROW(def_anim_duplicate), b, model, m->first_anim + index[i]);
        m5_relate(&d, &f->source, a, "the first one");
        m5_emit(&f->report, &d, 0, "the model has the animation '%.*s' twice", M5_CHECK_NAME(f, b));
    }
    m5_arena_release(&f->arena, mark);
}

/* ---- Files -------------------------------------------------------------------------------------
 */

/* RBDOOM-3-BFG also loads glTF. */
static void check_extension(m5_lint_file *f, m5_diag d, const char *what, const char *expected)
{
    m5_span file = d.at, extension = m5_def_extension(&f->source, file);
    if (m5_def_is(&f->source, extension, expected) ||
        m5_def_is_like(&f->source, extension, ".glb") ||
        m5_def_is_like(&f->source, extension, ".gltf"))
        return;
    d.at = extension.length != 0 ? extension : file;
    m5_emit(&f->report, &d, 0, "the %s '%.*s' does not end in %s", what, M5_CHECK_NAME(f, file),
            expected);
}

/* ---- Removed ones ------------------------------------------------------------------------------
 */

/* A model that inherits nothing has nothing to remove, and its own animations must not be. */
static void check_remove(m5_lint_file *f, uint32_t model, m5_name name, bool inherits)
{
    if (inherits)
        return;
    m5_diag d = found(f, M5_LINT_ROW(def_remove_unknown), name, model, M5_NO_INDEX);
    m5_relate(&d, &f->source, f->model.def->models[model].name, "the model");
    m5_emit(&f->report, &d, 0, "the model inherits no animation '%.*s' to remove",
            M5_CHECK_NAME(f, name));
}

static void check_lines(m5_lint_file *f, uint32_t model)
{
    const m5_def *def = f->model.def;
    const m5_def_model *m = &def->models[model];
    bool inherits = false;
    for (uint32_t i = m->first_line; i < m[1].first_line; i++) {
        const m5_def_line *line = &def->lines[i];
        inherits |= line->kind == M5_DEF_INHERIT;
        if (line->kind == M5_DEF_MESH)
            check_extension(f, found(f, M5_LINT_ROW(def_extension), line->name, model, M5_NO_INDEX),
                            "mesh", ".md5mesh");
        else if (line->kind == M5_DEF_REMOVE)
            check_remove(f, model, line->name, inherits);
    }
}

void m5_check_def_anims(m5_lint_file *f)
{
    const m5_def *def = f->model.def;
    for (uint32_t model = 0; model < def->num_models; model++) {
        const m5_def_model *m = &def->models[model];
        check_lines(f, model);
        check_doubles(f, model);
        for (uint32_t i = m->first_anim; i < m[1].first_anim; i++) {
            check_name(f, model, i);
            for (uint32_t k = 0; k < def->anims[i].num_files; k++)
                check_extension(f,
                                found(f, M5_LINT_ROW(def_extension),
                                      def->files[def->anims[i].first_file + k], model, i),
                                "animation", ".md5anim");
        }
    }
}
