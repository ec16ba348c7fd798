/* Has a note of the same form, but somebody else's. */
#include "zoo.h"

static const brz_collapser collapser = {COLLAPSER};
static const brz_component component = {COMPONENT};
ONE_COMPONENT
ZOO_NOTE("Brazier", BRZ_NOTE_TYPE, BRZ_ABI_MAJOR, 0)
