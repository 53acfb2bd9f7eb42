/* Parses md5camera: its keywords and header, and the frames. */
#include "md5camera_state.h"
#include "../core/allocate.h"
#include "../core/emit.h"

#include <math.h>
#include <string.h>

enum {
    TOP_VERSION,
    TOP_COMMANDLINE,
    TOP_NUM_FRAMES,
    TOP_FRAME_RATE,
    TOP_NUM_CUTS,
    TOP_CUTS,
    TOP_CAMERA
};
static const m5_md5_key top_keys[] = {
    [TOP_VERSION] = {"MD5Version", M5_KEY_NUMBER, true, false, NULL},
    [TOP_COMMANDLINE] = {"commandline", M5_KEY_TEXT, true, false, NULL},
    [TOP_NUM_FRAMES] = {"numFrames", M5_KEY_NUMBER, true, false, NULL},
    [TOP_FRAME_RATE] = {"frameRate", M5_KEY_NUMBER, true, false, NULL},
    [TOP_NUM_CUTS] = {"numCuts", M5_KEY_NUMBER, true, false, NULL},
    [TOP_CUTS] = {"cuts", M5_KEY_BLOCK, true, false, "0"},
    [TOP_CAMERA] = {"camera", M5_KEY_BLOCK, true, false, "("},
};

/* Of meshes and animations. */
static const char *const model_words[] = {
    "numJoints", "numMeshes", "joints",    "mesh", "frame", "numAnimatedComponents",
    "hierarchy", "bounds",    "baseframe", NULL};
static const char *const no_words[] = {NULL};

/* ---- camera { ( pos ) ( orient ) fov ... } --------------------------------------------------- */

static m5_md5camera_frame read_frame(m5_md5camera_state *p, m5_token first)
{
    m5_lex *lx = &p->md5.lx;
    m5_md5camera_frame frame = {.pose.offset = first.span.offset};
    if (m5_md5_read_pair(&p->md5, first, frame.pose.pos, frame.pose.orient) &&
        m5_lex_float(lx, &frame.fov) && m5_lex_end_record(lx))
        return frame;
    frame.pose.pos[0] = (float)NAN;
    m5_md5_skip_pair(&p->md5, first);
    return frame;
}

static bool are_same(const m5_md5camera_frame *a, const m5_md5camera_frame *b)
{
    for (int i = 0; i < 3; i++)
        if (a->pose.pos[i] != b->pose.pos[i] || a->pose.orient[i] != b->pose.orient[i])
            return false;
    return a->fov == b->fov;
}

/* The only frame that equals the one before it; M5_NO_INDEX if there is none or are several. */
static uint32_t find_doubled(const m5_md5camera_frame *frames, uint32_t count)
{
    uint32_t found = M5_NO_INDEX;
    for (uint32_t i = 1; i < count; i++) {
        if (!are_same(&frames[i - 1], &frames[i]))
            continue;
        if (found != M5_NO_INDEX)
            return M5_NO_INDEX;
        found = i;
    }
    return found;
}

static bool is_any_marked(const m5_md5camera *m)
{
    bool marked = false;
    for (uint32_t i = 0; i < m->num_frames; i++)
        marked |= isnan(m->frames[i].pose.pos[0]) != 0;
    return marked;
}

/* Of `kept` frames, at most one more than declared: drops one that appears twice and is extra. */
static void settle_frames(m5_md5camera_state *p, uint32_t found, uint32_t kept)
{
    m5_md5camera *m = p->model;
    m5_md5_count *count = &p->num_frames;
    uint32_t due = count->known ? (uint32_t)count->value : 0, doubled = M5_NO_INDEX;
    if (found == due + 1 && kept == found)
        doubled = find_doubled(m->frames, kept);
    if (doubled != M5_NO_INDEX) {
        count->odd = (m5_span){m->frames[doubled].pose.offset, 1};
        count->odd_says = "same as the line before";
    }
    m5_md5_check_count(&p->md5, M5_ROW(md5camera_frame_count), count, found, "numFrames", "frames");
    if (doubled != M5_NO_INDEX)
        memmove(&m->frames[doubled], &m->frames[doubled + 1],
                (kept - doubled - 1) * sizeof *m->frames);
    m->num_frames = kept < due ? kept : due;
    m->frames_in_place = count->known && (found == due || doubled != M5_NO_INDEX);
    m->frames_whole = m->frames_in_place && m->num_frames == due && !is_any_marked(m);
    m5_arena_trim(p->md5.arena, m->frames, m->num_frames * sizeof *m->frames);
}

static void read_frames(m5_md5camera_state *p)
{
    m5_lex *lx = &p->md5.lx;
    uint32_t due = m5_md5_capacity(&p->md5, &p->num_frames, M5_MD5CAMERA_MIN_FRAME), found = 0;
    uint32_t room = p->num_frames.known ? due + 1 : 0;
    m5_md5camera_frame *frames = m5_md5_array(&p->md5, room, sizeof *frames);
    for (m5_token first;
         frames != NULL && m5_md5_more(&p->md5, M5_TOKEN_OPEN_PAREN, found < due, &first);) {
        lx->path = m5_path1("frame", found);
        if (m5_md5_skip_odd_vector(&p->md5, first))
            continue;
        m5_md5camera_frame frame = read_frame(p, first);
        if (found < room)
            frames[found] = frame;
        found++;
    }
    lx->path = (m5_path){0};
    if (frames == NULL)
        return;
    p->model->frames = frames;
    settle_frames(p, found, found < room ? found : room);
}

/* ---- The whole file -------------------------------------------------------------------------- */

static void read_block(m5_md5camera_state *p, int key, void (*read)(m5_md5camera_state *))
{
    if (m5_md5_open_block(&p->md5, key))
        read(p);
    else
        m5_lex_skip_line(&p->md5.lx);
}

static void read_key(m5_md5camera_state *p, int key)
{
    m5_md5camera *m = p->model;
    p->md5.ours |= key >= TOP_NUM_CUTS;
    switch (key) {
    case TOP_VERSION: m5_md5_version(&p->md5); break;
    case TOP_COMMANDLINE: m5_md5_commandline(&p->md5, &m->commandline); break;
    case TOP_NUM_FRAMES:
        m5_md5_read_count(&p->md5, &p->num_frames, 1, M5_ROW(md5camera_num_frames),
                          M5_MD5CAMERA_MIN_FRAME, "numFrames");
        m->num_frames_at = p->num_frames.at;
        break;
    case TOP_FRAME_RATE:
        m->frame_rate = m5_md5_read_frame_rate(&p->md5, M5_ROW(md5camera_frame_rate),
                                               M5_ROW(md5camera_frame_rate_form));
        break;
    case TOP_NUM_CUTS:
        m5_md5_read_count(&p->md5, &p->num_cuts, 0, M5_ROW(md5camera_num_cuts),
                          M5_MD5CAMERA_MIN_CUT, "numCuts");
        m->num_cuts_at = p->num_cuts.at;
        break;
    case TOP_CUTS: read_block(p, key, m5_md5camera_read_cuts); break;
    default: read_block(p, key, read_frames);
    }
}

static void read_file(m5_md5camera_state *p)
{
    m5_token t;
    int key = m5_md5_start(&p->md5) ? M5_KEY_NONE : M5_KEY_STOP;
    while (key != M5_KEY_STOP && !p->md5.out_of_memory) {
        const m5_span *seen = p->md5.top.seen;
        bool complete = seen[TOP_CUTS].length != 0 && seen[TOP_CAMERA].length != 0;
        key = m5_md5_top_key(&p->md5, complete, &t);
        if (key < 0)
            break;
        if (m5_md5_see(&p->md5, &p->md5.top, key, t))
            read_key(p, key);
        else
            m5_md5_skip(&p->md5, key);
    }
    if (p->md5.out_of_memory)
        return;
    m5_md5camera_check_cuts(p);
    p->md5.lx.path = (m5_path){0};
    if (key == M5_KEY_STOP)
        return;
    m5_md5_finish_keys(&p->md5, &p->md5.top, (m5_span){0, 0});
    p->md5.whole = true;
}

m5_status m5_md5camera_parse(m5_report *report, m5_arena *arena, const m5_md5camera **out)
{
    size_t mark = arena->used;
    m5_md5camera_state p = {
        .md5 = {.report = report, .arena = arena, .foreign = model_words, .inner = no_words}};
    p.md5.top.table = top_keys;
    p.md5.top.count = sizeof top_keys / sizeof *top_keys;
    uint64_t flaws = report->flaws;
    *out = p.model = m5_md5_array(&p.md5, 1, sizeof *p.model);
    if (p.model != NULL) {
        *p.model = (m5_md5camera){.source = report->source};
        m5_lex_init(&p.md5.lx, report, !m5_settings_of(report)->plain);
        p.md5.lx.camera = true;
        if (!m5_settings_of(report)->joints_only)
            read_file(&p);
        m5_lex_finish(&p.md5.lx, p.md5.whole);
    }
    if (p.md5.out_of_memory) {
        m5_arena_release(arena, mark);
        *out = NULL;
        return M5_NO_MEMORY;
    }
    return report->flaws == flaws ? M5_CLEAN : M5_FLAWED;
}
