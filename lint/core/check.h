/* What every check works with. */
#ifndef M5_LINT_CORE_CHECK_H
#define M5_LINT_CORE_CHECK_H

#include "lint/lint.h"
#include "parsers/core/text.h"

/* Whether a rule could say anything under the levels in force, whatever it measured. */
bool m5_check_wanted(const m5_lint_file *f, const m5_rule *rule);

/* A finding at the n-th token of the record at `offset`, or at all of a record's tokens from
 * the first to the n-th. */
m5_diag m5_check_at(const m5_lint_file *f, const m5_rule *rule, uint32_t offset, uint32_t n);
m5_diag m5_check_at_record(const m5_lint_file *f, const m5_rule *rule, uint32_t offset, uint32_t n);

/* A name, for %.*s. */
#define M5_CHECK_NAME(file, name)                                                                  \
    (int)(name).length, (const char *)(file)->source.bytes + (name).offset

/* Formats into a buffer, as m5_text_format does: a part of a finding that is not always there. */
void m5_check_print(char *out, size_t size, const char *format, ...) M5_PRINTF(3, 4);

/* Whether numbers are the same; 0 and -0 are. */
bool m5_check_are_equal(const float *a, const float *b, unsigned count);

/* By how much x2+y2+z2 of a unit quaternion may be above 1 where its numbers, as these seem to be,
 * were rounded to three, four or five decimals. */
double m5_check_rounding(const float q[3]);

/* Notes that a frame of an md5anim or MD4 was told to be wrong, if what tells it is a warning or
 * more: where its joints are need not be asked then. */
void m5_check_mark_frame(m5_lint_file *f, uint32_t frame, const m5_rule *rule, double measure);
bool m5_check_is_odd_frame(const m5_lint_file *f, uint32_t frame);

/* Whether all is there that tells where an animation's joints are. */
bool m5_check_can_pose(const m5_md5anim *anim);

/* Scratch, given back by the caller; NULL when memory is short: the check is left out. */
void *m5_check_scratch(m5_lint_file *f, size_t count, size_t size);

/* Whether a texture coordinate may count pixels, and how large all of them are; and whether so many
 * do, up to the size of a texture, that all are meant so: an ocean may be tiled 40 times. */
static inline bool m5_check_is_pixel(const float st[2], float *largest)
{
    float s = st[0] < 0 ? -st[0] : st[0], t = st[1] < 0 ? -st[1] : st[1], most = s > t ? s : t;
    *largest = most > *largest ? most : *largest;
    return most > 16;
}
bool m5_check_are_pixels(uint32_t count, uint32_t all, float largest);

/* The least measure that a rule would speak of under the levels in force. */
double m5_check_least(const m5_lint_file *f, const m5_rule *rule);

/* How many bones and weights may be placed for files of so many bytes: so many for each, and no
 * more than was asked for. */
uint64_t m5_check_budget(const m5_lint_file *f, uint64_t bytes);

/* A box of an animation by itself. A point is a placeholder. One corner is a bug of one
 * exporter, which writes max.x for min.x, min.y and min.z, or for some of them. Flat boxes may
 * look the same, so that it only counts in a file that has it in full somewhere, and not with 0. */
bool m5_check_is_point(const m5_md5anim_bounds *box);
bool m5_check_is_one_corner(const m5_md5anim_bounds *box);
uint32_t m5_check_first_corner(const m5_md5anim *anim); /* M5_NO_INDEX: it has not */

#endif
