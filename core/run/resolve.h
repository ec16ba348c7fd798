/* From names in a configuration or on a command line to components with their options set. */
#ifndef BRZ_RESOLVE_H
#define BRZ_RESOLVE_H

#include "plugin/component_use.h"
#include "run/request.h"
#include "run/session.h"

/* What a resolver works with and reports to. */
typedef struct brz_resolver {
    brz_session *session;
    const brz_request *request;
    bool *used;    /* by setting: a component took it */
    bool trusting; /* that an option of the configuration is nobody's was looked at already */
} brz_resolver;

/* The component called `name`, its options filled from the configuration's "options" section, from
 * the map `options` (or NULL) and from the request's settings. `at` is the node that names it, or
 * NULL: then it is from the command line. False after saying what is wrong. */
bool brz_resolve(const brz_resolver *r, uint32_t kind, brz_str name, const brz_yaml *at,
                 const brz_yaml *options, brz_use *use);

/* The same for a component that was found already. */
bool brz_resolve_loaded(const brz_resolver *r, const brz_loaded *loaded, const brz_yaml *at,
                        const brz_yaml *options, brz_use *use);

/* The output whose endings fit a file best, or the request's for other files. NULL after saying
 * what is wrong. */
const char *brz_resolve_ending(const brz_resolver *r, const char *file);

/* How many characters of a file's name are an ending of that output; 0: the name has none of its
 * endings. */
size_t brz_resolve_ending_length(const brz_loaded *output, const char *file);

#endif
