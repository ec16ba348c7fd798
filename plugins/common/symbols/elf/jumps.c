/* SPDX-License-Identifier: MIT */
/* Names the jumps through which a program calls functions of libraries.
 *
 * A jump loads its target from a slot, which a relocation names. The instructions of a jump say
 * which slot that is. Where they are not known, the jumps have the order of their relocations.
 */
#include "jumps.h"

#include "../address_rank.h"
#include "../capped_sum.h"

#include <brazier/binary.h>
#include <brazier/text/buffer.h>

#include <stdlib.h>

#include <gelf.h>

/* Names that are as long or longer are left out. */
#define NAME_SIZE_MAX ((size_t)1 << 16)

/* Limit on the texts of all jumps: many jumps may have the same long name. */
#define TEXTS_MAX ((size_t)64 << 20)

/* Maximum number of functions that choose their code at run time. */
#define CHOOSERS_MAX 256

/* Maximum size of a table of jumps that is decoded. */
#define TABLE_MAX ((size_t)64 << 20)

/* Maximum size of a jump. */
#define ENTRY_MAX 64

/* Sizes of the code in front of the jumps of .plt. */
#define JUMP_HEAD       16
#define JUMP_HEAD_ARM64 32

/* A word of memory whose value the dynamic linker sets to a function's address. */
typedef struct slot {
    uint64_t address;
    brz_str name;
} slot;

/* The sections with jumps. */
static const char *const sections[JUMPS_EXTENTS] = {".plt", ".plt.sec", ".plt.got", ".plt.bnd"};

typedef struct jumps {
    const elf_image *e;
    brz_ctx *ctx;
    symbol_index *others;
    symbol_table *t;
    slot *slots;
    size_t n, cap;
    size_t named, choosers;
    size_t text; /* bytes of the names */
} jumps;

/* ---- relocations ---------------------------------------------------------------------------- */

/* A table of relocations, with the symbols that they refer to. */
typedef struct relocations {
    Elf_Data *data;
    Elf_Data *symbols; /* NULL: none */
    GElf_Shdr header, symbols_header;
    size_t n;
} relocations;

static bool open_relocations(relocations *r, const elf_image *e, const char *name)
{
    Elf_Scn *s = elf_image_section(e, name), *symbols;
    if (s == NULL || gelf_getshdr(s, &r->header) == NULL || r->header.sh_entsize == 0)
        return false;
    symbols = r->header.sh_link == 0 ? NULL : elf_getscn(e->elf, r->header.sh_link);
    r->data = elf_getdata(s, NULL);
    r->symbols = symbols == NULL ? NULL : elf_getdata(symbols, NULL);
    if (r->data == NULL ||
        (r->symbols != NULL && gelf_getshdr(symbols, &r->symbols_header) == NULL))
        return false;
    r->n = r->data->d_size / r->header.sh_entsize;
    r->n = r->n < INT32_MAX ? r->n : INT32_MAX;
    return true;
}

/* Opens the relocations of .plt. */
static bool open_jumps(relocations *r, const elf_image *e)
{
    return open_relocations(r, e, ".rela.plt") || open_relocations(r, e, ".rel.plt");
}

/* Reads a relocation. */
static bool read_relocation(const relocations *r, size_t i, GElf_Rela *a)
{
    GElf_Rel b;
    if (r->header.sh_type == SHT_RELA)
        return gelf_getrela(r->data, (int)i, a) != NULL;
    if (r->header.sh_type != SHT_REL || gelf_getrel(r->data, (int)i, &b) == NULL)
        return false;
    *a = (GElf_Rela){b.r_offset, b.r_info, 0};
    return true;
}

/* Returns the name of the function that a relocation is for; empty if it has none. */
static brz_str relocated(const elf_image *e, const relocations *r, const GElf_Rela *a)
{
    GElf_Sym s;
    brz_str none = {"", 0};
    if (r->symbols == NULL || GELF_R_SYM(a->r_info) > INT32_MAX ||
        gelf_getsym(r->symbols, (int)GELF_R_SYM(a->r_info), &s) == NULL || s.st_name == 0)
        return none;
    const char *name = elf_strptr(e->elf, r->symbols_header.sh_link, s.st_name);
    size_t n = name == NULL ? NAME_SIZE_MAX : strnlen(name, NAME_SIZE_MAX);
    return n < NAME_SIZE_MAX ? brz_str_of(name, n) : none;
}

/* Returns the name of the function that the i-th relocation is for; empty if it has none. */
static brz_str relocated_at(const elf_image *e, const relocations *r, size_t i)
{
    GElf_Rela a;
    return read_relocation(r, i, &a) ? relocated(e, r, &a) : brz_str_of("", 0);
}

/* Returns whether a relocation sets a slot to the address of a function. */
static bool is_slot(uint32_t machine, uint64_t type)
{
    return machine == EM_X86_64 ? type == R_X86_64_GLOB_DAT || type == R_X86_64_JUMP_SLOT
                                : type == R_AARCH64_GLOB_DAT || type == R_AARCH64_JUMP_SLOT;
}

/* Returns the name of a function that chooses its code at run time: that of the function that
 * chooses. Returns an empty text for other relocations. */
static brz_str chosen(jumps *j, const GElf_Rela *a)
{
    uint64_t type = GELF_R_TYPE(a->r_info), offset;
    uint64_t wanted = j->e->machine == EM_X86_64 ? R_X86_64_IRELATIVE : R_AARCH64_IRELATIVE;
    if (type != wanted || j->choosers == CHOOSERS_MAX ||
        !elf_image_offset(j->e, (uint64_t)a->r_addend, &offset))
        return brz_str_of("", 0);
    j->choosers++;
    const symbol *s = symbol_index_at(j->others, offset);
    return s == NULL ? brz_str_of("", 0) : s->name;
}

static void take_slots(jumps *j, const relocations *r)
{
    for (size_t i = 0; i < r->n; i++) {
        GElf_Rela a;
        if (!read_relocation(r, i, &a))
            continue;
        bool is_plain = is_slot(j->e->machine, GELF_R_TYPE(a.r_info));
        brz_str name = is_plain ? relocated(j->e, r, &a) : chosen(j, &a);
        if (name.len == 0)
            continue;
        j->slots = brz_list_room(j->ctx, j->slots, j->n, &j->cap, sizeof *j->slots);
        j->slots[j->n++] = (slot){a.r_offset, name};
    }
}

static int by_address(const void *x, const void *y)
{
    const slot *a = x, *b = y;
    return a->address < b->address ? -1 : a->address > b->address;
}

static void read_slots(jumps *j)
{
    relocations r;
    if (open_jumps(&r, j->e))
        take_slots(j, &r);
    if (open_relocations(&r, j->e, ".rela.dyn"))
        take_slots(j, &r);
    if (j->n > 0)
        qsort(j->slots, j->n, sizeof *j->slots, by_address);
}

/* ---- instructions --------------------------------------------------------------------------- */

/* A table of jumps: its bytes and where they are. */
typedef struct table {
    const uint8_t *data;
    size_t len;
    uint64_t address, offset;
    size_t entry;
} table;

/* Adds "NAME@plt", unless the names take too much memory. */
static void add_jump(jumps *j, brz_str name, uint64_t start, uint64_t size)
{
    size_t n = name.len;
    if (n + 5 > TEXTS_MAX - j->text)
        return;
    j->text += n + 5;
    char *text = j->ctx->host->alloc(j->ctx, n + 5, 1);
    memcpy(text, name.data, n);
    memcpy(text + n, "@plt", 5);
    symbol s = {start, start + size, brz_str_of(text, n + 4), 0, SYMBOL_SIZED | SYMBOL_GLOBAL};
    symbol_table_add(j->t, j->ctx, s);
    j->named++;
}

/* Names the jump at a place of a table by the slot that it loads. */
static void name_jump(jumps *j, const table *t, size_t at, size_t size, uint64_t address)
{
    size_t rank = address_rank(j->slots, j->n, sizeof *j->slots, address);
    if (rank > 0 && j->slots[rank - 1].address == address)
        add_jump(j, j->slots[rank - 1].name, t->offset + at, size);
}

/* Names the jumps of a table on x86-64: [endbr64] [bnd] jmp *SLOT(%rip). */
static void name_on_x86_64(jumps *j, const table *t)
{
    static const uint8_t landing[] = {0xf3, 0x0f, 0x1e, 0xfa};
    for (size_t start = 0; start + t->entry <= t->len; start += t->entry) {
        size_t at = start, end = start + t->entry;
        if (end - at >= 4 && memcmp(t->data + at, landing, 4) == 0)
            at += 4;
        at += at < end && t->data[at] == 0xf2;
        if (end - at < 6 || t->data[at] != 0xff || t->data[at + 1] != 0x25)
            continue;
        int64_t distance = (int32_t)brz_load_u32(t->data + at + 2, BRZ_LITTLE_ENDIAN);
        name_jump(j, t, start, t->entry, t->address + at + 6 + (uint64_t)distance);
    }
}

/* Returns the address of the slot that `adrp x16, PAGE; ldr x17, [x16, #OFFSET]` loads from. */
static uint64_t slot_on_arm64(uint64_t at, uint32_t adrp, uint32_t load)
{
    uint64_t pages = (uint64_t)(adrp >> 5 & 0x7ffff) << 2 | (adrp >> 29 & 3);
    if (pages >> 20 & 1)
        pages |= ~UINT64_C(0x1fffff);
    return (at & ~UINT64_C(0xfff)) + (pages << 12) + (uint64_t)(load >> 10 & 0xfff) * 8;
}

/* Names the jumps of a table on arm64, which may begin with `bti c`. */
static void name_on_arm64(jumps *j, const table *t)
{
    const uint32_t landing = 0xd503245f;
    uint32_t before = 0;
    for (size_t at = 0; at + 8 <= t->len; at += 4) {
        uint32_t adrp = brz_load_u32(t->data + at, BRZ_LITTLE_ENDIAN);
        uint32_t load = brz_load_u32(t->data + at + 4, BRZ_LITTLE_ENDIAN);
        if ((adrp & 0x9f00001f) == 0x90000010 && (load & 0xffc003ff) == 0xf9400211) {
            size_t start = before == landing ? at - 4 : at;
            name_jump(j, t, start, t->entry, slot_on_arm64(t->address + at, adrp, load));
        }
        before = adrp;
    }
}

/* Returns the size of jumps in a section that does not state it: programs that are linked
 * statically have the shortest ones. */
static size_t guess_size(const Elf_Data *d)
{
    const uint8_t *data = d->d_buf;
    return d->d_size >= 2 && data[0] == 0xff && data[1] == 0x25 ? JUMP_SIZE / 2 : JUMP_SIZE;
}

/* Opens a section with jumps. */
static bool open_table(table *t, const elf_image *e, const char *name)
{
    GElf_Shdr h;
    Elf_Scn *s = elf_image_section(e, name);
    Elf_Data *d = s == NULL ? NULL : elf_rawdata(s, NULL);
    if (d == NULL || d->d_buf == NULL || gelf_getshdr(s, &h) == NULL)
        return false;
    size_t entry =
        h.sh_entsize >= 8 && h.sh_entsize <= ENTRY_MAX ? (size_t)h.sh_entsize : guess_size(d);
    *t = (table){d->d_buf, d->d_size, h.sh_addr, h.sh_offset, entry};
    return t->len <= TABLE_MAX;
}

static void name_by_slots(jumps *j)
{
    read_slots(j);
    for (size_t i = 0; i < JUMPS_EXTENTS; i++) {
        table t;
        if (!open_table(&t, j->e, sections[i]))
            continue;
        if (j->e->machine == EM_X86_64)
            name_on_x86_64(j, &t);
        else
            name_on_arm64(j, &t);
    }
}

/* ---- order ---------------------------------------------------------------------------------- */

/* Names the jumps in the order of their relocations. */
static void name_by_order(jumps *j)
{
    GElf_Shdr plt;
    relocations r;
    Elf_Scn *second = elf_image_section(j->e, ".plt.sec");
    Elf_Scn *s = second != NULL ? second : elf_image_section(j->e, ".plt");
    if (s == NULL || gelf_getshdr(s, &plt) == NULL || !open_jumps(&r, j->e))
        return;
    uint64_t head = j->e->machine == EM_AARCH64 ? JUMP_HEAD_ARM64 : JUMP_HEAD;
    uint64_t at = plt.sh_offset + (second == NULL ? head : 0);
    for (size_t i = 0; i < r.n; i++, at += JUMP_SIZE) {
        brz_str name = relocated_at(j->e, &r, i);
        if (name.len > 0)
            add_jump(j, name, at, JUMP_SIZE);
    }
}

/* Names jumps as perf 6.1 does: those of .plt only, in the order of their relocations, also those
 * for which a relocation has no name. */
static void name_as_perf(jumps *j)
{
    GElf_Shdr plt;
    relocations r;
    Elf_Scn *s = elf_image_section(j->e, ".plt");
    if (s == NULL || gelf_getshdr(s, &plt) == NULL || !open_jumps(&r, j->e) || r.symbols == NULL ||
        r.symbols_header.sh_type != SHT_DYNSYM)
        return;
    bool is_arm64 = j->e->machine == EM_AARCH64;
    uint64_t size = is_arm64 ? JUMP_SIZE : plt.sh_entsize;
    uint64_t at = plt.sh_offset + (is_arm64 ? JUMP_HEAD_ARM64 : size);
    for (size_t i = 0; i < r.n && size > 0 && size <= ENTRY_MAX; i++, at += size)
        add_jump(j, relocated_at(j->e, &r, i), at, size);
}

void jumps_read(const elf_image *e, brz_ctx *ctx, symbol_index *others, symbol_table *t,
                bool as_perf)
{
    jumps j = {.e = e, .ctx = ctx, .others = others, .t = t};
    if (e->machine != EM_386 && e->machine != EM_X86_64 && e->machine != EM_AARCH64)
        return;
    if (as_perf) {
        name_as_perf(&j);
        return;
    }
    if (e->machine != EM_386)
        name_by_slots(&j);
    if (j.named == 0)
        name_by_order(&j);
}

/* ---- extents -------------------------------------------------------------------------------- */

/* Returns the size of the jumps of .plt as their relocations give it. */
static uint64_t size_by_order(const elf_image *e)
{
    GElf_Shdr h;
    Elf_Scn *s = elf_image_section(e, ".rela.plt");
    s = s != NULL ? s : elf_image_section(e, ".rel.plt");
    bool exists = s != NULL && gelf_getshdr(s, &h) != NULL && h.sh_entsize > 0;
    return JUMP_HEAD_ARM64 + (exists ? h.sh_size / h.sh_entsize * JUMP_SIZE : 0);
}

size_t jumps_extents(const elf_image *e, jumps_extent extents[JUMPS_EXTENTS])
{
    size_t n = 0;
    for (size_t i = 0; e->elf != NULL && i < JUMPS_EXTENTS; i++) {
        GElf_Shdr h;
        Elf_Scn *s = elf_image_section(e, sections[i]);
        if (s == NULL || gelf_getshdr(s, &h) == NULL)
            continue;
        uint64_t size = capped_sum(h.sh_size, ENTRY_MAX), ordered = size_by_order(e);
        size = size > ordered ? size : ordered;
        extents[n++] = (jumps_extent){h.sh_offset, capped_sum(h.sh_offset, h.sh_size),
                                      capped_sum(h.sh_offset, size)};
    }
    return n;
}
