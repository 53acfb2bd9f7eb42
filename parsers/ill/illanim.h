/* illanim (ILLANIM0): keys for bones, by name. Format text: "Skinned Animations" by Ilya Seletsky,
 * section ".illanim". */
#ifndef M5_ILLANIM_H
#define M5_ILLANIM_H

#include "../core/arena.h"
#include "../core/diag.h"
#include "../core/status.h"
#include "../core/writer.h"

M5_BEGIN_C

/* A bone in a frame, relative to its parent: position * rotation * scale. */
typedef struct m5_illanim_key {
    uint32_t offset; /* of its first word in the source */
    float pos[3];
    float rotation[4]; /* a quaternion, x, y, z, w */
    float scale[3];
} m5_illanim_key;

/* The keys of one bone. */
typedef struct m5_illanim_bone {
    m5_span name;         /* any bytes but white space */
    m5_illanim_key *keys; /* num_frames of them */
} m5_illanim_bone;

/* Clean: there are frames and bones, each bone has a name and num_frames keys, and every float is
 * finite. Flawed: the bones are those that were found, and what could not be read in a key is NaN.
 */
typedef struct m5_illanim {
    const m5_source *source;
    float frame_rate; /* frames a second; finite, but maybe 0, negative or fractional */
    uint32_t num_frames, num_bones;
    m5_illanim_bone *bones;
    m5_span frame_rate_at, num_frames_at, num_bones_at;
    bool whole; /* all bones are there and could be read */
} m5_illanim;

/* Parses report->source. The model is in the arena and points into it and into the source; *out is
 * NULL only after M5_NO_MEMORY. Memory, threads and errors: see m5.h. */
m5_status m5_illanim_parse(m5_report *report, m5_arena *arena, const m5_illanim **out);

/* Writes a clean model: see m5_print. */
void m5_illanim_print(const m5_illanim *model, const m5_writer *out);

M5_END_C

#endif
