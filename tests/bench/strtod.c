/* The floor's tokenizer with strtod for the numbers, for comparison. */
#include "peers.h"
#include "tokens.h"

#include <stdlib.h>

static const uint8_t *read_strtod(const uint8_t *p, float *out)
{
    char *end;
    *out = (float)strtod((const char *)p, &end);
    const uint8_t *behind = (const uint8_t *)end;
    return behind != p ? behind - (*behind > ' ') : NULL;
}

size_t strtod_read(const uint8_t *text, size_t size, bool md5, float *out)
{
    return tokens_read(text, size, md5, out, read_strtod);
}
