/* An illanim beside its illskel: which track moves which bone. */
#ifndef M5_LINT_CROSS_ILL_PAIR_H
#define M5_LINT_CROSS_ILL_PAIR_H

#include "lint/geometry/posed.h"
#include "lint/lint.h"

typedef struct m5_ill_pair {
    const m5_lint_file *skel;
    m5_lint_file *anim;
    const m5_illskel *s;
    const m5_illanim *m;
    uint32_t *track; /* of each bone of the skeleton: its number in the animation, or M5_NO_INDEX */
} m5_ill_pair;

/* Finds the tracks, in the arena of `room`. False if there is not enough memory, or was not to sort
 * the names of both files. */
bool m5_ill_pair_make(m5_ill_pair *p, const m5_lint_file *skel, m5_lint_file *anim,
                      m5_lint_file *room);

/* The pair must stay where it is, and have frames and a whole skeleton. */
m5_posed m5_posed_ill(const m5_ill_pair *p);

/* Whether a key has another scale than 1: then lengths are not known. */
bool m5_ill_is_scaled(const m5_illanim *anim, uint32_t frame);

/* The words of a key. */
enum { M5_ILL_KEY_POSITION = 0, M5_ILL_KEY_ROTATION = 3 };

/* A finding at a word of a bone's first key, with its bind pose as a related place. */
m5_diag m5_ill_at_key(const m5_ill_pair *p, const m5_rule *rule, uint32_t bone, uint32_t word);

#endif
