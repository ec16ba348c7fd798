/* An ELF file of this machine as it lies on the disk, of which nothing is believed.
 *
 * What is asked for is copied out if all of it is there: so no offset, count or size that the file
 * states can lead outside of it, and nothing needs to be aligned.
 */
#ifndef BRZ_ELF_FILE_H
#define BRZ_ELF_FILE_H

#include <brazier/base.h>

#include <elf.h>

#if UINTPTR_MAX > UINT32_MAX
typedef Elf64_Ehdr brz_elf_header;
typedef Elf64_Phdr brz_elf_segment;
typedef Elf64_Shdr brz_elf_section;
typedef Elf64_Dyn brz_elf_dynamic;
typedef Elf64_Sym brz_elf_symbol;
#else
typedef Elf32_Ehdr brz_elf_header;
typedef Elf32_Phdr brz_elf_segment;
typedef Elf32_Shdr brz_elf_section;
typedef Elf32_Dyn brz_elf_dynamic;
typedef Elf32_Sym brz_elf_symbol;
#endif

typedef struct brz_elf_file {
    const uint8_t *data; /* mapped */
    size_t len;
    brz_elf_header header;
} brz_elf_file;

typedef enum brz_elf_found {
    BRZ_ELF_GOOD,          /* its header is; all else is yet to be looked at */
    BRZ_ELF_FOREIGN,       /* not an ELF file */
    BRZ_ELF_OTHER_MACHINE, /* of another word size or byte order */
    BRZ_ELF_CUT_OFF,       /* within its header */
    BRZ_ELF_UNREADABLE,    /* errno says why */
} brz_elf_found;

/* Maps the file behind `fd`, which may be closed then, or -1: unreadable, as errno has said
 * already. Close it whatever is returned. */
brz_elf_found brz_elf_open(brz_elf_file *e, int fd);
void brz_elf_close(brz_elf_file *e);

/* These fill in *to and return true, or return false if what is asked for is not all there. */

/* `size` bytes at an offset of the file. */
bool brz_elf_copy(const brz_elf_file *e, uint64_t offset, void *to, size_t size);

/* The i-th segment, or section, as the header counts them. */
bool brz_elf_segment_at(const brz_elf_file *e, size_t i, brz_elf_segment *to);
bool brz_elf_section_at(const brz_elf_file *e, size_t i, brz_elf_section *to);

/* The i-th of a section's entries, which have `size` bytes each. */
bool brz_elf_entry_at(const brz_elf_file *e, const brz_elf_section *s, size_t i, void *to,
                      size_t size);

/* The terminated text at an offset of the file; NULL if there is none, or no end of it. */
const char *brz_elf_text(const brz_elf_file *e, uint64_t offset);

#endif
