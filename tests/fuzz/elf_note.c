/* SPDX-License-Identifier: MIT */
/* Fuzzes the reader of a plug-in's ELF note: it examines files before they are loaded and must not
 * trust their contents. */
#include "fuzz.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "plugin/elf_note.h"

/* Compares the note with that of a caller who does not ask for the libraries. */
static bool is_same(const brz_elf_note *a, const brz_elf_note *b)
{
    if (a->found != b->found)
        return false;
    return a->found != BRZ_NOTE_PRESENT ||
           (a->major == b->major && a->minor == b->minor && a->sdk == b->sdk);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    brz_buf needed = {0};
    fuzz_stdin_file(data, size);
    brz_elf_note note = brz_elf_note_read(STDIN_FILENO, 0, &needed);
    brz_elf_note alone = brz_elf_note_read(STDIN_FILENO, 0, NULL);
    FUZZ_REQUIRE(is_same(&note, &alone), "the note depends on the libraries");
    FUZZ_REQUIRE(note.found != BRZ_NOTE_UNREADABLE, "it is readable");
    FUZZ_REQUIRE(strlen(brz_buf_text(&needed)) == needed.len, "a name holds a NUL");
    FUZZ_REQUIRE(note.found == BRZ_NOTE_PRESENT || note.found == BRZ_NOTE_ABSENT || needed.len == 0,
                 "libraries of what is no ELF file");
    brz_buf_finish(&needed);
    return 0;
}

bool fuzz_variant(unsigned i, fuzz_settings *s)
{
    (void)i;
    (void)s;
    return false;
}
