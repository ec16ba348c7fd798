/* SPDX-License-Identifier: MIT */
/* Depths of lines: how far a row or a call is to the right. */
#ifndef TEXT_DEPTH_H
#define TEXT_DEPTH_H

#include "format.h"

/* The ways to show the depth of a line. */
typedef enum text_depth {
    DEPTH_BLANKS, /* blanks in front of the line */
    DEPTH_COLUMN, /* where the group "function" begins */
    DEPTH_GROUP,  /* the group "depth": its number, or else its length */
    DEPTH_NONE,
} text_depth;

extern const char *const text_depths[];      /* without DEPTH_NONE */
extern const char *const text_call_depths[]; /* with it */

/* Returns the depth of the line of the last match, in characters; a tab ends at a multiple of 8. */
size_t text_depth_of(text_depth by, const text_match *match, const matcher *m);

#endif
