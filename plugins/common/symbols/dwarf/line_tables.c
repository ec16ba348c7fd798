/* SPDX-License-Identifier: MIT */
/* Finds lines of addresses, in bounded memory, by libdw. */
#include "line_tables.h"

#include "../address_rank.h"

#include <stdlib.h>

/* Memory of a row and of a file in libdw, in bytes. It allocates twice what a table needs. */
#define ROW_SIZE  ((size_t)2 * 48)
#define FILE_SIZE ((size_t)128)

/* Number of a file that has no name. */
#define NO_NAME UINT32_MAX

/* A row of a table: the line of the addresses from one on. */
typedef struct line_row {
    uint64_t address;
    uint32_t line; /* 0: there is no code */
    uint32_t file; /* number in the list of the unit */
} line_row;

/* The table of a unit. */
typedef struct line_table {
    struct line_table *next;
    size_t size; /* in bytes */
    size_t n_rows, n_files;
    const uint32_t *files; /* positions of the names of files, or NO_NAME */
    line_row rows[];       /* in the order of their addresses */
} line_table;

/* ---- the order of use ----------------------------------------------------------------------- */

static bool is_linked(const line_tables *t)
{
    return t->newer != NULL || t->budget->newest == t;
}

static void unlink_tables(line_tables *t)
{
    line_budget *b = t->budget;
    if (!is_linked(t))
        return;
    *(t->newer != NULL ? &t->newer->older : &b->newest) = t->older;
    *(t->older != NULL ? &t->older->newer : &b->oldest) = t->newer;
    t->newer = t->older = NULL;
}

static void make_newest(line_tables *t)
{
    line_budget *b = t->budget;
    if (b->newest == t)
        return;
    unlink_tables(t);
    t->older = b->newest;
    *(b->newest != NULL ? &b->newest->newer : &b->oldest) = t;
    b->newest = t;
}

/* ---- handles -------------------------------------------------------------------------------- */

static bool open_handle(line_tables *t)
{
    if (t->handle != NULL)
        return true;
    t->handle = dwarf_begin_elf(dwarf_getelf(t->of), DWARF_C_READ, NULL);
    if (t->handle != NULL && t->alt != NULL)
        dwarf_setalt(t->handle, t->alt);
    return t->handle != NULL;
}

static void close_handle(line_tables *t)
{
    if (t->handle != NULL)
        dwarf_end(t->handle);
    t->handle = NULL;
    t->budget->read -= t->read;
    t->read = 0;
}

static void bound_handles(line_budget *b)
{
    for (line_tables *t = b->newest; t != NULL && b->read > b->handles_max; t = t->older)
        close_handle(t);
}

/* ---- names ---------------------------------------------------------------------------------- */

/* Returns the position of a name, of which one copy is kept. */
static uint32_t keep_name(line_tables *t, const char *name)
{
    if (name == NULL)
        return NO_NAME;
    t->scratch.len = 0;
    brz_text_append(&t->scratch, t->ctx, brz_str_of_text(name));
    brz_frame_key key = brz_frame_key_of(&t->known, t->scratch.data, t->scratch.len, 0);
    uint32_t position = brz_frame_cache_find(&t->known, &key);
    if (position != BRZ_CACHE_MISS)
        return position;
    position = (uint32_t)t->n_names;
    brz_frame_cache_put(&t->known, t->ctx, &key, position);
    t->names = brz_list_room(t->ctx, t->names, t->n_names, &t->cap_names, sizeof *t->names);
    t->names[t->n_names++] = brz_text_keep(t->ctx, brz_text_str(&t->scratch)).data;
    return position;
}

/* ---- tables --------------------------------------------------------------------------------- */

/* Takes a row of libdw. The row of an unknown file has a number that the list does not have. */
static line_row take_row(Dwarf_Line *from)
{
    Dwarf_Files *files;
    size_t file = SIZE_MAX;
    int line = 0;
    bool is_end = true;
    line_row row = {.file = UINT32_MAX};
    if (dwarf_lineaddr(from, &row.address) != 0 || dwarf_lineendsequence(from, &is_end) != 0 ||
        is_end || dwarf_lineno(from, &line) != 0)
        return row;
    row.line = line > 0 ? (uint32_t)line : 0;
    if (dwarf_line_file(from, &files, &file) == 0 && file < UINT32_MAX)
        row.file = (uint32_t)file;
    return row;
}

/* Adds a row. Of several at an address, the last one counts; one that is equal to the row before
 * adds nothing. */
static void add_row(line_table *table, line_row row)
{
    line_row *last = table->n_rows > 0 ? &table->rows[table->n_rows - 1] : NULL;
    if (last != NULL && last->address == row.address)
        table->n_rows--;
    last = table->n_rows > 0 ? &table->rows[table->n_rows - 1] : NULL;
    if (last == NULL || last->line != row.line || last->file != row.file)
        table->rows[table->n_rows++] = row;
}

static void add_files(line_tables *t, line_table *table, Dwarf_Files *files, size_t n)
{
    uint32_t *numbers = (uint32_t *)(void *)(table->rows + table->n_rows);
    for (size_t i = 0; i < n; i++)
        numbers[i] = keep_name(t, dwarf_filesrc(files, i, NULL, NULL));
    table->files = numbers;
    table->n_files = n;
}

/* Makes a table of rows and files of libdw. Returns NULL if there is no memory. */
static line_table *make_table(line_tables *t, Dwarf_Lines *lines, size_t n, Dwarf_Files *files,
                              size_t n_files)
{
    size_t files_size = (n_files * sizeof(uint32_t) + 7) / 8 * 8;
    line_table *table = malloc(sizeof *table + n * sizeof(line_row) + files_size);
    if (table == NULL)
        return NULL;
    *table = (line_table){.n_rows = 0};
    for (size_t i = 0; i < n; i++)
        add_row(table, take_row(dwarf_onesrcline(lines, i)));
    add_files(t, table, files, n_files);
    table->size = sizeof *table + table->n_rows * sizeof(line_row) + files_size;
    return table;
}

/* Gives back the memory of rows that were left out. */
static line_table *shrink(line_table *table)
{
    line_table *moved = realloc(table, table->size);
    if (moved == NULL)
        return table;
    moved->files = (const uint32_t *)(const void *)(moved->rows + moved->n_rows);
    return moved;
}

/* Reads the table of a unit. Returns NULL if it has none. */
static line_table *read_table(line_tables *t, Dwarf_Die *unit)
{
    Dwarf_Die die;
    Dwarf_Lines *lines = NULL;
    Dwarf_Files *files = NULL;
    size_t n = 0, n_files = 0;
    if (!open_handle(t) || dwarf_offdie(t->handle, dwarf_dieoffset(unit), &die) == NULL)
        return NULL;
    if (dwarf_getsrclines(&die, &lines, &n) != 0)
        n = 0;
    if (dwarf_getsrcfiles(&die, &files, &n_files) != 0)
        n_files = 0;
    size_t read = n * ROW_SIZE + n_files * FILE_SIZE;
    t->read += read;
    t->budget->read += read;
    line_table *table = make_table(t, lines, n, files, n_files);
    return table == NULL ? NULL : shrink(table);
}

/* Releases the tables of a file. */
static void release(line_tables *t)
{
    while (t->tables != NULL) {
        line_table *next = t->tables->next;
        free(t->tables);
        t->tables = next;
    }
    t->released++;
    t->budget->size -= t->size;
    t->size = 0;
    close_handle(t);
    unlink_tables(t);
}

/* Returns the table of a unit, or NULL. */
static const line_table *table_of(line_tables *t, Dwarf_Die *unit, unit_lines *u)
{
    bool is_kept = u->table != NULL && u->released == t->released;
    if (!is_kept)
        while (t->budget->size > t->budget->tables_max)
            release(t->budget->oldest);
    make_newest(t);
    if (is_kept)
        return u->table;
    line_table *table = read_table(t, unit);
    if (table != NULL) {
        table->next = t->tables;
        t->tables = table;
        t->size += table->size;
        t->budget->size += table->size;
    }
    *u = (unit_lines){table, t->released};
    bound_handles(t->budget);
    return table;
}

/* ---- lookups -------------------------------------------------------------------------------- */

void line_tables_init(line_tables *t, brz_ctx *ctx, line_budget *budget, Dwarf *of, Dwarf *alt)
{
    *t = (line_tables){.ctx = ctx, .budget = budget, .of = of, .alt = alt};
    brz_frame_cache_init(&t->known, ctx);
}

void line_tables_close(line_tables *t)
{
    release(t);
}

/* Returns the name of a file of a table, or NULL. */
static const char *name_of(const line_tables *t, const line_table *table, uint64_t number)
{
    bool has_name = number < table->n_files && table->files[number] != NO_NAME;
    return has_name ? t->names[table->files[number]] : NULL;
}

const char *line_tables_file(line_tables *t, Dwarf_Die *unit, unit_lines *u, uint64_t number)
{
    const line_table *table = table_of(t, unit, u);
    return table == NULL ? NULL : name_of(t, table, number);
}

bool line_tables_find(line_tables *t, Dwarf_Die *unit, unit_lines *u, uint64_t address,
                      source_line *found)
{
    const line_table *table = table_of(t, unit, u);
    size_t rank =
        table == NULL ? 0 : address_rank(table->rows, table->n_rows, sizeof(line_row), address);
    if (rank == 0 || table->rows[rank - 1].line == 0)
        return false;
    const line_row *row = &table->rows[rank - 1];
    *found = (source_line){name_of(t, table, row->file), row->line};
    return true;
}
