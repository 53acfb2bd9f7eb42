/* Private to the md5camera parser: the file at work. */
#ifndef M5_MD5CAMERA_STATE_H
#define M5_MD5CAMERA_STATE_H

#include "md5_parser.h"
#include "md5camera.h"

/* The least text each takes, which bounds the memory a count may claim:
 *   1   (0 0 0)(0 0 0)1 */
enum { M5_MD5CAMERA_MIN_CUT = 2, M5_MD5CAMERA_MIN_FRAME = 15 };

typedef struct m5_md5camera_state {
    m5_md5_parser md5;
    m5_md5camera *model;
    m5_md5_count num_frames, num_cuts;
    m5_once said_line; /* it was reported that several cuts are on one line */
} m5_md5camera_state;

/* Reads the block `cuts`, from after its brace. */
void m5_md5camera_read_cuts(m5_md5camera_state *p);

/* Once the file is read: checks that the cuts are frames of it, in order. */
void m5_md5camera_check_cuts(m5_md5camera_state *p);

#endif
