/* SPDX-License-Identifier: MIT */
/* Detects inputs that are not in the expected format. */
#ifndef BRZ_MISMATCH_H
#define BRZ_MISMATCH_H

#include "collapse/guess.h"

/* The availability of collapsers other than the expected one. */
typedef enum brz_others {
    BRZ_OTHERS_ON_DEMAND, /* they are loaded then */
    BRZ_OTHERS_LOADED,    /* they are loaded, and no file may be opened */
    BRZ_OTHERS_MISSING,   /* they are not loaded, and no file may be opened */
} brz_others;

/* The expected format of an input. */
typedef struct brz_expected_format {
    brz_registry *registry;
    const brz_loaded *collapser;
    bool is_chosen; /* the user chose it */
    brz_others others;
    bool lacks_others; /* set by the functions below: others are missing that must be asked */
} brz_expected_format;

/* Checks the beginning of the input. Reads missing bytes into the feed. Returns false after
 * reporting the format if it is a foreign one, or if it is clearly another one and the user did not
 * choose. Returns false without a report if others are missing. Does not overrule a collapser that
 * is not shipped or that accepts any bytes. */
bool brz_check_format(brz_expected_format *expected, brz_feed *feed, brz_console *console);

/* Returns whether the collapser does not recognise the input at all. Reads the beginning into the
 * feed. Blank lines and comments fit every format. */
bool brz_is_foreign(const brz_loaded *collapser, brz_feed *feed);

/* Returns a shipped collapser that recognises a header of its own in the input, if the expected
 * collapser is shipped and does not even recognise records. Returns NULL if no collapser does, or
 * if others are missing. */
const brz_loaded *brz_find_surer(brz_expected_format *expected, brz_feed *feed);

/* Reports that an input was read in the chosen format but is in that of `surer`. */
void brz_say_surer(const brz_expected_format *expected, const brz_loaded *surer, const char *input,
                   brz_console *console);

/* Copies the beginning of the input, which brz_find_format() needs after the feed has advanced,
 * unless the feed keeps it. The caller frees the returned memory, which may be NULL. */
uint8_t *brz_keep_head(brz_feed *feed, brz_head *head);

/* Returns the collapser that clearly recognises the input, after the expected one found no samples.
 * Returns NULL if no collapser does, or if others are missing. */
const brz_loaded *brz_find_format(brz_expected_format *expected, const brz_head *head,
                                  brz_feed *feed);

#endif
