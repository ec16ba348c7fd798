/* SPDX-License-Identifier: MIT */
/* Reads build ids.
 *
 * Only a bounded part of a file is read, and never by mapping it: the files belong to the recorded
 * processes, which may change them meanwhile.
 */
#include "record/build_id.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "plugin/elf_file.h"

#define NOTE_GNU_BUILD_ID 3

/* Bytes of the beginning of a file, which has its segments, and of its notes, that are read. */
#define BEGINNING 4096
#define NOTES_MAX 4096

/* Number of files whose build ids are kept. */
#define KEPT 1024

/* ---- notes ----------------------------------------------------------------------------------- */

static uint32_t u32_at(brz_str s, size_t at)
{
    uint32_t value;
    memcpy(&value, s.data + at, sizeof value);
    return value;
}

size_t brz_build_id_find(brz_str notes, uint8_t id[BRZ_BUILD_ID_MAX])
{
    for (size_t at = 0; at + 12 <= notes.len;) {
        size_t name = u32_at(notes, at), size = u32_at(notes, at + 4);
        size_t text = at + 12, content = text + (name + 3) / 4 * 4;
        if (name > notes.len || size > notes.len || content + size > notes.len)
            return 0;
        if (u32_at(notes, at + 8) == NOTE_GNU_BUILD_ID && name == 4 && size <= BRZ_BUILD_ID_MAX &&
            memcmp(notes.data + text, "GNU", 4) == 0) {
            memcpy(id, notes.data + content, size);
            return size;
        }
        at = content + (size + 3) / 4 * 4;
    }
    return 0;
}

/* ---- files ----------------------------------------------------------------------------------- */

/* Opens the file at a path. Returns -1 if it does not have the inode, or is no regular file, which
 * is found out without opening it. */
static int open_inode(brz_buf *path, uint64_t inode)
{
    struct stat st;
    int fd = -1, place = open(brz_buf_text(path), O_PATH | O_CLOEXEC);
    if (place >= 0 && fstat(place, &st) == 0 && S_ISREG(st.st_mode) && st.st_ino == inode) {
        brz_buf_clear(path);
        brz_buf_printf(path, "/proc/self/fd/%d", place);
        fd = open(brz_buf_text(path), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    }
    if (place >= 0)
        close(place);
    brz_buf_clear(path);
    return fd;
}

/* Opens a file below the root of its process. A deleted one is still where the process maps it,
 * which only root may open, or executes it. Returns -1 if it is nowhere. */
static int open_mapped(const brz_mapped_file *f)
{
    brz_buf path = {0};
    brz_buf_printf(&path, "/proc/%d/root%s", f->pid, f->name);
    int fd = open_inode(&path, f->inode);
    if (fd < 0) {
        brz_buf_printf(&path, "/proc/%d/map_files/%llx-%llx", f->pid, (unsigned long long)f->start,
                       (unsigned long long)f->end);
        fd = open_inode(&path, f->inode);
    }
    if (fd < 0) {
        brz_buf_printf(&path, "/proc/%d/exe", f->pid);
        fd = open_inode(&path, f->inode);
    }
    brz_buf_finish(&path);
    return fd;
}

static size_t read_notes(int fd, const brz_elf_segment *s, uint8_t id[BRZ_BUILD_ID_MAX])
{
    char notes[NOTES_MAX];
    size_t size = s->p_filesz < sizeof notes ? (size_t)s->p_filesz : sizeof notes;
    ssize_t n = pread(fd, notes, size, (off_t)s->p_offset);
    return n <= 0 ? 0 : brz_build_id_find(brz_str_of(notes, (size_t)n), id);
}

size_t brz_build_id_of_file(int fd, uint8_t id[BRZ_BUILD_ID_MAX])
{
    uint8_t beginning[BEGINNING];
    brz_elf_file e;
    brz_elf_segment s;
    size_t found = 0;
    if (brz_elf_open_beginning(&e, fd, 0, beginning, sizeof beginning) == BRZ_ELF_GOOD &&
        e.header.e_phentsize == sizeof s)
        for (size_t i = 0; found == 0 && brz_elf_segment_at(&e, i, &s); i++)
            if (s.p_type == PT_NOTE)
                found = read_notes(fd, &s, id);
    brz_elf_close(&e);
    return found;
}

/* ---- kept ids -------------------------------------------------------------------------------- */

typedef struct kept {
    uint64_t major, minor, inode; /* inode 0: empty */
    size_t size;
    uint8_t id[BRZ_BUILD_ID_MAX];
} kept;

/* Each inode has one place. Another file takes the place over. */
struct brz_build_ids {
    kept places[KEPT];
};

brz_build_ids *brz_build_ids_create(void)
{
    return brz_calloc(1, sizeof(brz_build_ids));
}

void brz_build_ids_destroy(brz_build_ids *b)
{
    free(b);
}

/* Reads the build id of a file. A file that cannot be opened is not kept: a process that has ended
 * may share it with others, which still have it. */
static void look_up(kept *k, const brz_mapped_file *f)
{
    *k = (kept){.inode = 0};
    int fd = open_mapped(f);
    if (fd < 0)
        return;
    *k = (kept){.major = f->major, .minor = f->minor, .inode = f->inode};
    k->size = brz_build_id_of_file(fd, k->id);
    close(fd);
}

size_t brz_build_ids_read(brz_build_ids *b, const brz_mapped_file *f, uint8_t id[BRZ_BUILD_ID_MAX])
{
    kept *k = &b->places[f->inode % KEPT];
    if (f->inode == 0 || f->name[0] != '/')
        return 0;
    if (k->inode != f->inode || k->major != f->major || k->minor != f->minor)
        look_up(k, f);
    memcpy(id, k->id, sizeof k->id);
    return k->size;
}
