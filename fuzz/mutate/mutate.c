/* The mutator that fuzzers call, and what the formats' mutators share. */
#include "mutate.h"
#include "parsers/core/allocate.h"

#include <stdlib.h>
#include <string.h>

/* ---- Chance ---------------------------------------------------------------------------------- */

uint32_t mutate_below(mutate_chance *c, uint32_t limit)
{
    c->state = c->state * 6364136223846793005u + 1442695040888963407u;
    return limit != 0 ? (uint32_t)(c->state >> 33) % limit : 0;
}

bool mutate_one_in(mutate_chance *c, uint32_t n)
{
    return mutate_below(c, n) == 0;
}

float mutate_float(mutate_chance *c, float now)
{
    static const float odd[] = {0,    1,     -1,    0.5F,   2,     0.70710677F, 1e-38F, 1e-45F,
                                1e9F, -1e9F, 3e38F, -3e38F, 1e-6F, 0.999999F,   1.001F, 65535};
    switch (mutate_below(c, 4)) {
    case 0: return odd[mutate_below(c, sizeof odd / sizeof *odd)];
    case 1: return -now;
    case 2: return now * (float)mutate_below(c, 1000) / 500;
    default: return now + ((float)mutate_below(c, 2001) - 1000) / 1000;
    }
}

void mutate_floats(mutate_chance *c, float *values, uint32_t count)
{
    if (count == 0)
        return;
    float *value = &values[mutate_below(c, count)], changed = mutate_float(c, *value);
    if (changed - changed == 0) /* finite */
        *value = changed;
}

uint32_t mutate_index(mutate_chance *c, uint32_t limit)
{
    if (limit != 0 && !mutate_one_in(c, 16))
        return mutate_below(c, limit);
    return mutate_one_in(c, 2) ? limit : mutate_below(c, 0x7fffffff);
}

/* ---- Lists ----------------------------------------------------------------------------------- */

enum { MOST_REPEATS = 40 };

mutate_edit mutate_choose(mutate_chance *c, uint32_t count)
{
    mutate_edit e = {MUTATE_SWAP, mutate_below(c, count), mutate_below(c, count), count};
    switch (mutate_below(c, 8)) {
    case 0:
    case 1: e.kind = MUTATE_DROP; break;
    case 2:
    case 3: e.kind = MUTATE_REPEAT, e.b = 1; break;
    case 4: e.kind = MUTATE_REPEAT, e.b = 1 + mutate_below(c, MOST_REPEATS); break;
    case 5: e.kind = MUTATE_CUT; break;
    default: break;
    }
    return e;
}

uint32_t mutate_count(const mutate_edit *e)
{
    if (e->count == 0)
        return 0;
    switch (e->kind) {
    case MUTATE_DROP: return e->count - 1;
    case MUTATE_REPEAT: return e->count + e->b;
    case MUTATE_CUT: return e->a;
    default: return e->count;
    }
}

void *mutate_apply(const mutate_edit *e, m5_arena *arena, const void *records, size_t size)
{
    uint32_t count = mutate_count(e);
    uint8_t *out = m5_arena_take(arena, count, size);
    const uint8_t *in = records;
    if (out == NULL)
        abort(); /* the arena has room for any edit */
    for (uint32_t i = 0; i < count && size != 0; i++) {
        uint32_t from = i;
        if (e->kind == MUTATE_DROP)
            from = i + (i >= e->a);
        else if (e->kind == MUTATE_REPEAT)
            from = i <= e->a ? i : i <= e->a + e->b ? e->a : i - e->b;
        else if (e->kind == MUTATE_SWAP)
            from = i == e->a ? e->b : i == e->b ? e->a : i;
        memcpy(out + i * size, in + from * size, size);
    }
    return out;
}

mutate_splice mutate_choose_splice(mutate_chance *c, uint32_t a_count, uint32_t b_count)
{
    mutate_splice s = {.before = mutate_below(c, a_count + 1), .total = a_count};
    s.from = mutate_below(c, b_count);
    s.count = b_count != 0 ? 1 + mutate_below(c, b_count - s.from) : 0;
    uint32_t left = a_count - s.before;
    switch (mutate_below(c, 4)) {
    case 0: s.after = s.before; break;
    case 1: s.after = a_count; break;
    default: s.after = s.before + (s.count < left ? s.count : left);
    }
    return s;
}

uint32_t mutate_spliced(const mutate_splice *s)
{
    return s->before + s->count + s->total - s->after;
}

/* A list without records may be NULL. */
static uint8_t *copy_records(uint8_t *out, const uint8_t *list, uint32_t from, uint32_t to,
                             size_t size)
{
    size_t bytes = (to - from) * size;
    if (bytes != 0)
        memcpy(out, list + from * size, bytes);
    return out + bytes;
}

void *mutate_apply_splice(const mutate_splice *s, m5_arena *arena, const void *a, const void *b,
                          size_t size)
{
    uint8_t *out = m5_arena_take(arena, mutate_spliced(s), size), *end = out;
    if (out == NULL)
        abort(); /* as in mutate_apply */
    end = copy_records(end, a, 0, s->before, size);
    end = copy_records(end, b, s->from, s->from + s->count, size);
    copy_records(end, a, s->after, s->total, size);
    return out;
}

/* ---- A whole input --------------------------------------------------------------------------- */

typedef struct output {
    uint8_t *bytes;
    size_t size, room;
} output;

static void write_output(void *user, const void *bytes, size_t count)
{
    output *out = user;
    count = count < out->room - out->size ? count : out->room - out->size;
    memcpy(out->bytes + out->size, bytes, count);
    out->size += count;
}

static void mutate_model(mutate_chance *c, m5_arena *arena, const m5_model *model)
{
#define M5_FORMAT(symbol, name, text)                                                              \
    if (model->symbol != NULL)                                                                     \
        mutate_##symbol(c, arena, (m5_##symbol *)(uintptr_t)model->symbol);
#define M5_FORMAT_PACK(symbol, name, text)
#include "../../parsers/formats.def"
#undef M5_FORMAT
}

/* Releases only as much as was used: poisoning the whole arena for AddressSanitizer again takes
 * longer than most mutations. */
m5_arena *mutate_arena(void)
{
    enum { ROOM = 1 << 26 };
    static m5_arena arena;
    if (arena.memory == NULL) {
        void *memory = malloc(ROOM);
        if (memory == NULL)
            abort();
        m5_arena_init(&arena, memory, ROOM);
    }
    m5_arena_release(&arena, 0);
    return &arena;
}

bool mutate_parse(const m5_source *source, m5_arena *arena, m5_model *model)
{
    const m5_format *format = m5_format_by_content(source->bytes, source->size);
    m5_report report = {.source = source}, second = {.source = source};
    size_t mark = arena->used;
    if (format != NULL && m5_parse(format, &report, arena, model) == M5_CLEAN)
        return true;
    m5_arena_release(arena, mark); /* declarations are known by their extension only */
    return m5_parse(m5_format_by_name("x.def"), &second, arena, model) == M5_CLEAN &&
           model->def->num_models + model->def->num_entities != 0;
}

size_t mutate_print(const m5_model *model, uint8_t *out, size_t room)
{
    output printed = {out, 0, room};
    m5_print(model, &(m5_writer){write_output, &printed});
    return printed.size;
}

/* Changes the model in `data` and prints it to `out`; returns 0 if it is not clean. */
static size_t mutate_clean(mutate_chance *c, const uint8_t *data, size_t size, uint8_t *out,
                           size_t room)
{
    enum { MOST_CHANGES = 4 };
    m5_source source = {"input", data, (uint32_t)size};
    m5_arena *arena = mutate_arena();
    m5_model model;
    if (size > MUTATE_LARGEST || !mutate_parse(&source, arena, &model))
        return 0;
    for (uint32_t n = 1 + mutate_below(c, MOST_CHANGES); n > 0; n--)
        mutate_model(c, arena, &model);
    return mutate_print(&model, out, room);
}

size_t mutate_input(uint8_t *data, size_t size, size_t max_size, unsigned int seed);

/* Mutates `data` in place and returns its new size; 0 if nothing was done. */
size_t mutate_input(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
    static uint8_t out[MUTATE_LARGEST];
    mutate_chance c = {seed};
    size_t room = max_size < sizeof out ? max_size : sizeof out;
    size_t mutated = mutate_clean(&c, data, size, out, room);
    memcpy(data, out, mutated);
    return mutated;
}

#ifndef MUTATE_FOR_AFL

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);

/* Half of the inputs are left to libFuzzer's own mutation, as only that makes inputs that are not
 * models. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
    mutate_chance c = {~seed}; /* mutate_input uses the seed itself */
    size_t mutated = mutate_one_in(&c, 2) ? mutate_input(data, size, max_size, seed) : 0;
    return mutated != 0 ? mutated : LLVMFuzzerMutate(data, size, max_size);
}

#endif
