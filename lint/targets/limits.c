/* Measures a model, and holds it against the limits of targets. */
#include "targets.h"

#include <string.h>

/* The largest value of each measure, and where it is. */
typedef struct measures {
    uint64_t value[M5_MEASURES];
    uint32_t offset[M5_MEASURES];
} measures;

static void add(measures *m, m5_measure which, uint64_t value, uint32_t offset)
{
    if (value <= m->value[which])
        return;
    m->value[which] = value;
    m->offset[which] = offset;
}

static void add_joints(measures *m, m5_measure which, const m5_md5_joint *joints, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        add(m, which, joints[i].name.length, joints[i].name.offset);
}

static void measure_mesh(measures *m, const m5_md5mesh_mesh *mesh)
{
    add(m, M5_MEASURE_verts, mesh->num_verts, mesh->num_verts_at);
    add(m, M5_MEASURE_tris, mesh->num_tris, mesh->num_tris_at);
    add(m, M5_MEASURE_weights, mesh->num_weights, mesh->offset);
    add(m, M5_MEASURE_shader, mesh->shader.length, mesh->shader.offset);
    for (uint32_t i = 0; i < mesh->num_verts; i++)
        add(m, M5_MEASURE_influences, mesh->verts[i].count, mesh->verts[i].offset);
}

static void measure_md5mesh(measures *m, const m5_md5mesh *model, uint32_t read)
{
    add(m, M5_MEASURE_joints, model->num_joints, model->num_joints_at.offset);
    add(m, M5_MEASURE_meshes, read, 0);
    add(m, M5_MEASURE_commandline, model->commandline.length, model->commandline.offset);
    add_joints(m, M5_MEASURE_joint_name, model->joints, model->num_joints);
    for (uint32_t i = 0; i < read && i < model->num_meshes; i++)
        measure_mesh(m, &model->meshes[i]);
}

static void measure_md5anim(measures *m, const m5_md5anim *model)
{
    add(m, M5_MEASURE_joints_with_anim, model->num_joints, model->num_joints_at.offset);
    add(m, M5_MEASURE_frames, model->num_frames, model->num_frames_at.offset);
    add(m, M5_MEASURE_components, model->num_components, model->num_components_at.offset);
    add(m, M5_MEASURE_commandline_anim, model->commandline.length, model->commandline.offset);
    add_joints(m, M5_MEASURE_joint_name_anim, model->joints, model->num_joints);
}

static void judge(m5_targets_state *s, const measures *m, const m5_limit *limit, unsigned target)
{
    m5_decision *o = &s->decisions[target];
    uint64_t value = m->value[limit->measure];
    if (value > limit->value && limit->outcome > o->outcome)
        *o = (m5_decision){.outcome = limit->outcome,
                           .unknown = o->unknown,
                           .offset = m->offset[limit->measure],
                           .limit = limit,
                           .measured = value};
}

/* For some targets: bits. */
static void judge_for(m5_targets_state *s, const measures *m, uint32_t targets)
{
    for (size_t i = 0; i < m5_num_limits; i++)
        for (unsigned target = 0; target < M5_TARGETS; target++)
            if ((targets >> target & 1) != 0 &&
                (m5_limits[i].target == target || m5_limits[i].target == m5_targets[target].like))
                judge(s, m, &m5_limits[i], target);
}

static void judge_all(m5_targets_state *s, const measures *m)
{
    judge_for(s, m, s->chosen);
}

/* Most loaders read as many meshes as are declared, and leave out the others. */
static void judge_md5mesh(m5_targets_state *s, const m5_md5mesh *model)
{
    measures due = {0}, all = {0};
    uint32_t count = model->meshes_found;
    measure_md5mesh(&due, model, count < model->meshes_due ? count : model->meshes_due);
    measure_md5mesh(&all, model, count);
    judge_for(s, &due, s->chosen & ~s->rows->reads_all);
    judge_for(s, &all, s->chosen & s->rows->reads_all);
}

/* The length of the line that md5-line-too-long is about: its finding is at the 512th byte. */
static uint32_t length_of_line(const m5_source *s, uint32_t at)
{
    enum { BEFORE = 511 };
    const uint8_t *rest = s->bytes + at;
    const uint8_t *lf = memchr(rest, '\n', s->size - at);
    return BEFORE + (lf != NULL ? (uint32_t)(lf - rest) : s->size - at);
}

void m5_targets_measure_text(m5_targets_state *s, const m5_diag *d, uint32_t targets)
{
    measures m = {0};
    bool anim = s->format == M5_FORMAT_md5anim;
    if (d->rule->number == M5_RULE_md5_word_length)
        add(&m, anim ? M5_MEASURE_word_anim : M5_MEASURE_word, d->at.length, d->at.offset);
    else if (d->rule->number == M5_RULE_md5_line_too_long)
        add(&m, M5_MEASURE_line, length_of_line(s->source, d->at.offset), d->at.offset);
    else
        return;
    judge_for(s, &m, targets);
}

void m5_targets_measure(m5_targets_state *s, const m5_model *model)
{
    measures m = {0};
    if (model->md5mesh != NULL)
        judge_md5mesh(s, model->md5mesh);
    if (model->md5anim != NULL)
        measure_md5anim(&m, model->md5anim);
    judge_all(s, &m);
}
