/* SPDX-License-Identifier: MIT */
/* Shows a picture in the browser. */
#ifndef BRZ_CLI_OPEN_PICTURE_H
#define BRZ_CLI_OPEN_PICTURE_H

#include "base/diag.h"

/* Starts the program that opens files on this system, without waiting for it. Warns if that fails.
 */
void cli_open_picture(const char *path, brz_console *console);

#endif
