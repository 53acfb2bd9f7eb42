/* Fuzz target for the linter: any bytes, in the format found from their content, with every rule
 * on. */
#include "fuzz/harness/harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const m5_format *format = m5_format_by_content(data, size);
    if (format == NULL)
        return 0;
    harness_try(format, data, size, HARNESS_LINT);
    return 0;
}
