/* Finds the line of a frame that has a value too many or too few, by comparing the frame with one
 * that has the right number: exporters write the frames of a file in the same lines. And finds a
 * line that is written twice. */
#include "md5anim_state.h"

#include <string.h>

typedef struct values_line {
    m5_span span;   /* from the first value to the last */
    uint32_t count; /* of values; 0 where the frame ends */
    uint32_t next;  /* where to go on */
} values_line;

/* The first line with values from `offset` on. */
static values_line next_line(const m5_source *s, uint32_t offset)
{
    const uint8_t *b = s->bytes;
    while (offset < s->size && b[offset] <= ' ')
        offset++;
    values_line l = {{offset, 0}, 0, offset};
    bool in_value = false, in_comment = false;
    uint32_t i = offset;
    for (; i < s->size && b[i] != '\n' && b[i] != '}'; i++) {
        in_comment |= b[i] == '/';
        bool is_part = b[i] > ' ' && !in_comment;
        l.count += is_part && !in_value;
        in_value = is_part;
        if (is_part)
            l.span.length = i + 1 - offset;
    }
    l.next = i;
    return l;
}

bool m5_md5anim_find_odd_line(m5_md5anim_state *p, uint32_t frame, uint32_t like, m5_odd_line *out)
{
    const m5_source *s = p->md5.report->source;
    uint32_t at = frame, as = like;
    *out = (m5_odd_line){.count = 0};
    while (p->looked_at <= 2 * (uint64_t)s->size) {
        values_line own = next_line(s, at), other = next_line(s, as);
        p->looked_at += (uint64_t)(own.next - at) + (other.next - as);
        if ((own.count == 0) != (other.count == 0))
            return false;
        if (own.count == 0)
            return out->count != 0;
        if (own.count != other.count) {
            if (out->count != 0)
                return false;
            *out = (m5_odd_line){own.span, other.span, own.count, other.count};
        }
        at = own.next;
        as = other.next;
    }
    return false;
}

bool m5_md5anim_find_repeated_line(const m5_md5anim_state *p, uint32_t frame, m5_odd_line *out)
{
    const m5_source *s = p->md5.report->source;
    values_line one = next_line(s, frame), again = next_line(s, one.next);
    *out = (m5_odd_line){again.span, one.span, again.count, 0};
    return one.count == p->model->num_components && one.span.length == again.span.length &&
           memcmp(s->bytes + one.span.offset, s->bytes + again.span.offset, one.span.length) == 0;
}
