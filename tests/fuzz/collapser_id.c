/* Names the collapser of a target, so that collapser.c is compiled once for all of them. */
#include "fuzz.h"

const char fuzz_collapser_id[] = FUZZ_ID;
