/* SPDX-License-Identifier: MIT */
/* Reads what a plug-in's file contains before it is loaded: the notes of BRZ_PLUGIN() and
 * BRZ_HINTS(), and the list of required libraries. */
#ifndef BRZ_ELF_NOTE_H
#define BRZ_ELF_NOTE_H

#include <brazier/base.h>

#include "base/buf.h"

typedef enum brz_note_found {
    BRZ_NOTE_PRESENT,
    BRZ_NOTE_ABSENT,        /* a valid ELF file, but not a plug-in */
    BRZ_NOTE_FOREIGN,       /* not an ELF file */
    BRZ_NOTE_OTHER_MACHINE, /* other word size or byte order */
    BRZ_NOTE_CUT_OFF,       /* shorter than its headers say: the dynamic loader would crash */
    BRZ_NOTE_UNREADABLE,    /* see errno */
} brz_note_found;

typedef struct brz_elf_note {
    brz_note_found found;
    uint32_t major, minor;
    uint32_t sdk; /* BRZ_SDK_VERSION; 0: unknown */
} brz_elf_note;

/* Reads the file of `fd`, whose length is `file_len`, or not known if that is 0. If `fd` is -1,
 * returns BRZ_NOTE_UNREADABLE with errno unchanged. Unless `needed` is NULL, appends the names of
 * required libraries to it, separated by spaces. */
brz_elf_note brz_elf_note_read(int fd, uint64_t file_len, brz_buf *needed);

/* Copies the content of the note of BRZ_HINTS() and sets *n to its size. Returns false if there is
 * none in the first bytes of the file, or if it is longer than `size`. */
bool brz_elf_hints_read(int fd, char *hints, size_t size, size_t *n);

#endif
