/* What models inherit from each other, and which animations they have. */
#include "def_names.h"
#include "link_state.h"
#include "lint/core/check.h"
#include "lint/core/sort.h"
#include "parsers/core/allocate.h"
#include "parsers/core/emit.h"
#include "parsers/core/number.h"

/* ---- Inheritance -------------------------------------------------------------------------------
 */

/* The last line of a kind, which is the one that counts; NULL if there is none. */
static const m5_def_line *last_line(const m5_def_link_state *s, uint32_t model,
                                    m5_def_line_kind kind)
{
    m5_def_place at = s->models[model].at;
    const m5_def *def = m5_def_file(s, at)->model.def;
    for (uint32_t i = def->models[at.number + 1].first_line; i > def->models[at.number].first_line;
         i--)
        if (def->lines[i - 1].kind == kind)
            return &def->lines[i - 1];
    return NULL;
}

/* Without a mesh of its own, a model with animations is then dropped. A name that is similar to a
 * known one is misspelt, even if the files of the base game are not there. */
static void say_unknown(m5_def_link_state *s, uint32_t model, m5_name name)
{
    m5_lint_file *f = m5_def_file(s, s->models[model].at);
    m5_def_name meant = m5_def_similar_model(s, (m5_def_name){&f->source, name});
    bool needed = last_line(s, model, M5_DEF_MESH) == NULL;
    if (!s->game->complete && meant.source == NULL)
        return;
    m5_diag d = m5_found(M5_LINT_ROW(def_inherit_unknown), name);
    d.path = m5_def_model_path(f, s->models[model].at.number);
    if (meant.source != NULL)
        m5_relate(&d, meant.source, meant.name, "a model of a similar name");
    m5_emit(&f->report, &d, needed ? M5_GRAVE : M5_MILD, "no model '%.*s' is declared",
            M5_CHECK_NAME(f, name));
}

static void find_parent(m5_def_link_state *s, uint32_t model)
{
    m5_lint_file *f = m5_def_file(s, s->models[model].at);
    const m5_def_line *line = last_line(s, model, M5_DEF_INHERIT);
    if (line == NULL)
        return;
    uint32_t parent = m5_def_find_model(s, (m5_def_name){&f->source, line->name});
    s->models[model].parent = m5_def_is_known(parent) ? parent : M5_DEF_OPEN;
    if (m5_def_is_known(parent))
        s->models[parent].used = true;
    else
        say_unknown(s, model, line->name);
}

static void say_cycle(m5_def_link_state *s, uint32_t model)
{
    const m5_def_line *line = last_line(s, model, M5_DEF_INHERIT);
    m5_lint_file *f = m5_def_file(s, s->models[model].at);
    m5_diag d = m5_found(M5_LINT_ROW(def_inherit_cycle), line->name);
    d.path = m5_def_model_path(f, s->models[model].at.number);
    m5_emit(&f->report, &d, 0, "the model inherits itself through '%.*s'",
            M5_CHECK_NAME(f, line->name));
}

/* Follows each model up to one that is done or has no parent: `seen` has the number of the walk
 * that came by, so that a walk that meets itself has found a cycle, which is cut there. */
static void find_cycles(m5_def_link_state *s, uint32_t *seen)
{
    for (uint32_t i = 0; i < s->num_models; i++)
        seen[i] = M5_NO_INDEX;
    for (uint32_t i = 0; i < s->num_models; i++) {
        uint32_t model = i;
        while (seen[model] == M5_NO_INDEX) {
            seen[model] = i;
            if (!m5_def_is_known(s->models[model].parent))
                break;
            if (seen[s->models[model].parent] == i) {
                say_cycle(s, model);
                s->models[model].parent = M5_DEF_OPEN;
                break;
            }
            model = s->models[model].parent;
        }
    }
}

/* Gives a model what its parent has, which is done already. */
static void inherit(m5_def_link_state *s, uint32_t model)
{
    m5_def_linked_model *m = &s->models[model];
    const m5_def_line *mesh = last_line(s, model, M5_DEF_MESH);
    m5_lint_file *f = m5_def_file(s, m->at);
    m->open = m->parent == M5_DEF_OPEN;
    if (m5_def_is_known(m->parent)) {
        m->depth = s->models[m->parent].depth + 1;
        m->mesh = s->models[m->parent].mesh;
        m->open |= s->models[m->parent].open;
    } else if (m->open) {
        m->mesh = M5_DEF_OPEN;
    }
    if (mesh != NULL)
        m->mesh = m5_def_find_asset(s, (m5_def_name){&f->source, mesh->name});
}

/* Parents come first: `path` has the models from one up to the first that is done. */
static void inherit_all(m5_def_link_state *s, bool *done, uint32_t *path)
{
    for (uint32_t i = 0; i < s->num_models; i++)
        done[i] = false;
    for (uint32_t i = 0; i < s->num_models; i++) {
        uint32_t length = 0;
        for (uint32_t model = i; m5_def_is_known(model) && !done[model];
             model = s->models[model].parent) {
            path[length++] = model;
            done[model] = true;
        }
        while (length != 0)
            inherit(s, path[--length]);
    }
}

/* All models above one with another mesh than its parent; those above a marked one are marked. */
static void mark_varied(m5_def_link_state *s, uint32_t model)
{
    uint32_t at = s->models[model].parent;
    if (!m5_def_is_known(at) || s->models[at].mesh == s->models[model].mesh)
        return;
    for (; m5_def_is_known(at) && !s->models[at].varied; at = s->models[at].parent)
        s->models[at].varied = true;
}

void m5_def_link_models(m5_def_link_state *s)
{
    size_t mark = s->arena.used;
    for (uint32_t i = 0; i < s->num_models; i++) {
        find_parent(s, i);
        s->stamps[i] = M5_NO_INDEX;
    }
    find_cycles(s, s->stamps);
    bool *done = m5_arena_take(&s->arena, s->num_models, sizeof *done);
    inherit_all(s, done, s->stamps);
    for (uint32_t i = 0; i < s->num_models; i++) {
        mark_varied(s, i);
        s->stamps[i] = M5_NO_INDEX;
    }
    m5_arena_release(&s->arena, mark);
}

/* ---- Animations --------------------------------------------------------------------------------
 */

static m5_def_name anim_name(const m5_def_link_state *s, uint32_t i)
{
    const m5_lint_file *f = m5_def_file(s, s->models[s->anims[i].file].at);
    return (m5_def_name){&f->source, f->model.def->anims[s->anims[i].number].name};
}

/* The name without the number of a variant. */
static m5_def_name without_number(m5_def_name n)
{
    while (n.name.length > 1 && m5_is_digit(n.source->bytes[n.name.offset + n.name.length - 1]))
        n.name.length--;
    return n;
}

static int compare_exact(m5_def_name a, m5_def_name b)
{
    return m5_def_compare_exact(a.source, a.name, b.source, b.name);
}

static bool anim_is_less(const void *context, uint32_t a, uint32_t b)
{
    const m5_def_link_state *s = context;
    int order = compare_exact(without_number(anim_name(s, a)), without_number(anim_name(s, b)));
    return order != 0 ? order < 0 : a < b;
}

void m5_def_sort_anims(m5_def_link_state *s)
{
    for (uint32_t i = 0; i < s->num_anims; i++)
        s->anims_by_name[i] = i;
    m5_check_sort(s->anims_by_name, s->num_anims, anim_is_less, s);
}

static uint32_t first_anim(const m5_def_link_state *s, m5_def_name name)
{
    uint32_t from = 0, to = s->num_anims;
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        if (compare_exact(without_number(anim_name(s, s->anims_by_name[middle])), name) < 0)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

/* Marks the models that one inherits, and itself. */
static void stamp(m5_def_link_state *s, uint32_t model, bool inherited)
{
    uint32_t at = inherited ? s->models[model].parent : model;
    for (; m5_def_is_known(at); at = s->models[at].parent)
        s->stamps[at] = model;
}

/* idDeclModelDef::GetAnim: a name with a number means that one, a name without it any variant; and
 * a name with a number that is there by itself. */
bool m5_def_has_anim(m5_def_link_state *s, uint32_t model, m5_def_name name, bool inherited)
{
    enum { DEEPEST = 64, MOST = 1024 };
    m5_def_name stem = without_number(name);
    if (s->models[model].open || s->models[model].depth > DEEPEST)
        return true;
    stamp(s, model, inherited);
    bool own = !inherited, found = false;
    uint32_t at = first_anim(s, stem), n = 0;
    for (; !found && n < MOST && at < s->num_anims; at++, n++) {
        uint32_t anim = s->anims_by_name[at], of = s->anims[anim].file;
        if (compare_exact(without_number(anim_name(s, anim)), stem) != 0)
            break;
        bool named = stem.name.length == name.name.length ||
                     compare_exact(anim_name(s, anim), name) == 0;
        found = named && s->stamps[of] == model && (own || of != model);
    }
    for (uint32_t i = model; m5_def_is_known(i); i = s->models[i].parent)
        s->stamps[i] = M5_NO_INDEX;
    return found || n == MOST;
}
