/* SPDX-License-Identifier: MIT */
/* Reads the table of functions that each Go program has for its runtime.
 *
 * The table has a header, the names, and a list of pairs, which an address ends: that of a
 * function, and the offset of its record. A record begins with the address again and the offset of
 * the name. Since Go 1.18, the numbers of the list have 32 bits, and addresses count from the first
 * function. Since Go 1.17, the record has flags, after numbers of 32 bits and the function's kind.
 */
#include "go_table.h"

#include <brazier/binary.h>

#include <string.h>

#include <gelf.h>

/* First number of a table, by the version of Go that introduced it. */
#define MAGIC_1_2  0xfffffffbu
#define MAGIC_1_16 0xfffffffau
#define MAGIC_1_18 0xfffffff0u
#define MAGIC_1_20 0xfffffff1u

/* Sizes of the header before its words, and of the offset of a name. */
#define HEAD_SIZE   8
#define OFFSET_SIZE 4

/* Size of the numbers between the address and the flags of a function, with its kind; Go 1.20 adds
 * the line of its beginning. */
#define BEFORE_FLAGS  33
#define SIZE_OF_START 4

/* Longer names are left out. */
#define NAME_SIZE_MAX ((size_t)1 << 16)

/* Distance of places at which a table may begin, and maximum number of those that are tried. */
#define STEP      8
#define TRIES_MAX 16

/* Maximum number of sections that are examined. */
#define PARTS_MAX 100000

/* ---- numbers -------------------------------------------------------------------------------- */

/* Reads a number of 4 or 8 bytes. Returns false if the table does not have it. */
static bool read_number(const go_table *t, uint64_t at, unsigned size, uint64_t *number)
{
    if (at > t->len || t->len - at < size)
        return false;
    *number =
        size == 4 ? brz_load_u32(t->data + at, t->order) : brz_load_u64(t->data + at, t->order);
    return true;
}

/* Reads a word of the header. */
static bool read_word(const go_table *t, unsigned i, uint64_t *word)
{
    return read_number(t, HEAD_SIZE + (uint64_t)i * t->word, t->word, word);
}

/* Reads a word of the header that is an offset in the table. */
static bool read_offset(const go_table *t, unsigned i, size_t *offset)
{
    uint64_t word;
    if (!read_word(t, i, &word) || word > t->len)
        return false;
    *offset = (size_t)word;
    return true;
}

/* ---- address of the code -------------------------------------------------------------------- */

/* Looks for a relocation of a word in a section of relocations. Stores its addend. */
static bool find_relocation(Elf_Scn *section, const GElf_Shdr *h, uint64_t place, uint64_t *value)
{
    Elf_Data *d = elf_getdata(section, NULL);
    size_t n = d == NULL || h->sh_entsize == 0 ? 0 : d->d_size / h->sh_entsize;
    for (size_t i = 0; i < n && i <= INT32_MAX; i++) {
        GElf_Rela r;
        if (gelf_getrela(d, (int)i, &r) == NULL || r.r_offset != place)
            continue;
        *value = (uint64_t)r.r_addend;
        return true;
    }
    return false;
}

/* Returns the value that the dynamic linker stores in a word; 0: none. */
static uint64_t relocated(const elf_image *e, uint64_t place)
{
    Elf_Scn *section = NULL;
    uint64_t value = 0;
    for (size_t i = 0; i < PARTS_MAX && (section = elf_nextscn(e->elf, section)) != NULL; i++) {
        GElf_Shdr h;
        if (gelf_getshdr(section, &h) != NULL && h.sh_type == SHT_RELA &&
            find_relocation(section, &h, place, &value))
            break;
    }
    return value;
}

/* Returns the address of the first function, which the table may have at `place` only in memory.
 * With code that is not of Go, of which .init is a sign, it is unknown: 0. */
static uint64_t first_address(const elf_image *e, uint64_t place)
{
    GElf_Shdr h;
    uint64_t value = relocated(e, place);
    Elf_Scn *text = elf_image_section(e, ".text");
    if (value != 0 || elf_image_section(e, ".init") != NULL || text == NULL)
        return value;
    return gelf_getshdr(text, &h) == NULL ? 0 : h.sh_addr;
}

/* ---- header --------------------------------------------------------------------------------- */

/* Reads the header of a table of Go 1.2, whose list follows the number of functions. */
static bool read_1_2(go_table *t, uint64_t *n)
{
    t->field = t->word;
    t->functions = HEAD_SIZE + t->word;
    return read_word(t, 0, n);
}

/* Reads the header of a table of Go 1.16: numbers of functions and files, offsets of names, units,
 * files, numbers by address, functions. */
static bool read_1_16(go_table *t, uint64_t *n)
{
    t->field = t->word;
    t->flags = t->word + BEFORE_FLAGS;
    return read_word(t, 0, n) && read_offset(t, 2, &t->names) && read_offset(t, 6, &t->functions) &&
           read_offset(t, 6, &t->records);
}

/* Reads the header of a table of Go 1.18, which has the address of the first function, too. */
static bool read_1_18(go_table *t, const elf_image *e, uint64_t address, uint64_t *n)
{
    t->field = 4;
    t->flags = t->field + BEFORE_FLAGS;
    if (!read_word(t, 2, &t->base))
        return false;
    if (t->base == 0)
        t->base = first_address(e, address + HEAD_SIZE + (uint64_t)2 * t->word);
    return t->base != 0 && read_word(t, 0, n) && read_offset(t, 3, &t->names) &&
           read_offset(t, 7, &t->functions) && read_offset(t, 7, &t->records);
}

/* Reads the header of a table of any version. */
static bool read_header(go_table *t, const elf_image *e, uint64_t address, uint64_t *n)
{
    switch (brz_load_u32(t->data, t->order)) {
    case MAGIC_1_2:
        return read_1_2(t, n);
    case MAGIC_1_16:
        return read_1_16(t, n);
    case MAGIC_1_18:
        return read_1_18(t, e, address, n);
    case MAGIC_1_20:
        if (!read_1_18(t, e, address, n))
            return false;
        t->flags += SIZE_OF_START;
        return true;
    default:
        return false;
    }
}

/* Opens the table at a place in a section, which is at an address. Returns false if no table is
 * there. */
static bool open_at(go_table *t, const elf_image *e, const Elf_Data *d, size_t at, uint64_t address)
{
    uint64_t n = 0;
    const uint8_t *data = (const uint8_t *)d->d_buf + at;
    go_table of = {.data = data, .len = d->d_size - at, .word = data[HEAD_SIZE - 1]};
    of.order = elf_image_order(e);
    if ((of.word != 4 && of.word != 8) || !read_header(&of, e, address + at, &n) ||
        of.functions > of.len || n >= (of.len - of.functions) / (2 * (uint64_t)of.field))
        return false;
    of.n = (size_t)n;
    *t = of;
    return true;
}

/* Returns whether bytes look like the beginning of a table: after the first number are two zeros
 * and the size of instructions. */
static bool is_start(const uint8_t *data, uint32_t order)
{
    uint32_t magic = brz_load_u32(data, order);
    bool is_known = magic == MAGIC_1_16 || magic == MAGIC_1_18 || magic == MAGIC_1_20;
    return is_known && data[4] == 0 && data[5] == 0 && data[6] >= 1 && data[6] <= 4;
}

/* Looks for a table without a section of its own, in the one into which linkers of C join
 * several. */
static bool search(go_table *t, const elf_image *e)
{
    GElf_Shdr h;
    Elf_Scn *section = elf_image_section(e, ".data.rel.ro");
    Elf_Data *d = section == NULL ? NULL : elf_rawdata(section, NULL);
    uint32_t order = elf_image_order(e);
    size_t tries = 0;
    if (d == NULL || d->d_buf == NULL || gelf_getshdr(section, &h) == NULL ||
        elf_image_section(e, ".go.buildinfo") == NULL)
        return false;
    for (size_t at = 0; at + HEAD_SIZE <= d->d_size && tries < TRIES_MAX; at += STEP) {
        if (!is_start((const uint8_t *)d->d_buf + at, order))
            continue;
        if (open_at(t, e, d, at, h.sh_addr) && t->n > 0)
            return true;
        tries++;
    }
    return false;
}

/* Returns the section with the table, or NULL. */
static Elf_Scn *find_section(const elf_image *e)
{
    Elf_Scn *s = elf_image_section(e, ".gopclntab");
    return s != NULL ? s : elf_image_section(e, ".data.rel.ro.gopclntab");
}

bool go_table_open(go_table *t, const elf_image *e)
{
    GElf_Shdr h;
    Elf_Scn *section = find_section(e);
    Elf_Data *d = section == NULL ? NULL : elf_rawdata(section, NULL);
    *t = (go_table){.data = NULL};
    if (section == NULL)
        return search(t, e);
    return d != NULL && d->d_buf != NULL && d->d_size >= HEAD_SIZE &&
           gelf_getshdr(section, &h) != NULL && open_at(t, e, d, 0, h.sh_addr);
}

/* ---- functions ------------------------------------------------------------------------------ */

uint64_t go_table_address(const go_table *t, size_t i)
{
    uint64_t address = 0;
    read_number(t, t->functions + (uint64_t)2 * i * t->field, t->field, &address);
    return t->base + address;
}

/* Finds the offset of a function's record. Returns false if the table does not have it. */
static bool find_record(const go_table *t, size_t i, uint64_t *at)
{
    uint64_t record;
    if (!read_number(t, t->functions + ((uint64_t)2 * i + 1) * t->field, t->field, &record) ||
        record > t->len)
        return false;
    *at = t->records + record;
    return true;
}

uint32_t go_table_flags(const go_table *t, uint64_t address)
{
    size_t low = 0, high = t->n;
    uint64_t record;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (go_table_address(t, middle) <= address)
            low = middle + 1;
        else
            high = middle;
    }
    bool is_found = low > 0 && t->flags > 0 && address < go_table_address(t, low) &&
                    find_record(t, low - 1, &record) && record + t->flags < t->len;
    return is_found ? t->data[record + t->flags] : 0;
}

brz_str go_table_name(const go_table *t, size_t i)
{
    uint64_t record, name;
    if (!find_record(t, i, &record) || !read_number(t, record + t->field, OFFSET_SIZE, &name) ||
        name > t->len - t->names)
        return BRZ_STR("");
    const char *text = (const char *)t->data + t->names + name;
    size_t max = t->len - t->names - (size_t)name, len = strnlen(text, max);
    return len == max || len > NAME_SIZE_MAX ? BRZ_STR("") : brz_str_of(text, len);
}
