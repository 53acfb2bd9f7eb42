/* Plans what an illmesh must hold after its header: the parts of a vertex by its flags, in either
 * layout. */
#include "illmesh_state.h"

const uint8_t m5_illmesh_width[M5_ILL_PARTS] = {3, 3, 3, 3, 2, 4, 4, 4};

static const char *const part_name[M5_ILL_PARTS] = {"position", "normal", "tangent", "bitangent",
                                                    "texcoord", "bones",  "weights", "color"};

const uint8_t m5_illmesh_flag_of[M5_ILL_PARTS] = {0, 1, 2, 2, 3, 4, 4, 5};

uint32_t m5_illmesh_vertex_words(const bool flag[M5_ILL_FLAGS])
{
    uint32_t words = 0;
    for (unsigned i = 0; i < M5_ILL_PARTS; i++)
        words += flag[m5_illmesh_flag_of[i]] ? m5_illmesh_width[i] : 0;
    return words;
}

/* One vector on a line, or one vertex if `merged`. With `engine`, bones and weights come before
 * texture coordinates: the order is only known once they are read, unless lines show it. */
static void plan_vertex(m5_ill_section *s, const m5_illmesh_state *w)
{
    static const uint8_t order[2][M5_ILL_PARTS] = {{0, 1, 2, 3, 4, 5, 6, 7},
                                                   {0, 1, 2, 3, 5, 6, 4, 7}};
    s->num_rows = 0;
    for (unsigned i = 0; i < M5_ILL_PARTS; i++) {
        unsigned part = order[w->engine][i];
        if (!w->flag[m5_illmesh_flag_of[part]])
            continue;
        s->row[s->num_rows].name = part_name[part];
        s->row[s->num_rows++].width = m5_illmesh_width[part];
    }
    if (w->merged && s->num_rows != 0) {
        s->row[0].name = "vertex";
        s->row[0].width = m5_illmesh_vertex_words(w->flag);
        s->num_rows = 1;
    }
}

m5_ill_plan m5_illmesh_plan(const m5_illmesh_state *w)
{
    m5_ill_plan plan = {.num_sections = 3, .cycles = 1};
    plan.section[M5_ILLMESH_VERTS] = (m5_ill_section){
        .record = "vertex", .kind = M5_ILL_FLOATS, .count = w->verts.value};
    plan_vertex(&plan.section[M5_ILLMESH_VERTS], w);
    plan.section[M5_ILLMESH_TRIANGLES] = (m5_ill_section){
        .record = "triangle", .kind = M5_ILL_INTS, .count = w->indices.value / 3, .num_rows = 1};
    plan.section[M5_ILLMESH_TRIANGLES].row[0].name = "indices";
    plan.section[M5_ILLMESH_TRIANGLES].row[0].width = 3;
    plan.section[M5_ILLMESH_ODD] = (m5_ill_section){.record = "index",
                                                    .kind = M5_ILL_INTS,
                                                    .count = w->indices.value % 3,
                                                    .num_rows = 1,
                                                    .row = {{"index", 1, NULL}}};
    return plan;
}
