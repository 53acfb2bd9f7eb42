/* Mutations that know the formats: a clean input is parsed, its model changed here and there or
 * crossed with that of another, and printed again, so that counts and offsets are right and deep
 * code is reached. */
#ifndef M5_MUTATE_H
#define M5_MUTATE_H

#include "parsers/m5.h"
#include "parsers/print.h"

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

/* A list made of two: records of `a`, then some of `b`, then the rest of `a`. */
typedef struct mutate_splice {
    uint32_t before, from, count; /* so many of a; of b from `from` on, count */
    uint32_t after, total;        /* of a from `after` on; total is all that a has */
} mutate_splice;

mutate_splice mutate_choose_splice(mutate_chance *c, uint32_t a_count, uint32_t b_count);
uint32_t mutate_spliced(const mutate_splice *splice); /* how many it has then */
void *mutate_apply_splice(const mutate_splice *splice, m5_arena *arena, const void *a,
                          const void *b, size_t size);

/* Memory for models, always the same: what was in it is gone. */
m5_arena *mutate_arena(void);

/* The model of an input that is clean and of a format known; prints one, as much as there is room
 * for. The source must live as long as the model. */
bool mutate_parse(const m5_source *source, m5_arena *arena, m5_model *model);
size_t mutate_print(const m5_model *model, uint8_t *out, size_t room);

/* What is longer is left alone. */
enum { MUTATE_LARGEST = 1 << 16 };

/* Crosses two inputs: as models, or line by line, whatever they are. The size of what is now in
 * `out`, or 0 if nothing came of it. */
size_t mutate_cross(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size, uint8_t *out,
                    size_t room, unsigned int seed);
size_t mutate_cross_lines(mutate_chance *c, const m5_source *a, const m5_source *b, uint8_t *out,
                          size_t room);

/* The formats. What a model points to is in the arena, and is changed there; a string or a name
 * stays a span of the source. Printing must stay possible: indices and counts are numbers like
 * any other, but lengths of arrays are not. */
void mutate_md5mesh(mutate_chance *c, m5_arena *arena, m5_md5mesh *mesh);
void mutate_md5anim(mutate_chance *c, m5_arena *arena, m5_md5anim *anim);
void mutate_md4(mutate_chance *c, m5_arena *arena, m5_md4 *model);
void mutate_illmesh(mutate_chance *c, m5_arena *arena, m5_illmesh *mesh);
void mutate_illskel(mutate_chance *c, m5_arena *arena, m5_illskel *skel);
void mutate_illanim(mutate_chance *c, m5_arena *arena, m5_illanim *anim);

/* Puts a part of `other` into the model; `other` is spoilt. Its places count from `by` on in the
 * source that the model is printed from. */
void mutate_cross_md5mesh(mutate_chance *c, m5_arena *arena, m5_md5mesh *m, m5_md5mesh *other,
                          uint32_t by);
void mutate_cross_md5anim(mutate_chance *c, m5_arena *arena, m5_md5anim *m, m5_md5anim *other,
                          uint32_t by);
void mutate_cross_md4(mutate_chance *c, m5_arena *arena, m5_md4 *m, m5_md4 *other, uint32_t by);
void mutate_cross_illmesh(mutate_chance *c, m5_arena *arena, m5_illmesh *m, m5_illmesh *other,
                          uint32_t by);
void mutate_cross_illskel(mutate_chance *c, m5_arena *arena, m5_illskel *m, m5_illskel *other,
                          uint32_t by);
void mutate_cross_illanim(mutate_chance *c, m5_arena *arena, m5_illanim *m, m5_illanim *other,
                          uint32_t by);

#endif
