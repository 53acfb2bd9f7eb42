/* Mutations that know the formats: a clean input is parsed, its model changed here and there,
 * and printed again, so that counts and offsets are right and deep code is reached. */
#ifndef M5_MUTATE_H
#define M5_MUTATE_H

#include "../parsers/m5.h"
#include "../parsers/print.h"

/* Chance, all of it from one seed. */
typedef struct mutate_chance {
    uint64_t state;
} mutate_chance;

uint32_t mutate_below(mutate_chance *c, uint32_t limit); /* 0 if limit is 0 */
bool mutate_one_in(mutate_chance *c, uint32_t n);

/* Values that loaders trip over, or just others. */
float mutate_float(mutate_chance *c, float now);
void mutate_floats(mutate_chance *c, float *values, uint32_t count); /* one of them */

/* An index that is in range mostly; and one as it ought to be: below limit. */
uint32_t mutate_index(mutate_chance *c, uint32_t limit);

/* Something done to a list of records: then it is done to each array that goes along with it. */
typedef struct mutate_edit {
    enum { MUTATE_DROP, MUTATE_REPEAT, MUTATE_SWAP, MUTATE_CUT } kind;
    uint32_t a, b, count; /* count is of the records before */
} mutate_edit;

mutate_edit mutate_choose(mutate_chance *c, uint32_t count);
uint32_t mutate_count(const mutate_edit *edit); /* after it */

/* The records after the edit, in the arena; the old ones if there is no room or nothing to do. */
void *mutate_apply(const mutate_edit *edit, m5_arena *arena, const void *records, size_t size);

/* The formats. What a model points to is in the arena, and is changed there; a string or a name
 * stays a span of the source. Printing must stay possible: indices and counts are numbers like
 * any other, but lengths of arrays are not. */
void mutate_md5mesh(mutate_chance *c, m5_arena *arena, m5_md5mesh *mesh);
void mutate_md5anim(mutate_chance *c, m5_arena *arena, m5_md5anim *anim);
void mutate_md4(mutate_chance *c, m5_arena *arena, m5_md4 *model);
void mutate_illmesh(mutate_chance *c, m5_arena *arena, m5_illmesh *mesh);
void mutate_illskel(mutate_chance *c, m5_arena *arena, m5_illskel *skel);
void mutate_illanim(mutate_chance *c, m5_arena *arena, m5_illanim *anim);

#endif
