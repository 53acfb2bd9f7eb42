/* md5anim, version 10: a skeleton's hierarchy and how it moves. Format text: "MD5 Anim". */
#ifndef M5_MD5ANIM_H
#define M5_MD5ANIM_H

#include "md5.h"
#include "../core/writer.h"

M5_BEGIN_C

/* Which of a joint's six components a frame replaces, and where the first of them stands in the
 * frame. The others are the baseframe's. */
enum {
    M5_MD5ANIM_TX = 1,
    M5_MD5ANIM_TY = 2,
    M5_MD5ANIM_TZ = 4,
    M5_MD5ANIM_QX = 8,
    M5_MD5ANIM_QY = 16,
    M5_MD5ANIM_QZ = 32
};

typedef struct m5_md5anim_channel {
    uint32_t flags; /* 0 to 63 */
    uint32_t start; /* start + number of flags <= num_components; 0 without flags */
} m5_md5anim_channel;

/* A frame's box in object space. */
typedef struct m5_md5anim_bounds {
    uint32_t offset;
    float min[3], max[3];
} m5_md5anim_bounds;

/* Clean: num_bounds is num_frames, num_base is num_joints, all numbers are finite, parents and
 * channels are in range. Flawed: each array holds what was found, at most as much as was
 * declared, and what could not be read is marked:
 *   joint      name.offset 0 (unreadable), parent M5_BROKEN_PARENT
 *   channel    flags M5_BROKEN
 *   bounds     min[0] NaN
 *   pose       pos[0] NaN
 *   component  NaN, also for those that a frame lacks */
typedef struct m5_md5anim {
    const m5_source *source;
    m5_name commandline;
    uint32_t num_joints, num_base, num_bounds, num_frames;
    uint32_t num_components;
    uint32_t frame_rate; /* frames a second, at least 1; 0 if unknown */
    m5_span num_joints_at, num_frames_at, num_components_at; /* the numbers in the header */
    bool long_lines;      /* some line may be over M5_LEX_LONG bytes: see lex.h */
    bool joints_in_place; /* as many as declared */
    bool joints_whole;    /* ... each with a name */
    m5_md5_joint *joints;
    bool channels_whole;          /* joints_whole, and no channel is marked */
    m5_md5anim_channel *channels; /* of each joint */
    m5_md5anim_bounds *bounds;    /* of each frame */
    m5_md5_pose *base;            /* of each joint, relative to its parent */
    bool frames_whole;            /* as many as declared, and no component is marked */
    uint32_t *frames;             /* where each frame's record begins */
    float *components;            /* num_components for each frame, one frame after another */
} m5_md5anim;

/* Parses report->source; everything as for m5_md5mesh_parse. */
m5_status m5_md5anim_parse(m5_report *report, m5_arena *arena, const m5_md5anim **out);

/* The number of flags set in 0 to 63. */
uint32_t m5_md5anim_count_flags(uint32_t flags);

/* Prints a clean model: see m5_print. */
void m5_md5anim_print(const m5_md5anim *model, const m5_writer *out);

M5_END_C

#endif
