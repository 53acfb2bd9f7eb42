/* Lints a file once, in memory, for callgrind to count: tests/bench/gate.
 *
 *     gate FILE [--geometry] */
#include "files.h"

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    bool geometry = argc == 3 && strcmp(argv[2], "--geometry") == 0;
    if (argc != 2 && !geometry)
        return 2;
    file f = file_read(argv[1]);
    m5_levels levels[M5_RULES];
    lint_levels(levels);
    uint64_t errors = lint_file(&f, levels, must_allocate(lint_memory(f.source.size)), geometry);
    printf("%lu\n", (unsigned long)f.source.size);
    return errors != 0;
}
