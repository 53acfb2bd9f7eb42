/* The flags and startIndex of an md5anim's joints. Each line of the hierarchy continues where the
 * one before it ended, and the baseframe has as many lines: together they show where a line was
 * lost or written twice. */
#include "md5anim_state.h"
#include "../core/emit.h"

#include <string.h>

uint32_t m5_md5anim_count_flags(uint32_t flags)
{
    uint32_t n = 0;
    for (; flags != 0; flags &= flags - 1)
        n++;
    return n;
}

/* If startIndex shows that the components of one joint are missing: the joint whose startIndex is
 * the first that is too high, or `count` if the last joint is missing. Otherwise M5_BROKEN. */
static uint32_t find_jump(const m5_md5anim_channel *channels, uint32_t count, int64_t components)
{
    enum { FLAGS_MAX = 63, MOST = 6 };
    int64_t sum = 0, jump = 0;
    uint32_t at = count;
    for (uint32_t i = 0; i < count; i++) {
        const m5_md5anim_channel *ch = &channels[i];
        int64_t off = (int32_t)ch->start - sum;
        if (ch->flags > FLAGS_MAX || (ch->flags != 0 && off != jump && jump != 0))
            return M5_BROKEN;
        if (ch->flags != 0 && off != jump) {
            jump = off;
            at = i;
        }
        sum += m5_md5anim_count_flags(ch->flags);
    }
    bool one = components > sum && components - sum <= MOST;
    return one && (jump == 0 || jump == components - sum) ? at : M5_BROKEN;
}

static uint32_t count_baseframe(const m5_lex *lx)
{
    m5_report silent;
    m5_lex ahead = m5_lex_ahead(lx, &silent);
    m5_token t = m5_lex_next(&ahead);
    uint32_t lines = 0;
    while (t.kind != M5_TOKEN_END && !(t.new_line && m5_lex_is(&ahead, t, "baseframe")))
        t = m5_lex_next(&ahead);
    while (t.kind != M5_TOKEN_END && t.kind != M5_TOKEN_CLOSE_BRACE) {
        t = m5_lex_next(&ahead);
        lines += t.new_line && t.kind == M5_TOKEN_OPEN_PAREN;
    }
    return lines;
}

bool m5_md5anim_are_joints_right(const m5_md5_parser *p, const m5_md5_count *declared,
                                 uint32_t found)
{
    (void)declared;
    return count_baseframe(&p->lx) == found;
}

/* The first joint whose line is the same as the line before it, or M5_BROKEN. */
static uint32_t find_twin(const m5_lex *lx, const m5_md5_joint *joints,
                          const m5_md5anim_channel *channels, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        m5_name one = joints[i - 1].name, other = joints[i].name;
        if (one.length == other.length && joints[i - 1].parent == joints[i].parent &&
            memcmp(&channels[i - 1], &channels[i], sizeof *channels) == 0 &&
            memcmp(lx->base + one.offset, lx->base + other.offset, one.length) == 0)
            return i;
    }
    return M5_BROKEN;
}

/* The hierarchy agrees with numJoints, but perhaps not with the baseframe. */
static bool say_lost(m5_md5_parser *p, const m5_md5_joint *joints, uint32_t jump, uint32_t twin,
                     m5_md5_count *declared)
{
    bool asked = jump != M5_BROKEN || twin != M5_BROKEN;
    uint32_t count = (uint32_t)declared->value, lines = asked ? count_baseframe(&p->lx) : count;
    bool missing = lines == count + 1 && jump != M5_BROKEN;
    if (!missing && !(lines + 1 == count && twin != M5_BROKEN))
        return false;
    const char *what = !missing       ? "this line is the same as the one before it"
                       : jump < count ? "a joint seems to be missing before this one, whose "
                                        "startIndex is too high"
                                      : "a joint seems to be missing after this one";
    uint32_t i = !missing ? twin : jump < count ? jump : count - 1;
    m5_diag d = m5_md5_at(p, M5_ROW(md5anim_hierarchy_count), joints[i].offset, 0);
    d.path = m5_path1("joint", i);
    m5_relate(&d, p->report->source, declared->at, "numJoints");
    m5_emit(p->report, &d, 0, "numJoints is %u, but the number of baseframe lines is %u: %s", count,
            lines, what);
    declared->told = true;
    declared->told_found = lines; /* so that the baseframe does not report it again */
    return true;
}

bool m5_md5anim_find_lost(m5_md5_parser *p, const m5_md5_joint *joints, const void *channels,
                          uint32_t count, m5_md5_count *declared)
{
    int64_t lost = (int64_t)declared->value - count;
    if (!declared->known || lost > 1)
        return false;
    uint32_t jump = find_jump(channels, count, ((m5_md5anim_state *)p)->num_components.value);
    if (lost == 0)
        return say_lost(p, joints, jump, find_twin(&p->lx, joints, channels, count), declared);
    if (jump < count) {
        declared->odd = (m5_span){joints[jump].name.offset, joints[jump].name.length};
        declared->odd_says = "a joint seems to be missing before this one: its startIndex is too "
                             "high";
    }
    return false;
}
