/* A plug-in that nobody could write behind an "@". */
#include "zoo.h"

static const brz_component *const components[] = {NULL};
ZOO_ENTRY(.name = "zoo@home")
