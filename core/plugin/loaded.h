/* SPDX-License-Identifier: MIT */
/* A component in the registry.
 *
 * A component that is only described (see plugin/described.h) has the data of its structs, but
 * functions that do nothing. */
#ifndef BRZ_LOADED_H
#define BRZ_LOADED_H

#include <brazier/plugin.h>

struct brz_format;

typedef struct brz_loaded {
    const brz_component *component; /* copy in this host's size */
    const void *vtable;             /* likewise */
    const char *plugin, *version, *bugs_url, *path;
    uint32_t sdk_version; /* 0: unknown */
    bool is_shipped;      /* with the program, whose tests check it */
    /* The component's `validate` if a child process calls it, see brz_use_validate_isolated(). */
    void (*validate)(const void *cfg, brz_option_faults *);
    const struct brz_format *format; /* a configuration defines it; NULL: it is a plug-in's */
} brz_loaded;

#endif
