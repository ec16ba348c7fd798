/* A collapser without `sniff`. */
#include "zoo.h"

static const brz_collapser collapser = {COLLAPSER, .sniff = NULL};
static const brz_component component = {COMPONENT};
ZOO_PLUGIN
