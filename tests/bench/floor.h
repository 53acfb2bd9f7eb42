/* The floor: the least that any exact reader must do with a text. It finds the tokens, converts
 * each number as our parsers do (the nearest double, then the nearest float) and stores it. What
 * a lint costs is measured against this. */
#ifndef FLOOR_H
#define FLOOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* See tokens_read. */
size_t floor_read(const uint8_t *text, size_t size, bool md5, float *out);

#endif
