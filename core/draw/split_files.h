/* Names the files of a run that writes a file for each value of a tag's part. */
#ifndef BRZ_SPLIT_FILES_H
#define BRZ_SPLIT_FILES_H

#include <brazier/base.h>

#include "base/buf.h"

/* Maximum number of files that a run writes for each of its outputs. */
#define BRZ_MOST_SPLIT_FILES 1000

/* Checks a file's name, such as "flame-{thread}.svg" for the part "thread": it must contain the
 * part in braces, only in its last component, and in front of its ending. Returns false and appends
 * the reason to `error` if it does not. */
bool brz_split_files_check(const char *name, brz_str part, brz_buf *error);

/* Returns the names with which values replace the part. They consist of letters, digits and a few
 * other characters, do not begin with a dot or a dash, and differ from each other. Release the
 * array and its elements with free(). */
char **brz_split_files_words(const brz_str *values, size_t n);

/* Returns a file's name with the part replaced by a word. Release it with free(). */
char *brz_split_files_fill(const char *name, brz_str part, const char *word);

#endif
