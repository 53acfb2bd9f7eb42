/* Compares and sorts the names of declarations. */
#include "def_names.h"
#include "lint/core/check.h"
#include "lint/core/sort.h"
#include "parsers/core/emit.h"

#include <string.h>

static uint8_t canonical(uint8_t c)
{
    return c == '\\' ? '/' : c >= 'A' && c <= 'Z' ? c | 0x20 : c;
}

/* The length without what follows the last dot. */
static uint32_t length_of(const uint8_t *text, uint32_t length)
{
    for (uint32_t i = length; i > 0; i--)
        if (text[i - 1] == '.')
            return i - 1;
    return length;
}

int m5_def_compare(const m5_source *a_in, m5_name a, const m5_source *b_in, m5_name b)
{
    const uint8_t *x = a_in->bytes + a.offset, *y = b_in->bytes + b.offset;
    uint32_t xs = length_of(x, a.length), ys = length_of(y, b.length);
    for (uint32_t i = 0; i < xs && i < ys; i++)
        if (canonical(x[i]) != canonical(y[i]))
            return canonical(x[i]) < canonical(y[i]) ? -1 : 1;
    return xs < ys ? -1 : xs > ys;
}

int m5_def_compare_exact(const m5_source *a_in, m5_name a, const m5_source *b_in, m5_name b)
{
    uint32_t least = a.length < b.length ? a.length : b.length;
    int order = memcmp(a_in->bytes + a.offset, b_in->bytes + b.offset, least);
    return order != 0 ? order : a.length < b.length ? -1 : a.length > b.length;
}

typedef struct list {
    const m5_source *source;
    const char *first;
    size_t stride;
    m5_def_order *compare;
} list;

static m5_name name_at(const list *l, uint32_t i)
{
    m5_name name;
    memcpy(&name, l->first + i * l->stride, sizeof name);
    return name;
}

static bool is_less(const void *context, uint32_t a, uint32_t b)
{
    const list *l = context;
    int order = l->compare(l->source, name_at(l, a), l->source, name_at(l, b));
    return order != 0 ? order < 0 : a < b;
}

uint32_t *m5_def_sort(m5_lint_file *f, const m5_name *first, size_t stride, uint32_t count,
                      m5_def_order *compare)
{
    uint32_t *index = m5_check_scratch(f, count, sizeof *index);
    list l = {&f->source, (const char *)first, stride, compare};
    for (uint32_t i = 0; index != NULL && i < count; i++)
        index[i] = i;
    if (index != NULL)
        m5_check_sort(index, count, is_less, &l);
    return index;
}

/* ---- Places ---------------------------------------------------------------------------------- */

m5_path m5_def_entity_path(const m5_lint_file *f, uint32_t entity)
{
    m5_name name = f->model.def->entities[entity].name;
    return m5_path_to((m5_path){0}, "entity", entity, &f->source, name);
}

m5_path m5_def_model_path(const m5_lint_file *f, uint32_t model)
{
    m5_name name = f->model.def->models[model].name;
    return m5_path_to((m5_path){0}, "model", model, &f->source, name);
}

m5_path m5_def_anim_path(const m5_lint_file *f, uint32_t model, uint32_t anim)
{
    m5_path path = m5_def_model_path(f, model);
    return anim == M5_NO_INDEX
               ? path
               : m5_path_to(path, "anim", anim, &f->source, f->model.def->anims[anim].name);
}

m5_path m5_def_channel_path(const m5_lint_file *f, uint32_t model, uint32_t channel)
{
    return m5_path_to(m5_def_model_path(f, model), "channel", channel, &f->source,
                      f->model.def->channels[channel].name);
}
