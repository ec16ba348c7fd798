/* A component in the registry. */
#ifndef BRZ_LOADED_H
#define BRZ_LOADED_H

#include <brazier/plugin.h>

typedef struct brz_loaded {
    const brz_component *component; /* copy in this host's size */
    const void *vtable;             /* likewise */
    const char *plugin, *version, *bugs_url, *path;
    uint32_t sdk_version; /* 0: unknown */
} brz_loaded;

#endif
