/* Tests the unpacking of compressed sections, against zlib. */
#include "unit.h"

#include "zlib_section.h"

#include <zlib.h>

enum { CASES = 200, DAMAGED = 40, LENGTH_MAX = 70000, LARGE = 1 << 20 };

/* ---- data ----------------------------------------------------------------------------------- */

/* Fills bytes of a random kind: noise, letters of a few kinds, or parts of what precedes them. */
static void roll_bytes(dice *d, uint8_t *to, size_t n)
{
    size_t kinds = 1 + roll_below(d, 256), repeats = roll_below(d, 4);
    for (size_t i = 0; i < n;) {
        size_t length = i > 0 && roll_below(d, 4) < repeats ? 1 + roll_below(d, 400) : 0;
        size_t distance = i > 0 ? 1 + roll_below(d, roll_below(d, 2) ? i : 1 + i % 12) : 0;
        for (; length > 0 && i < n && distance <= i; length--, i++)
            to[i] = to[i - distance];
        if (i < n)
            to[i++] = (uint8_t)(roll_below(d, kinds) * roll_below(d, 2));
    }
}

/* Packs bytes in a random way. Returns the size. */
static size_t pack(dice *d, const uint8_t *from, size_t n, uint8_t *to, size_t room)
{
    static const int ways[] = {Z_DEFAULT_STRATEGY, Z_FILTERED, Z_HUFFMAN_ONLY, Z_RLE, Z_FIXED};
    z_stream z = {.next_in = (Bytef *)(uintptr_t)from, .avail_in = (uInt)n};
    int level = (int)roll_below(d, 10), window = 9 + (int)roll_below(d, 7);
    z.next_out = to;
    z.avail_out = (uInt)room;
    assert_int_equal(deflateInit2(&z, level, Z_DEFLATED, window, 1 + (int)roll_below(d, 9),
                                  ways[roll_below(d, COUNT_OF(ways))]),
                     Z_OK);
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    size_t size = z.total_out;
    deflateEnd(&z);
    return size;
}

/* Unpacks a copy of exactly the size to memory of exactly the size. The caller frees the result. */
static bool unpack(const uint8_t *stream, size_t n, uint8_t **to, size_t size)
{
    uint8_t *copy = (uint8_t *)exact_copy(stream, n);
    *to = malloc(size > 0 ? size : 1);
    bool good = zlib_section_unpack((unit_bytes){copy, n}, *to, size);
    free(copy);
    return good;
}

/* ---- tests ---------------------------------------------------------------------------------- */

/* A damaged stream is refused, or has the same bytes for zlib. */
static void damage(dice *d, uint8_t *stream, size_t n, size_t size)
{
    uint8_t *got, *want = malloc(size + 1);
    size_t cut = roll_below(d, 4) == 0 ? roll_below(d, n) : n, k = roll_below(d, 3);
    for (size_t i = 0; i < k; i++)
        stream[roll_below(d, n)] ^= (uint8_t)(1u << roll_below(d, 8));
    if (unpack(stream, cut, &got, size)) {
        uLongf len = (uLongf)size;
        assert_int_equal(uncompress(want, &len, stream, (uLong)cut), Z_OK);
        assert_int_equal(len, size);
        assert_memory_equal(got, want, size);
    }
    free(got);
    free(want);
}

static void streams_have_the_bytes_that_zlib_packed(void **state)
{
    (void)state;
    dice d = {7};
    uint8_t *data = malloc(LENGTH_MAX), *stream = malloc(2 * LENGTH_MAX), *got;
    for (int i = 0; i < CASES; i++) {
        size_t n = roll_below(&d, 2) ? roll_below(&d, 300) : roll_below(&d, LENGTH_MAX);
        roll_bytes(&d, data, n);
        size_t size = pack(&d, data, n, stream, 2 * (size_t)LENGTH_MAX);
        assert_true(unpack(stream, size, &got, n));
        if (n > 0)
            assert_memory_equal(got, data, n);
        free(got);
        assert_false(unpack(stream, size, &got, n + 1));
        free(got);
        assert_true(n == 0 || !unpack(stream, size, &got, n - 1));
        if (n > 0)
            free(got);
        for (int k = 0; k < DAMAGED && n < 2000; k++)
            damage(&d, stream, size, n);
    }
    free(data);
    free(stream);
}

static void a_stream_of_equal_bytes_grows_a_thousand_times(void **state)
{
    (void)state;
    uint8_t *data = calloc(1, LARGE), *got, stream[4096];
    uLongf size = sizeof stream;
    assert_int_equal(compress2(stream, &size, data, LARGE, 9), Z_OK);
    assert_true(unpack(stream, size, &got, LARGE));
    assert_memory_equal(got, data, LARGE);
    free(got);
    free(data);
}

static void a_stream_is_unpacked_as_far_as_it_is_needed(void **state)
{
    (void)state;
    dice d = {11};
    uint8_t *data = malloc(LARGE), *stream = malloc(2 * LARGE), *got = malloc(LARGE);
    roll_bytes(&d, data, LARGE);
    size_t size = pack(&d, data, LARGE, stream, 2 * (size_t)LARGE), before = 0;
    zlib_stream z;
    zlib_stream_open(&z, (unit_bytes){stream, size}, got, LARGE);
    assert_ptr_equal(z.out, got);
    for (size_t n = 1; n < LARGE; n += roll_below(&d, LARGE / 8)) {
        assert_true(zlib_stream_reach(&z, n));
        size_t have = (size_t)(z.out - got);
        assert_in_range(have, n, LARGE);
        assert_memory_equal(got + before, data + before, have - before);
        before = have;
        assert_true(zlib_stream_reach(&z, n / 2));
        assert_ptr_equal(z.out, got + have);
    }
    assert_true(zlib_stream_reach(&z, SIZE_MAX));
    assert_true(z.is_done);
    assert_memory_equal(got, data, LARGE);
    free(data);
    free(stream);
    free(got);
}

static void an_empty_stream_needs_no_memory(void **state)
{
    (void)state;
    static const uint8_t stream[] = {0x78, 0x9c, 3, 0, 0, 0, 0, 1};
    assert_true(zlib_section_unpack((unit_bytes){stream, sizeof stream}, NULL, 0));
    assert_false(zlib_section_unpack((unit_bytes){stream, sizeof stream - 1}, NULL, 0));
}

/* Bytes in front of the damage are good, those behind it are not there. */
static void a_stream_whose_end_is_damaged_has_a_good_beginning(void **state)
{
    (void)state;
    dice d = {12};
    uint8_t *data = malloc(LARGE), *stream = malloc(2 * LARGE), *got = malloc(LARGE);
    roll_bytes(&d, data, LARGE);
    size_t size = pack(&d, data, LARGE, stream, 2 * (size_t)LARGE);
    zlib_stream z;
    zlib_stream_open(&z, (unit_bytes){stream, size / 2}, got, LARGE);
    assert_true(zlib_stream_reach(&z, 1000));
    assert_memory_equal(got, data, 1000);
    assert_false(zlib_stream_reach(&z, LARGE));
    assert_false(zlib_stream_reach(&z, 1000));
    stream[size - 1] ^= 1; /* of the checksum */
    zlib_stream_open(&z, (unit_bytes){stream, size}, got, LARGE);
    assert_false(zlib_stream_reach(&z, SIZE_MAX));
    free(data);
    free(stream);
    free(got);
}

static void damaged_streams_are_refused(void **state)
{
    (void)state;
    static const char *const streams[] = {
        "",                                         /* nothing */
        "\x78",                                     /* half a header */
        "\x78\x9c",                                 /* no block */
        "\x78\x9d\x03\x00\x00\x00\x00\x01",         /* a header whose check is wrong */
        "\x79\x9b\x03\x00\x00\x00\x00\x01",         /* another method */
        "\x78\xbb\x03\x00\x00\x00\x00\x01",         /* a dictionary */
        "\x78\x9c\x07\x00\x00\x00\x00\x01",         /* a block of no kind */
        "\x78\x9c\x01\x01\x00\xff\xff\x61\x00\x62", /* a stored block whose check is wrong */
        "\x78\x9c\x01\xff\xff\x00\x00\x61",         /* a stored block behind the end */
    };
    static const size_t sizes[] = {0, 1, 2, 8, 8, 8, 8, 10, 8};
    for (size_t i = 0; i < COUNT_OF(streams); i++) {
        uint8_t *got;
        assert_false(unpack((const uint8_t *)streams[i], sizes[i], &got, i == 7));
        free(got);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams_have_the_bytes_that_zlib_packed),
        cmocka_unit_test(a_stream_of_equal_bytes_grows_a_thousand_times),
        cmocka_unit_test(a_stream_is_unpacked_as_far_as_it_is_needed),
        cmocka_unit_test(an_empty_stream_needs_no_memory),
        cmocka_unit_test(a_stream_whose_end_is_damaged_has_a_good_beginning),
        cmocka_unit_test(damaged_streams_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
