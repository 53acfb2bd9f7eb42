/* Bytes of a binary file as numbers. Nothing else reads them: every read is checked against the
 * file's size, in 64 bits, and gives zero outside it. Little-endian, whatever the machine is. */
#ifndef M5_CURSOR_H
#define M5_CURSOR_H

#include "source.h"

#include <string.h>

M5_BEGIN_C

/* Whether `size` bytes from `offset` on lie in the file. */
static inline bool m5_cursor_fits(const m5_source *s, uint64_t offset, uint64_t size)
{
    return offset <= s->size && size <= s->size - offset;
}

/* Four bytes that are known to be there. */
static inline uint32_t m5_cursor_load(const uint8_t *p)
{
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline uint32_t m5_cursor_bits(const m5_source *s, uint64_t offset)
{
    return m5_cursor_fits(s, offset, 4) ? m5_cursor_load(s->bytes + offset) : 0;
}

/* 16 and 64 bits. */
static inline uint16_t m5_cursor_short(const m5_source *s, uint64_t offset)
{
    return m5_cursor_fits(s, offset, 2) ? (uint16_t)(s->bytes[offset] | s->bytes[offset + 1] << 8)
                                        : 0;
}

static inline uint64_t m5_cursor_long(const m5_source *s, uint64_t offset)
{
    if (!m5_cursor_fits(s, offset, 8))
        return 0;
    const uint8_t *p = s->bytes + offset;
    return m5_cursor_load(p) | (uint64_t)m5_cursor_load(p + 4) << 32;
}

static inline int32_t m5_cursor_int(const m5_source *s, uint64_t offset)
{
    uint32_t bits = m5_cursor_bits(s, offset);
    int32_t value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline float m5_cursor_float(const m5_source *s, uint64_t offset)
{
    uint32_t bits = m5_cursor_bits(s, offset);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* How many of `count` records of `size` bytes lie in the file. */
static inline uint32_t m5_cursor_inside(const m5_source *s, uint64_t offset, uint64_t count,
                                        uint64_t size)
{
    uint64_t most = offset <= s->size ? (s->size - offset) / size : 0;
    return (uint32_t)(count < most ? count : most);
}

/* Whether floats lie in the memory of this machine as they do in the file. */
#if defined __BYTE_ORDER__ && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define M5_CURSOR_NATIVE 1
#else
#define M5_CURSOR_NATIVE 0
#endif

static inline void m5_cursor_floats(const m5_source *s, uint64_t offset, float *out, uint32_t count)
{
    uint32_t inside = m5_cursor_inside(s, offset, count, 4);
    if (M5_CURSOR_NATIVE && inside == count) {
        memcpy(out, s->bytes + offset, count * sizeof *out);
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        out[i] = i < inside ? m5_cursor_float(s, offset + 4 * (uint64_t)i) : 0;
}

/* The first of `count` floats that is infinite or not a number; `count` if there is none. */
static inline uint32_t m5_cursor_odd_float(const m5_source *s, uint64_t offset, uint32_t count)
{
    uint32_t inside = m5_cursor_inside(s, offset, count, 4);
    for (uint32_t i = 0; i < inside; i++)
        if ((m5_cursor_load(s->bytes + offset + 4 * (size_t)i) & 0x7f800000) == 0x7f800000)
            return i;
    return count;
}

/* Whether these four characters are there. */
static inline bool m5_cursor_is(const m5_source *s, uint64_t offset, const char *letters)
{
    return m5_cursor_fits(s, offset, 4) && memcmp(s->bytes + offset, letters, 4) == 0;
}

/* A string in a field of `size` bytes: up to its NUL, or the whole field if there is none. */
static inline m5_span m5_cursor_string(const m5_source *s, uint64_t offset, uint32_t size)
{
    if (!m5_cursor_fits(s, offset, size))
        return (m5_span){0, 0};
    const uint8_t *p = s->bytes + offset, *nul = (const uint8_t *)memchr(p, 0, size);
    return (m5_span){(uint32_t)offset, nul != NULL ? (uint32_t)(nul - p) : size};
}

M5_END_C

#endif
