/* SPDX-License-Identifier: MIT */
/* Provides the parts of descriptors that outputs with instructions share. */
#ifndef OUTPUT_COMMON_CODE_CODE_OUTPUT_H
#define OUTPUT_COMMON_CODE_CODE_OUTPUT_H

#include <brazier/draft/code.h>

#include <string.h>

/* The words of an option whose value is a code_syntax. */
static const char *const code_syntax_names[] = {"att", "intel", NULL};

static const brz_code_reader code_reader = {.struct_size = sizeof code_reader};

/* Implements brz_output.offer: asks the host for the code of functions. */
static inline const void *offer_code_reader(const char *id)
{
    return strcmp(id, BRZ_CODE_ID) == 0 ? &code_reader : NULL;
}

#endif
