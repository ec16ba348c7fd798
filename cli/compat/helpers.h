/* SPDX-License-Identifier: MIT */
/* Runs the tools that use no other part of brazier. */
#ifndef BRZ_CLI_COMPAT_HELPERS_H
#define BRZ_CLI_COMPAT_HELPERS_H

#include "tool.h"

/* Numbers of the options that the helpers look for. */
enum {
    HELPER_ONE_FILE_SYSTEM = 1,
    HELPER_RAW_TIME,
    HELPER_SECONDS_OF_START,
};

/* files.pl: prints the size of each file and folder below the given ones. */
compat_prepare_fn compat_print_file_sizes;

/* range-perf.pl: copies the events of a range of time in the text of perf script. */
compat_prepare_fn compat_copy_time_range;

#endif
