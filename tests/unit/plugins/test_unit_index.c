/* SPDX-License-Identifier: MIT */
/* Tests how the units of a .dwp file are found. */
#include "unit.h"

#include "common/symbols/dwarf/unit_index.h"

#include <stdlib.h>

enum { HEADER = 16, COLUMN = 1, SLOTS = 1 << 18, UNITS = 150000 };

/* Returns the number of bytes in front of the offsets. */
static size_t size_of_head(uint32_t n_slots)
{
    return HEADER + 12 * (size_t)n_slots + 4;
}

/* Makes an index with one column and no units. */
static uint8_t *make(uint32_t n_slots, uint32_t n_units, size_t *len)
{
    const uint32_t words[] = {5, 1, n_units, n_slots}, column = COLUMN;
    *len = size_of_head(n_slots) + 8 * (size_t)n_units;
    uint8_t *index = calloc(1, *len);
    memcpy(index, words, sizeof words);
    memcpy(index + size_of_head(n_slots) - 4, &column, sizeof column);
    return index;
}

static void put(uint8_t *index, uint32_t n_slots, uint32_t slot, uint64_t id, uint32_t row)
{
    memcpy(index + HEADER + 8 * (size_t)slot, &id, sizeof id);
    memcpy(index + HEADER + 8 * (size_t)n_slots + 4 * (size_t)slot, &row, sizeof row);
}

static uint32_t row_in(const uint8_t *index, uint32_t n_slots, uint32_t slot)
{
    uint32_t row;
    memcpy(&row, index + HEADER + 8 * (size_t)n_slots + 4 * (size_t)slot, sizeof row);
    return row;
}

/* Adds a unit as the format describes it. Its piece is the byte with its number. */
static void add(uint8_t *index, uint32_t n_slots, uint32_t n_units, uint64_t id, uint32_t row)
{
    uint32_t mask = n_slots - 1, slot = (uint32_t)id & mask,
             step = ((uint32_t)(id >> 32) & mask) | 1;
    const uint32_t offset = row - 1, size = 1;
    while (row_in(index, n_slots, slot) != 0)
        slot = (slot + step) & mask;
    put(index, n_slots, slot, id, row);
    uint8_t *cells = index + size_of_head(n_slots);
    memcpy(cells + 4 * (size_t)(row - 1), &offset, sizeof offset);
    memcpy(cells + 4 * (size_t)n_units + 4 * (size_t)(row - 1), &size, sizeof size);
}

static uint64_t id_of(uint32_t i)
{
    uint64_t x = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
    return (x ^ x >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
}

/* A search through all slots would take hours. */
static void every_unit_of_many_is_found_at_once(void **state)
{
    (void)state;
    size_t len;
    uint8_t *index = make(SLOTS, UNITS, &len), *section = calloc(1, UNITS);
    for (uint32_t i = 0; i < UNITS; i++)
        add(index, SLOTS, UNITS, id_of(i), i + 1);
    for (uint32_t i = 0; i < UNITS; i++) {
        unit_bytes b = unit_index_piece((unit_bytes){index, len}, id_of(i), COLUMN,
                                        (unit_bytes){section, UNITS});
        assert_int_equal(b.len, 1);
        assert_ptr_equal(b.data, section + i);
    }
    for (uint32_t i = UNITS; i < 2 * UNITS; i++)
        assert_int_equal(0, unit_index_piece((unit_bytes){index, len}, id_of(i), COLUMN,
                                             (unit_bytes){section, UNITS})
                                .len);
    free(section);
    free(index);
}

/* Each search would look at all slots, of which none is free. */
static void a_full_table_is_not_searched_to_its_end(void **state)
{
    (void)state;
    size_t len;
    uint8_t section[1] = {0}, *index = make(SLOTS, 1, &len);
    for (uint32_t i = 0; i < SLOTS; i++)
        put(index, SLOTS, i, 1, 1);
    for (uint32_t i = 0; i < UNITS / 10; i++)
        assert_int_equal(0, unit_index_piece((unit_bytes){index, len}, id_of(i), COLUMN,
                                             (unit_bytes){section, sizeof section})
                                .len);
    free(index);
}

static void damaged_tables_have_no_units(void **state)
{
    (void)state;
    uint8_t section[1] = {0};
    for (uint32_t n_slots = 0; n_slots < 9; n_slots++) {
        size_t len;
        uint8_t *index = make(n_slots, 1, &len);
        for (uint32_t i = 0; i < n_slots; i++)
            put(index, n_slots, i, 7, 2);
        unit_bytes b = unit_index_piece((unit_bytes){index, len}, 7, COLUMN,
                                        (unit_bytes){section, sizeof section});
        assert_int_equal(b.len, 0);
        for (size_t cut = 0; cut < len; cut++) {
            uint8_t *copy = malloc(cut + 1);
            memcpy(copy, index, cut);
            b = unit_index_piece((unit_bytes){copy, cut}, 7, COLUMN,
                                 (unit_bytes){section, sizeof section});
            assert_int_equal(b.len, 0);
            free(copy);
        }
        free(index);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_unit_of_many_is_found_at_once),
        cmocka_unit_test(a_full_table_is_not_searched_to_its_end),
        cmocka_unit_test(damaged_tables_have_no_units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
