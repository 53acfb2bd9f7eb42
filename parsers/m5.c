/* The library's version. */
#include "m5.h"

const char *m5_version(void)
{
    return M5_VERSION;
}
