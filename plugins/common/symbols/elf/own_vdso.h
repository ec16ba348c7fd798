/* SPDX-License-Identifier: MIT */
/* Finds the vDSO, the code that the kernel maps into this process as into every other one. */
#ifndef SYMBOLS_OWN_VDSO_H
#define SYMBOLS_OWN_VDSO_H

#include <stddef.h>
#include <stdint.h>

/* Returns the ELF file in memory and its size, or NULL if there is none. */
const uint8_t *own_vdso(size_t *len);

#endif
