/* A mesh and an animation that come from different games or archives. */
#include "cross.h"
#include "lint/core/check.h"
#include "lint/core/names.h"
#include "parsers/core/emit.h"
#include "parsers/md5/lex.h"

#include <string.h>

static bool same_parent(const m5_md5_joint *a, const m5_md5_joint *b)
{
    bool broken = a->parent == M5_BROKEN_PARENT || b->parent == M5_BROKEN_PARENT;
    return broken || a->parent == b->parent;
}

static bool is_same_name(const m5_lint_file *mesh, const m5_lint_file *anim, uint32_t joint)
{
    return m5_check_same_but_case(&mesh->source, mesh->model.md5mesh->joints[joint].name,
                                  &anim->source, anim->model.md5anim->joints[joint].name);
}

/* The first joint whose name or parent differs; M5_NO_INDEX if none of those does that both have.
 */
static uint32_t first_difference(const m5_lint_file *mesh, const m5_lint_file *anim)
{
    const m5_md5mesh *m = mesh->model.md5mesh;
    const m5_md5anim *a = anim->model.md5anim;
    for (uint32_t i = 0; i < m->num_joints && i < a->num_joints; i++)
        if (!same_parent(&m->joints[i], &a->joints[i]) || !is_same_name(mesh, anim, i))
            return i;
    return M5_NO_INDEX;
}

static void say_counts(const m5_lint_file *mesh, m5_lint_file *anim)
{
    const m5_md5mesh *m = mesh->model.md5mesh;
    const m5_md5anim *a = anim->model.md5anim;
    m5_diag d = m5_found(M5_LINT_ROW(pack_pair_split), a->num_joints_at);
    m5_relate(&d, &mesh->source, m->num_joints_at, "the mesh's numJoints");
    m5_emit(&anim->report, &d, 0,
            "the animation is from '%s' and its mesh from '%s': %u joint%s, but the mesh has %u",
            anim->from, mesh->from, a->num_joints, a->num_joints == 1 ? "" : "s", m->num_joints);
}

static void say_joint(const m5_lint_file *mesh, m5_lint_file *anim, uint32_t i)
{
    const m5_md5_joint *m = &mesh->model.md5mesh->joints[i], *a = &anim->model.md5anim->joints[i];
    bool parent = is_same_name(mesh, anim, i);
    m5_diag d = m5_check_at(anim, M5_LINT_ROW(pack_pair_split), a->offset, parent);
    d.path = m5_path1("joint", i);
    m5_relate(&d, &mesh->source, m5_lex_nth(&mesh->source, m->offset, parent), "the mesh's joint");
    if (parent)
        m5_emit(&anim->report, &d, 0,
                "the animation is from '%s' and its mesh from '%s': joint %u '%.*s' has parent %d, "
                "in the mesh %d",
                anim->from, mesh->from, i, M5_CHECK_NAME(anim, a->name), a->parent, m->parent);
    else
        m5_emit(
            &anim->report, &d, 0,
            "the animation is from '%s' and its mesh from '%s': joint %u is '%.*s', in the mesh "
            "'%.*s'",
            anim->from, mesh->from, i, M5_CHECK_NAME(anim, a->name), M5_CHECK_NAME(mesh, m->name));
}

bool m5_check_split(const m5_lint_file *mesh, m5_lint_file *anim)
{
    const m5_md5mesh *m = mesh->model.md5mesh;
    const m5_md5anim *a = anim->model.md5anim;
    if (mesh->from == NULL || anim->from == NULL || strcmp(mesh->from, anim->from) == 0 ||
        !m->joints_whole || !a->joints_whole ||
        !m5_check_wanted(anim, M5_LINT_ROW(pack_pair_split)))
        return false;
    uint32_t joint = first_difference(mesh, anim);
    if (joint != M5_NO_INDEX)
        say_joint(mesh, anim, joint);
    else if (m->num_joints != a->num_joints)
        say_counts(mesh, anim);
    return joint != M5_NO_INDEX || m->num_joints != a->num_joints;
}
