/* Tests the cursor, through which all numbers are read from binary files. */
#include "parsers/core/cursor.h"

#include <check.h>
#include <stdlib.h>

enum { SIZE = 12 };

/* Bytes 1, 2, 3 ... in a block of exactly that size, so that a sanitizer reports a read past the
 * end. */
static m5_source counting(uint32_t size)
{
    uint8_t *bytes = malloc(size);
    for (uint32_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)(i + 1);
    return (m5_source){"x", bytes, size};
}

static m5_source holding(const void *data, uint32_t size)
{
    m5_source s = counting(size);
    if (size != 0)
        memcpy((uint8_t *)(uintptr_t)s.bytes, data, size);
    return s;
}

static void release(m5_source *s)
{
    free((uint8_t *)(uintptr_t)s->bytes);
}

/* Offsets and sizes at which 32 or 64 bits overflow. */
static const uint64_t far[] = {
    0x7ffffffc,         0x7fffffff,         0x80000000,         0xfffffff4,
    0xfffffffb,         0xfffffffc,         0xffffffff,         0x100000000,
    0x100000001,        0x100000004,        0x10000000c,        0x7fffffffffffffff,
    0x8000000000000000, 0xffffffff00000000, 0xfffffffffffffff0, 0xfffffffffffffffb,
    0xfffffffffffffffc, 0xfffffffffffffffe, 0xffffffffffffffff};
enum { FAR = sizeof far / sizeof *far };

/* ---- What fits ------------------------------------------------------------------------------ */

START_TEST(ranges_fit_only_inside_the_file)
{
    for (uint32_t size = 0; size <= SIZE; size++) {
        m5_source s = counting(size);
        for (uint64_t offset = 0; offset <= SIZE + 2; offset++)
            for (uint64_t length = 0; length <= SIZE + 2; length++)
                ck_assert(m5_cursor_fits(&s, offset, length) == (offset + length <= size));
        release(&s);
    }
}
END_TEST

START_TEST(sums_do_not_overflow)
{
    m5_source s = counting(SIZE);
    for (int i = 0; i < FAR; i++) {
        ck_assert(!m5_cursor_fits(&s, far[i], 0));
        ck_assert(!m5_cursor_fits(&s, far[i], 4));
        for (uint64_t offset = 0; offset <= SIZE; offset++)
            ck_assert(!m5_cursor_fits(&s, offset, far[i]));
        ck_assert(!m5_cursor_fits(&s, far[i], 0 - far[i]));    /* to offset 0, in 64 bits */
        ck_assert(!m5_cursor_fits(&s, far[i], SIZE - far[i])); /* to the end */
        ck_assert(!m5_cursor_fits(&s, 4, (uint64_t)0 - 4));
        for (int k = 0; k < FAR; k++)
            ck_assert(!m5_cursor_fits(&s, far[i], far[k]));
    }
    release(&s);
}
END_TEST

/* A file of nearly 4 GiB, no byte of which is read here. */
START_TEST(ranges_end_with_the_largest_file)
{
    static const uint8_t none[1];
    m5_source s = {"x", none, UINT32_MAX};
    ck_assert(m5_cursor_fits(&s, 0, UINT32_MAX));
    ck_assert(m5_cursor_fits(&s, UINT32_MAX, 0));
    ck_assert(m5_cursor_fits(&s, UINT32_MAX - 4, 4));
    ck_assert(!m5_cursor_fits(&s, UINT32_MAX - 3, 4));
    ck_assert(!m5_cursor_fits(&s, 1, UINT32_MAX));
    ck_assert(!m5_cursor_fits(&s, 0, 0x100000000));
    ck_assert(!m5_cursor_fits(&s, 0x100000000, 0));
    ck_assert_uint_eq(m5_cursor_bits(&s, UINT32_MAX - 3), 0);
}
END_TEST

/* ---- Numbers -------------------------------------------------------------------------------- */

START_TEST(numbers_are_little_endian_at_every_offset)
{
    for (uint32_t size = 0; size <= SIZE; size++) {
        m5_source s = counting(size);
        for (uint32_t at = 0; at < SIZE + 4; at++) {
            uint32_t bits = at + 4 > size ? 0 : 0x04030201 + 0x01010101 * at;
            float value;
            memcpy(&value, &bits, sizeof value);
            ck_assert_uint_eq(m5_cursor_bits(&s, at), bits);
            ck_assert_int_eq(m5_cursor_int(&s, at), (int32_t)bits);
            ck_assert(m5_cursor_float(&s, at) == value);
            uint32_t half = at + 2 > size ? 0 : 0x0201 + 0x0101 * at;
            uint64_t twice = at + 8 > size ? 0 : bits | (uint64_t)(bits + 0x04040404) << 32;
            ck_assert_uint_eq(m5_cursor_short(&s, at), half);
            ck_assert_uint_eq(m5_cursor_long(&s, at), twice);
        }
        for (int i = 0; i < FAR; i++) {
            ck_assert_uint_eq(m5_cursor_bits(&s, far[i]), 0);
            ck_assert_int_eq(m5_cursor_int(&s, far[i]), 0);
            ck_assert_uint_eq(m5_cursor_short(&s, far[i]), 0);
            ck_assert_uint_eq(m5_cursor_long(&s, far[i]), 0);
            ck_assert(m5_cursor_float(&s, far[i]) == 0);
        }
        release(&s);
    }
}
END_TEST

static const struct {
    uint8_t bytes[4];
    uint32_t bits;
    int32_t integer;
} numbers[] = {
    {{0, 0, 0, 0}, 0, 0},
    {{1, 0, 0, 0}, 1, 1},
    {{0, 1, 0, 0}, 256, 256},
    {{0, 0, 1, 0}, 65536, 65536},
    {{0, 0, 0, 1}, 0x1000000, 0x1000000},
    {{0xff, 0xff, 0xff, 0xff}, 0xffffffff, -1},
    {{0xfe, 0xff, 0xff, 0xff}, 0xfffffffe, -2},
    {{0, 0, 0, 0x80}, 0x80000000, INT32_MIN},
    {{0xff, 0xff, 0xff, 0x7f}, 0x7fffffff, INT32_MAX},
    {{0x78, 0x56, 0x34, 0x12}, 0x12345678, 0x12345678},
    {{0, 0, 0x80, 0x3f}, 0x3f800000, 0x3f800000},
    {{0x80, 0, 0, 0}, 128, 128},
    {{0, 0x80, 0, 0}, 32768, 32768},
    {{0, 0, 0x80, 0}, 8388608, 8388608},
};

START_TEST(numbers_are_read_bit_for_bit)
{
    m5_source s = holding(numbers[_i].bytes, 4);
    ck_assert_uint_eq(m5_cursor_bits(&s, 0), numbers[_i].bits);
    ck_assert_int_eq(m5_cursor_int(&s, 0), numbers[_i].integer);
    float value = m5_cursor_float(&s, 0);
    ck_assert_int_eq(memcmp(&value, &numbers[_i].bits, 4), 0); /* on a machine of any byte order */
    release(&s);
}
END_TEST

/* Floats outside the file are 0, those before them are read. */
START_TEST(vectors_end_with_the_file)
{
    static const uint8_t one[4] = {0, 0, 0x80, 0x3f};
    uint8_t bytes[12];
    for (int i = 0; i < 3; i++)
        memcpy(bytes + 4 * i, one, 4);
    for (uint32_t size = 0; size <= 12; size++) {
        m5_source s = holding(bytes, size);
        for (uint32_t at = 0; at <= 12; at += 4) {
            float out[5] = {9, 9, 9, 9, 9};
            m5_cursor_floats(&s, at, out, 4);
            for (uint32_t i = 0; i < 4; i++)
                ck_assert(out[i] == (at + 4 * i + 4 <= size ? 1 : 0));
            ck_assert(out[4] == 9);
        }
        for (int k = 0; k < FAR; k++) {
            float out[3] = {9, 9, 9};
            m5_cursor_floats(&s, far[k], out, 2);
            ck_assert(out[0] == 0 && out[1] == 0 && out[2] == 9);
        }
        release(&s);
    }
}
END_TEST

START_TEST(odd_floats_are_found)
{
    static const struct {
        uint32_t bits;
        bool odd;
    } floats[] = {{0, false},          {0x80000000, false}, {0x3f800000, false},
                  {1, false},          {0x807fffff, false}, {0x00800000, false},
                  {0x7f7fffff, false}, {0xff7fffff, false}, {0x7f800000, true},
                  {0xff800000, true},  {0x7f800001, true},  {0x7fc00000, true},
                  {0xffffffff, true},  {0xff800001, true},  {0x7fffffff, true},
                  {0x7f000000, false}, {0xcdcdcdcd, false}};
    for (size_t i = 0; i < sizeof floats / sizeof *floats; i++)
        for (uint32_t at = 0; at < 4; at++) {
            uint8_t bytes[16] = {0};
            for (uint32_t k = 0; k < 4; k++)
                bytes[4 * at + k] = (uint8_t)(floats[i].bits >> 8 * k);
            m5_source s = holding(bytes, sizeof bytes);
            ck_assert_uint_eq(m5_cursor_odd_float(&s, 0, 4), floats[i].odd ? at : 4);
            ck_assert_uint_eq(m5_cursor_odd_float(&s, 0, at), at);
            ck_assert_uint_eq(m5_cursor_odd_float(&s, 4 * at, 1), !floats[i].odd);
            ck_assert_uint_eq(m5_cursor_odd_float(&s, 16, 3), 3); /* outside, no float is odd */
            for (int k = 0; k < FAR; k++)
                ck_assert_uint_eq(m5_cursor_odd_float(&s, far[k], 3), 3); /* no sum overflows */
            release(&s);
        }
}
END_TEST

/* Four characters, which may be the last of the file. */
START_TEST(magic_letters_are_found_at_their_offset)
{
    for (uint32_t size = 0; size <= 8; size++) {
        m5_source s = holding("xxIDP4xx", size);
        for (uint64_t at = 0; at <= 12; at++)
            ck_assert(m5_cursor_is(&s, at, "IDP4") == (at == 2 && size >= 6));
        for (int k = 0; k < FAR; k++)
            ck_assert(!m5_cursor_is(&s, far[k], "IDP4"));
        release(&s);
    }
}
END_TEST

/* ---- Strings -------------------------------------------------------------------------------- */

static void check_string(const char *bytes, uint32_t size, uint64_t at, uint32_t field,
                         uint32_t offset, uint32_t length)
{
    m5_source s = holding(bytes, size);
    m5_span text = m5_cursor_string(&s, at, field);
    ck_assert_msg(text.offset == offset && text.length == length, "%u+%u, expected %u+%u",
                  text.offset, text.length, offset, length);
    release(&s);
}

START_TEST(strings_end_at_a_nul_or_with_their_field)
{
    check_string("abc\0def\0", 8, 0, 8, 0, 3);
    check_string("abc\0def\0", 8, 4, 4, 4, 3); /* a NUL as the file's last byte */
    check_string("abc\0defg", 8, 4, 4, 4, 4);  /* no NUL at all */
    check_string("abc\0def\0", 8, 0, 3, 0, 3);
    check_string("abc\0def\0", 8, 0, 2, 0, 2);
    check_string("abc\0def\0", 8, 3, 5, 3, 0);
    check_string("abc\0def\0", 8, 8, 0, 8, 0);
    check_string("", 0, 0, 0, 0, 0);
}
END_TEST

START_TEST(strings_outside_the_file_are_empty)
{
    check_string("abcdefgh", 8, 4, 5, 0, 0); /* empty if one byte of the field is outside */
    check_string("abcdefgh", 8, 8, 1, 0, 0);
    check_string("abcdefgh", 8, 9, 0, 0, 0);
    check_string("abcdefgh", 8, 0, UINT32_MAX, 0, 0);
    check_string("abcdefgh", 8, 4, UINT32_MAX - 3, 0, 0);
    for (int i = 0; i < FAR; i++) {
        check_string("abcdefgh", 8, far[i], 0, 0, 0);
        check_string("abcdefgh", 8, far[i], 32, 0, 0);
        check_string("abcdefgh", 8, far[i], (uint32_t)(0 - far[i]), 0, 0);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cursor");
    TCase *t = tcase_create("cursor");
    tcase_add_test(t, ranges_fit_only_inside_the_file);
    tcase_add_test(t, sums_do_not_overflow);
    tcase_add_test(t, ranges_end_with_the_largest_file);
    tcase_add_test(t, numbers_are_little_endian_at_every_offset);
    tcase_add_loop_test(t, numbers_are_read_bit_for_bit, 0, sizeof numbers / sizeof *numbers);
    tcase_add_test(t, vectors_end_with_the_file);
    tcase_add_test(t, odd_floats_are_found);
    tcase_add_test(t, magic_letters_are_found_at_their_offset);
    tcase_add_test(t, strings_end_at_a_nul_or_with_their_field);
    tcase_add_test(t, strings_outside_the_file_are_empty);
    suite_add_tcase(suite, t);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
