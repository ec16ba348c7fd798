/* A session: what one command, or one session of the library, shares among its pipelines. */
#ifndef BRZ_SESSION_H
#define BRZ_SESSION_H

#include "base/diag.h"
#include "plugin/registry.h"
#include "run/config.h"

typedef struct brz_session {
    brz_console console;
    brz_registry *registry;
    brz_config *config;
} brz_session;

#endif
