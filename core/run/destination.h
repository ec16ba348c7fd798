/* Standard output that is hardly meant: a terminal that gets a picture, or a file whose ending
 * names another format. */
#ifndef BRZ_DESTINATION_H
#define BRZ_DESTINATION_H

#include "draw/render.h"
#include "run/resolve.h"

/* Checks where an output goes. False, said so, if that is a terminal on which nobody can read it:
 * bytes that are not text, or, unless the command line sends it there, text that is not for people.
 * Warns if the output is of a format that nobody chose and goes to a file with another one's
 * ending.
 */
bool brz_destination_check(const brz_resolver *r, const brz_output_use *o);

#endif
