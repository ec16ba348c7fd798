/* SPDX-License-Identifier: MIT */
/* Stands for the disassembler in builds without the header of capstone. */
#include "disassembler.h"

disassembler *disassembler_open(brz_output_ctx *ctx, const brz_code *code, code_syntax syntax,
                                const char **why)
{
    (void)ctx;
    (void)code;
    (void)syntax;
    *why = "instructions are left out: brazier was built without capstone";
    return NULL;
}

bool disassembler_next(disassembler *d, code_instruction *to)
{
    (void)d;
    (void)to;
    return false;
}

void disassembler_rewind(disassembler *d)
{
    (void)d;
}

void disassembler_close(disassembler *d)
{
    (void)d;
}
