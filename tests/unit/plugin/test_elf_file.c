/* SPDX-License-Identifier: MIT */
/* Tests the ELF reader with files that it must not trust. */
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "plugin/elf_file.h"

/* A file with a header, one segment, one section with two symbols, and a name at its end. */
typedef struct small_file {
    brz_elf_header header;
    brz_elf_segment segment;
    brz_elf_section section;
    brz_elf_symbol symbols[2];
    char name[4];
} small_file;

static small_file small(void)
{
    brz_elf_file self;
    small_file f = {.name = "abc"};
    int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    assert_int_equal(brz_elf_open(&self, fd), BRZ_ELF_GOOD);
    close(fd);
    memcpy(f.header.e_ident, self.header.e_ident, sizeof f.header.e_ident);
    brz_elf_close(&self);
    f.header.e_phoff = offsetof(small_file, segment);
    f.header.e_phentsize = sizeof f.segment;
    f.header.e_phnum = 1;
    f.header.e_shoff = offsetof(small_file, section);
    f.header.e_shentsize = sizeof f.section;
    f.header.e_shnum = 1;
    f.segment.p_type = PT_LOAD;
    f.section.sh_type = SHT_SYMTAB;
    f.section.sh_offset = offsetof(small_file, symbols);
    f.section.sh_size = sizeof f.symbols;
    f.symbols[1].st_name = 7;
    return f;
}

/* Opens the first n bytes of `data` as a file. */
static brz_elf_found open_bytes(brz_elf_file *e, const void *data, size_t n)
{
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, n, file), n);
    assert_int_equal(fflush(file), 0);
    brz_elf_found found = brz_elf_open(e, fileno(file));
    fclose(file);
    return found;
}

static void what_a_file_has_is_found(void **state)
{
    (void)state;
    small_file f = small();
    brz_elf_file e;
    brz_elf_segment segment;
    brz_elf_section section;
    brz_elf_symbol symbol;
    assert_int_equal(open_bytes(&e, &f, sizeof f), BRZ_ELF_GOOD);
    assert_true(brz_elf_segment_at(&e, 0, &segment));
    assert_int_equal(segment.p_type, PT_LOAD);
    assert_false(brz_elf_segment_at(&e, 1, &segment));
    assert_true(brz_elf_section_at(&e, 0, &section));
    assert_int_equal(section.sh_type, SHT_SYMTAB);
    assert_false(brz_elf_section_at(&e, 1, &section));
    assert_true(brz_elf_entry_at(&e, &section, 1, &symbol, sizeof symbol));
    assert_int_equal(symbol.st_name, 7);
    assert_false(brz_elf_entry_at(&e, &section, 2, &symbol, sizeof symbol));
    assert_string_equal(brz_elf_text(&e, offsetof(small_file, name) + 1), "bc");
    brz_elf_close(&e);
}

static void a_table_larger_than_the_file_ends_with_the_file(void **state)
{
    (void)state;
    static const uint64_t sizes[] = {1 << 20, UINT32_MAX, INT64_MAX, UINT64_MAX};
    static const uint64_t offsets[] = {offsetof(small_file, symbols), 1 << 20, UINT64_MAX};
    for (size_t i = 0; i < COUNT_OF(sizes) * COUNT_OF(offsets); i++) {
        small_file f = small();
        brz_elf_file e;
        brz_elf_symbol symbol;
        f.section.sh_size = sizes[i / COUNT_OF(offsets)];
        f.section.sh_offset = offsets[i % COUNT_OF(offsets)];
        assert_int_equal(open_bytes(&e, &f, sizeof f), BRZ_ELF_GOOD);
        size_t n = 0;
        while (brz_elf_entry_at(&e, &f.section, n, &symbol, sizeof symbol))
            n++;
        assert_true(n <= sizeof f / sizeof symbol);
        brz_elf_close(&e);
    }
}

static void tables_outside_of_the_file_have_nothing_in_them(void **state)
{
    (void)state;
    static const uint64_t offsets[] = {sizeof(small_file), 1 << 20, UINT32_MAX, INT64_MAX,
                                       UINT64_MAX - 8};
    for (size_t i = 0; i < COUNT_OF(offsets); i++) {
        small_file f = small();
        brz_elf_file e;
        brz_elf_segment segment;
        brz_elf_section section;
        f.header.e_phoff = f.header.e_shoff = offsets[i];
        f.header.e_phnum = f.header.e_shnum = UINT16_MAX;
        assert_int_equal(open_bytes(&e, &f, sizeof f), BRZ_ELF_GOOD);
        assert_false(brz_elf_segment_at(&e, 0, &segment));
        assert_false(brz_elf_section_at(&e, 0, &section));
        assert_null(brz_elf_text(&e, offsets[i]));
        assert_false(brz_elf_copy(&e, offsets[i], &segment, 1));
        brz_elf_close(&e);
    }
}

static void an_unterminated_text_is_rejected(void **state)
{
    (void)state;
    small_file f = small();
    brz_elf_file e;
    f.name[3] = 'd';
    assert_int_equal(open_bytes(&e, &f, offsetof(small_file, name) + 4), BRZ_ELF_GOOD);
    assert_null(brz_elf_text(&e, offsetof(small_file, name)));
    brz_elf_close(&e);
}

static void files_of_other_machines_are_rejected(void **state)
{
    (void)state;
    small_file f = small();
    brz_elf_file e;
    assert_int_equal(open_bytes(&e, "", 0), BRZ_ELF_FOREIGN);
    brz_elf_close(&e);
    assert_int_equal(open_bytes(&e, "\177EL", 3), BRZ_ELF_FOREIGN);
    brz_elf_close(&e);
    assert_int_equal(open_bytes(&e, "#!/bin/sh\necho this is a script\n", 32), BRZ_ELF_FOREIGN);
    brz_elf_close(&e);
    assert_int_equal(open_bytes(&e, &f, sizeof f.header - 1), BRZ_ELF_CUT_OFF);
    brz_elf_close(&e);
    f.header.e_ident[EI_CLASS] ^= ELFCLASS32 ^ ELFCLASS64;
    assert_int_equal(open_bytes(&e, &f, sizeof f), BRZ_ELF_OTHER_MACHINE);
    brz_elf_close(&e);
    f = small();
    f.header.e_ident[EI_DATA] ^= ELFDATA2LSB ^ ELFDATA2MSB;
    assert_int_equal(open_bytes(&e, &f, sizeof f), BRZ_ELF_OTHER_MACHINE);
    brz_elf_close(&e);
    errno = ENOENT;
    assert_int_equal(brz_elf_open(&e, -1), BRZ_ELF_UNREADABLE);
    assert_int_equal(errno, ENOENT);
    brz_elf_close(&e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_file_has_is_found),
        cmocka_unit_test(a_table_larger_than_the_file_ends_with_the_file),
        cmocka_unit_test(tables_outside_of_the_file_have_nothing_in_them),
        cmocka_unit_test(an_unterminated_text_is_rejected),
        cmocka_unit_test(files_of_other_machines_are_rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
