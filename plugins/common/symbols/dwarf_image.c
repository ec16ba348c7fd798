/* Opens the DWARF of ELF files that are in memory, by libdw. */
#include "dwarf_image.h"

#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <stdlib.h>
#include <string.h>

/* Maximum size of a file that is copied. */
#define COPY_MAX ((size_t)1 << 30)

/* Opens the DWARF of an image or, if libelf would write to it, of a copy. */
static Dwarf *open_part(dwarf_image *d, size_t part, const elf_image *e)
{
    if (!e->is_packed)
        return dwarf_begin_elf(e->elf, DWARF_C_READ, NULL);
    d->copies[part] = e->len <= COPY_MAX ? malloc(e->len) : NULL;
    if (d->copies[part] == NULL)
        return NULL;
    memcpy(d->copies[part], e->data, e->len);
    d->elfs[part] = elf_memory(d->copies[part], e->len);
    return d->elfs[part] == NULL ? NULL : dwarf_begin_elf(d->elfs[part], DWARF_C_READ, NULL);
}

/* Returns whether DWARF refers to a file with shared parts, which libdw would open itself. */
static bool names_other_file(Dwarf *dwarf)
{
    const char *name;
    const void *id;
    return dwelf_dwarf_gnu_debugaltlink(dwarf, &name, &id) != 0;
}

/* Opens the file with the shared parts, which may not name another one. */
static bool open_alt(dwarf_image *d, const elf_image *alt)
{
    if (alt == NULL || alt->elf == NULL || alt->is_shared)
        return false;
    d->alt = open_part(d, 1, alt);
    if (d->alt == NULL || names_other_file(d->alt))
        return false;
    dwarf_setalt(d->dwarf, d->alt);
    return true;
}

bool dwarf_image_open(dwarf_image *d, const elf_image *e, const elf_image *alt)
{
    memset(d, 0, sizeof *d);
    if (e->elf == NULL)
        return false;
    d->dwarf = open_part(d, 0, e);
    bool is_shared = d->dwarf != NULL && (e->is_shared || names_other_file(d->dwarf));
    if (d->dwarf != NULL && (!is_shared || open_alt(d, alt)))
        return true;
    dwarf_image_close(d);
    return false;
}

bool dwarf_image_open_frames(dwarf_image *d, const elf_image *e)
{
    memset(d, 0, sizeof *d);
    d->dwarf = e->elf == NULL ? NULL : open_part(d, 0, e);
    if (d->dwarf != NULL)
        return true;
    dwarf_image_close(d);
    return false;
}

void dwarf_image_close(dwarf_image *d)
{
    if (d->dwarf != NULL)
        dwarf_end(d->dwarf);
    if (d->alt != NULL)
        dwarf_end(d->alt);
    for (size_t i = 0; i < 2; i++) {
        if (d->elfs[i] != NULL)
            elf_end(d->elfs[i]);
        free(d->copies[i]);
    }
    memset(d, 0, sizeof *d);
}
