/* Parses the hierarchy of an md5anim: joints, and which components of a frame belong to each. */
#include "md5anim_state.h"
#include "../core/emit.h"

enum { FLAGS_MAX = 63 };

/* ---- hierarchy { "name" parent flags startIndex ... } ---------------------------------------- */

static bool read_joint(m5_md5_parser *p, m5_token first, m5_md5_joint *joint, void *other)
{
    m5_md5anim_channel *channel = other;
    int32_t flags, start;
    bool begun = m5_md5_read_joint(p, first, joint);
    if (begun && m5_lex_int(&p->lx, &flags) && m5_lex_int(&p->lx, &start) &&
        m5_lex_end_record(&p->lx)) {
        channel->flags = (uint32_t)flags;
        channel->start = (uint32_t)start;
        return true;
    }
    joint->name = (m5_name){0, 0};
    joint->parent = M5_BROKEN_PARENT;
    channel->flags = M5_BROKEN;
    m5_md5_skip_joint(p, begun);
    return false;
}

static bool is_flags(uint32_t flags)
{
    return flags <= FLAGS_MAX;
}

/* How far beyond the values of a frame an index is. */
static m5_tag how_far(uint32_t start, uint32_t limit)
{
    enum { NEAR = 6 };
    uint32_t beyond = start - limit;
    return (int32_t)start < 0 || beyond > NEAR ? M5_TAG_far
           : beyond == 0                       ? M5_TAG_edge
                                               : M5_TAG_near;
}

/* The startIndex of a joint without flags has no meaning; exporters write 0 or the running sum.
 * Some engines refuse a sum that equals the number of values. If the flags are known to be wrong,
 * the sum is unknown, but behind the last joint with flags it was the number of values. */
static void check_static(m5_md5anim_state *p, uint32_t i, uint32_t limit, uint32_t sum)
{
    int32_t start = (int32_t)p->model->channels[i].start;
    p->model->channels[i].start = 0;
    if ((start >= 0 && (uint32_t)start < limit) || (limit == 0 && start == 0))
        return;
    bool usual = limit == 0 || start == sum + p->shift ||
                 (p->flags_sum != limit && start == (int64_t)limit);
    m5_diag d = m5_md5_at(&p->md5, M5_ROW(md5anim_start_index_static), p->model->joints[i].offset,
                          3);
    d.tag = how_far((uint32_t)start, limit);
    m5_emit(p->md5.report, &d, usual ? M5_FOR_TARGETS : 0,
            "joint %u has flags 0 and startIndex %d, expected startIndex 0", i, start);
}

/* By how much each startIndex differs from the sum of the components before it, if this is the same
 * for several joints and all of them fit; else 0. */
static int64_t find_shift(const m5_md5anim_state *p, uint32_t limit)
{
    uint32_t sum = 0, animated = 0;
    int64_t shift = 0;
    for (uint32_t i = 0; i < p->model->num_joints; i++) {
        const m5_md5anim_channel *ch = &p->model->channels[i];
        int64_t off = (int64_t)(int32_t)ch->start - sum;
        if (ch->flags == 0)
            continue;
        if (animated++ != 0 && off != shift)
            return 0;
        shift = off;
        sum += m5_md5anim_count_flags(ch->flags);
    }
    return animated > 1 && sum == limit ? shift : 0;
}

static bool is_beyond(const m5_md5anim_channel *ch, uint32_t limit)
{
    return (int32_t)ch->start < 0 ||
           (uint64_t)ch->start + m5_md5anim_count_flags(ch->flags) > limit;
}

/* Whether a joint's values do not fit since all flags together need more than there are: the flags
 * or numAnimatedComponents are wrong, whatever the startIndex is. `sum` is the startIndex that the
 * joint should have. */
static bool is_too_many(const m5_md5anim_state *p, uint32_t i, uint32_t limit, uint32_t sum)
{
    const m5_md5anim_channel *ch = &p->model->channels[i];
    bool goes_on = i + 1 < p->model->num_joints && /* so that this startIndex alone is wrong */
                   ch[1].flags != 0 && ch[1].start == sum + m5_md5anim_count_flags(ch->flags);
    return p->flags_sum > limit && !(goes_on && ch->start != sum) &&
           (ch->start <= limit || ch->start == sum) && is_beyond(ch, limit);
}

static uint32_t count_too_many(const m5_md5anim_state *p, uint32_t limit)
{
    uint32_t count = 0, sum = 0;
    for (uint32_t i = 0; i < p->model->num_joints; i++) {
        uint32_t flags = p->model->channels[i].flags;
        count += is_flags(flags) && flags != 0 && is_too_many(p, i, limit, sum);
        sum += is_flags(flags) ? m5_md5anim_count_flags(flags) : 0;
    }
    return count;
}

/* Of the joints that do not fit because of the flags, the first is reported. */
static void say_start(m5_md5anim_state *p, uint32_t i, uint32_t limit, uint32_t sum)
{
    enum { FLAGS = 2, START = 3 };
    const m5_md5anim_channel *ch = &p->model->channels[i];
    uint32_t need = m5_md5anim_count_flags(ch->flags);
    uint32_t left = is_too_many(p, i, limit, sum) ? p->too_many-- : 0;
    const char *plural = need == 1 ? "" : "s";
    bool flags = left > 1 || (left == 1 && (ch->start < limit || ch->start == sum));
    m5_diag d = m5_md5_at(&p->md5, M5_ROW(md5anim_start_index_range), p->model->joints[i].offset,
                          flags ? FLAGS : START);
    d.tag = ch->start < limit ? M5_TAG_near : how_far(ch->start, limit);
    if (left != 0 && !m5_once_open(&p->beyond, d.at)) {
        m5_overlook(p->md5.report, &d, 0);
        return;
    }
    if (left > 1)
        m5_emit(p->md5.report, &d, 0,
                "joint %u needs %u component%s from startIndex %u on, but a frame has only %u, and "
                "%u bits are set in all flags (first of %u joints)",
                i, need, plural, ch->start, limit, p->flags_sum, left);
    else if (flags)
        m5_emit(p->md5.report, &d, 0,
                "joint %u needs %u component%s from startIndex %u on, but a frame has only %u, and "
                "%u bits are set in all flags",
                i, need, plural, ch->start, limit, p->flags_sum);
    else if (p->shift != 0)
        m5_emit(p->md5.report, &d, 0,
                "joint %u has startIndex %d, expected %u: every startIndex is %u too %s", i,
                (int32_t)ch->start, sum, (uint32_t)(p->shift < 0 ? -p->shift : p->shift),
                p->shift < 0 ? "low" : "high");
    else
        m5_emit(p->md5.report, &d, 0,
                "joint %u needs %u component%s from startIndex %d on, but a frame has only %u", i,
                need, plural, (int32_t)ch->start, limit);
    if (left != 0)
        m5_once_done(&p->beyond, p->md5.report);
}

static void check_start(m5_md5anim_state *p, uint32_t i, uint32_t limit, uint32_t sum)
{
    m5_md5anim_channel *ch = &p->model->channels[i];
    if (p->shift != 0 ? sum == 0 : is_beyond(ch, limit)) /* the first, if all are off by the same */
        say_start(p, i, limit, sum);
    if (is_beyond(ch, p->model->num_components))
        ch->flags = M5_BROKEN;
}

/* This check comes last: if every frame has a different number of values than the header says, the
 * number in the frames counts. */
void m5_md5anim_check_channels(m5_md5anim_state *p)
{
    m5_md5anim *m = p->model;
    uint32_t limit = p->values_instead != 0 ? p->values_instead : m->num_components, sum = 0;
    m->channels_whole = m->joints_whole && p->num_components.known;
    p->shift = m->channels_whole ? find_shift(p, limit) : 0;
    p->too_many = count_too_many(p, limit);
    for (uint32_t i = 0; i < m->num_joints; i++) {
        m5_md5anim_channel *ch = &m->channels[i];
        uint32_t flags = ch->flags;
        m5_path_set(&p->md5.lx.path, "joint", i);
        if (!is_flags(flags) || !p->num_components.known)
            ch->flags = M5_BROKEN;
        else if (flags == 0)
            check_static(p, i, limit, sum);
        else
            check_start(p, i, limit, sum);
        sum += is_flags(flags) ? m5_md5anim_count_flags(flags) : 0;
        m->channels_whole &= ch->flags != M5_BROKEN;
    }
    p->md5.lx.path = (m5_path){0};
}

static void check_flags(m5_md5anim_state *p)
{
    for (uint32_t i = 0; i < p->model->num_joints; i++) {
        uint32_t flags = p->model->channels[i].flags;
        if (is_flags(flags)) {
            p->flags_sum += m5_md5anim_count_flags(flags);
            continue;
        }
        if (p->model->joints[i].name.offset == 0)
            continue;
        m5_diag d = m5_md5_at(&p->md5, M5_ROW(md5anim_flags), p->model->joints[i].offset, 2);
        d.path = m5_path1("joint", i);
        m5_emit(p->md5.report, &d, 0, "joint %u has flags %d, expected 0 to 63", i, (int32_t)flags);
    }
}

void m5_md5anim_read_hierarchy(m5_md5anim_state *p)
{
    static const m5_md5_joint_list list = {M5_ROW(md5anim_hierarchy_count),
                                           M5_ROW(md5anim_parent_range),
                                           M5_ROW(md5anim_parent_order),
                                           NULL,
                                           MIN_HIERARCHY,
                                           sizeof(m5_md5anim_channel),
                                           read_joint,
                                           m5_md5anim_find_lost,
                                           m5_md5anim_are_joints_right};
    m5_md5anim *m = p->model;
    void *channels = NULL;
    m->num_joints = m5_md5_read_joints(&p->md5, &p->num_joints, &list, &m->joints, &channels,
                                       &m->joints_whole);
    m->joints_in_place = p->num_joints.in_place;
    m->channels = channels;
    check_flags(p);
}
