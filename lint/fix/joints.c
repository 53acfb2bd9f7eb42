/* Gives an animation the joints of the mesh that it was compared with: their names, and their
 * order. */
#include "lines.h"
#include "lint/core/check.h"
#include "lint/core/names.h"
#include "parsers/core/allocate.h"
#include "parsers/md5/lex.h"

#include <string.h>

typedef struct pair {
    const m5_source *mesh_source, *anim_source;
    const m5_md5mesh *mesh;
    const m5_md5anim *anim;
} pair;

/* False if there is no mesh with as many joints. */
static bool pair_of(const m5_fixing *x, pair *out)
{
    const m5_lint_file *base = x->f->base;
    if (base == NULL || base->model.md5mesh == NULL || x->f->model.md5anim == NULL)
        return false;
    *out = (pair){&base->source, &x->f->source, base->model.md5mesh, x->f->model.md5anim};
    return out->mesh->num_joints == out->anim->num_joints && out->mesh->joints_whole &&
           out->anim->joints_whole;
}

static int compare(const pair *p, uint32_t mesh_joint, uint32_t anim_joint)
{
    return m5_check_compare_names(p->mesh_source, p->mesh->joints[mesh_joint].name, p->anim_source,
                                  p->anim->joints[anim_joint].name);
}

/* ---- Names ----------------------------------------------------------------------------------- */

static void rename_joint(m5_fixing *x, const pair *p, uint32_t i)
{
    m5_name name = p->mesh->joints[i].name;
    m5_fix_replace(x, p->anim->joints[i].name, (const char *)p->mesh_source->bytes + name.offset,
                   name.length);
}

static size_t folder_length(const m5_source *s)
{
    const char *slash = strrchr(s->name, '/');
    return slash != NULL ? (size_t)(slash - s->name) : 0;
}

/* Whether it is sure which mesh is meant: one in another folder that only has nearly the same names
 * may be that of another character. */
static bool is_meant(const m5_fixing *x, const pair *p)
{
    size_t length = folder_length(p->anim_source);
    bool beside = length == folder_length(p->mesh_source) &&
                  memcmp(p->anim_source->name, p->mesh_source->name, length) == 0;
    return x->f->reason != M5_PAIR_ALIKE || beside;
}

/* Where it is the only one with another name, and none has that name already. */
bool m5_fix_joint_name(m5_fixing *x)
{
    uint32_t joint = x->diag->path.step[0].index;
    pair p;
    if (!pair_of(x, &p) || !is_meant(x, &p))
        return false;
    for (uint32_t i = 0; i < p.mesh->num_joints; i++)
        if (p.mesh->joints[i].parent != p.anim->joints[i].parent || compare(&p, joint, i) == 0 ||
            (i != joint && compare(&p, i, i) != 0))
            return false;
    rename_joint(x, &p, joint);
    return true;
}

/* All that differ in upper and lower case: the finding may stand for them. */
bool m5_fix_joint_case(m5_fixing *x)
{
    pair p;
    if (!pair_of(x, &p))
        return false;
    for (uint32_t i = 0; i < p.mesh->num_joints; i++)
        if (compare(&p, i, i) != 0)
            rename_joint(x, &p, i);
    return true;
}

/* ---- Order ----------------------------------------------------------------------------------- */

/* The joints of an animation in the mesh's order. */
typedef struct order {
    pair p;
    uint32_t *from;  /* of each joint of the mesh: the same joint of the animation */
    uint32_t *was;   /* joints with components, in the order of those, */
    uint32_t *is;    /* ... and in the mesh's */
    uint32_t *at;    /* offsets to work with, one for each joint */
    m5_span *groups; /* of each joint: its components in a frame */
    uint32_t moving; /* how many have components */
} order;

/* Whether both have the same names, each once, and the same parents. */
static bool match(const order *o, const uint32_t *mesh_names, const uint32_t *anim_names)
{
    const pair *p = &o->p;
    uint32_t count = p->mesh->num_joints;
    for (uint32_t i = 0; i < count; i++) {
        if (compare(p, mesh_names[i], anim_names[i]) != 0 ||
            (i != 0 && compare(p, mesh_names[i], anim_names[i - 1]) == 0))
            return false;
        o->from[mesh_names[i]] = anim_names[i];
    }
    for (uint32_t i = 0; i < count; i++) {
        int32_t mesh = p->mesh->joints[i].parent, anim = p->anim->joints[o->from[i]].parent;
        if (mesh < 0 ? anim != mesh : anim != (int32_t)o->from[mesh])
            return false;
    }
    return true;
}

/* Whether the components of the joints follow each other, without a gap, in the joints' order. */
static bool list_moving(order *o)
{
    const m5_md5anim *m = o->p.anim;
    uint32_t next = 0, k = 0;
    o->moving = 0;
    for (uint32_t i = 0; i < m->num_joints; i++) {
        if (m->channels[i].flags == 0)
            continue;
        if (m->channels[i].start != next)
            return false;
        next += m5_md5anim_count_flags(m->channels[i].flags);
        o->was[o->moving++] = i;
    }
    for (uint32_t i = 0; i < m->num_joints; i++)
        if (m->channels[o->from[i]].flags != 0)
            o->is[k++] = o->from[i];
    return next == m->num_components;
}

static uint32_t new_index(const order *o, int32_t joint)
{
    uint32_t i = 0;
    while (o->from[i] != (uint32_t)joint)
        i++;
    return i;
}

/* Writes  "name" parent flags startIndex  of a joint as line `i`. */
static void put_joint(m5_fixing *x, const order *o, uint32_t i, uint32_t start)
{
    const m5_md5anim *m = o->p.anim;
    const uint8_t *bytes = x->f->source.bytes;
    const m5_md5_joint *joint = &m->joints[o->from[i]];
    m5_span old = m5_fix_line_from(x, m->joints[i].offset, 3);
    m5_span line = m5_fix_line_from(x, joint->offset, 3);
    m5_span parent = m5_lex_nth(&x->f->source, joint->offset, 1);
    m5_span first = m5_lex_nth(&x->f->source, joint->offset, 3);
    m5_text text = {.size = line.length + 32};
    text.bytes = m5_arena_take(x->arena, text.size, 1);
    if (text.bytes == NULL) {
        x->failed = true;
        return;
    }
    m5_text_add(&text, bytes + line.offset, parent.offset - line.offset);
    m5_text_int(&text, joint->parent < 0 ? joint->parent : (int32_t)new_index(o, joint->parent));
    uint32_t end = parent.offset + parent.length;
    m5_text_add(&text, bytes + end, first.offset - end);
    m5_text_int(&text, start);
    end = first.offset + first.length;
    m5_text_add(&text, bytes + end, line.offset + line.length - end);
    if (text.length != old.length || memcmp(text.bytes, bytes + old.offset, old.length) != 0)
        m5_fix_replace(x, old, text.bytes, text.length);
}

/* A joint without components has the index of what follows, or always 0. */
static void put_hierarchy(m5_fixing *x, const order *o)
{
    const m5_md5anim *m = o->p.anim;
    uint32_t start = 0;
    for (uint32_t i = 0; i < m->num_joints && !x->failed; i++) {
        size_t mark = x->arena->used;
        uint32_t flags = m->channels[o->from[i]].flags;
        m5_span old = m5_lex_nth(&x->f->source, m->joints[o->from[i]].offset, 3);
        bool zero = flags == 0 && old.length == 1 && x->f->source.bytes[old.offset] == '0';
        put_joint(x, o, i, zero ? 0 : start);
        start += m5_md5anim_count_flags(flags);
        m5_arena_release(x->arena, mark);
    }
}

static void put_baseframe(m5_fixing *x, const order *o)
{
    for (uint32_t i = 0; i < o->p.anim->num_base; i++)
        o->at[i] = o->p.anim->base[i].offset;
    m5_fix_permute_lines(x, o->at, o->from, o->p.anim->num_base, 9);
}

/* What is between the components of two joints stays where it is. */
static void put_frame(m5_fixing *x, const order *o, uint32_t frame)
{
    const m5_md5anim *m = o->p.anim;
    const uint8_t *bytes = x->f->source.bytes;
    m5_span value = m5_lex_nth(&x->f->source, m->frames[frame], 2);
    for (uint32_t i = 0; i < o->moving; i++) {
        uint32_t count = m5_md5anim_count_flags(m->channels[o->was[i]].flags), begin = 0;
        for (uint32_t k = 0; k < count; k++) {
            value = m5_lex_nth(&x->f->source, value.offset, 1);
            begin = k == 0 ? value.offset : begin;
        }
        o->groups[o->was[i]] = (m5_span){begin, value.offset + value.length - begin};
    }
    for (uint32_t i = 0; i < o->moving; i++) {
        m5_span old = o->groups[o->was[i]], new = o->groups[o->is[i]];
        if (old.length != new.length ||
            memcmp(bytes + old.offset, bytes + new.offset, old.length) != 0)
            m5_fix_copy(x, old, new);
    }
}

static bool begin(order *o, m5_fixing *x)
{
    uint32_t count = o->p.anim->num_joints;
    o->from = m5_arena_take(x->arena, count, sizeof *o->from);
    o->was = m5_arena_take(x->arena, count, sizeof *o->was);
    o->is = m5_arena_take(x->arena, count, sizeof *o->is);
    o->at = m5_arena_take(x->arena, count, sizeof *o->at);
    o->groups = m5_arena_take(x->arena, count, sizeof *o->groups);
    return o->from != NULL && o->was != NULL && o->is != NULL && o->at != NULL && o->groups != NULL;
}

/* Whether each joint has its own line of the baseframe. */
static bool has_all_base(const m5_md5anim *m)
{
    for (uint32_t i = 0; i < m->num_joints; i++)
        if (!m5_check_has_base(m, i))
            return false;
    return m->base_in_place;
}

bool m5_fix_joint_order(m5_fixing *x)
{
    order o;
    size_t mark = x->arena->used;
    if (!pair_of(x, &o.p) || !o.p.anim->channels_whole || !has_all_base(o.p.anim) ||
        !o.p.anim->frames_whole || x->f->names == NULL || x->f->base->names == NULL)
        return false;
    bool can = begin(&o, x) && match(&o, x->f->base->names, x->f->names) && list_moving(&o);
    if (can) {
        put_hierarchy(x, &o);
        put_baseframe(x, &o);
        for (uint32_t i = 0; i < o.p.anim->num_frames && !x->failed && !x->in->probe; i++)
            put_frame(x, &o, i);
    }
    m5_arena_release(x->arena, mark);
    return can;
}
