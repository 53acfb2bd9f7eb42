/* Inputs that are several files: parts, separated by lines of %%. fuzz/pack-groups makes them. */
#ifndef M5_FUZZ_PARTS_H
#define M5_FUZZ_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { PARTS = 4 };

/* The first is for the second, the third is of another folder. */
static const char *const part_names[PARTS] = {"a/hero.a", "a/hero-walk.b", "b/other.c", "walk.d"};

typedef struct parts {
    const uint8_t *data[PARTS];
    size_t size[PARTS];
    uint32_t count;
} parts;

/* The line ending before a separator belongs to the part. What is behind the last part is not
 * used. */
static inline parts split_parts(const uint8_t *data, size_t size)
{
    parts p = {.count = 0};
    for (size_t at = 0; at < size && p.count < PARTS;) {
        size_t length = 0;
        while (at + length < size &&
               (at + length + 4 > size || memcmp(data + at + length, "\n%%\n", 4) != 0))
            length++;
        bool ends = at + length == size;
        p.data[p.count] = data + at;
        p.size[p.count++] = ends ? length : length + 1;
        at += ends ? length : length + 4;
    }
    return p;
}

#endif
