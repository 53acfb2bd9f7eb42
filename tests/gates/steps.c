/* Counts the steps of a program built with -fsanitize-coverage=trace-pc. A step is a basic block,
 * or 8 bytes that a function of the C library reads. Linked to the program with these functions
 * wrapped; prints the count at the end. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define UNCOUNTED __attribute__((no_sanitize_coverage))

static uint64_t steps; /* not atomic: of one thread */

void __sanitizer_cov_trace_pc(void);
UNCOUNTED void __sanitizer_cov_trace_pc(void)
{
    steps++;
}

enum { BYTES_A_STEP = 8 };

#define WRAP(result, name, parameters, arguments, bytes)                                           \
    result __real_##name parameters;                                                               \
    result __wrap_##name parameters;                                                               \
    UNCOUNTED result __wrap_##name parameters                                                      \
    {                                                                                              \
        steps += (bytes) / BYTES_A_STEP;                                                           \
        return __real_##name arguments;                                                            \
    }

WRAP(void *, memcpy, (void *to, const void *from, size_t n), (to, from, n), n)
WRAP(void *, memmove, (void *to, const void *from, size_t n), (to, from, n), n)
WRAP(void *, memset, (void *to, int byte, size_t n), (to, byte, n), n)
WRAP(int, memcmp, (const void *a, const void *b, size_t n), (a, b, n), n)

static UNCOUNTED size_t seen(const void *in, const void *found, size_t n)
{
    return found != NULL ? (size_t)((const char *)found - (const char *)in) : n;
}

void *__real_memchr(const void *in, int byte, size_t n);
void *__wrap_memchr(const void *in, int byte, size_t n);
UNCOUNTED void *__wrap_memchr(const void *in, int byte, size_t n)
{
    void *found = __real_memchr(in, byte, n);
    steps += seen(in, found, n) / BYTES_A_STEP;
    return found;
}

size_t __real_strlen(const char *string);
size_t __wrap_strlen(const char *string);
UNCOUNTED size_t __wrap_strlen(const char *string)
{
    size_t n = __real_strlen(string);
    steps += n / BYTES_A_STEP;
    return n;
}

__attribute__((destructor)) static UNCOUNTED void say(void)
{
    fprintf(stderr, "steps: %llu\n", (unsigned long long)steps);
}
