/* md5mesh, md5anim and md5camera as JSON. */
#include "dump.h"

enum { XYZ = 3 };

static void dump_pose(const m5_md5_pose *pose)
{
    json_floats("position", pose->pos, XYZ);
    json_floats("orientation", pose->orient, XYZ); /* w is -sqrt(1 - x2 - y2 - z2) */
}

static void dump_mesh(const m5_source *s, const m5_md5mesh_mesh *m)
{
    json_open(NULL, '{');
    json_span("shader", s, m->shader);
    json_open("verts", '[');
    for (uint32_t i = 0; i < m->num_verts; i++) {
        json_open(NULL, '{');
        json_floats("st", m->verts[i].st, 2);
        json_int("start", m->verts[i].start);
        json_int("count", m->verts[i].count);
        json_close('}');
    }
    json_close(']');
    json_open("tris", '[');
    for (uint32_t i = 0; i < m->num_tris; i++)
        json_ints(NULL, m->tris[i].vert, 3);
    json_close(']');
    json_open("weights", '[');
    for (uint32_t i = 0; i < m->num_weights; i++) {
        json_open(NULL, '{');
        json_int("joint", m->weights[i].joint);
        json_float("bias", m->weights[i].bias);
        json_floats("position", m->weights[i].pos, XYZ);
        json_close('}');
    }
    json_close(']');
    json_close('}');
}

void dump_md5mesh(const m5_md5mesh *m)
{
    json_span("commandline", m->source, m->commandline);
    json_open("joints", '[');
    for (uint32_t i = 0; i < m->num_joints; i++) {
        json_open(NULL, '{');
        json_span("name", m->source, m->joints[i].name);
        json_int("parent", m->joints[i].parent);
        dump_pose(&m->bind[i]);
        json_close('}');
    }
    json_close(']');
    json_open("meshes", '[');
    for (uint32_t i = 0; i < m->num_meshes; i++)
        dump_mesh(m->source, &m->meshes[i]);
    json_close(']');
}

static void dump_channels(const m5_md5anim *m)
{
    json_open("joints", '[');
    for (uint32_t i = 0; i < m->num_joints; i++) {
        json_open(NULL, '{');
        json_span("name", m->source, m->joints[i].name);
        json_int("parent", m->joints[i].parent);
        json_int("flags", m->channels[i].flags);
        json_int("start", m->channels[i].start);
        json_open("baseframe", '{');
        dump_pose(&m->base[i]);
        json_close('}');
        json_close('}');
    }
    json_close(']');
}

void dump_md5anim(const m5_md5anim *m)
{
    json_span("commandline", m->source, m->commandline);
    json_int("frameRate", m->frame_rate);
    dump_channels(m);
    json_open("frames", '[');
    for (uint32_t i = 0; i < m->num_frames; i++) {
        json_open(NULL, '{');
        json_floats("min", m->bounds[i].min, XYZ);
        json_floats("max", m->bounds[i].max, XYZ);
        json_floats("values", m->components + (size_t)i * m->num_components, m->num_components);
        json_close('}');
    }
    json_close(']');
}

void dump_md5camera(const m5_md5camera *m)
{
    json_span("commandline", m->source, m->commandline);
    json_int("frameRate", m->frame_rate);
    json_open("cuts", '[');
    for (uint32_t i = 0; i < m->num_cuts; i++)
        json_int(NULL, m->cuts[i].frame);
    json_close(']');
    json_open("frames", '[');
    for (uint32_t i = 0; i < m->num_frames; i++) {
        json_open(NULL, '{');
        dump_pose(&m->frames[i].pose);
        json_float("fov", m->frames[i].fov);
        json_close('}');
    }
    json_close(']');
}
