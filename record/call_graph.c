/* Chooses how callers are recorded.
 *
 * A program has frame pointers if most of its functions begin by saving one. Where the functions
 * begin is in the table of .eh_frame_hdr, which stripped programs have as well.
 */
#include "record/call_graph.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plugin/elf_file.h"
#include "record/small_file.h"

/* Number of functions that are looked at, evenly spread. */
#define FUNCTIONS_MAX 400

/* Bytes at the beginning of a function that are looked at. */
#define PROLOGUE 24

/* Encodings of .eh_frame_hdr that linkers write: 4 bytes unsigned, and relative to the section. */
#define COUNT_ENCODING 0x03
#define TABLE_ENCODING 0x3b

/* ---- option ---------------------------------------------------------------------------------- */

bool brz_call_graph_parse(const char *text, brz_call_graph *g, uint32_t *stack_size)
{
    static const char *const words[] = {"auto", "fp", "dwarf", "none"};
    size_t len = strcspn(text, ",");
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strlen(words[i]) != len || memcmp(words[i], text, len) != 0)
            continue;
        *g = (brz_call_graph)i;
        if (text[len] == '\0')
            return true;
        char *end;
        unsigned long size = strtoul(text + len + 1, &end, 10);
        *stack_size = (uint32_t)((size + 7) / 8 * 8);
        return *g == BRZ_CALL_GRAPH_DWARF && text[len + 1] >= '1' && text[len + 1] <= '9' &&
               *end == '\0' && size <= BRZ_STACK_SIZE_MAX;
    }
    return false;
}

/* ---- functions ------------------------------------------------------------------------------- */

#if defined(__x86_64__)

/* Returns whether code saves the frame pointer: push %rbp, and soon mov %rsp,%rbp. */
static bool saves_frame_pointer(const uint8_t *code)
{
    static const uint8_t branch_target[] = {0xf3, 0x0f, 0x1e, 0xfa};
    size_t at = memcmp(code, branch_target, sizeof branch_target) == 0 ? sizeof branch_target : 0;
    if (code[at] != 0x55)
        return false;
    for (at++; at + 3 <= PROLOGUE; at++)
        if (code[at] == 0x48 && ((code[at + 1] == 0x89 && code[at + 2] == 0xe5) ||
                                 (code[at + 1] == 0x8b && code[at + 2] == 0xec)))
            return true;
    return false;
}

/* Returns whether code is a jump to a library or the like, which no compiler made. */
static bool is_linkers(const uint8_t *code)
{
    static const uint8_t branch_target[] = {0xf3, 0x0f, 0x1e, 0xfa};
    size_t at = memcmp(code, branch_target, sizeof branch_target) == 0 ? sizeof branch_target : 0;
    return code[at] == 0xff || code[at] == 0x68 || code[at] == 0xf2;
}

/* Copies code at an address. */
static bool copy_code(const brz_elf_file *e, uint64_t address, void *to)
{
    brz_elf_segment s;
    for (size_t i = 0; i < e->header.e_phnum && brz_elf_segment_at(e, i, &s); i++)
        if (s.p_type == PT_LOAD && (s.p_flags & PF_X) != 0 && address >= s.p_vaddr &&
            address - s.p_vaddr < s.p_filesz)
            return brz_elf_copy(e, s.p_offset + (address - s.p_vaddr), to, PROLOGUE);
    return false;
}

static bool find_frame_table(const brz_elf_file *e, brz_elf_segment *s)
{
    for (size_t i = 0; i < e->header.e_phnum && brz_elf_segment_at(e, i, s); i++)
        if (s->p_type == PT_GNU_EH_FRAME)
            return true;
    return false;
}

/* Counts functions of a table, and those with a frame pointer. Returns false if there is no table.
 */
static bool count_functions(const brz_elf_file *e, unsigned *n, unsigned *with)
{
    brz_elf_segment table;
    uint8_t encodings[4], code[PROLOGUE];
    uint32_t count;
    int32_t entry[2];
    *n = *with = 0;
    if (!find_frame_table(e, &table) || !brz_elf_copy(e, table.p_offset, encodings, 4) ||
        !brz_elf_copy(e, table.p_offset + 8, &count, sizeof count) ||
        encodings[2] != COUNT_ENCODING || encodings[3] != TABLE_ENCODING)
        return false;
    uint32_t step = count / FUNCTIONS_MAX + 1;
    for (uint32_t i = 0; i < count; i += step) {
        if (!brz_elf_copy(e, table.p_offset + 12 + 8 * (uint64_t)i, entry, sizeof entry))
            return false;
        uint64_t address = table.p_vaddr + (uint64_t)(int64_t)entry[0];
        if (address == e->header.e_entry || !copy_code(e, address, code) || is_linkers(code))
            continue;
        ++*n;
        *with += saves_frame_pointer(code);
    }
    return true;
}

/* Returns whether the program has a section of this name. */
static bool has_section(const brz_elf_file *e, const char *name)
{
    brz_elf_section names, s;
    if (!brz_elf_section_at(e, e->header.e_shstrndx, &names))
        return false;
    for (size_t i = 0; i < e->header.e_shnum && brz_elf_section_at(e, i, &s); i++) {
        const char *text = brz_elf_text(e, names.sh_offset + s.sh_name);
        if (text != NULL && strcmp(text, name) == 0)
            return true;
    }
    return false;
}

static brz_call_graph choose_for(const brz_elf_file *e, const char *path, brz_buf *reason)
{
    unsigned n, with;
    if (has_section(e, ".gopclntab") || has_section(e, ".note.go.buildid")) {
        brz_buf_printf(reason, "frame pointers, since %s is a Go program", path);
        return BRZ_CALL_GRAPH_FP;
    }
    if (!count_functions(e, &n, &with) || n == 0) {
        brz_buf_printf(reason, "frame pointers, since %s has no .eh_frame for anything else", path);
        return BRZ_CALL_GRAPH_FP;
    }
    bool has = with >= n - n / 2;
    brz_buf_printf(reason, "%s, since %u of %u functions of %s keep a frame pointer",
                   has ? "frame pointers" : "copies of stacks", with, n, path);
    return has ? BRZ_CALL_GRAPH_FP : BRZ_CALL_GRAPH_DWARF;
}

brz_call_graph brz_call_graph_choose(const char *path, brz_buf *reason)
{
    brz_elf_file e;
    brz_call_graph g = BRZ_CALL_GRAPH_FP;
    int fd = path == NULL ? -1 : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    brz_elf_found found = brz_elf_open(&e, fd);
    if (fd >= 0)
        close(fd);
    if (found == BRZ_ELF_GOOD)
        g = choose_for(&e, path, reason);
    else
        brz_buf_add_text(reason, path == NULL ? "frame pointers, which cost least"
                                              : "frame pointers, since the program cannot be read");
    brz_elf_close(&e);
    return g;
}

#else

brz_call_graph brz_call_graph_choose(const char *path, brz_buf *reason)
{
    (void)path;
    brz_buf_add_text(reason, "frame pointers, which programs for this processor usually have");
    return BRZ_CALL_GRAPH_FP;
}

#endif

/* ---- programs -------------------------------------------------------------------------------- */

/* Appends the file of a program's name. Returns false if no such file exists. */
static bool search(const char *word, brz_buf *path)
{
    const char *folders = getenv("PATH");
    if (strchr(word, '/') != NULL) {
        brz_buf_add_text(path, word);
        return access(word, X_OK) == 0;
    }
    for (const char *at = folders == NULL ? "/usr/bin:/bin" : folders; *at != '\0';) {
        size_t n = strcspn(at, ":");
        brz_buf_clear(path);
        brz_buf_printf(path, "%.*s/%s", n == 0 ? 1 : (int)n, n == 0 ? "." : at, word);
        if (access(brz_buf_text(path), X_OK) == 0)
            return true;
        at += n + (at[n] == ':');
    }
    return false;
}

/* Reads the line "#!INTERPRETER [WORD]" of a script. Returns false if the file is not a script. */
static bool read_interpreter(const char *path, char line[256])
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t n = fd < 0 ? -1 : read(fd, line, 255);
    if (fd >= 0)
        close(fd);
    line[n < 0 ? 0 : n] = '\0';
    line[strcspn(line, "\n")] = '\0';
    return n > 2 && line[0] == '#' && line[1] == '!';
}

void brz_program_find(const char *word, brz_buf *path)
{
    char line[256], *rest;
    if (!search(word, path)) {
        brz_buf_clear(path);
        return;
    }
    if (!read_interpreter(brz_buf_text(path), line))
        return;
    const char *program = strtok_r(line + 2, " \t", &rest);
    const char *name = program == NULL ? NULL : strrchr(program, '/');
    bool is_env = name != NULL && strcmp(name, "/env") == 0;
    const char *argument = is_env ? strtok_r(NULL, " \t", &rest) : NULL;
    brz_buf_clear(path);
    if (program != NULL && !search(argument != NULL ? argument : program, path))
        brz_buf_clear(path);
}
