/* A component that nobody can tell what it is for. */
#include "zoo.h"

static const brz_collapser collapser = {COLLAPSER};
static const brz_component component = {COMPONENT, .summary = NULL};
ZOO_PLUGIN
