/* Parses and lints variants of files with one thing wrong:
 * - each truncation of a file, and the file itself;
 * - the file with each byte replaced by each other value;
 * - the file with each word, or each field of an MD4, replaced by extreme numbers; words also in a
 *   file with an extra line at its end.
 *
 *     find corpus -type f | hostile SHARE TURN [words]
 *
 * takes one in SHARE of these variants, different ones for each TURN. Files over 8 KiB are only
 * truncated. With `words`, only words and fields are replaced. It fails by a sanitizer's report or
 * by an assertion of the harness. The last lines have the counts and a digest of the findings. */
#ifndef HARNESS_SHARE
#define HARNESS_SHARE 256
#endif
#include "harness.h"

enum { REPLACE_AT_MOST = 8192 };

static uint64_t share, until_due, number, parses, files, digest;

/* Whether to run the next variant. Counts all variants, so that each TURN takes different ones and
 * all TURNs together take each once. */
static bool is_due(void)
{
    number++;
    if (until_due-- != 0)
        return false;
    until_due = share - 1;
    return true;
}

/* Copies to a block of exactly this size, so that a sanitizer reports a read past the end. */
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

/* The empty word, numbers at and beyond the limits of types and readers, and other odd words. */
static const char *const extreme_words[] = {
    "",
    "-1",
    "2147483647",
    "2147483648",
    "-2147483648",
    "4294967295",
    "4294967296",
    "18446744073709551615",
    "16777216",
    "-0",
    "3.4028236e38",
    "1e-46",
    "nan",
    "\"\"",
    "1 1",
};
static const uint32_t extreme_fields[] = {
    0,          UINT32_MAX, 0x7fffffff, 0x80000000, 0x7ffffffc, 0xfffffffc, 0x10000,
    0x7f800000, 0x7fc00000, 0x7f7fffff, 1,          2,          3,          4,
};
#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* Runs the file with the `length` bytes at `at` replaced. */
static void try_instead(const m5_format *format, const uint8_t *bytes, size_t size, size_t at,
                        size_t length, const void *other, size_t other_length)
{
    if (!is_due())
        return;
    size_t behind = size - at - length, whole = at + other_length + behind;
    uint8_t *exact = malloc(whole);
    HARNESS_ASSERT(exact != NULL || whole == 0);
    if (whole != 0) {
        memcpy(exact, bytes, at);
        memcpy(exact + at, other, other_length);
        memcpy(exact + at + other_length, bytes + at + length, behind);
    }
    try_bytes(format, exact, whole);
    free(exact);
}

static void try_words(const m5_format *format, const uint8_t *bytes, size_t size)
{
    for (size_t at = 0, end; at < size; at = end) {
        for (end = at; end < size && bytes[end] > ' ';)
            end++;
        for (size_t i = 0; i < LENGTH(extreme_words) && end > at; i++)
            try_instead(format, bytes, size, at, end - at, extreme_words[i],
                        strlen(extreme_words[i]));
        end += end == at;
    }
}

/* The same with an extra line at the end of the file: then the parser searches the lines for the
 * one that is extra, even if the rest of the file is clean. */
static void try_words_before_a_rest(const m5_format *format, const uint8_t *bytes, size_t size)
{
    static const char rest[] = "\n-2.25 0.5 0.25\n";
    size_t longer = size + sizeof rest - 1;
    uint8_t *both = malloc(longer);
    HARNESS_ASSERT(both != NULL);
    if (size != 0)
        memcpy(both, bytes, size);
    memcpy(both + size, rest, sizeof rest - 1);
    try_words(format, both, longer);
    free(both);
}

static void try_fields(const m5_format *format, const uint8_t *bytes, size_t size)
{
    for (size_t at = 0; at + 4 <= size; at += 4) {
        for (size_t i = 0; i < LENGTH(extreme_fields); i++) {
            uint32_t v = extreme_fields[i];
            uint8_t field[4] = {(uint8_t)v, (uint8_t)(v >> 8), (uint8_t)(v >> 16),
                                (uint8_t)(v >> 24)};
            try_instead(format, bytes, size, at, 4, field, 4);
        }
    }
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

static void try_file(const char *path, bool words_only)
{
    const m5_format *format = m5_format_by_name(path);
    size_t size;
    if (format == NULL)
        return;
    uint8_t *bytes = read_all(path, &size);
    if (!words_only)
        try_truncations(format, bytes, size);
    if (size <= REPLACE_AT_MOST && !words_only)
        try_replacements(format, bytes, size);
    if (size <= REPLACE_AT_MOST && format->text) {
        try_words(format, bytes, size);
        try_words_before_a_rest(format, bytes, size);
    } else if (size <= REPLACE_AT_MOST) {
        try_fields(format, bytes, size);
    }
    free(bytes);
    files++;
}

int main(int argc, char **argv)
{
    char path[4096];
    bool words_only = argc == 4 && strcmp(argv[3], "words") == 0;
    share = argc == 3 || words_only ? strtoull(argv[1], NULL, 10) : 0;
    if (share == 0) {
        fprintf(stderr, "usage: find FOLDER -type f | hostile SHARE TURN [words]\n");
        return 2;
    }
    until_due = strtoull(argv[2], NULL, 10) % share;
    while (fgets(path, sizeof path, stdin) != NULL) {
        path[strcspn(path, "\n")] = '\0';
        try_file(path, words_only);
    }
    printf("hostile: %llu files, %llu of %llu variants parsed and linted, none failed\n"
           "hostile: digest of the findings %016llx\n",
           (unsigned long long)files, (unsigned long long)parses, (unsigned long long)number,
           (unsigned long long)digest);
    return files == 0;
}
