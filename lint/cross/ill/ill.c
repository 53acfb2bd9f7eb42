/* Compares an illmesh or illanim with the illskel it belongs to. */
#include "checks.h"
#include "skin.h"
#include "lint/core/check.h"
#include "lint/core/names.h"
#include "parsers/core/emit.h"

#include "parsers/ill/words.h"

/* ---- Mesh and skeleton ----------------------------------------------------------------------- */

static bool has_blend(const m5_lint_file *mesh)
{
    const m5_illmesh *m = mesh->model.illmesh;
    return m->at[M5_ILL_BONES] >= 0;
}

/* Returns whether all bones of vertices are in the skeleton. */
static bool check_range(const m5_lint_file *skel, m5_lint_file *mesh)
{
    const m5_illmesh *m = mesh->model.illmesh;
    uint32_t bones = skel->model.illskel->num_bones, verts = 0, first = 0, word = 0;
    for (uint32_t i = 0; i < m->num_verts; i++) {
        const float *bone = m5_ill_bones_of(m, i), *weight = bone + 4;
        for (uint32_t k = 0; k < 4; k++) {
            if (weight[k] == 0 || !(bone[k] >= (float)bones))
                continue;
            first = verts == 0 ? i : first;
            word = verts == 0 ? k : word;
            verts++;
            break;
        }
    }
    if (verts == 0)
        return true;
    m5_span at = m5_words_nth(&mesh->source, m->vert_offsets[first],
                              (uint32_t)m->at[M5_ILL_BONES] + word);
    m5_diag d = m5_found(M5_LINT_ROW(cross_ill_bone_index), at);
    d.path = m5_path2("vertex", first, "bones", word);
    m5_relate(&d, &skel->source, skel->model.illskel->num_bones_at, "the skeleton's bones");
    m5_emit(&mesh->report, &d, 0,
            "vertex %u is weighted to bone %.7g, expected a bone of the skeleton, 0 to %u "
            "(%u %s with this fault)",
            first, (double)m5_ill_bones_of(m, first)[word], bones - 1, verts,
            verts == 1 ? "vertex" : "vertices");
    return false;
}

void m5_check_cross_illmesh(const m5_lint_file *skel, m5_lint_file *mesh, const m5_same_rig *anims)
{
    const m5_illmesh *m = mesh->model.illmesh;
    const m5_illskel *s = skel->model.illskel;
    if (!has_blend(mesh))
        return;
    bool in_range = check_range(skel, mesh);
    if (!m->verts_whole || !s->matrices_whole || !s->parents_whole)
        m5_check_skip(mesh, M5_SKIPPED_SKELETON);
    else if (m->at[M5_ILL_POSITION] >= 0 && !m5_settings_of(&mesh->report)->no_geometry)
        m5_check_cross_ill_parts(skel, mesh, anims, in_range);
}

void m5_check_unbound(m5_lint_file *skel, const uint8_t *used)
{
    const m5_illskel *s = skel->model.illskel;
    uint32_t unbound = 0, first = 0;
    for (uint32_t i = s->num_bones; i-- > 0;) {
        first = used[i] ? first : i;
        unbound += !used[i];
    }
    if (unbound == 0)
        return;
    m5_diag d = m5_found(M5_LINT_ROW(cross_ill_skel_weights_unbound), s->bones[first].name);
    d.path = m5_path1("bone", first);
    m5_emit(&skel->report, &d, 0,
            "no vertex is weighted to bone %u '%.*s' (unused bones: %u of %u)", first,
            M5_CHECK_NAME(skel, s->bones[first].name), unbound, s->num_bones);
}

/* ---- Animation and skeleton ------------------------------------------------------------------ */

/* Two sorted lists of names: how many names are in both or in one only; the first name, by index,
 * that is in one only; and the first name of `a` that differs from a name of `b` only in upper and
 * lower case, with that name. */
typedef struct overlap {
    uint32_t shared, only_a, only_b, first_a, first_b;
    uint32_t case_a, case_b;
} overlap;

static void count_alone(uint32_t index, uint32_t *alone, uint32_t *first)
{
    *first = *alone == 0 || index < *first ? index : *first;
    ++*alone;
}

/* `k`: where the name would be in the other list. */
static void find_other_case(overlap *o, const m5_lint_file *a, uint32_t index,
                            const m5_lint_file *b, uint32_t k)
{
    for (uint32_t near = k != 0 ? k - 1 : 0; near <= k && near < m5_check_name_count(&b->model);
         near++)
        if (index < o->case_a &&
            m5_check_same_but_case(&a->source, m5_check_name_at(&a->model, index), &b->source,
                                   m5_check_name_at(&b->model, b->names[near]))) {
            o->case_a = index;
            o->case_b = b->names[near];
        }
}

/* Where the name after the i-th and all that equal it is, in the sorted names of a file. A name
 * that occurs twice in one file is reported there, and is not unknown in the other. */
static uint32_t skip_equal(const m5_lint_file *f, uint32_t i)
{
    m5_name name = m5_check_name_at(&f->model, f->names[i]);
    uint32_t count = m5_check_name_count(&f->model);
    do
        i++;
    while (i < count && m5_check_compare_names(&f->source, name, &f->source,
                                               m5_check_name_at(&f->model, f->names[i])) == 0);
    return i;
}

static overlap compare(const m5_lint_file *a, const m5_lint_file *b)
{
    overlap o = {.case_a = M5_NO_INDEX};
    uint32_t i = 0, k = 0, a_count = m5_check_name_count(&a->model),
             b_count = m5_check_name_count(&b->model);
    while (i < a_count || k < b_count) {
        int order = i == a_count   ? 1
                    : k == b_count ? -1
                                   : m5_check_compare_names(
                                         &a->source, m5_check_name_at(&a->model, a->names[i]),
                                         &b->source, m5_check_name_at(&b->model, b->names[k]));
        if (order == 0) {
            o.shared++;
            i = skip_equal(a, i);
            k = skip_equal(b, k);
            continue;
        }
        if (order < 0 &&
            m5_check_name_at(&a->model, a->names[i]).length != 0) { /* an empty name is unknown */
            count_alone(a->names[i], &o.only_a, &o.first_a);
            find_other_case(&o, a, a->names[i], b, k);
        }
        if (order > 0)
            count_alone(b->names[k], &o.only_b, &o.first_b);
        i += order < 0;
        k += order > 0;
    }
    return o;
}

/* Whether bones seem to have been renamed in one of the files: half or more of the names of each
 * file are not in the other, and their numbers are about equal. They are not for a cape, which has
 * bones of its own and shares a few with a body that has more. */
static bool are_renamed(const overlap *o, uint32_t animated, uint32_t bones)
{
    uint64_t a = o->only_a, b = o->only_b, less = a < b ? a : b, more = a < b ? b : a;
    return a > 1 && 2 * a >= animated && 2 * b >= bones && 3 * (more - less) <= less;
}

static void say_other_case(const m5_lint_file *skel, m5_lint_file *anim, const overlap *o)
{
    m5_name name = anim->model.illanim->bones[o->case_a].name,
            other = skel->model.illskel->bones[o->case_b].name;
    m5_diag d = m5_found(M5_LINT_ROW(cross_ill_anim_unknown_bone), name);
    d.path = m5_path1("bone", o->case_a);
    m5_relate(&d, &skel->source, other, "the skeleton's bone");
    m5_emit(&anim->report, &d, M5_GRAVE,
            "bone '%.*s' is not in the skeleton, but '%.*s' is: only upper and lower case differ "
            "(%u of %u animated bones unknown)",
            M5_CHECK_NAME(anim, name), M5_CHECK_NAME(skel, other), o->only_a,
            anim->model.illanim->num_bones);
}

static void say_unknown(const m5_lint_file *skel, m5_lint_file *anim, const overlap *o)
{
    m5_name name = anim->model.illanim->bones[o->first_a].name;
    m5_diag d = m5_found(M5_LINT_ROW(cross_ill_anim_unknown_bone), name);
    d.path = m5_path1("bone", o->first_a);
    m5_relate(&d, &skel->source, skel->model.illskel->num_bones_at, "the skeleton's bones");
    uint32_t animated = anim->model.illanim->num_bones, bones = skel->model.illskel->num_bones;
    bool renamed = are_renamed(o, animated, bones);
    m5_emit(&anim->report, &d, renamed ? M5_GRAVE : M5_MILD,
            "bone '%.*s' is not in the skeleton (%u of %u animated bones unknown)%s",
            M5_CHECK_NAME(anim, name), o->only_a, animated,
            renamed
                ? ", and half or more of the skeleton's bones are not animated: bones seem to be "
                  "renamed"
                : "");
}

/* Whether each file has one bone that the other has not, and their names are similar. */
static bool is_misspelt(const m5_lint_file *skel, const m5_lint_file *anim, const overlap *o)
{
    return o->only_a == 1 && o->only_b == 1 &&
           m5_check_are_similar(&anim->source, anim->model.illanim->bones[o->first_a].name,
                                &skel->source, skel->model.illskel->bones[o->first_b].name);
}

static void say_misspelt(const m5_lint_file *skel, m5_lint_file *anim, const overlap *o)
{
    m5_name name = anim->model.illanim->bones[o->first_a].name,
            other = skel->model.illskel->bones[o->first_b].name;
    m5_diag d = m5_found(M5_LINT_ROW(cross_ill_anim_unknown_bone), name);
    d.path = m5_path1("bone", o->first_a);
    m5_relate(&d, &skel->source, other, "the skeleton's bone");
    m5_emit(
        &anim->report, &d, M5_GRAVE,
        "bone '%.*s' is not in the skeleton, and '%.*s' is the only bone of the skeleton that is "
        "not animated: one of the names seems to be misspelt",
        M5_CHECK_NAME(anim, name), M5_CHECK_NAME(skel, other));
}

static void say_missing(const m5_lint_file *skel, m5_lint_file *anim, const overlap *o)
{
    m5_name name = skel->model.illskel->bones[o->first_b].name;
    m5_diag d = m5_found(M5_LINT_ROW(cross_ill_anim_missing_bone),
                         anim->model.illanim->num_bones_at);
    m5_relate(&d, &skel->source, name, "the skeleton's bone");
    m5_emit(&anim->report, &d, 0,
            "the skeleton's bone '%.*s' is not animated (missing bones: %u of %u)",
            M5_CHECK_NAME(skel, name), o->only_b, skel->model.illskel->num_bones);
}

static void say_no_match(const m5_lint_file *skel, m5_lint_file *anim)
{
    m5_name name = anim->model.illanim->bones[0].name;
    m5_diag d = m5_found(M5_LINT_ROW(cross_ill_anim_no_match), name);
    d.path = m5_path1("bone", 0);
    m5_relate(&d, &skel->source, skel->model.illskel->bones[0].name, "the skeleton's first bone");
    m5_emit(&anim->report, &d, 0, "no animated bone is in the skeleton: 0 of %u names match",
            anim->model.illanim->num_bones);
}

void m5_check_cross_illanim(const m5_lint_file *skel, m5_lint_file *anim, const m5_same_rig *meshes)
{
    overlap o = compare(anim, skel);
    bool whole = anim->model.illanim->whole;
    if (o.shared == 0 && whole)
        say_no_match(skel, anim);
    if (o.shared == 0)
        return;
    bool misspelt = whole && o.case_a == M5_NO_INDEX && is_misspelt(skel, anim, &o);
    if (o.case_a != M5_NO_INDEX)
        say_other_case(skel, anim, &o);
    else if (misspelt)
        say_misspelt(skel, anim, &o);
    else if (o.only_a != 0)
        say_unknown(skel, anim, &o);
    if (o.only_b != 0 && whole && !misspelt)
        say_missing(skel, anim, &o);
    if (!whole || !skel->model.illskel->matrices_whole || !skel->model.illskel->parents_whole)
        m5_check_skip(anim, M5_SKIPPED_SKELETON);
    else if (!m5_settings_of(&anim->report)->no_geometry)
        m5_check_cross_ill_bind(skel, anim, meshes);
}
