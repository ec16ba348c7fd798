/* Asks for more memory than there is. */
#include "zoo.h"

static const brz_collapser collapser = {COLLAPSER};
static const brz_component component = {COMPONENT, .cfg_size = SIZE_MAX};
ZOO_PLUGIN
