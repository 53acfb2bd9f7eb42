/* Channels of a model, with the joints of its mesh: *name is a joint and all below it, and -name
 * takes out what was there (idDeclModelDef::GetJointList). */
#include "def_names.h"
#include "link_state.h"
#include "lint/core/check.h"
#include "parsers/core/allocate.h"
#include "parsers/core/emit.h"

/* Scratch memory by joint. */
typedef struct lists {
    uint32_t *end;     /* the joint after the last one below it */
    uint32_t *next;    /* the next joint that is not decided yet, maybe over several steps */
    uint32_t *channel; /* the channel that it is in; M5_NO_INDEX: in none yet */
    bool *listed;      /* it is in the list that is being read */
} lists;

/* Doom 3 takes all joints up to the first whose parent comes before the joint itself. */
static void find_ends(const m5_def_asset *mesh, uint32_t *end)
{
    for (uint32_t i = mesh->num_joints; i-- > 0;) {
        uint32_t at = i + 1;
        while (at < mesh->num_joints && mesh->joints[at].parent >= (int32_t)i)
            at = end[at];
        end[i] = at;
    }
}

/* The first joint from one on that is not decided yet. The way there is halved, so that it is short
 * the next time. */
static uint32_t next_open(lists *l, uint32_t at)
{
    while (l->next[at] != at) {
        l->next[at] = l->next[l->next[at]];
        at = l->next[at];
    }
    return at;
}

/* Decides joints from `from` to before `to` that are not decided yet. */
static void decide(lists *l, uint32_t from, uint32_t to, bool listed)
{
    for (uint32_t at = next_open(l, from); at < to; at = next_open(l, at)) {
        l->listed[at] = listed;
        l->next[at] = at + 1;
    }
}

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

/* Later entries win, so the list is read from its end. */
static void read_list(m5_def_link_state *s, uint32_t model, uint32_t channel, lists *l)
{
    m5_lint_file *f = m5_def_file(s, s->models[model].at);
    const m5_def_channel *c = &f->model.def->channels[channel];
    uint32_t mesh = s->models[model].mesh, count = s->game->assets[mesh].num_joints;
    for (uint32_t i = 0; i <= count; i++)
        l->next[i] = i;
    for (uint32_t i = 0; i < count; i++)
        l->listed[i] = false;
    for (uint32_t i = c->num_joints; i-- > 0;) {
        m5_def_joint joint = m5_def_joint_at(f->model.def, c->first_joint + i);
        uint32_t at = m5_def_find_joint(s, mesh, (m5_def_name){&f->source, joint.name});
        if (at == M5_DEF_NOTHING)
            say_unknown(s, model, channel, joint);
        else
            decide(l, at, joint.children ? l->end[at] : at + 1, !joint.removes);
    }
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
    m5_diag d = m5_found(M5_LINT_ROW(def_joint_channels), b->name);
    d.path = m5_def_channel_path(f, s->models[model].at.number, second);
    m5_relate(&d, &f->source, a->name, "the first channel");
    m5_emit(&f->report, &d, 0, "joint '%.*s' is in channel '%.*s' and in '%.*s'; %u in total",
            (int)name.length, (const char *)mesh->source->bytes + name.offset,
            M5_CHECK_NAME(f, a->name), M5_CHECK_NAME(f, b->name), count);
}

/* Gives the listed joints to a channel; reports the first of those that another one has. */
static void assign(m5_def_link_state *s, uint32_t model, uint32_t channel, lists *l)
{
    uint32_t joints = s->game->assets[s->models[model].mesh].num_joints, first = 0, count = 0;
    for (uint32_t i = 0; i < joints; i++) {
        if (!l->listed[i])
            continue;
        if (l->channel[i] == M5_NO_INDEX)
            l->channel[i] = channel;
        else if (count++ == 0)
            first = i;
    }
    if (count != 0 &&
        !(is_named(s, model, channel, first) && is_named(s, model, l->channel[first], first)))
        say_twice(s, model, l->channel[first], channel, first, count);
}

void m5_def_check_channels(m5_def_link_state *s, uint32_t model)
{
    enum { MOST = 16 }; /* there are four names */
    m5_def_place at = s->models[model].at;
    const m5_def_model *m = &m5_def_file(s, at)->model.def->models[at.number];
    uint32_t mesh = s->models[model].mesh, channels = m[1].first_channel - m->first_channel;
    uint32_t joints = m5_def_is_known(mesh) ? s->game->assets[mesh].num_joints : 0;
    if (joints == 0 || channels == 0 || channels > MOST)
        return;
    size_t mark = s->arena.used;
    lists l = {m5_arena_take(&s->arena, joints, sizeof *l.end),
               m5_arena_take(&s->arena, (size_t)joints + 1, sizeof *l.next),
               m5_arena_take(&s->arena, joints, sizeof *l.channel),
               m5_arena_take(&s->arena, joints, sizeof *l.listed)};
    find_ends(&s->game->assets[mesh], l.end);
    for (uint32_t i = 0; i < joints; i++)
        l.channel[i] = M5_NO_INDEX;
    for (uint32_t c = m->first_channel; c < m[1].first_channel; c++) {
        read_list(s, model, c, &l);
        assign(s, model, c, &l);
    }
    m5_arena_release(&s->arena, mark);
}
