/* Functions that all checks use. */
#ifndef M5_LINT_CORE_CHECK_H
#define M5_LINT_CORE_CHECK_H

#include "lint/lint.h"
#include "parsers/core/text.h"

/* The format of an input: as given, by the extension of its name, or by its content. */
const m5_format *m5_lint_format(const m5_lint_input *in);

/* Whether other files are compared with those of a format: md5mesh and illskel. */
bool m5_lint_is_base(const m5_format *format);

/* The lowest of a rule's limits; M5_NEVER if it is off. */
double m5_lowest_limit(const m5_levels *levels);

/* Whether a rule could report anything under the levels in force, for any measure. */
bool m5_check_wanted(const m5_lint_file *f, const m5_rule *rule);

/* A finding at the n-th token of the record at `offset`; or, for m5_check_at_record, at all tokens
 * from the first to the n-th. */
m5_diag m5_check_at(const m5_lint_file *f, const m5_rule *rule, uint32_t offset, uint32_t n);
m5_diag m5_check_at_record(const m5_lint_file *f, const m5_rule *rule, uint32_t offset, uint32_t n);

/* A name, for %.*s. */
#define M5_CHECK_NAME(file, name)                                                                  \
    (int)(name).length, (const char *)(file)->source.bytes + (name).offset

/* Formats an optional part of a message into a buffer, as m5_text_format does. */
void m5_check_print(char *out, size_t size, const char *format, ...) M5_PRINTF(3, 4);

/* Whether all numbers are the same; 0 equals -0. */
bool m5_check_are_equal(const float *a, const float *b, unsigned count);

/* How much x2+y2+z2 of a unit quaternion may be above 1 if its numbers were rounded to three, four
 * or five decimals, as they seem to be. */
double m5_check_rounding(const float q[3]);

/* Notes that a check is left out. Nothing is noted if the user left out geometry. */
void m5_check_skip(m5_lint_file *f, m5_skipped which);

/* Marks a frame of an md5anim, md5camera or MD4 as wrong, if the finding about it is a warning or
 * more: its joints are then not checked further. */
void m5_check_mark_frame(m5_lint_file *f, uint32_t frame, const m5_rule *rule, double measure);
void m5_check_leave_out_frame(m5_lint_file *f, uint32_t frame); /* ... whatever was found */
bool m5_check_is_odd_frame(const m5_lint_file *f, uint32_t frame);

/* Marks the bounding box of a frame as wrong: that of an md5anim is then not compared with the
 * mesh, and that of an MD4 not with localOrigin and radius. */
void m5_check_leave_out_box(m5_lint_file *f, uint32_t frame);
bool m5_check_is_odd_box(const m5_lint_file *f, uint32_t frame);

/* The joint that jumps most in a frame of an md5anim and is back in the next one, whatever is
 * reported of it; m5_check_jump_in: NULL if none does. */
typedef struct m5_jump_mark {
    uint32_t joint;
    m5_span at; /* its value there; length 0: no joint jumps */
} m5_jump_mark;
void m5_check_mark_jump(m5_lint_file *f, uint32_t frame, m5_jump_mark jump);
const m5_jump_mark *m5_check_jump_in(const m5_lint_file *f, uint32_t frame);
uint32_t m5_check_count_jumps(const m5_lint_file *f); /* frames in which a joint jumps */

/* Whether a frame of an md5anim was read completely. */
bool m5_check_is_read(const m5_md5anim *anim, uint32_t frame);

/* Whether the baseframe has a line for a joint that could be read. */
bool m5_check_has_base(const m5_md5anim *anim, uint32_t joint);

/* Whether the animation has all that is needed to compute where its joints are, in each frame that
 * was read. */
bool m5_check_can_pose(const m5_md5anim *anim);

/* Scratch memory, given back by the caller; NULL without memory, and then the check is left out. */
void *m5_check_scratch(m5_lint_file *f, size_t count, size_t size);

/* m5_check_is_pixel: whether a texture coordinate may count pixels; updates the largest one.
 * m5_check_are_pixels: whether so many do, up to the size of a texture, that all are meant as
 * pixels. A few are not enough: an ocean may be tiled 40 times. */
static inline bool m5_check_is_pixel(const float st[2], float *largest)
{
    float s = st[0] < 0 ? -st[0] : st[0], t = st[1] < 0 ? -st[1] : st[1], most = s > t ? s : t;
    *largest = most > *largest ? most : *largest;
    return most > 16;
}
bool m5_check_are_pixels(uint32_t count, uint32_t all, float largest);

/* A texture may be tiled up to M5_CHECK_TILED times. m5_check_is_far_texcoord: whether one of both
 * coordinates is beyond that. */
#define M5_CHECK_TILED 1000.0
bool m5_check_is_far_texcoord(const float st[2]);

/* The least measure that a rule would report under the levels in force; or also by its row. */
double m5_check_least_shown(const m5_lint_file *f, const m5_rule *rule);
double m5_check_least(const m5_lint_file *f, const m5_rule *rule);

/* How many bones and weights may be placed for files of this size: M5_GEOMETRY_A_BYTE for each
 * byte, but no more than the setting geometry_budget. */
uint64_t m5_check_budget(const m5_lint_file *f, uint64_t bytes);

/* Judge a bounding box of an animation by itself. A point is a placeholder. "One corner" is a bug
 * of one exporter, which writes max.x for min.x, min.y and min.z, or for some of them. Flat boxes
 * may look the same, so the bug counts only in a file with a box that has max.x, not 0, for all
 * three. */
bool m5_check_is_point(const m5_md5anim_bounds *box);
bool m5_check_is_one_corner(const m5_md5anim_bounds *box);
uint32_t m5_check_first_corner(const m5_md5anim *anim); /* which box has it, or M5_NO_INDEX */

#endif
