/* SPDX-License-Identifier: MIT */
/* Resolves names in a configuration or command line to components and sets their options. */
#ifndef BRZ_RESOLVE_H
#define BRZ_RESOLVE_H

#include "input/stream.h"
#include "plugin/component_use.h"
#include "request/request.h"
#include "config/session.h"

/* The context of a resolver. */
typedef struct brz_resolver {
    brz_session *session;
    const brz_request *request;
    bool *used;    /* by setting: a component has the option */
    bool trusting; /* unknown options in the configuration were checked before */
} brz_resolver;

/* Finds the component `name` and sets its options from the configuration's section "options", the
 * map `options` (or NULL), and the request. `at` is the node that contains the name, or NULL for a
 * name from the command line. Returns false after reporting an error. */
bool brz_resolve(const brz_resolver *r, uint32_t kind, brz_str name, const brz_yaml *at,
                 const brz_yaml *options, brz_use *use);

/* Does the same for a component that was found already. */
bool brz_resolve_loaded(const brz_resolver *r, const brz_loaded *loaded, const brz_yaml *at,
                        const brz_yaml *options, brz_use *use);

/* Returns the output whose ending fits a file best, or the request's default for other files.
 * Returns NULL after reporting an error. */
const char *brz_resolve_ending(const brz_resolver *r, const char *file);

/* Returns the length of the ending of `file` that belongs to an output, or 0 if it has none of its
 * endings. An ending that says that the file is compressed may follow, and does not count. */
size_t brz_resolve_ending_length(const brz_loaded *output, const char *file);

/* Returns how to compress an output's file: as its last ending says, .gz or .zst, unless it is part
 * of an ending of the output, such as .pb.gz. */
brz_packing brz_resolve_packing(const brz_loaded *output, const char *file);

#endif
