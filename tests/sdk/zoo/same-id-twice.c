/* Two collapsers of one id: nobody could tell which is meant. */
#include "zoo.h"

static const brz_collapser collapser = {COLLAPSER};
static const brz_component one = {COMPONENT}, other = {COMPONENT};
static const brz_component *const components[] = {&one, &other, NULL};
BRZ_PLUGIN("zoo", "1.0", "MIT", "https://example.org/zoo", components)
