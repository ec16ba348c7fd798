/* SPDX-License-Identifier: MIT */
/* The reader of binary data of the SDK: values, bounds, failures and their places. */
#include "unit.h"

#include <brazier/binary.h>

static brz_bytes of_text(const char *text, size_t n)
{
    return brz_bytes_of(text, n);
}

static void integers_have_either_byte_order(void **state)
{
    (void)state;
    for (uint32_t order = BRZ_LITTLE_ENDIAN; order <= BRZ_BIG_ENDIAN; order++) {
        bool big = order == BRZ_BIG_ENDIAN;
        brz_bytes b = of_text("\x81\x82\x83\x84\x85\x86\x87\x88\x89\x8a\x8b\x8c\x8d\x8e\x8f", 15);
        b.order = order;
        assert_int_equal(0x81, brz_bytes_u8(&b));
        assert_int_equal(big ? 0x8283 : 0x8382, brz_bytes_u16(&b));
        assert_int_equal(big ? 0x84858687u : 0x87868584u, brz_bytes_u32(&b));
        assert_true((big ? UINT64_C(0x88898a8b8c8d8e8f) : UINT64_C(0x8f8e8d8c8b8a8988)) ==
                    brz_bytes_u64(&b));
        assert_null(b.error);
        assert_int_equal(15, brz_bytes_offset(&b));
        assert_int_equal(0, brz_bytes_left(&b));
        brz_bytes_seek(&b, 0);
        assert_int_equal(big ? 0x818283 : 0x838281, brz_bytes_uint(&b, 3));
        assert_true(brz_bytes_uint(&b, 8) ==
                    (big ? UINT64_C(0x8485868788898a8b) : UINT64_C(0x8b8a898887868584)));
    }
}

static void signed_integers_keep_their_sign(void **state)
{
    brz_bytes b = of_text("\xff\xfd\xff\xff\xff\xfc\xff\xff\xff\xff\xff\xff\xff", 13);
    (void)state;
    assert_int_equal(-1, brz_bytes_i8(&b));
    assert_int_equal(-3, brz_bytes_i32(&b));
    assert_true(brz_bytes_i64(&b) == -4);
}

static void floating_point_numbers_are_read(void **state)
{
    brz_bytes b = of_text("\x3f\x80\0\0\xc0\x04\0\0\0\0\0\0", 12);
    (void)state;
    b.order = BRZ_BIG_ENDIAN;
    assert_true(brz_bytes_f32(&b) == 1.0f);
    assert_true(brz_bytes_f64(&b) == -2.5);
}

static void integers_of_no_such_size_fail(void **state)
{
    (void)state;
    for (uint32_t size = 0; size <= 9; size += 9) {
        brz_bytes b = of_text("0123456789", 10);
        assert_true(brz_bytes_uint(&b, size) == 0);
        assert_string_equal("an integer of an unsupported size", b.error);
        assert_false(b.is_cut);
    }
}

static void varints_are_read_up_to_64_bits(void **state)
{
    static const struct {
        const char *bytes;
        size_t n;
        uint64_t value;
    } cases[] = {
        {"\0", 1, 0},
        {"\x7f", 1, 127},
        {"\x80\x01", 2, 128},
        {"\xac\x02", 2, 300},
        {"\x80\x80\x00", 3, 0}, /* longer than necessary */
        {"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 10, UINT64_MAX},
        {"\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01", 10, UINT64_C(1) << 63},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        brz_bytes b = of_text(cases[i].bytes, cases[i].n);
        assert_true(brz_bytes_varint(&b) == cases[i].value);
        assert_null(b.error);
        assert_int_equal(0, brz_bytes_left(&b));
    }
}

static void signed_leb128_is_read_up_to_64_bits(void **state)
{
    static const struct {
        const char *bytes;
        size_t n;
        int64_t value;
    } cases[] = {
        {"\0", 1, 0},
        {"\x3f", 1, 63},
        {"\x40", 1, -64},
        {"\x7f", 1, -1},
        {"\xff\x00", 2, 127},
        {"\x80\x7f", 2, -128},
        {"\xc0\xbb\x78", 3, -123456},
        {"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x00", 10, INT64_MAX},
        {"\x80\x80\x80\x80\x80\x80\x80\x80\x80\x7f", 10, INT64_MIN},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        brz_bytes b = of_text(cases[i].bytes, cases[i].n);
        assert_true(brz_bytes_sleb128(&b) == cases[i].value);
        assert_null(b.error);
        assert_int_equal(0, brz_bytes_left(&b));
    }
}

static void varints_of_nine_bytes_use_the_whole_last_byte(void **state)
{
    brz_bytes b = of_text("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x80\x01", 11);
    (void)state;
    assert_true(brz_bytes_varint9(&b) == UINT64_MAX);
    assert_int_equal(128, brz_bytes_varint9(&b));
    assert_null(b.error);
}

static void numbers_of_more_than_64_bits_fail_at_their_first_byte(void **state)
{
    static const char *const texts[] = {
        "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02",
        "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01",
    };
    (void)state;
    for (size_t i = 0; i < 2 * COUNT_OF(texts); i++) {
        brz_bytes b = of_text(texts[i / 2], strlen(texts[i / 2]));
        if (i % 2 == 0)
            assert_true(brz_bytes_varint(&b) == 0);
        else
            assert_true(brz_bytes_sleb128(&b) == 0);
        assert_string_equal("a number of more than 64 bits", b.error);
        assert_int_equal(0, brz_bytes_error_offset(&b));
        assert_false(b.is_cut);
    }
}

static void an_incomplete_value_fails_at_its_first_byte(void **state)
{
    static const char bytes[] = "x\xff\xff\xff";
    (void)state;
    for (int i = 0; i < 8; i++) {
        brz_bytes b = of_text(bytes, 4);
        brz_bytes_skip(&b, 1);
        if (i == 0)
            assert_int_equal(0, brz_bytes_u32(&b));
        else if (i == 1)
            assert_true(brz_bytes_u64(&b) == 0);
        else if (i == 2)
            assert_true(brz_bytes_varint(&b) == 0);
        else if (i == 3)
            assert_true(brz_bytes_sleb128(&b) == 0);
        else if (i == 4)
            assert_true(brz_bytes_varint9(&b) == 0);
        else if (i == 5)
            assert_int_equal(0, brz_bytes_text(&b, 4).len);
        else if (i == 6)
            assert_int_equal(0, brz_bytes_text_to_zero(&b).len);
        else
            brz_bytes_skip(&b, UINT64_MAX);
        assert_string_equal("the data ends too early", b.error);
        assert_int_equal(1, brz_bytes_error_offset(&b));
        assert_true(b.is_cut);
    }
}

static void the_first_failure_is_kept(void **state)
{
    brz_bytes b = of_text("abcdef", 6);
    (void)state;
    brz_bytes_skip(&b, 2);
    brz_bytes_fail(&b, "first");
    assert_int_equal(0, brz_bytes_u8(&b));
    assert_int_equal(0, brz_bytes_u16(&b));
    assert_int_equal(0, brz_bytes_varint(&b));
    assert_int_equal(0, brz_bytes_text(&b, 1).len);
    assert_int_equal(0, brz_bytes_text(&b, 0).len);
    assert_int_equal(0, brz_bytes_count(&b, 1, 1));
    brz_bytes_seek(&b, 0);
    brz_bytes_fail(&b, "second");
    assert_int_equal(0, brz_bytes_left(&b));
    assert_string_equal("first", b.error);
    assert_int_equal(2, brz_bytes_error_offset(&b));
    assert_false(b.is_cut);
}

static void an_empty_range_has_no_memory(void **state)
{
    brz_bytes b = brz_bytes_of(NULL, 0);
    (void)state;
    assert_int_equal(0, brz_bytes_text(&b, 0).len);
    assert_null(b.error);
    assert_int_equal(0, brz_bytes_u8(&b));
    assert_non_null(b.error);
    assert_int_equal(0, brz_bytes_error_offset(&b));
}

static void a_count_is_compared_with_what_is_left(void **state)
{
    brz_bytes b = of_text("0123456789", 10);
    (void)state;
    assert_int_equal(5, brz_bytes_count(&b, 5, 2));
    assert_int_equal(10, brz_bytes_count(&b, 10, 0));
    assert_null(b.error);
    assert_int_equal(0, brz_bytes_count(&b, 6, 2));
    assert_true(b.is_cut);
    b = of_text("0123456789", 10);
    assert_int_equal(0, brz_bytes_count(&b, UINT64_MAX / 2 + 2, 2)); /* the product overflows */
    assert_non_null(b.error);
}

static void a_cursor_moves_within_its_range(void **state)
{
    brz_bytes b = of_text("0123456789", 10);
    (void)state;
    brz_bytes_seek(&b, 5);
    assert_int_equal('5', brz_bytes_u8(&b));
    brz_bytes_seek(&b, 4);
    assert_int_equal('4', brz_bytes_u8(&b));
    brz_bytes_seek(&b, 10);
    assert_null(b.error);
    brz_bytes_seek(&b, 11);
    assert_int_equal(10, brz_bytes_error_offset(&b));
}

static void texts_end_by_length_or_zero(void **state)
{
    brz_bytes b = of_text("ab\0cd\0\0\0ef", 10);
    (void)state;
    assert_text(brz_bytes_text_to_zero(&b), "ab");
    assert_text(brz_bytes_padded_text(&b, 4), "cd");
    assert_text(brz_bytes_padded_text(&b, 1), "");
    assert_text(brz_bytes_padded_text(&b, 2), "ef");
    assert_null(b.error);
}

static void a_part_ends_where_it_ends(void **state)
{
    brz_bytes b = of_text("0123456789", 10);
    (void)state;
    brz_bytes_skip(&b, 2);
    brz_bytes part = brz_bytes_part(&b, 3);
    assert_int_equal('5', *b.at);
    assert_int_equal('2', brz_bytes_u8(&part));
    assert_int_equal(3, brz_bytes_offset(&part));
    assert_int_equal(0, brz_bytes_u32(&part));
    assert_int_equal(3, brz_bytes_error_offset(&part));
    assert_null(b.error);
    brz_bytes_join(&b, &part);
    assert_int_equal(3, brz_bytes_error_offset(&b));
    assert_false(b.is_cut); /* more bytes do not make the part longer */
}

static void a_part_at_an_offset_leaves_the_cursor_where_it_is(void **state)
{
    brz_bytes b = of_text("0123456789", 10);
    (void)state;
    brz_bytes_skip(&b, 7);
    brz_bytes part = brz_bytes_part_at(&b, 2, 4);
    assert_text(brz_bytes_text(&part, 4), "2345");
    assert_int_equal(7, brz_bytes_offset(&b));
    part = brz_bytes_part_at(&b, 8, 3);
    assert_non_null(part.error);
    assert_int_equal(0, brz_bytes_left(&part));
    assert_int_equal(8, brz_bytes_error_offset(&b));
}

static void a_part_that_is_too_long_has_failed_too(void **state)
{
    brz_bytes b = of_text("0123", 4);
    (void)state;
    brz_bytes part = brz_bytes_part(&b, 5);
    assert_non_null(b.error);
    assert_non_null(part.error);
    assert_int_equal(0, brz_bytes_left(&part));
    assert_int_equal(0, brz_bytes_u8(&part));
}

static void fields_of_messages_are_read(void **state)
{
    static const uint8_t message[] = {0x08, 0x96, 0x01,                         /* 1: 150 */
                                      0x12, 0x02, 'h',  'i',                    /* 2: "hi" */
                                      0x1d, 0x01, 0x00, 0x00, 0x00,             /* 3: fixed32 */
                                      0x21, 2,    0,    0,    0,    0, 0, 0, 0, /* 4: fixed64 */
                                      0x2a, 0x03, 0x01, 0x80, 0x02};            /* 5: [1, 256] */
    brz_bytes b = brz_bytes_of(message, sizeof message);
    brz_proto_field f;
    uint32_t taken = 0;
    uint64_t number;
    (void)state;
    b.order = BRZ_LITTLE_ENDIAN;
    assert_true(brz_proto_next(&b, &f));
    assert_int_equal(1, f.number);
    assert_int_equal(150, f.value);
    assert_true(brz_proto_next_number(&f, BRZ_PROTO_VARINT, &taken, &number));
    assert_int_equal(150, number);
    assert_false(brz_proto_next_number(&f, BRZ_PROTO_VARINT, &taken, &number));
    assert_true(brz_proto_next(&b, &f));
    assert_text(brz_proto_text(&f), "hi");
    assert_true(brz_proto_next(&b, &f));
    assert_int_equal(BRZ_PROTO_FIXED32, f.type);
    assert_int_equal(1, f.value);
    assert_true(brz_proto_next(&b, &f));
    assert_int_equal(2, f.value);
    assert_true(brz_proto_next(&b, &f));
    taken = 0;
    assert_true(brz_proto_next_number(&f, BRZ_PROTO_VARINT, &taken, &number));
    assert_int_equal(1, number);
    assert_true(brz_proto_next_number(&f, BRZ_PROTO_VARINT, &taken, &number));
    assert_int_equal(256, number);
    assert_false(brz_proto_next_number(&f, BRZ_PROTO_VARINT, &taken, &number));
    assert_null(f.part.error);
    assert_false(brz_proto_next(&b, &f));
    assert_null(b.error);
}

static uint64_t sum_of(const uint8_t *message, size_t n, uint32_t type, const char **error)
{
    brz_bytes b = brz_bytes_of(message, n);
    brz_proto_field f;
    uint32_t taken = 0;
    uint64_t number, sum = 0;
    assert_true(brz_proto_next(&b, &f));
    while (brz_proto_next_number(&f, type, &taken, &number))
        sum += number;
    *error = f.part.error;
    return sum;
}

static void packed_numbers_have_the_width_that_the_caller_names(void **state)
{
    static const uint8_t wide[] = {0x0a, 16,   0x9e, 0x01, 0, 0, 0, 0, 0, 0, /* 1: [414, */
                                   0x02, 0x00, 0,    0,    0, 0, 0, 0};      /*     2] */
    static const uint8_t narrow[] = {0x0a, 8, 1, 0, 0, 0, 0xff, 0xff, 0xff, 0xff};
    const char *error;
    (void)state;
    assert_int_equal(416, sum_of(wide, sizeof wide, BRZ_PROTO_FIXED64, &error));
    assert_null(error);
    assert_int_equal(160, sum_of(wide, sizeof wide, BRZ_PROTO_VARINT, &error));
    assert_int_equal(UINT64_C(0x100000000),
                     sum_of(narrow, sizeof narrow, BRZ_PROTO_FIXED32, &error));
    assert_null(error);
}

static void packed_numbers_that_are_cut_fail(void **state)
{
    static const uint8_t message[] = {0x0a, 9, 3, 0, 0, 0, 0, 0, 0, 0, 1};
    const char *error;
    (void)state;
    assert_int_equal(3, sum_of(message, sizeof message, BRZ_PROTO_FIXED64, &error));
    assert_string_equal("the data ends too early", error);
    assert_int_equal(3, sum_of(message, sizeof message, BRZ_PROTO_FIXED32, &error));
    assert_string_equal("the data ends too early", error);
}

static void invalid_fields_of_messages_fail(void **state)
{
    static const struct {
        const char *bytes;
        size_t n, at;
        const char *why;
    } cases[] = {
        {"\x08\x01\x0b", 3, 2, "an unknown type of field"},
        {"\x08\x01\x02\x00", 4, 2, "an invalid field number"},
        {"\x12\x05hi", 4, 2, "the data ends too early"},
        {"\x0d\x01", 2, 1, "the data ends too early"},
        {"\x80", 1, 0, "the data ends too early"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        brz_bytes b = of_text(cases[i].bytes, cases[i].n);
        brz_proto_field f;
        while (brz_proto_next(&b, &f))
            ;
        assert_string_equal(cases[i].why, b.error);
        assert_int_equal(cases[i].at, brz_bytes_error_offset(&b));
    }
}

static brz_diag last;

static void keep_diag(brz_ctx *ctx, const brz_diag *d)
{
    (void)ctx;
    last = *d;
}

static void a_failure_is_reported_at_its_place(void **state)
{
    static const brz_collapser_host host = {.struct_size = sizeof host, .diag = keep_diag};
    brz_ctx ctx = {.struct_size = sizeof ctx, .host = &host};
    brz_bytes b = of_text("abc", 3);
    (void)state;
    brz_bytes_skip(&b, 2);
    brz_bytes_u16(&b);
    assert_int_equal(BRZ_ERROR, brz_bytes_report(&ctx, &b, BRZ_FATAL, "x.y"));
    assert_ptr_equal(b.start + 2, last.at);
    assert_text(last.msg, "the data ends too early");
    assert_int_equal(BRZ_OK, brz_bytes_report(&ctx, &b, BRZ_WARNING, "x.y"));
}

static void only_a_failure_is_warned_about(void **state)
{
    static const brz_collapser_host host = {.struct_size = sizeof host, .diag = keep_diag};
    brz_ctx ctx = {.struct_size = sizeof ctx, .host = &host};
    brz_bytes b = of_text("abc", 3);
    (void)state;
    last = (brz_diag){0};
    brz_bytes_skip(&b, 2);
    brz_bytes_warn(&ctx, &b, "x.y");
    assert_null(last.code);
    brz_bytes_u16(&b);
    brz_bytes_warn(&ctx, &b, "x.y");
    assert_string_equal("x.y", last.code);
    assert_int_equal(BRZ_WARNING, last.severity);
    assert_ptr_equal(b.start + 2, last.at);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_have_either_byte_order),
        cmocka_unit_test(signed_integers_keep_their_sign),
        cmocka_unit_test(floating_point_numbers_are_read),
        cmocka_unit_test(integers_of_no_such_size_fail),
        cmocka_unit_test(varints_are_read_up_to_64_bits),
        cmocka_unit_test(signed_leb128_is_read_up_to_64_bits),
        cmocka_unit_test(varints_of_nine_bytes_use_the_whole_last_byte),
        cmocka_unit_test(numbers_of_more_than_64_bits_fail_at_their_first_byte),
        cmocka_unit_test(an_incomplete_value_fails_at_its_first_byte),
        cmocka_unit_test(the_first_failure_is_kept),
        cmocka_unit_test(an_empty_range_has_no_memory),
        cmocka_unit_test(a_count_is_compared_with_what_is_left),
        cmocka_unit_test(a_cursor_moves_within_its_range),
        cmocka_unit_test(texts_end_by_length_or_zero),
        cmocka_unit_test(a_part_ends_where_it_ends),
        cmocka_unit_test(a_part_at_an_offset_leaves_the_cursor_where_it_is),
        cmocka_unit_test(a_part_that_is_too_long_has_failed_too),
        cmocka_unit_test(fields_of_messages_are_read),
        cmocka_unit_test(packed_numbers_have_the_width_that_the_caller_names),
        cmocka_unit_test(packed_numbers_that_are_cut_fail),
        cmocka_unit_test(invalid_fields_of_messages_fail),
        cmocka_unit_test(a_failure_is_reported_at_its_place),
        cmocka_unit_test(only_a_failure_is_warned_about),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
