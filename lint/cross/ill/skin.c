/* Which bones move the vertices of an illmesh. */
#include "skin.h"
#include "checks.h"

uint32_t m5_check_bones_needed(const m5_illmesh *m)
{
    uint32_t needed = 0;
    for (uint32_t i = 0; m->at[M5_ILL_BONES] >= 0 && i < m->num_verts; i++) {
        const float *bone = m5_ill_bones_of(m, i), *weight = bone + 4;
        for (int k = 0; k < 4; k++)
            if (weight[k] != 0 && bone[k] >= (float)needed && bone[k] < 4294967040.0F)
                needed = (uint32_t)bone[k] + 1;
    }
    return needed;
}

uint32_t m5_ill_main_bone(const m5_illmesh *m, uint32_t vertex, uint32_t k, uint32_t bones)
{
    const float *bone = m5_ill_bones_of(m, vertex), *weight = bone + 4;
    return weight[k] >= 0.5F && bone[k] >= 0 && bone[k] < (float)bones ? (uint32_t)bone[k]
                                                                       : M5_NO_INDEX;
}

void m5_ill_mark_bones(const m5_illmesh *m, uint8_t *marks, uint32_t bones)
{
    for (uint32_t i = 0; m->at[M5_ILL_BONES] >= 0 && i < m->num_verts; i++) {
        const float *bone = m5_ill_bones_of(m, i), *weight = bone + 4;
        for (int k = 0; k < 4; k++)
            if (weight[k] != 0 && bone[k] >= 0 && bone[k] < (float)bones)
                marks[(uint32_t)bone[k]] = 1;
    }
}

enum { INSIDE = 1, OUTSIDE = 2 };

/* Whether a vertex hangs on bones that are marked, on others, or on both. */
static int sides_of(const m5_illmesh *m, uint32_t vertex, const uint8_t *marks, uint32_t bones)
{
    static const float least_weight = 0.05F;
    const float *bone = m5_ill_bones_of(m, vertex), *weight = bone + 4;
    int sides = 0;
    for (int k = 0; k < 4; k++)
        if (weight[k] >= least_weight && bone[k] >= 0 && bone[k] < (float)bones)
            sides |= marks[(uint32_t)bone[k]] ? INSIDE : OUTSIDE;
    return sides;
}

bool m5_ill_connects(const m5_illmesh *m, const uint8_t *marks, uint32_t bones)
{
    if (m->at[M5_ILL_BONES] < 0)
        return false;
    for (uint32_t i = 0; i + 2 < m->num_indices; i += 3) {
        int sides = 0;
        for (uint32_t k = i; k < i + 3; k++)
            if (m->indices[k] < m->num_verts) /* in a flawed mesh */
                sides |= sides_of(m, m->indices[k], marks, bones);
        if (sides == (INSIDE | OUTSIDE))
            return true;
    }
    return false;
}
