/* A file's bytes under a name, and the way from a byte offset to a line and column. */
#ifndef M5_SOURCE_H
#define M5_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define M5_BEGIN_C extern "C" {
#define M5_END_C }
#else
#define M5_BEGIN_C
#define M5_END_C
#endif

/* A function that is only fast when it is inlined with what it is called with. */
#if defined(__GNUC__)
#define M5_INLINE static inline __attribute__((always_inline))
#else
#define M5_INLINE static inline
#endif

M5_BEGIN_C

/* Offsets are 32 bits wide, so a source holds at most this many bytes. Whoever makes an
 * m5_source from something longer must refuse it: the parsers cannot see what was cut off. */
#define M5_SOURCE_MAX UINT32_MAX

/* Bytes with a name, neither of them NULL even where there are none. The caller owns both and keeps
 * them unchanged for as long as a model or a diagnostic made from them is in use. `name` is for
 * messages only and is never opened. */
typedef struct m5_source {
    const char *name;
    const uint8_t *bytes;
    uint32_t size;
} m5_source;

/* `length` bytes from `offset` on; length 0 is a point, such as the end of the file. */
typedef struct m5_span {
    uint32_t offset, length;
} m5_span;

/* A name without its quotes. */
typedef m5_span m5_name;

/* Both count from 1. A column is a byte: a tab is one, and so is each byte of a UTF-8 letter. */
typedef struct m5_place {
    uint32_t line, column;
} m5_place;

/* A byte, its line, and where that line begins. */
typedef struct m5_line_mark {
    uint32_t offset, line, start;
} m5_line_mark;

/* Finds lines quickly, also far into a large file and within a long line: one pass over the bytes,
 * as far as is wanted, leaves marks, and a look-up goes on from the last one or from the nearest
 * mark. These are 64; with an arena, for as long as that keeps them, one every few hundred bytes,
 * for look-ups in any order. Zero it except for `source` and `arena` before the first use. Not for
 * two threads at once. */
typedef struct m5_lines {
    const m5_source *source;
    struct m5_arena *arena; /* NULL if there is none to spare */
    uint32_t stride, built;
    m5_line_mark few[64], *many, last;
} m5_lines;

/* The line and column of a byte. An offset past the end is taken as the end. Lines end with
 * LF; a CR before it belongs to the line. */
m5_place m5_lines_find(m5_lines *lines, uint32_t offset);

M5_END_C

#endif
