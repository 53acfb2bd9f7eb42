#include "nearest.h"

#include <stddef.h>
#include <string.h>

static uint32_t least(uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t m = a < b ? a : b;
    return m < c ? m : c;
}

uint32_t m5_edit_distance(const void *a, uint32_t a_length, const void *b, uint32_t b_length)
{
    const uint8_t *x = a, *y = b;
    uint32_t row[M5_NEAREST_MAX + 1];
    if (a_length > M5_NEAREST_MAX || b_length > M5_NEAREST_MAX)
        return UINT32_MAX;
    for (uint32_t j = 0; j <= b_length; j++)
        row[j] = j;
    for (uint32_t i = 1; i <= a_length; i++) {
        uint32_t diagonal = row[0];
        row[0] = i;
        for (uint32_t j = 1; j <= b_length; j++) {
            uint32_t replace = diagonal + (x[i - 1] != y[j - 1]);
            diagonal = row[j];
            row[j] = least(row[j] + 1, row[j - 1] + 1, replace);
        }
    }
    return row[b_length];
}

const char *m5_nearest(const char *word, const char *(*at)(unsigned i))
{
    const char *best = NULL;
    size_t length = strlen(word);
    if (length > M5_NEAREST_MAX)
        return NULL;
    uint32_t best_distance = (uint32_t)length / 3 + 1;
    for (unsigned i = 0; at(i) != NULL; i++) {
        const char *other = at(i);
        uint32_t d = m5_edit_distance(word, (uint32_t)length, other, (uint32_t)strlen(other));
        if (d < best_distance) {
            best = other;
            best_distance = d;
        }
    }
    return best;
}
