/* Finds the word in a list that is nearest to a misspelt word. */
#include "nearest.h"
#include "parsers/core/text.h"

#include <stddef.h>
#include <string.h>

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
