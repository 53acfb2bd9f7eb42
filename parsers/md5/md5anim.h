/* md5anim, version 10: a hierarchy of joints and how they move. Format text: see md5.h, section
 * "MD5 Anim". */
#ifndef M5_MD5ANIM_H
#define M5_MD5ANIM_H

#include "md5.h"
#include "../core/writer.h"

M5_BEGIN_C

/* The components of a joint that every frame replaces: bits of `flags`. The others are those of the
 * baseframe. */
enum {
    M5_MD5ANIM_TX = 1,
    M5_MD5ANIM_TY = 2,
    M5_MD5ANIM_TZ = 4,
    M5_MD5ANIM_QX = 8,
    M5_MD5ANIM_QY = 16,
    M5_MD5ANIM_QZ = 32,
    M5_MD5ANIM_ALL = 63
};

typedef struct m5_md5anim_channel {
    uint32_t flags; /* 0 to 63 */
    uint32_t
        start; /* index of the first in a frame's components, the others follow; 0 without flags */
} m5_md5anim_channel;

/* A frame's bounding box, in model space. */
typedef struct m5_md5anim_bounds {
    uint32_t offset;
    float min[3], max[3];
} m5_md5anim_bounds;

/* Clean: num_bounds is num_frames, num_base is num_joints, every number is finite, each joint comes
 * after its parent, and each channel lies within num_components. Flawed: each array holds the
 * records that were found, at most as many as were declared (and one more box, since any may be the
 * extra one), and what could not be read is marked:
 *   joint      name.offset 0 (unreadable), parent M5_BROKEN_PARENT
 *   channel    flags M5_BROKEN
 *   bounds     min[0] NaN
 *   pose       pos[0] NaN
 *   component  NaN, and so are all others of its frame, even if only one is missing or unreadable
 */
typedef struct m5_md5anim {
    const m5_source *source;
    m5_name commandline;
    uint32_t num_joints, num_base, num_bounds, num_frames;
    uint32_t num_components;
    uint32_t frame_rate; /* frames a second, at least 1; 0 if unknown */
    m5_span num_joints_at, num_frames_at, num_components_at; /* the numbers in the header */
    bool long_lines;      /* there may be a line that is too long for some loaders */
    bool glued;           /* some comment or string comes right after a word or parenthesis */
    bool joints_in_place; /* there are as many as declared */
    bool joints_whole;    /* ... and each has a name */
    m5_md5_joint *joints;
    bool channels_whole;          /* joints_whole is set, and no channel is marked */
    m5_md5anim_channel *channels; /* of each joint */
    bool bounds_in_place;         /* each box is that of the frame with its number */
    m5_md5anim_bounds *bounds;    /* of each frame */
    bool base_in_place;           /* joints_in_place is set, and each pose is its joint's */
    m5_md5_pose *base;            /* of each joint, relative to its parent */
    bool frames_in_place;         /* each frame that was found has the number of its place */
    bool frames_whole; /* ... there are as many as declared, and no component is marked */
    uint32_t *frames;  /* offsets of the frames' records in the source */
    float *components; /* num_components for each frame, frame after frame */
} m5_md5anim;

/* Parses report->source. The model is in the arena and points into it and into the source; *out is
 * NULL only after M5_NO_MEMORY. Memory, threads and errors: see m5.h. */
m5_status m5_md5anim_parse(m5_report *report, m5_arena *arena, const m5_md5anim **out);

/* Returns how many of the six flags are set. */
uint32_t m5_md5anim_count_flags(uint32_t flags);

/* Writes a clean model: see m5_print. */
void m5_md5anim_print(const m5_md5anim *model, const m5_writer *out);

M5_END_C

#endif
