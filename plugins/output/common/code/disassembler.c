/* SPDX-License-Identifier: MIT */
/* Decodes machine code by capstone. */
#include "disassembler.h"

#include <brazier/text/integer.h>

#include <capstone/capstone.h>
#include <dlfcn.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>

/* The library with the interface of the header. */
#define NAME_OF(major)      NAME_OF_TEXT(major)
#define NAME_OF_TEXT(major) "libcapstone.so." #major
#ifdef __APPLE__
#define LIBRARY "libcapstone.dylib"
#else
#define LIBRARY NAME_OF(CS_API_MAJOR)
#endif

struct disassembler {
    const brz_code *code;
    void *library;
    csh handle;
    cs_insn *instruction;
    const uint8_t *at; /* the next bytes, and how many there are */
    size_t left;
    uint64_t address; /* of these bytes, as it is shown */
    cs_err (*open)(cs_arch, cs_mode, csh *);
    cs_err (*close)(csh *);
    cs_err (*option)(csh, cs_opt_type, size_t);
    cs_insn *(*malloc)(csh);
    void (*free)(cs_insn *, size_t);
    bool (*next)(csh, const uint8_t **, size_t *, uint64_t *, cs_insn *);
    bool (*is_in_group)(csh, const cs_insn *, unsigned);
};

/* ---- the library ----------------------------------------------------------------------------- */

/* Loads a function. ISO C has no conversion from object pointers to functions. */
static bool load(void *library, const char *name, void *to)
{
    void *found = dlsym(library, name);
    memcpy(to, &found, sizeof found);
    return found != NULL;
}

static bool load_all(disassembler *d)
{
    d->library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
    return d->library != NULL && load(d->library, "cs_open", &d->open) &&
           load(d->library, "cs_close", &d->close) && load(d->library, "cs_option", &d->option) &&
           load(d->library, "cs_malloc", &d->malloc) && load(d->library, "cs_free", &d->free) &&
           load(d->library, "cs_disasm_iter", &d->next) &&
           load(d->library, "cs_insn_group", &d->is_in_group);
}

/* ---- processors ------------------------------------------------------------------------------ */

/* A processor of ELF files, and its names in capstone. */
typedef struct processor {
    uint32_t machine;
    cs_arch arch;
    unsigned mode;
} processor;

static const processor processors[] = {
    {EM_X86_64, CS_ARCH_X86, CS_MODE_64},     {EM_386, CS_ARCH_X86, CS_MODE_32},
    {EM_AARCH64, CS_ARCH_ARM64, CS_MODE_ARM}, {EM_ARM, CS_ARCH_ARM, CS_MODE_ARM},
    {EM_PPC64, CS_ARCH_PPC, CS_MODE_64},      {EM_S390, CS_ARCH_SYSZ, 0},
};

static const processor *processor_of(const brz_code *code)
{
    for (size_t i = 0; i < BRZ_COUNT_OF(processors); i++)
        if (processors[i].machine == code->machine)
            return &processors[i];
    return NULL;
}

/* Opens a handle, and sets its options. Returns false if the library lacks the processor. */
static bool open_handle(disassembler *d, code_syntax syntax)
{
    const processor *p = processor_of(d->code);
    bool is_big = (d->code->flags & BRZ_CODE_BIG_ENDIAN) != 0;
    if (p == NULL)
        return false;
    unsigned mode = is_big ? p->mode | (unsigned)CS_MODE_BIG_ENDIAN : p->mode;
    if (d->open(p->arch, (cs_mode)mode, &d->handle) != CS_ERR_OK) {
        d->handle = 0;
        return false;
    }
    d->option(d->handle, CS_OPT_DETAIL, CS_OPT_ON);
    d->option(d->handle, CS_OPT_SKIPDATA, CS_OPT_ON);
    if (p->arch == CS_ARCH_X86 && syntax == CODE_ATT)
        d->option(d->handle, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
    d->instruction = d->malloc(d->handle);
    return d->instruction != NULL;
}

disassembler *disassembler_open(brz_output_ctx *ctx, const brz_code *code, code_syntax syntax,
                                const char **why)
{
    disassembler *d = ctx->host->alloc(ctx, sizeof *d, 0);
    d->code = code;
    *why = NULL;
    if (!load_all(d))
        *why = "instructions need " LIBRARY " (Debian: libcapstone4)";
    else if (!open_handle(d, syntax))
        *why = LIBRARY " does not know the processor";
    disassembler_rewind(d);
    if (*why == NULL)
        return d;
    disassembler_close(d);
    return NULL;
}

/* ---- instructions ---------------------------------------------------------------------------- */

/* Reads the last number of operands, "0x4011a6" or "#0x4011a6". */
static bool last_number(const char *operands, uint64_t *number)
{
    const char *at = NULL;
    for (const char *p = operands; (p = strstr(p, "0x")) != NULL; p += 2)
        at = p + 2;
    if (at == NULL)
        return false;
    char *end;
    *number = strtoull(at, &end, 16);
    return end > at && *end == '\0';
}

/* Notes the offset in the function to which an instruction jumps. */
static void find_target(const disassembler *d, code_instruction *to)
{
    const cs_insn *i = d->instruction;
    uint64_t address;
    if (i->id == 0 || !d->is_in_group(d->handle, i, CS_GRP_JUMP) ||
        !last_number(i->op_str, &address))
        return;
    to->target = address - d->code->shown;
    to->is_jump = to->target < d->code->bytes.len;
}

bool disassembler_next(disassembler *d, code_instruction *to)
{
    const uint8_t *start = (const uint8_t *)d->code->bytes.data;
    *to = (code_instruction){.offset = (uint64_t)(d->at - start)};
    if (d->left == 0)
        return false;
    if (!d->next(d->handle, &d->at, &d->left, &d->address, d->instruction))
        return false;
    to->size = (uint32_t)((uint64_t)(d->at - start) - to->offset);
    to->mnemonic = brz_str_of_text(d->instruction->mnemonic);
    to->operands = brz_str_of_text(d->instruction->op_str);
    find_target(d, to);
    return to->size > 0;
}

void disassembler_rewind(disassembler *d)
{
    d->at = (const uint8_t *)d->code->bytes.data;
    d->left = d->code->bytes.len;
    d->address = d->code->shown;
}

void disassembler_close(disassembler *d)
{
    if (d == NULL || d->library == NULL)
        return;
    if (d->instruction != NULL)
        d->free(d->instruction, 1);
    if (d->handle != 0)
        d->close(&d->handle);
    dlclose(d->library);
    d->library = NULL;
}
