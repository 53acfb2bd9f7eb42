/* Parses the two lists of an md5anim whose lines are pairs of vectors: bounds and baseframe. */
#include "md5anim_state.h"
#include "../core/allocate.h"
#include "../core/emit.h"

#include <math.h>
#include <string.h>

/* ---- bounds { ( min ) ( max ) ... } and baseframe { ( pos ) ( orient ) ... } ----------------- */

/* What m5_md5_pose and m5_md5anim_bounds have in common. */
typedef struct pair {
    uint32_t offset;
    float a[3], b[3];
} pair;
_Static_assert(sizeof(pair) == sizeof(m5_md5_pose) && sizeof(pair) == sizeof(m5_md5anim_bounds),
               "both are pairs of vectors");

static uint32_t frames_below(const m5_md5anim_state *p)
{
    m5_report silent;
    m5_lex ahead = m5_lex_ahead(&p->md5.lx, &silent);
    uint32_t frames = 0;
    for (m5_token t = m5_lex_next(&ahead); t.kind != M5_TOKEN_END; t = m5_lex_next(&ahead))
        frames += t.new_line && m5_lex_is(&ahead, t, "frame");
    return frames;
}

/* If there are as many frames as boxes, numFrames is wrong. */
static void check_bounds_count(m5_md5anim_state *p, uint32_t found)
{
    m5_md5_count *count = &p->num_frames;
    if (count->known && (uint32_t)count->value != found && frames_below(p) == found)
        m5_md5_check_count(&p->md5, M5_ROW(md5anim_frame_count), count, found, "numFrames",
                           "bounding boxes and of frames");
    else
        m5_md5_check_count(&p->md5, M5_ROW(md5anim_bounds_count), count, found, "numFrames",
                           "bounding boxes");
}

/* The arrays are of other types with the same members. */
static pair pair_at(const uint8_t *pairs, uint32_t i)
{
    pair out;
    memcpy(&out, pairs + i * sizeof out, sizeof out);
    return out;
}

static bool are_same(const float *a, const float *b)
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/* Whether a pair equals the one before it. */
static bool is_doubled(const uint8_t *pairs, uint32_t i)
{
    pair before = pair_at(pairs, i - 1), x = pair_at(pairs, i);
    return are_same(x.a, before.a) && are_same(x.b, before.b);
}

/* The only pair that equals the one before it; M5_NO_INDEX if there is none or are several. */
static uint32_t find_doubled(const uint8_t *pairs, uint32_t count)
{
    uint32_t found = M5_NO_INDEX;
    for (uint32_t i = 1; i < count; i++) {
        if (!is_doubled(pairs, i))
            continue;
        if (found != M5_NO_INDEX)
            return M5_NO_INDEX;
        found = i;
    }
    return found;
}

/* A list of pairs as it was read. */
typedef struct pair_list {
    void *pairs;
    uint32_t kept, found; /* all are kept for which there is room, also if fewer were declared */
} pair_list;

static pair_list read_pairs(m5_md5anim_state *p, m5_md5_count *declared, const char *name)
{
    m5_md5_count all = {.known = true, .value = INT32_MAX}; /* pairs are judged if there are more */
    uint32_t due = m5_md5_capacity(&p->md5, declared, MIN_PAIR),
             room = m5_md5_capacity(&p->md5, &all, MIN_PAIR);
    uint32_t found = 0;
    m5_lex *lx = &p->md5.lx;
    const uint8_t *start = lx->p;
    uint8_t *out = m5_md5_array(&p->md5, room + 1, sizeof(pair)); /* see "One line too few" */
    for (m5_token first;
         out != NULL && m5_md5_more(&p->md5, M5_TOKEN_OPEN_PAREN, found < due, &first); found++) {
        pair x = {.offset = first.span.offset};
        m5_path_set(&lx->path, name, found);
        if (m5_md5_skip_odd_vector(&p->md5, first)) {
            found--;
            continue;
        }
        if (!m5_md5_read_pair(&p->md5, first, x.a, x.b)) {
            x.a[0] = (float)NAN;
            m5_md5_skip_pair(&p->md5, first);
            if (found < room && !m5_md5_may_keep(&p->md5, start, found, MIN_PAIR))
                room = found;
        }
        if (found < room)
            memcpy(out + found * sizeof x, &x, sizeof x);
    }
    lx->path = (m5_path){0};
    uint32_t kept = found < room ? found : room;
    uint32_t doubled = found == due + 1 && kept == found ? find_doubled(out, kept) : M5_NO_INDEX;
    if (doubled != M5_NO_INDEX) {
        declared->odd = (m5_span){pair_at(out, doubled).offset, 1};
        declared->odd_says = "same as the line before";
    }
    m5_arena_trim(p->md5.arena, out, (kept + 1) * sizeof(pair));
    return (pair_list){out, kept, found};
}

void m5_md5anim_read_bounds(m5_md5anim_state *p)
{
    pair_list list = read_pairs(p, &p->num_frames, "bounds");
    p->model->bounds = list.pairs;
    p->model->num_bounds = list.kept;
    p->bounds_found = list.found;
    check_bounds_count(p, list.found);
    p->num_frames.odd = (m5_span){0, 0};
}

void m5_md5anim_read_baseframe(m5_md5anim_state *p)
{
    pair_list list = read_pairs(p, &p->num_joints, "baseframe");
    p->model->base = list.pairs;
    p->model->num_base = list.kept;
    p->base_found = list.found;
    m5_md5_check_count(&p->md5, M5_ROW(md5anim_baseframe_count), &p->num_joints, list.found,
                       "numJoints", "baseframe lines");
    p->num_joints.odd = (m5_span){0, 0};
}

/* ---- One line too many ----------------------------------------------------------------------- */

static void drop(m5_md5anim *m, uint32_t i)
{
    memmove(m->base + i, m->base + i + 1, (--m->num_base - i) * sizeof *m->base);
}

/* How many values that frame 0 replaces are those of a line of the baseframe. */
static uint32_t match(const m5_md5anim *m, uint32_t joint, const m5_md5_pose *line)
{
    const double same = 1e-4;
    const m5_md5anim_channel *c = &m->channels[joint];
    const float *value = m->components + c->start;
    uint32_t matches = 0;
    for (uint32_t k = 0; k < 6 && c->flags != M5_BROKEN; k++)
        if (c->flags >> k & 1)
            matches += fabs((double)*value++ -
                            (double)(k < 3 ? line->pos[k] : line->orient[k - 3])) <= same;
    return matches;
}

/* The extra line without which the others agree best with frame 0; M5_NO_INDEX if several lines are
 * equally likely. If equal lines in a row are, it does not matter which of them goes. */
static uint32_t find_by_frame(const m5_md5anim *m)
{
    uint32_t best = 0;
    int64_t score = 0, most = 0;
    for (uint32_t i = 0; i < m->num_joints; i++) {
        score += (int64_t)match(m, i, &m->base[i]) - match(m, i, &m->base[i + 1]);
        bool equal = best == i && is_doubled((const uint8_t *)m->base, i + 1);
        if (score > most || (score == most && equal))
            best = i + 1;
        else if (score == most)
            best = M5_NO_INDEX;
        most = score > most ? score : most;
    }
    return best;
}

/* ---- One line too few ------------------------------------------------------------------------ */

/* The joint without whose line the others agree best with frame 0; M5_NO_INDEX if several joints
 * are equally likely. */
static uint32_t find_lost(const m5_md5anim *m)
{
    uint32_t best = 0;
    int64_t score = 0, most = 0;
    for (uint32_t i = 0; i + 1 < m->num_joints; i++) {
        score += (int64_t)match(m, i, &m->base[i]) - match(m, i + 1, &m->base[i]);
        if (score > most)
            best = i + 1;
        else if (score == most)
            best = M5_NO_INDEX;
        most = score > most ? score : most;
    }
    return best;
}

/* There is room for it: see read_pairs. */
static void insert_marked(m5_md5anim *m, uint32_t i)
{
    memmove(m->base + i + 1, m->base + i, (m->num_base++ - i) * sizeof *m->base);
    m->base[i] = (m5_md5_pose){.offset = m->base[i == 0 ? 1 : i - 1].offset, .pos = {(float)NAN}};
}

/* ---- In place -------------------------------------------------------------------------------- */

static bool is_frame_0_known(const m5_md5anim *m)
{
    return m->num_frames != 0 && m->frames_in_place && m->num_components != 0 &&
           !isnan(m->components[0]);
}

/* Frame 0 tells which line is extra or missing, or a line that appears twice in a row. */
static void mend_baseframe(m5_md5anim *m, uint32_t found)
{
    uint32_t due = m->num_joints;
    bool all_kept = found == m->num_base, known = is_frame_0_known(m);
    m->base_in_place = m->joints_in_place && all_kept && found == due;
    if (!m->joints_in_place || !all_kept || m->base == NULL)
        return;
    if (found == due + 1) {
        uint32_t extra = known ? find_by_frame(m) : M5_NO_INDEX;
        if (extra == M5_NO_INDEX)
            extra = find_doubled((const uint8_t *)m->base, found);
        m->base_in_place = extra != M5_NO_INDEX;
        if (m->base_in_place)
            drop(m, extra);
    } else if (found != 0 && found + 1 == due && known) {
        uint32_t lost = find_lost(m);
        m->base_in_place = lost != M5_NO_INDEX;
        if (m->base_in_place)
            insert_marked(m, lost);
    }
}

static uint32_t due(const m5_md5_count *declared)
{
    return declared->known ? (uint32_t)declared->value : 0;
}

static void limit(uint32_t *kept, const m5_md5_count *declared)
{
    *kept = *kept < due(declared) ? *kept : due(declared);
}

void m5_md5anim_mend_lists(m5_md5anim_state *p)
{
    m5_md5anim *m = p->model;
    m->bounds_in_place = p->bounds_found == p->frames_found;
    if (!m->bounds_in_place && m->num_bounds != due(&p->num_frames) + 1) /* several are extra */
        limit(&m->num_bounds, &p->num_frames);
    mend_baseframe(m, p->base_found);
    limit(&m->num_base, &p->num_joints);
}
