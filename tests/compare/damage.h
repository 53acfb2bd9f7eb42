/* Small damages as they happen to files: a word lost, a line twice, a number that is another, bytes
 * that came in. Each tells what it did, for MD4 as a line of a source as in assemble.h. */
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

/* False if this one was not possible: nothing was done then. */
bool damage_text(damaged *d, char says[DAMAGE_SAYS]);
bool damage_md4(damaged *d, char says[DAMAGE_SAYS]);

#endif
