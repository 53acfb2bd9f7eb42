/* Runs a harness over files instead of under a fuzzer: what `make check` does with the corpus.
 * Arguments are files or folders, which are gone through. */
#define _XOPEN_SOURCE 700

#include <ftw.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static unsigned long files;

static int replay(const char *path, const struct stat *status, int kind, struct FTW *at)
{
    (void)at;
    if (kind != FTW_F)
        return 0;
    size_t size = (size_t)status->st_size;
    uint8_t *data = malloc(size + 1);
    FILE *file = fopen(path, "rb");
    if (data == NULL || file == NULL || fread(data, 1, size, file) != size) {
        perror(path);
        exit(2);
    }
    fclose(file);
    uint8_t *exact = malloc(size); /* so that one byte too far is seen */
    for (size_t i = 0; exact != NULL && i < size; i++)
        exact[i] = data[i];
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
    free(data);
    files++;
    return 0;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (nftw(argv[i], replay, 16, FTW_PHYS) != 0) {
            perror(argv[i]);
            return 2;
        }
    printf("%s: %lu files replayed\n", argv[0], files);
    return files == 0;
}
