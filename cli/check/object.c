/* What a shared object's file says of itself.
 *
 * The file was loaded before, so it is sound; still nothing is read beyond its end.
 */
#include "object.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__ELF__)
#include <elf.h>
#include <link.h>

typedef struct image {
    const uint8_t *data;
    size_t len;
    ElfW(Ehdr) header;
} image;

static bool copy(const image *m, uint64_t offset, void *to, size_t size)
{
    if (offset > m->len || m->len - offset < size)
        return false;
    memcpy(to, m->data + offset, size);
    return true;
}

static bool section_at(const image *m, size_t i, ElfW(Shdr) * s)
{
    return i < m->header.e_shnum &&
           copy(m, m->header.e_shoff + (uint64_t)i * m->header.e_shentsize, s, sizeof *s);
}

/* A name of a table of strings; "" if it is not there. */
static const char *name_at(const image *m, const ElfW(Shdr) * strings, uint64_t offset)
{
    uint64_t at = strings->sh_offset + offset;
    if (at >= m->len || memchr(m->data + at, '\0', m->len - at) == NULL)
        return "";
    return (const char *)m->data + at;
}

static void add_word(brz_buf *b, const char *word)
{
    brz_buf_printf(b, "%s%s", b->len > 0 ? " " : "", word);
}

static bool is_exported(const ElfW(Sym) * s)
{
    unsigned bind = ELF64_ST_BIND(s->st_info), type = ELF64_ST_TYPE(s->st_info);
    unsigned visibility = s->st_other & 3u;
    return s->st_shndx != SHN_UNDEF && (bind == STB_GLOBAL || bind == STB_WEAK || bind == 10) &&
           type != STT_SECTION && type != STT_FILE && visibility != STV_HIDDEN &&
           visibility != STV_INTERNAL && s->st_shndx != SHN_ABS;
}

static void read_symbols(const image *m, const ElfW(Shdr) * table, check_object *o)
{
    ElfW(Shdr) strings;
    ElfW(Sym) s;
    if (!section_at(m, table->sh_link, &strings))
        return;
    for (uint64_t at = 0; at + sizeof s <= table->sh_size; at += sizeof s) {
        if (!copy(m, table->sh_offset + at, &s, sizeof s) || !is_exported(&s))
            continue;
        add_word(&o->exported, name_at(m, &strings, s.st_name));
        o->n_exported++;
    }
}

static void read_dynamic(const image *m, const ElfW(Shdr) * table, check_object *o)
{
    ElfW(Shdr) strings;
    ElfW(Dyn) d;
    if (!section_at(m, table->sh_link, &strings))
        return;
    for (uint64_t at = 0; at + sizeof d <= table->sh_size; at += sizeof d) {
        if (!copy(m, table->sh_offset + at, &d, sizeof d) || d.d_tag == DT_NULL)
            break;
        if (d.d_tag == DT_NEEDED)
            add_word(&o->needed, name_at(m, &strings, d.d_un.d_val));
        if (d.d_tag == DT_RPATH || d.d_tag == DT_RUNPATH)
            add_word(&o->path, name_at(m, &strings, d.d_un.d_val));
        o->text_relocations |=
            d.d_tag == DT_TEXTREL || (d.d_tag == DT_FLAGS && (d.d_un.d_val & DF_TEXTREL) != 0);
    }
}

static void read_segments(const image *m, check_object *o)
{
    ElfW(Phdr) p;
    for (size_t i = 0; i < m->header.e_phnum; i++)
        if (copy(m, m->header.e_phoff + (uint64_t)i * m->header.e_phentsize, &p, sizeof p))
            o->executable_stack |= p.p_type == PT_GNU_STACK && (p.p_flags & PF_X) != 0;
}

static void read_image(const image *m, check_object *o)
{
    ElfW(Shdr) s;
    for (size_t i = 0; section_at(m, i, &s); i++) {
        o->known |= s.sh_type == SHT_DYNSYM;
        if (s.sh_type == SHT_DYNSYM)
            read_symbols(m, &s, o);
        if (s.sh_type == SHT_DYNAMIC)
            read_dynamic(m, &s, o);
    }
    read_segments(m, o);
}

/* Maps a file; false if it is none that can be looked into. */
static bool open_image(const char *path, image *m)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool good = fd >= 0 && fstat(fd, &st) == 0 && st.st_size > 0;
    void *data = good ? mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    if (fd >= 0)
        close(fd);
    if (data == MAP_FAILED)
        return false;
    *m = (image){.data = data, .len = (size_t)st.st_size};
    if (copy(m, 0, &m->header, sizeof m->header))
        return true;
    munmap(data, m->len);
    return false;
}

static void close_image(image *m)
{
    munmap((void *)(uintptr_t)m->data, m->len);
}

check_object check_object_read(const char *path)
{
    check_object o = {0};
    image m;
    if (open_image(path, &m)) {
        read_image(&m, &o);
        close_image(&m);
    }
    return o;
}

static bool find_name(const image *m, const ElfW(Shdr) * table, uint64_t address, brz_buf *to)
{
    ElfW(Shdr) strings;
    ElfW(Sym) s;
    if (!section_at(m, table->sh_link, &strings))
        return false;
    for (uint64_t at = 0; at + sizeof s <= table->sh_size; at += sizeof s) {
        if (!copy(m, table->sh_offset + at, &s, sizeof s) || s.st_shndx == SHN_UNDEF ||
            address < s.st_value || address - s.st_value >= s.st_size)
            continue;
        brz_buf_add_text(to, name_at(m, &strings, s.st_name));
        return true;
    }
    return false;
}

void check_object_name_at(const char *path, uint64_t address, brz_buf *to)
{
    image m;
    ElfW(Shdr) s;
    if (!open_image(path, &m))
        return;
    for (size_t i = 0; section_at(&m, i, &s); i++)
        if (s.sh_type == SHT_SYMTAB && find_name(&m, &s, address, to))
            break;
    close_image(&m);
}

#else

check_object check_object_read(const char *path)
{
    (void)path;
    return (check_object){0};
}

void check_object_name_at(const char *path, uint64_t address, brz_buf *to)
{
    (void)path;
    (void)address;
    (void)to;
}

#endif

void check_object_finish(check_object *o)
{
    brz_buf_finish(&o->exported);
    brz_buf_finish(&o->needed);
    brz_buf_finish(&o->path);
}
