/* Tests which units have which addresses. */
#include "unit.h"

#include "common/symbols/dwarf/unit_addresses.h"

#include <brazier/binary.h>

/* Implements alloc of the host. */
static void *allocate(brz_ctx *ctx, size_t size, size_t align)
{
    void **blocks = ctx->inst;
    (void)align;
    while (*blocks != NULL)
        blocks++;
    return *blocks = calloc(1, size + 1);
}

static const brz_collapser_host host = {.struct_size = sizeof host, .alloc = allocate};

/* A table of 32-bit offsets and 8-byte addresses: two ranges of the unit at 0x10. */
#define TABLE                                                                                      \
    "\x3c\0\0\0\x02\0\x10\0\0\0\x08\0\0\0\0\0"                                                     \
    "\0\x20\0\0\0\0\0\0\0\x01\0\0\0\0\0\0"                                                         \
    "\0\x10\0\0\0\0\0\0\x10\0\0\0\0\0\0\0"                                                         \
    "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"

/* A big-endian table of 4-byte addresses: a range of the unit at 0x20. */
#define BIG_TABLE "\0\0\0\x1c\0\x02\0\0\0\x20\x04\0\0\0\0\0\0\0\x30\0\0\0\x01\0\0\0\0\0\0\0\0\0"

typedef struct fixture {
    void *blocks[64];
    brz_ctx ctx;
    unit_addresses addresses;
} fixture;

static fixture *read_section(const char *bytes, size_t n, uint32_t order)
{
    fixture *f = calloc(1, sizeof *f);
    f->ctx = (brz_ctx){.struct_size = sizeof f->ctx, .host = &host, .inst = f->blocks};
    uint8_t *copy = (uint8_t *)exact_copy(bytes, n);
    unit_addresses_read(&f->addresses, &f->ctx, (unit_bytes){copy, n}, order);
    free(copy);
    return f;
}

#define READ(bytes, order) read_section(bytes, sizeof(bytes) - 1, order)

static void end(fixture *f)
{
    for (size_t i = 0; f->blocks[i] != NULL; i++)
        free(f->blocks[i]);
    free(f);
}

/* Returns the unit of an address, or UINT64_MAX. */
static uint64_t unit_at(const fixture *f, uint64_t address)
{
    const unit_range *r = unit_addresses_find(&f->addresses, address);
    return r == NULL ? UINT64_MAX : r->unit;
}

static void ranges_are_found_in_any_order(void **state)
{
    (void)state;
    fixture *f = READ(TABLE, BRZ_LITTLE_ENDIAN);
    assert_int_equal(f->addresses.n, 2);
    assert_int_equal(unit_at(f, 0x0fff), UINT64_MAX);
    assert_int_equal(unit_at(f, 0x1000), 0x10);
    assert_int_equal(unit_at(f, 0x100f), 0x10);
    assert_int_equal(unit_at(f, 0x1010), UINT64_MAX);
    assert_int_equal(unit_at(f, 0x20ff), 0x10);
    assert_int_equal(unit_at(f, 0x2100), UINT64_MAX);
    end(f);
}

static void tables_of_other_machines_are_read(void **state)
{
    (void)state;
    fixture *f = READ(BIG_TABLE BIG_TABLE, BRZ_BIG_ENDIAN);
    assert_int_equal(f->addresses.n, 2);
    assert_int_equal(unit_at(f, 0x3000), 0x20);
    assert_int_equal(unit_at(f, 0x3100), UINT64_MAX);
    end(f);
}

static void reading_ends_at_an_invalid_table(void **state)
{
    (void)state;
    fixture *f = READ(TABLE "\x20\0\0\0\x03\0", BRZ_LITTLE_ENDIAN);
    assert_int_equal(f->addresses.n, 2);
    end(f);
    f = READ("\x3c\0\0\0\x02\0\x10\0\0\0\x07\0" TABLE, BRZ_LITTLE_ENDIAN);
    assert_int_equal(f->addresses.n, 0);
    end(f);
    for (size_t n = 0; n < sizeof TABLE - 1; n++) {
        f = read_section(TABLE, n, BRZ_LITTLE_ENDIAN);
        assert_int_equal(f->addresses.n, 0);
        end(f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_are_found_in_any_order),
        cmocka_unit_test(tables_of_other_machines_are_read),
        cmocka_unit_test(reading_ends_at_an_invalid_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
