/* md5camera, version 10: how a camera moves through a cutscene. No format text describes it; this
 * is what the loader and the player of Doom 3's released source do (idCameraAnim):
 *
 *     MD5Version 10
 *     commandline "any text"
 *     numFrames 300           at least 1
 *     frameRate 24            frames a second, at least 1
 *     numCuts 1
 *     cuts {
 *         120                 a frame for each cut, in ascending order, each from 1 to numFrames -
 * 1
 *     }
 *     camera {
 *         ( x y z ) ( qx qy qz ) fov      a line for each frame
 *     } */
#ifndef M5_MD5CAMERA_H
#define M5_MD5CAMERA_H

#include "md5.h"
#include "../core/writer.h"

M5_BEGIN_C

/* The last frame of a shot; the next shot begins with the frame after it. It is never shown, but
 * the view moves towards it while the frame before it is shown. */
typedef struct m5_md5camera_cut {
    uint32_t offset;
    uint32_t frame; /* from 1 to num_frames - 1, and above that of the cut before */
} m5_md5camera_cut;

typedef struct m5_md5camera_frame {
    m5_md5_pose pose; /* in the world; m5_md5_transform completes it */
    float fov;        /* the horizontal field of view, in degrees */
} m5_md5camera_frame;

/* Clean: there are as many cuts and frames as declared, every number is finite, and each cut is a
 * frame after that of the cut before. Flawed: each array holds the records that were found, at most
 * as many as were declared, and what could not be read is marked:
 *   cut    frame M5_BROKEN (unreadable, or no frame from 1 to num_frames - 1)
 *   frame  pose.pos[0] NaN */
typedef struct m5_md5camera {
    const m5_source *source;
    m5_name commandline;
    uint32_t num_frames, num_cuts;
    uint32_t frame_rate;                /* frames a second, at least 1; 0 if unknown */
    m5_span num_frames_at, num_cuts_at; /* the numbers in the header */
    bool cuts_whole; /* there are as many as declared, in order, and none is marked */
    m5_md5camera_cut *cuts;
    bool frames_in_place; /* there are as many as declared */
    bool frames_whole;    /* ... and none is marked */
    m5_md5camera_frame *frames;
} m5_md5camera;

/* Parses report->source. The model is in the arena and points into it and into the source; *out is
 * NULL only after M5_NO_MEMORY. Memory, threads and errors: see m5.h. */
m5_status m5_md5camera_parse(m5_report *report, m5_arena *arena, const m5_md5camera **out);

/* Writes a clean model: see m5_print. */
void m5_md5camera_print(const m5_md5camera *model, const m5_writer *out);

M5_END_C

#endif
