/* The entry says a newer minor than the note does. */
#include "zoo.h"

static const brz_component *const components[] = {NULL};
ZOO_ENTRY(.abi_minor = 99)
