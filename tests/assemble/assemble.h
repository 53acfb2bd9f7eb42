/* Binary cases of the corpus are written as text, bytes with reasons, and assembled.
 *
 * A source has one statement a line; # begins a comment. Numbers are decimal or 0x hex; what is
 * written is little-endian.
 *
 *     int 4 -1 0xcdcdcdcd     32 bits each
 *     float 0.5 -inf nan      32 bits each
 *     byte ff 00 7f           two hex digits each
 *     name 64 "models/box"    text, padded with zeros to that size
 *     zero 12                 that many bytes of 0
 *     at 0x64                 no bytes, but an error unless the next one goes to this offset
 *
 *     repeat 3 {              the statements up to } three times; in there `turn` is an int, 0 to
 *     }                       2, and so is `start`, the offset where the turn began; in names %
 *                             is the turn; both ints may have a minus
 *
 *     from ../whole/box.md4   first of all: begin with the bytes of this file, a path from here,
 *     patch 0x60              then values overwrite what is at the offset and behind it,
 *     append                  or go to the end;
 *     cut 99                  the file ends there
 *     lose 0x60 4             so many bytes are gone from there,
 *     gain 0x60 4             or so many of 0 have come in
 */
#ifndef M5_TEST_ASSEMBLE_H
#define M5_TEST_ASSEMBLE_H

#include <stddef.h>
#include <stdint.h>

enum { ASSEMBLE_ERROR = 256 };

/* The bytes that a source stands for, to be freed. NULL if it is wrong; then `error` holds the
 * line and what is wrong there, as in `12: no such statement: imt`. */
uint8_t *assemble(const char *source, const char *folder, size_t *size, char error[ASSEMBLE_ERROR]);

/* The same for a source in a file. */
uint8_t *assemble_file(const char *path, size_t *size, char error[ASSEMBLE_ERROR]);

#endif
