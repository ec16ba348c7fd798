/* A component that cannot do anything. */
#include "zoo.h"

static const brz_component component = {COMPONENT_OF(BRZ_COLLAPSER, NULL)};
ZOO_PLUGIN
