/* SPDX-License-Identifier: MIT */
/* Tests the unpacking of compressed sections, against zlib and libzstd. */
#include "unit.h"

#include "common/symbols/elf/packed_section.h"

#include <elf.h>
#include <zlib.h>
#include <zstd.h>

#ifndef ELFCOMPRESS_ZSTD
#define ELFCOMPRESS_ZSTD 2
#endif

enum { CASES = 100, DAMAGED = 40, LENGTH_MAX = 70000, LARGE = 1 << 20 };

static const uint32_t types[] = {ELFCOMPRESS_ZLIB, ELFCOMPRESS_ZSTD};

/* Fills bytes: letters of a few kinds, and parts of what precedes them. */
static void roll_bytes(dice *d, uint8_t *to, size_t n)
{
    size_t kinds = 1 + roll_below(d, 256), repeats = roll_below(d, 4);
    for (size_t i = 0; i < n;) {
        size_t length = i > 0 && roll_below(d, 4) < repeats ? 1 + roll_below(d, 400) : 0;
        size_t distance = i > 0 ? 1 + roll_below(d, i) : 0;
        for (; length > 0 && i < n && distance <= i; length--, i++)
            to[i] = to[i - distance];
        if (i < n)
            to[i++] = (uint8_t)roll_below(d, kinds);
    }
}

/* Packs bytes. Returns the size. */
static size_t pack(uint32_t type, int level, const uint8_t *from, size_t n, uint8_t *to,
                   size_t room)
{
    uLongf size = (uLongf)room;
    if (type == ELFCOMPRESS_ZSTD)
        return ZSTD_compress(to, room, from, n, level);
    assert_int_equal(compress2(to, &size, from, (uLong)n, level), Z_OK);
    return size;
}

/* Unpacks a copy of exactly the size to memory of exactly the size, which the caller frees. Returns
 * the number of good bytes; zeros follow them. A whole section has all of them. */
static size_t unpack_to(uint32_t type, const uint8_t *stream, size_t n, uint8_t **to, size_t size,
                        bool *is_whole)
{
    uint8_t *copy = (uint8_t *)exact_copy(stream, n);
    *to = malloc(size > 0 ? size : 1);
    size_t unpacked =
        packed_section_unpack(&(packed_section){{copy, n}, type}, *to, size, is_whole);
    assert_in_range(unpacked, 0, size);
    assert_true(unpacked == size || !*is_whole);
    for (size_t i = unpacked; i < size; i++)
        assert_int_equal((*to)[i], 0);
    free(copy);
    return unpacked;
}

static size_t unpack(uint32_t type, const uint8_t *stream, size_t n, uint8_t **to, size_t size)
{
    bool is_whole;
    return unpack_to(type, stream, n, to, size, &is_whole);
}

/* Damages a stream. What is unpacked stays within its memory: tools notice that. */
static void damage(dice *d, uint32_t type, uint8_t *stream, size_t n, size_t size)
{
    uint8_t *got;
    size_t cut = roll_below(d, 4) == 0 ? roll_below(d, n) : n, k = roll_below(d, 3);
    for (size_t i = 0; i < k; i++)
        stream[roll_below(d, n)] ^= (uint8_t)(1u << roll_below(d, 8));
    unpack(type, stream, cut, &got, size);
    free(got);
}

static void check_size(dice *d, uint32_t type, size_t n)
{
    uint8_t *data = malloc(n + 1), *stream = malloc(2 * n + 1000), *got;
    roll_bytes(d, data, n);
    size_t size = pack(type, (int)roll_below(d, 10), data, n, stream, 2 * n + 1000);
    assert_true(packed_section_is_plausible(&(packed_section){{stream, size}, type}, n));
    for (size_t room = n > 0 ? n - 1 : n; room <= n + 1; room++) {
        size_t good = room < n ? room : n;
        bool is_whole;
        assert_int_equal(unpack_to(type, stream, size, &got, room, &is_whole), good);
        assert_int_equal(is_whole, room == n || room == 0);
        assert_memory_equal(got, data, good);
        free(got);
    }
    for (int k = 0; k < DAMAGED && n < 2000; k++)
        damage(d, type, stream, size, n);
    free(data);
    free(stream);
}

static void sections_have_the_bytes_that_were_packed(void **state)
{
    (void)state;
    dice d = {7};
    for (size_t t = 0; t < COUNT_OF(types); t++)
        for (int i = 0; i < CASES; i++)
            check_size(&d, types[t], roll_below(&d, i % 2 > 0 ? 300 : LENGTH_MAX));
}

static void equal_bytes_are_plausible_and_impossible_sizes_are_not(void **state)
{
    (void)state;
    uint8_t *data = calloc(1, LARGE), *got, stream[4096];
    for (size_t t = 0; t < COUNT_OF(types); t++) {
        size_t size = pack(types[t], 9, data, LARGE, stream, sizeof stream);
        packed_section s = {{stream, size}, types[t]};
        assert_true(packed_section_is_plausible(&s, LARGE));
        assert_false(packed_section_is_plausible(&s, (uint64_t)1 << 40));
        assert_int_equal(unpack(types[t], stream, size, &got, LARGE), LARGE);
        assert_memory_equal(got, data, LARGE);
        free(got);
    }
    free(data);
}

static void what_precedes_damage_is_unpacked(void **state)
{
    (void)state;
    dice d = {12};
    uint8_t *data = malloc(LARGE), *stream = malloc(2 * LARGE), *got;
    roll_bytes(&d, data, LARGE);
    for (size_t t = 0; t < COUNT_OF(types); t++) {
        size_t size = pack(types[t], 6, data, LARGE, stream, 2 * (size_t)LARGE);
        size_t good = unpack(types[t], stream, size / 2, &got, LARGE);
        assert_in_range(good, LARGE / 4, LARGE - 1);
        assert_memory_equal(got, data, good);
        free(got);
    }
    free(data);
    free(stream);
}

static void a_section_with_a_wrong_checksum_is_not_whole(void **state)
{
    (void)state;
    uint8_t data[1000] = {1, 2, 3}, stream[2000], *got;
    size_t size = pack(ELFCOMPRESS_ZLIB, 6, data, sizeof data, stream, sizeof stream);
    bool is_whole = true;
    stream[size - 1] ^= 1;
    assert_int_equal(unpack_to(ELFCOMPRESS_ZLIB, stream, size, &got, sizeof data, &is_whole),
                     sizeof data);
    assert_memory_equal(got, data, sizeof data);
    assert_false(is_whole);
    free(got);
}

static void an_empty_section_needs_no_memory(void **state)
{
    (void)state;
    static const uint8_t stream[] = {0x78, 0x9c, 3, 0, 0, 0, 0, 1};
    for (size_t t = 0; t < COUNT_OF(types); t++) {
        bool is_whole = false;
        packed_section s = {{stream, sizeof stream}, types[t]};
        assert_int_equal(packed_section_unpack(&s, NULL, 0, &is_whole), 0);
        assert_true(is_whole);
    }
}

static void unknown_types_are_refused(void **state)
{
    (void)state;
    static const uint8_t stream[64] = {0};
    assert_false(packed_section_is_plausible(&(packed_section){{stream, sizeof stream}, 3}, 64));
    assert_false(packed_section_is_plausible(&(packed_section){{stream, sizeof stream}, 0}, 64));
}

static void useless_streams_have_no_bytes(void **state)
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
        "\x28\xb5\x2f\xfd",                         /* a zstd stream without frame */
    };
    static const size_t sizes[] = {0, 1, 2, 8, 8, 8, 8, 10, 4};
    for (size_t i = 0; i < COUNT_OF(streams); i++) {
        for (size_t t = 0; t < COUNT_OF(types); t++) {
            uint8_t *got;
            assert_int_equal(unpack(types[t], (const uint8_t *)streams[i], sizes[i], &got, 1), 0);
            free(got);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sections_have_the_bytes_that_were_packed),
        cmocka_unit_test(equal_bytes_are_plausible_and_impossible_sizes_are_not),
        cmocka_unit_test(what_precedes_damage_is_unpacked),
        cmocka_unit_test(a_section_with_a_wrong_checksum_is_not_whole),
        cmocka_unit_test(an_empty_section_needs_no_memory),
        cmocka_unit_test(unknown_types_are_refused),
        cmocka_unit_test(useless_streams_have_no_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
