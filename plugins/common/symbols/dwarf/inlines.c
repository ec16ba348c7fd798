/* SPDX-License-Identifier: MIT */
/* Finds inlined functions and lines of addresses in DWARF.
 *
 * The unit of an address is the one that .debug_aranges names, if it has the address; otherwise,
 * and after NAMED_MAX units, the ranges of all units are read. The functions of a unit are read
 * when an address in it is looked up.
 */
#include "inlines.h"

#include "die_scopes.h"

#include "../../temporary_memory.h"
#include "../address_rank.h"
#include "dwarf_image.h"
#include "../elf/section_image.h"
#include "line_tables.h"
#include "named_unit.h"
#include "split_unit.h"

#include <brazier/binary.h>
#include <brazier/text/buffer.h>

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <gelf.h>
#include <stdlib.h>

/* Maximum depth of scopes around functions. */
#define SCOPES_MAX 32

/* Maximum number of units that are found by .debug_aranges. */
#define NAMED_MAX 64

/* Ranges of addresses that the information of a file may have for all its units and functions, and
 * bytes of the file for which it may have another one. In a damaged file, many functions may share
 * a long list. */
#define RANGES_MIN      ((uint64_t)1 << 20)
#define BYTES_PER_RANGE 4

/* Memory that libdw needs for a unit in which addresses are looked up, on average. */
#define UNIT_SIZE ((size_t)24 << 10)

/* A range of addresses that belongs to a unit or a function. */
typedef struct span {
    uint64_t start, end;
    size_t of; /* position of the unit, or of the function */
} span;

typedef struct spans {
    span *items;
    size_t n, cap;
} spans;

/* A unit in which an address was looked up. */
typedef struct unit {
    Dwarf_Die die;    /* in the file itself */
    unit_lines lines; /* of `die` */
    Dwarf_Die tree;   /* has the functions */
    split_unit split; /* to which `tree` belongs, if it is in another file */
    bool is_read, is_skeleton;
    bool has_nested;    /* functions in functions were read, too */
    Dwarf_Half version; /* from 5 on, files are numbered from 0 on */
    spans functions;
    die_scopes scopes; /* around functions */
    Dwarf_Die *dies;   /* of the functions */
    size_t n_dies, cap_dies;
} unit;

/* Any unit. Files have thousands of them. */
typedef struct unit_place {
    Dwarf_Off at; /* of its entry */
    Dwarf_Half version;
    unit *unit; /* NULL: no address was looked up in it */
} unit_place;

struct inlines {
    dwarf_image image;
    elf_image main; /* of the file, or its copy */
    line_tables lines;
    inline_files files;
    split_sections shared; /* places of the units in sections of the file */
    size_t budget;         /* memory for units of other files */
    packed_budget *packed; /* memory for compressed sections */
    inline_gaps gaps;
    dwarf_image unpacked;       /* the last such file with compressed sections */
    const uint8_t *unpacked_of; /* its bytes; NULL: none yet */
    const uint8_t *refused;     /* bytes of the last file that unpacks to too much; NULL: none */
    uint64_t ranges_left;       /* number of ranges that may still be read */
    unit_place *units;
    size_t n, cap;
    unit_bytes named; /* .debug_aranges; empty: none */
    spans ranges;     /* of the units that were read */
    bool has_all;     /* all units were read */
    size_t n_opened;  /* units in which addresses were looked up */
};

/* ---- ranges --------------------------------------------------------------------------------- */

static int by_start(const void *x, const void *y)
{
    const span *a = x, *b = y;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return a->of < b->of ? -1 : a->of > b->of;
}

static void sort(spans *s)
{
    if (s->n > 0)
        qsort(s->items, s->n, sizeof *s->items, by_start);
}

/* Returns the last span that begins at or before an address and has it, or NULL. */
static const span *find(const spans *s, uint64_t address)
{
    size_t low = address_rank(s->items, s->n, sizeof *s->items, address);
    return low > 0 && address < s->items[low - 1].end ? &s->items[low - 1] : NULL;
}

/* Returns whether another range may be read. */
static bool take_range(inlines *x)
{
    x->gaps.has_too_many_ranges |= x->ranges_left == 0;
    x->ranges_left -= x->ranges_left > 0;
    return !x->gaps.has_too_many_ranges;
}

/* Removes all ranges of a list, in favour of others. */
static void clear_ranges(inlines *x, spans *s)
{
    x->ranges_left += s->n;
    s->n = 0;
}

/* Adds the ranges of a unit or function. */
static void add_ranges(inlines *x, spans *s, brz_ctx *ctx, Dwarf_Die *die, size_t of)
{
    Dwarf_Addr base, start, end;
    ptrdiff_t at = 0;
    while ((at = dwarf_ranges(die, at, &base, &start, &end)) > 0 && take_range(x)) {
        if (start >= end)
            continue;
        s->items = brz_list_room(ctx, s->items, s->n, &s->cap, sizeof *s->items);
        s->items[s->n++] = (span){start, end, of};
    }
}

/* ---- units ---------------------------------------------------------------------------------- */

/* Adds a unit with its ranges. Notes where those with a part in another file have theirs in this
 * one. */
static void add_unit(inlines *x, brz_ctx *ctx, Dwarf_Die *die, Dwarf_Half version)
{
    add_ranges(x, &x->ranges, ctx, die, x->n);
    x->units = brz_list_room(ctx, x->units, x->n, &x->cap, sizeof *x->units);
    x->units[x->n++] = (unit_place){dwarf_dieoffset(die), version, NULL};
    if (!split_unit_is_skeleton(die))
        return;
    split_bases bases = split_unit_bases(die);
    unit_extents_add(&x->shared.addresses, ctx, bases.addresses);
    unit_extents_add(&x->shared.ranges, ctx, bases.ranges);
}

/* Opens the entry of the unit whose header is at an offset. */
static bool open_named(const inlines *x, uint64_t header, Dwarf_Die *die)
{
    Dwarf_Off next;
    size_t size;
    return dwarf_next_unit(x->image.dwarf, header, &next, &size, NULL, NULL, NULL, NULL, NULL,
                           NULL) == 0 &&
           dwarf_offdie(x->image.dwarf, header + size, die) != NULL;
}

/* Reads the unit that .debug_aranges names for an address. Returns false if it does not have the
 * address, or if its rest is in another file. */
static bool read_named(inlines *x, brz_ctx *ctx, uint64_t address)
{
    Dwarf_Die die;
    Dwarf_Half version;
    uint64_t header;
    if (x->n >= NAMED_MAX || !named_unit_find(x->named, address, &header) ||
        !open_named(x, header, &die) || dwarf_tag(&die) != DW_TAG_compile_unit ||
        split_unit_is_skeleton(&die) || dwarf_haspc(&die, address) <= 0 ||
        dwarf_cu_info(die.cu, &version, NULL, NULL, NULL, NULL, NULL, NULL) != 0)
        return false;
    add_unit(x, ctx, &die, version);
    sort(&x->ranges);
    return true;
}

/* Opens the same DWARF once more, or NULL. */
static Dwarf *open_copy(const inlines *x)
{
    Dwarf *copy = dwarf_begin_elf(dwarf_getelf(x->image.dwarf), DWARF_C_READ, NULL);
    if (copy != NULL && x->image.alt != NULL)
        dwarf_setalt(copy, x->image.alt);
    return copy;
}

/* Returns one of the first `n` units by the place of its entry, if it is opened, or NULL. */
static unit *find_opened(const inlines *x, size_t n, Dwarf_Off at)
{
    for (size_t i = 0; i < n; i++)
        if (x->units[i].at == at)
            return x->units[i].unit;
    return NULL;
}

/* Reads all units. libdw would keep memory for each of them, so a handle that is closed then reads
 * them. */
static void read_all(inlines *x, brz_ctx *ctx)
{
    Dwarf *all = open_copy(x);
    Dwarf_CU *cu = NULL;
    Dwarf_Die die;
    Dwarf_Half version;
    size_t n_named = x->n;
    clear_ranges(x, &x->ranges);
    while (all != NULL && dwarf_get_units(all, cu, &cu, &version, NULL, &die, NULL) == 0) {
        int tag = dwarf_tag(&die);
        if (tag != DW_TAG_compile_unit && tag != DW_TAG_skeleton_unit)
            continue;
        add_unit(x, ctx, &die, version);
        x->units[x->n - 1].unit = find_opened(x, n_named, dwarf_dieoffset(&die));
    }
    dwarf_end(all);
    sort(&x->ranges);
    unit_extents_finish(&x->shared.addresses);
    unit_extents_finish(&x->shared.ranges);
    x->has_all = true;
}

/* Returns a unit, opened, or NULL. */
static unit *open_unit(inlines *x, brz_ctx *ctx, unit_place *place)
{
    Dwarf_Die die;
    if (place->unit != NULL || dwarf_offdie(x->image.dwarf, place->at, &die) == NULL)
        return place->unit;
    unit *u = ctx->host->alloc(ctx, sizeof *u, 0);
    x->n_opened++;
    u->die = u->tree = die;
    u->version = place->version;
    u->is_skeleton = split_unit_is_skeleton(&die);
    return place->unit = u;
}

/* Returns the unit of an address, or NULL. */
static unit *find_unit(inlines *x, brz_ctx *ctx, uint64_t address)
{
    const span *of = find(&x->ranges, address);
    if (of == NULL && !x->has_all) {
        if (!read_named(x, ctx, address))
            read_all(x, ctx);
        of = find(&x->ranges, address);
    }
    return of == NULL ? NULL : open_unit(x, ctx, &x->units[of->of]);
}

/* ---- opening -------------------------------------------------------------------------------- */

/* Returns the bytes of an unpacked section. */
static unit_bytes section_of(const inlines *x, const char *name)
{
    Elf_Scn *s = elf_image_section(&x->main, name);
    Elf_Data *d = s == NULL ? NULL : elf_rawdata(s, NULL);
    return (unit_bytes){d == NULL ? NULL : d->d_buf, d == NULL || d->d_buf == NULL ? 0 : d->d_size};
}

/* Returns the size of the unpacked entries of a file, which may have the name of the old form of
 * compression. */
static size_t size_of_entries(const inlines *x)
{
    size_t size = section_of(x, ".debug_info").len;
    return size > 0 ? size : section_of(x, ".zdebug_info").len;
}

inlines *inlines_open(const elf_image *e, const elf_image *alt, const inline_files *files,
                      inline_budgets budgets, uint64_t *needed, brz_ctx *ctx)
{
    dwarf_image image = {.needed = 0};
    bool is_open = e->has_debug && dwarf_image_open(&image, e, alt, budgets.packed, ctx);
    *needed = image.needed;
    if (!is_open)
        return NULL;
    inlines *x = ctx->host->alloc(ctx, sizeof *x, 0);
    x->image = image;
    x->main = *e;
    if (image.elfs[0] != NULL)
        x->main.elf = image.elfs[0];
    x->files = *files;
    x->budget = INLINES_SPLIT_MAX;
    x->packed = budgets.packed;
    if (section_image_is_native(&x->main))
        x->named = section_of(x, ".debug_aranges");
    line_tables_init(&x->lines, ctx, budgets.lines, image.dwarf, image.alt);
    x->ranges_left = RANGES_MIN + (e->len + size_of_entries(x)) / BYTES_PER_RANGE;
    return x;
}

inline_gaps inlines_gaps(const inlines *x)
{
    const inline_gaps none = {.missing = 0};
    return x == NULL ? none : x->gaps;
}

bool inlines_took_reserve(const inlines *x)
{
    return x != NULL &&
           (dwarf_image_took_reserve(&x->image) || dwarf_image_took_reserve(&x->unpacked));
}

size_t inlines_size(const inlines *x)
{
    if (x == NULL)
        return 0;
    return x->n_opened * UNIT_SIZE + dwarf_image_copied(&x->image) +
           dwarf_image_copied(&x->unpacked);
}

void inlines_close(inlines *x)
{
    if (x == NULL)
        return;
    for (size_t i = 0; i < x->n; i++)
        if (x->units[i].unit != NULL) /* perhaps twice: closing zeroes it */
            split_unit_close(&x->units[i].unit->split);
    line_tables_close(&x->lines);
    dwarf_image_close(&x->unpacked);
    dwarf_image_close(&x->image);
}

/* ---- units in other files ------------------------------------------------------------------- */

static brz_str text_of(Dwarf_Die *die, unsigned first, unsigned second)
{
    Dwarf_Attribute a;
    const char *text = NULL;
    if (dwarf_attr(die, first, &a) != NULL || dwarf_attr(die, second, &a) != NULL)
        text = dwarf_formstring(&a);
    return text == NULL ? brz_str_of("", 0) : brz_str_of_text(text);
}

/* Unpacks the sections of a file, after releasing those of the previous file. Returns SPLIT_FOUND,
 * also for a damaged file, or the reason why no sections are available. */
static enum split_result unpack(inlines *x, const elf_image *file)
{
    if (x->unpacked_of == file->data)
        return SPLIT_FOUND;
    if (x->refused == file->data)
        return SPLIT_PACKED;
    if (file->len > x->budget)
        return SPLIT_TOO_LARGE;
    dwarf_image_close(&x->unpacked);
    bool is_open = dwarf_image_open_frames(&x->unpacked, file, x->packed);
    x->unpacked_of = is_open ? file->data : NULL;
    uint64_t needed = x->unpacked.needed;
    x->gaps.needed = needed > x->gaps.needed ? needed : x->gaps.needed;
    if (needed > 0) {
        x->refused = file->data;
        return SPLIT_PACKED;
    }
    x->budget -= file->len;
    return SPLIT_FOUND;
}

/* Opens the rest of a unit in a file. */
static enum split_result open_rest(inlines *x, unit *u, const elf_image *file)
{
    elf_image plain = *file;
    enum split_result result = file->is_packed ? unpack(x, file) : SPLIT_FOUND;
    if (result != SPLIT_FOUND)
        return result;
    if (file->is_packed && x->unpacked.elfs[0] != NULL)
        plain.elf = x->unpacked.elfs[0];
    return split_unit_open(&u->split, &x->main, &u->die, &plain, &x->shared, &x->budget);
}

/* Looks for the file with the rest of a unit. */
static void find_rest(inlines *x, unit *u)
{
    bool more = true;
    size_t budget = x->budget;
    enum split_result result = SPLIT_ABSENT;
    brz_str name = text_of(&u->die, DW_AT_dwo_name, DW_AT_GNU_dwo_name);
    brz_str folder = text_of(&u->die, DW_AT_comp_dir, DW_AT_comp_dir);
    for (size_t place = 0; more && result == SPLIT_ABSENT && name.len > 0; place++) {
        elf_image e = {.elf = NULL};
        more = x->files.open(x->files.context, place, folder, name, &e);
        if (e.elf != NULL)
            result = open_rest(x, u, &e);
        elf_image_close(&e);
    }
    x->gaps.missing += result == SPLIT_ABSENT;
    x->gaps.left_out += result == SPLIT_TOO_LARGE;
    x->ranges_left += (budget - x->budget) / BYTES_PER_RANGE;
    if (result == SPLIT_FOUND)
        u->tree = u->split.die;
}

/* ---- functions ------------------------------------------------------------------------------ */

static void add_function(inlines *x, unit *u, brz_ctx *ctx, Dwarf_Die *die)
{
    size_t before = u->functions.n;
    add_ranges(x, &u->functions, ctx, die, u->n_dies);
    if (u->functions.n == before)
        return;
    u->dies = brz_list_room(ctx, u->dies, u->n_dies, &u->cap_dies, sizeof *u->dies);
    u->dies[u->n_dies++] = *die;
}

/* Returns whether functions can be defined in a scope. */
static bool is_scope(int tag)
{
    return tag == DW_TAG_namespace || tag == DW_TAG_class_type || tag == DW_TAG_structure_type ||
           tag == DW_TAG_union_type || tag == DW_TAG_module;
}

/* Returns whether functions can be defined in a scope within a function. */
static bool is_nested_scope(int tag)
{
    return is_scope(tag) || tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block;
}

/* A walk through the entries below one, those within an entry before the next one. */
typedef struct walk {
    Dwarf_Die path[SCOPES_MAX]; /* from the outermost entry to the current one */
    size_t depth;
    Dwarf_Off last; /* place of the current entry */
} walk;

/* Returns whether an entry stands after the last one. In damaged units, the next one may stand
 * before it, so that a walk would never end. */
static bool is_after(walk *w, Dwarf_Die *die)
{
    Dwarf_Off place = dwarf_dieoffset(die);
    bool is_next = place > w->last;
    w->last = is_next ? place : w->last;
    return is_next;
}

/* Begins a walk. Returns false if there are no entries below this one. */
static bool walk_below(walk *w, Dwarf_Die *die)
{
    w->depth = 0;
    w->last = dwarf_dieoffset(die);
    return dwarf_child(die, &w->path[0]) == 0 && is_after(w, &w->path[0]);
}

/* Continues a walk, with the entries within the current one if `enters` says so. Returns false at
 * the end. */
static bool walk_on(walk *w, bool enters)
{
    if (enters && w->depth + 1 < SCOPES_MAX &&
        dwarf_child(&w->path[w->depth], &w->path[w->depth + 1]) == 0 &&
        is_after(w, &w->path[w->depth + 1])) {
        w->depth++;
        return true;
    }
    while (dwarf_siblingof(&w->path[w->depth], &w->path[w->depth]) != 0 ||
           !is_after(w, &w->path[w->depth]))
        if (w->depth-- == 0)
            return false;
    return true;
}

/* Notes the scopes around an entry of a walk, and the entry if it is a scope itself. */
static void note_scope(unit *u, brz_ctx *ctx, walk *w, int tag)
{
    Dwarf_Die *die = &w->path[w->depth];
    Dwarf_Off place = dwarf_dieoffset(die);
    die_scopes_leave(&u->scopes, w->depth, place);
    if (is_scope(tag))
        die_scopes_enter(&u->scopes, ctx, place, tag == DW_TAG_module ? "" : dwarf_diename(die));
}

/* Moves the lists of a unit from temporary memory. */
static void keep_functions(unit *u, const temporary_memory *m)
{
    u->functions.items =
        temporary_memory_keep(m, u->functions.items, u->functions.n, sizeof *u->functions.items);
    u->dies = temporary_memory_keep(m, u->dies, u->n_dies, sizeof *u->dies);
    u->functions.cap = u->functions.n;
    u->cap_dies = u->n_dies;
    if (u->is_read)
        return;
    u->scopes.items =
        temporary_memory_keep(m, u->scopes.items, u->scopes.n, sizeof *u->scopes.items);
    u->scopes.cap = u->scopes.n;
}

/* Collects the functions of a unit in these scopes. */
static void collect_functions(inlines *x, unit *u, brz_ctx *outer, bool (*is_wanted)(int tag))
{
    walk w;
    temporary_memory m;
    temporary_memory_begin(&m, outer);
    brz_ctx *ctx = &m.ctx;
    clear_ranges(x, &u->functions);
    u->functions = (spans){.n = 0};
    u->n_dies = u->cap_dies = 0;
    u->dies = NULL;
    for (bool more = walk_below(&w, &u->tree); more;) {
        Dwarf_Die *die = &w.path[w.depth];
        int tag = dwarf_tag(die);
        if (!u->is_read)
            note_scope(u, ctx, &w, tag);
        if (tag == DW_TAG_subprogram)
            add_function(x, u, ctx, die);
        more = walk_on(&w, is_wanted(tag));
    }
    die_scopes_leave(&u->scopes, 0, w.last + 1);
    sort(&u->functions);
    keep_functions(u, &m);
    temporary_memory_end(&m);
}

/* Finds the function of a unit that an address has, or NULL. Those in functions, such as the code
 * of lambdas, are read if no other one has it: few of the entries of functions define any. */
static const span *find_function(inlines *x, unit *u, brz_ctx *ctx, uint64_t address)
{
    if (!u->is_read && u->is_skeleton)
        find_rest(x, u);
    if (!u->is_read)
        collect_functions(x, u, ctx, is_scope);
    u->is_read = true;
    const span *found = find(&u->functions, address);
    if (found != NULL || u->has_nested)
        return found;
    u->has_nested = true;
    collect_functions(x, u, ctx, is_nested_scope);
    return find(&u->functions, address);
}

/* ---- calls ---------------------------------------------------------------------------------- */

/* Finds the entry that declares a function: the origin of an inlined one, and in its class. */
static void find_declaration(Dwarf_Die *die)
{
    static const unsigned links[] = {DW_AT_abstract_origin, DW_AT_specification};
    Dwarf_Attribute a;
    Dwarf_Die other;
    for (size_t i = 0; i < BRZ_COUNT_OF(links); i++)
        if (dwarf_formref_die(dwarf_attr(die, links[i], &a), &other) != NULL)
            *die = other;
}

/* Returns the name of a function that has none for linking, after its namespace and class. */
static const char *declared_name(const unit *u, brz_ctx *ctx, const Dwarf_Die *die)
{
    Dwarf_Die declared = *die;
    const char *name = dwarf_diename(&declared);
    find_declaration(&declared);
    if (name == NULL || declared.cu != u->tree.cu)
        return name;
    return die_scopes_qualify(&u->scopes, ctx, dwarf_dieoffset(&declared), name);
}

static const char *name_of(const unit *u, brz_ctx *ctx, Dwarf_Die *die)
{
    Dwarf_Attribute a;
    const char *linked = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &a));
    if (linked == NULL)
        linked = dwarf_formstring(dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &a));
    return linked != NULL ? linked : declared_name(u, ctx, die);
}

static uint64_t number_of(Dwarf_Die *die, unsigned attribute)
{
    Dwarf_Attribute a;
    Dwarf_Word value;
    return dwarf_formudata(dwarf_attr(die, attribute, &a), &value) == 0 ? value : 0;
}

/* Returns the path of a file to which calls of a unit refer, or NULL. */
static const char *file_of_call(inlines *x, unit *u, uint64_t file)
{
    Dwarf_Files *files;
    size_t n;
    if (!u->split.has_file_names)
        return line_tables_file(&x->lines, &u->die, &u->lines, file);
    bool exists = dwarf_getsrcfiles(&u->tree, &files, &n) == 0 && file < n;
    return exists ? dwarf_filesrc(files, (size_t)file, NULL, NULL) : NULL;
}

/* Sets the line of a function to that of an inlined call in it. */
static void set_call_line(inlines *x, unit *u, Dwarf_Die *call, inline_call *in)
{
    uint64_t file = number_of(call, DW_AT_call_file);
    in->line = (uint32_t)number_of(call, DW_AT_call_line);
    if (dwarf_hasattr(call, DW_AT_call_file) && (file > 0 || u->version > 4))
        in->file = file_of_call(x, u, file);
}

/* Sets the line of the innermost function. */
static void set_line(inlines *x, unit *u, uint64_t address, inline_call *in)
{
    source_line found;
    if (!line_tables_find(&x->lines, &u->die, &u->lines, address, &found))
        return;
    in->line = found.line;
    in->file = found.file;
}

static bool is_block(int tag)
{
    return tag == DW_TAG_lexical_block || tag == DW_TAG_try_block || tag == DW_TAG_catch_block;
}

/* Replaces a function by the inlined one in it that has the address. Returns false if none does.
 * Several overlapping blocks may have it. */
static bool enter_call(Dwarf_Die *function, uint64_t address)
{
    walk w;
    for (bool more = walk_below(&w, function); more;) {
        Dwarf_Die *die = &w.path[w.depth];
        int tag = dwarf_tag(die);
        bool is_call = tag == DW_TAG_inlined_subroutine;
        bool has = (is_call || is_block(tag)) && dwarf_haspc(die, address) > 0;
        if (has && is_call) {
            *function = *die;
            return true;
        }
        more = walk_on(&w, has);
    }
    return false;
}

size_t inlines_find(inlines *x, brz_ctx *ctx, uint64_t address, inline_call calls[INLINES_MAX])
{
    unit *u = find_unit(x, ctx, address);
    if (u == NULL)
        return 0;
    const span *function = find_function(x, u, ctx, address);
    calls[0] = (inline_call){NULL, NULL, 0};
    if (function == NULL) { /* assembly, for example */
        set_line(x, u, address, &calls[0]);
        return 1;
    }
    Dwarf_Die scope = u->dies[function->of];
    size_t n = 1;
    calls[0] = (inline_call){name_of(u, ctx, &scope), NULL, 0};
    while (n < INLINES_MAX && enter_call(&scope, address)) {
        set_call_line(x, u, &scope, &calls[n - 1]);
        calls[n++] = (inline_call){name_of(u, ctx, &scope), NULL, 0};
    }
    set_line(x, u, address, &calls[n - 1]);
    return n;
}
