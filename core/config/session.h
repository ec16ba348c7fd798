/* SPDX-License-Identifier: MIT */
/* A session: the state that the pipelines of a command, or of a session of the library, share. */
#ifndef BRZ_SESSION_H
#define BRZ_SESSION_H

#include "base/diag.h"
#include "plugin/registry.h"
#include "config/config.h"

struct brz_formats;

typedef struct brz_session {
    brz_console console;
    brz_registry *registry;
    brz_config *config;
    struct brz_formats *formats; /* of the configuration, and shipped ones */
} brz_session;

#endif
