/* Checks the header and keys of an illanim. */
#include "checks.h"
#include "lint/common/checks.h"
#include "lint/core/check.h"
#include "lint/core/names.h"
#include "parsers/core/emit.h"

#include "parsers/ill/words.h"

#include <math.h>

static m5_diag found_in_key(const m5_lint_file *f, const m5_rule *rule, uint32_t bone, uint32_t key,
                            uint32_t word, const char *what)
{
    const m5_illanim_key *k = &f->model.illanim->bones[bone].keys[key];
    m5_diag d = m5_found(rule, m5_words_nth(&f->source, k->offset, word));
    d.path = m5_path2("bone", bone, "key", key);
    d.path.step[2].name = what;
    d.path.step[2].index = M5_NO_INDEX;
    return d;
}

enum { ROTATION_WORD = 3, SCALE_WORD = 7 };

static void check_rate(m5_lint_file *f)
{
    const m5_illanim *m = f->model.illanim;
    double rate = m->frame_rate;
    m5_diag d = m5_found(M5_LINT_ROW(illanim_frame_rate), m->frame_rate_at);
    if (m->frame_rate_at.length == 0 || (rate > 0 && rate == floor(rate)))
        return;
    m5_emit(&f->report, &d, 0,
            rate > 0 ? "the frame rate is %.7g, expected an integer"
                     : "the frame rate is %.7g, expected more than 0",
            rate);
}

/* ---- Keys ------------------------------------------------------------------------------------ */

static double length_of(const float q[4])
{
    return sqrt((double)q[0] * q[0] + (double)q[1] * q[1] + (double)q[2] * q[2] +
                (double)q[3] * q[3]);
}

/* What is wrong with one key of a bone is usually wrong with all: only the worst is reported. */
static void check_rotations(m5_lint_file *f, uint32_t bone)
{
    const m5_illanim *m = f->model.illanim;
    double worst = 0, length = 1;
    uint32_t at = 0;
    for (uint32_t i = 0; i < m->num_frames; i++) {
        double l = length_of(m->bones[bone].keys[i].rotation), off = fabs(l - 1);
        if (!(off > worst))
            continue;
        worst = off;
        length = l;
        at = i;
    }
    worst = length < 1e-3 ? M5_BEYOND * 10 : worst; /* too short to have a direction */
    if (m5_would_say(&f->report, M5_LINT_ROW(illanim_quat_unit), worst) == M5_SILENT)
        return;
    m5_diag d = found_in_key(f, M5_LINT_ROW(illanim_quat_unit), bone, at, ROTATION_WORD,
                             "rotation");
    m5_emit(&f->report, &d, worst,
            "frame %u: the quaternion of bone %u '%.*s' has length %.7g, expected 1", at, bone,
            M5_CHECK_NAME(f, m->bones[bone].name), length);
}

static void check_scales(m5_lint_file *f, uint32_t bone)
{
    const m5_illanim *m = f->model.illanim;
    for (uint32_t i = 0; i < m->num_frames; i++) {
        const float *s = m->bones[bone].keys[i].scale;
        if (!(s[0] <= 0 || s[1] <= 0 || s[2] <= 0))
            continue;
        m5_diag d = found_in_key(f, M5_LINT_ROW(illanim_scale), bone, i, SCALE_WORD, "scale");
        m5_emit(&f->report, &d, 0,
                "frame %u: bone %u '%.*s' has scale %.7g %.7g %.7g, expected more than 0", i, bone,
                M5_CHECK_NAME(f, m->bones[bone].name), (double)s[0], (double)s[1], (double)s[2]);
        return;
    }
}

static void check_still(m5_lint_file *f, uint32_t bone)
{
    const m5_illanim *m = f->model.illanim;
    const m5_illanim_key *keys = m->bones[bone].keys;
    if (m->num_frames < 2)
        return;
    for (uint32_t i = 1; i < m->num_frames; i++)
        if (!m5_check_are_equal(keys[i].pos, keys[0].pos, 3) ||
            !m5_check_are_equal(keys[i].rotation, keys[0].rotation, 4) ||
            !m5_check_are_equal(keys[i].scale, keys[0].scale, 3))
            return;
    m5_diag d = m5_found(M5_LINT_ROW(illanim_key_identical), m->bones[bone].name);
    d.path = m5_path1("bone", bone);
    m5_emit(&f->report, &d, 0, "bone %u '%.*s' does not move: its %u keys are equal", bone,
            M5_CHECK_NAME(f, m->bones[bone].name), m->num_frames);
}

/* With fewer bones, all of them may really be turned by about 180 degrees. */
enum { LEAST_BONES = 3 };

/* A small turn has w near 1. If w is written first, it is read as x, so that all bones seem to be
 * turned by about 180 degrees. */
bool m5_check_is_w_first(const m5_illanim *m)
{
    double x = 0, w = 0;
    uint64_t keys = 0;
    for (uint32_t b = 0; b < m->num_bones; b++)
        for (uint32_t i = 0; i < m->num_frames; i++, keys++) {
            x += fabs((double)m->bones[b].keys[i].rotation[0]);
            w += fabs((double)m->bones[b].keys[i].rotation[3]);
        }
    return m->num_bones >= LEAST_BONES && keys != 0 && w / (double)keys < 0.3 &&
           x / (double)keys > 0.6;
}

static void check_quat_order(m5_lint_file *f)
{
    if (!m5_check_is_w_first(f->model.illanim))
        return;
    m5_diag d = found_in_key(f, M5_LINT_ROW(illanim_quat_order_suspect), 0, 0, ROTATION_WORD,
                             "rotation");
    m5_emit(
        &f->report, &d, 0,
        "read as x y z w, the bones are rotated by about 180 degrees: the quaternions seem to be "
        "written as w x y z");
}

void m5_check_illanim(m5_lint_file *f)
{
    const m5_illanim *m = f->model.illanim;
    bool still = m5_check_wanted(f, M5_LINT_ROW(illanim_key_identical));
    check_rate(f);
    m5_check_ill_duplicates(f, M5_LINT_ROW(illanim_bone_duplicate), m->num_bones);
    for (uint32_t b = 0; b < m->num_bones; b++) {
        check_rotations(f, b);
        check_scales(f, b);
        if (still)
            check_still(f, b);
    }
    check_quat_order(f);
    if (!m->whole)
        m5_check_skip(f, M5_SKIPPED_ILLANIM_MOTION);
    else if (!m5_settings_of(&f->report)->no_geometry)
        m5_check_illanim_motion(f);
}
