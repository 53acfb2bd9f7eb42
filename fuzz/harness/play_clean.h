/* Plays a clean model as a game would: poses, frames between two, skins. Sanitizers find wrong
 * reads and writes; the assertions hold for any numbers. */
#ifndef M5_HARNESS_PLAY_H
#define M5_HARNESS_PLAY_H

#include "check_clean.h"
#include "parsers/play/pose.h"
#include "parsers/play/skin.h"

static inline void *harness_room(uint64_t count, size_t size)
{
    void *room = malloc((size_t)count * size + 1);
    HARNESS_ASSERT(room != NULL);
    return room;
}

static inline void harness_play_md5anim(const m5_md5anim *m)
{
    m5_transform *first = harness_room(m->num_joints, sizeof *first);
    m5_transform *last = harness_room(m->num_joints, sizeof *last);
    m5_md5anim_base_pose(m, first);
    if (m->num_frames != 0) {
        m5_md5anim_pose(m, 0, first);
        m5_md5anim_pose(m, m->num_frames - 1, last);
        m5_pose_interpolate(first, last, m->num_joints, 0.25, m5_quat_slerp, true, last);
        m5_pose_interpolate(first, last, m->num_joints, 0.75, m5_quat_lerp, false, first);
    }
    free(first);
    free(last);
}

/* The library does not play cameras, but completes their orientations. */
static inline void harness_play_md5camera(const m5_md5camera *m)
{
    for (uint32_t i = 0; i < m->num_frames; i++) {
        m5_transform view = m5_md5_transform(&m->frames[i].pose);
        HARNESS_ASSERT(view.rotation.w <= 0);
    }
}

/* Memory for a skin: as much as for parsing is enough, as skin.h promises. */
static inline void *harness_skin_room(const m5_source *source, m5_arena *arena)
{
    size_t size = m5_parse_memory(source->size);
    void *memory = harness_room(size, 1);
    m5_arena_init(arena, memory, size);
    return memory;
}

/* Skins the vertices: all positions at once must equal those of one vertex after another. */
static inline void harness_place(const m5_skin *skin, const m5_matrix *bones)
{
    enum { ADDED = 32 }; /* the sum of more weights is rounded differently */
    m5_arena arena;
    size_t size = 64 + 24 * (size_t)skin->num_weights;
    void *memory = harness_room(size, 1);
    m5_arena_init(&arena, memory, size);
    m5_vec *pos = harness_room(skin->num_verts, sizeof *pos);
    m5_box *boxes = harness_room(skin->num_bones, sizeof *boxes);
    HARNESS_ASSERT(m5_skin_positions(skin, bones, &arena, pos));
    for (uint32_t i = 0; i < skin->num_verts; i++) {
        m5_vec p = m5_skin_position(skin, i, bones);
        HARNESS_ASSERT(skin->verts[i].count > ADDED || memcmp(&p, &pos[i], sizeof p) == 0);
    }
    if (skin->num_verts != 0)
        m5_skin_normal(skin, 0, pos[0], bones, bones);
    m5_skin_boxes(skin, boxes);
    free(pos);
    free(boxes);
    free(memory);
}

static inline void harness_play_md5mesh(const m5_md5mesh *m)
{
    m5_arena arena;
    m5_skin skin;
    void *memory = harness_skin_room(m->source, &arena);
    m5_matrix *bones = harness_room(m->num_joints, sizeof *bones);
    for (uint32_t i = 0; i < m->num_joints; i++) {
        m5_transform place = m5_md5_transform(&m->bind[i]);
        bones[i] = m5_matrix_of(&place);
    }
    HARNESS_ASSERT(m5_skin_md5mesh(&arena, m, 0, m->num_meshes, &skin));
    harness_place(&skin, bones);
    free(bones);
    free(memory);
}

static inline void harness_play_md4(const m5_md4 *m)
{
    m5_arena arena;
    m5_skin skin;
    void *memory = harness_skin_room(m->source, &arena);
    m5_matrix *bones = harness_room(m->num_bones, sizeof *bones);
    for (uint32_t i = 0; m->num_frames != 0 && i < m->num_bones; i++)
        bones[i] = m5_md4_matrix(m, m->num_frames - 1, i);
    HARNESS_ASSERT(m5_skin_md4(&arena, m, 0, m->num_surfs, &skin));
    if (m->num_frames != 0)
        harness_place(&skin, bones);
    free(bones);
    free(memory);
}

static inline void harness_play_illskel(const m5_illskel *m)
{
    m5_matrix *bones = harness_room(m->num_bones, sizeof *bones);
    m5_illskel_pose(m, bones);
    free(bones);
}

static inline void harness_play_illanim(const m5_illanim *m)
{
    for (uint32_t i = 0; i < m->num_bones && m->num_frames != 0; i++)
        m5_illanim_interpolate(&m->bones[i].keys[0], &m->bones[i].keys[m->num_frames - 1], 0.5,
                               m5_quat_slerp, true);
}

/* Its bones are in another file: here all bones are at the origin of the model. */
static inline void harness_play_illmesh(const m5_illmesh *m)
{
    enum { BONES = 256 };
    static const m5_matrix still = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};
    bool posable = m->at[M5_ILL_POSITION] >= 0 && m->at[M5_ILL_BONES] >= 0;
    for (uint32_t i = 0; posable && i < m->num_verts; i++)
        for (uint32_t k = 0; k < 4; k++)
            posable &= m->verts[(size_t)i * m->stride + (uint32_t)m->at[M5_ILL_BONES] + k] <
                       (float)BONES;
    if (!posable)
        return;
    m5_arena arena;
    m5_skin skin;
    void *memory = harness_skin_room(m->source, &arena);
    m5_matrix *bones = harness_room(BONES, sizeof *bones);
    for (uint32_t i = 0; i < BONES; i++)
        bones[i] = still;
    HARNESS_ASSERT(m5_skin_illmesh(&arena, m, bones, BONES, &skin));
    harness_place(&skin, bones);
    free(bones);
    free(memory);
}

/* Nothing in it moves. */
static inline void harness_play_def(const m5_def *m)
{
    (void)m;
}

static inline void harness_play(const m5_model *m)
{
#define M5_FORMAT(symbol, name, text)                                                              \
    if (m->symbol != NULL)                                                                         \
        harness_play_##symbol(m->symbol);
#define M5_FORMAT_PACK(symbol, name, text)
#include "../../parsers/formats.def"
#undef M5_FORMAT
}

#endif
