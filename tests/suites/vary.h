/* Small changes of model files: errors as people, exporters and disks make them. */
#ifndef M5_TEST_VARY_H
#define M5_TEST_VARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The kinds of changes. */
enum { TEXT_KINDS = 21, BINARY_KINDS = 11 };

/* Copies a file with one change of a kind, at a random place: the same one for the same seed.
 * Writes at most `size + VARY_ROOM` bytes to `out` and returns the number; 0 if the file has no
 * place for this kind of change. */
enum { VARY_ROOM = 1 << 14 };
size_t vary_text(const char *bytes, size_t size, unsigned kind, uint64_t seed, char *out);
size_t vary_binary(const char *bytes, size_t size, unsigned kind, uint64_t seed, char *out);

#endif
