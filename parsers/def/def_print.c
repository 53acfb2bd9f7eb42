/* Prints declarations of models and entities in canonical form. Keys of entities that name no
 * model, animation or joint are not kept. */
#include "def.h"
#include "def_lex.h"
#include "../core/write.h"

/* In the quotes that it has, or else in double ones: a name in single quotes may contain those. */
static void print_name(const m5_writer *out, const m5_source *s, m5_name name)
{
    bool single = name.offset != 0 && s->bytes[name.offset - 1] == '\'';
    m5_write(out, single ? "'" : "\"");
    m5_write_span(out, s, name);
    m5_write(out, single ? "'" : "\"");
}

static void print_line(const m5_writer *out, const m5_source *s, const char *key, m5_name name)
{
    m5_write(out, "\t%s ", key);
    print_name(out, s, name);
    m5_write(out, "\n");
}

static void print_channel(const m5_def *d, const m5_def_channel *c, const m5_writer *out)
{
    m5_write(out, "\tchannel ");
    print_name(out, d->source, c->name);
    m5_write(out, " (");
    for (uint32_t i = 0; i < c->num_joints; i++) {
        m5_def_joint joint = m5_def_joint_at(d, c->first_joint + i);
        m5_write(out, " ");
        m5_write_span(out, d->source, joint.at);
    }
    m5_write(out, " )\n");
}

static void print_command(const m5_def *d, const m5_def_command *c, const m5_writer *out)
{
    m5_write(out, "\t\tframe %d ", c->frame);
    print_name(out, d->source, c->name);
    m5_write(out, c->arguments.length != 0 ? " " : "");
    m5_write_span(out, d->source, c->arguments);
    m5_write(out, "\n");
}

static void print_block(const m5_def *d, const m5_def_anim *a, const m5_writer *out)
{
    if (a->flags == 0 && a[1].first_command == a->first_command)
        return;
    m5_write(out, " {\n");
    for (unsigned bit = 0; m5_def_flag_name(bit) != NULL; bit++)
        if ((a->flags >> bit & 1) != 0)
            m5_write(out, "\t\t%s\n", m5_def_flag_name(bit));
    for (uint32_t i = a->first_command; i < a[1].first_command; i++)
        print_command(d, &d->commands[i], out);
    m5_write(out, "\t}");
}

static void print_anim(const m5_def *d, const m5_def_anim *a, const m5_writer *out)
{
    m5_write(out, "\tanim ");
    print_name(out, d->source, a->name);
    for (uint32_t i = 0; i < a->num_files; i++) {
        m5_write(out, i == 0 ? " " : ", ");
        print_name(out, d->source, d->files[a->first_file + i]);
    }
    print_block(d, a, out);
    m5_write(out, "\n");
}

static void print_model(const m5_def *d, const m5_def_model *m, const m5_writer *out)
{
    static const char *const keys[] = {"inherit", "skin", "mesh", "remove"};
    m5_write(out, "model ");
    print_name(out, d->source, m->name);
    m5_write(out, " {\n");
    for (uint32_t i = m->first_line; i < m[1].first_line; i++)
        print_line(out, d->source, keys[d->lines[i].kind], d->lines[i].name);
    for (uint32_t i = m->first_offset; i < m[1].first_offset; i++) {
        m5_write(out, "\toffset ( ");
        m5_write_floats(out, d->offsets[i].value, 3);
        m5_write(out, " )\n");
    }
    for (uint32_t i = m->first_channel; i < m[1].first_channel; i++)
        print_channel(d, &d->channels[i], out);
    for (uint32_t i = m->first_anim; i < m[1].first_anim; i++)
        print_anim(d, &d->anims[i], out);
    m5_write(out, "}\n\n");
}

static void print_entity(const m5_def *d, const m5_def_entity *e, const m5_writer *out)
{
    m5_write(out, "entityDef ");
    print_name(out, d->source, e->name);
    m5_write(out, " {\n");
    for (uint32_t i = e->first_key; i < e[1].first_key; i++) {
        m5_write(out, "\t");
        print_name(out, d->source, d->keys[i].key);
        m5_write(out, "\t");
        print_name(out, d->source, d->keys[i].value);
        m5_write(out, "\n");
    }
    m5_write(out, "}\n\n");
}

void m5_def_print(const m5_def *d, const m5_writer *out)
{
    m5_write(out, "// declarations of models and entities\n\n");
    for (uint32_t i = 0; i < d->num_models; i++)
        print_model(d, &d->models[i], out);
    for (uint32_t i = 0; i < d->num_entities; i++)
        print_entity(d, &d->entities[i], out);
}
