/* SPDX-License-Identifier: MIT */
/* Parses words by the rules of clap, of Getopt::Long, and of single letters. */
#ifndef BRZ_CLI_COMPAT_READERS_H
#define BRZ_CLI_COMPAT_READERS_H

#include "words.h"

compat_read_fn compat_read_clap, compat_read_getopt_long, compat_read_letters;

#endif
