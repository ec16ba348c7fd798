/* Reads lines of a unit of DWARF: those of each program of .debug_line, in the order of addresses.
 *
 *     unit    := length version:u16 (v5: address_size:u8 selector_size:u8) header_length:offset
 *                minimum:u8 (v4: operations:u8) is_statement:u8 base:i8 range:u8 opcode_base:u8
 *                operands:u8[opcode_base - 1] folders files program
 *     folders := (name:text)* 0             files := (name:text folder time size:varint)* 0
 *     v5      := n:u8 (kind:varint form:varint)[n] n:varint entry[n]
 *
 * Whatever is unusual or invalid is left to libdw, whose results are the same otherwise.
 */
#include "line_table.h"

#include "../address_rank.h"

#include <brazier/binary.h>
#include <brazier/text/buffer.h>

#include <dwarf.h>
#include <stdlib.h>

/* Maximum number of parts of an entry. */
#define PARTS_MAX 8

/* Maximum values for which libdw has room. */
#define COLUMN_MAX UINT16_MAX
#define FILE_MAX   UINT16_MAX
#define DETAIL_MAX ((1u << 24) - 1)

/* A file of a unit. */
typedef struct line_file {
    const char *name;
    const char *path; /* NULL: not made yet */
    uint64_t folder;
} line_file;

struct line_table {
    line_row *rows; /* in the order of their addresses */
    size_t n, cap;
    line_file *files;
    size_t n_files, cap_files;
    const char **folders;
    size_t n_folders, cap_folders;
};

/* The header of a unit. */
typedef struct line_header {
    uint32_t offset_size;
    unsigned version, minimum, range, opcode_base;
    int8_t base;
} line_header;

/* The registers of a program. */
typedef struct line_state {
    uint64_t address, file;
    int64_t line;
} line_state;

/* ---- names ---------------------------------------------------------------------------------- */

static void fail(brz_bytes *b)
{
    brz_bytes_fail(b, "an unusual table");
}

/* Returns a text at an offset of a section. */
static const char *text_at(brz_bytes *b, unit_bytes section, uint64_t offset)
{
    bool exists = offset < section.len &&
                  memchr(section.data + offset, 0, section.len - (size_t)offset) != NULL;
    if (!exists)
        fail(b);
    return exists ? (const char *)section.data + offset : NULL;
}

/* Takes a text that ends with a zero. */
static const char *take_text(brz_bytes *b)
{
    brz_str text = brz_bytes_text_to_zero(b);
    return b->error == NULL ? text.data : NULL;
}

static void add_folder(line_table *t, brz_ctx *ctx, const char *name)
{
    t->folders = brz_list_room(ctx, t->folders, t->n_folders, &t->cap_folders, sizeof *t->folders);
    t->folders[t->n_folders++] = name;
}

static void add_file(line_table *t, brz_ctx *ctx, const char *name, uint64_t folder)
{
    t->files = brz_list_room(ctx, t->files, t->n_files, &t->cap_files, sizeof *t->files);
    t->files[t->n_files++] = (line_file){name, NULL, folder};
}

/* Reads the folders and files of versions 2 to 4, which count from 1. */
static void read_old_names(line_table *t, brz_ctx *ctx, brz_bytes *b, const char *folder)
{
    const char *name;
    add_folder(t, ctx, folder);
    while ((name = take_text(b)) != NULL && *name != '\0')
        add_folder(t, ctx, name);
    add_file(t, ctx, "???", 0);
    t->files[0].path = t->files[0].name;
    while ((name = take_text(b)) != NULL && *name != '\0') {
        uint64_t of = brz_bytes_varint(b);
        brz_bytes_varint(b);
        brz_bytes_varint(b);
        add_file(t, ctx, name, of);
    }
}

/* An entry of a list of version 5. */
typedef struct line_entry {
    const char *name;
    uint64_t folder;
} line_entry;

/* Skips a value of a form that names no text. Returns it if it is a number. */
static uint64_t take_value(brz_bytes *b, uint64_t form)
{
    switch (form) {
    case DW_FORM_data1:
        return brz_bytes_u8(b);
    case DW_FORM_data2:
        return brz_bytes_u16(b);
    case DW_FORM_udata:
        return brz_bytes_varint(b);
    case DW_FORM_data16:
        brz_bytes_skip(b, 16);
        return 0;
    default:
        fail(b);
        return 0;
    }
}

static const char *take_name(brz_bytes *b, const line_sections *s, const line_header *h,
                             uint64_t form)
{
    switch (form) {
    case DW_FORM_string:
        return take_text(b);
    case DW_FORM_strp:
        return text_at(b, s->strings, brz_bytes_uint(b, h->offset_size));
    case DW_FORM_line_strp:
        return text_at(b, s->line_strings, brz_bytes_uint(b, h->offset_size));
    default:
        fail(b);
        return NULL;
    }
}

/* The parts of which each entry of a list consists. */
typedef struct line_format {
    uint64_t kinds[PARTS_MAX], forms[PARTS_MAX];
    size_t n;
} line_format;

static void read_format(line_format *f, brz_bytes *b)
{
    f->n = brz_bytes_u8(b);
    if (f->n > PARTS_MAX)
        fail(b);
    for (size_t i = 0; i < f->n && b->error == NULL; i++) {
        f->kinds[i] = brz_bytes_varint(b);
        f->forms[i] = brz_bytes_varint(b);
    }
}

static line_entry take_entry(brz_bytes *b, const line_sections *s, const line_header *h,
                             const line_format *f)
{
    line_entry e = {NULL, 0};
    for (size_t i = 0; i < f->n && b->error == NULL; i++) {
        if (f->kinds[i] == DW_LNCT_path)
            e.name = take_name(b, s, h, f->forms[i]);
        else if (f->kinds[i] == DW_LNCT_directory_index)
            e.folder = take_value(b, f->forms[i]);
        else
            take_value(b, f->forms[i]);
    }
    if (e.name == NULL)
        fail(b);
    return e;
}

/* Reads the folders and files of version 5, which count from 0. */
static void read_new_names(line_table *t, brz_ctx *ctx, brz_bytes *b, const line_sections *s,
                           const line_header *h)
{
    line_format f = {.n = 0};
    read_format(&f, b);
    for (uint64_t n = brz_bytes_varint(b); n > 0 && b->error == NULL; n--)
        add_folder(t, ctx, take_entry(b, s, h, &f).name);
    read_format(&f, b);
    for (uint64_t n = brz_bytes_varint(b); n > 0 && b->error == NULL; n--) {
        line_entry e = take_entry(b, s, h, &f);
        add_file(t, ctx, e.name, e.folder);
    }
}

/* Returns whether all files are in folders that exist. */
static bool has_good_names(const line_table *t)
{
    for (size_t i = 0; i < t->n_files; i++)
        if (t->files[i].folder >= t->n_folders)
            return false;
    return t->n_files <= FILE_MAX;
}

/* ---- rows ----------------------------------------------------------------------------------- */

static void add_row(line_table *t, brz_ctx *ctx, brz_bytes *b, const line_state *s, bool is_end)
{
    if (s->line < 0 || s->line > INT32_MAX || s->file >= t->n_files || t->n >= UINT32_MAX)
        fail(b);
    t->rows = brz_list_room(ctx, t->rows, t->n, &t->cap, sizeof *t->rows);
    t->rows[t->n] =
        (line_row){s->address, (uint32_t)s->line, (uint32_t)s->file, (uint32_t)t->n, is_end};
    t->n++;
}

/* Runs an opcode of one byte 0 and a length. Returns true if it ends a sequence. */
static bool run_extended(line_table *t, brz_ctx *ctx, brz_bytes *b, line_state *s)
{
    brz_bytes operands = brz_bytes_part(b, brz_bytes_varint(b));
    operands.order = b->order;
    switch (brz_bytes_u8(&operands)) {
    case DW_LNE_end_sequence:
        add_row(t, ctx, b, s, true);
        return true;
    case DW_LNE_set_address:
        if (brz_bytes_left(&operands) != 8)
            fail(b);
        s->address = brz_bytes_u64(&operands);
        break;
    case DW_LNE_set_discriminator:
        if (brz_bytes_varint(&operands) > DETAIL_MAX)
            fail(b);
        break;
    default:
        fail(b);
        break;
    }
    if (operands.error != NULL)
        fail(b);
    return false;
}

/* Runs an opcode with a fixed meaning. */
static void run_standard(line_table *t, brz_ctx *ctx, brz_bytes *b, const line_header *h,
                         line_state *s, unsigned opcode)
{
    switch (opcode) {
    case DW_LNS_copy:
        add_row(t, ctx, b, s, false);
        break;
    case DW_LNS_advance_pc:
        s->address += brz_bytes_varint(b) * h->minimum;
        break;
    case DW_LNS_advance_line:
        s->line = (int32_t)((uint32_t)s->line + (uint32_t)brz_bytes_sleb128(b));
        break;
    case DW_LNS_set_file:
        s->file = brz_bytes_varint(b);
        break;
    case DW_LNS_set_column:
        if (brz_bytes_varint(b) > COLUMN_MAX)
            fail(b);
        break;
    case DW_LNS_const_add_pc:
        s->address += (uint64_t)(255 - h->opcode_base) / h->range * h->minimum;
        break;
    case DW_LNS_fixed_advance_pc:
        s->address += brz_bytes_u16(b);
        break;
    case DW_LNS_negate_stmt:
    case DW_LNS_set_basic_block:
    case DW_LNS_set_prologue_end:
    case DW_LNS_set_epilogue_begin:
        break;
    default:
        fail(b); /* a set of instructions, or an opcode of a later version */
        break;
    }
}

/* Runs a program up to the end of its bytes. */
static void run_program(line_table *t, brz_ctx *ctx, brz_bytes *b, const line_header *h)
{
    static const line_state start = {.file = 1, .line = 1};
    line_state s = start;
    while (brz_bytes_left(b) > 0 && b->error == NULL) {
        unsigned opcode = brz_bytes_u8(b);
        if (opcode >= h->opcode_base) {
            unsigned step = opcode - h->opcode_base;
            s.address += (uint64_t)(step / h->range) * h->minimum;
            s.line = (int32_t)((uint32_t)s.line + (uint32_t)(h->base + (int)(step % h->range)));
            add_row(t, ctx, b, &s, false);
        } else if (opcode > 0) {
            run_standard(t, ctx, b, h, &s, opcode);
        } else if (run_extended(t, ctx, b, &s)) {
            s = start;
        }
    }
}

/* At the same address, the end of a sequence precedes the beginning of another one. */
static int by_address(const void *x, const void *y)
{
    const line_row *a = x, *b = y;
    if (a->address != b->address)
        return a->address < b->address ? -1 : 1;
    if (a->is_end != b->is_end)
        return a->is_end ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

static bool is_sorted(const line_table *t)
{
    for (size_t i = 1; i < t->n; i++)
        if (by_address(&t->rows[i - 1], &t->rows[i]) >= 0)
            return false;
    return true;
}

/* A sequence of rows: those of a function or a few. */
typedef struct line_sequence {
    uint64_t start;
    size_t first, n;
} line_sequence;

static int by_start(const void *x, const void *y)
{
    const line_sequence *a = x, *b = y;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return a->first < b->first ? -1 : a->first > b->first;
}

/* Moves the end of a sequence in front of rows at the same address, which have no code. */
static void move_end(line_row *rows, size_t n)
{
    line_row end = rows[n - 1];
    size_t i = n - 1;
    for (; end.is_end && i > 0 && rows[i - 1].address == end.address; i--)
        rows[i] = rows[i - 1];
    rows[i] = end;
}

/* Puts each sequence in order. Returns the sequences in the order of their addresses, and stores
 * their number. */
static line_sequence *find_sequences(line_table *t, brz_ctx *ctx, size_t *n)
{
    line_sequence *all = NULL;
    size_t cap = 0;
    *n = 0;
    for (size_t i = 0, first = 0; i < t->n; i++) {
        if (!t->rows[i].is_end && i + 1 < t->n)
            continue;
        all = brz_list_room(ctx, all, *n, &cap, sizeof *all);
        move_end(t->rows + first, i + 1 - first);
        all[(*n)++] = (line_sequence){t->rows[first].address, first, i + 1 - first};
        first = i + 1;
    }
    if (*n > 0)
        qsort(all, *n, sizeof *all, by_start);
    return all;
}

/* Sorts the rows. Most sequences are in order, and only have to be moved as a whole. */
static void sort(line_table *t, brz_ctx *ctx)
{
    size_t n, moved = 0;
    if (!is_sorted(t)) {
        const line_sequence *all = find_sequences(t, ctx, &n);
        line_row *rows = ctx->host->alloc(ctx, t->n * sizeof *rows, 0);
        for (size_t i = 0; i < n; moved += all[i++].n)
            memcpy(rows + moved, t->rows + all[i].first, all[i].n * sizeof *rows);
        t->rows = rows;
    }
    if (!is_sorted(t))
        qsort(t->rows, t->n, sizeof *t->rows, by_address);
    if (t->n > 0)
        t->rows[t->n - 1].is_end = true;
}

/* ---- units ---------------------------------------------------------------------------------- */

/* Takes the length of a unit, and the fields after it up to the version. Returns the rest of the
 * unit.
 */
static brz_bytes take_unit(brz_bytes *b, line_header *h)
{
    uint64_t length = brz_bytes_u32(b);
    h->offset_size = length == UINT32_MAX ? 8 : 4;
    if (h->offset_size == 8)
        length = brz_bytes_u64(b);
    brz_bytes unit = brz_bytes_part(b, length);
    unit.order = b->order;
    h->version = brz_bytes_u16(&unit);
    return unit;
}

/* Takes the parameters of the program. */
static void take_parameters(brz_bytes *b, line_header *h)
{
    static const uint8_t operands[] = {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};
    h->minimum = brz_bytes_u8(b);
    unsigned operations = h->version < 4 ? 1 : brz_bytes_u8(b);
    brz_bytes_u8(b);
    h->base = brz_bytes_i8(b);
    h->range = brz_bytes_u8(b);
    h->opcode_base = brz_bytes_u8(b);
    if (operations != 1 || h->range == 0 || h->opcode_base != sizeof operands + 1)
        fail(b);
    for (size_t i = 0; i < sizeof operands; i++)
        if (brz_bytes_u8(b) != operands[i])
            fail(b);
}

/* Returns the two bytes of an address of 64 bits and no selector, as a number in the order of the
 * bytes. */
static uint16_t sizes_of_addresses(const brz_bytes *b)
{
    return b->order == BRZ_BIG_ENDIAN ? 0x0800 : 8;
}

/* Reads a unit. */
static void read_unit(line_table *t, brz_ctx *ctx, brz_bytes *b, const line_sections *s,
                      const char *folder)
{
    line_header h = {0};
    brz_bytes unit = take_unit(b, &h);
    if (h.version < 2 || h.version > 5)
        fail(&unit);
    if (h.version == 5 && brz_bytes_u16(&unit) != sizes_of_addresses(&unit))
        fail(&unit);
    brz_bytes names = brz_bytes_part(&unit, brz_bytes_uint(&unit, h.offset_size));
    names.order = unit.order;
    take_parameters(&names, &h);
    if (h.version < 5)
        read_old_names(t, ctx, &names, folder);
    else
        read_new_names(t, ctx, &names, s, &h);
    if (names.error != NULL || brz_bytes_left(&names) > 0 || !has_good_names(t))
        fail(&unit);
    run_program(t, ctx, &unit, &h);
    if (unit.error != NULL)
        fail(b);
}

line_table *line_table_read(brz_ctx *ctx, const line_sections *s, uint64_t offset,
                            const char *folder)
{
    if (offset >= s->lines.len)
        return NULL;
    line_table *t = ctx->host->alloc(ctx, sizeof *t, 0);
    brz_bytes b = brz_bytes_of(s->lines.data + offset, s->lines.len - (size_t)offset);
    b.order = s->order;
    read_unit(t, ctx, &b, s, folder);
    if (b.error != NULL)
        return NULL;
    sort(t, ctx);
    return t;
}

const line_row *line_table_find(const line_table *t, uint64_t address)
{
    size_t rank = address_rank(t->rows, t->n, sizeof *t->rows, address);
    return rank > 0 && !t->rows[rank - 1].is_end ? &t->rows[rank - 1] : NULL;
}

const char *line_table_file(line_table *t, brz_ctx *ctx, uint64_t file)
{
    if (file >= t->n_files)
        return NULL;
    line_file *f = &t->files[file];
    const char *folder = t->folders[f->folder];
    if (f->path == NULL && (f->name[0] == '/' || folder == NULL))
        f->path = f->name;
    if (f->path != NULL)
        return f->path;
    size_t n = strlen(folder), size = strlen(f->name) + 1;
    char *path = ctx->host->alloc(ctx, n + 1 + size, 1);
    memcpy(path, folder, n);
    path[n] = '/';
    memcpy(path + n + 1, f->name, size);
    return f->path = path;
}
