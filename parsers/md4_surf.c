/* Surfaces: the chain of them, the four blocks in each, and what is in those. */
#include "md4_work.h"

#include <float.h>

static const m5_md4_field SURF_NAME = {"name", 4}, SURF_SHADER = {"shader", 68},
                          MIN_LOD = {"minLod", 140}, NUM_VERTS = {"numVerts", 148},
                          OFS_VERTS = {"ofsVerts", 152}, NUM_TRIS = {"numTris", 156},
                          OFS_TRIS = {"ofsTris", 160}, NUM_REFS = {"numBoneRefs", 164},
                          OFS_REFS = {"ofsBoneRefs", 168}, OFS_COLLAPSE = {"ofsCollapseMap", 172},
                          OFS_END = {"ofsEnd", 176};

/* ---- The chain -------------------------------------------------------------------------------- */

static void say_chain(m5_md4_work *w, uint32_t index, uint32_t at, int32_t size, uint32_t declared)
{
    m5_md4_place place = {at, "surface", index};
    m5_diag d = m5_md4_found_field(M5_ROW(md4_surf_chain), place, &OFS_END);
    uint64_t end = at + (uint64_t)(size > 0 ? size : 0);
    if (size < M5_MD4_SURFACE)
        m5_emit(w->report, &d, 0,
                "ofsEnd is %d, expected at least %u, the size of a surface's own "
                "fields",
                size, M5_MD4_SURFACE);
    else if (end > w->end)
        m5_emit(w->report, &d, 0,
                "ofsEnd is %d, but only %u bytes are left from the surface's "
                "start",
                size, w->end - at);
    else
        m5_emit(w->report, &d, 0,
                "ofsEnd is %d, but no surface fits between there and the end, "
                "and %u of %u are still due",
                size, declared - index - 1, declared);
    w->model->surfs_whole = false;
}

static void say_too_few(m5_md4_work *w, uint32_t found, uint32_t declared)
{
    m5_diag d = m5_md4_found(M5_ROW(md4_surf_chain), 80, 4, m5_path1("numSurfs", M5_NO_INDEX));
    m5_emit(w->report, &d, 0, "numSurfs is %u, but the model ends after %u surface%s", declared,
            found, found == 1 ? "" : "s");
    w->model->surfs_whole = false;
}

static void say_unaligned(m5_md4_work *w, uint32_t index, uint32_t at, int32_t size)
{
    m5_md4_place place = {at, "surface", index};
    m5_diag d = m5_md4_found_field(M5_ROW(md4_offset_align), place, &OFS_END);
    m5_emit(w->report, &d, 0, "ofsEnd is %d, expected a multiple of 4: another surface follows",
            size);
}

/* The next surface, if this one's ofsEnd leads to one; where `at` is none follows. */
static bool follow(m5_md4_work *w, uint32_t index, uint32_t declared, uint32_t *at)
{
    int32_t size = m5_cursor_int(w->source, (uint64_t)*at + OFS_END.at);
    uint64_t end = *at + (uint64_t)(size > 0 ? size : 0);
    bool last = index + 1 == declared;
    if (size < M5_MD4_SURFACE || end > w->end ||
        (!last && end != w->end && end + M5_MD4_SURFACE > w->end)) {
        say_chain(w, index, *at, size, declared);
        return false;
    }
    w->model->surfs[index].size = (uint32_t)size;
    if (!last && end == w->end) {
        say_too_few(w, index + 1, declared);
        *at = (uint32_t)end;
        return false;
    }
    if (!last && size % 4 != 0)
        say_unaligned(w, index, *at, size);
    *at = (uint32_t)end;
    return true;
}

uint32_t m5_md4_chain_surfaces(m5_md4_work *w, uint32_t at, uint32_t declared)
{
    m5_md4 *m = w->model;
    uint32_t most = (w->end - at) / M5_MD4_SURFACE;
    uint32_t room = declared < most ? declared : most;
    m->surfs = m5_arena_take(w->arena, room, sizeof *m->surfs);
    if (m->surfs == NULL) {
        w->out_of_memory = true;
        return at;
    }
    while (m->num_surfs < declared) {
        uint32_t index = m->num_surfs++;
        m->surfs[index] = (m5_md4_surface){.offset = at};
        if (!follow(w, index, declared, &at))
            break;
    }
    m5_arena_trim(w->arena, m->surfs, m->num_surfs * sizeof *m->surfs);
    return at;
}

/* ---- What is in the blocks ---------------------------------------------------------------------- */

static void say_vertex_float(const m5_md4_surface_work *p, uint32_t vertex, uint32_t at,
                             uint32_t odd)
{
    static const char *const name[] = {"vertex", "normal", "texCoords"};
    uint32_t offset = at + 4 * odd;
    m5_diag d = m5_md4_found_in_vertex(
        p, odd < 6 ? M5_ROW(md4_vertex_finite) : M5_ROW(md4_vertex_texcoord), vertex, offset,
        name[odd / 3]);
    d.path.step[2].index = odd % 3;
    m5_emit(p->w->report, &d, DBL_MAX, "%g, expected a finite number",
            (double)m5_cursor_float(p->w->source, offset));
}

static bool check_weight_floats(const m5_md4_surface_work *p, uint32_t vertex, uint32_t weight,
                                uint32_t at)
{
    uint32_t odd = m5_cursor_odd_float(p->w->source, (uint64_t)at + 4, 4);
    if (odd == 4)
        return true;
    uint32_t offset = at + 4 + 4 * odd;
    m5_diag d = m5_md4_found_in_vertex(
        p, odd == 0 ? M5_ROW(md4_weight_range) : M5_ROW(md4_vertex_finite), vertex, offset,
        "weight");
    d.path.step[2].index = weight;
    d.path.step[3].name = odd == 0 ? "boneWeight" : "offset";
    d.path.step[3].index = odd == 0 ? M5_NO_INDEX : odd - 1;
    m5_emit(p->w->report, &d, M5_GRAVE, "%g, expected a finite number",
            (double)m5_cursor_float(p->w->source, offset));
    return false;
}

static bool check_bone(const m5_md4_surface_work *p, uint32_t vertex, uint32_t weight, uint32_t at,
                       bool *told)
{
    uint32_t bone = m5_cursor_bits(p->w->source, at), bones = p->w->model->num_bones;
    if (bone < p->s->num_refs)
        return true;
    m5_diag d = m5_md4_found_in_vertex(p, M5_ROW(md4_weight_bone_range), vertex, at, "weight");
    d.path.step[2].index = weight;
    d.path.step[3].name = "boneIndex";
    d.path.step[3].index = M5_NO_INDEX;
    if (bone >= bones) {
        m5_emit(p->w->report, &d, M5_GRAVE,
                "boneIndex %d, but the surface has %u bone references "
                "and the model %u bones",
                m5_cursor_int(p->w->source, at), p->s->num_refs, bones);
        return false;
    }
    if (!*told)
        m5_emit(p->w->report, &d, M5_MILD,
                "boneIndex %u, but the surface has only %u bone references: "
                "it counts in the model's list of bones",
                bone, p->s->num_refs);
    *told = true;
    return true;
}

static void check_vertices(m5_md4_surface_work *p)
{
    const m5_source *source = p->w->source;
    bool told = false, sound = p->s->verts_whole;
    for (uint32_t i = 0; i < p->s->num_verts; i++) {
        uint32_t at = p->s->verts[i], weights = m5_cursor_bits(source, (uint64_t)at + 32);
        uint32_t odd = m5_cursor_odd_float(source, at, 8);
        if (odd < 8)
            say_vertex_float(p, i, at, odd);
        if (weights == 0 || weights > M5_MD4_MAX_WEIGHTS)
            m5_md4_say_weight_count(p, i, at);
        sound &= odd == 8 && weights <= M5_MD4_MAX_WEIGHTS;
        for (uint32_t k = 0; k < weights; k++) {
            uint32_t weight = at + (uint32_t)m5_md4_vertex_size(k);
            sound &= check_weight_floats(p, i, k, weight);
            if (p->s->refs_whole && p->w->model->num_bones != 0)
                sound &= check_bone(p, i, k, weight, &told);
        }
    }
    p->s->verts_whole = sound;
}

/* A list of indices that must be below `limit`: false if one was not. */
typedef struct index_list {
    const m5_rule *rule;
    const char *name, *part; /* triangle[5].indexes[1]; or just boneRef[5] */
    uint32_t at, count, width, limit;
    const char *of; /* what `limit` counts */
} index_list;

static bool check_indices(const m5_md4_surface_work *p, const index_list *l)
{
    bool sound = true;
    for (uint32_t i = 0; i < l->count * l->width; i++) {
        uint32_t at = l->at + 4 * i;
        if (m5_cursor_bits(p->w->source, at) < l->limit)
            continue;
        m5_path path = m5_md4_surface_path(p, l->name, i / l->width);
        if (l->part != NULL) {
            path.step[2].name = l->part;
            path.step[2].index = i % l->width;
        }
        m5_diag d = m5_md4_found(l->rule, at, 4, path);
        m5_emit(p->w->report, &d, 0, "%d, but there are only %u %s",
                m5_cursor_int(p->w->source, at), l->limit, l->of);
        sound = false;
    }
    return sound;
}

static void check_contents(m5_md4_surface_work *p)
{
    m5_md4_surface *s = p->s;
    uint32_t bones = p->w->model->num_bones;
    uint32_t verts = p->index_limit;
    s->refs_whole = bones == 0 ||
                    check_indices(p, &(index_list){M5_ROW(md4_boneref_range), "boneRef", NULL,
                                                   s->refs_at, s->num_refs, 1, bones, "bones"});
    check_vertices(p);
    s->tris_whole = check_indices(p,
                                  &(index_list){M5_ROW(md4_tri_index_range), "triangle", "indexes",
                                                s->tris_at, s->num_tris, 3, verts, "vertices"});
    s->collapse_whole = !p->count_wrong &&
                        check_indices(p,
                                      &(index_list){M5_ROW(md4_collapse_range), "collapseMap", NULL,
                                                    s->collapse_at, s->collapse_at != 0 ? verts : 0,
                                                    1, verts, "vertices"});
}

/* ---- In which list the weights count ------------------------------------------------------------ */

/* The format text says: in the surface's references. Files made for engines that ignore those count
 * in the main list. If some index is no reference, and all are bones that are referred to, it is
 * one of them. `listed` has for each bone the last surface, from 1, that refers to it. */
static bool counts_in_main_list(const m5_md4_surface_work *p, uint32_t *listed)
{
    const m5_source *source = p->w->source;
    const m5_md4_surface *s = p->s;
    uint32_t surface = p->place.index + 1;
    bool beyond = false;
    for (uint32_t i = 0; i < s->num_refs; i++)
        listed[m5_md4_ref_at(p->w->model, s, i)] = surface;
    for (uint32_t i = 0; i < s->num_verts; i++) {
        uint32_t weights = m5_cursor_bits(source, (uint64_t)s->verts[i] + 32);
        for (uint32_t k = 0; k < weights; k++) {
            uint32_t bone = m5_cursor_bits(source, s->verts[i] + m5_md4_vertex_size(k));
            if (bone >= p->w->model->num_bones || listed[bone] != surface)
                return false;
            beyond |= bone >= s->num_refs;
        }
    }
    return beyond;
}

/* Once all surfaces are read. */
static void choose_lists(m5_md4_work *w)
{
    m5_md4 *m = w->model;
    size_t mark = w->arena->used;
    uint32_t *listed = m5_arena_take(w->arena, m->num_bones, sizeof *listed);
    w->out_of_memory |= listed == NULL;
    if (listed != NULL)
        memset(listed, 0, m->num_bones * sizeof *listed);
    for (uint32_t i = 0; listed != NULL && i < m->num_surfs; i++) {
        m5_md4_surface *s = &m->surfs[i];
        m5_md4_surface_work p = {.w = w, .s = s, .place = {s->offset, "surface", i}};
        s->main_list = s->refs_whole && m->num_bones != 0 && counts_in_main_list(&p, listed);
    }
    m5_arena_release(w->arena, mark);
}

/* ---- A surface ------------------------------------------------------------------------------------ */

enum { VERTS, TRIS, REFS, COLLAPSE, BLOCKS };

static const struct {
    uint32_t size;
    const char *what;
} record[BLOCKS] = {{M5_MD4_VERTEX, "vertices"},
                    {M5_MD4_TRIANGLE, "triangles"},
                    {4, "bone references"},
                    {4, "vertices"}};

static void limit_count(const m5_md4_surface_work *p, const m5_rule *rule,
                        const m5_md4_field *field, uint32_t count, double measure_of_none,
                        const char *says)
{
    m5_diag d = m5_md4_found_field(rule, p->place, field);
    if (m5_md4_field_int(p->w, p->place, field) == 0)
        m5_emit(p->w->report, &d, measure_of_none, "%s is 0: nothing is drawn", field->name);
    else
        m5_emit(p->w->report, &d, count, "%s is %u: %s", field->name, count, says);
}

/* False when one of them is negative: then nothing can be told of the blocks. */
static bool read_counts(m5_md4_surface_work *p, uint32_t count[BLOCKS])
{
    uint64_t flaws = p->w->report->flaws;
    count[VERTS] = m5_md4_count(p->w, p->place, &NUM_VERTS);
    count[TRIS] = m5_md4_count(p->w, p->place, &NUM_TRIS);
    count[REFS] = m5_md4_count(p->w, p->place, &NUM_REFS);
    count[COLLAPSE] = count[VERTS];
    if (p->w->report->flaws != flaws)
        return false;
    limit_count(p, M5_ROW(md4_surf_num_verts), &NUM_VERTS, count[VERTS], 4096,
                "Quake 3 draws up to 1000 vertices, the format allows 4096");
    limit_count(p, M5_ROW(md4_surf_num_tris), &NUM_TRIS, count[TRIS], count[VERTS] != 0 ? 8192 : 0,
                "Quake 3 draws up to 2000 triangles, the format allows 8192");
    return true;
}

/* Whether all four offsets only make sense from the start of the file on. */
static bool are_from_file_start(const m5_md4_surface_work *p, const m5_md4_block block[BLOCKS],
                                const uint32_t count[BLOCKS])
{
    uint64_t begin = (uint64_t)p->s->offset + M5_MD4_SURFACE,
             end = (uint64_t)p->s->offset + p->s->size;
    bool any_beyond = false;
    for (int i = 0; i < BLOCKS; i++) {
        int64_t ofs = m5_md4_field_int(p->w, p->place, block[i].ofs);
        uint64_t bytes = (uint64_t)count[i] * record[i].size;
        if (count[i] == 0)
            continue;
        if (ofs < (int64_t)begin || (uint64_t)ofs + bytes > end)
            return false;
        any_beyond |= (uint64_t)ofs + bytes > p->s->size;
    }
    return any_beyond;
}

static bool locate_blocks(m5_md4_surface_work *p, m5_md4_block block[BLOCKS],
                          const uint32_t count[BLOCKS])
{
    const m5_rule *rule = M5_ROW(md4_surf_offset_bounds);
    m5_md4_bounds bounds = {rule, rule, p->place, p->s->offset + M5_MD4_SURFACE,
                            p->s->offset + p->s->size};
    if (are_from_file_start(p, block, count)) {
        m5_diag d = m5_md4_found_field(rule, p->place, &OFS_VERTS);
        m5_emit(p->w->report, &d, 0,
                "ofsVerts and the other offsets count from the file's start, "
                "expected from the surface's start, at %u",
                p->s->offset);
        return false;
    }
    bool found = true;
    for (int i = 0; i < BLOCKS; i++)
        found &= m5_md4_locate(p->w, &bounds, &block[i], count[i], record[i].size);
    return found;
}

/* The vertices end before whatever comes next. */
static uint32_t next_block(const m5_md4_surface_work *p, const m5_md4_block block[BLOCKS])
{
    uint64_t next = (uint64_t)p->s->offset + p->s->size;
    for (int i = TRIS; i < BLOCKS; i++)
        if (block[i].from > block[VERTS].from && block[i].from < next)
            next = block[i].from;
    return (uint32_t)next;
}

static void read_blocks(m5_md4_surface_work *p)
{
    m5_md4_surface *s = p->s;
    m5_md4_block block[BLOCKS] = {{&OFS_VERTS, &NUM_VERTS, 0, 0},
                                  {&OFS_TRIS, &NUM_TRIS, 0, 0},
                                  {&OFS_REFS, &NUM_REFS, 0, 0},
                                  {&OFS_COLLAPSE, &NUM_VERTS, 0, 0}};
    uint32_t count[BLOCKS];
    if (!read_counts(p, count) || !locate_blocks(p, block, count))
        return;
    s->num_tris = count[TRIS];
    s->num_refs = count[REFS];
    s->tris_at = (uint32_t)block[TRIS].from;
    s->refs_at = (uint32_t)block[REFS].from;
    s->collapse_at = (uint32_t)block[COLLAPSE].from;
    s->num_verts = p->index_limit = count[VERTS];
    p->verts_end = next_block(p, block);
    block[VERTS].to = m5_md4_walk_vertices(p, (uint32_t)block[VERTS].from);
    if (s->verts_whole &&
        !m5_md4_check_blocks(p->w, p->place, M5_ROW(md4_surf_overlap), block, BLOCKS,
                             s->offset + M5_MD4_SURFACE, s->offset + s->size, true)) {
        s->num_verts = s->num_tris = s->num_refs = 0;
        return;
    }
    check_contents(p);
}

static void read_surface(m5_md4_surface_work *p)
{
    p->s->name = m5_md4_string(p->w, p->place.offset + SURF_NAME.at, 64,
                               m5_md4_surface_path(p, SURF_NAME.name, M5_NO_INDEX));
    p->s->shader = m5_md4_string(p->w, p->place.offset + SURF_SHADER.at, 64,
                                 m5_md4_surface_path(p, SURF_SHADER.name, M5_NO_INDEX));
    p->s->min_lod = m5_md4_field_int(p->w, p->place, &MIN_LOD);
    if (p->s->size != 0)
        read_blocks(p);
}

void m5_md4_read_surfaces(m5_md4_work *w)
{
    for (uint32_t i = 0; i < w->model->num_surfs && !w->out_of_memory; i++) {
        m5_md4_surface *s = &w->model->surfs[i];
        read_surface(&(m5_md4_surface_work){.w = w, .s = s, .place = {s->offset, "surface", i}});
    }
    choose_lists(w);
}
