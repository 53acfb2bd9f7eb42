/* Finds vertices that are far away from all others. */
#include "outliers.h"
#include "lint/core/sort.h"
#include "parsers/play/algebra.h"

/* Real files have up to 7; a lamp on a long chain may have more. */
static const double FAR = 300;
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

m5_outliers m5_outliers_find(const m5_vec *pos, uint32_t count)
{
    m5_outliers far = {0, 0, 0, 0};
    m5_vec middle;
    double near;
    if (count < MANY || !((near = find_middle(pos, count, &middle)) > 0))
        return far;
    for (uint32_t i = count; i-- > 0;) {
        m5_vec way = m5_vec_sub(pos[i], middle);
        double square = m5_vec_dot(way, way);
        if (square > FAR * near * FAR * near)
            far = (m5_outliers){i, far.count + 1, sqrt(square) / near, sqrt(square)};
    }
    if (far.count > count / SHARE)
        far.count = 0;
    return far;
}
