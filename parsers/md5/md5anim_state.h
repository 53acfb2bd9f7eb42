/* Private to the md5anim parser: the file at work, and its frames, where all the bytes are. */
#ifndef M5_MD5ANIM_STATE_H
#define M5_MD5ANIM_STATE_H

#include "md5_parser.h"
#include "md5anim.h"

/* The least text each takes, which bounds the memory a count may claim:
 *   ""0 0 0   (0 0 0)(0 0 0)   frame 0{}   frame 0{0 0}
 * a baseframe line counts with its joint, bounds with their frame. */
enum { MIN_HIERARCHY = 7, MIN_PAIR = 14, MIN_FRAME_BLOCK = 8, MIN_VALUE = 2 };
enum { MIN_JOINT = MIN_HIERARCHY + MIN_PAIR, MIN_FRAME = MIN_FRAME_BLOCK + MIN_PAIR };
typedef struct m5_md5anim_state {
    m5_md5_parser md5;
    m5_md5anim *model;
    m5_md5_count num_frames, num_joints, num_components;
    uint32_t frames_joined; /* frames that were reported to be joined to another one */
    uint32_t frames_found, bounds_found, base_found;
    uint32_t values_instead; /* what each frame holds, if the header is wrong about it */
    uint32_t too_many;       /* joints from here on that do not fit because of flags_sum, ... */
    m5_once beyond;          /* ... of which the first is reported */
    enum { M5_FRAMES_TO_COME, M5_FRAMES_OPEN, M5_FRAMES_CLOSED } frames;
    /* While frames are open: */
    uint32_t room;        /* how many are declared */
    uint32_t capacity;    /* how many frames there is room for */
    const uint8_t *start; /* where the first began */
    uint32_t *values;     /* how many values each held */
    bool out_of_turn;     /* some frame's number is not its place */
    bool marked;          /* some frame's values are not known */
    uint32_t flags_sum;   /* flags of all joints */
    int64_t shift;        /* of all start indices: see find_shift */
    bool repeated;        /* the frames began again */
    uint64_t looked_at;   /* bytes, for lines with a wrong number of values */
} m5_md5anim_state;

/* Reads a frame, from after its keyword, which is `key` in the table. */
void m5_md5anim_read_frame(m5_md5anim_state *p, int key, m5_token first);

/* Frames are a list like others: it ends where another keyword comes, is checked, and gives back
 * what it did not need before anything else is reserved. Frames that come later are only
 * counted. */
void m5_md5anim_close_frames(m5_md5anim_state *p);

/* A line that has another number of values than the same line of another frame. */
typedef struct m5_odd_line {
    m5_span span, like; /* the line, and the other frame's */
    uint32_t count, expected;
} m5_odd_line;

/* Compares the lines of two frames, whose first values are at `frame` and `like`. Returns whether
 * they have as many lines and exactly one differs. All calls together look at twice the file at
 * most. */
bool m5_md5anim_find_odd_line(m5_md5anim_state *p, uint32_t frame, uint32_t like, m5_odd_line *out);

/* Whether the first two lines of a frame whose first value is at `frame` are the same, and the
 * first has all the values of a frame. */
bool m5_md5anim_find_repeated_line(const m5_md5anim_state *p, uint32_t frame, m5_odd_line *out);

/* Read the blocks `bounds` and `baseframe`, from after the brace. */
void m5_md5anim_read_bounds(m5_md5anim_state *p);
void m5_md5anim_read_baseframe(m5_md5anim_state *p);

/* Once all frames are read: a line that is extra or missing in one of these lists is dropped, or
 * left as a gap, if it is clear which line that is. */
void m5_md5anim_mend_lists(m5_md5anim_state *p);

/* Reads the block `hierarchy`, from after its brace. */
void m5_md5anim_read_hierarchy(m5_md5anim_state *p);

/* Finds a line of the hierarchy that was lost or written twice. True if it was reported, because
 * only the baseframe has the right number of lines; otherwise it may be noted in `declared`. */
bool m5_md5anim_find_lost(m5_md5_parser *p, const m5_md5_joint *joints, const void *channels,
                          uint32_t count, m5_md5_count *declared);

/* Whether the baseframe has as many lines as joints were found. */
bool m5_md5anim_are_joints_right(const m5_md5_parser *p, const m5_md5_count *declared,
                                 uint32_t found);

/* Once all joints are read: checks that the components of each joint are within a frame. */
void m5_md5anim_check_channels(m5_md5anim_state *p);

#endif
