/* What every harness asserts of every input, beyond not crashing. */
#ifndef M5_HARNESS_H
#define M5_HARNESS_H

#include "../lint/lint.h"

#include <stdio.h>
#include <stdlib.h>

#define HARNESS_ASSERT(what)                                                                       \
    do {                                                                                           \
        if (!(what)) {                                                                             \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #what);                     \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

/* Findings of one run, boiled down to what two runs can be compared by. */
typedef struct harness_run {
    const m5_source *source;
    uint64_t digest;
    m5_status status;
} harness_run;

static inline void harness_take(void *user, const m5_diag *d)
{
    harness_run *run = user;
    uint64_t end = (uint64_t)d->at.offset + d->at.length;
    HARNESS_ASSERT(end <= run->source->size);
    HARNESS_ASSERT(d->severity != M5_SILENT && d->message[0] != '\0');
    for (const char *p = d->message; *p != '\0'; p++)
        run->digest = (run->digest ^ (uint8_t)*p) * 1099511628211u;
    run->digest = (run->digest ^ d->at.offset ^ d->rule->number) * 1099511628211u;
    if (d->related.source == run->source)
        HARNESS_ASSERT((uint64_t)d->related.at.offset + d->related.at.length <= run->source->size);
}

static inline double harness_sum(const float *values, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        HARNESS_ASSERT(values[i] - values[i] == 0); /* finite */
        sum += (double)values[i];
    }
    return sum;
}

static inline void harness_walk_joints(const m5_md5_joint *joints, uint32_t count, uint32_t size)
{
    for (uint32_t i = 0; i < count; i++) {
        HARNESS_ASSERT(joints[i].parent >= -1 && joints[i].parent < (int64_t)i);
        HARNESS_ASSERT((uint64_t)joints[i].name.offset + joints[i].name.length <= size);
        HARNESS_ASSERT(joints[i].offset < size);
    }
}

/* A clean model may be walked without one check: so walk all of it. */
static inline void harness_walk_md5mesh(const m5_md5mesh *m)
{
    harness_walk_joints(m->joints, m->num_joints, m->source->size);
    for (uint32_t i = 0; i < m->num_joints; i++)
        harness_sum(m->bind[i].pos, 3), harness_sum(m->bind[i].orient, 3);
    for (uint32_t k = 0; k < m->num_meshes; k++) {
        const m5_md5mesh_mesh *mesh = &m->meshes[k];
        for (uint32_t i = 0; i < mesh->num_verts; i++) {
            const m5_md5mesh_vert *v = &mesh->verts[i];
            harness_sum(v->st, 2);
            HARNESS_ASSERT(v->count > 0 && (uint64_t)v->start + v->count <= mesh->num_weights);
        }
        for (uint32_t i = 0; i < mesh->num_tris; i++)
            for (int c = 0; c < 3; c++)
                HARNESS_ASSERT(mesh->tris[i].vert[c] < mesh->num_verts);
        for (uint32_t i = 0; i < mesh->num_weights; i++) {
            HARNESS_ASSERT(mesh->weights[i].joint < m->num_joints);
            harness_sum(&mesh->weights[i].bias, 1);
            harness_sum(mesh->weights[i].pos, 3);
        }
    }
}

static inline void harness_walk_md5anim(const m5_md5anim *m)
{
    HARNESS_ASSERT(m->num_bounds == m->num_frames && m->num_base == m->num_joints);
    HARNESS_ASSERT(m->frame_rate > 0 && m->num_frames > 0 && m->num_joints > 0);
    harness_walk_joints(m->joints, m->num_joints, m->source->size);
    for (uint32_t i = 0; i < m->num_joints; i++) {
        const m5_md5anim_channel *ch = &m->channels[i];
        uint32_t width = m5_md5anim_count_flags(ch->flags);
        HARNESS_ASSERT(ch->flags < 64 && (uint64_t)ch->start + width <= m->num_components);
        harness_sum(m->base[i].pos, 3), harness_sum(m->base[i].orient, 3);
    }
    for (uint32_t i = 0; i < m->num_frames; i++)
        harness_sum(m->bounds[i].min, 3), harness_sum(m->bounds[i].max, 3);
    harness_sum(m->components, (size_t)m->num_frames * m->num_components);
}

/* Parses and lints with every rule on, within the documented memory. */
static inline harness_run harness_once(const m5_format *format, const uint8_t *data, size_t size,
                                       bool plain)
{
    static m5_levels all[M5_RULES];
    for (unsigned i = 0; i < M5_RULES; i++) {
        all[i] = m5_rule_at(i)->levels;
        if (m5_judge(&all[i], DBL_MAX) == M5_SILENT)
            all[i] = (m5_levels)M5_IS_NOTE;
    }
    m5_lint_file f = {.source = {"input", data, (uint32_t)size}};
    harness_run run = {.source = &f.source, .digest = 14695981039346656037u};
    size_t bytes = m5_lint_memory(size, 0);
    void *memory = malloc(bytes);
    HARNESS_ASSERT(memory != NULL);
    m5_arena_init(&f.arena, memory, bytes);
    f.report = (m5_report){.source = &f.source, .sink = {harness_take, &run}, .levels = all,
                           .plain = plain};
    run.status = m5_parse(format, &f.report, &f.arena, &f.model);
    HARNESS_ASSERT(run.status != M5_NO_MEMORY && f.arena.peak <= m5_parse_memory(size));
    HARNESS_ASSERT((run.status == M5_CLEAN) == (f.report.flaws == 0));
    if (run.status == M5_CLEAN && f.model.md5mesh != NULL)
        harness_walk_md5mesh(f.model.md5mesh);
    if (run.status == M5_CLEAN && f.model.md5anim != NULL)
        harness_walk_md5anim(f.model.md5anim);
    size_t used = f.arena.used;
    m5_lint_model(&f);
    HARNESS_ASSERT(f.arena.used == used);
    free(memory);
    return run;
}

/* The same by the fast readers and by the plain ones. */
static inline void harness_lint(const m5_format *format, const uint8_t *data, size_t size)
{
    harness_run fast = harness_once(format, data, size, false);
    harness_run plain = harness_once(format, data, size, true);
    HARNESS_ASSERT(fast.digest == plain.digest && fast.status == plain.status);
}

#endif
