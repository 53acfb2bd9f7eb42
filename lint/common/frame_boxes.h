/* Reports frames whose bounding boxes do not contain the mesh, or are much too large. */
#ifndef M5_LINT_COMMON_FRAME_BOXES_H
#define M5_LINT_COMMON_FRAME_BOXES_H

#include "lint/geometry/frame_boxes.h"
#include "lint/lint.h"

/* Reports what was found, in the same words for all formats. `vert` is the farthest vertex of mesh
 * or surface (`part`) `number`; `why` is empty or a remark in brackets. If boxes->fit is empty, no
 * bounds are expected. m5_frame_boxes_say_loose is
 * for boxes that nothing is outside of. */
void m5_frame_boxes_say(const m5_frame_boxes *boxes, m5_report *report, m5_diag *d, uint32_t vert,
                        const char *part, uint32_t number, const char *why);
void m5_frame_boxes_say_loose(const m5_frame_boxes *boxes, m5_report *report, m5_diag *d);

#endif
