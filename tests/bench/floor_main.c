/* The floor as a program:  floor FILE...  prints how many numbers each file has, and their sum. */
#include "files.h"
#include "floor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void read_one(const char *path)
{
    file f = file_read(path);
    float *numbers = must_allocate((f.source.size / 2 + 1) * sizeof *numbers);
    size_t count = floor_read(f.source.bytes, f.source.size, strncmp(f.format->name, "md5", 3) == 0,
                              numbers);
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += (double)numbers[i];
    printf("%s: %zu numbers, sum %.9g\n", path, count, sum);
    free(numbers);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        read_one(argv[i]);
    return 0;
}
