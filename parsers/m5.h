/* libm5: strict parsers for skeletal models.
 *
 * Bytes go in, a model comes out:
 *
 *     m5_source source = {"hero.md5mesh", bytes, size};
 *     m5_arena arena;
 *     void *memory = malloc(m5_parse_memory(size)); // aligned for anything, and not NULL
 *     m5_arena_init(&arena, memory, m5_parse_memory(size));
 *     m5_report report = {.source = &source, .sink = {my_function, my_data}};
 *     const m5_md5mesh *mesh;
 *     if (m5_md5mesh_parse(&report, &arena, &mesh) == M5_CLEAN)
 *         ... every count, index and number in *mesh is what it should be ...
 *
 * Contract.
 *   Clean means safe: counts equal what was found, every index is in range, every number is
 *     finite. A caller may walk the model without one check. Findings that are only warnings
 *     leave a model clean.
 *   Ownership: the caller owns the bytes, the arena's memory and the sink, and keeps all three
 *     (the bytes unchanged) while the model is in use. Models point into the bytes and the
 *     arena; there is nothing to free. Names are spans of the bytes, without quotes and without
 *     a final NUL.
 *   Threads: no function has state of its own. Any number of parses may run at once, even one
 *     inside the sink of another, if each has its own arena and report.
 *   Errors are values: findings go to the sink with a rule, a byte offset, a path and a
 *     message, and the status says how the parse ended. A finding's strings are only valid
 *     during the call. m5_lines turns an offset into a line and a column.
 *   Memory: only the arena's. m5_parse_memory(size) bytes are enough for any file of that size;
 *     a well-formed MD5 file takes about half its size, an ill* file about its size, and an MD4
 *     file almost nothing.
 *   Time is linear in the size; no recursion, no locale, no files, no malloc.
 *   Results are the same on every machine: sums are in double. Expected are IEEE 754 floats that
 *     are rounded to nearest, and a compiler without -ffast-math; with -ffp-contract=off if it is
 *     gcc without -std=c11.
 *   Limits: files up to 4 GiB - 1 (M5_SOURCE_MAX); counts and integers up to 2^31 - 1 in MD5 and
 *     MD4, up to 2^32 - 1 in ill*.
 */
#ifndef M5_H
#define M5_H

#include "formats.h" /* and with it each format's header */
#include "print.h"
#include "play/pose.h"
#include "play/skin.h"

M5_BEGIN_C

/* The version of these headers, and of the linked library (a constant string): major.minor.patch.
 */
#define M5_VERSION "0.1.0"
const char *m5_version(void);

/* Returns enough memory to parse any file of `size` bytes: 64 KiB + 4 * size, or SIZE_MAX if that
 * is more than a size_t holds. (No record takes more than 3 times its shortest text, a list takes
 * no more than the bytes left can hold, and gives back what it did not fill.) */
static inline size_t m5_parse_memory(size_t size)
{
    return size < (SIZE_MAX - 65536) / 4 ? 65536 + 4 * size : SIZE_MAX;
}

M5_END_C

#endif
