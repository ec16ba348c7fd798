/* Tests the headers of units of DWARF. */
#include "unit.h"

#include "common/symbols/dwarf/unit_header.h"

#include <brazier/binary.h>

/* Copies bytes to memory of exactly their size, so that tools notice reads past its end. */
static bool read_header(const char *bytes, size_t n, uint64_t at, uint32_t order, unit_header *h)
{
    uint8_t *copy = (uint8_t *)exact_copy(bytes, n);
    bool good = unit_header_read((unit_bytes){copy, n}, order, at, h);
    free(copy);
    return good;
}

#define READ(bytes, at, order, h) read_header(bytes, sizeof(bytes) - 1, at, order, h)

static void headers_of_all_versions_are_read(void **state)
{
    (void)state;
    unit_header h;
    assert_true(READ("\x08\0\0\0\x04\0\x07\0\0\0\x08\x01", 0, BRZ_LITTLE_ENDIAN, &h));
    assert_int_equal(h.first, 11);
    assert_int_equal(h.end, 12);
    assert_true(READ("\0\0\0\0\x09\0\0\0\x05\0\x01\x08\x06\0\0\0\x01", 4, BRZ_LITTLE_ENDIAN, &h));
    assert_int_equal(h.first, 4 + 12);
    assert_int_equal(h.end, 4 + 13);
    assert_true(READ("\0\0\0\x08\0\x04\0\0\0\x07\x08\x01", 0, BRZ_BIG_ENDIAN, &h));
    assert_true(READ("\xff\xff\xff\xff\x0c\0\0\0\0\0\0\0\x04\0\x09\0\0\0\0\0\0\0\x08\x01", 0,
                     BRZ_LITTLE_ENDIAN, &h));
    assert_int_equal(h.first, 23);
    assert_int_equal(h.end, 24);
}

static void only_new_skeletons_have_an_identity_in_the_header(void **state)
{
    (void)state;
    assert_int_equal(unit_header_size(4, 4, false), 11);
    assert_int_equal(unit_header_size(4, 4, true), 11);
    assert_int_equal(unit_header_size(5, 4, false), 12);
    assert_int_equal(unit_header_size(5, 4, true), 20);
    assert_int_equal(unit_header_size(5, 8, true), 32);
}

static void headers_that_are_cut_are_refused(void **state)
{
    (void)state;
    unit_header h;
    static const char good[] = "\x08\0\0\0\x04\0\x07\0\0\0\x08\x01";
    for (size_t n = 0; n < sizeof good - 1; n++)
        assert_false(read_header(good, n, 0, BRZ_LITTLE_ENDIAN, &h));
    assert_false(READ(good, 100, BRZ_LITTLE_ENDIAN, &h));
    assert_false(READ("\x02\0\0\0\x04\0\x07\0\0\0\x08\x01", 0, BRZ_LITTLE_ENDIAN, &h));
    assert_false(READ("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x04\0\0\0\0\0\0\0\0\0\x08",
                      0, BRZ_LITTLE_ENDIAN, &h));
    assert_false(unit_header_read((unit_bytes){NULL, 0}, BRZ_LITTLE_ENDIAN, 0, &h));
}

static void the_end_of_a_part_follows_its_length(void **state)
{
    (void)state;
    uint64_t end;
    const uint8_t lines[] = {0, 3, 0, 0, 0, 1, 2, 3};
    unit_bytes section = {lines, sizeof lines};
    assert_true(unit_header_end(section, BRZ_LITTLE_ENDIAN, 1, &end));
    assert_int_equal(end, 8);
    assert_false(unit_header_end(section, BRZ_LITTLE_ENDIAN, 0, &end));
    assert_false(unit_header_end(section, BRZ_LITTLE_ENDIAN, 6, &end));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(headers_of_all_versions_are_read),
        cmocka_unit_test(only_new_skeletons_have_an_identity_in_the_header),
        cmocka_unit_test(headers_that_are_cut_are_refused),
        cmocka_unit_test(the_end_of_a_part_follows_its_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
