#include "peers.h"
#include "tokens.h"

#include <fast_float/fast_float.h>

static const uint8_t *read_fast_float(const uint8_t *p, float *out)
{
    const char *text = reinterpret_cast<const char *>(p);
    fast_float::from_chars_result r = fast_float::from_chars(text, text + TOKENS_PADDING, *out);
    const uint8_t *end = reinterpret_cast<const uint8_t *>(r.ptr);
    return r.ec == std::errc() ? end - (*end > ' ') : nullptr;
}

size_t fast_float_read(const uint8_t *text, size_t size, bool md5, float *out)
{
    return md5 ? tokens_read(text, size, true, out, read_fast_float)
               : tokens_read(text, size, false, out, read_fast_float);
}
