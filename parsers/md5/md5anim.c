/* Parses md5anim: its keywords and header. */
#include "md5anim_state.h"
#include "../core/allocate.h"
#include "../core/emit.h"

enum {
    TOP_VERSION,
    TOP_COMMANDLINE,
    TOP_NUM_FRAMES,
    TOP_NUM_JOINTS,
    TOP_FRAME_RATE,
    TOP_NUM_COMPONENTS,
    TOP_HIERARCHY,
    TOP_BOUNDS,
    TOP_BASEFRAME,
    TOP_FRAME
};
static const m5_md5_key top_keys[] = {
    [TOP_VERSION] = {"MD5Version", M5_KEY_NUMBER, true, false, NULL},
    [TOP_COMMANDLINE] = {"commandline", M5_KEY_TEXT, true, false, NULL},
    [TOP_NUM_FRAMES] = {"numFrames", M5_KEY_NUMBER, true, false, NULL},
    [TOP_NUM_JOINTS] = {"numJoints", M5_KEY_NUMBER, true, false, NULL},
    [TOP_FRAME_RATE] = {"frameRate", M5_KEY_NUMBER, true, false, NULL},
    [TOP_NUM_COMPONENTS] = {"numAnimatedComponents", M5_KEY_NUMBER, true, false, NULL},
    [TOP_HIERARCHY] = {"hierarchy", M5_KEY_BLOCK, true, false, "\""},
    [TOP_BOUNDS] = {"bounds", M5_KEY_BLOCK, true, false, "("},
    [TOP_BASEFRAME] = {"baseframe", M5_KEY_BLOCK, true, false, "("},
    [TOP_FRAME] = {"frame", M5_KEY_NUMBERED, false, true, "0"},
};

static const char *const mesh_words[] = {"numMeshes", "joints", "mesh", NULL};
static const char *const no_words[] = {NULL};

/* ---- Header ---------------------------------------------------------------------------------- */

static void forget_components(m5_md5anim_state *p)
{
    p->num_components.known = false;
    p->model->num_components = 0;
}

static void say_too_many_components(m5_md5anim_state *p)
{
    const m5_md5_count *c = &p->num_components;
    uint32_t joints = p->model->num_joints;
    m5_diag d = m5_found(M5_ROW(md5anim_num_components_range), c->at);
    m5_emit(
        p->md5.report, &d, 0,
        "numAnimatedComponents is %d, expected at most %llu: 6 for each joint, and numJoints is %u",
        c->value, 6 * (unsigned long long)joints, joints);
    forget_components(p);
}

static void read_num_components(m5_md5anim_state *p)
{
    m5_md5_count *c = &p->num_components;
    if (!m5_md5_int(&p->md5, c))
        return;
    p->model->num_components_at = c->at;
    if (c->value < 0) {
        m5_diag d = m5_found(M5_ROW(md5anim_num_components_range), c->at);
        m5_emit(p->md5.report, &d, 0, "numAnimatedComponents is %d, expected 0 or more", c->value);
        forget_components(p);
    } else {
        p->model->num_components = (uint32_t)c->value;
    }
    if (p->frames == M5_FRAMES_CLOSED) { /* they were read when no frame was known to have values */
        p->model->num_frames = 0;
        p->model->frames_whole = false;
    }
}

/* The number of components is checked before the frames are judged by it. */
static void close_frames(m5_md5anim_state *p)
{
    const m5_md5anim *m = p->model;
    if (m->joints_whole && p->num_components.known &&
        m->num_components > 6 * (uint64_t)m->num_joints)
        say_too_many_components(p);
    m5_md5anim_close_frames(p);
}

/* ---- The whole file -------------------------------------------------------------------------- */

static void read_block(m5_md5anim_state *p, int key, void (*read)(m5_md5anim_state *))
{
    if (m5_md5_open_block(&p->md5, key))
        read(p);
    else
        m5_lex_skip_line(&p->md5.lx);
}

static void read_key(m5_md5anim_state *p, int key, m5_token t)
{
    if (key != TOP_FRAME)
        close_frames(p);
    switch (key) {
    case TOP_VERSION: m5_md5_version(&p->md5); break;
    case TOP_COMMANDLINE: m5_md5_commandline(&p->md5, &p->model->commandline); break;
    case TOP_NUM_FRAMES:
        m5_md5_read_count(&p->md5, &p->num_frames, 1, M5_ROW(md5anim_num_frames), MIN_FRAME,
                          "numFrames");
        p->model->num_frames_at = p->num_frames.at;
        break;
    case TOP_NUM_JOINTS:
        m5_md5_read_count(&p->md5, &p->num_joints, 1, M5_ROW(md5anim_num_joints), MIN_JOINT,
                          "numJoints");
        p->model->num_joints_at = p->num_joints.at;
        break;
    case TOP_FRAME_RATE:
        p->model->frame_rate = m5_md5_read_frame_rate(&p->md5, M5_ROW(md5anim_frame_rate),
                                                      M5_ROW(md5anim_frame_rate_form));
        break;
    case TOP_NUM_COMPONENTS: read_num_components(p); break;
    case TOP_HIERARCHY: read_block(p, key, m5_md5anim_read_hierarchy); break;
    case TOP_BOUNDS: read_block(p, key, m5_md5anim_read_bounds); break;
    case TOP_BASEFRAME: read_block(p, key, m5_md5anim_read_baseframe); break;
    default: m5_md5anim_read_frame(p, key, t);
    }
}

static bool is_complete(const m5_md5anim_state *p)
{
    return p->md5.top.seen[TOP_BASEFRAME].length != 0 && p->num_frames.known &&
           p->frames_found >= (uint32_t)p->num_frames.value;
}

static void read_file(m5_md5anim_state *p)
{
    m5_token t;
    int key = m5_md5_start(&p->md5) ? M5_KEY_NONE : M5_KEY_STOP;
    while (key != M5_KEY_STOP && !p->md5.out_of_memory && !p->repeated) {
        key = m5_md5_top_key(&p->md5, is_complete(p), &t);
        if (key < 0)
            break;
        if (m5_md5_see(&p->md5, &p->md5.top, key, t))
            read_key(p, key, t);
        else
            m5_md5_skip(&p->md5, key);
        if (key == TOP_HIERARCHY && m5_settings_of(p->md5.report)->joints_only)
            return;
    }
    if (p->md5.out_of_memory)
        return;
    close_frames(p);
    m5_md5anim_check_channels(p);
    m5_md5anim_mend_lists(p);
    if (key == M5_KEY_STOP)
        return;
    p->md5.lx.path = (m5_path){0};
    m5_md5_finish_keys(&p->md5, &p->md5.top, (m5_span){0, 0});
    m5_md5_check_count(&p->md5, M5_ROW(md5anim_frame_count), &p->num_frames,
                       p->frames_found + p->frames_joined, "numFrames", "frames");
    p->md5.whole = true;
}

m5_status m5_md5anim_parse(m5_report *report, m5_arena *arena, const m5_md5anim **out)
{
    size_t mark = arena->used;
    m5_md5anim_state p = {.md5 = {.report = report,
                                  .arena = arena,
                                  .foreign = mesh_words,
                                  .foreign_kind = "md5mesh",
                                  .inner = no_words}};
    p.md5.top.table = top_keys;
    p.md5.top.count = sizeof top_keys / sizeof *top_keys;
    uint64_t flaws = report->flaws;
    *out = p.model = m5_md5_array(&p.md5, 1, sizeof *p.model);
    if (p.model != NULL) {
        *p.model = (m5_md5anim){.source = report->source};
        m5_lex_init(&p.md5.lx, report, !m5_settings_of(report)->plain);
        read_file(&p);
        m5_lex_finish(&p.md5.lx, p.md5.whole);
        p.model->long_lines = m5_lex_has_long_lines(&p.md5.lx);
        p.model->glued = p.md5.lx.glued;
    }
    if (p.md5.out_of_memory) {
        m5_arena_release(arena, mark);
        *out = NULL;
        return M5_NO_MEMORY;
    }
    return report->flaws == flaws ? M5_CLEAN : M5_FLAWED;
}
