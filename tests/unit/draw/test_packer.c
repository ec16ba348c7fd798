/* SPDX-License-Identifier: MIT */
/* Tests compressed outputs: they have the same bytes for pieces of any size, and can be read. */
#include "unit.h"

#include "base/buf.h"
#include "draw/packer.h"
#include "input/source.h"

static void keep(void *context, const char *data, size_t len)
{
    brz_buf_add(context, data, len);
}

/* Compresses a text that is given in pieces. */
static brz_buf pack(brz_packing packing, brz_str text, size_t piece)
{
    brz_buf packed = {0};
    brz_packer *p = brz_packer_create(packing, keep, &packed);
    for (size_t at = 0; at < text.len; at += piece)
        brz_packer_add(p, text.data + at, text.len - at < piece ? text.len - at : piece);
    brz_packer_end(p);
    brz_packer_destroy(p);
    return packed;
}

static brz_buf unpack(brz_packing packing, const brz_buf *packed)
{
    brz_buf text = {0};
    brz_stream *s = brz_stream_unpack(brz_stream_of_memory(packed->data, packed->len), packing);
    uint8_t some[4096];
    for (size_t n = sizeof some; n == sizeof some;) {
        n = brz_stream_fill(s, some, sizeof some);
        brz_buf_add(&text, (const char *)some, n);
    }
    assert_int_equal(s->state, BRZ_STREAM_END);
    brz_stream_close(s);
    return text;
}

/* Returns a text that is longer than the buffers of a packer when it is compressed. */
static brz_buf long_text(void)
{
    brz_buf b = {0};
    dice d = {.state = 1};
    for (size_t i = 0; i < 40000; i++)
        brz_buf_printf(&b, "main;f%zu;g%zu %zu\n", roll_below(&d, 1000000), roll_below(&d, 9),
                       roll_below(&d, 1000));
    return b;
}

static void any_pieces_give_the_same_bytes(void **state)
{
    (void)state;
    static const brz_packing packings[] = {BRZ_PACKED_GZIP, BRZ_PACKED_ZSTD};
    static const size_t pieces[] = {100, 65536, 100000, SIZE_MAX / 4};
    brz_buf text = long_text();
    for (size_t i = 0; i < COUNT_OF(packings); i++) {
        brz_buf want = pack(packings[i], brz_buf_str(&text), 4096);
        brz_buf back = unpack(packings[i], &want);
        assert_int_equal(brz_packing_of((const uint8_t *)want.data, want.len), packings[i]);
        assert_true(want.len < text.len / 2);
        assert_int_equal(back.len, text.len);
        assert_memory_equal(back.data, text.data, text.len);
        for (size_t k = 0; k < COUNT_OF(pieces); k++) {
            brz_buf got = pack(packings[i], brz_buf_str(&text), pieces[k]);
            assert_int_equal(got.len, want.len);
            assert_memory_equal(got.data, want.data, want.len);
            brz_buf_finish(&got);
        }
        brz_buf_finish(&back);
        brz_buf_finish(&want);
    }
    brz_buf_finish(&text);
}

static void nothing_gives_an_empty_file(void **state)
{
    (void)state;
    for (brz_packing i = BRZ_PACKED_GZIP; i <= BRZ_PACKED_ZSTD; i++) {
        brz_buf packed = pack(i, BRZ_STR(""), 1), back = unpack(i, &packed);
        assert_true(packed.len > 0);
        assert_int_equal(back.len, 0);
        brz_buf_finish(&packed);
        brz_buf_finish(&back);
    }
}

static void a_header_has_no_time_and_no_name(void **state)
{
    (void)state;
    brz_buf packed = pack(BRZ_PACKED_GZIP, BRZ_STR("a 1\n"), 4);
    assert_memory_equal(packed.data + 3, "\0\0\0\0\0", 5); /* flags and time */
    brz_buf_finish(&packed);
}

static void gzip_data_is_not_compressed_twice(void **state)
{
    (void)state;
    brz_buf once = pack(BRZ_PACKED_GZIP, BRZ_STR("a 1\n"), 4);
    brz_buf twice = pack(BRZ_PACKED_GZIP, brz_buf_str(&once), 7);
    brz_buf other = pack(BRZ_PACKED_ZSTD, brz_buf_str(&once), 7);
    assert_int_equal(twice.len, once.len);
    assert_memory_equal(twice.data, once.data, once.len);
    assert_int_equal(brz_packing_of((const uint8_t *)other.data, other.len), BRZ_PACKED_ZSTD);
    brz_buf_finish(&once);
    brz_buf_finish(&twice);
    brz_buf_finish(&other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_pieces_give_the_same_bytes),
        cmocka_unit_test(nothing_gives_an_empty_file),
        cmocka_unit_test(a_header_has_no_time_and_no_name),
        cmocka_unit_test(gzip_data_is_not_compressed_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
