/* Prints an md5camera in canonical form. */
#include "md5_print.h"
#include "md5camera.h"
#include "../core/write.h"

void m5_md5camera_print(const m5_md5camera *m, const m5_writer *out)
{
    m5_md5_print_header(out, m->source, m->commandline);
    m5_write(out, "numFrames %u\nframeRate %u\nnumCuts %u\n\ncuts {\n", m->num_frames,
             m->frame_rate, m->num_cuts);
    for (uint32_t i = 0; i < m->num_cuts; i++)
        m5_write(out, "\t%u\n", m->cuts[i].frame);
    m5_write(out, "}\n\ncamera {\n");
    for (uint32_t i = 0; i < m->num_frames; i++) {
        const m5_md5camera_frame *frame = &m->frames[i];
        m5_write(out, "\t");
        m5_md5_print_pair(out, frame->pose.pos, frame->pose.orient);
        m5_write(out, " ");
        m5_write_floats(out, &frame->fov, 1);
        m5_write(out, "\n");
    }
    m5_write(out, "}\n");
}
