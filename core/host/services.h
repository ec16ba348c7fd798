/* The host's services, which plug-ins reach through their context.
 *
 * A service first makes sure that the plug-in may call it: with the context that the current call
 * was given, on the thread of that call, and with arguments that can be. Everything else is
 * reported in the name of the component and fails the run. */
#ifndef BRZ_SERVICES_H
#define BRZ_SERVICES_H

#include "host/instance.h"

/* Returns the table that instances are created with. A caller that has more to offer, as for
 * outputs, copies it and replaces members. */
const brz_host *brz_host_services(void);

/* Returns the instance that a plug-in calls `service` for. Given another context than that of the
 * current call, reports it and returns the current call's instance. A call on a thread of the
 * plug-in's own, or from a function that has no context, ends the process if that is the host's to
 * end; otherwise NULL is returned, and the service has nothing to work on. */
brz_instance *brz_host_instance(brz_ctx *ctx, const char *service);

/* Reports that a plug-in broke a rule. Returns BRZ_ERROR. */
brz_rc brz_host_reject(brz_instance *i, const char *what);

#endif
