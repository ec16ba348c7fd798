/* SPDX-License-Identifier: MIT */
/* Tests rules of this program that the table of its functions finds, against those of libdw. */
#include "host_memory.h"

#include "common/symbols/unwind/frame_source.h"
#include "common/symbols/unwind/frame_table.h"

#include <elf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <gelf.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined __GLIBC__ && !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
#include <malloc.h>
#endif

enum { STEP = 5, STEPS = 8 };

/* This program, and a copy in which .eh_frame comes before .eh_frame_hdr, as gold writes them. */
typedef struct fixture {
    memory memory;
    brz_ctx ctx;
    uint8_t *bytes[2];
    size_t len;
    elf_image images[2];
} fixture;

static Elf64_Shdr *header_of(uint8_t *file, const char *name)
{
    Elf64_Ehdr *e = (Elf64_Ehdr *)(void *)file;
    Elf64_Shdr *all = (Elf64_Shdr *)(void *)(file + e->e_shoff);
    const char *names = (const char *)file + all[e->e_shstrndx].sh_offset;
    for (size_t i = 1; i < e->e_shnum; i++)
        if (strcmp(names + all[i].sh_name, name) == 0)
            return &all[i];
    return NULL;
}

static void exchange(uint8_t *file)
{
    Elf64_Shdr *a = header_of(file, ".eh_frame_hdr"), *b = header_of(file, ".eh_frame");
    assert_non_null(a);
    assert_non_null(b);
    Elf64_Shdr saved = *a;
    *a = *b;
    *b = saved;
}

static fixture *begin(void)
{
    fixture *f = calloc(1, sizeof *f);
    struct stat st;
    int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    f->ctx = (brz_ctx){.struct_size = sizeof f->ctx, .host = &host, .inst = &f->memory};
    assert_int_equal(fstat(fd, &st), 0);
    f->len = (size_t)st.st_size;
    for (size_t i = 0; i < 2; i++) {
        f->bytes[i] = malloc(f->len);
        assert_int_equal(pread(fd, f->bytes[i], f->len, 0), (ssize_t)f->len);
    }
    close(fd);
    exchange(f->bytes[1]);
    for (size_t i = 0; i < 2; i++)
        assert_true(elf_image_open(&f->images[i], &f->ctx, f->bytes[i], f->len));
    return f;
}

static void end(fixture *f)
{
    for (size_t i = 0; i < 2; i++) {
        elf_image_close(&f->images[i]);
        free(f->bytes[i]);
    }
    for (size_t i = 0; i < f->memory.n; i++)
        free(f->memory.blocks[i]);
    free(f);
}

static void *allocate_rule(void *context, size_t size)
{
    return allocate(context, size, 0);
}

static const unwind_machine *machine(void)
{
#if defined __aarch64__
    return &unwind_arm64;
#else
    return &unwind_x86_64;
#endif
}

static uint64_t start_of(const frame_table *t, uint64_t row)
{
    int32_t distance;
    memcpy(&distance, t->rows + row * 8, sizeof distance);
    return t->rows_from + (uint64_t)(int64_t)distance;
}

static void assert_same(const frame_rule *a, const frame_rule *b)
{
    uint64_t x[2] = {0, 0}, y[2] = {0, 0};
    assert_int_equal(a->is_known, b->is_known);
    assert_int_equal(a->is_known ? a->end : 0, b->is_known ? b->end : 0);
    assert_int_equal(frame_rule_pack(a, x), frame_rule_pack(b, y));
    assert_memory_equal(x, y, sizeof x);
}

static void rules_are_those_of_libdw(void **state)
{
    (void)state;
    frame_table t;
    fixture *f = begin();
    Dwarf_CFI *whole = dwarf_getcfi_elf(f->images[0].elf);
    assert_non_null(whole);
    assert_true(frame_table_open(&t, &f->images[1]));
    assert_true(t.n_rows > 10);
    for (uint64_t i = 0; i < t.n_rows; i++)
        for (uint64_t k = 0; k < STEPS; k++) {
            uint64_t at = start_of(&t, i) + k * STEP - 1;
            frame_rule a = frame_table_read(&t, machine(), at, allocate_rule, &f->ctx);
            frame_rule b = frame_rule_read(whole, machine(), at, allocate_rule, &f->ctx);
            assert_same(&a, &b);
        }
    frame_table_close(&t);
    dwarf_cfi_end(whole);
    end(f);
}

static void a_table_that_libdw_finds_is_left_to_it(void **state)
{
    (void)state;
    frame_table t;
    frame_source s;
    packed_budget budget;
    fixture *f = begin();
    elf_image none = {.elf = NULL};
    packed_budget_init(&budget);
    assert_false(frame_table_open(&t, &f->images[0]));
    frame_source_open(&s, &f->images[0], &none, &budget);
    assert_non_null(s.loaded);
    frame_source_close(&s);
    frame_source_open(&s, &f->images[1], &none, &budget);
    assert_null(s.loaded);
    assert_true(s.table.n_rows > 0);
    frame_source_close(&s);
    end(f);
}

/* Returns the size of all that malloc() has given out, or 0 if that is not known. */
static size_t in_use(void)
{
#ifdef M_TRIM_THRESHOLD
    return mallinfo2().uordblks;
#else
    return 0;
#endif
}

static void no_entry_stays_in_memory(void **state)
{
    (void)state;
    frame_table t;
    fixture *f = begin();
    assert_true(frame_table_open(&t, &f->images[1]));
    frame_table_read(&t, machine(), start_of(&t, t.n_rows / 2), allocate_rule, &f->ctx);
    size_t before = in_use(), blocks = f->memory.n;
    for (uint64_t i = 0; i < t.n_rows; i++)
        frame_table_read(&t, machine(), start_of(&t, i) + 1, allocate_rule, &f->ctx);
    size_t after = in_use();
    /* Expressions are kept, here in blocks of the test, and the memory for the largest entry.
     * malloc() itself keeps some blocks of what was freed; entries have more than 16 bytes each. */
    size_t kept = t.room + (f->memory.n - blocks) * 4096 + (size_t)t.n_rows * 16;
    assert_true(after <= before + kept);
    assert_true(t.room < ((size_t)1 << 20));
    frame_table_close(&t);
    end(f);
}

static void damaged_tables_find_nothing_or_rules(void **state)
{
    (void)state;
    frame_table t;
    fixture *f = begin();
    assert_true(frame_table_open(&t, &f->images[1]));
    size_t rows = (size_t)(t.rows - f->bytes[1]), frames = (size_t)(t.frames.data - f->bytes[1]);
    uint64_t at = start_of(&t, t.n_rows / 2);
    for (size_t i = 0; i < 4000; i++) {
        size_t place =
            i % 2 == 0 ? rows + i * 7919 % (t.n_rows * 8) : frames + i * 7919 % t.frames.len;
        uint8_t saved = f->bytes[1][place];
        f->bytes[1][place] = (uint8_t)(saved + 1 + i % 255);
        frame_table_read(&t, machine(), at, allocate_rule, &f->ctx);
        frame_table_read(&t, machine(), i % 2 == 0 ? UINT64_MAX : 0, allocate_rule, &f->ctx);
        f->bytes[1][place] = saved;
    }
    frame_table_close(&t);
    end(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_are_those_of_libdw),
        cmocka_unit_test(a_table_that_libdw_finds_is_left_to_it),
        cmocka_unit_test(no_entry_stays_in_memory),
        cmocka_unit_test(damaged_tables_find_nothing_or_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
