/* Nothing is wrong with this one: what the others are compared with. */
#include "zoo.h"

static const brz_collapser collapser = {COLLAPSER};
static const brz_component component = {COMPONENT};
ZOO_PLUGIN
