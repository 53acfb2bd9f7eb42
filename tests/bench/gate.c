/* Lints a file once, in memory and without geometry, for callgrind to count: tests/bench/gate. */
#include "files.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    if (argc != 2)
        return 2;
    file f = file_read(argv[1]);
    m5_levels levels[M5_RULES];
    lint_levels(levels);
    uint64_t errors = lint_file(&f, levels, must_allocate(lint_memory(f.source.size)), false);
    printf("%lu\n", (unsigned long)f.source.size);
    return errors != 0;
}
