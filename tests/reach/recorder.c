/* Records what a program reaches, for tests/reach/distill: edges, and for each comparison of
 * integers whether its sides were equal, next to each other, or farther apart, and which one was
 * larger. The environment names two files: REACH_TABLE has what was reached by all programs so far,
 * and REACH_NEW gets how much of this is new. Not for threads. */
#define _XOPEN_SOURCE 700

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { EDGES = 1 << 18, COMPARISONS = 1 << 20, SIZE = EDGES + COMPARISONS };
enum { LESS = 1, ONE_LESS = 2, EQUAL = 4, ONE_MORE = 8, MORE = 16 };

static uint8_t none[SIZE], *table = none;
static uint32_t num_new, num_edges;

static void check(int failed, const char *what)
{
    if (!failed)
        return;
    perror(what);
    abort();
}

__attribute__((constructor)) static void begin(void)
{
    const char *name = getenv("REACH_TABLE");
    if (name == NULL)
        return;
    int fd = open(name, O_RDWR | O_CREAT, 0666);
    check(fd < 0 || ftruncate(fd, SIZE) != 0, name);
    table = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    check(table == MAP_FAILED, name);
    close(fd);
}

__attribute__((destructor)) static void end(void)
{
    const char *name = getenv("REACH_NEW");
    FILE *file = name != NULL ? fopen(name, "w") : NULL;
    if (file == NULL)
        return;
    fprintf(file, "%u\n", num_new);
    check(fclose(file) != 0, name);
}

static void reach(uint32_t at, uint8_t what)
{
    num_new += (table[at] & what) == 0;
    table[at] |= what;
}

/* What clang calls, by -fsanitize-coverage=trace-pc-guard,trace-cmp. */
void __sanitizer_cov_trace_pc_guard_init(uint32_t *guard, uint32_t *last);
void __sanitizer_cov_trace_pc_guard(const uint32_t *guard);
void __sanitizer_cov_trace_switch(uint64_t value, uint64_t *cases);

void __sanitizer_cov_trace_pc_guard_init(uint32_t *guard, uint32_t *last)
{
    check(num_edges + (size_t)(last - guard) >= EDGES, "EDGES");
    for (; guard < last && *guard == 0; guard++)
        *guard = ++num_edges;
}

void __sanitizer_cov_trace_pc_guard(const uint32_t *guard)
{
    reach(*guard, 1);
}

void __sanitizer_cov_trace_switch(uint64_t value, uint64_t *cases)
{
    (void)value;
    (void)cases;
}

static void record(const void *caller, uint8_t what)
{
    uint32_t hash = (uint32_t)((uintptr_t)caller * 0x9e3779b1) >> 12; /* below COMPARISONS */
    reach(EDGES + hash, what);
}

/* Whether the sides have a sign is not known, so that they are compared as if they had none: -9 is
 * larger than 9. But -1 and 0 are next to each other. */
#define OUTCOME(type)                                                                              \
    ((uint8_t)(a == b               ? EQUAL                                                        \
               : (type)(b - a) == 1 ? ONE_LESS                                                     \
               : (type)(a - b) == 1 ? ONE_MORE                                                     \
               : a < b              ? LESS                                                         \
                                    : MORE))
#define COMPARE(size, type)                                                                        \
    void __sanitizer_cov_trace_cmp##size(type a, type b);                                          \
    void __sanitizer_cov_trace_const_cmp##size(type a, type b);                                    \
    void __sanitizer_cov_trace_cmp##size(type a, type b)                                           \
    {                                                                                              \
        record(__builtin_return_address(0), OUTCOME(type));                                        \
    }                                                                                              \
    void __sanitizer_cov_trace_const_cmp##size(type a, type b)                                     \
    {                                                                                              \
        record(__builtin_return_address(0), OUTCOME(type));                                        \
    }
COMPARE(1, uint8_t)
COMPARE(2, uint16_t)
COMPARE(4, uint32_t)
COMPARE(8, uint64_t)
