/* SPDX-License-Identifier: MIT */
/* Tests lookups in lists of the kernel's symbols, against tables of all their lines. */
#include "host_memory.h"
#include "common/symbols/symbol_lines.h"
#include "common/symbols/symbol_list.h"

#include <brazier/symbol.h>

#include <inttypes.h>

enum { LISTS = 400, LINES_MAX = 60, SPACE = 64, MANY = 20000 };

#define KERNEL UINT64_C(0xffffffff81000000)

/* The same text in both forms. */
typedef struct fixture {
    memory memory;
    brz_ctx ctx;
    char *text;
    size_t len;
    symbol_list list;
    symbol_table table;
    uint64_t at[2]; /* the address of _text in each form */
} fixture;

static fixture *begin(void)
{
    fixture *f = calloc(1, sizeof *f);
    f->ctx = (brz_ctx){.struct_size = sizeof f->ctx, .host = &host, .inst = &f->memory};
    f->text = calloc(MANY, 80);
    return f;
}

static void end(fixture *f)
{
    for (size_t i = 0; i < f->memory.n; i++)
        free(f->memory.blocks[i]);
    free(f->text);
    free(f);
}

static void add_text(fixture *f, const char *text)
{
    size_t n = strlen(text);
    memcpy(f->text + f->len, text, n + 1);
    f->len += n;
}

static void add_line(fixture *f, uint64_t address, char type, const char *name)
{
    f->len += (size_t)sprintf(f->text + f->len, "%016" PRIx64 " %c %s\n", address, type, name);
}

/* Opens both forms. */
static void open_list(fixture *f)
{
    brz_str text = brz_str_of(f->text, f->len), name = BRZ_STR("_text");
    f->at[0] = f->at[1] = 1;
    symbol_list_open(&f->list, &f->ctx, text, name, &f->at[0]);
    bool known = symbol_lines_kallsyms(&f->table, &f->ctx, text, name, &f->at[1]);
    symbol_table_finish(&f->table, &f->ctx);
    assert_int_equal(f->list.has_addresses, known);
    assert_int_equal(f->at[0], f->at[1]);
}

static void compare_at(fixture *f, uint64_t address)
{
    const symbol *got = symbol_list_find(&f->list, address);
    const symbol *want = symbol_table_find(&f->table, address);
    assert_int_equal(got == NULL, want == NULL);
    assert_true(want == NULL || brz_str_equal(got->name, want->name));
}

/* ---- random lists --------------------------------------------------------------------------- */

/* Adds lines in order, and then others in none. */
static void add_random(fixture *f, dice *d)
{
    static const char *const odd[] = {"",
                                      "\n",
                                      "ffffffff8100000g t bad\n",
                                      "FFFFFFFF81000003 T capitals\n",
                                      "ffffffff81000005  t two_blanks\n",
                                      "ffffffff810000b  T few_digits\n",
                                      "ffffffff8100000: t colon\n",
                                      "0x10 d short\n"};
    static const char types[] = "tTwWdDbBrAV";
    uint64_t address = roll_below(d, 4) == 0 ? 0 : KERNEL;
    size_t n = roll_below(d, LINES_MAX), ordered = roll_below(d, LINES_MAX);
    for (size_t i = 0; i < n; i++) {
        char name[32];
        snprintf(name, sizeof name, "%s%zu", roll_below(d, 3) == 0 ? "__" : "f", i);
        address += roll_below(d, 3) == 0 ? 0 : roll_below(d, 5);
        if (i >= ordered)
            address = KERNEL + roll_below(d, SPACE);
        if (i == ordered || roll_below(d, 30) == 0)
            add_text(f, odd[roll_below(d, COUNT_OF(odd))]);
        add_line(f, roll_below(d, 90) == 0 ? UINT64_MAX : address,
                 types[roll_below(d, sizeof types - 1)], roll_below(d, 20) == 0 ? "_text" : name);
    }
}

static void lookups_give_what_a_table_of_all_lines_gives(void **state)
{
    (void)state;
    dice d = {13};
    for (int i = 0; i < LISTS; i++) {
        fixture *f = begin();
        add_random(f, &d);
        open_list(f);
        for (uint64_t k = 0; k < 4 * SPACE; k++) {
            compare_at(f, KERNEL + roll_below(&d, 4 * SPACE) - SPACE);
            compare_at(f, roll_below(&d, 2 * SPACE));
        }
        compare_at(f, KERNEL + 3 * 4096);
        compare_at(f, UINT64_MAX - 1);
        compare_at(f, UINT64_MAX);
        end(f);
    }
}

/* ---- cases ---------------------------------------------------------------------------------- */

static void lines_of_unusual_forms_count(void **state)
{
    (void)state;
    fixture *f = begin();
    add_text(f, "0000000000000000 A ignored\n"
                "0000000000000010 D first\r\n"
                "ffffffff81000000 T _text\n"
                "FFFFFFFF81000000 T _alias\n"
                "ffffffff81000040 w weak\n"
                "ffffffff81000040 r other\n"
                "ffffffff8100006g t bad\n"
                "ffffffff81000080  T two_blanks\n"
                "ffffffff810000c0 T \tx\n"
                "ffffffff81000100 t in_module\t[ext4]\n"
                "0xffff t short\n"
                "ffffffff81000000 t\n"
                "\n"
                "ffffffff81000050 T cut");
    open_list(f);
    assert_true(f->list.has_addresses);
    for (uint64_t i = 0; i < 0x200; i++)
        compare_at(f, KERNEL + i);
    for (uint64_t i = 0; i < 0x11000; i += 3)
        compare_at(f, i);
    end(f);
}

static void a_list_without_addresses_is_recognised(void **state)
{
    (void)state;
    fixture *f = begin();
    add_text(f, "0000000000000000 T _text\n0000000000000000 T last\n");
    open_list(f);
    assert_false(f->list.has_addresses);
    assert_int_equal(f->at[0], 0);
    end(f);
}

static void an_invalid_line_does_not_change_the_addresses_after_it(void **state)
{
    (void)state;
    fixture *f = begin();
    add_line(f, KERNEL + 32, 't', "first");
    add_line(f, KERNEL, 't', "second");
    add_text(f, "ffffzfff81000010 t invalid\n");
    add_line(f, KERNEL + 16, 't', "third");
    open_list(f);
    for (uint64_t i = 0; i < 48; i++)
        compare_at(f, KERNEL + i);
    end(f);
}

static void an_address_of_no_digits_is_none(void **state)
{
    (void)state;
    static const char line[] = "-\0\0\0\0\0\0\0"
                               "81000100 t invalid\n";
    fixture *f = begin();
    add_line(f, KERNEL, 't', "first");
    memcpy(f->text + f->len, line, sizeof line - 1);
    f->len += sizeof line - 1;
    add_line(f, 0x1000, 't', "low");
    open_list(f);
    compare_at(f, UINT64_C(0x81000200));
    compare_at(f, KERNEL - 1);
    compare_at(f, KERNEL);
    end(f);
}

static void long_lines_count(void **state)
{
    (void)state;
    fixture *f = begin();
    char name[4000];
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    add_line(f, KERNEL, 't', "first");
    add_line(f, KERNEL + 16, 't', name);
    add_line(f, KERNEL + 32, 't', "last");
    open_list(f);
    for (uint64_t i = 0; i < 48; i++)
        compare_at(f, KERNEL + i);
    end(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lookups_give_what_a_table_of_all_lines_gives),
        cmocka_unit_test(lines_of_unusual_forms_count),
        cmocka_unit_test(a_list_without_addresses_is_recognised),
        cmocka_unit_test(an_invalid_line_does_not_change_the_addresses_after_it),
        cmocka_unit_test(an_address_of_no_digits_is_none),
        cmocka_unit_test(long_lines_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
