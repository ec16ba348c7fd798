/* A component as the registry found it. */
#ifndef BRZ_LOADED_H
#define BRZ_LOADED_H

#include <brazier/plugin.h>

typedef struct brz_loaded {
    const brz_component *component; /* of this host's size, whatever the plug-in's was */
    const void *vtable;             /* likewise */
    const char *plugin, *version, *bugs_url, *path;
} brz_loaded;

#endif
