/* All checks of a file of declarations; and declarations of the same name. */
#include "checks.h"
#include "def_names.h"
#include "lint/core/check.h"
#include "parsers/core/allocate.h"
#include "parsers/core/emit.h"
#include "parsers/def/def_lex.h"

#include <string.h>

static uint32_t behind_name(const m5_source *s, m5_name name)
{
    uint32_t at = name.offset + name.length;
    return at + (at < s->size && (s->bytes[at] == '"' || s->bytes[at] == '\''));
}

bool m5_def_say_the_same(const m5_source *s, m5_name a, const m5_source *in, m5_name b,
                         uint32_t end)
{
    uint32_t depth = 0, x = behind_name(s, a), y = behind_name(in, b);
    do {
        m5_def_token t = m5_def_scan(s, x), u = m5_def_scan(in, y);
        if (t.kind != u.kind || t.kind == M5_DEF_END || t.span.length != u.span.length ||
            memcmp(s->bytes + t.span.offset, in->bytes + u.span.offset, t.span.length) != 0)
            return false;
        depth += m5_def_is(s, t.span, "{");
        depth -= m5_def_is(s, t.span, "}") && depth != 0;
        x = m5_def_end(t);
        y = m5_def_end(u);
    } while (depth != 0 && y < end);
    return depth == 0;
}

/* The names of declarations of a type, each `stride` bytes after the one before, and one more. */
typedef struct declarations {
    const char *type, *step;
    const m5_name *first;
    size_t stride;
    uint32_t count;
} declarations;

static m5_name name_at(const declarations *d, uint32_t i)
{
    return *(const m5_name *)(const void *)((const char *)d->first + i * d->stride);
}

static void say_double(m5_lint_file *f, const declarations *of, uint32_t a, uint32_t b)
{
    m5_name first = name_at(of, a), second = name_at(of, b);
    m5_diag d = m5_found(M5_LINT_ROW(def_declaration_duplicate), second);
    bool same = m5_def_say_the_same(&f->source, first, &f->source, second,
                                    name_at(of, b + 1).offset);
    d.path = m5_path_to((m5_path){0}, of->step, b, &f->source, second);
    m5_relate(&d, &f->source, first, "the first one");
    m5_emit(&f->report, &d, same ? M5_MILD : M5_GRAVE, "%s '%.*s' is already declared, %s",
            of->type, M5_CHECK_NAME(f, second), same ? "with the same text" : "with another text");
}

/* Reports each name that was there before. */
static void check_doubles(m5_lint_file *f, const declarations *of)
{
    size_t mark = f->arena.used;
    uint32_t *index = m5_def_sort(f, of->first, of->stride, of->count, m5_def_compare), first = 0;
    for (uint32_t i = 1; index != NULL && i < of->count; i++) {
        m5_name a = name_at(of, index[first]), b = name_at(of, index[i]);
        if (m5_def_compare(&f->source, a, &f->source, b) == 0)
            say_double(f, of, index[first], index[i]);
        else
            first = i;
    }
    m5_arena_release(&f->arena, mark);
}

void m5_check_def_names(m5_lint_file *f)
{
    const m5_def *d = f->model.def;
    declarations models = {"model", "model", &d->models->name, sizeof *d->models, d->num_models};
    declarations entities = {"entityDef", "entity", &d->entities->name, sizeof *d->entities,
                             d->num_entities};
    check_doubles(f, &models);
    check_doubles(f, &entities);
}

void m5_check_def(m5_lint_file *f)
{
    m5_check_def_names(f);
    m5_check_def_anims(f);
    m5_check_def_channels(f);
    m5_check_def_commands(f);
    m5_check_def_keys(f);
}
