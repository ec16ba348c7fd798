/* Inputs that are not in the format that they are to be read as. */
#ifndef BRZ_MISMATCH_H
#define BRZ_MISMATCH_H

#include "collapse/guess.h"

/* How an input is to be read. */
typedef struct brz_expected_format {
    brz_registry *registry;
    const brz_loaded *collapser;
    bool is_chosen;  /* somebody named it */
    bool are_loaded; /* so are all collapsers, and no file may be opened */
} brz_expected_format;

/* Checks what the feed begins with, and reads into it what is missing. False, said so, for a binary
 * file, unless the collapser knows it or reads any bytes; and, if nobody chose the format, for an
 * input that is clearly in another one. */
bool brz_check_format(const brz_expected_format *expected, brz_feed *feed, brz_console *console);

/* True if the input begins with something that the collapser does not recognise at all. Reads the
 * beginning into the feed. Blank lines and comments are in any format. */
bool brz_is_foreign(const brz_loaded *collapser, brz_feed *feed);

/* The id of a format that the file at a path is clearly in, which another collapser read without
 * success; NULL if there is none, or if the file cannot be read again. */
const char *brz_find_format(brz_registry *registry, const brz_loaded *collapser, const char *path);

#endif
