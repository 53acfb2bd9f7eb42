/* Checks the header, vertices and triangles of an illmesh. */
#include "checks.h"
#include "lint/common/checks.h"
#include "lint/common/weights.h"
#include "lint/core/check.h"
#include "parsers/core/allocate.h"
#include "parsers/core/emit.h"

#include "parsers/ill/words.h"

#include <math.h>
#include <string.h>

static m5_diag found_in_vertex(const m5_lint_file *f, const m5_rule *rule, uint32_t vertex,
                               m5_illmesh_part part, uint32_t k)
{
    static const char *const name[M5_ILL_PARTS] = {"position", "normal", "tangent", "bitangent",
                                                   "texcoord", "bones",  "weights", "color"};
    const m5_illmesh *m = f->model.illmesh;
    uint32_t word = (uint32_t)m->at[part] + k;
    m5_diag d = m5_found(rule, m5_words_nth(&f->source, m->vert_offsets[vertex], word));
    d.path = m5_path2("vertex", vertex, name[part], k);
    return d;
}

static const float *part_of(const m5_illmesh *m, uint32_t vertex, m5_illmesh_part part)
{
    return m->verts + (size_t)vertex * m->stride + m->at[part];
}

/* ---- The header ------------------------------------------------------------------------------ */

static void say_header(m5_lint_file *f, const m5_rule *rule, m5_span at, const char *says)
{
    m5_diag d = m5_found(rule, at);
    m5_emit(&f->report, &d, 0, "%s", says);
}

static void check_limit(m5_lint_file *f, m5_span at, uint32_t count, const char *what)
{
    m5_diag d = m5_found(M5_LINT_ROW(illmesh_index_limit), at);
    if (count > 65535)
        m5_emit(&f->report, &d, 0,
                "the mesh has %u %s, expected at most 65535 for illEngine's later binary format",
                count, what);
}

static void check_header(m5_lint_file *f)
{
    const m5_illmesh *m = f->model.illmesh;
    if (m->num_indices_at.length == 0)
        return;
    if (m->at[M5_ILL_POSITION] < 0)
        say_header(f, M5_LINT_ROW(illmesh_no_positions), m->flags[0],
                   "vertices have no positions, expected the first flag to be 1");
    if (m->at[M5_ILL_TANGENT] >= 0 && m->at[M5_ILL_NORMAL] < 0)
        say_header(f, M5_LINT_ROW(illmesh_tangent_without_normal), m->flags[2],
                   "the mesh has tangents but no normals, expected both");
    check_limit(f, m->num_verts_at, m->num_verts, "vertices");
    check_limit(f, m->num_indices_at, m->num_indices, "indices");
}

/* ---- Vectors --------------------------------------------------------------------------------- */

static double dot(const float *a, const float *b)
{
    return (double)a[0] * b[0] + (double)a[1] * b[1] + (double)a[2] * b[2];
}

/* Whether a vector was made from bytes, from -127 to 127 or from 0 to 255: the length of such a
 * vector differs from 1 by up to a hundredth. */
static bool is_of_bytes(const float *v)
{
    static const double rounding = 2e-4;
    bool of[2] = {true, true};
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 2; i++) {
            double n = (double)v[k] * (i == 0 ? 127 : 255);
            of[i] &= fabs(n - round(n)) <= rounding;
        }
    return of[0] || of[1];
}

static bool check_unit(m5_lint_file *f, uint32_t i, m5_illmesh_part part, const m5_rule *rule,
                       const char *what)
{
    static const double tolerance = 1e-3, of_bytes = 1e-2;
    const float *v = part_of(f->model.illmesh, i, part);
    double length = sqrt(dot(v, v)), off = fabs(length - 1);
    if (!(off > tolerance) || (off <= of_bytes && is_of_bytes(v)))
        return !isnan(length);
    m5_diag d = found_in_vertex(f, rule, i, part, 0);
    m5_emit(&f->report, &d, 0, "vertex %u: the %s's length is %.7g, expected 1", i, what, length);
    return false;
}

static void check_basis(m5_lint_file *f, uint32_t i, m5_illmesh_part part, const char *what)
{
    static const double tolerance = 0.1;
    const m5_illmesh *m = f->model.illmesh;
    double along = dot(part_of(m, i, part), part_of(m, i, M5_ILL_NORMAL));
    if (fabs(along) <= tolerance)
        return;
    m5_diag d = found_in_vertex(f, M5_LINT_ROW(illmesh_tangent_basis), i, part, 0);
    m5_emit(
        &f->report, &d, 0,
        "vertex %u: the %s is not perpendicular to the normal: their dot product is %.3g, expected 0",
        i, what, along);
}

static void check_vectors(m5_lint_file *f, uint32_t i)
{
    const m5_illmesh *m = f->model.illmesh;
    bool normal = m->at[M5_ILL_NORMAL] >= 0 &&
                  check_unit(f, i, M5_ILL_NORMAL, M5_LINT_ROW(illmesh_normal_unit), "normal");
    if (m->at[M5_ILL_TANGENT] < 0)
        return;
    bool tangent = check_unit(f, i, M5_ILL_TANGENT, M5_LINT_ROW(illmesh_tangent_unit), "tangent");
    bool bitangent = check_unit(f, i, M5_ILL_BITANGENT, M5_LINT_ROW(illmesh_bitangent_unit),
                                "bitangent");
    if (normal && tangent)
        check_basis(f, i, M5_ILL_TANGENT, "tangent");
    if (normal && bitangent)
        check_basis(f, i, M5_ILL_BITANGENT, "bitangent");
}

/* ---- Blend data ------------------------------------------------------------------------------ */

/* State that is kept from vertex to vertex. */
typedef struct blends {
    bool order_wanted, unused_wanted; /* these rules are on */
    bool limit_reported, range_reported, asked;
    m5_weight_range range; /* of all weights; computed when the first one is out of range */
    uint8_t *used;         /* see find_used; computed when it is first needed */
} blends;

/* A weight of 0 fills an entry that is not used. */
static m5_weight_range range_of(const m5_lint_file *f)
{
    const m5_illmesh *m = f->model.illmesh;
    m5_weight_range range = {0};
    for (uint32_t i = 0; i < m->num_verts; i++)
        for (uint32_t k = 0; k < 4; k++) {
            double w = part_of(m, i, M5_ILL_WEIGHTS)[k];
            if (w != 0 && !isnan(w))
                m5_weight_range_add(&range, &f->report, M5_LINT_ROW(illmesh_weight_range), w);
        }
    return range;
}

static void say_range(m5_lint_file *f, uint32_t i, const float *weight, uint32_t k, blends *b)
{
    double w = weight[k], sum = 0;
    char more[M5_WEIGHT_RANGE_TEXT] = "";
    for (int j = 0; j < 4; j++)
        sum += (double)weight[j];
    if (m5_weight_range_is_one(&b->range))
        m5_weight_range_print(&b->range, sum, more);
    m5_diag d = found_in_vertex(f, M5_LINT_ROW(illmesh_weight_range), i, M5_ILL_WEIGHTS, k);
    m5_emit(&f->report, &d, m5_weight_beyond(w), "vertex %u: a weight is %.7g, expected 0 to 1%s",
            i, w, more);
    b->range_reported = true;
}

/* Checks each weight by itself; false if the weights cannot be added up. */
static bool check_weights(m5_lint_file *f, uint32_t i, const float *weight, blends *b)
{
    bool sound = true;
    for (uint32_t k = 0; k < 4; k++) {
        double w = weight[k];
        if (isnan(w))
            return false;
        m5_severity level = w >= 0 && w <= 1
                                ? M5_SILENT
                                : m5_would_say(&f->report, M5_LINT_ROW(illmesh_weight_range),
                                               m5_weight_beyond(w));
        if (level == M5_SILENT)
            continue;
        if (b->range.all == 0)
            b->range = range_of(f);
        if (!m5_weight_range_is_one(&b->range) || (level == b->range.worst && !b->range_reported))
            say_range(f, i, weight, k, b);
        sound &= level != M5_ERROR;
    }
    return sound;
}

/* Which vertices are in a triangle, in scratch memory; NULL if that is not known. */
static uint8_t *find_used(m5_lint_file *f)
{
    const m5_illmesh *m = f->model.illmesh;
    uint8_t *used = m->indices_whole ? m5_check_scratch(f, m->num_verts, 1) : NULL;
    if (used != NULL)
        memset(used, 0, m->num_verts);
    for (uint32_t i = 0; i < m->num_indices && used != NULL; i++)
        if (m->indices[i] < m->num_verts)
            used[m->indices[i]] = 1;
    return used;
}

/* Whether a vertex is in no triangle, so that it is never drawn and its weights do not matter. A
 * mesh without triangles may be a set of points. */
static bool is_loose(m5_lint_file *f, uint32_t i, blends *b)
{
    if (!b->asked && f->model.illmesh->num_indices != 0)
        b->used = find_used(f);
    b->asked = true;
    return b->used != NULL && !b->used[i];
}

static void check_sum(m5_lint_file *f, uint32_t i, const float *weight, blends *b)
{
    double sum = 0, off;
    for (int k = 0; k < 4; k++)
        sum += (double)weight[k];
    off = fabs(sum - 1) - M5_BIAS_ROUNDING;
    if (m5_would_say(&f->report, M5_LINT_ROW(illmesh_weight_sum), off) == M5_SILENT ||
        is_loose(f, i, b))
        return;
    m5_diag d = found_in_vertex(f, M5_LINT_ROW(illmesh_weight_sum), i, M5_ILL_WEIGHTS, 0);
    m5_emit(&f->report, &d, off, "vertex %u: the weights sum to %.7g, expected 1", i, sum);
}

static void check_order(m5_lint_file *f, uint32_t i, const float *weight)
{
    for (uint32_t k = 1; k < 4; k++) {
        if (!(weight[k] > weight[k - 1]))
            continue;
        m5_diag d = found_in_vertex(f, M5_LINT_ROW(illmesh_weight_order), i, M5_ILL_WEIGHTS, k);
        m5_emit(&f->report, &d, 0,
                "vertex %u: a weight of %.7g comes after one of %.7g, expected the largest first",
                i, (double)weight[k], (double)weight[k - 1]);
        return;
    }
}

static void check_unused(m5_lint_file *f, uint32_t i, const float *bone, const float *weight)
{
    for (uint32_t k = 0; k < 4; k++) {
        if (weight[k] != 0 || bone[k] == 0 || isnan(bone[k]))
            continue;
        m5_diag d = found_in_vertex(f, M5_LINT_ROW(illmesh_bone_index_unused), i, M5_ILL_BONES, k);
        m5_emit(&f->report, &d, 0,
                "vertex %u: bone %.7g has weight 0, expected bone 0 for weight 0", i,
                (double)bone[k]);
    }
}

static void check_blend(m5_lint_file *f, uint32_t i, blends *b)
{
    const m5_illmesh *m = f->model.illmesh;
    const float *bone = part_of(m, i, M5_ILL_BONES), *weight = part_of(m, i, M5_ILL_WEIGHTS);
    if (check_weights(f, i, weight, b))
        check_sum(f, i, weight, b);
    if (b->order_wanted)
        check_order(f, i, weight);
    if (b->unused_wanted)
        check_unused(f, i, bone, weight);
    for (uint32_t k = 0; k < 4 && !b->limit_reported; k++) {
        if (!(bone[k] > 127) || weight[k] == 0)
            continue;
        m5_diag d = found_in_vertex(f, M5_LINT_ROW(illmesh_bone_index_limit), i, M5_ILL_BONES, k);
        m5_emit(&f->report, &d, 0,
                "vertex %u is weighted to bone %.7g, expected 0 to 127 for illEngine's demo shader",
                i, (double)bone[k]);
        b->limit_reported = true;
    }
}

/* ---- Texture coordinates and colours --------------------------------------------------------- */

/* Whether several vertices have texture coordinates so far outside 0 to 1 that a single one would
 * be a mistake: then it is intended. */
static bool are_many_far(const m5_illmesh *m)
{
    uint32_t far = 0;
    for (uint32_t i = 0; i < m->num_verts && m->at[M5_ILL_TEXCOORD] >= 0; i++)
        far += m5_check_is_far_texcoord(part_of(m, i, M5_ILL_TEXCOORD));
    return far > 1;
}

/* How far outside 0 to 1 a coordinate is. `*many`: see are_many_far; below 0 until it is asked. */
static double off_texture(const m5_illmesh *m, float coordinate, int *many)
{
    double off = fabs((double)coordinate);
    if (off <= M5_CHECK_TILED)
        return off;
    *many = *many < 0 ? are_many_far(m) : *many;
    return *many ? M5_CHECK_TILED : off;
}

static void check_texcoord(m5_lint_file *f, uint32_t i, int *many)
{
    const float *st = part_of(f->model.illmesh, i, M5_ILL_TEXCOORD);
    for (uint32_t k = 0; k < 2; k++) {
        double off = off_texture(f->model.illmesh, st[k], many);
        if (m5_would_say(&f->report, M5_LINT_ROW(illmesh_uv_range), off) == M5_SILENT)
            continue;
        m5_diag d = found_in_vertex(f, M5_LINT_ROW(illmesh_uv_range), i, M5_ILL_TEXCOORD, k);
        m5_emit(&f->report, &d, off,
                "vertex %u: texture coordinate %c is %.7g, far outside 0 to 1 (usual: -8 to 8)", i,
                "st"[k], (double)st[k]);
    }
}

/* Returns whether texture coordinates seem to be in pixels and this was reported. */
static bool check_pixels(m5_lint_file *f)
{
    const m5_illmesh *m = f->model.illmesh;
    float largest = 0;
    uint32_t pixels = 0;
    for (uint32_t i = 0; i < m->num_verts && m->at[M5_ILL_TEXCOORD] >= 0; i++)
        pixels += m5_check_is_pixel(part_of(m, i, M5_ILL_TEXCOORD), &largest);
    if (!m5_check_wanted(f, M5_LINT_ROW(illmesh_uv_pixels)) ||
        !m5_check_are_pixels(pixels, m->num_verts, largest))
        return false;
    m5_diag d = found_in_vertex(f, M5_LINT_ROW(illmesh_uv_pixels), 0, M5_ILL_TEXCOORD, 0);
    m5_emit(
        &f->report, &d, 0,
        "nearly all texture coordinates are far outside 0 to 1 (up to %g): they seem to be in pixels",
        (double)largest);
    return true;
}

static void check_color(m5_lint_file *f, uint32_t i)
{
    static const double tolerance = 1e-5;
    const float *color = part_of(f->model.illmesh, i, M5_ILL_COLOR);
    for (uint32_t k = 0; k < 4; k++) {
        if (!((double)color[k] < -tolerance || (double)color[k] > 1 + tolerance))
            continue;
        m5_diag d = found_in_vertex(f, M5_LINT_ROW(illmesh_color_range), i, M5_ILL_COLOR, k);
        m5_emit(&f->report, &d, 0, "vertex %u: colour component %u is %.7g, expected 0 to 1", i, k,
                (double)color[k]);
        return;
    }
}

static void check_vertices(m5_lint_file *f)
{
    const m5_illmesh *m = f->model.illmesh;
    size_t mark = f->arena.used;
    blends b = {.order_wanted = m5_check_wanted(f, M5_LINT_ROW(illmesh_weight_order)),
                .unused_wanted = m5_check_wanted(f, M5_LINT_ROW(illmesh_bone_index_unused))};
    bool pixels = check_pixels(f);
    int many = -1;
    for (uint32_t i = 0; i < m->num_verts; i++) {
        check_vectors(f, i);
        if (m->at[M5_ILL_BONES] >= 0)
            check_blend(f, i, &b);
        if (m->at[M5_ILL_TEXCOORD] >= 0 && !pixels)
            check_texcoord(f, i, &many);
        if (m->at[M5_ILL_COLOR] >= 0)
            check_color(f, i);
    }
    m5_arena_release(&f->arena, mark);
}

/* ---- Triangles ------------------------------------------------------------------------------- */

static void check_triangles(m5_lint_file *f)
{
    const m5_illmesh *m = f->model.illmesh;
    for (uint32_t i = 0; i < m->num_indices / 3; i++) {
        const uint32_t *t = m->indices + (size_t)i * 3;
        bool read = t[0] < m->num_verts && t[1] < m->num_verts && t[2] < m->num_verts;
        if (!read || (t[0] != t[1] && t[1] != t[2] && t[0] != t[2]))
            continue;
        m5_diag d = m5_found(M5_LINT_ROW(illmesh_tri_degenerate),
                             m5_words_nth(&f->source, m->triangle_offsets[i], 0));
        d.path = m5_path1("triangle", i);
        m5_emit(&f->report, &d, 0,
                "triangle %u uses vertex %u twice, expected three different vertices", i,
                t[0] == t[1] ? t[0] : t[2]);
    }
}

static void check_all_used(m5_lint_file *f)
{
    const m5_illmesh *m = f->model.illmesh;
    size_t mark = f->arena.used;
    uint32_t unused = 0, first = 0;
    const uint8_t *used = find_used(f);
    for (uint32_t i = m->num_verts; i-- > 0 && used != NULL;) {
        first = used[i] ? first : i;
        unused += !used[i];
    }
    m5_arena_release(&f->arena, mark);
    if (unused == 0)
        return;
    m5_diag d = m5_found(M5_LINT_ROW(illmesh_vert_unused),
                         m5_words_nth(&f->source, m->vert_offsets[first], 0));
    d.path = m5_path1("vertex", first);
    m5_emit(&f->report, &d, 0, "vertex %u is used by no triangle (%u %s unused)", first, unused,
            unused == 1 ? "vertex" : "vertices");
}

static bool are_in_one_place(const m5_illmesh *m)
{
    enum { MARK = 3 }; /* a single triangle may mark a place */
    for (uint32_t i = 1; i < m->num_verts; i++)
        for (int k = 0; k < 3; k++)
            if (part_of(m, i, M5_ILL_POSITION)[k] != part_of(m, 0, M5_ILL_POSITION)[k])
                return false;
    return m->num_verts > MARK;
}

static void check_collapsed(m5_lint_file *f)
{
    enum { SQUARE = 4 }; /* a shader may spread the corners of a sprite */
    const m5_illmesh *m = f->model.illmesh;
    if (m->num_indices == 0 || m->at[M5_ILL_POSITION] < 0 || !are_in_one_place(m))
        return;
    m5_diag d = found_in_vertex(f, M5_LINT_ROW(illmesh_collapsed), 0, M5_ILL_POSITION, 0);
    m5_emit(&f->report, &d, m->num_verts > SQUARE ? M5_GRAVE : M5_MILD,
            "all %u vertices have the same position", m->num_verts);
}

void m5_check_illmesh(m5_lint_file *f)
{
    bool clean = f->report.flaws == 0; /* the parser found none: every index is in range */
    check_header(f);
    check_vertices(f);
    check_triangles(f);
    if (clean)
        check_collapsed(f);
    if (m5_check_wanted(f, M5_LINT_ROW(illmesh_vert_unused)))
        check_all_used(f);
    if (!clean)
        m5_check_skip(f, M5_SKIPPED_ILLMESH_SHAPE);
    else if (!m5_settings_of(&f->report)->no_geometry)
        m5_check_illmesh_topology(f);
}
