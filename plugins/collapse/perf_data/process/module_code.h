/* SPDX-License-Identifier: MIT */
/* Finds the code of functions in the files of modules. */
#ifndef PERF_DATA_MODULE_CODE_H
#define PERF_DATA_MODULE_CODE_H

#include "symbols.h"

#include <brazier/draft/code.h>

/* Finds the function at the address of a frame, in the file of its module. Returns false without a
 * file that has the recorded build id. Its bytes stay valid as long as the file is open. */
bool module_code_find(const modules *m, symbols *s, const brz_frame_info *at, brz_code *code);

#endif
