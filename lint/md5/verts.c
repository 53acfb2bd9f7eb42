/* Vertices: how many weights they have, whether triangles use them, and texture coordinates. */
#include "checks.h"
#include "lint/core/check.h"
#include "parsers/core/allocate.h"
#include "parsers/core/emit.h"

#include <math.h>
#include <string.h>

/* Tokens of  vert number ( s t ) start count */
enum { VERT_S = 3, VERT_T = 4, VERT_COUNT = 7 };

static m5_diag at_vert(const m5_lint_file *f, const m5_rule *rule, uint32_t mesh, uint32_t i,
                       uint32_t token)
{
    m5_diag d = m5_check_at(f, rule, f->model.md5mesh->meshes[mesh].verts[i].offset, token);
    d.path = m5_path2("mesh", mesh, "vert", i);
    return d;
}

/* Tagged as more where even those engines have no room that keep 8. */
static void check_influences(m5_lint_file *f, uint32_t mesh)
{
    enum { MANY = 8 };
    const m5_md5mesh_mesh *m = &f->model.md5mesh->meshes[mesh];
    for (uint32_t i = 0; i < m->num_verts; i++) {
        if (m->verts[i].count <= 4 || m5_check_is_miscounted(f, m, i))
            continue;
        m5_diag d = at_vert(f, M5_LINT_ROW(md5mesh_vert_influences), mesh, i, VERT_COUNT);
        d.tag = m->verts[i].count > MANY ? M5_TAG_more : M5_TAG_none;
        m5_emit(&f->report, &d, m->verts[i].count, "vertex %u has %u weights; %s", i,
                m->verts[i].count,
                m->verts[i].count > 256 ? "RBDOOM-3-BFG has room for only 256"
                                        : "many engines keep only the 4 strongest");
    }
}

static void say_pixels(m5_lint_file *f, uint32_t mesh, float most)
{
    m5_diag d = at_vert(f, M5_LINT_ROW(md5mesh_uv_pixels), mesh, 0, VERT_S);
    m5_emit(
        &f->report, &d, 0,
        "mesh %u: nearly all texture coordinates are far outside 0 to 1 (up to %g): they seem to "
        "be in pixels",
        mesh, (double)most);
}

static bool is_stray(const m5_md5mesh_vert *v)
{
    return v->start != M5_BROKEN && m5_check_is_far_texcoord(v->st);
}

/* Reports each vertex whose texture coordinates are far outside 0 to 1. Where several are very
 * far, it is intended: each is only measured as far as a texture may be tiled. */
static void check_range(m5_lint_file *f, uint32_t mesh)
{
    const m5_md5mesh_mesh *m = &f->model.md5mesh->meshes[mesh];
    uint32_t strays = 0;
    for (uint32_t i = 0; i < m->num_verts; i++)
        strays += is_stray(&m->verts[i]);
    bool many = strays > 1;
    for (uint32_t i = 0; i < m->num_verts; i++) {
        if (m->verts[i].start == M5_BROKEN) /* then its coordinates are not set */
            continue;
        float s = fabsf(m->verts[i].st[0]), t = fabsf(m->verts[i].st[1]);
        float most = s > t ? s : t;
        if (m5_would_say(&f->report, M5_LINT_ROW(md5mesh_uv_range), most) == M5_SILENT)
            continue;
        m5_diag d = at_vert(f, M5_LINT_ROW(md5mesh_uv_range), mesh, i, s > t ? VERT_S : VERT_T);
        m5_emit(&f->report, &d,
                many && (double)most > M5_CHECK_TILED ? M5_CHECK_TILED : (double)most,
                "vertex %u: texture coordinate %g is far outside 0 to 1", i,
                (double)m->verts[i].st[s > t ? 0 : 1]);
    }
}

static void check_uv(m5_lint_file *f, uint32_t mesh)
{
    const m5_md5mesh_mesh *m = &f->model.md5mesh->meshes[mesh];
    float largest = 0;
    uint32_t pixels = 0;
    for (uint32_t i = 0; i < m->num_verts; i++)
        if (m->verts[i].start != M5_BROKEN)
            pixels += m5_check_is_pixel(m->verts[i].st, &largest);
    if (m5_check_wanted(f, M5_LINT_ROW(md5mesh_uv_pixels)) &&
        m5_check_are_pixels(pixels, m->num_verts, largest))
        say_pixels(f, mesh, largest);
    else if (m5_would_say(&f->report, M5_LINT_ROW(md5mesh_uv_range), largest) != M5_SILENT)
        check_range(f, mesh);
}

static void check_unused(m5_lint_file *f, uint32_t mesh)
{
    const m5_md5mesh_mesh *m = &f->model.md5mesh->meshes[mesh];
    size_t mark = f->arena.used;
    uint8_t *used = m5_check_scratch(f, m->num_verts, 1);
    if (used == NULL)
        return;
    memset(used, 0, m->num_verts);
    for (uint32_t i = 0; i < m->num_tris; i++)
        for (int k = 0; k < 3; k++)
            used[m->tris[i].vert[k]] = 1;
    for (uint32_t i = 0; i < m->num_verts; i++) {
        if (used[i])
            continue;
        m5_diag d = at_vert(f, M5_LINT_ROW(md5mesh_vert_unused), mesh, i, 1);
        m5_emit(&f->report, &d, 0, "vertex %u is used by no triangle", i);
    }
    m5_arena_release(&f->arena, mark);
}

void m5_check_md5mesh_verts(m5_lint_file *f)
{
    const m5_md5mesh *m = f->model.md5mesh;
    bool want_unused = m5_check_wanted(f, M5_LINT_ROW(md5mesh_vert_unused));
    for (uint32_t i = 0; i < m->num_meshes; i++) {
        check_influences(f, i);
        check_uv(f, i);
        if (want_unused && m->meshes[i].whole && m->meshes[i].num_tris != 0)
            check_unused(f, i);
    }
}
