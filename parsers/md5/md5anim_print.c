/* Prints an md5anim in canonical form. */
#include "md5_print.h"
#include "md5anim.h"
#include "../core/write.h"

static void print_hierarchy(const m5_md5anim *m, const m5_writer *out)
{
    m5_write(out, "\nhierarchy {\n");
    for (uint32_t i = 0; i < m->num_joints; i++) {
        m5_md5_print_name(out, m->source, m->joints[i].name);
        m5_write(out, "%d %u %u\n", m->joints[i].parent, m->channels[i].flags,
                 m->channels[i].start);
    }
    m5_write(out, "}\n");
}

static void print_line(const float *values, uint32_t count, const m5_writer *out)
{
    m5_write(out, "\t");
    m5_write_floats(out, values, count);
    m5_write(out, "\n");
}

/* A line for each joint that has values, in the order of joints; then what is left over. */
static void print_frame(const m5_md5anim *m, uint32_t frame, const m5_writer *out)
{
    const float *values = m->components + (size_t)frame * m->num_components;
    uint32_t done = 0;
    m5_write(out, "\nframe %u {\n", frame);
    for (uint32_t i = 0; done < m->num_components; i++) {
        uint32_t width = i < m->num_joints ? m5_md5anim_count_flags(m->channels[i].flags) : 6;
        uint32_t left = m->num_components - done;
        width = width < left ? width : left;
        if (width != 0)
            print_line(values + done, width, out);
        done += width;
    }
    m5_write(out, "}\n");
}

void m5_md5anim_print(const m5_md5anim *m, const m5_writer *out)
{
    m5_md5_print_header(out, m->source, m->commandline);
    m5_write(out, "numFrames %u\nnumJoints %u\nframeRate %u\nnumAnimatedComponents %u\n",
             m->num_frames, m->num_joints, m->frame_rate, m->num_components);
    print_hierarchy(m, out);
    m5_write(out, "\nbounds {\n");
    for (uint32_t i = 0; i < m->num_frames; i++) {
        m5_write(out, "\t");
        m5_md5_print_vectors(out, m->bounds[i].min, m->bounds[i].max);
    }
    m5_write(out, "}\n\nbaseframe {\n");
    for (uint32_t i = 0; i < m->num_joints; i++) {
        m5_write(out, "\t");
        m5_md5_print_vectors(out, m->base[i].pos, m->base[i].orient);
    }
    m5_write(out, "}\n");
    for (uint32_t i = 0; i < m->num_frames; i++)
        print_frame(m, i, out);
}
