/* A component together with its options in a run. */
#ifndef BRZ_COMPONENT_USE_H
#define BRZ_COMPONENT_USE_H

#include "plugin/loaded.h"
#include "plugin/options.h"

typedef struct brz_use {
    const brz_loaded *loaded;
    brz_options *options;
} brz_use;

/* Destroys the options. */
void brz_use_finish(brz_use *use);

#endif
