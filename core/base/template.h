/* SPDX-License-Identifier: MIT */
/* Copies a folder of template files for a new project and replaces marks, such as "@NAME@", in file
 * names and contents. */
#ifndef BRZ_TEMPLATE_H
#define BRZ_TEMPLATE_H

#include "base/diag.h"

/* A mark and its replacement. A NULL mark ends a list. */
typedef struct brz_template_word {
    const char *mark, *text;
} brz_template_word;

/* Appends the text with its marks replaced. */
void brz_template_fill(brz_str text, const brz_template_word *words, brz_buf *out);

/* Copies the files of a folder, recursively, into a folder, which is created if necessary. Keeps
 * executable files executable; only the owner may write the copies, regardless of the umask. Never
 * overwrites files. Returns false after reporting an error. */
bool brz_template_copy(const char *from, const char *to, const brz_template_word *words,
                       brz_console *console);

#endif
