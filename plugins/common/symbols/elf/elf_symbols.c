/* SPDX-License-Identifier: MIT */
/* The symbols of a program or library. */
#include "elf_symbols.h"

#include <brazier/symbol.h>
#include <brazier/text/buffer.h>

#include <string.h>

#include <gelf.h>

/* Maximum number of sections that are examined. */
#define PARTS_MAX 100000

/* Symbols with longer names are left out. */
#define NAME_SIZE_MAX ((size_t)1 << 16)

/* Maximum number of jumps of a section for which there is room from the beginning. */
#define ROOM_MAX 16384

/* Number of the table of jumps. */
#define TABLE_JUMPS UINT32_MAX

/* Number of the table of a Go program. */
#define TABLE_GO (UINT32_MAX - 1)

/* Rank of the first symbol for linking, after all symbols of complete tables: of names that are
 * equally good, the first one in such a table counts, as for perf. */
#define DYNAMIC_RANK ((uint32_t)1 << 31)

/* ---- kinds of symbols ----------------------------------------------------------------------- */

/* Returns whether a name marks kinds of bytes in code of ARM: "$x", "$d.1". */
static bool is_mapping_symbol(brz_str name)
{
    return name.len >= 2 && name.data[0] == '$' && memchr("adtx", name.data[1], 4) != NULL &&
           (name.len == 2 || name.data[2] == '.');
}

/* Returns whether labels in a section may name code. */
static bool has_labels(const elf_image *e, size_t section)
{
    brz_str name = elf_image_name(e, elf_getscn(e->elf, section));
    return brz_starts_with(name, BRZ_STR(".text")) || brz_starts_with(name, BRZ_STR(".data"));
}

/* Returns whether a symbol may name code or data that is in memory. */
static bool is_wanted(const GElf_Sym *s)
{
    unsigned type = GELF_ST_TYPE(s->st_info), seen = GELF_ST_VISIBILITY(s->st_other);
    if (s->st_name == 0 || s->st_shndx == SHN_UNDEF || s->st_shndx == SHN_ABS)
        return false;
    if (type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_OBJECT)
        return true;
    return type == STT_NOTYPE && seen != STV_HIDDEN && seen != STV_INTERNAL &&
           s->st_shndx < SHN_LORESERVE;
}

/* ---- reading -------------------------------------------------------------------------------- */

/* Reads a symbol of a table. Most tables are arrays of the structs that libelf would return. */
static bool read_symbol(const elf_table *t, size_t i, bool is_large, GElf_Sym *s)
{
    Elf_Data *d = t->data;
    if (!is_large)
        return gelf_getsym(d, (int)i, s) != NULL;
    memcpy(s, (const char *)d->d_buf + i * sizeof *s, sizeof *s);
    return true;
}

static bool is_large(const elf_image *e)
{
    return gelf_getclass(e->elf) == ELFCLASS64;
}

static bool is_in_version(char c)
{
    bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return is_letter || (c >= '0' && c <= '9') || (c != '\0' && strchr("@_.+-", c) != NULL);
}

/* Returns a name without the version after it: "read@@GLIBC_2.2.5". In names of Crystal, '@' is in
 * front of the class that has the method: "*Set(Int32)@Enumerable(T)#map". */
static brz_str without_version(brz_str name)
{
    const char *at = memchr(name.data, '@', name.len), *end = name.data + name.len;
    if (at == NULL || at == name.data)
        return name;
    for (const char *c = at; c < end; c++)
        if (!is_in_version(*c))
            return name;
    return brz_str_of(name.data, (size_t)(at - name.data));
}

/* Implements symbol_read. */
static bool read_place(void *context, const symbol_place *place, symbol *s)
{
    const elf_symbols *all = context;
    if (place->table == TABLE_JUMPS) {
        const symbol *jump = &all->jumps.items[place->number];
        s->name = jump->name;
        s->flags |= jump->flags;
        return true;
    }
    if (place->table == TABLE_GO) {
        s->name = go_table_name(&all->go, place->number);
        return s->name.len > 0;
    }
    GElf_Sym sym;
    const elf_table *t = &all->tables[place->table];
    const elf_image *e = t->image;
    if (!read_symbol(t, place->number, is_large(e), &sym) ||
        (GELF_ST_TYPE(sym.st_info) == STT_NOTYPE && !has_labels(e, sym.st_shndx)))
        return false;
    const char *text = elf_strptr(e->elf, t->strings, sym.st_name);
    size_t n = text == NULL ? 0 : strnlen(text, NAME_SIZE_MAX);
    if (n == 0 || n == NAME_SIZE_MAX || is_mapping_symbol(brz_str_of(text, n)))
        return false;
    s->name = brz_str_of(text, n);
    if (!all->as_perf)
        s->name = without_version(s->name);
    s->rank = place->number + (t->is_dynamic ? DYNAMIC_RANK : 0);
    s->flags |= GELF_ST_BIND(sym.st_info) == STB_WEAK ? SYMBOL_WEAK : 0;
    s->flags |= GELF_ST_BIND(sym.st_info) == STB_GLOBAL ? SYMBOL_GLOBAL : 0;
    return true;
}

/* ---- tables --------------------------------------------------------------------------------- */

/* The sections of an image that a symbol may name code or data of. */
typedef struct loaded_sections {
    bool *is_loaded; /* into memory, by number */
    size_t n;
} loaded_sections;

/* Finds the sections that are loaded into memory. */
static loaded_sections find_loaded(const elf_image *e, brz_ctx *ctx)
{
    loaded_sections of = {.n = 0};
    Elf_Scn *section = NULL;
    if (elf_getshdrnum(e->elf, &of.n) != 0)
        return (loaded_sections){.n = 0};
    of.is_loaded = ctx->host->alloc(ctx, of.n + 1, 0);
    memset(of.is_loaded, 0, of.n + 1);
    for (size_t i = 0; i < PARTS_MAX && (section = elf_nextscn(e->elf, section)) != NULL; i++) {
        GElf_Shdr h;
        if (gelf_getshdr(section, &h) != NULL && elf_ndxscn(section) < of.n)
            of.is_loaded[elf_ndxscn(section)] = (h.sh_flags & SHF_ALLOC) != 0;
    }
    return of;
}

/* Returns whether the section of a symbol is loaded into memory. Addresses in others, such as the
 * metadata of Rust, are not those of code. */
static bool is_in_memory(const loaded_sections *of, const GElf_Sym *s)
{
    return s->st_shndx >= of->n || s->st_shndx >= SHN_LORESERVE || of->is_loaded[s->st_shndx];
}

/* Returns the number of jumps for which there should be room, since they may be added later. */
static size_t jumps_of(const elf_symbols *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n_extents; i++) {
        uint64_t of_extent = (s->extents[i].end - s->extents[i].start) / (JUMP_SIZE / 2);
        n += of_extent < ROOM_MAX ? (size_t)of_extent : ROOM_MAX;
    }
    return n;
}

/* Adds the places of the symbols of a table. */
static void add_places(elf_symbols *all, uint32_t number, size_t n, const loaded_sections *loaded)
{
    const elf_table *t = &all->tables[number];
    const elf_image *e = t->image;
    bool is_arm = e->machine == EM_ARM, large = is_large(e);
    symbol_index_reserve(&all->index, n + jumps_of(all));
    for (size_t i = 0; i < n && i <= INT32_MAX; i++) {
        GElf_Sym s;
        if (!read_symbol(t, i, large, &s) || !is_wanted(&s) || !is_in_memory(loaded, &s))
            continue;
        bool is_thumb = is_arm && GELF_ST_TYPE(s.st_info) == STT_FUNC;
        uint64_t address = is_thumb ? s.st_value & ~UINT64_C(1) : s.st_value;
        symbol_place p = {.table = number, .number = (uint32_t)i, .size = s.st_size};
        if (elf_image_offset(all->loaded, address, &p.start))
            symbol_index_add(&all->index, p);
    }
}

/* Adds a section with symbols. */
static void add_section(elf_symbols *all, const elf_image *e, Elf_Scn *section, const GElf_Shdr *h,
                        const loaded_sections *loaded)
{
    Elf_Data *d = elf_getdata(section, NULL);
    size_t size = is_large(e) ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
    if (d == NULL || d->d_buf == NULL || h->sh_entsize == 0)
        return;
    size = h->sh_entsize > size ? (size_t)h->sh_entsize : size;
    all->tables =
        brz_list_room(all->ctx, all->tables, all->n_tables, &all->cap_tables, sizeof *all->tables);
    all->tables[all->n_tables] = (elf_table){e, d, h->sh_link, h->sh_type == SHT_DYNSYM};
    add_places(all, (uint32_t)all->n_tables++, d->d_size / size, loaded);
}

void elf_symbols_add(elf_symbols *s, const elf_image *e)
{
    Elf_Scn *section = NULL;
    const loaded_sections loaded = find_loaded(e, s->ctx);
    for (size_t i = 0; i < PARTS_MAX && (section = elf_nextscn(e->elf, section)) != NULL; i++) {
        GElf_Shdr h;
        if (gelf_getshdr(section, &h) != NULL &&
            (h.sh_type == SHT_SYMTAB || h.sh_type == SHT_DYNSYM))
            add_section(s, e, section, &h, &loaded);
    }
}

void elf_symbols_add_go(elf_symbols *s)
{
    if (!go_table_open(&s->go, s->loaded))
        return;
    symbol_index_reserve(&s->index, s->go.n);
    for (size_t i = 0; i < s->go.n && i < UINT32_MAX; i++) {
        uint64_t address = go_table_address(&s->go, i), end = go_table_address(&s->go, i + 1);
        symbol_place p = {.table = TABLE_GO, .number = (uint32_t)i, .size = end - address};
        if (end > address && elf_image_offset(s->loaded, address, &p.start))
            symbol_index_add(&s->index, p);
    }
}

void elf_symbols_init(elf_symbols *s, brz_ctx *ctx, const elf_image *loaded, bool as_perf)
{
    *s = (elf_symbols){.ctx = ctx, .loaded = loaded, .as_perf = as_perf};
    s->n_extents = jumps_extents(loaded, s->extents);
    symbol_index_init(&s->index, ctx, read_place, s);
}

void elf_symbols_forget(elf_symbols *s)
{
    symbol_index_init(&s->index, s->ctx, read_place, s);
    s->tables = NULL;
    s->n_tables = s->cap_tables = 0;
    s->go = (go_table){0};
    s->jumps = (symbol_table){0};
    s->has_jumps = false;
}

void elf_symbols_finish(elf_symbols *s)
{
    symbol_index_finish(&s->index);
}

/* ---- jumps ---------------------------------------------------------------------------------- */

void elf_symbols_add_jumps(elf_symbols *s)
{
    if (s->has_jumps)
        return;
    s->has_jumps = true;
    jumps_read(s->loaded, s->ctx, &s->index, &s->jumps, s->as_perf);
    for (size_t i = 0; i < s->jumps.n; i++) {
        const symbol *jump = &s->jumps.items[i];
        symbol_place p = {jump->start, TABLE_JUMPS, (uint32_t)i, jump->end - jump->start};
        symbol_index_add(&s->index, p);
    }
    if (s->jumps.n > 0)
        symbol_index_finish(&s->index);
}

const jumps_extent *elf_symbols_jumps_at(const elf_symbols *s, uint64_t offset)
{
    for (size_t i = 0; i < s->n_extents; i++)
        if (offset >= s->extents[i].start && offset < s->extents[i].end)
            return &s->extents[i];
    return NULL;
}

/* Returns whether jumps may have an offset, or end the symbol that has it without them. */
static bool may_need_jumps(elf_symbols *s, uint64_t offset)
{
    for (size_t i = 0; i < s->n_extents; i++)
        if (offset >= s->extents[i].start && offset < s->extents[i].reach)
            return true;
    return s->n_extents > 0 && (s->index.is_whole || symbol_index_is_open(&s->index, offset));
}

const symbol *elf_symbols_find(elf_symbols *s, uint64_t offset)
{
    if (!s->has_jumps && may_need_jumps(s, offset))
        elf_symbols_add_jumps(s);
    return symbol_index_find(&s->index, offset);
}
