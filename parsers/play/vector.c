/* Computes with vectors, quaternions and matrices what is not worth inlining. */
#include "algebra.h"

static m5_quat mix(m5_quat a, double of_a, m5_quat b, double of_b)
{
    return m5_quat_unit((m5_quat){a.x * of_a + b.x * of_b, a.y * of_a + b.y * of_b,
                                  a.z * of_a + b.z * of_b, a.w * of_a + b.w * of_b});
}

static double toward(m5_quat a, m5_quat b, bool shortest)
{
    return shortest && m5_quat_dot(a, b) < 0 ? -1 : 1;
}

m5_quat m5_quat_lerp(m5_quat a, m5_quat b, double t, bool shortest)
{
    return mix(a, 1 - t, b, toward(a, b, shortest) * t);
}

m5_quat m5_quat_slerp(m5_quat a, m5_quat b, double t, bool shortest)
{
    double sign = toward(a, b, shortest), cosine = sign * m5_quat_dot(a, b);
    double angle = acos(cosine > 1 ? 1 : cosine < -1 ? -1 : cosine);
    if (sin(angle) < 1e-6) /* nearly equal or opposite: then no single arc connects them */
        return m5_quat_lerp(a, b, t, shortest);
    return mix(a, sin((1 - t) * angle), b, sign * sin(t * angle));
}

m5_matrix m5_matrix_of(const m5_transform *place)
{
    m5_quat q = place->rotation;
    double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z, xy = q.x * q.y, xz = q.x * q.z;
    double yz = q.y * q.z, wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    return (m5_matrix){{{1 - 2 * (yy + zz), 2 * (xy - wz), 2 * (xz + wy), place->pos.x},
                        {2 * (xy + wz), 1 - 2 * (xx + zz), 2 * (yz - wx), place->pos.y},
                        {2 * (xz - wy), 2 * (yz + wx), 1 - 2 * (xx + yy), place->pos.z}}};
}

static m5_vec row_of(const m5_matrix *m, int i)
{
    return (m5_vec){m->row[i][0], m->row[i][1], m->row[i][2]};
}

static bool is_rotation(const m5_matrix *m, double tolerance)
{
    m5_vec a = row_of(m, 0), b = row_of(m, 1), c = row_of(m, 2);
    return fabs(m5_vec_dot(a, a) - 1) <= 2 * tolerance &&
           fabs(m5_vec_dot(b, b) - 1) <= 2 * tolerance &&
           m5_vec_distance(m5_vec_cross(a, b), c) <= tolerance &&
           fabs(m5_vec_dot(a, b)) <= tolerance;
}

static m5_quat rotation_of(const m5_matrix *m)
{
    const double(*r)[4] = m->row;
    double x = r[0][0], y = r[1][1], z = r[2][2], w = 1 + x + y + z;
    if (w > 1e-3)
        return m5_quat_unit((m5_quat){r[2][1] - r[1][2], r[0][2] - r[2][0], r[1][0] - r[0][1], w});
    /* half a turn: w is near 0, and the signs are those of the sums across the diagonal */
    if (x >= y && x >= z)
        return m5_quat_unit(
            (m5_quat){1 + x - y - z, r[0][1] + r[1][0], r[0][2] + r[2][0], r[2][1] - r[1][2]});
    if (y >= z)
        return m5_quat_unit(
            (m5_quat){r[0][1] + r[1][0], 1 - x + y - z, r[1][2] + r[2][1], r[0][2] - r[2][0]});
    return m5_quat_unit(
        (m5_quat){r[0][2] + r[2][0], r[1][2] + r[2][1], 1 - x - y + z, r[1][0] - r[0][1]});
}

m5_transform m5_transform_of(const m5_matrix *m, double tolerance)
{
    m5_quat none = {NAN, NAN, NAN, NAN};
    return (m5_transform){m5_matrix_translation(m),
                          is_rotation(m, tolerance) ? rotation_of(m) : none};
}

m5_matrix m5_matrix_times(const m5_matrix *outer, const m5_matrix *inner)
{
    m5_matrix out;
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 4; k++)
            out.row[i][k] = outer->row[i][0] * inner->row[0][k] +
                            outer->row[i][1] * inner->row[1][k] +
                            outer->row[i][2] * inner->row[2][k];
        out.row[i][3] += outer->row[i][3];
    }
    return out;
}

/* Three unit vectors with a smaller determinant lie in a plane, apart from rounding errors. */
static const double FLAT = 1e-12;

bool m5_matrix_inverse(const m5_matrix *m, m5_matrix *out)
{
    double length[3];
    m5_vec unit[3]; /* the rows with length 1, so that no scale is too large or too small */
    for (int i = 0; i < 3; i++) {
        length[i] = m5_vec_length(row_of(m, i));
        if (!(length[i] > 0) || isinf(length[i]))
            return false;
        unit[i] = m5_vec_times(row_of(m, i), 1 / length[i]);
    }
    double determinant = m5_vec_dot(unit[0], m5_vec_cross(unit[1], unit[2]));
    if (!(fabs(determinant) > FLAT))
        return false;
    for (int k = 0; k < 3; k++) {
        m5_vec column = m5_vec_times(m5_vec_cross(unit[(k + 1) % 3], unit[(k + 2) % 3]),
                                     1 / (determinant * length[k]));
        out->row[0][k] = column.x;
        out->row[1][k] = column.y;
        out->row[2][k] = column.z;
    }
    m5_vec back = m5_matrix_rotate(out, m5_matrix_translation(m));
    out->row[0][3] = -back.x;
    out->row[1][3] = -back.y;
    out->row[2][3] = -back.z;
    return true;
}

double m5_box_diagonal(const m5_box *box)
{
    m5_vec across = {box->max[0] - box->min[0], box->max[1] - box->min[1],
                     box->max[2] - box->min[2]};
    return m5_vec_length(across);
}
