/* Files with one thing wrong: each truncation of a file (and the file itself), and each byte of it
 * replaced by each other value, parsed and linted. `find corpus -type f | hostile SHARE TURN` takes one in SHARE
 * of these, another one each TURN; of a file over 8 KiB only truncations. Run under sanitizers
 * it is their report that fails, else what the harness asserts. The last line counts. */
#ifndef HARNESS_SHARE
#define HARNESS_SHARE 256
#endif
#include "harness.h"

enum { REPLACE_AT_MOST = 8192 };

static uint64_t share, until_due, number, parses, files, digest;

/* Counts all that there are, so that TURNs take different ones and together all. */
static bool is_due(void)
{
    number++;
    if (until_due-- != 0)
        return false;
    until_due = share - 1;
    return true;
}

/* In a block of just this size, so that one byte too far is seen. */
static uint8_t *copy_of(const uint8_t *bytes, size_t size)
{
    uint8_t *exact = malloc(size);
    HARNESS_ASSERT(exact != NULL || size == 0);
    if (size != 0)
        memcpy(exact, bytes, size);
    return exact;
}

static void try_bytes(const m5_format *format, const uint8_t *bytes, size_t size)
{
    digest = (digest ^ harness_try(format, bytes, size, HARNESS_LINT).digest) * 1099511628211u;
    parses++;
}

static void try_truncations(const m5_format *format, const uint8_t *bytes, size_t size)
{
    for (size_t length = 0; length <= size; length++) {
        if (!is_due())
            continue;
        uint8_t *exact = copy_of(bytes, length);
        try_bytes(format, exact, length);
        free(exact);
    }
}

static void try_replacements(const m5_format *format, const uint8_t *bytes, size_t size)
{
    uint8_t *exact = copy_of(bytes, size);
    for (size_t i = 0; i < size; i++) {
        for (int value = 0; value < 256; value++) {
            if (value == bytes[i] || !is_due())
                continue;
            exact[i] = (uint8_t)value;
            try_bytes(format, exact, size);
        }
        exact[i] = bytes[i];
    }
    free(exact);
}

static uint8_t *read_all(const char *path, size_t *size)
{
    uint8_t *bytes = NULL;
    FILE *file = fopen(path, "rb");
    size_t room = 0, got;
    *size = 0;
    if (file == NULL) {
        perror(path);
        exit(2);
    }
    do {
        room = 2 * room + 4096;
        bytes = realloc(bytes, room);
        HARNESS_ASSERT(bytes != NULL);
        got = fread(bytes + *size, 1, room - *size, file);
        *size += got;
    } while (*size == room);
    fclose(file);
    return bytes;
}

static void try_file(const char *path)
{
    const m5_format *format = m5_format_by_name(path);
    size_t size;
    if (format == NULL || format->parse == NULL)
        return;
    uint8_t *bytes = read_all(path, &size);
    try_truncations(format, bytes, size);
    if (size <= REPLACE_AT_MOST)
        try_replacements(format, bytes, size);
    free(bytes);
    files++;
}

int main(int argc, char **argv)
{
    char path[4096];
    share = argc == 3 ? strtoull(argv[1], NULL, 10) : 0;
    if (share == 0) {
        fprintf(stderr, "usage: find FOLDER -type f | hostile SHARE TURN\n");
        return 2;
    }
    until_due = strtoull(argv[2], NULL, 10) % share;
    while (fgets(path, sizeof path, stdin) != NULL) {
        path[strcspn(path, "\n")] = '\0';
        try_file(path);
    }
    printf("hostile: %llu files, %llu of %llu variants parsed and linted, none failed\n"
           "hostile: digest of the findings %016llx\n",
           (unsigned long long)files, (unsigned long long)parses, (unsigned long long)number,
           (unsigned long long)digest);
    return files == 0;
}
