/* Says that it has options, and has none. */
#include "zoo.h"

static const brz_collapser collapser = {COLLAPSER};
static const brz_component component = {
    COMPONENT, .n_options = 3, .option_size = sizeof(brz_option), .cfg_size = 8};
ZOO_PLUGIN
