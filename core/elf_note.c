/* Reads the note of a plug-in from its ELF file: program headers, notes, dynamic section.
 *
 * Nothing in the file is trusted: every offset is checked against the bytes that are there.
 */
#include "elf_note.h"

#include <brazier/plugin.h>

#include <elf.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#if UINTPTR_MAX > UINT32_MAX
typedef Elf64_Ehdr elf_header;
typedef Elf64_Phdr elf_segment;
typedef Elf64_Dyn elf_dynamic;
#define OWN_CLASS ELFCLASS64
#else
typedef Elf32_Ehdr elf_header;
typedef Elf32_Phdr elf_segment;
typedef Elf32_Dyn elf_dynamic;
#define OWN_CLASS ELFCLASS32
#endif

typedef struct image {
    const uint8_t *data;
    size_t len;
    elf_header header;
} image;

/* Copies `size` bytes at an offset; false if they are not all there. */
static bool copy(const image *m, uint64_t offset, void *to, size_t size)
{
    if (offset > m->len || m->len - offset < size)
        return false;
    memcpy(to, m->data + offset, size);
    return true;
}

static bool segment_at(const image *m, size_t i, elf_segment *s)
{
    return copy(m, m->header.e_phoff + (uint64_t)i * m->header.e_phentsize, s, sizeof *s);
}

static bool is_own_elf(image *m)
{
    return copy(m, 0, &m->header, sizeof m->header) &&
           memcmp(m->header.e_ident, ELFMAG, SELFMAG) == 0 &&
           m->header.e_ident[EI_CLASS] == OWN_CLASS && m->header.e_phentsize >= sizeof(elf_segment);
}

/* Looks for our note among those of a segment. */
static bool read_notes(const image *m, const elf_segment *s, brz_elf_note *note)
{
    uint64_t at = s->p_offset, end = at + s->p_filesz;
    brz_plugin_note n;
    while (at < end && copy(m, at, &n, sizeof n)) {
        if (n.type == BRZ_NOTE_TYPE && n.name_size == sizeof n.name && n.desc_size == 8 &&
            memcmp(n.name, BRZ_NOTE_NAME, sizeof n.name) == 0) {
            note->major = n.major;
            note->minor = n.minor;
            return true;
        }
        at += 12 + (((uint64_t)n.name_size + 3) & ~3ull) + (((uint64_t)n.desc_size + 3) & ~3ull);
    }
    return false;
}

/* Where in the file a virtual address is; SIZE_MAX if nowhere. */
static uint64_t offset_of(const image *m, uint64_t address)
{
    elf_segment s;
    for (size_t i = 0; i < m->header.e_phnum && segment_at(m, i, &s); i++)
        if (s.p_type == PT_LOAD && address >= s.p_vaddr && address - s.p_vaddr < s.p_filesz)
            return s.p_offset + (address - s.p_vaddr);
    return UINT64_MAX;
}

static void add_name(const image *m, uint64_t offset, brz_buf *b)
{
    if (offset >= m->len || memchr(m->data + offset, '\0', m->len - offset) == NULL)
        return;
    brz_buf_printf(b, "%s%s", b->len > 0 ? " " : "", (const char *)m->data + offset);
}

static void read_needed(const image *m, const elf_segment *s, brz_buf *needed)
{
    uint64_t strings = UINT64_MAX;
    elf_dynamic d;
    for (uint64_t at = s->p_offset; copy(m, at, &d, sizeof d) && d.d_tag != DT_NULL; at += sizeof d)
        if (d.d_tag == DT_STRTAB)
            strings = offset_of(m, d.d_un.d_ptr);
    if (strings == UINT64_MAX)
        return;
    for (uint64_t at = s->p_offset; copy(m, at, &d, sizeof d) && d.d_tag != DT_NULL; at += sizeof d)
        if (d.d_tag == DT_NEEDED)
            add_name(m, strings + d.d_un.d_val, needed);
}

static void read_image(image *m, brz_elf_note *note)
{
    elf_segment s;
    if (!is_own_elf(m)) {
        note->found = BRZ_NOTE_FOREIGN;
        return;
    }
    note->found = BRZ_NOTE_ABSENT;
    for (size_t i = 0; i < m->header.e_phnum && segment_at(m, i, &s); i++) {
        if (s.p_type == PT_NOTE && read_notes(m, &s, note))
            note->found = BRZ_NOTE_PRESENT;
        if (s.p_type == PT_DYNAMIC)
            read_needed(m, &s, &note->needed);
    }
}

brz_elf_note brz_elf_note_read(int fd)
{
    brz_elf_note note = {.found = BRZ_NOTE_UNREADABLE};
    struct stat st;
    if (fstat(fd, &st) != 0 || st.st_size <= 0)
        return note;
    void *data = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (data == MAP_FAILED)
        return note;
    image m = {.data = data, .len = (size_t)st.st_size};
    read_image(&m, &note);
    munmap(data, (size_t)st.st_size);
    return note;
}
