/* Checks for unsuitable uses of standard output: a terminal that would receive a picture, or a file
 * whose ending names another format. */
#ifndef BRZ_DESTINATION_H
#define BRZ_DESTINATION_H

#include "draw/render.h"
#include "config/resolve.h"

/* Checks the destination of an output. Returns false after reporting an error if it is a terminal
 * and the bytes are not text or, unless the command line chose the terminal, not text for people.
 * Warns if an output in the default format goes to a file with the ending of another format. */
bool brz_destination_check(const brz_resolver *r, const brz_output_use *o);

#endif
