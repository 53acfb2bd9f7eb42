/* Mutates declarations as models: names change places, and numbers change. Lists keep their
 * lengths, since each ends where the next begins. */
#include "mutate.h"

static m5_name *line_name(m5_def *d, uint32_t i)
{
    return &d->lines[i].name;
}

static m5_name *anim_name(m5_def *d, uint32_t i)
{
    return &d->anims[i].name;
}

static m5_name *file_name(m5_def *d, uint32_t i)
{
    return &d->files[i];
}

static m5_name *command_name(m5_def *d, uint32_t i)
{
    return &d->commands[i].name;
}

static m5_name *entity_name(m5_def *d, uint32_t i)
{
    return &d->entities[i].name;
}

static m5_name *model_name(m5_def *d, uint32_t i)
{
    return &d->models[i].name;
}

static m5_name *key_value(m5_def *d, uint32_t i)
{
    return &d->keys[i].value;
}

/* Any name of the model; NULL if there is none of the kind that was chosen. */
static m5_name *choose_name(mutate_chance *c, m5_def *d)
{
    struct {
        m5_name *(*at)(m5_def *d, uint32_t i);
        uint32_t count;
    } kinds[] = {{line_name, d->num_lines},      {anim_name, d->num_anims},
                 {file_name, d->num_files},      {command_name, d->num_commands},
                 {entity_name, d->num_entities}, {model_name, d->num_models},
                 {key_value, d->num_keys}};
    uint32_t k = mutate_below(c, sizeof kinds / sizeof *kinds);
    return kinds[k].count != 0 ? kinds[k].at(d, mutate_below(c, kinds[k].count)) : NULL;
}

static void swap_names(mutate_chance *c, m5_def *d)
{
    m5_name *a = choose_name(c, d), *b = choose_name(c, d);
    if (a == NULL || b == NULL)
        return;
    m5_name name = *a;
    *a = *b;
    if (mutate_one_in(c, 2))
        *b = name;
}

static void change_joint(mutate_chance *c, m5_def *d)
{
    if (d->num_joints == 0)
        return;
    uint32_t *a = &d->joints[mutate_below(c, d->num_joints)];
    *a = d->joints[mutate_below(c, d->num_joints)];
}

static void change_number(mutate_chance *c, m5_def *d)
{
    if (d->num_offsets != 0 && mutate_one_in(c, 2))
        mutate_floats(c, d->offsets[mutate_below(c, d->num_offsets)].value, 3);
    else if (d->num_commands != 0)
        d->commands[mutate_below(c, d->num_commands)].frame = (int32_t)mutate_index(c, 100);
    else if (d->num_lines != 0)
        d->lines[mutate_below(c, d->num_lines)].kind = (m5_def_line_kind)mutate_below(c, 4);
}

void mutate_def(mutate_chance *c, m5_arena *arena, m5_def *d)
{
    (void)arena;
    switch (mutate_below(c, 4)) {
    case 0: change_number(c, d); break;
    case 1: change_joint(c, d); break;
    default: swap_names(c, d);
    }
}

void mutate_cross_def(mutate_chance *c, m5_arena *arena, m5_def *m, m5_def *other, uint32_t by)
{
    (void)arena;
    for (uint32_t i = 1 + mutate_below(c, 8); i != 0; i--) {
        m5_name *name = choose_name(c, m), *source = choose_name(c, other);
        if (name != NULL && source != NULL)
            *name = (m5_name){source->offset + by, source->length};
    }
    if (m->num_joints != 0 && other->num_joints != 0)
        m->joints[mutate_below(c, m->num_joints)] =
            other->joints[mutate_below(c, other->num_joints)] + by;
}
