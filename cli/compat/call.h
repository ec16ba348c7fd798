/* SPDX-License-Identifier: MIT */
/* Defines a call of the program under the name of a tool that it replaces. */
#ifndef BRZ_CLI_COMPAT_CALL_H
#define BRZ_CLI_COMPAT_CALL_H

#include "words.h"

/* The words for brazier that correspond to a tool's words. */
typedef struct cli_compat {
    const struct compat_tool *tool; /* NULL: the program is called by its own name */
    char **words;
    compat_words theirs;
    brz_arena text;
} cli_compat;

#endif
