/* Made for a brazier with 99 additions to the interface, as a note tells. */
#include "zoo.h"

static const brz_collapser collapser = {COLLAPSER};
static const brz_component component = {COMPONENT};
ONE_COMPONENT
ZOO_NOTE("brazier", BRZ_NOTE_TYPE, BRZ_ABI_MAJOR, 99)
