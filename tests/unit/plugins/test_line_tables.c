/* SPDX-License-Identifier: MIT */
/* Tests lines of addresses of this program, as libdw finds them. */
#include "host_memory.h"

#include "common/symbols/dwarf/line_tables.h"

#include <fcntl.h>
#include <unistd.h>

enum { ADDRESSES = 400, STEP = 37, UNITS = 4096 };

/* The lines of this program. */
typedef struct fixture {
    memory memory;
    brz_ctx ctx;
    int fd;
    Dwarf *dwarf;
    Dwarf_Addr addresses[ADDRESSES];
    size_t n;
    Dwarf_Die units[UNITS]; /* of the addresses */
    unit_lines lines[UNITS];
    size_t unit_of[ADDRESSES], n_units;
} fixture;

/* Returns the position of a unit. */
static size_t unit_at(fixture *f, const Dwarf_Die *unit)
{
    size_t i = 0;
    while (i < f->n_units && f->units[i].addr != unit->addr)
        i++;
    if (i == f->n_units)
        f->units[f->n_units++] = *unit;
    return i;
}

/* Collects addresses of functions. */
static int collect(Dwarf_Die *function, void *context)
{
    fixture *f = context;
    Dwarf_Addr low, high;
    Dwarf_Die unit;
    if (dwarf_lowpc(function, &low) != 0 || dwarf_highpc(function, &high) != 0 ||
        dwarf_diecu(function, &unit, NULL, NULL) == NULL)
        return DWARF_CB_OK;
    for (Dwarf_Addr at = low; at < high && f->n < ADDRESSES; at += STEP) {
        f->unit_of[f->n] = unit_at(f, &unit);
        f->addresses[f->n++] = at;
    }
    return DWARF_CB_OK;
}

static fixture *begin(void)
{
    fixture *f = calloc(1, sizeof *f);
    Dwarf_CU *cu = NULL;
    Dwarf_Die unit;
    f->ctx = (brz_ctx){.struct_size = sizeof f->ctx, .host = &host, .inst = &f->memory};
    f->fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    f->dwarf = dwarf_begin(f->fd, DWARF_C_READ);
    while (f->dwarf != NULL && dwarf_get_units(f->dwarf, cu, &cu, NULL, NULL, &unit, NULL) == 0)
        (void)dwarf_getfuncs(&unit, collect, f, 0);
    return f;
}

static void end(fixture *f)
{
    if (f->dwarf != NULL)
        dwarf_end(f->dwarf);
    close(f->fd);
    for (size_t i = 0; i < f->memory.n; i++)
        free(f->memory.blocks[i]);
    free(f);
}

/* Compares a line with that of libdw. */
static void compare(fixture *f, line_tables *t, size_t i)
{
    int number = 0;
    source_line found = {NULL, 0};
    size_t unit = f->unit_of[i];
    Dwarf_Line *line = dwarf_getsrc_die(&f->units[unit], f->addresses[i]);
    bool is_known = line != NULL && dwarf_lineno(line, &number) == 0 && number > 0;
    assert_int_equal(
        is_known, line_tables_find(t, &f->units[unit], &f->lines[unit], f->addresses[i], &found));
    if (!is_known)
        return;
    assert_int_equal(number, found.line);
    assert_string_equal(dwarf_linesrc(line, NULL, NULL), found.file);
}

/* Looks up all addresses, those of the same unit far from one another. */
static void compare_all(fixture *f, line_budget budget)
{
    line_tables t;
    line_tables_init(&t, &f->ctx, &budget, f->dwarf, NULL);
    for (size_t i = 0; i < f->n; i++)
        compare(f, &t, i * 181 % f->n);
    assert_ptr_equal(budget.newest, f->n > 0 ? &t : NULL);
    line_tables_close(&t);
    assert_int_equal(budget.size + budget.read, 0);
    assert_null(budget.newest);
    assert_null(budget.oldest);
}

static void lines_are_those_of_libdw(void **state)
{
    (void)state;
    fixture *f = begin();
    compare_all(f, LINE_BUDGET);
    end(f);
}

static void lines_are_the_same_if_tables_are_released(void **state)
{
    (void)state;
    fixture *f = begin();
    compare_all(f, (line_budget){0});
    end(f);
}

static void the_tables_of_the_file_used_least_recently_are_released(void **state)
{
    (void)state;
    fixture *f = begin();
    line_budget budget = {.tables_max = 1};
    line_tables a, b;
    unit_lines of_a = {NULL, 0}, of_b = {NULL, 0};
    if (f->n == 0) { /* built without debugging information */
        end(f);
        skip();
    }
    line_tables_init(&a, &f->ctx, &budget, f->dwarf, NULL);
    line_tables_init(&b, &f->ctx, &budget, f->dwarf, NULL);
    const char *first = line_tables_file(&a, &f->units[0], &of_a, 1);
    assert_true(a.size > 0);
    assert_non_null(line_tables_file(&b, &f->units[0], &of_b, 1));
    assert_int_equal(a.size, 0);
    assert_true(b.size > 0);
    assert_int_equal(budget.size, b.size);
    assert_string_equal(first, line_tables_file(&a, &f->units[0], &of_a, 1));
    assert_int_equal(b.size, 0);
    line_tables_close(&a);
    line_tables_close(&b);
    assert_int_equal(budget.size + budget.read, 0);
    end(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_those_of_libdw),
        cmocka_unit_test(lines_are_the_same_if_tables_are_released),
        cmocka_unit_test(the_tables_of_the_file_used_least_recently_are_released),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
