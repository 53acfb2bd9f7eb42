/* A fuzz target with a bug, for tests/gates/night: it stops at an input with a certain byte behind
 * the magic word, if not MENDED. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_version(const uint8_t *bytes, size_t size)
{
#ifdef MENDED
    if (size > 0)
        return;
#endif
    if (size > 0 && bytes[0] == '!') {
        fprintf(stderr, "%s:%d: assertion failed: planted\n", __FILE__, __LINE__);
        abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size > 4 && memcmp(data, "IDP4", 4) == 0)
        read_version(data + 4, size - 4);
    return 0;
}
