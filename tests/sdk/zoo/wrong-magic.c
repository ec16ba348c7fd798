/* The symbol is there, but what it names is no entry. */
#include "zoo.h"

static const brz_component *const components[] = {NULL};
ZOO_ENTRY(.magic = 0x12345678)
