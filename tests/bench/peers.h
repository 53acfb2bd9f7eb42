/* Other readers of the same bytes. */
#ifndef PEERS_H
#define PEERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The floor's tokenizer with fast_float for the numbers; see tokens_read. */
size_t fast_float_read(const uint8_t *text, size_t size, bool md5, float *out);

/* ... and with the C library's strtod. */
size_t strtod_read(const uint8_t *text, size_t size, bool md5, float *out);

/* Assimp's import of an md5mesh or md5anim, without post-processing; returns its success. */
bool assimp_read(const uint8_t *bytes, size_t size, const char *extension);

#ifdef __cplusplus
}
#endif

#endif
