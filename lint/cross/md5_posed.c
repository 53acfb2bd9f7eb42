/* An md5anim beside the bind pose of its md5mesh, which has joints in model space. */
#include "md5_posed.h"
#include "lint/core/check.h"
#include "parsers/play/algebra.h"
#include "parsers/play/pose.h"

#include <string.h>

static int32_t parent_of(const void *context, uint32_t joint)
{
    const m5_bind_pair *p = context;
    return p->mesh->joints[joint].parent;
}

static m5_transform bind_of(const void *context, uint32_t joint)
{
    const m5_bind_pair *p = context;
    m5_transform own = m5_md5_transform(&p->mesh->bind[joint]);
    int32_t parent = p->mesh->joints[joint].parent;
    if (parent < 0)
        return own;
    m5_transform outer = m5_md5_transform(&p->mesh->bind[parent]);
    m5_quat back = m5_quat_inverse(outer.rotation);
    return (m5_transform){m5_quat_rotate(back, m5_vec_sub(own.pos, outer.pos)),
                          m5_quat_times(back, own.rotation)};
}

static m5_transform at(const void *context, uint32_t frame, uint32_t joint)
{
    const m5_bind_pair *p = context;
    return m5_md5anim_local(p->anim, frame, joint);
}

double m5_bind_size(const m5_bind_pair *p)
{
    m5_box box = m5_box_empty();
    for (uint32_t i = 0; i < p->mesh->num_joints; i++)
        m5_box_add(&box, m5_vec_of(p->mesh->bind[i].pos));
    return m5_box_diagonal(&box);
}

bool m5_bind_is_placed_by_base(const m5_bind_pair *p, uint32_t joint)
{
    enum { POSITION = M5_MD5ANIM_TX | M5_MD5ANIM_TY | M5_MD5ANIM_TZ };
    return m5_check_has_base(p->anim, joint) && (p->anim->channels[joint].flags & POSITION) == 0;
}

m5_posed m5_posed_md5(const m5_bind_pair *pair)
{
    m5_posed out = {pair, pair->mesh->num_joints, NULL, {0}, parent_of, bind_of, at};
    memcpy(out.frames, pair->frames, sizeof out.frames);
    return out;
}
