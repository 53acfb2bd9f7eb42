/* Channels of a model declaration: their names, and joints that are in two of them. */
#include "checks.h"
#include "def_names.h"
#include "lint/core/check.h"
#include "lint/core/names.h"
#include "lint/core/sort.h"
#include "parsers/core/allocate.h"
#include "parsers/core/emit.h"
#include "parsers/def/def_lex.h"

static void check_name(m5_lint_file *f, uint32_t model, uint32_t channel)
{
    static const char *const names[] = {"torso", "legs", "head", "eyelids"};
    m5_name name = f->model.def->channels[channel].name;
    const char *meant = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (m5_def_is_like(&f->source, name, names[i]))
            return;
        if (m5_def_is_misspelt(&f->source, name, names[i]))
            meant = names[i];
    }
    m5_diag d = m5_found(M5_LINT_ROW(def_channel_unknown), name);
    d.path = m5_def_channel_path(f, model, channel);
    m5_emit(&f->report, &d, meant != NULL ? M5_GRAVE : M5_MILD, "'%.*s' is no channel, expected %s",
            M5_CHECK_NAME(f, name), meant != NULL ? meant : "torso, legs, head or eyelids");
}

/* ---- Joints in two channels --------------------------------------------------------------------
 */

/* An entry of a list, and the channel that it is in. */
typedef struct entry {
    m5_name name;
    uint32_t channel;
    bool removes;
} entry;

typedef struct list {
    const m5_source *source;
    const entry *entries;
} list;

static int compare(const m5_source *s, m5_name a, m5_name b)
{
    return m5_check_same_but_case(s, a, s, b) ? 0 : m5_check_compare_names(s, a, s, b);
}

static bool is_less(const void *context, uint32_t a, uint32_t b)
{
    const list *l = context;
    int order = compare(l->source, l->entries[a].name, l->entries[b].name);
    return order != 0 ? order < 0 : a < b;
}

static void say_twice(m5_lint_file *f, uint32_t model, const entry *a, const entry *b)
{
    m5_diag d = m5_found(M5_LINT_ROW(def_joint_channels), b->name);
    d.path = m5_def_channel_path(f, model, b->channel);
    m5_relate(&d, &f->source, a->name, "the first channel");
    m5_emit(&f->report, &d, 0, "joint '%.*s' is in channel '%.*s' and in '%.*s'",
            M5_CHECK_NAME(f, b->name), M5_CHECK_NAME(f, f->model.def->channels[a->channel].name),
            M5_CHECK_NAME(f, f->model.def->channels[b->channel].name));
}

/* Entries of one name, in the order of the file: whether two channels keep it. A channel that also
 * removes it does not. */
static void check_entries(m5_lint_file *f, uint32_t model, const list *l, const uint32_t *index,
                          uint32_t count)
{
    const entry *kept = NULL;
    for (uint32_t i = 0; i < count;) {
        const entry *e = &l->entries[index[i]];
        bool removed = false;
        for (; i < count && l->entries[index[i]].channel == e->channel; i++)
            removed |= l->entries[index[i]].removes;
        if (removed)
            continue;
        if (kept != NULL) {
            say_twice(f, model, kept, e);
            return;
        }
        kept = e;
    }
}

static void check_list(m5_lint_file *f, uint32_t model, const list *l, uint32_t *index,
                       uint32_t count)
{
    m5_check_sort(index, count, is_less, l);
    for (uint32_t from = 0, to; from < count; from = to) {
        for (to = from + 1; to < count && compare(l->source, l->entries[index[from]].name,
                                                  l->entries[index[to]].name) == 0;)
            to++;
        check_entries(f, model, l, index + from, to - from);
    }
}

static void check_joints(m5_lint_file *f, uint32_t model)
{
    const m5_def *def = f->model.def;
    const m5_def_model *m = &def->models[model];
    uint32_t begin = m->first_channel, end = m[1].first_channel, count = 0;
    if (end - begin < 2)
        return;
    uint32_t first = def->channels[begin].first_joint;
    uint32_t all = def->channels[end - 1].first_joint + def->channels[end - 1].num_joints - first;
    size_t mark = f->arena.used;
    entry *entries = m5_check_scratch(f, all, sizeof *entries);
    uint32_t *index = m5_check_scratch(f, all, sizeof *index);
    for (uint32_t c = begin; entries != NULL && index != NULL && c < end; c++)
        for (uint32_t i = 0; i < def->channels[c].num_joints; i++, count++) {
            m5_def_joint joint = m5_def_joint_at(def, def->channels[c].first_joint + i);
            entries[count] = (entry){joint.name, c, joint.removes};
            index[count] = count;
        }
    if (count != 0)
        check_list(f, model, &(list){&f->source, entries}, index, count);
    m5_arena_release(&f->arena, mark);
}

void m5_check_def_channels(m5_lint_file *f)
{
    const m5_def *def = f->model.def;
    for (uint32_t model = 0; model < def->num_models; model++) {
        const m5_def_model *m = &def->models[model];
        for (uint32_t i = m->first_channel; i < m[1].first_channel; i++)
            check_name(f, model, i);
        check_joints(f, model);
    }
}
