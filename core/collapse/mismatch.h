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

/* Checks what the feed begins with, and reads into it what is missing. Returns false after naming
 * the format, if that is a foreign one; and, if nobody chose the format, if the input is clearly in
 * another one. A collapser that is not shipped, or reads any bytes, is taken at its word. */
bool brz_check_format(const brz_expected_format *expected, brz_feed *feed, brz_console *console);

/* True if the input begins with something that the collapser does not recognise at all. Reads the
 * beginning into the feed. Blank lines and comments are in any format. */
bool brz_is_foreign(const brz_loaded *collapser, brz_feed *feed);
/* Returns a shipped collapser that knows a header of its own in the input, where the expected one,
 * if it is shipped, does not even recognise records; NULL if there is none. */
const brz_loaded *brz_find_surer(const brz_expected_format *expected, brz_feed *feed);

/* Says that an input was read as it was chosen to be but is in the format of `surer`. */
void brz_say_surer(const brz_expected_format *expected, const brz_loaded *surer, const char *input,
                   brz_console *console);

/* The id of a format that the file at a path is clearly in, which another collapser read without
 * success; NULL if there is none, or if the file cannot be read again. */
const char *brz_find_format(brz_registry *registry, const brz_loaded *collapser, const char *path);

#endif
