/* SPDX-License-Identifier: MIT */
/* Reads the note of a plug-in from its ELF file: program headers, notes, dynamic section. */
#include "plugin/elf_note.h"

#include <brazier/plugin.h>

#include <string.h>

#include "plugin/elf_file.h"

/* Returns whether the file contains all data of its segments. */
static bool is_whole(const brz_elf_file *e)
{
    brz_elf_segment s;
    for (size_t i = 0; i < e->header.e_phnum; i++)
        if (!brz_elf_segment_at(e, i, &s) || s.p_offset > e->file_len ||
            e->file_len - s.p_offset < s.p_filesz)
            return false;
    return true;
}

/* Size of a note up to the minor, which is the minimum, and up to its content. */
#define NOTE_LEAST offsetof(brz_plugin_note, sdk)
#define NOTE_HEAD  offsetof(brz_plugin_note, major)

static uint64_t size_of_note(const brz_plugin_note *n)
{
    return 12 + (((uint64_t)n->name_size + 3) & ~3ull) + (((uint64_t)n->desc_size + 3) & ~3ull);
}

/* Searches a segment from an offset for brazier's note of a type. Returns its offset in the file
 * and copies its sizes, or returns UINT64_MAX. */
static uint64_t find_note(const brz_elf_file *e, const brz_elf_segment *s, uint64_t at,
                          uint32_t type, brz_plugin_note *n)
{
    uint64_t end = s->p_offset + s->p_filesz;
    for (; at < end && brz_elf_copy(e, at, n, NOTE_HEAD); at += size_of_note(n))
        if (n->type == type && n->name_size == sizeof n->name &&
            memcmp(n->name, BRZ_NOTE_NAME, sizeof n->name) == 0)
            return at;
    return UINT64_MAX;
}

/* Reads the note of the ABI from a segment. A file can have a note for each of several majors:
 * takes the first of this host's major, or the first of all if this major has none. `found` says
 * whether an earlier segment had one. */
static bool read_note(const brz_elf_file *e, const brz_elf_segment *s, bool found,
                      brz_elf_note *note)
{
    brz_plugin_note n = {0};
    uint64_t at = find_note(e, s, s->p_offset, BRZ_NOTE_TYPE, &n);
    for (; at != UINT64_MAX; at = find_note(e, s, at + size_of_note(&n), BRZ_NOTE_TYPE, &n)) {
        if (n.desc_size < 8 || !brz_elf_copy(e, at, &n, NOTE_LEAST))
            continue;
        if (found && (note->major == BRZ_ABI_MAJOR || n.major != BRZ_ABI_MAJOR))
            continue;
        note->major = n.major;
        note->minor = n.minor;
        note->sdk = n.desc_size >= 12 && brz_elf_copy(e, at, &n, sizeof n) ? n.sdk : 0;
        found = true;
    }
    return found;
}

/* Returns the file offset of a virtual address, or UINT64_MAX if it is not in the file. */
static uint64_t offset_of(const brz_elf_file *e, uint64_t address)
{
    brz_elf_segment s;
    for (size_t i = 0; brz_elf_segment_at(e, i, &s); i++)
        if (s.p_type == PT_LOAD && address >= s.p_vaddr && address - s.p_vaddr < s.p_filesz)
            return s.p_offset + (address - s.p_vaddr);
    return UINT64_MAX;
}

/* Copies the i-th entry of the dynamic section in a segment. Returns false at its end. */
static bool dynamic_at(const brz_elf_file *e, const brz_elf_segment *s, size_t i,
                       brz_elf_dynamic *d)
{
    return brz_elf_copy(e, s->p_offset + (uint64_t)i * sizeof *d, d, sizeof *d) &&
           d->d_tag != DT_NULL;
}

static void add_name(const brz_elf_file *e, uint64_t offset, brz_buf *b)
{
    const char *name = brz_elf_text(e, offset);
    if (name != NULL)
        brz_buf_printf(b, "%s%s", b->len > 0 ? " " : "", name);
}

static void read_needed(const brz_elf_file *e, const brz_elf_segment *s, brz_buf *needed)
{
    uint64_t strings = UINT64_MAX;
    brz_elf_dynamic d;
    for (size_t i = 0; dynamic_at(e, s, i, &d); i++)
        if (d.d_tag == DT_STRTAB)
            strings = offset_of(e, d.d_un.d_ptr);
    if (strings == UINT64_MAX)
        return;
    for (size_t i = 0; dynamic_at(e, s, i, &d); i++)
        if (d.d_tag == DT_NEEDED)
            add_name(e, strings + d.d_un.d_val, needed);
}

static brz_note_found read_segments(const brz_elf_file *e, brz_elf_note *note, brz_buf *needed)
{
    brz_note_found found = BRZ_NOTE_ABSENT;
    brz_elf_segment s;
    if (e->header.e_phentsize < sizeof s)
        return BRZ_NOTE_FOREIGN;
    if (!is_whole(e))
        return BRZ_NOTE_CUT_OFF;
    for (size_t i = 0; brz_elf_segment_at(e, i, &s); i++) {
        if (s.p_type == PT_NOTE && read_note(e, &s, found == BRZ_NOTE_PRESENT, note))
            found = BRZ_NOTE_PRESENT;
        if (s.p_type == PT_DYNAMIC && needed != NULL)
            read_needed(e, &s, needed);
    }
    return found;
}

/* Returns whether all notes are in the part of the file that was read. */
static bool has_all_notes(const brz_elf_file *e)
{
    brz_elf_segment s;
    for (size_t i = 0; brz_elf_segment_at(e, i, &s); i++)
        if (s.p_type == PT_NOTE && (s.p_offset > e->len || e->len - s.p_offset < s.p_filesz))
            return false;
    return true;
}

/* Size of the beginning of a file; the notes of a plug-in precede its code. */
#define BEGINNING 2048

/* Copies the note of the hints from a file of which the beginning was read. */
static bool read_hints(const brz_elf_file *e, char *hints, size_t size, size_t *n)
{
    brz_plugin_note note;
    brz_elf_segment s;
    for (size_t i = 0; brz_elf_segment_at(e, i, &s); i++) {
        uint64_t at =
            s.p_type == PT_NOTE ? find_note(e, &s, s.p_offset, BRZ_NOTE_HINTS, &note) : UINT64_MAX;
        if (at == UINT64_MAX)
            continue;
        *n = note.desc_size;
        return note.desc_size <= size && brz_elf_copy(e, at + NOTE_HEAD, hints, note.desc_size);
    }
    return false;
}

bool brz_elf_hints_read(int fd, char *hints, size_t size, size_t *n)
{
    uint8_t beginning[BEGINNING];
    brz_elf_file e;
    bool found = brz_elf_open_beginning(&e, fd, UINT64_MAX, beginning, sizeof beginning) ==
                     BRZ_ELF_GOOD && /* the length does not matter */
                 e.header.e_phentsize >= sizeof(brz_elf_segment) &&
                 has_all_notes(&e) && read_hints(&e, hints, size, n);
    brz_elf_close(&e);
    return found;
}

/* Looks for the note at the beginning of the file. Returns false if that does not suffice. */
static bool read_beginning(int fd, uint64_t file_len, brz_elf_note *note)
{
    uint8_t beginning[BEGINNING];
    brz_elf_file e;
    bool found =
        brz_elf_open_beginning(&e, fd, file_len, beginning, sizeof beginning) == BRZ_ELF_GOOD &&
        has_all_notes(&e) && read_segments(&e, note, NULL) == BRZ_NOTE_PRESENT;
    brz_elf_close(&e);
    return found;
}

brz_elf_note brz_elf_note_read(int fd, uint64_t file_len, brz_buf *needed)
{
    static const brz_note_found without_segments[] = {
        [BRZ_ELF_FOREIGN] = BRZ_NOTE_FOREIGN,
        [BRZ_ELF_OTHER_MACHINE] = BRZ_NOTE_OTHER_MACHINE,
        [BRZ_ELF_CUT_OFF] = BRZ_NOTE_CUT_OFF,
        [BRZ_ELF_UNREADABLE] = BRZ_NOTE_UNREADABLE,
    };
    brz_elf_note note = {.found = BRZ_NOTE_PRESENT};
    brz_elf_file e;
    if (needed == NULL && read_beginning(fd, file_len, &note))
        return note;
    brz_elf_found found = brz_elf_open(&e, fd);
    note.found = found == BRZ_ELF_GOOD ? read_segments(&e, &note, needed) : without_segments[found];
    brz_elf_close(&e);
    return note;
}
