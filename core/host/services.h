/* SPDX-License-Identifier: MIT */
/* Host services that plug-ins call through their context.
 *
 * A service first checks its caller: the context must be that of the current call, the thread must
 * be the one that makes this call, and the arguments must be valid. Breaches are reported in the
 * name of the component and fail the run.
 */
#ifndef BRZ_SERVICES_H
#define BRZ_SERVICES_H

#include "host/instance.h"

/* Return the tables that instances are created with, one per role. A caller that offers more
 * services copies one and replaces members. */
const brz_collapser_host *brz_host_for_collapsers(void);
const brz_palette_host *brz_host_for_palettes(void);
const brz_output_host *brz_host_for_outputs(void);
const brz_transform_host *brz_host_for_transforms(void);

/* Returns the instance that a plug-in calls `service` for, given the context of any role. If the
 * context is not that of the current call, reports that and returns the instance of the current
 * call. A call on a thread of the plug-in, or from a function without a context, ends the process
 * if the host may end it; otherwise returns NULL, and the service must do nothing. */
brz_instance *brz_host_instance(const void *ctx, const char *service);

/* Reports that a plug-in broke a rule. Returns BRZ_ERROR. */
brz_rc brz_host_reject(brz_instance *i, const char *what);

#endif
