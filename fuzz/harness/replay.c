/* Runs a harness on files instead of under a fuzzer, as `make check` does with the corpus.
 * Arguments are files, or folders with all files in them. With --speed first, runs the beginning of
 * each file many times, as a fuzzer would, and prints the executions per second of processor time.
 */
#define _XOPEN_SOURCE 700

#include <ftw.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { TIMES = 50, FUZZED_AT_MOST = 16384 }; /* fuzz/run's -max_len */
static bool speed;
static unsigned long files;
static double bytes;

static void run(const uint8_t *data, size_t size)
{
    uint8_t *exact = malloc(size); /* exact, so that a sanitizer reports a read past the end */
    if (exact == NULL && size != 0)
        abort();
    if (size != 0)
        memcpy(exact, data, size);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
}

static int replay(const char *path, const struct stat *status, int kind, struct FTW *at)
{
    (void)at;
    if (kind != FTW_F)
        return 0;
    size_t size = (size_t)status->st_size;
    if (speed && size > FUZZED_AT_MOST)
        size = FUZZED_AT_MOST;
    uint8_t *data = malloc(size + 1);
    FILE *file = fopen(path, "rb");
    if (data == NULL || file == NULL || fread(data, 1, size, file) != size) {
        perror(path);
        exit(2);
    }
    fclose(file);
    for (int i = 0; i < (speed ? TIMES : 1); i++)
        run(data, size);
    free(data);
    files++;
    bytes += (double)size;
    return 0;
}

int main(int argc, char **argv)
{
    clock_t start = clock();
    speed = argc > 1 && strcmp(argv[1], "--speed") == 0;
    for (int i = 1 + speed; i < argc; i++)
        if (nftw(argv[i], replay, 16, FTW_PHYS) != 0) {
            perror(argv[i]);
            return 2;
        }
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    if (speed && files != 0)
        printf("%-14s %8.0f executions per second and core (%lu seeds, %.0f bytes on average)\n",
               strrchr(argv[0], '/') + sizeof "/replay_fuzz", (double)files * TIMES / seconds,
               files, bytes / (double)files);
    else
        printf("%s: %lu files replayed\n", argv[0], files);
    return files == 0;
}
