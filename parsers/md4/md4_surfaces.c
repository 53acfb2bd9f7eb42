/* Reads the surfaces: the four blocks of each, and their contents. */
#include "md4_state.h"
#include "../core/allocate.h"
#include "../core/emit.h"

#include <float.h>

/* ---- Contents of the blocks ------------------------------------------------------------------ */

static void say_vertex_float(const m5_md4_surface_state *p, uint32_t vertex, uint32_t at,
                             uint32_t odd)
{
    static const char *const name[] = {"vertex", "normal", "texCoords"};
    uint32_t offset = at + 4 * odd;
    m5_diag d = m5_md4_found_in_vertex(
        p, odd < 6 ? M5_ROW(md4_vertex_finite) : M5_ROW(md4_vertex_texcoord), vertex, offset,
        name[odd / 3]);
    d.path.step[2].index = odd % 3;
    m5_emit(p->w->report, &d, DBL_MAX, "%s is %g, expected a finite number", name[odd / 3],
            (double)m5_cursor_float(p->w->source, offset));
}

static bool check_weight_floats(const m5_md4_surface_state *p, uint32_t vertex, uint32_t weight,
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
    m5_emit(p->w->report, &d, M5_GRAVE, "%s is %g, expected a finite number", d.path.step[3].name,
            (double)m5_cursor_float(p->w->source, offset));
    return false;
}

static bool check_bone(const m5_md4_surface_state *p, uint32_t vertex, uint32_t weight, uint32_t at,
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
                "boneIndex is %d, but the surface's numBoneRefs is %u and the model's numBones is "
                "%u",
                m5_cursor_int(p->w->source, at), p->s->num_refs, bones);
        return false;
    }
    if (!*told)
        m5_emit(p->w->report, &d, M5_MILD,
                "boneIndex is %u, but the surface's numBoneRefs is %u: read as bone %u of the "
                "model",
                bone, p->s->num_refs, bone);
    *told = true;
    return true;
}

static void check_vertices(m5_md4_surface_state *p)
{
    const m5_source *source = p->w->source;
    bool told = p->mended, sound = p->s->verts_whole;
    for (uint32_t i = 0; i < p->s->num_verts; i++) {
        uint32_t at = p->s->verts[i], weights = m5_cursor_bits(source, (uint64_t)at + 32);
        uint32_t odd = m5_cursor_odd_float(source, at, 8);
        if (odd < 8)
            say_vertex_float(p, i, at, odd);
        if (weights == 0 || weights > M5_MD4_MAX_WEIGHTS)
            m5_md4_say_weight_count(p, i, at, 0);
        sound &= odd == 8 && weights <= M5_MD4_MAX_WEIGHTS;
        for (uint32_t k = 0; k < weights; k++) {
            uint32_t weight = at + (uint32_t)m5_md4_vertex_size(k);
            sound &= check_weight_floats(p, i, k, weight);
            if (p->w->model->num_bones != 0)
                sound &= check_bone(p, i, k, weight, &told);
        }
    }
    p->s->verts_whole = sound;
}

/* A list of indices that must be below `limit`. */
typedef struct index_list {
    const m5_rule *rule;
    const char *name, *part; /* triangle[5].indexes[1]; or just boneRef[5] */
    uint32_t at, count, width, limit;
    const char *of; /* what an index is of */
} index_list;

/* Returns the number that the corners seem to be counted from; 0 if they would not fit when
 * counted from another number. */
static uint32_t counted_from(const m5_md4_surface_state *p, const index_list *l)
{
    uint32_t least = UINT32_MAX, most = 0;
    for (uint32_t i = 0; i < l->count * l->width; i++) {
        uint32_t index = m5_cursor_bits(p->w->source, l->at + 4 * i);
        least = index < least ? index : least;
        most = index > most ? index : most;
    }
    return l->count > 1 && l->width > 1 && most - least < l->limit ? least : 0;
}

/* False if an index is out of range. Where every index is, because `limit` is 0, only the first
 * is reported. */
static bool check_indices(const m5_md4_surface_state *p, const index_list *l)
{
    bool sound = true;
    uint32_t from = 0;
    for (uint32_t i = 0; i < l->count * l->width && from == 0 && (sound || l->limit != 0); i++) {
        uint32_t at = l->at + 4 * i;
        if (m5_cursor_bits(p->w->source, at) < l->limit)
            continue;
        m5_path path = m5_md4_surface_path(p, l->name, i / l->width);
        if (l->part != NULL) {
            path.step[2].name = l->part;
            path.step[2].index = i % l->width;
        }
        m5_diag d = m5_md4_found(l->rule, at, 4, path);
        from = sound ? counted_from(p, l) : 0;
        int32_t found = m5_cursor_int(p->w->source, at);
        if (l->limit == 0)
            m5_emit(p->w->report, &d, 0, "%s %d, but there is no %s", l->of, found, l->of);
        else if (from == 0)
            m5_emit(p->w->report, &d, 0, "%s %d, expected 0 to %u: the last is %s %u", l->of, found,
                    l->limit - 1, l->of, l->limit - 1);
        else
            m5_emit(
                p->w->report, &d, 0,
                "%s %d, expected 0 to %u: the lowest index is %u, so vertices seem to be counted "
                "from %u",
                l->of, found, l->limit - 1, from, from);
        sound = false;
    }
    return sound;
}

static void check_contents(m5_md4_surface_state *p)
{
    m5_md4_surface *s = p->s;
    uint32_t bones = p->w->model->num_bones;
    uint32_t verts = p->index_limit;
    s->refs_whole = bones == 0 ||
                    check_indices(p, &(index_list){M5_ROW(md4_boneref_range), "boneRef", NULL,
                                                   s->refs_at, s->num_refs, 1, bones, "bone"});
    check_vertices(p);
    s->tris_whole = check_indices(p,
                                  &(index_list){M5_ROW(md4_tri_index_range), "triangle", "indexes",
                                                s->tris_at, s->num_tris, 3, verts, "vertex"});
    s->collapse_whole = !p->count_wrong &&
                        check_indices(p,
                                      &(index_list){M5_ROW(md4_collapse_range), "collapseMap", NULL,
                                                    s->collapse_at, s->collapse_at != 0 ? verts : 0,
                                                    1, verts, "vertex"});
}

/* ---- Which list the weights index ------------------------------------------------------------ */

/* The format text says that weights index the surface's bone references. In files for engines
 * that ignore these, weights index the model's bones. It is such a file if an index is not a
 * reference, and every index is a bone that is referred to. `listed` has, for each bone, the
 * last surface that refers to it, counted from 1. */
static bool counts_in_main_list(const m5_md4_surface_state *p, uint32_t *listed)
{
    const m5_source *source = p->w->source;
    const m5_md4_surface *s = p->s;
    uint32_t surface = p->place.index + 1;
    bool beyond = false;
    for (uint32_t i = 0; i < s->num_refs; i++)
        listed[m5_md4_bone_ref_at(p->w->model, s, i)] = surface;
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

/* Runs once all surfaces are read. */
static void choose_lists(m5_md4_state *w)
{
    m5_md4 *m = w->model;
    size_t mark = w->arena->used;
    uint32_t *listed = m5_arena_take(w->arena, m->num_bones, sizeof *listed);
    w->out_of_memory |= listed == NULL;
    if (listed != NULL)
        memset(listed, 0, m->num_bones * sizeof *listed);
    for (uint32_t i = 0; listed != NULL && i < m->num_surfs; i++) {
        m5_md4_surface *s = &m->surfs[i];
        m5_md4_surface_state p = {.w = w, .s = s, .place = {s->offset, "surface", i}};
        s->main_list = s->refs_whole && m->num_bones != 0 && counts_in_main_list(&p, listed);
    }
    m5_arena_release(w->arena, mark);
}

/* ---- A surface ------------------------------------------------------------------------------- */

enum { VERTS, TRIS, REFS, COLLAPSE, BLOCKS };

/* With a layout, reports an error: this comes first. Otherwise reports a warning: this comes last,
 * and only if the count is right. */
static bool judge_count(const m5_md4_surface_state *p, const m5_rule *rule,
                        const m5_md4_field *field, const m5_md4_layout *l, double measure_of_none,
                        const char *says)
{
    bool error = l != NULL;
    int32_t count = m5_md4_field_int(p->w, p->place, field);
    double measure = count == 0 ? measure_of_none : count;
    m5_diag d = m5_md4_found_field(rule, p->place, field);
    if ((m5_judge(&rule->levels, measure) == M5_ERROR) != error)
        return false;
    if (error)
        m5_md4_know_count(l, field, &d);
    if (count == 0)
        m5_emit(p->w->report, &d, measure, "%s is 0: nothing is drawn", field->name);
    else
        m5_emit(p->w->report, &d, measure, "%s is %d; %s", field->name, count, says);
    return error;
}

static bool judge_verts(const m5_md4_surface_state *p, const m5_md4_layout *l)
{
    return judge_count(p, M5_ROW(md4_surf_num_verts), &m5_md4_in_surface.num_verts, l, 4096,
                       "Quake III draws up to 999 vertices, the format allows 4096");
}

static bool judge_tris(const m5_md4_surface_state *p, const m5_md4_layout *l)
{
    bool no_verts = m5_md4_field_int(p->w, p->place, &m5_md4_in_surface.num_verts) == 0;
    return judge_count(p, M5_ROW(md4_surf_num_tris), &m5_md4_in_surface.num_tris, l,
                       no_verts ? 0 : 8192,
                       "Quake III draws up to 1999 triangles, the format allows 8192");
}

void m5_md4_judge_surface(m5_md4_state *w, uint32_t index)
{
    const m5_md4_surface *s = &w->model->surfs[index];
    m5_md4_surface_state p = {.w = w, .place = {s->offset, "surface", index}};
    judge_verts(&p, NULL);
    judge_tris(&p, NULL);
}

static void set_count(m5_md4_layout *l, unsigned block, uint64_t count)
{
    l->block[block].count = count;
    if (block == COLLAPSE)
        l->block[VERTS].count = count;
}

static int64_t natural_end(const m5_md4_layout *l, const m5_md4_block *b)
{
    return m5_md4_walk_end(l->w->source, b->at, b->count, l->end);
}

bool m5_md4_is_triangle(const m5_source *s, uint64_t at, uint64_t verts)
{
    uint32_t a = m5_cursor_bits(s, at), b = m5_cursor_bits(s, at + 4),
             c = m5_cursor_bits(s, at + 8);
    return a < verts && b < verts && c < verts && a != b && b != c && a != c;
}

static bool are_triangles(const m5_md4_layout *l, uint64_t from, uint64_t to)
{
    uint64_t at = (uint64_t)l->block[TRIS].at;
    for (; from < to; from++)
        if (!m5_md4_is_triangle(l->w->source, at + from * M5_MD4_TRIANGLE,
                                l->block[COLLAPSE].count))
            return false;
    return true;
}

/* Whether these refer to bones that no earlier reference has. A zero at the end may be `padding`.
 */
static bool are_new_refs(const m5_md4_layout *l, uint64_t from, uint64_t to, bool padding)
{
    const m5_source *s = l->w->source;
    uint64_t first = (uint64_t)l->block[REFS].at;
    for (; from < to; from++) {
        uint32_t bone = m5_cursor_bits(s, first + 4 * from);
        if ((bone == 0 && from + 1 == to && padding) || bone >= l->w->model->num_bones)
            return false;
        for (uint64_t k = 0; k < from; k++)
            if (m5_cursor_bits(s, first + 4 * k) == bone)
                return false;
    }
    return true;
}

/* The collapse map has more entries if there are more vertices, and these have weights. All
 * blocks are known to fit here, so the vertices can be walked over. */
static bool are_vertices(const m5_md4_layout *l, uint64_t from, uint64_t to)
{
    const m5_source *s = l->w->source;
    uint64_t at = (uint64_t)m5_md4_walk_end(s, l->block[VERTS].at, from, l->end);
    for (; from < to; from++) {
        uint32_t weights = m5_cursor_bits(s, at + 32);
        if (weights == 0)
            return false;
        at += m5_md4_vertex_size(weights);
    }
    return true;
}

static bool are_below(const m5_source *s, const m5_md4_block *b, uint64_t width, uint64_t limit)
{
    for (uint64_t i = 0; i < b->count * width; i++)
        if (m5_cursor_bits(s, (uint64_t)b->at + 4 * i) >= limit)
            return false;
    return true;
}

/* Whether every weight has the index of a bone reference. */
static bool are_refs_enough(const m5_md4_layout *l)
{
    const m5_source *s = l->w->source;
    uint64_t at = (uint64_t)l->block[VERTS].at, verts = l->block[VERTS].count;
    for (uint64_t i = 0; i < verts; i++) {
        uint32_t weights = m5_cursor_bits(s, at + 32);
        for (uint32_t k = 0; k < weights; k++)
            if (m5_cursor_bits(s, at + m5_md4_vertex_size(k)) >= l->block[REFS].count)
                return false;
        at += m5_md4_vertex_size(weights);
    }
    return true;
}

/* Whether weights index the model's bones, as counts_in_main_list says: then all these bones are
 * among the references. */
static bool are_weights_listed(const m5_md4_layout *l)
{
    const m5_source *s = l->w->source;
    uint64_t at = (uint64_t)l->block[VERTS].at, verts = l->block[VERTS].count;
    bool listed[M5_MD4_MAX_BONES] = {false};
    for (uint64_t i = 0; i < l->block[REFS].count; i++) {
        uint32_t bone = m5_cursor_bits(s, (uint64_t)l->block[REFS].at + 4 * i);
        listed[bone % M5_MD4_MAX_BONES] = true;
    }
    for (uint64_t i = 0; i < verts; i++) {
        uint32_t weights = m5_cursor_bits(s, at + 32);
        for (uint32_t k = 0; k < weights; k++)
            if (!listed[m5_cursor_bits(s, at + m5_md4_vertex_size(k)) % M5_MD4_MAX_BONES])
                return false;
        at += m5_md4_vertex_size(weights);
    }
    return true;
}

static m5_md4_more more_refs(const m5_md4_layout *l, uint64_t from, uint64_t to)
{
    if (to > M5_MD4_MAX_BONES)
        return M5_MD4_NO_MORE;
    bool in_use = !are_refs_enough(l) && !are_weights_listed(l);
    if (!are_new_refs(l, from, to, !in_use))
        return M5_MD4_NO_MORE;
    return in_use ? M5_MD4_MORE_IN_USE : M5_MD4_MORE_UNUSED;
}

/* Padding does not count as a record. */
static m5_md4_more more(const m5_md4_layout *l, unsigned block, uint64_t from, uint64_t to)
{
    if (block == REFS)
        return more_refs(l, from, to);
    bool any = block == TRIS ? are_triangles(l, from, to)
                             : to <= M5_MD4_MAX_VERTS && are_vertices(l, from, to);
    return any ? M5_MD4_MORE : M5_MD4_NO_MORE;
}

/* Whether all indices are in range, all vertices have weights, and each vertex collapses to an
 * earlier one. It may also collapse to itself if the offset of the map is the file's: then the
 * map need not be distinguished from other numbers. */
static bool makes_sense(const m5_md4_layout *l, bool said)
{
    const m5_source *s = l->w->source;
    const m5_md4_block *collapse = &l->block[COLLAPSE];
    uint64_t verts = collapse->count, bones = l->w->model->num_bones;
    for (uint64_t i = 0; i < verts; i++)
        if (m5_cursor_bits(s, (uint64_t)collapse->at + 4 * i) >= i + (i == 0 || said))
            return false;
    return are_below(s, &l->block[TRIS], 3, verts) && are_below(s, &l->block[REFS], 1, bones) &&
           are_vertices(l, 0, verts) && (said || are_refs_enough(l));
}

static m5_md4_block make_block(const m5_md4_surface_state *p, const m5_md4_field *ofs,
                               const m5_md4_field *num, uint32_t size)
{
    return (m5_md4_block){.ofs = ofs,
                          .num = num,
                          .size = size,
                          .at = p->place.offset + (int64_t)m5_md4_field_int(p->w, p->place, ofs),
                          .count = m5_md4_count(p->w, p->place, num)};
}

static m5_md4_layout make_layout(const m5_md4_surface_state *p)
{
    const m5_rule *beyond = M5_ROW(md4_surf_offset_bounds);
    m5_md4_layout l = {.w = p->w,
                       .in = p->place,
                       .of = "surface",
                       .below = beyond,
                       .beyond = beyond,
                       .overlap = M5_ROW(md4_surf_overlap),
                       .begin = p->s->offset + M5_MD4_SURFACE,
                       .end = p->s->offset + p->s->size,
                       .num_blocks = BLOCKS,
                       .natural_end = natural_end,
                       .set_count = set_count,
                       .more = more,
                       .makes_sense = makes_sense};
    l.block[VERTS] = make_block(p, &m5_md4_in_surface.ofs_verts, &m5_md4_in_surface.num_verts,
                                M5_MD4_VERTEX);
    l.block[VERTS].loose = true;
    l.block[VERTS].what = "vertices";
    l.block[TRIS] = make_block(p, &m5_md4_in_surface.ofs_tris, &m5_md4_in_surface.num_tris,
                               M5_MD4_TRIANGLE);
    l.block[TRIS].what = "triangles";
    l.block[REFS] = make_block(p, &m5_md4_in_surface.ofs_refs, &m5_md4_in_surface.num_refs, 4);
    l.block[REFS].what = "bone references";
    l.block[COLLAPSE] = l.block[VERTS];
    l.block[COLLAPSE].ofs = &m5_md4_in_surface.ofs_collapse;
    l.block[COLLAPSE].what = "entries of the collapse map";
    l.block[COLLAPSE].at = p->place.offset + (int64_t)m5_md4_field_int(
                                                 p->w, p->place, &m5_md4_in_surface.ofs_collapse);
    l.block[COLLAPSE].size = 4;
    l.block[COLLAPSE].loose = false;
    l.block[COLLAPSE].miscounted = M5_ROW(md4_vertex_walk);
    return l;
}

/* Whether the offsets make sense only if they count from the start of the file: then they are
 * read in that way. */
static bool are_from_file_start(m5_md4_layout *l)
{
    m5_md4_layout moved = *l;
    bool any_beyond = false;
    for (int i = 0; i < BLOCKS; i++) {
        m5_md4_block *b = &moved.block[i];
        any_beyond |= b->count != 0 && b->at + (int64_t)(b->count * b->size) > l->end;
        b->at -= l->in.offset;
        if (b->count != 0 && (b->at < l->begin || b->at + (int64_t)(b->count * b->size) > l->end))
            return false;
    }
    if (!any_beyond || !(m5_md4_tiles(&moved, true) || makes_sense(&moved, true)))
        return false;
    *l = moved;
    return true;
}

static void say_from_file_start(const m5_md4_surface_state *p)
{
    m5_diag d = m5_md4_found_field(M5_ROW(md4_surf_offset_bounds), p->place,
                                   &m5_md4_in_surface.ofs_verts);
    m5_emit(p->w->report, &d, 0,
            "ofsVerts and the other offsets count from the start of the file, expected from the "
            "start of the surface (file offset %u)",
            p->s->offset);
}

/* Returns where the vertices end at the latest: at the next block, or with the surface. */
static uint32_t next_block(const m5_md4_layout *l)
{
    uint64_t next = l->end;
    for (int i = TRIS; i < BLOCKS; i++)
        if (l->block[i].from > l->block[VERTS].from && l->block[i].from < next)
            next = l->block[i].from;
    return (uint32_t)next;
}

static void read_located(m5_md4_surface_state *p, m5_md4_layout *l)
{
    m5_md4_surface *s = p->s;
    s->num_tris = (uint32_t)l->block[TRIS].count;
    s->num_refs = (uint32_t)l->block[REFS].count;
    s->num_verts = p->index_limit = (uint32_t)l->block[VERTS].count;
    s->tris_at = (uint32_t)l->block[TRIS].from;
    s->refs_at = (uint32_t)l->block[REFS].from;
    s->collapse_at = (uint32_t)l->block[COLLAPSE].from;
    p->verts_end = next_block(l);
    l->block[VERTS].to = m5_md4_walk_vertices(p, (uint32_t)l->block[VERTS].from);
    if (!s->verts_whole || m5_md4_check_blocks(l, !p->mended))
        check_contents(p);
    else
        s->num_verts = s->num_tris = s->num_refs = 0;
}

static void read_blocks(m5_md4_surface_state *p)
{
    m5_md4_layout l = make_layout(p);
    if (m5_md4_say_negative(&l) || l.end > p->w->source->size)
        return; /* after a negative count, or where the file is cut off, nothing is reported about
                   blocks */
    bool from_start = are_from_file_start(&l);
    if (from_start)
        say_from_file_start(p);
    l.block[VERTS].told = l.block[COLLAPSE].told = judge_verts(p, &l);
    l.block[TRIS].told = judge_tris(p, &l);
    m5_md4_mended mended = m5_md4_mend(&l);
    if (!m5_md4_locate(&l))
        return;
    if (mended == M5_MD4_AS_IT_WAS && p->w->loud)
        m5_md4_judge_surface(p->w, p->place.index);
    p->mended = mended == M5_MD4_MENDED || from_start;
    if (mended != M5_MD4_GUESSED)
        read_located(p, &l);
}

static void read_surface(m5_md4_surface_state *p)
{
    p->s->name = m5_md4_string(p->w, p->place.offset + m5_md4_in_surface.name.at, 64,
                               m5_md4_surface_path(p, m5_md4_in_surface.name.name, M5_NO_INDEX));
    p->s->shader = m5_md4_string(
        p->w, p->place.offset + m5_md4_in_surface.shader.at, 64,
        m5_md4_surface_path(p, m5_md4_in_surface.shader.name, M5_NO_INDEX));
    p->s->min_lod = m5_md4_field_int(p->w, p->place, &m5_md4_in_surface.min_lod);
    if (p->s->size != 0)
        read_blocks(p);
}

void m5_md4_read_surfaces(m5_md4_state *w)
{
    for (uint32_t i = 0; i < w->model->num_surfs && !w->out_of_memory; i++) {
        m5_md4_surface *s = &w->model->surfs[i];
        read_surface(&(m5_md4_surface_state){.w = w, .s = s, .place = {s->offset, "surface", i}});
    }
    choose_lists(w);
}
