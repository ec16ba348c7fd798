/* An option whose value would be written behind the struct. */
#include "zoo.h"

static const brz_collapser collapser = {COLLAPSER};
static const brz_option options[] = {{COUNT_OPTION, .offset = sizeof(struct config)}};
static const brz_component component = {COMPONENT, WITH_OPTIONS};
ZOO_PLUGIN
