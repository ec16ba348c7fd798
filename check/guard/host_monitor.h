/* SPDX-License-Identifier: MIT */
/* Host services that check the arguments of a plug-in's calls. They can also behave differently
 * from the host: as a later minor version with a larger table, or by answering "stop". */
#ifndef BRZ_CHECK_HOST_MONITOR_H
#define BRZ_CHECK_HOST_MONITOR_H

#include "host/instance.h"

#define MONITOR_TEXT 200

typedef struct check_host_monitor {
    /* The table of the instance's role; first, since its context points to it. The bytes after the
     * table are those of a later minor version. */
    union {
        brz_collapser_host collapser;
        brz_palette_host palette;
        brz_output_host output;
        brz_transform_host transform;
        unsigned char bytes[sizeof(brz_collapser_host) + 64];
    };
    union {
        const brz_collapser_host *collapser;
        const brz_palette_host *palette;
        const brz_output_host *output;
        const brz_transform_host *transform;
    } real;

    size_t stop_at;    /* the call that returns BRZ_STOP; 0: none */
    size_t emissions;  /* number of calls that emit samples */
    size_t after_stop; /* number of these after BRZ_STOP was returned */

    int32_t related;        /* what open_related answers; < 0: what the host does */
    size_t related_calls;   /* number of its calls */
    uint64_t tagged, timed; /* number of counts and samples with a tag or a time */
    const brz_frame
        *stored; /* the host's copy of the last stack; NULL: none, or the leaf is first */
    size_t n_stored;

    size_t colors;    /* number of calls of `color` */
    bool wants_color; /* the output has declared that it calls it */
    uint32_t n_nodes; /* nodes of the tree that it writes */

    unsigned clause; /* the first violated clause; 0: none */
    char fault[MONITOR_TEXT];
} check_host_monitor;

/* Properties of a host of a later minor version. */
#define CHECK_LONGER    1u /* larger structs */
#define CHECK_ODD_FLAGS 2u /* unknown flags */
#define CHECK_ODD_FLAG  0x80000000u

/* Replaces an instance's table of host services by this one. */
void check_host_monitor_init(check_host_monitor *w, brz_instance *i, unsigned newer);

#endif
