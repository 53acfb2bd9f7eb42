/* Any bytes as an md5mesh, parsed and linted. */
#include "harness.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    harness_lint(m5_format_by_name("x.md5mesh"), data, size);
    return 0;
}
