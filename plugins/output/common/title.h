/* SPDX-License-Identifier: MIT */
/* The title of a picture, from what its profile says about the recording. */
#ifndef OUTPUT_COMMON_TITLE_H
#define OUTPUT_COMMON_TITLE_H

#include <brazier/plugin.h>

/* Returns a title such as "make -j4: cycles, 3.1 s, 2,502 samples on web01": the command or else
 * the file, what is counted, the duration, the number of samples and the host, as far as they are
 * known; `otherwise` if neither command, file, duration nor host is. The text belongs to the
 * plug-in instance. */
brz_str title_of(brz_output_ctx *ctx, const brz_tree *tree, brz_str otherwise);

#endif
