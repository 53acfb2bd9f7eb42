/* Finds declarations of a run by name. */
#include "def_names.h"
#include "link_state.h"
#include "lint/core/check.h"
#include "lint/core/names.h"
#include "lint/core/sort.h"
#include "parsers/core/emit.h"

/* ---- Names -------------------------------------------------------------------------------------
 */

static m5_def_name model_name(const m5_def_link_state *s, uint32_t i)
{
    const m5_lint_file *f = m5_def_file(s, s->models[i].at);
    return (m5_def_name){&f->source, f->model.def->models[s->models[i].at.number].name};
}

static m5_def_name entity_name(const m5_def_link_state *s, uint32_t i)
{
    const m5_lint_file *f = m5_def_file(s, s->entities[i].at);
    return (m5_def_name){&f->source, f->model.def->entities[s->entities[i].at.number].name};
}

typedef m5_def_name name_of(const m5_def_link_state *s, uint32_t i);

static int compare(m5_def_name a, m5_def_name b)
{
    return m5_def_compare(a.source, a.name, b.source, b.name);
}

static bool model_is_less(const void *context, uint32_t a, uint32_t b)
{
    int order = compare(model_name(context, a), model_name(context, b));
    return order != 0 ? order < 0 : a < b;
}

static bool entity_is_less(const void *context, uint32_t a, uint32_t b)
{
    int order = compare(entity_name(context, a), entity_name(context, b));
    return order != 0 ? order < 0 : a < b;
}

/* How near two files are: the length of what their paths begin with. */
static uint32_t nearness(const m5_source *a, const m5_source *b)
{
    uint32_t i = 0;
    while (a->name[i] != '\0' && a->name[i] == b->name[i])
        i++;
    return a == b ? UINT32_MAX : i;
}

/* Of the declarations at the start of a list that have the name, the first in the nearest file:
 * several mods may declare the same. */
static uint32_t nearest(const m5_def_link_state *s, const uint32_t *list, uint32_t count,
                        name_of *at, m5_def_name name)
{
    enum { MOST = 64 };
    uint32_t best = M5_DEF_NOTHING, best_nearness = 0;
    if (s->game->complete && count != 0 && compare(at(s, list[0]), name) == 0)
        return list[0]; /* the game takes the one that it reads first */
    for (uint32_t i = 0; i < count && i < MOST; i++) {
        m5_def_name other = at(s, list[i]);
        if (compare(other, name) != 0)
            break;
        uint32_t near = nearness(other.source, name.source);
        if (best == M5_DEF_NOTHING || near > best_nearness) {
            best = list[i];
            best_nearness = near;
        }
    }
    return best;
}

static uint32_t find(const m5_def_link_state *s, const uint32_t *list, uint32_t count, name_of *at,
                     m5_def_name name)
{
    uint32_t from = 0, to = count;
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        if (compare(at(s, list[middle]), name) < 0)
            from = middle + 1;
        else
            to = middle;
    }
    return nearest(s, list + from, count - from, at, name);
}

uint32_t m5_def_find_model(const m5_def_link_state *s, m5_def_name name)
{
    return find(s, s->models_by_name, s->num_models, model_name, name);
}

uint32_t m5_def_find_entity(const m5_def_link_state *s, m5_def_name name)
{
    return find(s, s->entities_by_name, s->num_entities, entity_name, name);
}

/* All names are looked at, so this is only done for the first names that are not found. */
static m5_def_name similar(m5_def_link_state *s, uint32_t count, name_of *at, m5_def_name name)
{
    enum { MOST = 100 };
    for (uint32_t i = 0; s->suggested < MOST && i < count; i++) {
        m5_def_name other = at(s, i);
        if (m5_check_are_similar(other.source, other.name, name.source, name.name))
            return other;
    }
    s->suggested++;
    return (m5_def_name){NULL, {0, 0}};
}

m5_def_name m5_def_similar_model(m5_def_link_state *s, m5_def_name name)
{
    return similar(s, s->num_models, model_name, name);
}

m5_def_name m5_def_similar_entity(m5_def_link_state *s, m5_def_name name)
{
    return similar(s, s->num_entities, entity_name, name);
}

void m5_def_sort_names(m5_def_link_state *s)
{
    for (uint32_t i = 0; i < s->num_models; i++)
        s->models_by_name[i] = i;
    for (uint32_t i = 0; i < s->num_entities; i++)
        s->entities_by_name[i] = i;
    m5_check_sort(s->models_by_name, s->num_models, model_is_less, s);
    m5_check_sort(s->entities_by_name, s->num_entities, entity_is_less, s);
}

/* ---- Declared in two files ---------------------------------------------------------------------
 */

typedef struct doubles {
    m5_def_link_state *s;
    const char *type, *step;
    m5_def_place (*place)(const m5_def_link_state *s, uint32_t i);
    name_of *at;
    uint32_t (*end)(const m5_def_link_state *s, uint32_t i); /* the offset of the next name */
} doubles;

static m5_def_place model_place(const m5_def_link_state *s, uint32_t i)
{
    return s->models[i].at;
}

static m5_def_place entity_place(const m5_def_link_state *s, uint32_t i)
{
    return s->entities[i].at;
}

static uint32_t model_end(const m5_def_link_state *s, uint32_t i)
{
    return m5_def_file(s, s->models[i].at)
        ->model.def->models[s->models[i].at.number + 1]
        .name.offset;
}

static uint32_t entity_end(const m5_def_link_state *s, uint32_t i)
{
    m5_def_place at = s->entities[i].at;
    return m5_def_file(s, at)->model.def->entities[at.number + 1].name.offset;
}

static void say_double(const doubles *of, uint32_t first, uint32_t second)
{
    m5_def_name a = of->at(of->s, first), b = of->at(of->s, second);
    m5_def_place at = of->place(of->s, second);
    m5_lint_file *f = m5_def_file(of->s, at);
    bool same = m5_def_say_the_same(a.source, a.name, b.source, b.name, of->end(of->s, second));
    m5_diag d = m5_found(M5_LINT_ROW(def_declaration_duplicate), b.name);
    d.path = m5_path_to((m5_path){0}, of->step, at.number, b.source, b.name);
    m5_relate(&d, a.source, a.name, "the first one");
    m5_emit(&f->report, &d, same ? M5_MILD : M5_GRAVE,
            "%s '%.*s' is already declared in another file, %s", of->type, M5_CHECK_NAME(f, b.name),
            same ? "with the same text" : "with another text");
}

/* Those of one file were reported with the file. */
static void check_doubles(const doubles *of, const uint32_t *list, uint32_t count)
{
    uint32_t first = 0;
    for (uint32_t i = 1; i < count; i++) {
        if (compare(of->at(of->s, list[first]), of->at(of->s, list[i])) != 0)
            first = i;
        else if (of->place(of->s, list[first]).file != of->place(of->s, list[i]).file)
            say_double(of, list[first], list[i]);
    }
}

/* Otherwise several mods may be among the files. */
void m5_def_check_doubles(m5_def_link_state *s)
{
    doubles models = {s, "model", "model", model_place, model_name, model_end};
    doubles entities = {s, "entityDef", "entity", entity_place, entity_name, entity_end};
    if (!s->game->complete)
        return;
    check_doubles(&models, s->models_by_name, s->num_models);
    check_doubles(&entities, s->entities_by_name, s->num_entities);
}
