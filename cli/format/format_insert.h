/* SPDX-License-Identifier: MIT */
/* Adds a definition to the formats of a configuration, whose text is kept otherwise. */
#ifndef BRZ_CLI_FORMAT_INSERT_H
#define BRZ_CLI_FORMAT_INSERT_H

#include "config/session.h"

/* A definition: "formats:", and the format below it with an indentation of two blanks. */
typedef struct cli_definition {
    const char *name;
    brz_str text;
} cli_definition;

/* Adds the definition to a file, or creates the file. Returns false after reporting that the file
 * is not YAML, has a format of this name, or has its formats in braces. */
bool cli_format_insert(brz_session *s, const char *file, const cli_definition *definition);

#endif
