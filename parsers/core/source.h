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

/* The most bytes that a source can hold, since offsets are 32 bits wide. The caller must refuse a
 * longer file: a parser cannot see what was cut off. */
#define M5_SOURCE_MAX UINT32_MAX

/* A file's bytes and its name; neither pointer is NULL, even if `size` is 0. The caller owns both
 * and keeps them unchanged while a model or a finding made from them is in use. The name is shown
 * in messages and compared with the names of other files; it is never opened. */
typedef struct m5_source {
    const char *name;
    const uint8_t *bytes;
    uint32_t size;
} m5_source;

/* `length` bytes from byte `offset` on, both within the source. Length 0 is a point, such as the
 * end of the file. */
typedef struct m5_span {
    uint32_t offset, length;
} m5_span;

/* A name in the source, without its quotes and not terminated. */
typedef m5_span m5_name;

/* A line and a column, both counted from 1. A column is a byte: a tab is one column, and each byte
 * of a UTF-8 character is one. */
typedef struct m5_place {
    uint32_t line, column;
} m5_place;

/* Private to m5_lines: a byte, its line, and where that line begins. */
typedef struct m5_line_mark {
    uint32_t offset, line, start;
} m5_line_mark;

/* Finds the line of an offset. The first look-up scans the bytes up to there and leaves marks;
 * later ones start at the nearest mark. Set `source`, and `arena` if there is one, and zero the
 * rest. Without an arena there are 64 marks, enough for look-ups in the order of the file; with one
 * there is a mark every few hundred bytes, for look-ups in any order, as long as the arena keeps
 * them. For one thread at a time. */
typedef struct m5_lines {
    const m5_source *source;
    struct m5_arena *arena; /* or NULL */
    uint32_t stride, built;
    m5_line_mark few[64], *many, last;
} m5_lines;

/* Returns the line and column of the byte at `offset`; an offset past the end counts as the end.
 * Lines end with LF; a CR before it belongs to the line. */
m5_place m5_lines_find(m5_lines *lines, uint32_t offset);

M5_END_C

#endif
