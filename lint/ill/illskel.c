/* Checks the matrices, roots and names of an illskel. */
#include "checks.h"
#include "lint/core/check.h"
#include "lint/core/names.h"
#include "lint/geometry/compare.h"
#include "parsers/core/emit.h"

#include "parsers/ill/words.h"

#include <math.h>

static const double LAST_ROW_TOLERANCE = 1e-5, RIGID_TOLERANCE = 1e-3;

static m5_diag found_in_bone(const m5_lint_file *f, const m5_rule *rule, uint32_t offset,
                             uint32_t word, uint32_t bone, const char *what)
{
    m5_diag d = m5_found(rule, m5_words_nth(&f->source, offset, word));
    d.path = m5_path2("bone", bone, what, M5_NO_INDEX);
    return d;
}

/* ---- Matrices -------------------------------------------------------------------------------- */

static bool is_unit_row(float a, float b, float c, float d)
{
    return fabs((double)a) <= LAST_ROW_TOLERANCE && fabs((double)b) <= LAST_ROW_TOLERANCE &&
           fabs((double)c) <= LAST_ROW_TOLERANCE && fabs((double)d - 1) <= LAST_ROW_TOLERANCE;
}

static bool is_affine(float m[4][4])
{
    return is_unit_row(m[3][0], m[3][1], m[3][2], m[3][3]);
}

/* The translation is in the last row, expected in the last column. */
static bool is_transposed(float m[4][4])
{
    return !is_affine(m) && is_unit_row(m[0][3], m[1][3], m[2][3], m[3][3]);
}

static bool was_read(float m[4][4])
{
    for (int i = 0; i < 16; i++)
        if (isnan(m[i / 4][i % 4]))
            return false;
    return true;
}

/* Whether all matrices that can show it are transposed. */
static bool all_transposed(const m5_illskel *m)
{
    uint32_t transposed = 0;
    for (uint32_t i = 0; i < m->num_bones; i++) {
        float(*x)[4] = m->bones[i].matrix;
        bool shows = !is_unit_row(x[0][3], x[1][3], x[2][3], x[3][3]) || !is_affine(x);
        if (!shows || !was_read(x))
            continue;
        if (!is_transposed(x))
            return false;
        transposed++;
    }
    return transposed != 0;
}

static void check_last_row(m5_lint_file *f, uint32_t i, bool all)
{
    const m5_illskel_bone *b = &f->model.illskel->bones[i];
    m5_diag d = found_in_bone(f, M5_LINT_ROW(illskel_matrix_last_row), b->matrix_at, 12, i,
                              "row 3");
    char which[40] = "all matrices are";
    if (!all)
        m5_check_print(which, sizeof which, "the matrix of bone %u is", i);
    if (!is_transposed(f->model.illskel->bones[i].matrix))
        m5_emit(&f->report, &d, M5_MILD,
                "the last row of bone %u's matrix is %.7g %.7g %.7g %.7g, expected 0 0 0 1", i,
                (double)b->matrix[3][0], (double)b->matrix[3][1], (double)b->matrix[3][2],
                (double)b->matrix[3][3]);
    else
        m5_emit(&f->report, &d, M5_GRAVE,
                "%s transposed: the translation is in the last row, expected in the last column",
                which);
}

static void check_rigid(m5_lint_file *f, uint32_t i)
{
    const char *flaw = m5_rotation_flaw(f->model.illskel->bones[i].matrix[0], RIGID_TOLERANCE);
    if (flaw == NULL)
        return;
    m5_diag d = found_in_bone(f, M5_LINT_ROW(illskel_matrix_rigid),
                              f->model.illskel->bones[i].matrix_at, 0, i, "matrix");
    m5_emit(&f->report, &d, 0, "the matrix of bone %u is not a rotation: %s", i, flaw);
}

static void check_matrices(m5_lint_file *f)
{
    const m5_illskel *m = f->model.illskel;
    bool all = all_transposed(m), reported = false;
    for (uint32_t i = 0; i < m->num_bones; i++) {
        if (!was_read(m->bones[i].matrix))
            continue;
        bool affine = is_affine(m->bones[i].matrix), transposed = is_transposed(m->bones[i].matrix);
        if (!affine && !(all && reported)) {
            check_last_row(f, i, all);
            reported = true;
        }
        if (!transposed)
            check_rigid(f, i);
    }
}

/* ---- Roots and names ------------------------------------------------------------------------- */

/* Whether a parent below -1 was reported: then the bone does not count as a root. */
static bool is_below_root(const m5_lint_file *f, uint32_t bone)
{
    m5_span word = m5_words_nth(&f->source, f->model.illskel->bones[bone].parent_at, 0);
    int32_t parent = -1;
    m5_read_int(f->source.bytes + word.offset, word.length, &parent);
    return parent < -1 && m5_check_wanted(f, M5_ROW(illskel_parent_negative));
}

static void check_roots(m5_lint_file *f)
{
    const m5_illskel *m = f->model.illskel;
    uint32_t roots = 0, first = 0, second = 0;
    for (uint32_t i = 0; i < m->num_bones; i++) {
        if (m->bones[i].parent != -1 || is_below_root(f, i))
            continue;
        first = roots == 0 ? i : first;
        second = roots == 1 ? i : second;
        roots++;
    }
    if (roots < 2)
        return;
    m5_diag d = found_in_bone(f, M5_LINT_ROW(illskel_root_multiple), m->bones[second].parent_at, 0,
                              second, "parent");
    m5_relate(&d, &f->source, m5_words_nth(&f->source, m->bones[first].parent_at, 0),
              "the first root");
    m5_emit(&f->report, &d, 0, "bone %u is a second root, expected one root (%u roots)", second,
            roots);
}

static void check_numeric_names(m5_lint_file *f)
{
    const m5_illskel *m = f->model.illskel;
    for (uint32_t i = 0; i < m->num_bones; i++) {
        m5_name name = m->bones[i].name;
        double value;
        if (name.length == 0 ||
            m5_read_double(f->source.bytes + name.offset, name.length, &value) > M5_NUMBER_OVERFLOW)
            continue;
        m5_diag d = found_in_bone(f, M5_LINT_ROW(illskel_name_numeric), name.offset, 0, i, "name");
        m5_emit(
            &f->report, &d, 0,
            "bone %u is named '%.*s', a number: perhaps it is a parent, and a line before it is missing or extra",
            i, M5_CHECK_NAME(f, name));
        return;
    }
}

void m5_check_illskel(m5_lint_file *f)
{
    const m5_illskel *m = f->model.illskel;
    check_matrices(f);
    if (m->parents_whole)
        check_roots(f);
    m5_check_ill_duplicates(f, M5_LINT_ROW(illskel_name_duplicate), m->num_bones);
    check_numeric_names(f);
}
