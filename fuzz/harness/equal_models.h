/* Whether two clean models have the same values, wherever these are in their files. */
#ifndef M5_EQUAL_MODELS_H
#define M5_EQUAL_MODELS_H

#include "check_clean.h"

#include "parsers/core/cursor.h"

static inline bool equal_names(const m5_source *a, m5_span x, const m5_source *b, m5_span y)
{
    return x.length == y.length && memcmp(a->bytes + x.offset, b->bytes + y.offset, x.length) == 0;
}

static inline bool equal_floats(const float *a, const float *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!(a[i] == b[i]))
            return false;
    return true;
}

static inline bool equal_joints(const m5_source *a, const m5_md5_joint *x, const m5_source *b,
                                const m5_md5_joint *y, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (x[i].parent != y[i].parent || !equal_names(a, x[i].name, b, y[i].name))
            return false;
    return true;
}

static inline bool equal_poses(const m5_md5_pose *x, const m5_md5_pose *y, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!equal_floats(x[i].pos, y[i].pos, 3) || !equal_floats(x[i].orient, y[i].orient, 3))
            return false;
    return true;
}

static inline bool equal_meshes(const m5_source *a, const m5_md5mesh_mesh *x, const m5_source *b,
                                const m5_md5mesh_mesh *y)
{
    if (!equal_names(a, x->shader, b, y->shader) || x->num_verts != y->num_verts ||
        x->num_tris != y->num_tris || x->num_weights != y->num_weights)
        return false;
    for (uint32_t i = 0; i < x->num_verts; i++)
        if (!equal_floats(x->verts[i].st, y->verts[i].st, 2) ||
            x->verts[i].start != y->verts[i].start || x->verts[i].count != y->verts[i].count)
            return false;
    for (uint32_t i = 0; i < x->num_tris; i++)
        if (memcmp(x->tris[i].vert, y->tris[i].vert, sizeof x->tris[i].vert) != 0)
            return false;
    for (uint32_t i = 0; i < x->num_weights; i++)
        if (x->weights[i].joint != y->weights[i].joint ||
            x->weights[i].bias != y->weights[i].bias ||
            !equal_floats(x->weights[i].pos, y->weights[i].pos, 3))
            return false;
    return true;
}

static inline bool equal_md5mesh(const m5_md5mesh *a, const m5_md5mesh *b)
{
    if (!equal_names(a->source, a->commandline, b->source, b->commandline) ||
        a->num_joints != b->num_joints || a->num_meshes != b->num_meshes ||
        !equal_joints(a->source, a->joints, b->source, b->joints, a->num_joints) ||
        !equal_poses(a->bind, b->bind, a->num_joints))
        return false;
    for (uint32_t i = 0; i < a->num_meshes; i++)
        if (!equal_meshes(a->source, &a->meshes[i], b->source, &b->meshes[i]))
            return false;
    return true;
}

static inline bool equal_md5anim(const m5_md5anim *a, const m5_md5anim *b)
{
    if (!equal_names(a->source, a->commandline, b->source, b->commandline) ||
        a->num_joints != b->num_joints || a->num_frames != b->num_frames ||
        a->num_components != b->num_components || a->frame_rate != b->frame_rate ||
        !equal_joints(a->source, a->joints, b->source, b->joints, a->num_joints) ||
        !equal_poses(a->base, b->base, a->num_joints))
        return false;
    for (uint32_t i = 0; i < a->num_joints; i++)
        if (a->channels[i].flags != b->channels[i].flags ||
            a->channels[i].start != b->channels[i].start)
            return false;
    for (uint32_t i = 0; i < a->num_frames; i++)
        if (!equal_floats(a->bounds[i].min, b->bounds[i].min, 3) ||
            !equal_floats(a->bounds[i].max, b->bounds[i].max, 3))
            return false;
    return equal_floats(a->components, b->components, (size_t)a->num_frames * a->num_components);
}

static inline bool equal_md5camera(const m5_md5camera *a, const m5_md5camera *b)
{
    if (!equal_names(a->source, a->commandline, b->source, b->commandline) ||
        a->frame_rate != b->frame_rate || a->num_cuts != b->num_cuts ||
        a->num_frames != b->num_frames)
        return false;
    for (uint32_t i = 0; i < a->num_cuts; i++)
        if (a->cuts[i].frame != b->cuts[i].frame)
            return false;
    for (uint32_t i = 0; i < a->num_frames; i++)
        if (!equal_poses(&a->frames[i].pose, &b->frames[i].pose, 1) ||
            a->frames[i].fov != b->frames[i].fov)
            return false;
    return true;
}

static inline bool equal_vertices(const m5_md4 *a, const m5_md4_surface *x, const m5_md4 *b,
                                  const m5_md4_surface *y, uint32_t i)
{
    m5_md4_vertex v = m5_md4_vertex_at(a, x, i), u = m5_md4_vertex_at(b, y, i);
    bool same = v.num_weights == u.num_weights && equal_floats(v.pos, u.pos, 3) &&
                equal_floats(v.normal, u.normal, 3) && equal_floats(v.st, u.st, 2) &&
                m5_md4_collapse_at(a, x, i) == m5_md4_collapse_at(b, y, i);
    for (uint32_t k = 0; same && k < v.num_weights; k++) {
        m5_md4_weight w = m5_md4_weight_at(a, x, i, k), o = m5_md4_weight_at(b, y, i, k);
        same = w.bone == o.bone && w.weight == o.weight && equal_floats(w.pos, o.pos, 3);
    }
    return same;
}

static inline bool equal_surfaces(const m5_md4 *a, const m5_md4_surface *x, const m5_md4 *b,
                                  const m5_md4_surface *y)
{
    bool same = x->num_verts == y->num_verts && x->num_tris == y->num_tris &&
                x->num_refs == y->num_refs && x->min_lod == y->min_lod &&
                equal_names(a->source, x->name, b->source, y->name) &&
                equal_names(a->source, x->shader, b->source, y->shader);
    for (uint32_t i = 0; same && i < x->num_verts; i++)
        same = equal_vertices(a, x, b, y, i);
    for (uint32_t i = 0; same && i < x->num_tris; i++) {
        uint32_t t[3], u[3];
        m5_md4_triangle_at(a, x, i, t);
        m5_md4_triangle_at(b, y, i, u);
        same = memcmp(t, u, sizeof t) == 0;
    }
    for (uint32_t i = 0; same && i < x->num_refs; i++)
        same = m5_md4_bone_ref_at(a, x, i) == m5_md4_bone_ref_at(b, y, i);
    return same;
}

static inline bool equal_md4_frames(const m5_md4 *a, const m5_md4 *b, uint32_t i)
{
    m5_md4_frame f = m5_md4_frame_at(a, i), g = m5_md4_frame_at(b, i);
    bool same = equal_floats(f.min, g.min, 3) && equal_floats(f.max, g.max, 3) &&
                equal_floats(f.origin, g.origin, 3) && f.radius == g.radius;
    for (uint32_t k = 0; same && k < a->num_bones; k++) {
        float m[3][4], n[3][4];
        m5_md4_matrix_at(a, i, k, m);
        m5_md4_matrix_at(b, i, k, n);
        same = equal_floats(m[0], n[0], 12);
    }
    return same;
}

static inline bool equal_md4(const m5_md4 *a, const m5_md4 *b)
{
    bool same = a->num_frames == b->num_frames && a->num_bones == b->num_bones &&
                a->num_surfs == b->num_surfs && equal_names(a->source, a->name, b->source, b->name);
    for (uint32_t i = 0; same && i < a->num_bones; i++) {
        m5_md4_bone x = m5_md4_bone_at(a, i), y = m5_md4_bone_at(b, i);
        same = x.parent == y.parent && x.flags == y.flags &&
               equal_names(a->source, x.name, b->source, y.name);
    }
    for (uint32_t i = 0; same && i < a->num_frames; i++)
        same = equal_md4_frames(a, b, i);
    for (uint32_t i = 0; same && i < a->num_surfs; i++)
        same = equal_surfaces(a, &a->surfs[i], b, &b->surfs[i]);
    return same;
}

static inline bool equal_illmesh(const m5_illmesh *a, const m5_illmesh *b)
{
    return a->num_verts == b->num_verts && a->num_indices == b->num_indices &&
           a->stride == b->stride && memcmp(a->at, b->at, sizeof a->at) == 0 &&
           equal_floats(a->verts, b->verts, (size_t)a->num_verts * a->stride) &&
           (a->num_indices == 0 ||
            memcmp(a->indices, b->indices, a->num_indices * sizeof *a->indices) == 0);
}

static inline bool equal_illskel(const m5_illskel *a, const m5_illskel *b)
{
    bool same = a->num_bones == b->num_bones;
    for (uint32_t i = 0; same && i < a->num_bones; i++)
        same = a->bones[i].parent == b->bones[i].parent &&
               equal_floats(a->bones[i].matrix[0], b->bones[i].matrix[0], 16) &&
               equal_names(a->source, a->bones[i].name, b->source, b->bones[i].name);
    return same;
}

static inline bool equal_illanim(const m5_illanim *a, const m5_illanim *b)
{
    bool same = a->frame_rate == b->frame_rate && a->num_frames == b->num_frames &&
                a->num_bones == b->num_bones;
    for (uint32_t i = 0; same && i < a->num_bones; i++) {
        same = equal_names(a->source, a->bones[i].name, b->source, b->bones[i].name);
        for (uint32_t k = 0; same && k < a->num_frames; k++) {
            const m5_illanim_key *x = &a->bones[i].keys[k], *y = &b->bones[i].keys[k];
            same = equal_floats(x->pos, y->pos, 3) && equal_floats(x->rotation, y->rotation, 4) &&
                   equal_floats(x->scale, y->scale, 3);
        }
    }
    return same;
}

static inline bool equal_def_counts(const m5_def *a, const m5_def *b)
{
    return a->num_models == b->num_models && a->num_lines == b->num_lines &&
           a->num_offsets == b->num_offsets && a->num_channels == b->num_channels &&
           a->num_joints == b->num_joints && a->num_anims == b->num_anims &&
           a->num_files == b->num_files && a->num_commands == b->num_commands &&
           a->num_entities == b->num_entities && a->num_keys == b->num_keys;
}

static inline bool equal_def_anims(const m5_def *a, const m5_def *b)
{
    bool same = true;
    for (uint32_t i = 0; same && i < a->num_anims; i++)
        same = equal_names(a->source, a->anims[i].name, b->source, b->anims[i].name) &&
               a->anims[i].first_file == b->anims[i].first_file &&
               a->anims[i].first_command == b->anims[i].first_command &&
               a->anims[i].flags == b->anims[i].flags;
    for (uint32_t i = 0; same && i < a->num_files; i++)
        same = equal_names(a->source, a->files[i], b->source, b->files[i]);
    for (uint32_t i = 0; same && i < a->num_commands; i++) {
        const m5_def_command *x = &a->commands[i], *y = &b->commands[i];
        same = x->frame == y->frame && equal_names(a->source, x->name, b->source, y->name) &&
               equal_names(a->source, x->arguments, b->source, y->arguments);
    }
    return same;
}

static inline bool equal_def_channels(const m5_def *a, const m5_def *b)
{
    bool same = true;
    for (uint32_t i = 0; same && i < a->num_channels; i++)
        same = equal_names(a->source, a->channels[i].name, b->source, b->channels[i].name) &&
               a->channels[i].num_joints == b->channels[i].num_joints;
    for (uint32_t i = 0; same && i < a->num_joints; i++) {
        m5_def_joint x = m5_def_joint_at(a, i), y = m5_def_joint_at(b, i);
        same = x.removes == y.removes && x.children == y.children &&
               equal_names(a->source, x.name, b->source, y.name);
    }
    return same;
}

static inline bool equal_def_entities(const m5_def *a, const m5_def *b)
{
    bool same = true;
    for (uint32_t i = 0; same && i < a->num_entities; i++)
        same = equal_names(a->source, a->entities[i].name, b->source, b->entities[i].name) &&
               a->entities[i].first_key == b->entities[i].first_key;
    for (uint32_t i = 0; same && i < a->num_keys; i++)
        same = a->keys[i].kind == b->keys[i].kind &&
               equal_names(a->source, a->keys[i].key, b->source, b->keys[i].key) &&
               equal_names(a->source, a->keys[i].value, b->source, b->keys[i].value);
    return same;
}

static inline bool equal_def(const m5_def *a, const m5_def *b)
{
    bool same = equal_def_counts(a, b);
    for (uint32_t i = 0; same && i < a->num_models; i++)
        same = equal_names(a->source, a->models[i].name, b->source, b->models[i].name) &&
               a->models[i].first_line == b->models[i].first_line &&
               a->models[i].first_channel == b->models[i].first_channel &&
               a->models[i].first_anim == b->models[i].first_anim;
    for (uint32_t i = 0; same && i < a->num_lines; i++)
        same = a->lines[i].kind == b->lines[i].kind &&
               equal_names(a->source, a->lines[i].name, b->source, b->lines[i].name);
    for (uint32_t i = 0; same && i < a->num_offsets; i++)
        same = equal_floats(a->offsets[i].value, b->offsets[i].value, 3);
    return same && equal_def_channels(a, b) && equal_def_anims(a, b) && equal_def_entities(a, b);
}

static inline bool equal_models(const m5_model *a, const m5_model *b)
{
    if (a->format != b->format)
        return false;
#define M5_FORMAT(symbol, name, text)                                                              \
    if (a->symbol != NULL)                                                                         \
        return b->symbol != NULL && equal_##symbol(a->symbol, b->symbol);
#define M5_FORMAT_PACK(symbol, name, text)
#include "../../parsers/formats.def"
#undef M5_FORMAT
    return true;
}

#endif
