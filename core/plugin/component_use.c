/* One component with its options. */
#include "plugin/component_use.h"

void brz_use_finish(brz_use *use)
{
    brz_options_destroy(use->options);
    *use = (brz_use){0};
}
