/* SPDX-License-Identifier: MIT */
/* Reads properties of a shared object from its section headers.
 *
 * The file has been loaded before, but no loader reads section headers, so nothing in them is
 * trusted.
 */
#include "object.h"

#include <fcntl.h>
#include <unistd.h>

#include "plugin/elf_file.h"

/* Returns a name from a string table, or "" if it is out of range. */
static const char *name_at(const brz_elf_file *e, const brz_elf_section *strings, uint64_t offset)
{
    const char *name = brz_elf_text(e, strings->sh_offset + offset);
    return name != NULL ? name : "";
}

static void add_word(brz_buf *b, const char *word)
{
    brz_buf_printf(b, "%s%s", b->len > 0 ? " " : "", word);
}

static bool is_exported(const brz_elf_symbol *s)
{
    unsigned bind = ELF64_ST_BIND(s->st_info), type = ELF64_ST_TYPE(s->st_info);
    unsigned visibility = s->st_other & 3u;
    return s->st_shndx != SHN_UNDEF &&
           (bind == STB_GLOBAL || bind == STB_WEAK || bind == STB_GNU_UNIQUE) &&
           type != STT_SECTION && type != STT_FILE && visibility != STV_HIDDEN &&
           visibility != STV_INTERNAL && s->st_shndx != SHN_ABS;
}

static void read_symbols(const brz_elf_file *e, const brz_elf_section *table, check_object *o)
{
    brz_elf_section strings;
    brz_elf_symbol s;
    if (!brz_elf_section_at(e, table->sh_link, &strings))
        return;
    for (size_t i = 0; brz_elf_entry_at(e, table, i, &s, sizeof s); i++) {
        if (!is_exported(&s))
            continue;
        add_word(&o->exported, name_at(e, &strings, s.st_name));
        o->n_exported++;
    }
}

static void read_dynamic(const brz_elf_file *e, const brz_elf_section *table, check_object *o)
{
    brz_elf_section strings;
    brz_elf_dynamic d;
    if (!brz_elf_section_at(e, table->sh_link, &strings))
        return;
    for (size_t i = 0; brz_elf_entry_at(e, table, i, &d, sizeof d) && d.d_tag != DT_NULL; i++) {
        if (d.d_tag == DT_NEEDED)
            add_word(&o->needed, name_at(e, &strings, d.d_un.d_val));
        if (d.d_tag == DT_RPATH || d.d_tag == DT_RUNPATH)
            add_word(&o->path, name_at(e, &strings, d.d_un.d_val));
        o->text_relocations |=
            d.d_tag == DT_TEXTREL || (d.d_tag == DT_FLAGS && (d.d_un.d_val & DF_TEXTREL) != 0);
    }
}

static void read_file(const brz_elf_file *e, check_object *o)
{
    brz_elf_section section;
    brz_elf_segment segment;
    for (size_t i = 0; brz_elf_section_at(e, i, &section); i++) {
        o->known |= section.sh_type == SHT_DYNSYM;
        if (section.sh_type == SHT_DYNSYM)
            read_symbols(e, &section, o);
        if (section.sh_type == SHT_DYNAMIC)
            read_dynamic(e, &section, o);
    }
    for (size_t i = 0; brz_elf_segment_at(e, i, &segment); i++)
        o->executable_stack |= segment.p_type == PT_GNU_STACK && (segment.p_flags & PF_X) != 0;
}

/* Opens the file. Returns false if it cannot be read; the caller must close it in either case. */
static bool open_file(const char *path, brz_elf_file *e)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool good = brz_elf_open(e, fd) == BRZ_ELF_GOOD;
    if (fd >= 0)
        close(fd);
    return good;
}

check_object check_object_read(const char *path)
{
    check_object o = {0};
    brz_elf_file e;
    if (open_file(path, &e))
        read_file(&e, &o);
    brz_elf_close(&e);
    return o;
}

static bool find_name(const brz_elf_file *e, const brz_elf_section *table, uint64_t address,
                      brz_buf *to)
{
    brz_elf_section strings;
    brz_elf_symbol s;
    if (!brz_elf_section_at(e, table->sh_link, &strings))
        return false;
    for (size_t i = 0; brz_elf_entry_at(e, table, i, &s, sizeof s); i++) {
        if (s.st_shndx == SHN_UNDEF || address < s.st_value || address - s.st_value >= s.st_size)
            continue;
        brz_buf_add_text(to, name_at(e, &strings, s.st_name));
        return true;
    }
    return false;
}

void check_object_name_at(const char *path, uint64_t address, brz_buf *to)
{
    brz_elf_file e;
    brz_elf_section s;
    bool found = !open_file(path, &e);
    for (size_t i = 0; !found && brz_elf_section_at(&e, i, &s); i++)
        found = s.sh_type == SHT_SYMTAB && find_name(&e, &s, address, to);
    brz_elf_close(&e);
}

void check_object_finish(check_object *o)
{
    brz_buf_finish(&o->exported);
    brz_buf_finish(&o->needed);
    brz_buf_finish(&o->path);
}
