/* Declarations (.def) and archives as JSON: what belongs together, and where members are. */
#include "dump.h"

static void dump_lines(const m5_def *m, const m5_def_model *model)
{
    static const char *const kind[] = {"inherit", "skin", "mesh", "remove"};
    json_open("lines", '[');
    for (uint32_t i = model->first_line; i < model[1].first_line; i++) {
        json_open(NULL, '{');
        json_span(kind[m->lines[i].kind], m->source, m->lines[i].name);
        json_close('}');
    }
    for (uint32_t i = model->first_offset; i < model[1].first_offset; i++) {
        json_open(NULL, '{');
        json_floats("offset", m->offsets[i].value, 3);
        json_close('}');
    }
    json_close(']');
}

static void dump_channels(const m5_def *m, const m5_def_model *model)
{
    json_open("channels", '[');
    for (uint32_t i = model->first_channel; i < model[1].first_channel; i++) {
        const m5_def_channel *c = &m->channels[i];
        json_open(NULL, '{');
        json_span("name", m->source, c->name);
        json_open("joints", '[');
        for (uint32_t k = 0; k < c->num_joints; k++)
            json_span(NULL, m->source, m5_def_joint_at(m, c->first_joint + k).at);
        json_close(']');
        json_close('}');
    }
    json_close(']');
}

static void dump_anim(const m5_def *m, const m5_def_anim *a)
{
    json_open(NULL, '{');
    json_span("name", m->source, a->name);
    json_open("files", '[');
    for (uint32_t i = 0; i < a->num_files; i++)
        json_span(NULL, m->source, m->files[a->first_file + i]);
    json_close(']');
    json_int("flags", a->flags);
    json_open("commands", '[');
    for (uint32_t i = a->first_command; i < a[1].first_command; i++) {
        json_open(NULL, '{');
        json_int("frame", m->commands[i].frame);
        json_span("name", m->source, m->commands[i].name);
        json_span("arguments", m->source, m->commands[i].arguments);
        json_close('}');
    }
    json_close(']');
    json_close('}');
}

static void dump_entities(const m5_def *m)
{
    json_open("entities", '[');
    for (uint32_t i = 0; i < m->num_entities; i++) {
        json_open(NULL, '{');
        json_span("name", m->source, m->entities[i].name);
        json_open("keys", '['); /* only those that name models, animations and joints */
        for (uint32_t k = m->entities[i].first_key; k < m->entities[i + 1].first_key; k++) {
            json_open(NULL, '{');
            json_span("key", m->source, m->keys[k].key);
            json_span("value", m->source, m->keys[k].value);
            json_close('}');
        }
        json_close(']');
        json_close('}');
    }
    json_close(']');
}

void dump_def(const m5_def *m)
{
    json_open("models", '[');
    for (uint32_t i = 0; i < m->num_models; i++) {
        json_open(NULL, '{');
        json_span("name", m->source, m->models[i].name);
        dump_lines(m, &m->models[i]);
        dump_channels(m, &m->models[i]);
        json_open("anims", '[');
        for (uint32_t k = m->models[i].first_anim; k < m->models[i + 1].first_anim; k++)
            dump_anim(m, &m->anims[k]);
        json_close(']');
        json_close('}');
    }
    json_close(']');
    dump_entities(m);
}

void dump_pack(const m5_pack *m)
{
    json_bool("zip", m->zip);
    json_open("members", '[');
    for (uint32_t i = 0; i < m->num_members; i++) {
        json_open(NULL, '{');
        json_span("name", m->source, m->members[i].name);
        json_int("at", m->members[i].at);
        json_int("packed", m->members[i].packed);
        json_int("size", (int64_t)m->members[i].size);
        json_int("method", m->members[i].method);
        json_close('}');
    }
    json_close(']');
}
