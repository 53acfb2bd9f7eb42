/* Prints an md5mesh in canonical form. */
#include "md5_print.h"
#include "md5mesh.h"
#include "../core/write.h"

static void print_verts(const m5_md5mesh_mesh *m, const m5_writer *out)
{
    m5_write(out, "\n\tnumverts %u\n", m->num_verts);
    for (uint32_t i = 0; i < m->num_verts; i++) {
        m5_write(out, "\tvert %u ( ", i);
        m5_write_floats(out, m->verts[i].st, 2);
        m5_write(out, " ) %u %u\n", m->verts[i].start, m->verts[i].count);
    }
}

static void print_tris(const m5_md5mesh_mesh *m, const m5_writer *out)
{
    m5_write(out, "\n\tnumtris %u\n", m->num_tris);
    for (uint32_t i = 0; i < m->num_tris; i++) {
        const uint32_t *v = m->tris[i].vert;
        m5_write(out, "\ttri %u %u %u %u\n", i, v[0], v[1], v[2]);
    }
}

static void print_weights(const m5_md5mesh_mesh *m, const m5_writer *out)
{
    m5_write(out, "\n\tnumweights %u\n", m->num_weights);
    for (uint32_t i = 0; i < m->num_weights; i++) {
        m5_write(out, "\tweight %u %u ", i, m->weights[i].joint);
        m5_write_float(out, m->weights[i].bias);
        m5_write(out, " ( ");
        m5_write_floats(out, m->weights[i].pos, 3);
        m5_write(out, " )\n");
    }
}

static void print_mesh(const m5_source *source, const m5_md5mesh_mesh *m, const m5_writer *out)
{
    m5_write(out, "\nmesh {\n");
    if (m->shader.offset != 0) {
        m5_write(out, "\tshader \"");
        m5_write_span(out, source, m->shader);
        m5_write(out, "\"\n");
    }
    print_verts(m, out);
    print_tris(m, out);
    print_weights(m, out);
    m5_write(out, "}\n");
}

void m5_md5mesh_print(const m5_md5mesh *m, const m5_writer *out)
{
    m5_md5_print_header(out, m->source, m->commandline);
    m5_write(out, "numJoints %u\nnumMeshes %u\n\njoints {\n", m->num_joints, m->num_meshes);
    for (uint32_t i = 0; i < m->num_joints; i++) {
        m5_md5_print_name(out, m->source, m->joints[i].name);
        m5_write(out, "%d ", m->joints[i].parent);
        m5_md5_print_vectors(out, m->bind[i].pos, m->bind[i].orient);
    }
    m5_write(out, "}\n");
    for (uint32_t i = 0; i < m->num_meshes; i++)
        print_mesh(m->source, &m->meshes[i], out);
}
