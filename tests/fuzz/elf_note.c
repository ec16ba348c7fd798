/* Fuzzes the reader of a plug-in's ELF note: it examines files before they are loaded and must not
 * trust their contents. */
#include "fuzz.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "plugin/elf_note.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_stdin_file(data, size);
    brz_elf_note note = brz_elf_note_read(STDIN_FILENO);
    FUZZ_REQUIRE(note.found != BRZ_NOTE_UNREADABLE, "it is readable");
    FUZZ_REQUIRE(strlen(brz_buf_text(&note.needed)) == note.needed.len, "a name holds a NUL");
    FUZZ_REQUIRE(note.found == BRZ_NOTE_PRESENT || note.found == BRZ_NOTE_ABSENT ||
                     note.needed.len == 0,
                 "libraries of what is no ELF file");
    brz_buf_finish(&note.needed);
    return 0;
}

bool fuzz_variant(unsigned i, fuzz_settings *s)
{
    (void)i;
    (void)s;
    return false;
}
