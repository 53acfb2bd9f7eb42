/* Mutations that know the formats: a clean input is parsed, its model is changed in a few places or
 * crossed with another model, and printed again. So counts and offsets are right, and the input
 * reaches deep code. */
#ifndef M5_MUTATE_H
#define M5_MUTATE_H

#include "parsers/m5.h"
#include "parsers/print.h"

/* Random numbers, all from one seed. */
typedef struct mutate_chance {
    uint64_t state;
} mutate_chance;

uint32_t mutate_below(mutate_chance *c, uint32_t limit); /* 0 if limit is 0 */
bool mutate_one_in(mutate_chance *c, uint32_t n);

/* Changes a value to one that loaders often handle wrongly, or to any other. */
float mutate_float(mutate_chance *c, float now);
void mutate_floats(mutate_chance *c, float *values, uint32_t count); /* one of them */

/* An index that is mostly in range, below `limit`. */
uint32_t mutate_index(mutate_chance *c, uint32_t limit);

/* A change to a list of records. It can be applied to each array that belongs to the list. */
typedef struct mutate_edit {
    enum { MUTATE_DROP, MUTATE_REPEAT, MUTATE_SWAP, MUTATE_CUT } kind;
    uint32_t a, b, count; /* count: of the records before the edit */
} mutate_edit;

mutate_edit mutate_choose(mutate_chance *c, uint32_t count);
uint32_t mutate_count(const mutate_edit *edit); /* of the records after the edit */

/* Returns the records after the edit, in the arena. */
void *mutate_apply(const mutate_edit *edit, m5_arena *arena, const void *records, size_t size);

/* A list made of two: records of `a`, then some of `b`, then the rest of `a`. */
typedef struct mutate_splice {
    uint32_t before, from, count; /* the first `before` of a; `count` of b from `from` on */
    uint32_t after, total;        /* the rest of a from `after` on; a has `total` records */
} mutate_splice;

mutate_splice mutate_choose_splice(mutate_chance *c, uint32_t a_count, uint32_t b_count);
uint32_t mutate_spliced(const mutate_splice *splice); /* the number of records of the result */
void *mutate_apply_splice(const mutate_splice *splice, m5_arena *arena, const void *a,
                          const void *b, size_t size);

/* Memory for models. It is the same in each call, so that earlier models are lost. */
m5_arena *mutate_arena(void);

/* mutate_parse makes the model of an input that is clean and of a known format; the source must
 * live as long as the model. mutate_print writes a model, as much of it as there is room for. */
bool mutate_parse(const m5_source *source, m5_arena *arena, m5_model *model);
size_t mutate_print(const m5_model *model, uint8_t *out, size_t room);

/* Longer inputs are not changed. */
enum { MUTATE_LARGEST = 1 << 16 };

/* Crosses two inputs: as models, or line by line if they are not models. Returns the size of the
 * result in `out`, or 0 if they could not be crossed. */
size_t mutate_cross(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size, uint8_t *out,
                    size_t room, unsigned int seed);
size_t mutate_cross_lines(mutate_chance *c, const m5_source *a, const m5_source *b, uint8_t *out,
                          size_t room);

/* One mutator for each format. The arrays of a model are in the arena and are changed there;
 * strings and names stay spans of the source. Printing must stay possible: indices and counts may
 * become wrong, but not the lengths of arrays. */
void mutate_md5mesh(mutate_chance *c, m5_arena *arena, m5_md5mesh *mesh);
void mutate_md5anim(mutate_chance *c, m5_arena *arena, m5_md5anim *anim);
void mutate_md5camera(mutate_chance *c, m5_arena *arena, m5_md5camera *camera);
void mutate_md4(mutate_chance *c, m5_arena *arena, m5_md4 *model);
void mutate_illmesh(mutate_chance *c, m5_arena *arena, m5_illmesh *mesh);
void mutate_illskel(mutate_chance *c, m5_arena *arena, m5_illskel *skel);
void mutate_illanim(mutate_chance *c, m5_arena *arena, m5_illanim *anim);
void mutate_def(mutate_chance *c, m5_arena *arena, m5_def *def);

/* Puts a part of `other` into the model; `other` cannot be used afterwards. The model is printed
 * from a source in which the bytes of `other` begin at offset `by`. */
void mutate_cross_md5mesh(mutate_chance *c, m5_arena *arena, m5_md5mesh *m, m5_md5mesh *other,
                          uint32_t by);
void mutate_cross_md5anim(mutate_chance *c, m5_arena *arena, m5_md5anim *m, m5_md5anim *other,
                          uint32_t by);
void mutate_cross_md5camera(mutate_chance *c, m5_arena *arena, m5_md5camera *m, m5_md5camera *other,
                            uint32_t by);
void mutate_cross_md4(mutate_chance *c, m5_arena *arena, m5_md4 *m, m5_md4 *other, uint32_t by);
void mutate_cross_illmesh(mutate_chance *c, m5_arena *arena, m5_illmesh *m, m5_illmesh *other,
                          uint32_t by);
void mutate_cross_illskel(mutate_chance *c, m5_arena *arena, m5_illskel *m, m5_illskel *other,
                          uint32_t by);
void mutate_cross_illanim(mutate_chance *c, m5_arena *arena, m5_illanim *m, m5_illanim *other,
                          uint32_t by);
void mutate_cross_def(mutate_chance *c, m5_arena *arena, m5_def *m, m5_def *other, uint32_t by);

#endif
