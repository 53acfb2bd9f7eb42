/* Reads and checks the bones and the frames. */
#include "md4_state.h"
#include "../core/allocate.h"
#include "../core/emit.h"

#include <math.h>

/* ---- Bones ----------------------------------------------------------------------------------- */

static bool check_parent(m5_md4_state *w, uint32_t bone, uint32_t at)
{
    int32_t parent = m5_cursor_int(w->source, (uint64_t)at + 32);
    if (parent >= -1 && parent < (int64_t)w->model->num_bones)
        return true;
    m5_diag d = m5_md4_found(M5_ROW(md4_bone_parent_range), at + 32, 4,
                             m5_path2("bone", bone, "parent", M5_NO_INDEX));
    if (parent < 0)
        m5_emit(w->report, &d, M5_MILD, "parent is %d, expected -1 (no parent) or a bone", parent);
    else
        m5_emit(w->report, &d, M5_GRAVE, "parent is %d, expected -1 to %u", parent,
                w->model->num_bones - 1);
    return parent < 0;
}

static void say_cycle(m5_md4_state *w, uint32_t in_it)
{
    uint32_t lowest = in_it, length = 1;
    for (int32_t i = m5_md4_bone_at(w->model, in_it).parent; (uint32_t)i != in_it; length++) {
        lowest = (uint32_t)i < lowest ? (uint32_t)i : lowest;
        i = m5_md4_bone_at(w->model, (uint32_t)i).parent;
    }
    m5_md4_bone bone = m5_md4_bone_at(w->model, lowest);
    m5_diag d = m5_md4_found(M5_ROW(md4_bone_parent_cycle), bone.offset + 32, 4,
                             m5_path2("bone", lowest, "parent", M5_NO_INDEX));
    if (length == 1)
        m5_emit(w->report, &d, 0, "bone %u is its own parent", lowest);
    else
        m5_emit(w->report, &d, 0,
                "bone %u is its own ancestor: its parent is bone %d, and %u bones form a loop",
                lowest, bone.parent, length);
}

/* Goes from every bone up to its ancestors and marks them, until it meets a mark. If the mark is
 * from the same bone, there is a loop. */
static bool check_cycles(m5_md4_state *w)
{
    const m5_md4 *m = w->model;
    size_t mark = w->arena->used;
    uint32_t *way = m5_arena_take(w->arena, m->num_bones, sizeof *way);
    bool sound = true;
    if (way == NULL) {
        w->out_of_memory = true;
        return false;
    }
    for (uint32_t i = 0; i < m->num_bones; i++)
        way[i] = UINT32_MAX;
    for (uint32_t i = 0; i < m->num_bones; i++) {
        int32_t up = (int32_t)i;
        while (up >= 0 && way[up] == UINT32_MAX) {
            way[up] = i;
            up = m5_md4_bone_at(m, (uint32_t)up).parent;
        }
        if (up < 0 || way[up] != i)
            continue;
        say_cycle(w, (uint32_t)up);
        sound = false;
    }
    m5_arena_release(w->arena, mark);
    return sound;
}

/* Whether no bone is a root, each parent minus 1 would be an earlier bone, and a bone other than
 * bone 0 is its own parent. */
static bool parents_from_one(const m5_md4 *m)
{
    bool own = false;
    for (uint32_t i = 0; i < m->num_bones; i++) {
        int32_t parent = m5_md4_bone_at(m, i).parent;
        if (parent < 0 || parent > (int64_t)i)
            return false;
        own |= i > 0 && parent == (int64_t)i;
    }
    return own;
}

static void say_from_one(m5_md4_state *w)
{
    m5_diag d = m5_md4_found(M5_ROW(md4_bone_parent_cycle), w->model->bones_at + 32, 4,
                             m5_path2("bone", 0, "parent", M5_NO_INDEX));
    m5_emit(w->report, &d, 0,
            "bone 0 has parent 0, expected -1: parents seem to be counted from 1");
}

void m5_md4_read_bones(m5_md4_state *w)
{
    m5_md4 *m = w->model;
    bool in_range = true;
    for (uint32_t i = 0; i < m->num_bones; i++) {
        uint32_t at = m->bones_at + i * M5_MD4_BONE;
        m5_md4_string(w, at, 32, m5_path2("bone", i, "name", M5_NO_INDEX));
        in_range &= check_parent(w, i, at);
    }
    bool from_one = in_range && parents_from_one(m);
    if (from_one)
        say_from_one(w);
    m->bones_whole = in_range && !from_one && check_cycles(w);
}

/* ---- Frames ---------------------------------------------------------------------------------- */

static uint64_t frame_offset(const m5_md4 *m, uint32_t frame)
{
    return m->frames_at + frame * m5_md4_frame_size(m->num_bones);
}

static m5_path float_path(uint32_t frame, uint32_t i, const char **name)
{
    m5_path path = m5_path1("frame", frame);
    if (i < 10) {
        *name = i < 6 ? "bounds" : i < 9 ? "localOrigin" : "radius";
        path.step[1].name = *name;
        path.step[1].index = i < 6 ? i : i < 9 ? i - 6 : M5_NO_INDEX;
        return path;
    }
    path = m5_path2("frame", frame, "bone", (i - 10) / 12);
    *name = "matrix";
    path.step[2].name = *name;
    path.step[2].index = (i - 10) % 12;
    return path;
}

/* Returns how far the centre and the sphere of a box are from the frame's localOrigin and
 * radius, in squared units. */
static double misfit(const float b[6], bool per_axis, const float origin[3], float radius)
{
    double off = 0, square = 0;
    for (int i = 0; i < 3; i++) {
        double min = b[per_axis ? 2 * i : i], max = b[per_axis ? 2 * i + 1 : i + 3];
        double middle = (min + max) / 2 - (double)origin[i], reach = max - (double)origin[i];
        off += middle * middle;
        square += reach * reach;
    }
    return off + fabs(square - (double)radius * (double)radius);
}

static bool is_box(const float b[6], bool per_axis)
{
    for (int i = 0; i < 3; i++)
        if (b[per_axis ? 2 * i : i] > b[per_axis ? 2 * i + 1 : i + 3])
            return false;
    return true;
}

/* Returns whether a frame's bounds are stored axis by axis (1) or as two vectors (-1), or 0 if
 * unknown. If its localOrigin and radius fit one layout better, that decides; otherwise, which
 * layout gives a box at all. */
static int judge_bounds(const float f[10])
{
    double vectors = misfit(f, false, f + 6, f[9]), pairs = misfit(f, true, f + 6, f[9]);
    double size = (double)f[9] * (double)f[9];
    bool vectors_box = is_box(f, false), pairs_box = is_box(f, true);
    bool neither_fits = vectors > 1e-3 * size && pairs > 1e-3 * size;
    int better = pairs < vectors * 0.99 ? 1 : vectors < pairs * 0.99 ? -1 : 0;
    if ((neither_fits || better == 0) && vectors_box != pairs_box)
        return pairs_box ? 1 : -1;
    return better;
}

/* The format text declares bounds[3][2], every engine of the family vec3 bounds[2]. */
static bool bounds_are_per_axis(const m5_md4 *m)
{
    int64_t votes = 0;
    for (uint32_t i = 0; i < m->num_frames; i++) {
        float f[10];
        m5_cursor_floats(m->source, frame_offset(m, i), f, 10);
        votes += judge_bounds(f);
    }
    return votes > 0;
}

void m5_md4_read_frames(m5_md4_state *w)
{
    m5_md4 *m = w->model;
    uint32_t floats = 10 + m->num_bones * 12;
    m->frames_whole = true;
    for (uint32_t i = 0; i < m->num_frames; i++) {
        uint64_t at = frame_offset(m, i);
        uint32_t odd = m5_cursor_odd_float(w->source, at, floats);
        if (odd == floats)
            continue;
        at += (uint64_t)4 * odd;
        const char *name;
        m5_path path = float_path(i, odd, &name);
        m5_diag d = m5_md4_found(M5_ROW(md4_frame_finite), (uint32_t)at, 4, path);
        m5_emit(w->report, &d, 0, "%s is %g, expected a finite number", name,
                (double)m5_cursor_float(w->source, at));
        m->frames_whole = false;
    }
    m->per_axis_bounds = bounds_are_per_axis(m);
}
