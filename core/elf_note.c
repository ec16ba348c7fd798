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

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define OWN_ORDER ELFDATA2MSB
#else
#define OWN_ORDER ELFDATA2LSB
#endif

/* What can be said by the header alone; BRZ_NOTE_ABSENT: go on. */
static brz_note_found check_header(image *m)
{
    if (m->len < SELFMAG || memcmp(m->data, ELFMAG, SELFMAG) != 0)
        return BRZ_NOTE_FOREIGN;
    if (!copy(m, 0, &m->header, sizeof m->header))
        return BRZ_NOTE_CUT_OFF;
    if (m->header.e_ident[EI_CLASS] != OWN_CLASS || m->header.e_ident[EI_DATA] != OWN_ORDER)
        return BRZ_NOTE_OTHER_MACHINE;
    return m->header.e_phentsize >= sizeof(elf_segment) ? BRZ_NOTE_ABSENT : BRZ_NOTE_FOREIGN;
}

/* True if all that would be mapped is there. */
static bool is_whole(const image *m)
{
    elf_segment s;
    for (size_t i = 0; i < m->header.e_phnum; i++)
        if (!segment_at(m, i, &s) || s.p_offset > m->len || m->len - s.p_offset < s.p_filesz)
            return false;
    return true;
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
    note->found = check_header(m);
    if (note->found == BRZ_NOTE_ABSENT && !is_whole(m))
        note->found = BRZ_NOTE_CUT_OFF;
    if (note->found != BRZ_NOTE_ABSENT)
        return;
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
    if (fd < 0 || fstat(fd, &st) != 0)
        return note;
    if (st.st_size <= 0) {
        note.found = BRZ_NOTE_FOREIGN;
        return note;
    }
    void *data = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (data == MAP_FAILED)
        return note;
    image m = {.data = data, .len = (size_t)st.st_size};
    read_image(&m, &note);
    munmap(data, (size_t)st.st_size);
    return note;
}
