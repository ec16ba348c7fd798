/* Names the collapser of a target, so that collapser.c is compiled once for all of them, and the
 * shipped format whose options it has, if any. */
#include "fuzz.h"

const char fuzz_collapser_id[] = FUZZ_ID;

#ifdef FUZZ_FORMAT
const char fuzz_format_file[] = FUZZ_FORMAT;
#else
const char fuzz_format_file[] = "";
#endif
