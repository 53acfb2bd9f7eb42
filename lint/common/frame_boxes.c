/* Reports a mesh that is outside the bounding boxes of its frames, or much smaller than these. */
#include "frame_boxes.h"
#include "lint/core/check.h"
#include "lint/geometry/frame_boxes.h"
#include "parsers/core/emit.h"
#include "parsers/play/algebra.h"

enum { TEXT_MAX = 160 };

/* Prints `(12 of 60 frames)`. */
static void print_counts(const m5_frame_boxes *e, char out[TEXT_MAX])
{
    if (e->seen == e->boxed)
        m5_check_print(out, TEXT_MAX, "(%u of %u frames)", e->outside, e->boxed);
    else
        m5_check_print(out, TEXT_MAX, "(%u of %u frames checked; there are %u)", e->outside,
                       e->seen, e->boxed);
}

/* Prints `( x y z ) ( x y z )`. */
static void print_box(const m5_box *b, char out[TEXT_MAX])
{
    m5_check_print(out, TEXT_MAX, "( %.5g %.5g %.5g ) ( %.5g %.5g %.5g )", b->min[0], b->min[1],
                   b->min[2], b->max[0], b->max[1], b->max[2]);
}

void m5_frame_boxes_say(const m5_frame_boxes *e, m5_report *report, m5_diag *d, uint32_t vert,
                        const char *part, uint32_t number, const char *why)
{
    const m5_stray *w = &e->worst;
    char counts[TEXT_MAX], fit[TEXT_MAX] = "";
    bool known = e->fit.min[0] <= e->fit.max[0];
    const char *expected = known ? "; expected bounds " : "";
    print_counts(e, counts);
    if (known)
        print_box(&e->fit, fit);
    if (w->disjoint)
        m5_emit(report, d, M5_BEYOND,
                "frame %u: the whole mesh is outside the bounding box%s: vertex %u of %s %u is "
                "%.4g units away along %c, at %.6g %s%s%s",
                w->frame, why, vert, part, number, w->by, "xyz"[w->axis], w -> at, counts, expected,
                fit);
    else
        m5_emit(report, d, w->share,
                "frame %u: vertex %u of %s %u is %.4g units outside the bounding box%s, %.3g%% of "
                "its diagonal: %c is %.6g, the %s is %.6g %s%s%s",
                w->frame, vert, part, number, w->by, why, 100 * w->share, "xyz"[w->axis], w -> at,
                w -> above ? "maximum" : "minimum", w->above ? w->at - w->by : w->at + w->by,
                counts, expected, fit);
}

void m5_frame_boxes_say_loose(const m5_frame_boxes *e, m5_report *report, m5_diag *d)
{
    double mesh = m5_box_diagonal(&e->reach), ratio = m5_box_diagonal(&e->boxes) / mesh;
    char reach_text[TEXT_MAX];
    if (!(mesh > 0) || !(e->reach.min[0] <= e->reach.max[0]) || !(ratio > 1.05))
        return;
    print_box(&e->reach, reach_text);
    m5_emit(report, d, ratio,
            "all bounding boxes together are %.3g times as large as the mesh, which stays within "
            "%s; frame %u has the largest box (%u of %u frames checked)",
            ratio, reach_text, e->largest, e->seen, e->boxed);
}
