/* Channels of a model, with the joints of its mesh: *name is a joint and all below it, and -name
 * takes out what was there (idDeclModelDef::GetJointList). */
#include "def_names.h"
#include "link_state.h"
#include "lint/core/check.h"
#include "parsers/core/allocate.h"
#include "parsers/core/emit.h"
#include "parsers/core/sort.h"

/* An entry of a channel's list, as joints of the mesh: from the first to before the last one. */
typedef struct range {
    uint32_t from, to; /* the same: the mesh has no such joint */
} range;

/* The joints of the mesh, cut into runs that each entry has all of or nothing, so that the time
 * depends on the lists and not on the mesh. */
typedef struct runs {
    uint32_t *begin; /* the first joint of a run; one more for the end of the last */
    uint32_t count;
    uint32_t *next;    /* the next run that is not decided yet, maybe over several steps */
    uint32_t *channel; /* the channel that it is in; M5_NO_INDEX: in none yet */
    bool *listed;      /* it is in the list that is being read */
} runs;

/* ---- Runs ------------------------------------------------------------------------------------ */

/* Cuts at both ends of the entries. */
static void cut(runs *r, const range *entries, uint32_t count)
{
    uint32_t cuts = 0;
    for (uint32_t i = 0; i < count; i++) {
        r->begin[2 * i] = entries[i].from;
        r->begin[2 * i + 1] = entries[i].to;
    }
    m5_sort(r->begin, 2 * count, m5_is_less, NULL);
    for (uint32_t i = 0; i < 2 * count; i++)
        if (cuts == 0 || r->begin[cuts - 1] != r->begin[i])
            r->begin[cuts++] = r->begin[i];
    r->count = cuts - 1;
    for (uint32_t i = 0; i < r->count; i++)
        r->channel[i] = M5_NO_INDEX;
}

static uint32_t run_at(const runs *r, uint32_t joint)
{
    uint32_t low = 0, high = r->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (r->begin[middle] < joint)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The first run from one on that is not decided yet. The way there is halved, so that it is short
 * the next time. */
static uint32_t next_open(runs *r, uint32_t at)
{
    while (r->next[at] != at) {
        r->next[at] = r->next[r->next[at]];
        at = r->next[at];
    }
    return at;
}

/* Decides the runs of an entry that are not decided yet. */
static void decide(runs *r, const range *e, bool listed)
{
    uint32_t end = run_at(r, e->to);
    for (uint32_t at = next_open(r, run_at(r, e->from)); at < end; at = next_open(r, at)) {
        r->listed[at] = listed;
        r->next[at] = at + 1;
    }
}

/* ---- Lists ----------------------------------------------------------------------------------- */

static void say_unknown(m5_def_link_state *s, uint32_t model, uint32_t channel, m5_def_joint joint)
{
    m5_lint_file *f = m5_def_file(s, s->models[model].at);
    const m5_def_asset *mesh = &s->game->assets[s->models[model].mesh];
    m5_name name = joint.name.length != 0 ? joint.name : joint.at;
    m5_diag d = m5_found(M5_LINT_ROW(def_joint_unknown), name);
    d.path = m5_def_channel_path(f, s->models[model].at.number, channel);
    m5_emit(&f->report, &d, M5_MILD, "the mesh '%s' has no joint '%.*s'", mesh->path,
            M5_CHECK_NAME(f, name));
}

static range range_of(m5_def_link_state *s, uint32_t model, uint32_t channel, m5_def_joint joint)
{
    const m5_lint_file *f = m5_def_file(s, s->models[model].at);
    uint32_t mesh = s->models[model].mesh;
    uint32_t at = m5_def_find_joint(s, mesh, (m5_def_name){&f->source, joint.name});
    if (at == M5_DEF_NOTHING) {
        say_unknown(s, model, channel, joint);
        return (range){0, 0};
    }
    return (range){at, joint.children ? m5_def_joint_end(s, mesh, at) : at + 1};
}

/* Later entries win, so the list is read from its end. */
static void read_list(const m5_def *def, const m5_def_channel *c, const range *entries, runs *r)
{
    for (uint32_t i = 0; i <= r->count; i++)
        r->next[i] = i;
    for (uint32_t i = 0; i < r->count; i++)
        r->listed[i] = false;
    for (uint32_t i = c->num_joints; i-- > 0;)
        decide(r, &entries[i], !m5_def_joint_at(def, c->first_joint + i).removes);
}

/* Whether a channel's list has this joint by its name, so that two of them are reported without the
 * mesh. */
static bool is_named(m5_def_link_state *s, uint32_t model, uint32_t channel, uint32_t joint)
{
    const m5_lint_file *f = m5_def_file(s, s->models[model].at);
    const m5_def_channel *c = &f->model.def->channels[channel];
    for (uint32_t i = 0; i < c->num_joints; i++) {
        m5_def_joint entry = m5_def_joint_at(f->model.def, c->first_joint + i);
        m5_def_name name = {&f->source, entry.name};
        if (m5_def_find_joint(s, s->models[model].mesh, name) == joint)
            return true;
    }
    return false;
}

static void say_twice(m5_def_link_state *s, uint32_t model, uint32_t first, uint32_t second,
                      uint32_t joint, uint32_t count)
{
    m5_lint_file *f = m5_def_file(s, s->models[model].at);
    const m5_def_asset *mesh = &s->game->assets[s->models[model].mesh];
    const m5_def_channel *a = &f->model.def->channels[first], *b = &f->model.def->channels[second];
    m5_name name = mesh->joints[joint].name;
    char more[32] = "";
    if (count > 1)
        m5_check_print(more, sizeof more, " (first of %u)", count);
    m5_diag d = m5_found(M5_LINT_ROW(def_joint_channels), b->name);
    d.path = m5_def_channel_path(f, s->models[model].at.number, second);
    m5_relate(&d, &f->source, a->name, "the first channel");
    m5_emit(&f->report, &d, 0, "joint '%.*s' is in channel '%.*s' and in '%.*s'%s",
            (int)name.length, (const char *)mesh->source->bytes + name.offset,
            M5_CHECK_NAME(f, a->name), M5_CHECK_NAME(f, b->name), more);
}

/* Gives the listed joints to a channel; reports the first of those that another one has. */
static void assign(m5_def_link_state *s, uint32_t model, uint32_t channel, runs *r)
{
    uint32_t first = 0, count = 0;
    for (uint32_t i = 0; i < r->count; i++) {
        if (!r->listed[i])
            continue;
        if (r->channel[i] == M5_NO_INDEX) {
            r->channel[i] = channel;
            continue;
        }
        first = count == 0 ? i : first;
        count += r->begin[i + 1] - r->begin[i];
    }
    if (count != 0 && !(is_named(s, model, channel, r->begin[first]) &&
                        is_named(s, model, r->channel[first], r->begin[first])))
        say_twice(s, model, r->channel[first], channel, r->begin[first], count);
}

/* How many entries the lists of a model have, which are one after another in the file. */
static uint32_t count_entries(const m5_def *def, const m5_def_model *m)
{
    const m5_def_channel *first = &def->channels[m->first_channel];
    const m5_def_channel *last = &def->channels[m[1].first_channel - 1];
    return last->first_joint + last->num_joints - first->first_joint;
}

static void check_lists(m5_def_link_state *s, uint32_t model, const m5_def *def, range *entries,
                        runs *r)
{
    const m5_def_model *m = &def->models[s->models[model].at.number];
    uint32_t begin = def->channels[m->first_channel].first_joint, count = 0;
    for (uint32_t c = m->first_channel; c < m[1].first_channel; c++)
        for (uint32_t i = 0; i < def->channels[c].num_joints; i++, count++)
            entries[count] = range_of(s, model, c, m5_def_joint_at(def, begin + count));
    cut(r, entries, count);
    for (uint32_t c = m->first_channel; c < m[1].first_channel; c++) {
        read_list(def, &def->channels[c], entries + def->channels[c].first_joint - begin, r);
        assign(s, model, c, r);
    }
}

void m5_def_check_channels(m5_def_link_state *s, uint32_t model)
{
    enum { MOST = 16 }; /* there are four names */
    m5_def_place at = s->models[model].at;
    const m5_def *def = m5_def_file(s, at)->model.def;
    const m5_def_model *m = &def->models[at.number];
    uint32_t mesh = s->models[model].mesh, channels = m[1].first_channel - m->first_channel;
    uint32_t joints = m5_def_is_known(mesh) ? s->game->assets[mesh].num_joints : 0;
    uint32_t count = channels != 0 ? count_entries(def, m) : 0;
    if (joints == 0 || count == 0 || channels > MOST)
        return;
    size_t mark = s->arena.used, cuts = 2 * (size_t)count;
    range *entries = m5_arena_take(&s->arena, count, sizeof *entries);
    runs r = {.begin = m5_arena_take(&s->arena, cuts, sizeof *r.begin),
              .next = m5_arena_take(&s->arena, cuts, sizeof *r.next),
              .channel = m5_arena_take(&s->arena, cuts, sizeof *r.channel),
              .listed = m5_arena_take(&s->arena, cuts, sizeof *r.listed)};
    check_lists(s, model, def, entries, &r);
    m5_arena_release(&s->arena, mark);
}
