/* From a profile to the bytes of its outputs. */
#ifndef BRZ_RENDER_H
#define BRZ_RENDER_H

#include "pipeline.h"

/* Lets each output write what it makes of the profile's column `weight` to the sink of the same
 * index. What they need (stacks, nodes in one order or another) is made once. False after saying
 * what is wrong. */
bool brz_render(brz_profile *profile, uint32_t weight, const brz_output_use *outputs, size_t n,
                brz_file_sink *const *sinks, brz_run *run);

#endif
