/* A fuzz target for HARNESS_FORMAT: any bytes as a file of it, parsed and linted. */
#include "harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    harness_lint(m5_format_by_name("x." HARNESS_FORMAT), data, size);
    return 0;
}
