/* Tests lines of units, against libdw, and with invalid bytes. The units are those of this program.
 */
#include "unit.h"

#include "common/symbols/dwarf/line_table.h"

#include <brazier/binary.h>

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

#include "base/arena.h"

enum { DAMAGED = 300, DAMAGED_SIZE = 4096 };

/* ---- host ----------------------------------------------------------------------------------- */

/* Implements alloc of the host. */
static void *allocate(brz_ctx *ctx, size_t size, size_t align)
{
    (void)align;
    void *memory = brz_arena_alloc(ctx->inst, size, 16);
    memset(memory, 0, size);
    return memory;
}

static const brz_collapser_host host = {.struct_size = sizeof host, .alloc = allocate};

typedef struct fixture {
    brz_arena arena;
    brz_ctx ctx;
} fixture;

static fixture *begin(void)
{
    fixture *f = calloc(1, sizeof *f);
    f->ctx = (brz_ctx){.struct_size = sizeof f->ctx, .host = &host, .inst = &f->arena};
    return f;
}

static void end(fixture *f)
{
    brz_arena_finish(&f->arena);
    free(f);
}

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define NATIVE BRZ_BIG_ENDIAN
#else
#define NATIVE BRZ_LITTLE_ENDIAN
#endif

/* ---- files ---------------------------------------------------------------------------------- */

/* Returns the bytes of a section, unpacked. */
static unit_bytes section_of(Elf *elf, const char *name)
{
    size_t names;
    GElf_Shdr h;
    elf_getshdrstrndx(elf, &names);
    for (Elf_Scn *s = NULL; (s = elf_nextscn(elf, s)) != NULL;) {
        if (gelf_getshdr(s, &h) == NULL || strcmp(elf_strptr(elf, names, h.sh_name), name) != 0)
            continue;
        if (h.sh_flags & SHF_COMPRESSED)
            elf_compress(s, 0, 0);
        Elf_Data *d = elf_getdata(s, NULL);
        return (unit_bytes){d->d_buf, d->d_size};
    }
    return (unit_bytes){NULL, 0};
}

static line_sections sections_of(Dwarf *dwarf)
{
    Elf *elf = dwarf_getelf(dwarf);
    return (line_sections){section_of(elf, ".debug_line"), section_of(elf, ".debug_str"),
                           section_of(elf, ".debug_line_str"), NATIVE};
}

/* ---- comparisons ---------------------------------------------------------------------------- */

static void assert_same_text(const char *a, const char *b)
{
    assert_int_equal(a == NULL, b == NULL);
    if (a != NULL)
        assert_string_equal(a, b);
}

static void compare_files(Dwarf_Die *unit, line_table *t, brz_ctx *ctx)
{
    Dwarf_Files *files;
    size_t n;
    assert_int_equal(dwarf_getsrcfiles(unit, &files, &n), 0);
    for (size_t i = 0; i < n; i++)
        assert_same_text(line_table_file(t, ctx, i), dwarf_filesrc(files, i, NULL, NULL));
    assert_null(line_table_file(t, ctx, n));
}

/* Compares the line of an address. Returns whether there is one. */
static bool compare_line(Dwarf_Die *unit, line_table *t, brz_ctx *ctx, Dwarf_Addr address)
{
    int number = 0;
    Dwarf_Line *line = dwarf_getsrc_die(unit, address);
    const line_row *row = line_table_find(t, address);
    assert_int_equal(row == NULL, line == NULL);
    if (row == NULL)
        return false;
    assert_int_equal(dwarf_lineno(line, &number), 0);
    assert_int_equal(row->line, number);
    assert_same_text(line_table_file(t, ctx, row->file), dwarf_linesrc(line, NULL, NULL));
    return true;
}

/* Compares the lines at each address that has a row, and near it. Returns how many there are. */
static size_t compare_lines(Dwarf_Die *unit, line_table *t, brz_ctx *ctx)
{
    Dwarf_Lines *lines;
    Dwarf_Addr address;
    size_t n, found = 0;
    assert_int_equal(dwarf_getsrclines(unit, &lines, &n), 0);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(dwarf_lineaddr(dwarf_onesrcline(lines, i), &address), 0);
        for (Dwarf_Addr near = address > 0 ? address - 1 : 0; near <= address + 1; near++)
            found += compare_line(unit, t, ctx, near);
    }
    return found;
}

/* Compares the lines of a unit. Returns their number; 0 if they are left to libdw. */
static size_t compare_unit(Dwarf_Die *unit, const line_sections *s, brz_ctx *ctx)
{
    Dwarf_Attribute a;
    Dwarf_Word offset;
    if (dwarf_formudata(dwarf_attr(unit, DW_AT_stmt_list, &a), &offset) != 0)
        return 0;
    const char *folder = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &a));
    line_table *t = line_table_read(ctx, s, offset, folder);
    if (t == NULL)
        return 0;
    compare_files(unit, t, ctx);
    return compare_lines(unit, t, ctx);
}

/* Opens the debugging information of this program. Skips a test without it. */
static Dwarf *open_own(int *fd)
{
    *fd = open("/proc/self/exe", O_RDONLY);
    Dwarf *dwarf = dwarf_begin(*fd, DWARF_C_READ);
    if (dwarf == NULL || section_of(dwarf_getelf(dwarf), ".debug_line").len == 0) {
        dwarf_end(dwarf);
        close(*fd);
        skip();
    }
    return dwarf;
}

static void lines_and_files_are_those_of_libdw(void **state)
{
    (void)state;
    int fd;
    fixture *f = begin();
    Dwarf *dwarf = open_own(&fd);
    Dwarf_CU *cu = NULL;
    Dwarf_Die unit;
    line_sections s = sections_of(dwarf);
    size_t n = 0;
    while (dwarf_get_units(dwarf, cu, &cu, NULL, NULL, &unit, NULL) == 0)
        n += compare_unit(&unit, &s, &f->ctx);
    assert_true(n > 0);
    dwarf_end(dwarf);
    close(fd);
    end(f);
}

/* ---- damage --------------------------------------------------------------------------------- */

/* Reads damaged lines. Nothing is read outside of the bytes. */
static void read_damaged(dice *d, const line_sections *s)
{
    fixture *f = begin();
    line_sections damaged = *s;
    size_t n = 1 + roll_below(d, s->lines.len), k = 1 + roll_below(d, 3);
    uint8_t *copy = (uint8_t *)exact_copy(s->lines.data, n);
    for (size_t i = 0; i < k; i++)
        copy[roll_below(d, roll_below(d, 2) ? n : 1 + n / 16)] = (uint8_t)roll_below(d, 256);
    damaged.lines = (unit_bytes){copy, n};
    line_table *t = line_table_read(&f->ctx, &damaged, 0, "folder");
    for (uint64_t i = 0; t != NULL && i < 64; i++) {
        const line_row *row = line_table_find(t, i << roll_below(d, 32));
        assert_true(row == NULL || line_table_file(t, &f->ctx, row->file) != NULL);
        line_table_file(t, &f->ctx, i);
    }
    free(copy);
    end(f);
}

static void damaged_lines_are_read_or_refused(void **state)
{
    (void)state;
    int fd;
    dice d = {14};
    Dwarf *dwarf = open_own(&fd);
    line_sections s = sections_of(dwarf);
    s.lines.len = s.lines.len < DAMAGED_SIZE ? s.lines.len : DAMAGED_SIZE;
    for (int i = 0; i < DAMAGED; i++)
        read_damaged(&d, &s);
    dwarf_end(dwarf);
    close(fd);
}

/* ---- units by hand -------------------------------------------------------------------------- */

/* The header of version 4, without its length and version, and a program after it. */
#define HEADER                                                                                     \
    "\x2a\0\0\0\x01\x01\x01\xfb\x0e\x0d\0\x01\x01\x01\x01\0\0\0\x01\0\0\x01"                       \
    "src\0\0one.c\0\x01\0\0two.c\0\0\0\0\0"
#define ADDRESS(high) "\0\x09\x02\0" high "\0\0\0\0\0\0"
#define LINE(n)       "\x03" n "\x01"
#define END_AFTER(n)  "\x02" n "\0\x01\x01"

/* Functions at 0x2000 and 0x1000, each followed by a row without code. */
#define PROGRAM                                                                                    \
    ADDRESS("\x20")                                                                                \
    LINE("\x04")                                                                                   \
    "\x02\x04" LINE("\x01") "\x02\x04\x04\x02" LINE("\x09") END_AFTER("\0") ADDRESS("\x10")        \
        LINE("\x06") END_AFTER("\x04")

static line_table *read_program(fixture *f, char version, const char *bytes, size_t n)
{
    size_t length = n + 2, total = n + 6;
    uint8_t *unit = calloc(1, total);
    brz_arena *a = &f->arena;
    unit[0] = (uint8_t)length;
    unit[4] = (uint8_t)version;
    memcpy(unit + 6, bytes, n);
    uint8_t *kept = brz_arena_alloc(a, total, 1);
    memcpy(kept, unit, total);
    free(unit);
    const line_sections s = {.lines = {kept, total}, .order = BRZ_LITTLE_ENDIAN};
    return line_table_read(&f->ctx, &s, 0, "/top");
}

static uint32_t line_at(const line_table *t, uint64_t address)
{
    const line_row *row = line_table_find(t, address);
    return row == NULL ? 0 : row->line;
}

static void functions_are_in_any_order(void **state)
{
    (void)state;
    static const char bytes[] = HEADER PROGRAM;
    fixture *f = begin();
    line_table *t = read_program(f, 4, bytes, sizeof bytes - 1);
    assert_non_null(t);
    static const struct {
        uint64_t address;
        uint32_t line;
    } cases[] = {{0xfff, 0},  {0x1000, 7}, {0x1003, 7}, {0x1004, 0}, {0x1fff, 0},
                 {0x2000, 5}, {0x2003, 5}, {0x2004, 6}, {0x2007, 6}, {0x2008, 0}};
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_int_equal(line_at(t, cases[i].address), cases[i].line);
    assert_string_equal(line_table_file(t, &f->ctx, 1), "src/one.c");
    assert_string_equal(line_table_file(t, &f->ctx, 2), "/top/two.c");
    assert_null(line_table_file(t, &f->ctx, 3));
    end(f);
}

static void unusual_units_are_left_to_libdw(void **state)
{
    (void)state;
    static const char good[] = HEADER PROGRAM, file[] = HEADER "\x04\x03\x01";
    static const char defined[] = HEADER "\0\x06\x03x\0\0\0\0", set[] = HEADER "\x0c\x01";
    fixture *f = begin();
    assert_non_null(read_program(f, 3 + 1, good, sizeof good - 1));
    assert_null(read_program(f, 6, good, sizeof good - 1));
    assert_null(read_program(f, 1, good, sizeof good - 1));
    assert_null(read_program(f, 4, good, sizeof good - 2));
    assert_null(read_program(f, 4, file, sizeof file - 1));
    assert_null(read_program(f, 4, defined, sizeof defined - 1));
    assert_null(read_program(f, 4, set, sizeof set - 1));
    end(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_and_files_are_those_of_libdw),
        cmocka_unit_test(damaged_lines_are_read_or_refused),
        cmocka_unit_test(functions_are_in_any_order),
        cmocka_unit_test(unusual_units_are_left_to_libdw),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
