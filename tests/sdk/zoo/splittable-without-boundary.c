/* A collapser whose input several threads may share, if they but knew where to cut it. */
#include "zoo.h"

static const brz_collapser collapser = {COLLAPSER, .flags = BRZ_SPLITTABLE};
static const brz_component component = {COMPONENT};
ZOO_PLUGIN
