/* Assembles the binary cases of the corpus from their sources: text that has a comment for the
 * bytes.
 *
 * A source has one statement per line; # begins a comment. Numbers are decimal or 0x hex, and are
 * written in little-endian order.
 *
 *     int 4 -1 0xcdcdcdcd     32 bits each
 *     short 20 -1             16 bits each
 *     float 0.5 -inf nan      32 bits each
 *     byte ff 00 7f           two hex digits each
 *     name 64 "models/box"    text, padded with zeros to that size
 *     zero 12                 that many bytes of 0
 *     file ../whole/box.md4   the bytes of this file; the path is relative to the source
 *     at 0x64                 no bytes, but an error unless the next one goes to this offset
 *
 *     repeat 3 {              the statements up to } three times; among them the int `turn` is 0, 1
 *     }                       and 2, and the int `start` is the offset where the turn began; in
 *                             names, % is the turn; -turn and -start are allowed
 *
 *     from ../whole/box.md4   as the first statement: begin with the bytes of this file; the path
 * is relative to the source patch 0x60              the next values overwrite the bytes from this
 * offset on append                  the next values are added at the end cut 99 the file ends at
 * this offset lose 0x60 4             remove 4 bytes at this offset gain 0x60 4             insert
 * 4 bytes of 0 at this offset
 */
#ifndef M5_TEST_ASSEMBLE_H
#define M5_TEST_ASSEMBLE_H

#include <stddef.h>
#include <stdint.h>

enum { ASSEMBLE_ERROR = 256 };

/* Returns the bytes of a source, to be freed. NULL if the source is wrong; then `error` holds the
 * line and the error, as in `12: unknown statement: imt`. */
uint8_t *assemble(const char *source, const char *folder, size_t *size, char error[ASSEMBLE_ERROR]);

/* The same for a source in a file. */
uint8_t *assemble_file(const char *path, size_t *size, char error[ASSEMBLE_ERROR]);

#endif
