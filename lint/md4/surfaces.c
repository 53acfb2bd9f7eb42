/* Checks the surfaces of an MD4: names, shaders, triangles, weights, bone references. */
#include "checks.h"
#include "lint/core/check.h"
#include "parsers/core/allocate.h"
#include "parsers/core/emit.h"

#include "parsers/core/cursor.h"

#include <math.h>
#include <string.h>

/* A surface under check. */
typedef struct surface {
    m5_lint_file *f;
    const m5_md4 *m;
    const m5_md4_surface *s;
    uint32_t index;
    uint32_t *used, *seen; /* for each bone, the last surface (counted from 1) to use and list it */
} surface;

/* Offsets of fields from the start of a surface. */
enum {
    IDENT = 0,
    SHADER = 68,
    SHADER_INDEX = 132,
    LOD_BIAS = 136,
    MIN_LOD = M5_CHECK_MD4_MIN_LOD,
    OFS_HEADER = 144,
    NUM_VERTS = 148
};

static m5_diag found(const surface *p, const m5_rule *rule, uint32_t offset, uint32_t length,
                     const char *name, uint32_t index)
{
    m5_diag d = m5_found(rule, (m5_span){offset, length});
    d.path = m5_path2("surface", p->index, name, index);
    return d;
}

static m5_diag found_part(const surface *p, const m5_rule *rule, uint32_t offset, uint32_t length,
                          uint32_t vertex, const char *part, uint32_t index)
{
    m5_diag d = found(p, rule, offset, length, "vertex", vertex);
    d.path.step[2].name = part;
    d.path.step[2].index = index;
    return d;
}

static int32_t field(const surface *p, uint32_t at)
{
    return m5_cursor_int(&p->f->source, (uint64_t)p->s->offset + at);
}

/* ---- Fields ---------------------------------------------------------------------------------- */

static void check_zero(const surface *p, const m5_rule *rule, uint32_t at, const char *name)
{
    if (field(p, at) == 0)
        return;
    m5_diag d = found(p, rule, p->s->offset + at, 4, name, M5_NO_INDEX);
    m5_emit(&p->f->report, &d, 0, "%s is %d, expected 0: engines set it when they load the file",
            name, field(p, at));
}

static void check_min_lod(const surface *p)
{
    int32_t lod = p->s->min_lod, verts = (int32_t)p->s->num_verts, least = verts < 3 ? verts : 3;
    m5_diag d = found(p, M5_LINT_ROW(md4_min_lod), p->s->offset + MIN_LOD, 4, "minLod",
                      M5_NO_INDEX);
    if (verts == 0 || (lod >= least && (lod <= verts || verts != field(p, NUM_VERTS))))
        return;
    if (lod <= 0)
        m5_emit(&p->f->report, &d, M5_GRAVE,
                "minLod is %d, expected at least %d: an engine that reduces detail would hang", lod,
                least);
    else if (lod > verts)
        m5_emit(&p->f->report, &d, M5_MILD,
                "minLod is %d, expected at most %d, the number of vertices", lod, verts);
    else
        m5_emit(&p->f->report, &d, M5_MILD,
                "minLod is %d, expected at least %d: no triangle is left", lod, least);
}

/* A surface whose name begins with tag_ may only mark a place. */
static void say_no_shader(const surface *p)
{
    static const char prefix[] = "tag_";
    m5_name name = p->s->name;
    bool tag = name.length >= strlen(prefix) &&
               memcmp(p->f->source.bytes + name.offset, prefix, strlen(prefix)) == 0;
    m5_diag d = found(p, M5_LINT_ROW(md4_surf_shader_empty), p->s->offset + SHADER, 64, "shader",
                      M5_NO_INDEX);
    m5_emit(&p->f->report, &d, tag ? M5_MILD : M5_GRAVE, "the shader name is empty");
}

static void check_fields(const surface *p)
{
    uint32_t at = p->s->offset;
    m5_report *r = &p->f->report;
    if (!m5_cursor_is(&p->f->source, at, "IDP4")) {
        m5_diag d = found(p, M5_LINT_ROW(md4_surf_ident), at + IDENT, 4, "ident", M5_NO_INDEX);
        m5_emit(r, &d, 0, "ident is not IDP4; harmless, since engines overwrite it");
    }
    if (p->s->shader.length == 0)
        say_no_shader(p);
    check_zero(p, M5_LINT_ROW(md4_surf_shader_index), SHADER_INDEX, "shaderIndex");
    check_zero(p, M5_LINT_ROW(md4_surf_lod_bias), LOD_BIAS, "lodBias");
    check_min_lod(p);
}

static bool is_header_off(const m5_lint_file *f, uint32_t surf)
{
    uint32_t at = f->model.md4->surfs[surf].offset;
    return -(int64_t)m5_cursor_int(&f->source, (uint64_t)at + OFS_HEADER) != (int64_t)at;
}

/* Reported once if it is wrong in all surfaces. */
static void check_headers(m5_lint_file *f)
{
    uint32_t all = f->model.md4->num_surfs, count = 0;
    for (uint32_t i = 0; i < all; i++)
        count += is_header_off(f, i);
    bool due = true, most = all > 1 && count == all;
    for (uint32_t i = 0; i < all && due; i++) {
        uint32_t at = f->model.md4->surfs[i].offset;
        m5_diag d = m5_found(M5_LINT_ROW(md4_surf_ofs_header), (m5_span){at + OFS_HEADER, 4});
        d.path = m5_path2("surface", i, "ofsHeader", M5_NO_INDEX);
        if (is_header_off(f, i))
            m5_emit(&f->report, &d, 0,
                    "ofsHeader is %d, expected -%u, which points back to the file's start%s",
                    m5_cursor_int(&f->source, (uint64_t)at + OFS_HEADER), at,
                    most ? " (all surfaces)" : "");
        due = !most;
    }
}

/* ---- Vertices -------------------------------------------------------------------------------- */

static bool is_finite(float x)
{
    return x - x == 0;
}

static void check_normal(const surface *p, uint32_t i, const m5_md4_vertex *v)
{
    static const double tolerance = 1e-2;
    const float *n = v->normal;
    double length = sqrt((double)n[0] * n[0] + (double)n[1] * n[1] + (double)n[2] * n[2]);
    if (fabs(length - 1) <= tolerance || !is_finite((float)length))
        return;
    m5_diag d = found_part(p, M5_LINT_ROW(md4_vertex_normal), v->offset + 12, 12, i, "normal",
                           M5_NO_INDEX);
    m5_emit(&p->f->report, &d, 0, "the normal has length %.7g, expected 1", length);
}

/* Whether several vertices have texture coordinates so far outside 0 to 1 that a single one would
 * be a mistake: then it is intended. */
static bool are_many_far(const surface *p)
{
    uint32_t far = 0;
    for (uint32_t i = 0; i < p->s->num_verts; i++) {
        m5_md4_vertex v = m5_md4_vertex_at(p->m, p->s, i);
        far += m5_check_is_far_texcoord(v.st);
    }
    return far > 1;
}

/* How far outside 0 to 1 a coordinate is. `*many`: see are_many_far; below 0 until it is asked. */
static double off_texture(const surface *p, float coordinate, int *many)
{
    double off = fabs((double)coordinate);
    if (off <= M5_CHECK_TILED)
        return off;
    *many = *many < 0 ? are_many_far(p) : *many;
    return *many ? M5_CHECK_TILED : off;
}

static void check_texcoord(const surface *p, uint32_t i, const m5_md4_vertex *v, int *many)
{
    for (uint32_t k = 0; k < 2; k++) {
        if (!is_finite(v->st[k]))
            return;
        double off = off_texture(p, v->st[k], many);
        if (m5_would_say(&p->f->report, M5_ROW(md4_vertex_texcoord), off) == M5_SILENT)
            continue;
        m5_diag d = found_part(p, M5_ROW(md4_vertex_texcoord), v->offset + 24 + 4 * k, 4, i,
                               "texCoords", k);
        m5_emit(&p->f->report, &d, off, "%c is %.7g, far outside 0 to 1", "st"[k],
                (double)v -> st[k]);
        return;
    }
}

/* Returns how severe a finding is, by its row, if the weight is bad enough to spoil the sum, or
 * else M5_SILENT. */
static m5_severity check_weight(const surface *p, uint32_t i, uint32_t k, const m5_md4_weight *w)
{
    static const float least = 0.01F;
    static const double mild = 1e-5, grave = 1e-3, rounding = 1e-7;
    double weight = w->weight, above = weight - 1 - rounding;
    if (!is_finite(w->weight))
        return M5_ERROR; /* the parser reports it */
    if (w->weight >= least && above <= mild)
        return M5_SILENT;
    m5_diag d = found_part(p, M5_ROW(md4_weight_range), w->offset + 4, 4, i, "weight", k);
    d.path.step[3].name = "boneWeight";
    d.path.step[3].index = M5_NO_INDEX;
    bool bad = weight <= 0 || above > grave;
    m5_emit(&p->f->report, &d, bad ? M5_GRAVE : M5_MILD, "weight is %.7g, expected 0.01 to 1",
            weight);
    return bad ? d.own : M5_SILENT;
}

/* Reports the first bone that occurs twice in a vertex. */
static void check_repeats(const surface *p, uint32_t i, const m5_md4_weight *w, uint32_t count)
{
    for (uint32_t k = 1; k < count; k++)
        for (uint32_t j = 0; j < k; j++) {
            if (w[j].bone != w[k].bone)
                continue;
            m5_diag d = found_part(p, M5_LINT_ROW(md4_weight_bone_repeat), w[k].offset, 4, i,
                                   "weight", k);
            d.path.step[3].name = "boneIndex";
            d.path.step[3].index = M5_NO_INDEX;
            m5_emit(&p->f->report, &d, 0, "the vertex has a second weight for bone %u", w[k].bone);
            return;
        }
}

static void mark_used(const surface *p, const m5_md4_weight *w, uint32_t count)
{
    uint32_t bones = p->m->num_bones, mark = p->index + 1, *used = p->used;
    for (uint32_t k = 0; k < count; k++)
        if (w[k].bone < bones)
            used[w[k].bone] = mark;
}

static void check_weights(const surface *p, uint32_t i, const m5_md4_vertex *v,
                          const m5_md4_weight *w)
{
    double sum = 0;
    m5_severity worst = M5_SILENT;
    for (uint32_t k = 0; k < v->num_weights; k++) {
        m5_severity level = check_weight(p, i, k, &w[k]);
        worst = level > worst ? level : worst;
        sum += (double)w[k].weight;
    }
    double off = fabs(sum - 1) - 1e-7;
    if (m5_would_say(&p->f->report, M5_LINT_ROW(md4_weight_sum), off) <= worst)
        return;
    m5_diag d = found(p, M5_LINT_ROW(md4_weight_sum), v->offset,
                      M5_MD4_VERTEX + v->num_weights * M5_MD4_WEIGHT, "vertex", i);
    m5_relate(&d, &p->f->source, (m5_span){v->offset + M5_MD4_VERTEX + 4, 4}, "its first weight");
    m5_emit(&p->f->report, &d, off, "the vertex's weights sum to %.7g, expected 1 (%u weight%s)",
            sum, v->num_weights, v->num_weights == 1 ? "" : "s");
}

static void check_vertices(const surface *p)
{
    int many = -1;
    for (uint32_t i = 0; i < p->s->num_verts; i++) {
        m5_md4_vertex v = m5_md4_vertex_at(p->m, p->s, i);
        check_normal(p, i, &v);
        check_texcoord(p, i, &v, &many);
        if (v.num_weights == 0 || v.num_weights > M5_MD4_MAX_WEIGHTS)
            continue;
        m5_md4_weight w[M5_MD4_MAX_WEIGHTS];
        uint32_t count = v.num_weights;
        for (uint32_t k = 0; k < count; k++)
            w[k] = m5_md4_weight_at(p->m, p->s, i, k);
        check_weights(p, i, &v, w);
        check_repeats(p, i, w, count);
        mark_used(p, w, count);
    }
}

/* ---- Triangles, bone references, collapse map ------------------------------------------------ */

static void check_triangles(const surface *p)
{
    for (uint32_t i = 0; i < p->s->num_tris; i++) {
        uint32_t t[3];
        m5_md4_triangle_at(p->m, p->s, i, t);
        if (t[0] != t[1] && t[1] != t[2] && t[0] != t[2])
            continue;
        m5_diag d = found(p, M5_LINT_ROW(md4_tri_degenerate), p->s->tris_at + i * M5_MD4_TRIANGLE,
                          M5_MD4_TRIANGLE, "triangle", i);
        m5_emit(&p->f->report, &d, 0, "triangle %u uses vertex %u twice", i,
                t[0] == t[1] ? t[0] : t[2]);
    }
}

static void check_refs(const surface *p)
{
    for (uint32_t i = 0; i < p->s->num_refs; i++) {
        uint32_t bone = m5_md4_bone_ref_at(p->m, p->s, i);
        uint32_t at = p->s->refs_at + 4 * i;
        if (bone >= p->m->num_bones)
            continue;
        if (p->seen[bone] == p->index + 1) {
            m5_diag d = found(p, M5_LINT_ROW(md4_boneref_duplicate), at, 4, "boneRef", i);
            m5_emit(&p->f->report, &d, 0, "bone %u is listed twice", bone);
        } else if (p->used[bone] != p->index + 1 && p->s->verts_whole) {
            m5_diag d = found(p, M5_LINT_ROW(md4_boneref_unused), at, 4, "boneRef", i);
            m5_emit(&p->f->report, &d, 0,
                    "the surface lists bone %u, but none of its weights uses it", bone);
        }
        p->seen[bone] = p->index + 1;
    }
}

static const m5_rule *collapse_rule(const surface *p, uint32_t i)
{
    uint32_t lod = p->s->min_lod > 1 ? (uint32_t)p->s->min_lod : 1;
    return i == 0    ? M5_LINT_ROW(md4_collapse_root)
           : i < lod ? M5_LINT_ROW(md4_collapse_order_low)
                     : M5_LINT_ROW(md4_collapse_order);
}

static void say_collapse(const surface *p, uint32_t i, uint32_t to)
{
    m5_diag d = found(p, collapse_rule(p, i), p->s->collapse_at + 4 * i, 4, "collapseMap", i);
    if (i == 0)
        m5_emit(&p->f->report, &d, 0,
                "vertex 0 collapses to %u, expected 0: it is the last vertex left", to);
    else
        m5_emit(&p->f->report, &d, 0, "vertex %u collapses to %u, expected a vertex below %u", i,
                to, i);
}

/* Whether no vertex is ever replaced: then entries that collapse to themselves are right. */
static bool is_lod_off(const surface *p)
{
    return p->s->min_lod >= (int64_t)p->s->num_verts;
}

/* Entries that collapse to themselves are one decision of the exporter: they are reported once. */
static void say_staying(const surface *p, uint32_t first, uint32_t count)
{
    m5_diag d = found(p, collapse_rule(p, first), p->s->collapse_at + 4 * first, 4, "collapseMap",
                      first);
    m5_emit(&p->f->report, &d, 0,
            "vertex %u collapses to itself, expected a vertex below %u (%u %s with this fault)",
            first, first, count, count == 1 ? "vertex" : "vertices");
}

static void check_collapse(const surface *p)
{
    uint32_t first = 0, count = 0;
    for (uint32_t i = 0; i < p->s->num_verts; i++) {
        uint32_t to = m5_md4_collapse_at(p->m, p->s, i);
        if (to < i || to == 0 || to >= p->s->num_verts)
            continue;
        if (to != i) {
            say_collapse(p, i, to);
            continue;
        }
        if (count != 0 && collapse_rule(p, i) != collapse_rule(p, first)) {
            say_staying(p, first, count);
            count = 0;
        }
        first = count++ == 0 ? i : first;
    }
    if (count != 0 && !(is_lod_off(p) && count == p->s->num_verts - 1))
        say_staying(p, first, count);
}

static void check_surface(const surface *p)
{
    check_fields(p);
    check_vertices(p);
    check_triangles(p);
    check_refs(p);
    check_collapse(p);
}

void m5_check_md4_surfaces(m5_lint_file *f)
{
    const m5_md4 *m = f->model.md4;
    check_headers(f);
    size_t mark = f->arena.used;
    uint32_t *used = m5_check_scratch(f, m->num_bones, sizeof *used);
    uint32_t *seen = m5_check_scratch(f, m->num_bones, sizeof *seen);
    if (used != NULL && seen != NULL) {
        memset(used, 0, m->num_bones * sizeof *used);
        memset(seen, 0, m->num_bones * sizeof *seen);
        for (uint32_t i = 0; i < m->num_surfs; i++)
            check_surface(&(surface){f, m, &m->surfs[i], i, used, seen});
    }
    m5_arena_release(&f->arena, mark);
}
