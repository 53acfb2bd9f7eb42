/* Crosses two inputs, for fuzzers. Half of the time, two clean models of the same format are
 * crossed as models. Otherwise texts are crossed line by line, and binaries at the same offset. */
#include "mutate.h"

#include <stdlib.h>
#include <string.h>

/* ---- Models ---------------------------------------------------------------------------------- */

static void cross_parsed(mutate_chance *c, m5_arena *arena, const m5_model *a, const m5_model *b,
                         uint32_t by, const m5_source *both)
{
#define M5_FORMAT(symbol, name, text)                                                              \
    if (a->symbol != NULL && b->symbol != NULL) {                                                  \
        m5_##symbol *model = (m5_##symbol *)(uintptr_t)a->symbol;                                  \
        model->source = both;                                                                      \
        mutate_cross_##symbol(c, arena, model, (m5_##symbol *)(uintptr_t)b->symbol, by);           \
    }
#define M5_FORMAT_PACK(symbol, name, text)
#include "../../parsers/formats.def"
#undef M5_FORMAT
}

/* The result is printed from a source in which the second input follows the first. */
static size_t cross_models(mutate_chance *c, const m5_source *a, const m5_source *b, uint8_t *out,
                           size_t room)
{
    static uint8_t bytes[2 * MUTATE_LARGEST];
    m5_source both = {"both", bytes, a->size + b->size};
    m5_arena *arena = mutate_arena();
    m5_model first, second;
    if (!mutate_parse(a, arena, &first) || !mutate_parse(b, arena, &second) ||
        first.format != second.format)
        return 0;
    memcpy(bytes, a->bytes, a->size);
    memcpy(bytes + a->size, b->bytes, b->size);
    cross_parsed(c, arena, &first, &second, a->size, &both);
    return mutate_print(&first, out, room);
}

/* ---- Bytes ----------------------------------------------------------------------------------- */

/* Replaces numbers of the first input by those at the same offset in the second. */
static size_t cross_bytes(mutate_chance *c, const m5_source *a, const m5_source *b, uint8_t *out,
                          size_t room)
{
    enum { MOST_NUMBERS = 64 };
    uint32_t shared = a->size < b->size ? a->size : b->size;
    uint32_t at = 4 * mutate_below(c, shared / 4), count = 4 * (1 + mutate_below(c, MOST_NUMBERS));
    if (shared < 4 || a->size > room)
        return 0;
    memcpy(out, a->bytes, a->size);
    memcpy(out + at, b->bytes + at, count < shared - at ? count : shared - at);
    return a->size;
}

/* ---- Any input ------------------------------------------------------------------------------- */

static bool is_binary(const m5_source *s)
{
    const m5_format *format = m5_format_by_content(s->bytes, s->size);
    return format != NULL && !format->text;
}

static bool is_same(const m5_source *s, const uint8_t *bytes, size_t size)
{
    return s->size == size && memcmp(s->bytes, bytes, size) == 0;
}

size_t mutate_cross(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size, uint8_t *out,
                    size_t room, unsigned int seed)
{
    if (a_size == 0 || b_size == 0 || a_size > MUTATE_LARGEST || b_size > MUTATE_LARGEST)
        return 0;
    mutate_chance c = {seed};
    m5_source first = {"a", a, (uint32_t)a_size}, second = {"b", b, (uint32_t)b_size};
    size_t size = mutate_one_in(&c, 2) ? cross_models(&c, &first, &second, out, room) : 0;
    if (size == 0 && is_binary(&first))
        size = cross_bytes(&c, &first, &second, out, room);
    else if (size == 0)
        size = mutate_cross_lines(&c, &first, &second, out, room);
    return is_same(&first, out, size) || is_same(&second, out, size) ? 0 : size;
}

#ifndef MUTATE_FOR_AFL

size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
                                 uint8_t *out, size_t room, unsigned int seed);

/* libFuzzer alternates between this function and the mutator, and calls the mutator if this returns
 * 0. So a fifth of all inputs are crossed; more would leave too few for its own mutation. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
                                 uint8_t *out, size_t room, unsigned int seed)
{
    mutate_chance c = {~seed};
    return mutate_one_in(&c, 4) ? mutate_cross(a, a_size, b, b_size, out, room, seed) : 0;
}

#endif
