/* assemble SOURCE OUT: writes the bytes of a source, see assemble.h. */
#include "assemble.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    size_t size;
    char error[ASSEMBLE_ERROR];
    if (argc != 3) {
        fprintf(stderr, "usage: %s SOURCE OUT\n", argv[0]);
        return 2;
    }
    uint8_t *bytes = assemble_file(argv[1], &size, error);
    if (bytes == NULL) {
        fprintf(stderr, "%s:%s\n", argv[1], error);
        return 1;
    }
    FILE *out = fopen(argv[2], "wb");
    bool ok = out != NULL && fwrite(bytes, 1, size, out) == size;
    if (out == NULL || fclose(out) != 0 || !ok) {
        perror(argv[2]);
        return 2;
    }
    free(bytes);
    return 0;
}
