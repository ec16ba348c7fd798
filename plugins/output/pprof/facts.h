/* Facts about the recording, as fields of a profile. */
#ifndef PPROF_FACTS_H
#define PPROF_FACTS_H

#include "../common/texts.h"
#include "message.h"

/* Adds facts to a profile. Those for which the format has no field become comments. The texts are
 * added to `t`, and `part` is empty before and after. */
void facts_add(brz_output_ctx *ctx, texts *t, const brz_metadata *facts, message *profile,
               message *part);

#endif
