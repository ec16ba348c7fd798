/* SPDX-License-Identifier: MIT */
/* Compares texts, and takes words from their beginning. */
#ifndef BRZ_CORE_TEXT_H
#define BRZ_CORE_TEXT_H

#include <brazier/symbol.h>

#endif
