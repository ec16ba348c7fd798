/* SPDX-License-Identifier: MIT */
/* Tests the list of functions with call-frame information in the forms of different linkers. */
#include "unit.h"

#include "record/functions.h"

/* Address at which the section is loaded. */
#define LOADED 0x1000

/* A file with a section of entries, after the header that brz_elf_open() would have read. */
typedef struct image {
    brz_elf_section sections[2];
    char names[32];
    uint8_t entries[256];
} image;

typedef struct writer {
    image image;
    size_t n;
} writer;

static void put(writer *w, const void *bytes, size_t n)
{
    assert_true(w->n + n <= sizeof w->image.entries);
    memcpy(w->image.entries + w->n, bytes, n);
    w->n += n;
}

static void put_u32(writer *w, uint32_t value)
{
    put(w, &value, sizeof value);
}

static void put_u64(writer *w, uint64_t value)
{
    put(w, &value, sizeof value);
}

/* Writes a common part with the letters "zPLR", whose addresses have an encoding. */
static void put_common(writer *w, uint8_t encoding)
{
    const uint8_t body[] = {
        1, 'z', 'P', 'L', 'R',  0,       1, 0x78, 16, 7, /* personality: */ 0x1b,
        1, 0,   0,   0,   0x1b, encoding};
    put_u32(w, 4 + sizeof body);
    put_u32(w, 0);
    put(w, body, sizeof body);
}

/* Begins an entry of .eh_frame that refers to the common part at an offset. */
static void put_entry(writer *w, uint32_t size, uint32_t common)
{
    put_u32(w, 4 + size);
    put_u32(w, (uint32_t)w->n - common);
}

/* Lists the functions of the section, which gets a name. */
static void list(writer *w, const char *name, brz_functions *f)
{
    image *i = &w->image;
    snprintf(i->names, sizeof i->names, "?%s", name);
    i->sections[0].sh_offset = offsetof(image, names);
    i->sections[1].sh_name = 1;
    i->sections[1].sh_type = SHT_PROGBITS;
    i->sections[1].sh_addr = LOADED;
    i->sections[1].sh_offset = offsetof(image, entries);
    i->sections[1].sh_size = w->n;
    brz_elf_file e = {.data = (const uint8_t *)i, .len = sizeof *i, .file_len = sizeof *i};
    e.header.e_shnum = 2;
    e.header.e_shentsize = sizeof(brz_elf_section);
    brz_functions_list(f, &e);
}

static void a_section_without_a_table_lists_its_functions(void **state)
{
    (void)state;
    writer w = {.n = 0};
    brz_functions f;
    put_common(&w, 0x1b);
    put_entry(&w, 8, 0);
    uint32_t here = LOADED + (uint32_t)w.n;
    put_u32(&w, 0x5000 - here);
    put_u32(&w, 16);
    put_u32(&w, 0); /* the end of an object file */
    put_entry(&w, 8, 0);
    here = LOADED + (uint32_t)w.n;
    put_u32(&w, 0x4000u - here);
    put_u32(&w, 16);
    list(&w, ".eh_frame", &f);
    assert_false(f.is_partial);
    assert_int_equal(f.n, 2);
    assert_int_equal(f.addresses[0], 0x4000);
    assert_int_equal(f.addresses[1], 0x5000);
    assert_int_equal(brz_functions_size_of(&f, 0x4000, 100), 100);
    assert_int_equal(brz_functions_size_of(&f, 0x4000, 10000), 0x1000);
    assert_int_equal(brz_functions_size_of(&f, 0x5000, 10000), 10000);
    brz_functions_finish(&f);
}

static void absolute_addresses_are_listed(void **state)
{
    (void)state;
    static const struct {
        uint8_t encoding;
        uint32_t size;
    } forms[] = {{0x00, 8}, {0x03, 4}, {0x04, 8}, {0x0b, 4}, {0x0c, 8}};
    for (size_t i = 0; i < BRZ_COUNT_OF(forms); i++) {
        const uint64_t address = 0x4000;
        writer w = {.n = 0};
        brz_functions f;
        put_common(&w, forms[i].encoding);
        put_entry(&w, forms[i].size, 0);
        put(&w, &address, forms[i].size);
        list(&w, ".eh_frame", &f);
        assert_false(f.is_partial);
        assert_int_equal(f.n, 1);
        assert_int_equal(f.addresses[0], 0x4000);
        brz_functions_finish(&f);
    }
}

static void debug_frames_are_listed_in_both_widths(void **state)
{
    (void)state;
    static const uint8_t common[] = {1, 0, 1, 0x78, 16};
    writer w = {.n = 0};
    brz_functions f;
    put_u32(&w, 4 + sizeof common);
    put_u32(&w, UINT32_MAX);
    put(&w, common, sizeof common);
    put_u32(&w, 4 + 8);
    put_u32(&w, 0);
    put_u64(&w, 0x4000);
    put_u32(&w, UINT32_MAX);
    put_u64(&w, 8 + 8);
    put_u64(&w, 0);
    put_u64(&w, 0x3000);
    list(&w, ".debug_frame", &f);
    assert_false(f.is_partial);
    assert_int_equal(f.n, 2);
    assert_int_equal(f.addresses[0], 0x3000);
    assert_int_equal(f.addresses[1], 0x4000);
    brz_functions_finish(&f);
}

static void unknown_encodings_hide_functions(void **state)
{
    (void)state;
    static const uint8_t encodings[] = {0x02, 0x09, 0x3b, 0x9b, 0xff};
    for (size_t i = 0; i < BRZ_COUNT_OF(encodings); i++) {
        writer w = {.n = 0};
        brz_functions f;
        put_common(&w, encodings[i]);
        put_entry(&w, 8, 0);
        put_u64(&w, 0x4000);
        list(&w, ".eh_frame", &f);
        assert_true(f.is_partial);
        assert_int_equal(f.n, 0);
        brz_functions_finish(&f);
    }
}

static void a_section_with_only_an_end_has_no_functions(void **state)
{
    (void)state;
    writer w = {.n = 0};
    brz_functions f;
    put_u32(&w, 0);
    list(&w, ".eh_frame", &f);
    assert_false(f.is_partial);
    assert_int_equal(f.n, 0);
    brz_functions_finish(&f);
}

/* Damaged entries lead to a wrong list or to none, never outside of the file. */
static void damaged_entries_are_harmless(void **state)
{
    (void)state;
    for (size_t at = 0; at < 64; at++) {
        for (unsigned value = 0; value < 256; value += 51) {
            writer w = {.n = 0};
            brz_functions f;
            put_common(&w, 0x1b);
            put_entry(&w, 8, 0);
            put_u64(&w, 0x4000);
            put_entry(&w, 8, 0);
            put_u64(&w, 0x4100);
            w.image.entries[at] = (uint8_t)value;
            w.n = at + 1 > w.n ? at + 1 : w.n;
            list(&w, ".eh_frame", &f);
            assert_true(f.n <= 8);
            brz_functions_finish(&f);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_section_without_a_table_lists_its_functions),
        cmocka_unit_test(absolute_addresses_are_listed),
        cmocka_unit_test(debug_frames_are_listed_in_both_widths),
        cmocka_unit_test(unknown_encodings_hide_functions),
        cmocka_unit_test(a_section_with_only_an_end_has_no_functions),
        cmocka_unit_test(damaged_entries_are_harmless),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
