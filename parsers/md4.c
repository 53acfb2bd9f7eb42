#include "md4_work.h"

#include <float.h>
#include <math.h>

static const m5_md4_place HEADER = {0, NULL, M5_NO_INDEX};

static const m5_md4_field IDENT = {"ident", 0}, VERSION = {"version", 4}, NAME = {"name", 8},
                          NUM_FRAMES = {"numFrames", 72}, NUM_BONES = {"numBones", 76},
                          NUM_SURFS = {"numSurfs", 80}, OFS_FRAMES = {"ofsFrames", 84},
                          OFS_BONES = {"ofsBones", 88}, OFS_SURFS = {"ofsSurfs", 92},
                          OFS_END = {"ofsEnd", 96};

/* ---- The header ------------------------------------------------------------------------------- */

static const char *other_format(const m5_source *s)
{
    static const struct {
        char ident[5];
        const char *says;
    } other[] = {{"4PDI", "big-endian, with every number's bytes swapped"},
                 {"IDP3", "an MD3, id's model without a skeleton"},
                 {"RDM5", "an MDR, Raven's relative of this format"},
                 {"SKL ", "a skeleton file of the FAKK2 tools"},
                 {"IDP2", "an MD2, Quake II's model"},
                 {"MD5V", "an MD5 text file"},
                 {"ILLM", "an illmesh, illskel or illanim file"},
                 {"ILLS", "an illmesh, illskel or illanim file"},
                 {"ILLA", "an illmesh, illskel or illanim file"}};
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        if (memcmp(s->bytes, other[i].ident, 4) == 0)
            return other[i].says;
    return NULL;
}

static bool check_ident(m5_md4_work *w)
{
    const m5_source *s = w->source;
    if (memcmp(s->bytes, "IDP4", 4) == 0)
        return true;
    m5_diag d = m5_md4_found_field(M5_ROW(md4_ident), HEADER, &IDENT);
    const char *says = other_format(s);
    if (says != NULL)
        m5_emit(w->report, &d, 0, "the file begins with %.*s: it is %s", 4, (const char *)s->bytes,
                says);
    else
        m5_emit(w->report, &d, 0, "the file does not begin with IDP4");
    return false;
}

/* Versions 1 and 4 share the first 80 bytes of the header, and its size. Where version 1 has the
 * offset of the bones' names and the number of levels of detail, version 4 has counts and offsets
 * that would make no sense. */
static bool is_laid_out_as_1(const m5_md4_work *w)
{
    enum { NAME_1 = 32, MAX_SURFS = 32, MAX_LODS = 16 };
    int32_t bones = m5_md4_field_int(w, HEADER, &NUM_BONES);
    int32_t ofs_names = m5_md4_field_int(w, HEADER, &NUM_SURFS);
    int32_t lods = m5_md4_field_int(w, HEADER, &OFS_BONES);
    return bones > 0 && ofs_names >= M5_MD4_HEADER && ofs_names > MAX_SURFS && lods > 0 &&
           lods <= MAX_LODS &&
           m5_cursor_fits(w->source, (uint64_t)ofs_names, (uint64_t)bones * NAME_1);
}

static const char *version_says(int32_t version)
{
    switch (version) {
    case 1: return "id's own unfinished version, with a table of levels of detail";
    case 2:
    case 3: return "an early version of this format, from before its text";
    case 5: return "a later version, without bone references and vertex positions";
    case 6: return "ZEQ2's version, with an offset for normals";
    default: return "no version that is known";
    }
}

static bool check_version(m5_md4_work *w)
{
    int32_t version = m5_md4_field_int(w, HEADER, &VERSION);
    m5_diag d = m5_md4_found_field(M5_ROW(md4_version), HEADER, &VERSION);
    if (version != 4)
        m5_emit(w->report, &d, 0, "version %d, %s; expected 4", version, version_says(version));
    else if (is_laid_out_as_1(w))
        m5_emit(w->report, &d, 0, "version 4, but the header is laid out as in version 1");
    else
        return true;
    return false;
}

static void check_end(m5_md4_work *w)
{
    int32_t end = m5_md4_field_int(w, HEADER, &OFS_END);
    uint32_t size = w->source->size;
    m5_diag d = m5_md4_found_field(M5_ROW(md4_ofs_end), HEADER, &OFS_END);
    w->end = size;
    if (end < M5_MD4_HEADER || (uint32_t)end > size) {
        m5_emit(w->report, &d, M5_GRAVE, "ofsEnd is %d, but the file has %u bytes", end, size);
        return;
    }
    w->end = (uint32_t)end;
    if (w->end < size)
        m5_emit(w->report, &d, M5_MILD, "ofsEnd is %d, but the file goes on for %u more byte%s",
                end, size - w->end, size - w->end == 1 ? "" : "s");
}

/* A count that must not be 0 and has a limit, which is its rule's. */
static uint32_t header_count(m5_md4_work *w, const m5_md4_field *field, const m5_rule *rule,
                             const char *what, const char *limit)
{
    uint32_t count = m5_md4_count(w, HEADER, field);
    m5_diag d = m5_md4_found_field(rule, HEADER, field);
    if (m5_md4_field_int(w, HEADER, field) == 0)
        m5_emit(w->report, &d, DBL_MAX, "the model has no %s", what);
    else
        m5_emit(w->report, &d, count, "%u %s: %s", count, what, limit);
    return count;
}

/* ---- Bones ------------------------------------------------------------------------------------ */

static bool check_parent(m5_md4_work *w, uint32_t bone, uint32_t at)
{
    int32_t parent = m5_cursor_int(w->source, (uint64_t)at + 32);
    if (parent >= -1 && parent < (int64_t)w->model->num_bones)
        return true;
    m5_diag d = m5_md4_found(M5_ROW(md4_bone_parent_range), at + 32, 4,
                             m5_path2("bone", bone, "parent", M5_NO_INDEX));
    if (parent < 0)
        m5_emit(w->report, &d, M5_MILD, "parent %d, expected -1 for a root", parent);
    else
        m5_emit(w->report, &d, M5_GRAVE, "parent %d, but the model has only %u bones", parent,
                w->model->num_bones);
    return parent < 0;
}

static void say_cycle(m5_md4_work *w, uint32_t in_it)
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
                "bone %u is its own ancestor: its parent is %d, and %u bones "
                "form a loop",
                lowest, bone.parent, length);
}

/* Goes up from every bone, marking the way, until it meets a way: its own is a loop. */
static bool check_cycles(m5_md4_work *w)
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

static void read_bones(m5_md4_work *w)
{
    m5_md4 *m = w->model;
    bool in_range = true;
    for (uint32_t i = 0; i < m->num_bones; i++) {
        uint32_t at = m->bones_at + i * M5_MD4_BONE;
        m5_md4_string(w, at, 32, m5_path2("bone", i, "name", M5_NO_INDEX));
        in_range &= check_parent(w, i, at);
    }
    m->bones_whole = in_range && check_cycles(w);
}

/* ---- Frames ----------------------------------------------------------------------------------- */

static uint64_t frame_size(uint32_t bones)
{
    return M5_MD4_FRAME + (uint64_t)bones * M5_MD4_MATRIX;
}

static uint64_t frame_offset(const m5_md4 *m, uint32_t frame)
{
    return m->frames_at + frame * frame_size(m->num_bones);
}

static m5_path float_path(uint32_t frame, uint32_t i)
{
    m5_path path = m5_path1("frame", frame);
    if (i < 10) {
        path.step[1].name = i < 6 ? "bounds" : i < 9 ? "localOrigin" : "radius";
        path.step[1].index = i < 6 ? i : i < 9 ? i - 6 : M5_NO_INDEX;
        return path;
    }
    path = m5_path2("frame", frame, "bone", (i - 10) / 12);
    path.step[2].name = "matrix";
    path.step[2].index = (i - 10) % 12;
    return path;
}

/* How far the middle and the sphere of a box are from what the frame says, in squares. */
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

/* The format text declares bounds[3][2], every engine of the family vec3 bounds[2]. */
static bool bounds_are_per_axis(const m5_md4 *m)
{
    uint32_t votes = 0, against = 0;
    for (uint32_t i = 0; i < m->num_frames; i++) {
        float f[10];
        uint64_t at = frame_offset(m, i);
        m5_cursor_floats(m->source, at, f, 10);
        double vectors = misfit(f, false, f + 6, f[9]), pairs = misfit(f, true, f + 6, f[9]);
        votes += pairs < vectors * 0.99;
        against += vectors < pairs * 0.99;
    }
    return votes > against;
}

static void read_frames(m5_md4_work *w)
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
        m5_diag d = m5_md4_found(M5_ROW(md4_frame_finite), (uint32_t)at, 4, float_path(i, odd));
        m5_emit(w->report, &d, 0, "%g, expected a finite number",
                (double)m5_cursor_float(w->source, at));
        m->frames_whole = false;
    }
    m->per_axis_bounds = bounds_are_per_axis(m);
}

/* ---- The whole file --------------------------------------------------------------------------- */

enum { FRAMES, BONES, SURFS, BLOCKS };

static uint32_t count_surfaces(m5_md4_work *w)
{
    uint32_t count = m5_md4_count(w, HEADER, &NUM_SURFS);
    m5_diag d = m5_md4_found_field(M5_ROW(md4_num_surfs), HEADER, &NUM_SURFS);
    if (m5_md4_field_int(w, HEADER, &NUM_SURFS) == 0)
        m5_emit(w->report, &d, M5_MILD, "the model has no surfaces");
    else if (count > M5_MD4_MAX_SURFS)
        m5_emit(w->report, &d, M5_GRAVE, "%u surfaces, the format's limit is %d", count,
                M5_MD4_MAX_SURFS);
    return count;
}

/* Finds the three blocks; what is in them is only looked at where they are told apart. */
static bool locate_blocks(m5_md4_work *w, m5_md4_block block[BLOCKS])
{
    uint32_t frames = header_count(w, &NUM_FRAMES, M5_ROW(md4_num_frames), "frames",
                                   "the format's limit is 2048");
    uint32_t bones = header_count(w, &NUM_BONES, M5_ROW(md4_num_bones), "bones",
                                  "Quake 3 has room for 128, the format allows 256");
    uint32_t surfs = count_surfaces(w);
    m5_md4_bounds bounds = {M5_ROW(md4_offset_header), M5_ROW(md4_offset_bounds), HEADER,
                            M5_MD4_HEADER, w->end};
    m5_md4 *m = w->model;
    bool found = m5_md4_field_int(w, HEADER, &NUM_BONES) > 0 &&
                 m5_md4_field_int(w, HEADER, &NUM_FRAMES) >= 0 &&
                 m5_md4_field_int(w, HEADER, &NUM_SURFS) >= 0 &&
                 m5_md4_locate(w, &bounds, &block[FRAMES], frames, frame_size(bones));
    found &= m5_md4_locate(w, &bounds, &block[BONES], bones, M5_MD4_BONE);
    if (!m5_md4_locate(w, &bounds, &block[SURFS], surfs > 0, M5_MD4_SURFACE))
        return false;
    m->surfs_whole = true;
    if (block[SURFS].from != 0)
        block[SURFS].to = m5_md4_chain_surfaces(w, (uint32_t)block[SURFS].from, surfs);
    if (found) {
        m->num_frames = frames;
        m->num_bones = bones;
        m->frames_at = (uint32_t)block[FRAMES].from;
        m->bones_at = (uint32_t)block[BONES].from;
    }
    return found && m->surfs_whole;
}

static void read_blocks(m5_md4_work *w)
{
    m5_md4_block block[BLOCKS] = {
        {&OFS_FRAMES, &NUM_FRAMES, 0, 0}, {&OFS_BONES, &NUM_BONES, 0, 0}, {&OFS_SURFS, NULL, 0, 0}};
    bool found = locate_blocks(w, block);
    if (m5_md4_check_blocks(w, HEADER, M5_ROW(md4_block_overlap), block, BLOCKS, M5_MD4_HEADER,
                            w->end, found)) {
        read_bones(w);
        read_frames(w);
    } else {
        w->model->num_frames = w->model->num_bones = 0;
    }
    m5_md4_read_surfaces(w);
}

static void read_file(m5_md4_work *w)
{
    if (w->source->size < M5_MD4_HEADER) {
        m5_diag d = m5_found(M5_ROW(md4_truncated), (m5_span){w->source->size, 0});
        m5_emit(w->report, &d, 0, "the file has %u bytes, its header alone needs %u",
                w->source->size, M5_MD4_HEADER);
        return;
    }
    if (!check_ident(w) || !check_version(w))
        return;
    check_end(w);
    w->model->name = m5_md4_string(w, NAME.at, 64, m5_path1(NAME.name, M5_NO_INDEX));
    read_blocks(w);
}

m5_status m5_md4_parse(m5_report *report, m5_arena *arena, const m5_md4 **out)
{
    size_t mark = arena->used;
    uint64_t flaws = report->flaws;
    m5_md4_work w = {.report = report, .arena = arena, .source = report->source};
    *out = w.model = m5_arena_take(arena, 1, sizeof *w.model);
    w.out_of_memory = w.model == NULL;
    if (w.model != NULL) {
        *w.model = (m5_md4){.source = report->source};
        read_file(&w);
    }
    if (w.out_of_memory) {
        m5_arena_release(arena, mark);
        *out = NULL;
        return M5_NO_MEMORY;
    }
    return report->flaws == flaws ? M5_CLEAN : M5_FLAWED;
}
