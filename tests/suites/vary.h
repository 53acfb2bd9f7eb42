/* Small changes of model files, as a hand, an exporter or a disk makes them. */
#ifndef M5_TEST_VARY_H
#define M5_TEST_VARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One change for each kind; where it is made is drawn. */
enum { TEXT_KINDS = 18, BINARY_KINDS = 11 };

/* Copies a file with one change of a kind, always the same for the same seed. Writes at most
 * `size + VARY_ROOM` bytes to `out` and returns how many; 0 if there is nothing to change so. */
enum { VARY_ROOM = 1 << 14 };
size_t vary_text(const char *bytes, size_t size, unsigned kind, uint64_t seed, char *out);
size_t vary_binary(const char *bytes, size_t size, unsigned kind, uint64_t seed, char *out);

#endif
