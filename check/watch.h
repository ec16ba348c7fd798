/* A table of host services that looks at what a plug-in calls them with, and can answer differently
 * than the host: longer than the header's, of a later minor, or "stop". */
#ifndef BRZ_CHECK_WATCH_H
#define BRZ_CHECK_WATCH_H

#include "host/instance.h"

#define WATCH_TEXT 200

typedef struct check_watch {
    brz_host table; /* first: what ctx->host points to */
    unsigned char beyond[64];
    const brz_host *real;

    size_t stop_at;    /* the call that is answered BRZ_STOP; 0: none */
    size_t emissions;  /* calls that hand over samples */
    size_t after_stop; /* of those, after they were answered BRZ_STOP */

    size_t colors;    /* calls of `color` */
    bool wants_color; /* the output has said that it calls it */
    uint32_t n_nodes; /* of the tree that it is shown */

    unsigned clause; /* the first one that was broken; 0: none */
    char fault[WATCH_TEXT];
} check_watch;

/* What a host of a later minor may do. */
#define CHECK_LONGER    1u /* its structs are longer */
#define CHECK_ODD_FLAGS 2u /* it sets flags that nobody knows */
#define CHECK_ODD_FLAG  0x80000000u

/* Puts the table in front of an instance's own. */
void check_watch_init(check_watch *w, brz_instance *i, unsigned newer);

#endif
