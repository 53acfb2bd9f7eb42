/* Finds vertices that are far away from all others. */
#include "outliers.h"
#include "lint/core/sort.h"
#include "parsers/play/algebra.h"

/* How many times as far from the middle as half of the vertices. 180 real meshes have up to 45: a
 * lamp on a long chain. */
static const double FAR = 90;
/* A single vertex is too far if it is outside the box around all others by this many times the
 * diagonal of that box. 42 real meshes have up to 0.05. */
static const double LONE = 2;
/* Then it is at least so many times as far from the middle as half of the vertices. */
static const double LONE_FAR = 3;
/* Vertices this near, as a share of the distance, are in one place. */
static const double SAME = 1e-5;
enum { MANY = 16, SAMPLE = 31, SHARE = 8 };

static bool is_less(const void *context, uint32_t a, uint32_t b)
{
    const double *value = context;
    return value[a] < value[b];
}

/* Returns the median; a NaN may end up anywhere in the order. */
static double median(const double *value, uint32_t count)
{
    uint32_t order[SAMPLE];
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    m5_check_sort(order, count, is_less, value);
    return value[order[count / 2]];
}

/* Sets `middle` to where most vertices are, and returns the median distance from there. Of many
 * vertices it takes a sample. */
static double find_middle(const m5_vec *pos, uint32_t count, m5_vec *middle)
{
    double value[4][SAMPLE] = {{0}};
    uint32_t step = count / SAMPLE + (count % SAMPLE != 0), n = 0;
    for (uint32_t i = 0; i < count; i += step, n++) {
        value[0][n] = pos[i].x;
        value[1][n] = pos[i].y;
        value[2][n] = pos[i].z;
    }
    *middle = (m5_vec){median(value[0], n), median(value[1], n), median(value[2], n)};
    for (uint32_t i = 0; i < n; i++)
        value[3][i] = m5_vec_distance(pos[i * step], *middle);
    return median(value[3], n);
}

/* Whether the outliers in one place are far outside the box around all other vertices. */
static bool is_lone(const m5_vec *pos, uint32_t count, m5_outliers *far)
{
    m5_box box = m5_box_empty();
    m5_vec at = pos[far->first];
    double off[3] = {at.x, at.y, at.z}, square = 0;
    far->count = 0;
    for (uint32_t i = count; i-- > 0;) {
        if (m5_vec_distance(pos[i], at) > SAME * far->distance) {
            m5_box_add(&box, pos[i]);
            continue;
        }
        far->first = i;
        far->count++;
    }
    for (int k = 0; k < 3; k++) {
        off[k] = fmax(0, fmax(box.min[k] - off[k], off[k] - box.max[k]));
        square += off[k] * off[k];
    }
    far->limit = (1 - 2 * SAME) * far->distance;
    return sqrt(square) > LONE * m5_box_diagonal(&box);
}

m5_outliers m5_outliers_find(const m5_vec *pos, uint32_t count, bool alone)
{
    m5_outliers far = {.count = 0}, lone = {.count = 0};
    m5_vec middle;
    double near, most = 0;
    if (count < MANY || !((near = find_middle(pos, count, &middle)) > 0))
        return far;
    for (uint32_t i = count; i-- > 0;) {
        m5_vec way = m5_vec_sub(pos[i], middle);
        double square = m5_vec_dot(way, way);
        if (square > FAR * near * FAR * near)
            far = (m5_outliers){i,      far.count + 1, sqrt(square) / near, sqrt(square),
                                middle, FAR * near};
        if (square > most) {
            most = square;
            lone.first = i;
        }
    }
    if (!alone || far.count != 0 || !(most > LONE_FAR * near * LONE_FAR * near)) {
        far.count = far.count > count / SHARE ? 0 : far.count;
        return far;
    }
    lone = (m5_outliers){lone.first, 1, sqrt(most) / near, sqrt(most), middle, 0};
    return is_lone(pos, count, &lone) && lone.count <= count / SHARE ? lone : far;
}
