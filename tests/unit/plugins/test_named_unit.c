/* SPDX-License-Identifier: MIT */
/* Tests units that .debug_aranges names, against those of libdw for this program, and by hand. */
#include "unit.h"

#include "common/symbols/dwarf/named_unit.h"

#include <elfutils/libdw.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ADDRESSES = 3000, STEP = 61 };

static unit_bytes section_of(Elf *elf, const char *name)
{
    size_t names;
    GElf_Shdr h;
    Elf_Scn *s = NULL;
    if (elf_getshdrstrndx(elf, &names) != 0)
        return (unit_bytes){NULL, 0};
    while ((s = elf_nextscn(elf, s)) != NULL)
        if (gelf_getshdr(s, &h) != NULL && strcmp(elf_strptr(elf, names, h.sh_name), name) == 0) {
            Elf_Data *d = elf_rawdata(s, NULL);
            return (unit_bytes){d->d_buf, d->d_size};
        }
    return (unit_bytes){NULL, 0};
}

static void units_are_those_of_libdw(void **state)
{
    (void)state;
    int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    Dwarf *dwarf = dwarf_begin(fd, DWARF_C_READ);
    unit_bytes list =
        dwarf == NULL ? (unit_bytes){NULL, 0} : section_of(dwarf_getelf(dwarf), ".debug_aranges");
    Dwarf_Aranges *all = NULL;
    size_t n = 0;
    bool has_list = list.len > 0 && dwarf_getaranges(dwarf, &all, &n) == 0 && n > 0;
    for (size_t i = 0; has_list && i < n; i++) {
        Dwarf_Addr start, length;
        uint64_t header;
        Dwarf_Off entry, next;
        size_t size;
        dwarf_getarangeinfo(dwarf_onearange(all, i), &start, &length, &entry);
        for (uint64_t k = 0; k < length && k < (uint64_t)ADDRESSES * STEP; k += STEP) {
            assert_true(named_unit_find(list, start + k, &header));
            assert_int_equal(
                dwarf_next_unit(dwarf, header, &next, &size, NULL, NULL, NULL, NULL, NULL, NULL),
                0);
            assert_int_equal(header + size, entry);
        }
    }
    if (dwarf != NULL)
        dwarf_end(dwarf);
    close(fd);
    if (!has_list)
        skip();
}

/* Appends a number of `size` bytes. */
static void add(uint8_t *to, size_t *len, uint64_t value, size_t size)
{
    memcpy(to + *len, &value, size);
    *len += size;
}

/* Appends a set with one range. */
static void add_set(uint8_t *to, size_t *len, uint16_t version, uint32_t header, uint64_t start)
{
    add(to, len, 12 + 32, 4);
    add(to, len, version, 2);
    add(to, len, header, 4);
    add(to, len, 8, 2);
    add(to, len, 0, 4);
    add(to, len, start, 8);
    add(to, len, 0x100, 8);
    add(to, len, 0, 8);
    add(to, len, 0, 8);
}

static void sets_of_other_forms_are_left_out(void **state)
{
    (void)state;
    uint8_t list[256];
    size_t len = 0;
    uint64_t header = 0;
    add_set(list, &len, 3, 11, 0x1000);
    add_set(list, &len, 2, 22, 0x1000);
    add_set(list, &len, 2, 33, UINT64_MAX - 0xff);
    assert_true(named_unit_find((unit_bytes){list, len}, 0x1000, &header));
    assert_int_equal(header, 22);
    assert_true(named_unit_find((unit_bytes){list, len}, 0x10ff, &header));
    assert_false(named_unit_find((unit_bytes){list, len}, 0x1100, &header));
    assert_false(named_unit_find((unit_bytes){list, len}, 0xfff, &header));
    assert_true(named_unit_find((unit_bytes){list, len}, UINT64_MAX, &header));
    assert_int_equal(header, 33);
}

static void lists_that_are_cut_have_the_sets_before(void **state)
{
    (void)state;
    uint8_t list[256];
    size_t len = 0;
    uint64_t header = 0;
    add_set(list, &len, 2, 22, 0x1000);
    size_t first = len;
    add_set(list, &len, 2, 33, 0x5000);
    for (size_t n = 0; n <= len; n++) {
        uint8_t *exact = malloc(n + 1); /* so that a sanitizer sees what is read after it */
        memcpy(exact, list, n);
        assert_int_equal(n >= first, named_unit_find((unit_bytes){exact, n}, 0x1000, &header));
        assert_int_equal(n == len, named_unit_find((unit_bytes){exact, n}, 0x5000, &header));
        free(exact);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_are_those_of_libdw),
        cmocka_unit_test(sets_of_other_forms_are_left_out),
        cmocka_unit_test(lists_that_are_cut_have_the_sets_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
