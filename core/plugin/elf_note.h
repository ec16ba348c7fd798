/* What a plug-in's file says of itself before it is loaded: the note of BRZ_PLUGIN, and which
 * libraries it needs. */
#ifndef BRZ_ELF_NOTE_H
#define BRZ_ELF_NOTE_H

#include <brazier/base.h>

#include "base/buf.h"

typedef enum brz_note_found {
    BRZ_NOTE_PRESENT,
    BRZ_NOTE_ABSENT,        /* a good ELF file, but not a plug-in */
    BRZ_NOTE_FOREIGN,       /* not an ELF file */
    BRZ_NOTE_OTHER_MACHINE, /* of another word size or byte order */
    BRZ_NOTE_CUT_OFF,       /* shorter than its headers say: the loader would crash on it */
    BRZ_NOTE_UNREADABLE,    /* errno says why */
} brz_note_found;

typedef struct brz_elf_note {
    brz_note_found found;
    uint32_t major, minor;
    brz_buf needed; /* libraries, separated by blanks */
} brz_elf_note;

/* Reads the file behind `fd`, which may be -1: unreadable, as errno has said already. Finish
 * `needed`. */
brz_elf_note brz_elf_note_read(int fd);

#endif
