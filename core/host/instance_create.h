/* SPDX-License-Identifier: MIT */
/* Creates and destroys instances. */
#ifndef BRZ_INSTANCE_CREATE_H
#define BRZ_INSTANCE_CREATE_H

#include "host/instance.h"

/* Creates an instance with `inst_size` bytes of state. `cfg` and `shared` must outlive it. */
brz_instance *brz_instance_create(const brz_loaded *loaded, brz_run *run, const void *cfg,
                                  const void *shared, size_t inst_size, uint32_t index);

/* Destroys an instance, its profile and its reports. Accepts NULL. */
void brz_instance_destroy(brz_instance *i);

#endif
