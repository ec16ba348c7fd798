/* A folder of files that a new project begins as: copied with marks, such as "@NAME@", filled in,
 * in the files' names as in their text. */
#ifndef BRZ_TEMPLATE_H
#define BRZ_TEMPLATE_H

#include "base/diag.h"

/* What stands for a mark. A list of them ends with a NULL mark. */
typedef struct brz_template_word {
    const char *mark, *text;
} brz_template_word;

/* Appends the text with its marks filled in. */
void brz_template_fill(brz_str text, const brz_template_word *words, brz_buf *out);

/* Copies the files of a folder, and of those in it, into a folder, made if it is not there. What is
 * executable stays so; nobody but the owner can write what comes of it, whatever the umask. Never
 * writes over a file. False after saying what is wrong. */
bool brz_template_copy(const char *from, const char *to, const brz_template_word *words,
                       brz_console *console);

#endif
