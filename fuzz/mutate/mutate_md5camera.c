/* Mutates md5camera as a model. */
#include "mutate.h"
#include "parsers/core/allocate.h"

static void edit_frames(mutate_chance *c, m5_arena *arena, m5_md5camera *m)
{
    mutate_edit e = mutate_choose(c, m->num_frames);
    m->frames = mutate_apply(&e, arena, m->frames, sizeof *m->frames);
    m->num_frames = mutate_count(&e);
}

static void edit_cuts(mutate_chance *c, m5_arena *arena, m5_md5camera *m)
{
    mutate_edit e = mutate_choose(c, m->num_cuts);
    m->cuts = mutate_apply(&e, arena, m->cuts, sizeof *m->cuts);
    m->num_cuts = mutate_count(&e);
}

/* Another cut at the end. */
static void add_cut(mutate_chance *c, m5_arena *arena, m5_md5camera *m)
{
    mutate_splice s = {
        .before = m->num_cuts, .after = m->num_cuts, .total = m->num_cuts, .count = 1};
    m5_md5camera_cut cut = {0, mutate_index(c, m->num_frames)};
    m->cuts = mutate_apply_splice(&s, arena, m->cuts, &cut, sizeof *m->cuts);
    m->num_cuts = mutate_spliced(&s);
}

static void change_frame(mutate_chance *c, m5_md5camera *m)
{
    m5_md5camera_frame *frame = &m->frames[mutate_below(c, m->num_frames)];
    if (m->num_frames == 0)
        return;
    switch (mutate_below(c, 3)) {
    case 0: mutate_floats(c, frame->pose.pos, 3); break;
    case 1: mutate_floats(c, frame->pose.orient, 3); break;
    default: mutate_floats(c, &frame->fov, 1);
    }
}

/* Puts the cuts of three in four of the cameras into range and order: those that are not are left
 * out. */
static void mend(mutate_chance *c, m5_md5camera *m)
{
    uint32_t kept = 0, before = 0;
    if (mutate_one_in(c, 4))
        return;
    for (uint32_t i = 0; i < m->num_cuts; i++) {
        if (m->cuts[i].frame <= before || m->cuts[i].frame >= m->num_frames)
            continue;
        before = m->cuts[i].frame;
        m->cuts[kept++] = m->cuts[i];
    }
    m->num_cuts = kept;
}

void mutate_md5camera(mutate_chance *c, m5_arena *arena, m5_md5camera *m)
{
    switch (mutate_below(c, 8)) {
    case 0: edit_frames(c, arena, m); break;
    case 1: edit_cuts(c, arena, m); break;
    case 2: add_cut(c, arena, m); break;
    case 3:
        if (m->num_cuts != 0)
            m->cuts[mutate_below(c, m->num_cuts)].frame = mutate_index(c, m->num_frames);
        break;
    case 4: m->frame_rate = mutate_index(c, 100); break;
    default: change_frame(c, m);
    }
    mend(c, m);
}

void mutate_cross_md5camera(mutate_chance *c, m5_arena *arena, m5_md5camera *m, m5_md5camera *other,
                            uint32_t by)
{
    (void)by; /* no names are taken from the other one */
    if (mutate_one_in(c, 3)) {
        mutate_splice s = mutate_choose_splice(c, m->num_cuts, other->num_cuts);
        m->cuts = mutate_apply_splice(&s, arena, m->cuts, other->cuts, sizeof *m->cuts);
        m->num_cuts = mutate_spliced(&s);
    } else {
        mutate_splice s = mutate_choose_splice(c, m->num_frames, other->num_frames);
        m->frames = mutate_apply_splice(&s, arena, m->frames, other->frames, sizeof *m->frames);
        m->num_frames = mutate_spliced(&s);
    }
    mend(c, m);
}
