/* Fuzz target for numbers: each word of the input is read by every reader and by strtod. */
#include "fuzz/harness/check_clean.h"

#include "parsers/core/number.h"

#include <string.h>

enum { LONGEST = 4096 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The grammar that all readers share. strtod accepts more, which the readers must refuse. */
static bool is_decimal(const char *p)
{
    p += *p == '-' || *p == '+';
    const char *digits = p + strspn(p, "0123456789");
    const char *fraction = *digits == '.' ? digits + 1 + strspn(digits + 1, "0123456789") : digits;
    if (digits == p && fraction <= digits + 1)
        return false;
    if (*fraction != 'e' && *fraction != 'E')
        return *fraction == '\0';
    const char *exponent = fraction + 1 + (fraction[1] == '-' || fraction[1] == '+');
    size_t count = strspn(exponent, "0123456789");
    return count != 0 && exponent[count] == '\0';
}

static bool same(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static void try_double(const char *word, size_t size)
{
    double read = 0, expected = strtod(word, NULL);
    m5_number_flaw flaw = m5_read_double((const uint8_t *)word, size, &read);
    HARNESS_ASSERT(is_decimal(word) == (flaw < M5_NUMBER_HEX));
    if (flaw < M5_NUMBER_OVERFLOW)
        HARNESS_ASSERT(same(read, expected));
    float narrow = 0;
    flaw = m5_read_float((const uint8_t *)word, size, &narrow);
    if (flaw < M5_NUMBER_OVERFLOW)
        HARNESS_ASSERT(narrow == (float)expected);
    int32_t whole = 0;
    flaw = m5_read_int((const uint8_t *)word, size, &whole);
    if (flaw == M5_NUMBER_FINE)
        HARNESS_ASSERT((double)whole == expected);
}

/* If a fast reader accepts a word, the slow one must read the same number. */
static void try_fast(const char *word, size_t size)
{
    uint8_t padded[M5_FAST_BYTES + LONGEST + 2];
    memcpy(padded, word, size);
    memset(padded + size, ' ', sizeof padded - size);
    float fast, slow = 0;
    int32_t fast_int, slow_int = 0;
    if (m5_fast_float(padded, &fast) == padded + size) {
        HARNESS_ASSERT(m5_read_float(padded, size, &slow) <= M5_NUMBER_LEADING_ZERO);
        HARNESS_ASSERT(memcmp(&fast, &slow, sizeof fast) == 0);
    }
    if (m5_fast_int(padded, &fast_int) == padded + size) {
        HARNESS_ASSERT(m5_read_int(padded, size, &slow_int) == M5_NUMBER_FINE);
        HARNESS_ASSERT(fast_int == slow_int);
    }
}

static void try_word(const uint8_t *data, size_t size)
{
    char word[LONGEST + 1];
    if (size > LONGEST || memchr(data, '\0', size) != NULL)
        return;
    memcpy(word, data, size);
    word[size] = '\0';
    try_double(word, size);
    try_fast(word, size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (size_t begin = 0, end; begin < size; begin = end + 1) {
        for (end = begin; end < size && !m5_is_blank(data[end]);)
            end++;
        if (end > begin)
            try_word(data + begin, end - begin);
    }
    return 0;
}
