/* SPDX-License-Identifier: MIT */
/* Decodes the machine code of a function, by capstone, which is loaded when it is needed. */
#ifndef OUTPUT_COMMON_CODE_DISASSEMBLER_H
#define OUTPUT_COMMON_CODE_DISASSEMBLER_H

#include <brazier/draft/code.h>

/* Ways of writing instructions of x86. */
typedef enum code_syntax { CODE_ATT, CODE_INTEL } code_syntax;

/* An instruction, or bytes that cannot be decoded. Texts are valid until the next one is read. */
typedef struct code_instruction {
    uint64_t offset; /* from the beginning of the function */
    uint32_t size;   /* in bytes, from 1 */
    brz_str mnemonic, operands;
    bool is_jump; /* it jumps to an offset in the function: */
    uint64_t target;
} code_instruction;

typedef struct disassembler disassembler;

/* Prepares decoding. Returns NULL and stores the reason in *why if the library or this processor is
 * missing. The caller closes it. */
disassembler *disassembler_open(brz_output_ctx *ctx, const brz_code *code, code_syntax syntax,
                                const char **why);

/* Reads the next instruction. Returns false at the end of the code. */
bool disassembler_next(disassembler *d, code_instruction *to);

/* Begins at the first instruction again. */
void disassembler_rewind(disassembler *d);

/* Releases it; NULL is allowed. */
void disassembler_close(disassembler *d);

#endif
