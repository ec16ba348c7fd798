/* SPDX-License-Identifier: MIT */
/* Tests that fields are decoded quickly as <brazier/binary.h> decodes them, or are left to it. */
#include "unit.h"

#include "common/quick_fields.h"

#include <brazier/collapser.h>

/* Bytes, with as many after them as must be readable. */
typedef struct input {
    uint8_t bytes[64 + BRZ_SLACK_BACK];
    size_t len;
} input;

static uint64_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

static void put_varint(input *in, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        in->bytes[in->len++] = (uint8_t)(value | 0x80);
    in->bytes[in->len++] = (uint8_t)value;
}

/* Compares a varint with what the cursor takes. Returns whether it was decoded quickly. */
static bool check_varint(const input *in)
{
    uint64_t value;
    brz_bytes b = brz_bytes_of(in->bytes, in->len);
    const uint8_t *next = quick_varint(in->bytes, in->bytes + in->len, &value);
    uint64_t expected = brz_bytes_varint(&b);
    if (next == NULL)
        return false;
    assert_null(b.error);
    assert_ptr_equal(next, b.at);
    assert_true(value == expected);
    return true;
}

static void varints_of_up_to_eight_bytes_are_decoded(void **state)
{
    (void)state;
    for (unsigned bits = 0; bits <= 63; bits++)
        for (int below = 0; below <= 1; below++) {
            input in = {.len = 0};
            put_varint(&in, (UINT64_C(1) << bits) - (uint64_t)below);
            assert_true(check_varint(&in) == (in.len <= 8));
        }
}

static void a_varint_that_is_cut_is_left_to_the_cursor(void **state)
{
    (void)state;
    for (unsigned bits = 7; bits <= 55; bits++) {
        input in = {.len = 0};
        put_varint(&in, UINT64_C(1) << bits);
        in.len--;
        assert_false(check_varint(&in));
    }
}

static void random_varints_are_equal_or_left_to_the_cursor(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int i = 0; i < 20000; i++) {
        input in = {.len = 1 + next_random(&seed) % 12};
        for (size_t k = 0; k < sizeof in.bytes; k++)
            in.bytes[k] = (uint8_t)(next_random(&seed) | (next_random(&seed) % 4 > 0 ? 0x80 : 0));
        check_varint(&in);
    }
}

/* Compares a field with what the cursor takes. Returns whether it was decoded quickly. */
static bool check_field(const input *in)
{
    quick_field f;
    brz_proto_field expected;
    brz_bytes b = brz_bytes_of(in->bytes, in->len);
    const uint8_t *next = quick_next(in->bytes, in->bytes + in->len, &f);
    bool is_valid = brz_proto_next(&b, &expected);
    if (next == NULL)
        return false;
    assert_true(is_valid);
    assert_ptr_equal(next, b.at);
    assert_int_equal(f.number, expected.number);
    assert_int_equal(f.type, expected.type);
    if (f.type == BRZ_PROTO_BYTES) {
        assert_ptr_equal(f.at, expected.part.at);
        assert_ptr_equal(f.at + f.value, expected.part.end);
    } else {
        assert_true(f.value == expected.value);
    }
    return true;
}

static void random_fields_are_equal_or_left_to_the_cursor(void **state)
{
    (void)state;
    uint64_t seed = 2;
    size_t quick = 0;
    for (int i = 0; i < 50000; i++) {
        input in = {.len = 1 + next_random(&seed) % 40};
        for (size_t k = 0; k < sizeof in.bytes; k++)
            in.bytes[k] = (uint8_t)(next_random(&seed) % (k < 3 ? 140 : 256));
        quick += check_field(&in);
    }
    assert_true(quick > 5000);
}

/* Appends fields of bytes with these lengths. */
static void put_fields(input *in, uint32_t number, const size_t *lengths, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        put_varint(in, number << 3 | BRZ_PROTO_BYTES);
        put_varint(in, lengths[i]);
        in->len += lengths[i];
    }
}

static void fields_with_the_same_number_are_skipped(void **state)
{
    (void)state;
    static const size_t lengths[] = {3, 0, 12};
    input in = {.len = 0};
    quick_run run = {in.bytes, in.bytes};
    put_fields(&in, 2, lengths, 3);
    size_t end = in.len;
    put_fields(&in, 3, lengths, 1);
    for (int i = 0; i < 2; i++) { /* the second time, at once */
        brz_bytes b = brz_bytes_of(in.bytes, in.len);
        quick_skip_and_keep(&b, 2, &run);
        assert_int_equal(brz_bytes_offset(&b), end);
        assert_ptr_equal(run.end, in.bytes + end);
    }
    brz_bytes shorter = brz_bytes_of(in.bytes, end - 1);
    quick_skip(&shorter, 2, &run);
    assert_int_equal(brz_bytes_offset(&shorter), 7);
    brz_bytes other = brz_bytes_of(in.bytes, in.len);
    quick_skip(&other, 3, &run);
    assert_int_equal(brz_bytes_offset(&other), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(varints_of_up_to_eight_bytes_are_decoded),
        cmocka_unit_test(a_varint_that_is_cut_is_left_to_the_cursor),
        cmocka_unit_test(random_varints_are_equal_or_left_to_the_cursor),
        cmocka_unit_test(random_fields_are_equal_or_left_to_the_cursor),
        cmocka_unit_test(fields_with_the_same_number_are_skipped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
