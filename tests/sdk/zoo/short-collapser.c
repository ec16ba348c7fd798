/* A collapser whose struct ends before `parse`, whatever stands there. */
#include "zoo.h"

static const brz_collapser collapser = {COLLAPSER, .struct_size = offsetof(brz_collapser, parse)};
static const brz_component component = {COMPONENT};
ZOO_PLUGIN
