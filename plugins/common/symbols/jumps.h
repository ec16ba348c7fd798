/* Names the jumps through which a program calls functions of libraries: "NAME@plt". */
#ifndef SYMBOLS_JUMPS_H
#define SYMBOLS_JUMPS_H

#include "elf_image.h"

/* Adds the jumps of an image: those of .plt, .plt.sec and .plt.got on x86-64 and arm64, and those
 * of .plt on i386. `t` has the other symbols already, which name functions that choose their code
 * at run time. */
void jumps_add(const elf_image *e, brz_ctx *ctx, symbol_table *t);

#endif
