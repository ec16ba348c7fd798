/* SPDX-License-Identifier: MIT */
/* The call-frame information of an ELF file. */
#include "frame_source.h"

#include <elfutils/libdw.h>
#include <gelf.h>
#include <string.h>

static const unwind_machine *machine_of(const elf_image *e)
{
    if (e->elf == NULL || gelf_getclass(e->elf) != ELFCLASS64)
        return NULL;
    if (e->machine == EM_X86_64)
        return &unwind_x86_64;
    return e->machine == EM_AARCH64 ? &unwind_arm64 : NULL;
}

/* Opens .debug_frame of an image. */
static bool open_debug(frame_source *f, const elf_image *e)
{
    if (machine_of(e) != f->machine || !e->has_debug_frames)
        return false;
    if (!dwarf_image_open_frames(&f->image, e, f->budget)) {
        f->needed = f->image.needed > f->needed ? f->image.needed : f->needed;
        return false;
    }
    f->debug = dwarf_getcfi(f->image.dwarf);
    if (f->debug == NULL)
        dwarf_image_close(&f->image);
    return f->debug != NULL;
}

/* Opens .debug_frame of the first file that has it. Most files do not need it. */
static void find_debug(frame_source *f)
{
    bool found = f->looked_for_debug;
    f->looked_for_debug = true;
    for (size_t i = 0; i < 2 && !found; i++)
        found = open_debug(f, f->files[i]);
}

void frame_source_open(frame_source *f, const elf_image *loaded, const elf_image *symbols,
                       packed_budget *budget)
{
    memset(f, 0, sizeof *f);
    f->budget = budget;
    f->machine = machine_of(loaded);
    f->files[0] = loaded;
    f->files[1] = symbols;
    if (f->machine != NULL && !loaded->has_packed_frames && !frame_table_open(&f->table, loaded))
        f->loaded = dwarf_getcfi_elf(loaded->elf);
    if (f->machine != NULL)
        go_table_open(&f->go, loaded);
}

/* Reads the rules at an address as the file has them. */
static frame_rule read_rule(frame_source *f, uint64_t address, rule_alloc *alloc, void *context)
{
    frame_rule r = {.is_known = false};
    if (f->loaded != NULL)
        r = frame_rule_read(f->loaded, f->machine, address, alloc, context);
    else if (f->table.n_rows > 0)
        r = frame_table_read(&f->table, f->machine, address, alloc, context);
    if (r.is_known)
        return r;
    find_debug(f);
    return frame_rule_read(f->debug, f->machine, address, alloc, context);
}

frame_rule frame_source_read(frame_source *f, uint64_t address, rule_alloc *alloc, void *context)
{
    frame_rule r = {.is_known = false};
    if (f->machine == NULL)
        return r;
    r = read_rule(f, address, alloc, context);
    uint32_t flags = go_table_flags(&f->go, address);
    if ((flags & GO_CHANGES_STACK) == 0)
        return r;
    /* The rules of Go are for the stack on which the function begins. */
    r.changes_stack = (flags & GO_OUTERMOST) == 0;
    if (!r.changes_stack)
        r.ip = (rule){.kind = RULE_UNDEFINED};
    return r;
}

void frame_source_close(frame_source *f)
{
    if (f->loaded != NULL)
        dwarf_cfi_end(f->loaded);
    frame_table_close(&f->table);
    dwarf_image_close(&f->image); /* ends `debug` */
    memset(f, 0, sizeof *f);
}
