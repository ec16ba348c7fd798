/* Tests reading build ids of mapped files. */
#include "unit.h"

#include "record/build_id.h"

#include <elf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* An ELF file whose only segment is a note with a build id. */
typedef struct elf_file {
    Elf64_Ehdr header;
    Elf64_Phdr segment;
    Elf64_Nhdr note;
    char name[4], id[8];
} elf_file;

static void write_elf(const char *path)
{
    elf_file f = {.header = {.e_ident = ELFMAG, .e_phentsize = sizeof f.segment, .e_phnum = 1},
                  .segment = {.p_type = PT_NOTE},
                  .note = {.n_namesz = 4, .n_descsz = 8, .n_type = NT_GNU_BUILD_ID},
                  .name = "GNU"};
    f.header.e_ident[EI_CLASS] = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;
    f.header.e_ident[EI_DATA] = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? ELFDATA2MSB : ELFDATA2LSB;
    f.header.e_phoff = offsetof(elf_file, segment);
    f.segment.p_offset = offsetof(elf_file, note);
    f.segment.p_filesz = sizeof f - offsetof(elf_file, note);
    memcpy(f.id, "12345678", sizeof f.id);
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(&f, sizeof f, 1, out), 1);
    fclose(out);
}

static void a_file_of_a_process_that_has_ended_is_read_through_the_next_one(void **state)
{
    (void)state;
    char path[] = "/tmp/brazier-build-id-XXXXXX";
    uint8_t id[BRZ_BUILD_ID_MAX];
    struct stat st;
    close(mkstemp(path));
    write_elf(path);
    assert_int_equal(stat(path, &st), 0);
    brz_build_ids *ids = brz_build_ids_create();
    brz_mapped_file file = {.pid = INT_MAX, .name = path, .inode = (uint64_t)st.st_ino};
    assert_int_equal(brz_build_ids_read(ids, &file, id), 0);
    file.pid = getpid();
    assert_int_equal(brz_build_ids_read(ids, &file, id), 8);
    assert_memory_equal(id, "12345678", 8);
    unlink(path);
    assert_int_equal(brz_build_ids_read(ids, &file, id), 8); /* it is kept */
    brz_build_ids_destroy(ids);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_of_a_process_that_has_ended_is_read_through_the_next_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
