/* Small damages as they happen to files: a missing word, a repeated line, a changed number,
 * inserted bytes. Each describes what it did; for MD4 as a line of a source as in assemble.h. */
#ifndef M5_TEST_DAMAGE_H
#define M5_TEST_DAMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DAMAGE_ROOM = 1 << 20, DAMAGE_SAYS = 160 };

typedef struct damaged {
    uint8_t bytes[DAMAGE_ROOM];
    size_t size;
    uint64_t chance; /* a seed that is not 0 */
} damaged;

/* Returns false if the damage was not possible; then nothing was changed. */
bool damage_text(damaged *d, char says[DAMAGE_SAYS]);
bool damage_md4(damaged *d, char says[DAMAGE_SAYS]);

#endif
