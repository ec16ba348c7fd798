/* SPDX-License-Identifier: MIT */
/* Reads units of DWARF that are in a file of their own. */
#include "split_unit.h"

#include <dwarf.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "../address_rank.h"
#include "../elf/section_image.h"
#include "unit_index.h"
#include "unit_ranges.h"
#include "unit_strings.h"

/* ---- extents --------------------------------------------------------------------------------- */

void unit_extents_add(unit_extents *e, brz_ctx *ctx, uint64_t start)
{
    e->starts = brz_list_room(ctx, e->starts, e->n, &e->cap, sizeof *e->starts);
    e->starts[e->n++] = start;
}

static int compare(const void *x, const void *y)
{
    uint64_t a, b;
    memcpy(&a, x, sizeof a);
    memcpy(&b, y, sizeof b);
    return a < b ? -1 : a > b;
}

void unit_extents_finish(unit_extents *e)
{
    if (e->n > 0)
        qsort(e->starts, e->n, sizeof *e->starts, compare);
}

/* Returns the part of a section that begins at `start`: empty if it begins past the end. */
static unit_bytes part_of(const unit_extents *e, unit_bytes section, uint64_t start)
{
    size_t next = address_rank(e->starts, e->n, sizeof *e->starts, start);
    size_t end =
        next < e->n && e->starts[next] < section.len ? (size_t)e->starts[next] : section.len;
    return start < end ? (unit_bytes){section.data + start, end - (size_t)start}
                       : (unit_bytes){NULL, 0};
}

/* Parts of the image in memory: sections of the split file, and two of the program. */
enum part {
    PART_INFO,
    PART_ABBREV,
    PART_LINE,
    PART_STR_OFFSETS,
    PART_RNGLISTS,
    PART_STR,
    PART_ADDR,
    PART_RANGES,
    N_PARTS,
};

static const char *const names[N_PARTS] = {
    ".debug_info",     ".debug_abbrev", ".debug_line", ".debug_str_offsets",
    ".debug_rnglists", ".debug_str",    ".debug_addr", ".debug_ranges",
};

/* Numbers of parts in an index of units; 0: the part is not divided. */
static const uint32_t columns[N_PARTS] = {1, 3, 4, 6, 8, 0, 0, 0};

/* Size of the header of the offsets of strings, from DWARF 5 on. */
#define STR_OFFSETS_HEADER 8

/* A unit that is being opened. */
typedef struct opening {
    const elf_image *main, *file;
    Dwarf_Die *skeleton;
    Dwarf_Half version;
    uint64_t id;
    unit_bytes parts[N_PARTS];
    uint8_t *ranges, *strings; /* changed copies of parts */
} opening;

/* ---- parts ---------------------------------------------------------------------------------- */

/* Returns the bytes of a section; none if it does not exist or is compressed. */
static unit_bytes section_of(const elf_image *e, const char *name, const char *suffix)
{
    char text[64];
    GElf_Shdr h;
    size_t n = strlen(name), k = strlen(suffix);
    memcpy(text, name, n);
    memcpy(text + n, suffix, k + 1);
    Elf_Scn *s = elf_image_section(e, text);
    Elf_Data *d = s == NULL ? NULL : elf_rawdata(s, NULL);
    bool good = d != NULL && d->d_buf != NULL && gelf_getshdr(s, &h) != NULL &&
                (h.sh_flags & SHF_COMPRESSED) == 0;
    return good ? (unit_bytes){d->d_buf, d->d_size} : (unit_bytes){NULL, 0};
}

static uint64_t number_of(Dwarf_Die *die, unsigned first, unsigned second)
{
    Dwarf_Attribute a;
    Dwarf_Word value;
    if (dwarf_attr(die, first, &a) == NULL && dwarf_attr(die, second, &a) == NULL)
        return 0;
    return dwarf_formudata(&a, &value) == 0 ? value : 0;
}

/* Takes the sections of the split file, or the pieces of them that belong to the unit. */
static bool take_split_parts(opening *o)
{
    unit_bytes index = section_of(o->file, ".debug_cu_index", "");
    for (size_t i = 0; i <= PART_STR; i++) {
        o->parts[i] = section_of(o->file, names[i], ".dwo");
        bool is_divided =
            index.len > 0 && columns[i] != 0 && (i != PART_RNGLISTS || o->version > 4);
        if (is_divided)
            o->parts[i] = unit_index_piece(index, o->id, columns[i], o->parts[i]);
    }
    if (o->parts[PART_INFO].len == 0 || o->parts[PART_ABBREV].len == 0)
        return false;
    if (index.len > 0)
        o->strings =
            unit_strings_pick(&o->parts[PART_STR_OFFSETS], o->version > 4 ? STR_OFFSETS_HEADER : 0,
                              &o->parts[PART_STR]);
    return true;
}

/* Takes the addresses and ranges of the program. */
static void take_own_parts(opening *o, const split_sections *shared)
{
    split_bases bases = split_unit_bases(o->skeleton);
    o->parts[PART_ADDR] =
        part_of(&shared->addresses, section_of(o->main, ".debug_addr", ""), bases.addresses);
    if (o->version < 5)
        o->parts[PART_RANGES] =
            part_of(&shared->ranges, section_of(o->main, ".debug_ranges", ""), bases.ranges);
}

/* Changes ranges of the unit, which are relative to an address that only the skeleton has. */
static void change_ranges(opening *o)
{
    Dwarf_Addr base = 0;
    if (dwarf_lowpc(o->skeleton, &base) != 0)
        base = 0;
    unit_bytes *part = &o->parts[o->version > 4 ? PART_RNGLISTS : PART_RANGES];
    *part = o->version > 4 ? unit_ranges_lists(*part, base, &o->ranges)
                           : unit_ranges_pairs(*part, base, &o->ranges);
}

/* ---- units ---------------------------------------------------------------------------------- */

bool split_unit_is_skeleton(Dwarf_Die *unit)
{
    uint8_t type;
    return dwarf_cu_info(unit->cu, NULL, &type, NULL, NULL, NULL, NULL, NULL) == 0 &&
           type == DW_UT_skeleton;
}

split_bases split_unit_bases(Dwarf_Die *skeleton)
{
    return (split_bases){number_of(skeleton, DW_AT_addr_base, DW_AT_GNU_addr_base),
                         number_of(skeleton, DW_AT_GNU_ranges_base, DW_AT_GNU_ranges_base)};
}

/* Finds the unit with an id. */
static bool find_unit(split_unit *s, uint64_t id)
{
    Dwarf_CU *cu = NULL;
    uint8_t type;
    uint64_t found;
    while (dwarf_get_units(s->dwarf, cu, &cu, NULL, &type, &s->die, NULL) == 0)
        if (type == DW_UT_split_compile && dwarf_tag(&s->die) == DW_TAG_compile_unit &&
            dwarf_cu_info(cu, NULL, NULL, NULL, NULL, &found, NULL, NULL) == 0 && found == id)
            return true;
    return false;
}

/* Takes memory for an image from the budget. Returns false if there is too little. */
static bool spend(size_t *budget, size_t size)
{
    bool good = size <= *budget;
    *budget -= good ? size : *budget;
    return good;
}

/* Makes the image and opens its DWARF. */
static enum split_result open_image(split_unit *s, const opening *o, size_t *budget)
{
    image_section sections[N_PARTS];
    for (size_t i = 0; i < N_PARTS; i++)
        sections[i] = (image_section){.name = names[i], .bytes = o->parts[i]};
    size_t size = section_image_size(sections, N_PARTS);
    s->bytes = spend(budget, size) ? section_image_make(o->main, sections, N_PARTS) : NULL;
    if (s->bytes == NULL)
        return SPLIT_TOO_LARGE;
    s->elf = elf_memory((char *)s->bytes, size);
    s->dwarf = s->elf == NULL ? NULL : dwarf_begin_elf(s->elf, DWARF_C_READ, NULL);
    s->has_file_names = o->version > 4 && o->parts[PART_LINE].len > 0;
    return s->dwarf != NULL && find_unit(s, o->id) ? SPLIT_FOUND : SPLIT_ABSENT;
}

enum split_result split_unit_open(split_unit *s, const elf_image *main, Dwarf_Die *skeleton,
                                  const elf_image *file, const split_sections *shared,
                                  size_t *budget)
{
    opening o = {.main = main, .file = file, .skeleton = skeleton};
    enum split_result result = SPLIT_ABSENT;
    memset(s, 0, sizeof *s);
    if (*budget == 0)
        return SPLIT_TOO_LARGE;
    bool good = section_image_is_native(main) && section_image_is_native(file) &&
                dwarf_cu_info(skeleton->cu, &o.version, NULL, NULL, NULL, &o.id, NULL, NULL) == 0 &&
                take_split_parts(&o);
    if (good) {
        take_own_parts(&o, shared);
        change_ranges(&o);
        result = open_image(s, &o, budget);
    }
    free(o.ranges);
    free(o.strings);
    if (result != SPLIT_FOUND)
        split_unit_close(s);
    return result;
}

void split_unit_close(split_unit *s)
{
    if (s->dwarf != NULL)
        dwarf_end(s->dwarf);
    if (s->elf != NULL)
        elf_end(s->elf);
    free(s->bytes);
    memset(s, 0, sizeof *s);
}
