/* One component with the options that a run gives it. */
#ifndef BRZ_COMPONENT_USE_H
#define BRZ_COMPONENT_USE_H

#include "plugin/loaded.h"
#include "plugin/options.h"

typedef struct brz_use {
    const brz_loaded *loaded;
    brz_options *options;
} brz_use;

/* Frees its options. */
void brz_use_finish(brz_use *use);

#endif
