/* Parses md5mesh: its keywords and joints, and each mesh by md5mesh_block.c. */
#include "md5mesh_state.h"
#include "../core/allocate.h"
#include "../core/emit.h"

#include <math.h>

enum { TOP_VERSION, TOP_COMMANDLINE, TOP_NUM_JOINTS, TOP_NUM_MESHES, TOP_JOINTS, TOP_MESH };
static const m5_md5_key top_keys[] = {
    [TOP_VERSION] = {"MD5Version", M5_KEY_NUMBER, true, false, NULL},
    [TOP_COMMANDLINE] = {"commandline", M5_KEY_TEXT, true, false, NULL},
    [TOP_NUM_JOINTS] = {"numJoints", M5_KEY_NUMBER, true, false, NULL},
    [TOP_NUM_MESHES] = {"numMeshes", M5_KEY_NUMBER, true, false, NULL},
    [TOP_JOINTS] = {"joints", M5_KEY_BLOCK, true, false, "\""},
    [TOP_MESH] = {"mesh", M5_KEY_BLOCK, false, true, "shader"},
};

static const char *const anim_words[] = {"numFrames", "frameRate", "numAnimatedComponents",
                                         "hierarchy", "bounds",    "baseframe",
                                         "frame",     NULL};

static const char *const inner_words[] = {"shader", "numverts",   "vert",   "numtris",
                                          "tri",    "numweights", "weight", NULL};

/* The least text each takes, which bounds the memory a count may claim:
 *   ""0(0 0 0)(0 0 0)   mesh{numverts 0 numtris 0 numweights 0} */
enum { MIN_JOINT = 17, MIN_MESH = 39 };

typedef struct parser {
    m5_md5_parser md5;
    m5_md5mesh *model;
    m5_md5_count num_joints, num_meshes;
    uint32_t capacity; /* meshes there is room for, once the first came */
} parser;

/* ---- joints { "name" parent ( x y z ) ( x y z ) ... } --------------------------------------- */

static bool read_joint(m5_md5_parser *p, m5_token first, m5_md5_joint *joint, void *other)
{
    m5_md5_pose *pose = other;
    pose->offset = first.span.offset;
    bool begun = m5_md5_read_joint(p, first, joint);
    if (begun && m5_lex_vector(&p->lx, pose->pos) && m5_lex_vector(&p->lx, pose->orient))
        return true;
    joint->name = (m5_name){0, 0};
    joint->parent = M5_BROKEN_PARENT;
    pose->pos[0] = (float)NAN;
    m5_md5_skip_joint(p, begun);
    return false;
}

/* The highest joint that a weight names, or -1. */
static int32_t find_last_joint(const m5_md5_parser *p)
{
    m5_report silent;
    m5_lex ahead = m5_lex_ahead(&p->lx, &silent);
    int32_t last = -1, joint;
    for (m5_token t = m5_lex_next(&ahead); t.kind != M5_TOKEN_END; t = m5_lex_next(&ahead)) {
        bool weight = t.new_line && m5_lex_is(&ahead, t, "weight") && m5_lex_int(&ahead, &joint) &&
                      m5_lex_int(&ahead, &joint);
        last = weight && joint > last ? joint : last;
    }
    return last;
}

/* Whether weights name the last joint. With a line too few that shows nothing: the joints behind
 * the lost one may have no weights. */
static bool are_joints_right(const m5_md5_parser *p, const m5_md5_count *declared, uint32_t found)
{
    return found > (uint32_t)declared->value && find_last_joint(p) == (int64_t)found - 1;
}

static void read_joints(parser *p)
{
    static const m5_md5_joint_list list = {M5_ROW(md5mesh_joint_count),
                                           M5_ROW(md5mesh_joint_parent_range),
                                           M5_ROW(md5mesh_joint_parent_order),
                                           M5_ROW(md5mesh_joint_parent_negative),
                                           MIN_JOINT,
                                           sizeof(m5_md5_pose),
                                           read_joint,
                                           NULL,
                                           are_joints_right};
    m5_md5mesh *m = p->model;
    void *bind = NULL;
    m->num_joints = m5_md5_read_joints(&p->md5, &p->num_joints, &list, &m->joints, &bind,
                                       &m->joints_whole);
    m->joints_in_place = p->num_joints.in_place;
    m->bind = bind;
}

/* ---- mesh { ... } ---------------------------------------------------------------------------- */

/* Room for the declared meshes and more, which a wrong number must not hide. */
static void start_meshes(parser *p)
{
    enum { SOME = 64 };
    m5_md5_count room = {.known = true, .value = SOME};
    if (p->num_meshes.known && p->num_meshes.value >= room.value)
        room.value = p->num_meshes.value + 1;
    if (p->num_meshes.known)
        p->model->meshes_due = (uint32_t)p->num_meshes.value;
    p->capacity = m5_md5_capacity(&p->md5, &room, MIN_MESH - 5); /* `mesh{` was read */
    p->model->meshes = m5_md5_array(&p->md5, p->capacity, sizeof *p->model->meshes);
}

/* Returns whether another mesh follows without a brace before it. */
static bool read_mesh(parser *p, m5_token key)
{
    m5_md5mesh *model = p->model;
    m5_md5mesh_mesh mesh = {.offset = key.span.offset};
    m5_md5mesh_state w = {
        .p = &p->md5, .mesh = &mesh, .joints = &p->num_joints, .joints_found = model->num_joints};
    if (model->meshes == NULL)
        start_meshes(p);
    if (p->md5.out_of_memory)
        return false;
    size_t mark = p->md5.arena->used;
    uint64_t flaws = p->md5.report->flaws;
    model->meshes_found++;
    m5_md5mesh_read_block(&w);
    p->md5.strays = 0;
    if (p->md5.out_of_memory)
        return false;
    m5_md5mesh_check_indices(&w);
    mesh.skin_whole &= model->joints_whole;
    mesh.whole &= mesh.skin_whole && p->md5.report->flaws == flaws;
    if (model->num_meshes < p->capacity)
        model->meshes[model->num_meshes++] = mesh;
    else
        m5_arena_release(p->md5.arena, mark);
    return w.runs_on;
}

/* ---- The whole file ------------------------------------------------------------------------- */

/* `least`: a count below it is an error. */
static void read_header_count(parser *p, m5_md5_count *count, const m5_rule *rule, int32_t least,
                              uint32_t bytes, const char *key)
{
    if (!m5_md5_int(&p->md5, count))
        return;
    if (count->value < least) {
        m5_diag d = m5_found(rule, count->at);
        m5_emit(p->md5.report, &d, M5_GRAVE, "%s is %d, expected at least 1", key, count->value);
        count->known = false;
    }
    m5_md5_fits_file(&p->md5, count, bytes);
}

/* At the end of the file, since meshes may follow a numMeshes of 0. Without any, Doom 3 loads the
 * skeleton. */
static void check_mesh_count(parser *p)
{
    m5_md5_count *count = &p->num_meshes;
    if (!count->known || count->value != 0) {
        m5_md5_check_count(&p->md5, M5_ROW(md5mesh_mesh_count), count, p->model->meshes_found,
                           "numMeshes", "meshes");
        return;
    }
    m5_diag d = m5_found(M5_ROW(md5mesh_num_meshes), count->at);
    if (p->model->meshes_found == 0)
        m5_emit(p->md5.report, &d, M5_MILD, "numMeshes is 0: the file has a skeleton only");
    else
        m5_emit(p->md5.report, &d, M5_GRAVE, "numMeshes is 0, but the number of meshes is %u",
                p->model->meshes_found);
}

static void read_joints_block(parser *p)
{
    if (m5_md5_open_block(&p->md5, TOP_JOINTS))
        read_joints(p);
    else
        m5_lex_skip_line(&p->md5.lx);
}

static void read_mesh_block(parser *p, m5_token key)
{
    p->md5.lx.path = m5_path1("mesh", p->model->meshes_found);
    if (m5_md5_open_block(&p->md5, TOP_MESH))
        for (; read_mesh(p, key); key = m5_lex_peek(&p->md5.lx))
            p->md5.lx.path = m5_path1("mesh", p->model->meshes_found);
    else
        m5_lex_skip_line(&p->md5.lx);
}

static void read_key(parser *p, int key, m5_token t)
{
    switch (key) {
    case TOP_VERSION: m5_md5_version(&p->md5); break;
    case TOP_COMMANDLINE: m5_md5_commandline(&p->md5, &p->model->commandline); break;
    case TOP_NUM_JOINTS:
        read_header_count(p, &p->num_joints, M5_ROW(md5mesh_num_joints), 1, MIN_JOINT, "numJoints");
        p->model->num_joints_at = p->num_joints.at;
        break;
    case TOP_NUM_MESHES:
        read_header_count(p, &p->num_meshes, M5_ROW(md5mesh_num_meshes), 0, MIN_MESH, "numMeshes");
        break;
    case TOP_JOINTS: read_joints_block(p); break;
    default: read_mesh_block(p, t);
    }
}

static void read_file(parser *p)
{
    m5_token t;
    int key = m5_md5_start(&p->md5) ? M5_KEY_NONE : M5_KEY_STOP;
    while (key != M5_KEY_STOP && !p->md5.out_of_memory) {
        bool complete = p->md5.top.seen[TOP_JOINTS].length != 0 && p->num_meshes.known &&
                        p->model->meshes_found >= (uint32_t)p->num_meshes.value;
        key = m5_md5_top_key(&p->md5, complete, &t);
        if (key < 0)
            break;
        if (m5_md5_see(&p->md5, &p->md5.top, key, t))
            read_key(p, key, t);
        else
            m5_md5_skip(&p->md5, key);
        if (key == TOP_JOINTS && m5_settings_of(p->md5.report)->joints_only)
            return;
    }
    if (p->md5.out_of_memory || key == M5_KEY_STOP)
        return;
    m5_md5_finish_keys(&p->md5, &p->md5.top, (m5_span){0, 0});
    check_mesh_count(p);
    p->md5.whole = true;
}

m5_status m5_md5mesh_parse(m5_report *report, m5_arena *arena, const m5_md5mesh **out)
{
    size_t mark = arena->used;
    parser p = {.md5 = {.report = report,
                        .arena = arena,
                        .foreign = anim_words,
                        .foreign_kind = "md5anim",
                        .inner = inner_words},
                .num_meshes.of_blocks = true};
    p.md5.top.table = top_keys;
    p.md5.top.count = sizeof top_keys / sizeof *top_keys;
    uint64_t flaws = report->flaws;
    *out = p.model = m5_md5_array(&p.md5, 1, sizeof *p.model);
    if (p.model != NULL) {
        *p.model = (m5_md5mesh){.source = report->source, .meshes_due = M5_NO_INDEX};
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
