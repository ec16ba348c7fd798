/* SPDX-License-Identifier: MIT */
/* Chooses how callers are recorded.
 *
 * A program has frame pointers if most of its functions begin by saving one, and if main() does:
 * in Rust programs, most functions may belong to the standard library, which has them. Call-frame
 * information, which stripped programs have as well, says where the functions begin. On arm64,
 * main() is not looked for. Functions that call no others have no callers to lose, so they do not
 * count if others do. The libraries that the program needs have to have frame pointers, too, except
 * for the C library and its like, which seldom call the program. The launcher of a Java virtual
 * machine says nothing about the compiled code that it will run, which has no tables.
 */
#include "record/call_graph.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "plugin/elf_file.h"
#include "record/functions.h"
#include "record/libraries.h"
#include "record/small_file.h"

/* Number of functions that are examined, evenly spread. */
#define FUNCTIONS_MAX 400

/* Bytes at the beginning of a function that are examined: instructions have up to 4 bytes on arm64,
 * where the compiler puts others between those that make a frame. */
#define PROLOGUE       24
#define PROLOGUE_ARM64 48

/* Bytes of main(), and of the code that calls it, that are examined. */
#define MAIN_SIZE  512
#define ENTRY_SIZE 64

/* Bytes of a function in which calls are looked for. */
#define BODY_MAX 2048

/* Library that starts Java virtual machines. */
#define JAVA_LAUNCHER "libjli.so"

/* ---- option ---------------------------------------------------------------------------------- */

bool brz_call_graph_parse(const char *text, brz_call_graph *g, uint32_t *stack_size)
{
    static const char *const words[] = {"auto", "fp", "dwarf", "none"};
    size_t len = strcspn(text, ",");
    for (size_t i = 0; i < BRZ_COUNT_OF(words); i++) {
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

#if defined(__x86_64__) || defined(__aarch64__)

/* The result of examining the beginning of a function. */
typedef enum beginning { HAS_POINTER, LACKS_POINTER, SAYS_NOTHING } beginning;

/* Looks at PROLOGUE_ARM64 bytes of code. */
typedef beginning judge_fn(const uint8_t *code);

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

static beginning judge_x86_64(const uint8_t *code)
{
    if (is_linkers(code))
        return SAYS_NOTHING;
    return saves_frame_pointer(code) ? HAS_POINTER : LACKS_POINTER;
}

/* Returns whether an instruction of arm64 stores the return address, %x30, on the stack: stp of it
 * and another register, or str. */
static bool stores_link(uint32_t code)
{
    bool is_pair = (code & 0xff4003e0) == 0xa90003e0;
    bool is_single = (code & 0xffe00fff) == 0xf8000ffe || (code & 0xffc003ff) == 0xf90003fe;
    return is_single || (is_pair && ((code & 0x1f) == 30 || (code >> 10 & 0x1f) == 30));
}

/* Functions that call nothing keep no frame on arm64, so only those count that store the return
 * address; they have a frame pointer if %x29 is set from the stack pointer: add, of which mov is a
 * form. */
static beginning judge_arm64(const uint8_t *code)
{
    bool stores = false;
    uint32_t word;
    for (size_t at = 0; at < PROLOGUE_ARM64; at += sizeof word) {
        memcpy(&word, code + at, sizeof word);
        stores |= stores_link(word);
        if (stores && (word & 0xffc003ff) == 0x910003fd)
            return HAS_POINTER;
    }
    return stores ? LACKS_POINTER : SAYS_NOTHING;
}

/* Returns how to judge functions of a program, or NULL. */
static judge_fn *judge_of(const brz_elf_file *e)
{
    if (e->header.e_machine == EM_X86_64)
        return judge_x86_64;
    return e->header.e_machine == EM_AARCH64 ? judge_arm64 : NULL;
}

/* Copies code at an address. */
static bool copy_code(const brz_elf_file *e, uint64_t address, void *to, size_t size)
{
    brz_elf_segment s;
    for (size_t i = 0; i < e->header.e_phnum && brz_elf_segment_at(e, i, &s); i++)
        if (s.p_type == PT_LOAD && (s.p_flags & PF_X) != 0 && address >= s.p_vaddr &&
            address - s.p_vaddr < s.p_filesz)
            return brz_elf_copy(e, s.p_offset + (address - s.p_vaddr), to, size);
    return false;
}

/* Copies the beginning of a function. Zeros follow a short one of arm64. */
static bool copy_beginning(const brz_elf_file *e, const brz_functions *f, uint64_t address,
                           uint8_t code[PROLOGUE_ARM64])
{
    bool is_arm64 = e->header.e_machine == EM_AARCH64;
    memset(code, 0, PROLOGUE_ARM64);
    return copy_code(e, address, code,
                     is_arm64 ? brz_functions_size_of(f, address, PROLOGUE_ARM64) : PROLOGUE);
}

/* Returns whether a file has code at an address. */
static bool is_code(const brz_elf_file *e, uint64_t address)
{
    uint8_t byte;
    return copy_code(e, address, &byte, sizeof byte);
}

/* Returns whether a function of x86-64 calls others: call, also by a register or by memory. */
static bool has_call(const brz_elf_file *e, const brz_functions *f, uint64_t address)
{
    uint8_t body[BODY_MAX];
    int32_t distance;
    size_t size = brz_functions_size_of(f, address, BODY_MAX);
    if (!copy_code(e, address, body, size))
        return true; /* at the end of the code, where the size is not known */
    for (size_t at = 0; at + 5 <= size; at++) {
        memcpy(&distance, body + at + 1, sizeof distance);
        bool is_near =
            body[at] == 0xe8 && is_code(e, address + at + 5 + (uint64_t)(int64_t)distance);
        bool is_far = body[at] == 0xff && (body[at + 1] == 0x15 || (body[at + 1] & 0xf8) == 0xd0 ||
                                           (body[at + 1] & 0xf8) == 0x50);
        if (is_near || is_far)
            return true;
    }
    return false;
}

/* The functions of a file that were looked at. */
typedef struct census {
    unsigned n, with; /* those that show whether they keep a frame pointer, and that do */
    unsigned n_leaf;  /* others, which call none */
} census;

static void count_function(const brz_elf_file *e, const brz_functions *f, uint64_t address,
                           beginning b, census *c)
{
    bool is_x86 = e->header.e_machine == EM_X86_64;
    if (b == SAYS_NOTHING)
        return;
    if (is_x86 && b == LACKS_POINTER && !has_call(e, f, address)) {
        c->n_leaf++;
        return;
    }
    c->n++;
    c->with += b == HAS_POINTER;
}

/* Counts functions, and those with a frame pointer. Leaves count if there are no others. */
static void count_functions(const brz_elf_file *e, const brz_functions *f, unsigned *n,
                            unsigned *with)
{
    uint8_t code[PROLOGUE_ARM64];
    size_t step = f->n / FUNCTIONS_MAX + 1;
    judge_fn *judge = judge_of(e);
    census c = {.n = 0};
    for (size_t i = 0; i < f->n && judge != NULL; i += step) {
        uint64_t address = f->addresses[i];
        if (address == e->header.e_entry || !copy_beginning(e, f, address, code))
            continue;
        count_function(e, f, address, judge(code), &c);
    }
    *n = c.n > 0 ? c.n : c.n_leaf;
    *with = c.with;
}

/* Returns whether most functions keep a frame pointer: where half of them do, builds are mixed. */
static bool are_most(unsigned n, unsigned with)
{
    return with >= n - n / 4;
}

/* ---- main ------------------------------------------------------------------------------------ */

/* Returns the address of main(), which the first code of a program passes to the C library: lea or
 * mov to %rdi. Returns 0 if there is no such code. */
static uint64_t find_main(const brz_elf_file *e)
{
    uint8_t code[ENTRY_SIZE];
    int32_t value;
    if (!copy_code(e, e->header.e_entry, code, sizeof code))
        return 0;
    for (size_t at = 0; at + 7 <= sizeof code; at++) {
        memcpy(&value, code + at + 3, sizeof value);
        if (memcmp(code + at, "\x48\x8d\x3d", 3) == 0)
            return e->header.e_entry + at + 7 + (uint64_t)(int64_t)value;
        if (memcmp(code + at, "\x48\xc7\xc7", 3) == 0)
            return (uint64_t)(int64_t)value;
    }
    return 0;
}

/* Returns whether main() is known and keeps no frame pointer. It may save one after a branch. */
static bool main_lacks_frame_pointer(const brz_elf_file *e, const brz_functions *f)
{
    uint8_t code[MAIN_SIZE + PROLOGUE] = {0};
    uint64_t address = find_main(e);
    size_t size = address == 0 ? 0 : brz_functions_size_of(f, address, MAIN_SIZE);
    if (size == 0 || !copy_code(e, address, code, size))
        return false;
    bool has = saves_frame_pointer(code);
    for (size_t at = 0; at < size && !has; at++)
        has = memcmp(code + at, "\x55\x48\x89\xe5", 4) == 0 ||
              memcmp(code + at, "\x55\x48\x8b\xec", 4) == 0;
    return !has;
}

/* ---- choice ---------------------------------------------------------------------------------- */

static bool has_section(const brz_elf_file *e, const char *name)
{
    brz_elf_section s;
    return brz_elf_find_section(e, name, &s);
}

/* Returns whether the program is linked with a library of this name. */
static bool is_linked_with(const brz_elf_file *e, const char *library)
{
    brz_elf_section s, names;
    brz_elf_dynamic d = {.d_tag = DT_NULL};
    for (size_t i = 0; i < e->header.e_shnum && brz_elf_section_at(e, i, &s); i++) {
        if (s.sh_type != SHT_DYNAMIC || !brz_elf_section_at(e, s.sh_link, &names))
            continue;
        for (size_t k = 0; brz_elf_entry_at(e, &s, k, &d, sizeof d) && d.d_tag != DT_NULL; k++) {
            const char *name = brz_elf_text(e, names.sh_offset + d.d_un.d_val);
            if (d.d_tag == DT_NEEDED && name != NULL && strcmp(name, library) == 0)
                return true;
        }
    }
    return false;
}

/* Chooses for a program none of whose functions shows whether it keeps a frame pointer. */
static brz_call_graph choose_blindly(const brz_functions *f, const char *name, brz_buf *reason)
{
    if (!f->is_partial) {
        brz_buf_printf(reason, "frame pointers, since %s has no .eh_frame for anything else", name);
        return BRZ_CALL_GRAPH_FP;
    }
    brz_buf_printf(reason,
                   "copies of stacks, since the unwind tables of %s do not show whether its "
                   "functions keep a frame pointer",
                   name);
    return BRZ_CALL_GRAPH_DWARF;
}

/* Returns whether a library hardly ever calls functions of the program. */
static bool is_of_system(const char *name)
{
    static const char *const names[] = {"libc.so.",   "libm.so.", "libpthread.so.", "libdl.so.",
                                        "librt.so.",  "ld-linux", "libgcc_s.so.",   "ld-musl",
                                        "libc.musl-", "libz.so.", "libcrypt.so."};
    bool found = false;
    for (size_t i = 0; i < BRZ_COUNT_OF(names); i++)
        found |= strncmp(name, names[i], strlen(names[i])) == 0;
    return found;
}

/* Implements brz_library_fn: finds the first library whose functions keep no frame pointers. */
static bool look_at_library(void *context, const char *name, const char *path)
{
    brz_elf_file e;
    brz_functions f;
    unsigned n = 0, with = 0;
    int fd = is_of_system(name) ? -1 : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (brz_elf_open(&e, fd) == BRZ_ELF_GOOD) {
        brz_functions_list(&f, &e);
        count_functions(&e, &f, &n, &with);
        brz_functions_finish(&f);
    }
    if (fd >= 0)
        close(fd);
    brz_elf_close(&e);
    if (!are_most(n, with))
        brz_buf_add_text(context, name);
    return are_most(n, with);
}

/* Returns whether the program needs a library without frame pointers, whose name it appends. */
static bool needs_library_without(const brz_elf_file *e, const char *path, brz_buf *library)
{
    brz_libraries_needed(e, path, look_at_library, library);
    return library->len > 0;
}

/* Chooses by the functions of a program. */
static brz_call_graph choose_by_functions(const brz_elf_file *e, const brz_functions *f,
                                          const char *path, const char *name, brz_buf *reason)
{
    unsigned n, with;
    count_functions(e, f, &n, &with);
    if (n == 0)
        return choose_blindly(f, name, reason);
    bool has = are_most(n, with);
    if (has && e->header.e_machine == EM_X86_64 && main_lacks_frame_pointer(e, f)) {
        brz_buf_printf(reason, "copies of stacks, since main() of %s keeps no frame pointer", name);
        return BRZ_CALL_GRAPH_DWARF;
    }
    brz_buf library = {0};
    if (has && needs_library_without(e, path, &library)) {
        brz_buf_printf(reason,
                       "copies of stacks, since %s, which %s needs, keeps no frame pointers",
                       brz_buf_text(&library), name);
        brz_buf_finish(&library);
        return BRZ_CALL_GRAPH_DWARF;
    }
    brz_buf_printf(reason, "%s, since %u of %u functions of %s keep a frame pointer",
                   has ? "frame pointers" : "copies of stacks", with, n, name);
    return has ? BRZ_CALL_GRAPH_FP : BRZ_CALL_GRAPH_DWARF;
}

static brz_call_graph choose_for(const brz_elf_file *e, const char *path, const char *name,
                                 brz_buf *reason)
{
    brz_functions f;
    if (has_section(e, ".gopclntab") || has_section(e, ".note.go.buildid")) {
        brz_buf_printf(reason, "frame pointers, since %s is a Go program", name);
        return BRZ_CALL_GRAPH_FP;
    }
    if (is_linked_with(e, JAVA_LAUNCHER)) {
        brz_buf_printf(
            reason,
            "frame pointers, since %s starts a Java virtual machine, whose compiled code "
            "has them with -XX:+PreserveFramePointer",
            name);
        return BRZ_CALL_GRAPH_FP;
    }
    brz_functions_list(&f, e);
    brz_call_graph g = choose_by_functions(e, &f, path, name, reason);
    brz_functions_finish(&f);
    return g;
}

/* Adds the reason for a file that does not show how to find callers; `name` is NULL for none. */
static void add_obstacle(brz_buf *reason, const char *name, brz_elf_found found)
{
    brz_buf_add_text(reason, "frame pointers, ");
    if (name == NULL)
        brz_buf_add_text(reason, "which cost least");
    else if (found == BRZ_ELF_OTHER_MACHINE)
        brz_buf_printf(reason, "since %s is not a 64-bit program, whose stacks can be unwound",
                       name);
    else
        brz_buf_add_text(reason, "since the program cannot be read");
}

brz_call_graph brz_call_graph_choose(const char *path, const char *name, brz_buf *reason)
{
    brz_elf_file e;
    brz_call_graph g = BRZ_CALL_GRAPH_FP;
    int fd = path == NULL ? -1 : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    brz_elf_found found = brz_elf_open(&e, fd);
    if (fd >= 0)
        close(fd);
    if (found == BRZ_ELF_GOOD && judge_of(&e) == NULL)
        found = BRZ_ELF_OTHER_MACHINE;
    if (found == BRZ_ELF_GOOD)
        g = choose_for(&e, path, name, reason);
    else
        add_obstacle(reason, path == NULL ? NULL : name, found);
    brz_elf_close(&e);
    return g;
}

#else

brz_call_graph brz_call_graph_choose(const char *path, const char *name, brz_buf *reason)
{
    (void)path;
    (void)name;
    brz_buf_add_text(reason, "frame pointers, which programs for this processor usually have");
    return BRZ_CALL_GRAPH_FP;
}

#endif

/* ---- programs -------------------------------------------------------------------------------- */

/* Returns whether a file can be executed. Folders are skipped, as by execvp(). */
static bool is_program(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

static bool is_file(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0;
}

/* Appends the file of a program's name that is as wanted. Returns false if no such file exists. */
static bool search_for(const char *word, bool is_wanted(const char *), brz_buf *path)
{
    const char *folders = getenv("PATH");
    if (strchr(word, '/') != NULL) {
        brz_buf_add_text(path, word);
        return is_wanted(word);
    }
    for (const char *at = folders == NULL ? "/usr/bin:/bin" : folders; *at != '\0';) {
        size_t n = strcspn(at, ":");
        brz_buf_clear(path);
        brz_buf_printf(path, "%.*s/%s", n == 0 ? 1 : (int)n, n == 0 ? "." : at, word);
        if (is_wanted(brz_buf_text(path)))
            return true;
        at += n + (at[n] == ':');
    }
    return false;
}

static bool search(const char *word, brz_buf *path)
{
    return search_for(word, is_program, path);
}

bool brz_program_is_there(const char *word)
{
    brz_buf path = {0};
    bool is_there = search_for(word, is_file, &path);
    brz_buf_finish(&path);
    return is_there;
}

bool brz_program_gains_rights(const char *path)
{
    struct stat st;
    uid_t own = geteuid();
    if (own == 0 || stat(path, &st) != 0)
        return false;
    bool is_other = (st.st_mode & S_ISUID) != 0 && st.st_uid != own;
    bool is_other_group = (st.st_mode & S_ISGID) != 0 && st.st_gid != getegid();
    return is_other || is_other_group || getxattr(path, "security.capability", NULL, 0) > 0;
}

bool brz_program_exists(const char *word)
{
    brz_buf path = {0};
    bool exists = search(word, &path);
    brz_buf_finish(&path);
    return exists;
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

/* Returns the program that env executes: the next word that is no option and sets no variable. */
static const char *next_program(char **rest)
{
    const char *word;
    do
        word = strtok_r(NULL, " \t", rest);
    while (word != NULL && (word[0] == '-' || strchr(word, '=') != NULL));
    return word;
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
    const char *argument = is_env ? next_program(&rest) : NULL;
    brz_buf_clear(path);
    if (program != NULL && !search(argument != NULL ? argument : program, path))
        brz_buf_clear(path);
}
