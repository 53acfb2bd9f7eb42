/* What there is to say of frames whose boxes do not hold the mesh. */
#ifndef M5_LINT_COMMON_FRAME_BOXES_H
#define M5_LINT_COMMON_FRAME_BOXES_H

#include "lint/geometry/frame_boxes.h"
#include "lint/lint.h"

/* Says what was found, in the words that all formats share: `vert` of the `part` (a mesh or
 * surface) so and so; `why` is nothing or a remark in brackets. The second of them is for where
 * nothing is outside. */
void m5_frame_boxes_say(const m5_frame_boxes *boxes, m5_report *report, m5_diag *d, uint32_t vert,
                        const char *part, uint32_t number, const char *why);
void m5_frame_boxes_say_loose(const m5_frame_boxes *boxes, m5_report *report, m5_diag *d);

#endif
