/* Fuzz target for the parser of HARNESS_FORMAT: any bytes as a file of this format. */
#include "fuzz/harness/harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const m5_format *format;
    if (format == NULL)
        format = m5_format_by_name("x." HARNESS_FORMAT);
    harness_try(format, data, size, 0);
    return 0;
}
