/* SPDX-License-Identifier: MIT */
/* Generates a JSON Schema of configurations from the options of the available components, for
 * completion and checks in editors. */
#ifndef BRZ_SCHEMA_H
#define BRZ_SCHEMA_H

#include "plugin/registry.h"

/* Appends the schema. Loads all plug-ins. */
void brz_schema_write(brz_registry *r, brz_buf *b);

/* Appends the schema of one component's options. */
void brz_schema_write_options(const brz_component *c, brz_buf *b);

#endif
