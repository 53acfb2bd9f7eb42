/* An illanim beside its illskel: which track moves which bone. */
#include "pair.h"
#include "lint/core/check.h"
#include "lint/core/names.h"
#include "parsers/core/allocate.h"
#include "parsers/core/emit.h"
#include "parsers/play/algebra.h"
#include "parsers/play/pose.h"

#include "parsers/ill/words.h"

/* Both lists of names are sorted. */
static void find_tracks(const m5_ill_pair *p)
{
    uint32_t a_count = m5_check_name_count(&p->skel->model),
             b_count = m5_check_name_count(&p->anim->model);
    for (uint32_t i = 0; i < p->s->num_bones; i++)
        p->track[i] = M5_NO_INDEX;
    for (uint32_t a = 0, b = 0; a < a_count && b < b_count;) {
        int order = m5_check_compare_names(
            &p->skel->source, m5_check_name_at(&p->skel->model, p->skel->names[a]),
            &p->anim->source, m5_check_name_at(&p->anim->model, p->anim->names[b]));
        if (order == 0)
            p->track[p->skel->names[a]] = p->anim->names[b];
        a += order <= 0;
        b += order >= 0;
    }
}

bool m5_ill_pair_make(m5_ill_pair *p, const m5_lint_file *skel, m5_lint_file *anim,
                      m5_lint_file *room)
{
    *p = (m5_ill_pair){skel, anim, skel->model.illskel, anim->model.illanim, NULL};
    bool sorted = skel->names != NULL && anim->names != NULL;
    p->track = sorted ? m5_check_scratch(room, p->s->num_bones, sizeof *p->track) : NULL;
    if (p->track == NULL)
        return false;
    find_tracks(p);
    return true;
}

/* ---- As in any format ------------------------------------------------------------------------ */

static int32_t parent_of(const void *context, uint32_t bone)
{
    const m5_ill_pair *p = context;
    return p->s->bones[bone].parent;
}

static m5_transform bind_of(const void *context, uint32_t bone)
{
    static const double tolerance = 1e-2;
    const m5_ill_pair *p = context;
    m5_matrix own = m5_illskel_matrix(p->s, bone);
    return m5_transform_of(&own, tolerance);
}

static m5_transform at(const void *context, uint32_t frame, uint32_t bone)
{
    const m5_ill_pair *p = context;
    if (p->track[bone] == M5_NO_INDEX)
        return (m5_transform){{NAN, NAN, NAN}, {NAN, NAN, NAN, NAN}};
    const m5_illanim_key *key = &p->m->bones[p->track[bone]].keys[frame];
    const float *q = key->rotation;
    m5_quat turn = {(double)q[0], (double)q[1], (double)q[2], (double)q[3]};
    return (m5_transform){m5_vec_of(key->pos), m5_quat_unit(turn)};
}

m5_posed m5_posed_ill(const m5_ill_pair *p)
{
    m5_posed out = {p, p->s->num_bones, p->s->order, {0}, parent_of, bind_of, at};
    for (int i = 0; i < M5_SAMPLES; i++)
        out.frames[i] = m5_sample_frame(p->m->num_frames, i);
    return out;
}

bool m5_ill_is_scaled(const m5_illanim *m, uint32_t frame)
{
    for (uint32_t i = 0; i < m->num_bones; i++)
        for (int k = 0; k < 3; k++)
            if (!(fabsf(m->bones[i].keys[frame].scale[k] - 1) <= 0.01F))
                return true;
    return false;
}

m5_diag m5_ill_at_key(const m5_ill_pair *p, const m5_rule *rule, uint32_t bone, uint32_t word)
{
    uint32_t track = p->track[bone];
    m5_diag d = m5_found(rule,
                         m5_words_nth(&p->anim->source, p->m->bones[track].keys[0].offset, word));
    d.path = m5_path2("bone", track, "key", 0);
    m5_relate(&d, &p->skel->source, m5_words_nth(&p->skel->source, p->s->bones[bone].matrix_at, 0),
              "the bind pose");
    return d;
}
