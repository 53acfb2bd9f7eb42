/* Reads every part of a clean model, in each format. The contract: this needs no checks. */
#ifndef M5_CHECK_CLEAN_H
#define M5_CHECK_CLEAN_H

#include "lint/lint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HARNESS_ASSERT(what)                                                                       \
    do {                                                                                           \
        if (!(what)) {                                                                             \
            fprintf(stderr, "%s:%d: assertion failed: %s\n", __FILE__, __LINE__, #what);           \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

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
    HARNESS_ASSERT(m->joints_whole && m->channels_whole && m->frames_whole);
    HARNESS_ASSERT(m->bounds_in_place && m->base_in_place);
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

static inline void harness_walk_md5camera(const m5_md5camera *m)
{
    HARNESS_ASSERT(m->frame_rate > 0 && m->num_frames > 0);
    HARNESS_ASSERT(m->cuts_whole && m->frames_in_place && m->frames_whole);
    for (uint32_t i = 0; i < m->num_cuts; i++) {
        HARNESS_ASSERT(m->cuts[i].frame > (i > 0 ? m->cuts[i - 1].frame : 0));
        HARNESS_ASSERT(m->cuts[i].frame < m->num_frames);
        HARNESS_ASSERT(m->cuts[i].offset < m->source->size);
    }
    for (uint32_t i = 0; i < m->num_frames; i++) {
        const m5_md5camera_frame *frame = &m->frames[i];
        harness_sum(frame->pose.pos, 3), harness_sum(frame->pose.orient, 3);
        harness_sum(&frame->fov, 1);
        HARNESS_ASSERT(frame->pose.offset < m->source->size);
    }
}

static inline void harness_walk_name(m5_span name, uint32_t size)
{
    HARNESS_ASSERT((uint64_t)name.offset + name.length <= size);
}

/* From each bone, following the parents ends at a root: no chain is longer than the number of
 * bones. */
static inline void harness_walk_up(const void *model, int32_t (*parent)(const void *, uint32_t),
                                   uint32_t count)
{
    for (uint32_t i = 0; i < count; i += 1 + count / 64) {
        uint32_t steps = 0;
        for (int32_t up = (int32_t)i; up >= 0; up = parent(model, (uint32_t)up)) {
            HARNESS_ASSERT((uint32_t)up < count && steps <= count);
            steps++;
        }
    }
}

static inline int32_t harness_md4_parent(const void *model, uint32_t bone)
{
    return m5_md4_bone_at(model, bone).parent;
}

static inline void harness_walk_md4_vertex(const m5_md4 *m, const m5_md4_surface *s, uint32_t i)
{
    m5_md4_vertex v = m5_md4_vertex_at(m, s, i);
    HARNESS_ASSERT(v.num_weights <= M5_MD4_MAX_WEIGHTS);
    harness_sum(v.pos, 3), harness_sum(v.normal, 3), harness_sum(v.st, 2);
    for (uint32_t k = 0; k < v.num_weights; k++) {
        m5_md4_weight w = m5_md4_weight_at(m, s, i, k);
        HARNESS_ASSERT(w.bone < m->num_bones);
        harness_sum(&w.weight, 1), harness_sum(w.pos, 3);
    }
}

static inline void harness_walk_md4(const m5_md4 *m)
{
    HARNESS_ASSERT(m->num_bones > 0 && m->num_frames > 0);
    HARNESS_ASSERT(m->bones_whole && m->frames_whole && m->surfs_whole);
    harness_walk_name(m->name, m->source->size);
    harness_walk_up(m, harness_md4_parent, m->num_bones);
    for (uint32_t i = 0; i < m->num_bones; i++)
        harness_walk_name(m5_md4_bone_at(m, i).name, m->source->size);
    for (uint32_t i = 0; i < m->num_frames; i++) {
        m5_md4_frame f = m5_md4_frame_at(m, i);
        harness_sum(f.min, 3), harness_sum(f.max, 3), harness_sum(f.origin, 3),
            harness_sum(&f.radius, 1);
        for (uint32_t k = 0; k < m->num_bones; k++) {
            float matrix[3][4];
            m5_md4_matrix_at(m, i, k, matrix);
            harness_sum(&matrix[0][0], 12);
        }
    }
    for (uint32_t k = 0; k < m->num_surfs; k++) {
        const m5_md4_surface *s = &m->surfs[k];
        HARNESS_ASSERT(s->verts_whole && s->tris_whole && s->refs_whole && s->collapse_whole);
        harness_walk_name(s->name, m->source->size), harness_walk_name(s->shader, m->source->size);
        for (uint32_t i = 0; i < s->num_verts; i++) {
            harness_walk_md4_vertex(m, s, i);
            HARNESS_ASSERT(m5_md4_collapse_at(m, s, i) < s->num_verts);
        }
        for (uint32_t i = 0; i < s->num_tris; i++) {
            uint32_t t[3];
            m5_md4_triangle_at(m, s, i, t);
            HARNESS_ASSERT(t[0] < s->num_verts && t[1] < s->num_verts && t[2] < s->num_verts);
        }
        for (uint32_t i = 0; i < s->num_refs; i++)
            HARNESS_ASSERT(m5_md4_bone_ref_at(m, s, i) < m->num_bones);
    }
}

static inline void harness_walk_illmesh(const m5_illmesh *m)
{
    HARNESS_ASSERT(m->num_verts > 0 && m->stride > 0 && m->num_indices % 3 == 0);
    HARNESS_ASSERT(m->verts_whole && m->indices_whole);
    for (uint32_t i = 0; i < m->num_verts; i++) {
        const float *v = m->verts + (size_t)i * m->stride;
        harness_sum(v, m->stride);
        for (int k = 0; k < 4 && m->at[M5_ILL_BONES] >= 0; k++) {
            float bone = v[m->at[M5_ILL_BONES] + k];
            HARNESS_ASSERT(bone >= 0 && bone < 4294967296.0F && bone == (float)(uint32_t)bone);
        }
        HARNESS_ASSERT(m->vert_offsets[i] < m->source->size);
    }
    for (int i = 0; i < M5_ILL_PARTS; i++)
        HARNESS_ASSERT(m->at[i] < 0 || (uint32_t)m->at[i] + m5_illmesh_width[i] <= m->stride);
    for (uint32_t i = 0; i < m->num_indices; i++)
        HARNESS_ASSERT(m->indices[i] < m->num_verts);
}

static inline int32_t harness_illskel_parent(const void *model, uint32_t bone)
{
    const m5_illskel *m = model;
    return m->bones[bone].parent;
}

static inline void harness_walk_illskel(const m5_illskel *m)
{
    HARNESS_ASSERT(m->num_bones > 0 && m->order != NULL);
    HARNESS_ASSERT(m->matrices_whole && m->parents_whole && m->names_whole);
    harness_walk_up(m, harness_illskel_parent, m->num_bones);
    uint8_t *placed = calloc(m->num_bones, 1);
    for (uint32_t i = 0; placed != NULL && i < m->num_bones; i++) {
        uint32_t bone = m->order[i];
        HARNESS_ASSERT(bone < m->num_bones && !placed[bone]);
        HARNESS_ASSERT(m->bones[bone].parent < 0 || placed[m->bones[bone].parent]);
        placed[bone] = 1;
        harness_sum(&m->bones[i].matrix[0][0], 16);
        HARNESS_ASSERT(m->bones[i].name.length > 0);
        harness_walk_name(m->bones[i].name, m->source->size);
    }
    free(placed);
}

static inline void harness_walk_illanim(const m5_illanim *m)
{
    HARNESS_ASSERT(m->num_frames > 0 && m->num_bones > 0 && m->whole);
    harness_sum(&m->frame_rate, 1);
    for (uint32_t i = 0; i < m->num_bones; i++) {
        HARNESS_ASSERT(m->bones[i].name.length > 0);
        harness_walk_name(m->bones[i].name, m->source->size);
        for (uint32_t k = 0; k < m->num_frames; k++) {
            const m5_illanim_key *key = &m->bones[i].keys[k];
            harness_sum(key->pos, 3), harness_sum(key->rotation, 4), harness_sum(key->scale, 3);
            HARNESS_ASSERT(key->offset < m->source->size);
        }
    }
}

static inline int harness_by_place(const void *a, const void *b)
{
    const m5_pack_member *x = a, *y = b;
    return (x->begin > y->begin) - (x->begin < y->begin);
}

/* Readable members, also of a flawed archive: they lie in the file, and no two overlap. */
static inline void harness_walk_readable(const m5_pack *m)
{
    m5_pack_member *sorted = malloc(m->num_members * sizeof *sorted + 1);
    HARNESS_ASSERT(sorted != NULL);
    size_t count = 0;
    for (uint32_t i = 0; i < m->num_members; i++) {
        const m5_pack_member *member = &m->members[i];
        HARNESS_ASSERT((uint64_t)member->name.offset + member->name.length <= m->source->size);
        HARNESS_ASSERT((uint64_t)member->entry + 4 <= m->source->size);
        if (member->state != M5_PACK_READABLE)
            continue;
        HARNESS_ASSERT((uint64_t)member->at + member->packed <= m->source->size);
        HARNESS_ASSERT(member->name.length > 0 && member->name.length <= M5_PACK_MAX_NAME);
        HARNESS_ASSERT(member->method == M5_PACK_DEFLATED || member->size == member->packed);
        HARNESS_ASSERT(memchr(m->source->bytes + member->name.offset, 0, member->name.length) ==
                       NULL);
        if (m->zip || member->packed != 0)
            sorted[count++] = *member;
    }
    qsort(sorted, count, sizeof *sorted, harness_by_place);
    for (size_t i = 0; i < count; i++) {
        HARNESS_ASSERT(sorted[i].begin <= sorted[i].at);
        HARNESS_ASSERT((uint64_t)sorted[i].at + sorted[i].packed <= sorted[i].end);
        HARNESS_ASSERT(sorted[i].end <= m->source->size);
        HARNESS_ASSERT(i == 0 || sorted[i - 1].end <= sorted[i].begin);
    }
    free(sorted);
}

static inline void harness_walk_pack(const m5_pack *m)
{
    HARNESS_ASSERT(!m->recovered);
    for (uint32_t i = 0; i < m->num_members; i++)
        HARNESS_ASSERT(m->members[i].state != M5_PACK_REFUSED);
    harness_walk_readable(m);
}

/* The ranges of models, animations and entities, each of which ends where the next one begins. */
static inline void harness_def_ranges(const m5_def *d)
{
    for (uint32_t i = 0; i < d->num_models; i++) {
        const m5_def_model *m = &d->models[i];
        HARNESS_ASSERT(m->first_line <= m[1].first_line && m->first_offset <= m[1].first_offset &&
                       m->first_channel <= m[1].first_channel && m->first_anim <= m[1].first_anim);
        HARNESS_ASSERT(m->name.offset <= m->end && m->end <= d->source->size);
    }
    const m5_def_model *last = &d->models[d->num_models];
    HARNESS_ASSERT(last->first_line == d->num_lines && last->first_offset == d->num_offsets &&
                   last->first_channel == d->num_channels && last->first_anim == d->num_anims);
    for (uint32_t i = 0; i < d->num_anims; i++) {
        const m5_def_anim *a = &d->anims[i];
        HARNESS_ASSERT(a->num_files <= M5_DEF_SYNCED && a->first_command <= a[1].first_command);
        HARNESS_ASSERT(a->first_file + a->num_files == a[1].first_file);
    }
    HARNESS_ASSERT(d->anims[d->num_anims].first_file == d->num_files &&
                   d->anims[d->num_anims].first_command == d->num_commands);
    for (uint32_t i = 0; i < d->num_entities; i++)
        HARNESS_ASSERT(d->entities[i].first_key <= d->entities[i + 1].first_key);
    HARNESS_ASSERT(d->entities[d->num_entities].first_key == d->num_keys);
}

/* All names, and the joints of channels. Returns whether each frame is known. */
static inline bool harness_walk_def_names(const m5_def *d)
{
    uint32_t size = d->source->size, joints = 0;
    bool frames = true;
    for (uint32_t i = 0; i < d->num_models; i++)
        harness_walk_name(d->models[i].name, size);
    for (uint32_t i = 0; i < d->num_lines; i++)
        harness_walk_name(d->lines[i].name, size);
    for (uint32_t i = 0; i < d->num_channels; i++) {
        harness_walk_name(d->channels[i].name, size);
        HARNESS_ASSERT(d->channels[i].first_joint >= joints);
        joints = d->channels[i].first_joint + d->channels[i].num_joints;
    }
    HARNESS_ASSERT(joints <= d->num_joints);
    for (uint32_t i = 0; i < d->num_joints; i++) {
        harness_walk_name(m5_def_joint_at(d, i).at, size);
        harness_walk_name(m5_def_joint_at(d, i).name, size);
    }
    for (uint32_t i = 0; i < d->num_anims; i++)
        harness_walk_name(d->anims[i].name, size);
    for (uint32_t i = 0; i < d->num_files; i++)
        harness_walk_name(d->files[i], size);
    for (uint32_t i = 0; i < d->num_commands; i++) {
        harness_walk_name(d->commands[i].name, size);
        harness_walk_name(d->commands[i].arguments, size);
        frames &= d->commands[i].frame >= 1;
    }
    for (uint32_t i = 0; i < d->num_entities; i++)
        harness_walk_name(d->entities[i].name, size);
    for (uint32_t i = 0; i < d->num_keys; i++) {
        harness_walk_name(d->keys[i].key, size);
        harness_walk_name(d->keys[i].value, size);
    }
    return frames;
}

static inline void harness_walk_def(const m5_def *d)
{
    harness_def_ranges(d);
    HARNESS_ASSERT(harness_walk_def_names(d));
    for (uint32_t i = 0; i < d->num_offsets; i++)
        harness_sum(d->offsets[i].value, 3);
    for (uint32_t i = 0; i < d->num_anims; i++)
        HARNESS_ASSERT(d->anims[i].num_files != 0);
}

static inline void harness_check_clean(const m5_model *m)
{
#define M5_FORMAT(symbol, name, text)                                                              \
    if (m->symbol != NULL)                                                                         \
        harness_walk_##symbol(m->symbol);
#include "../../parsers/formats.def"
#undef M5_FORMAT
}

#endif
