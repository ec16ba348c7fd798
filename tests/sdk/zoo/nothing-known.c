/* Brings nothing but something that this brazier has never heard of. */
#include "zoo.h"

static const brz_collapser collapser = {COLLAPSER};
static const brz_component component = {COMPONENT, .kind = 77};
ZOO_PLUGIN
