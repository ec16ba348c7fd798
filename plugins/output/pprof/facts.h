/* Facts about the recording, as fields of a profile. */
#ifndef PPROF_FACTS_H
#define PPROF_FACTS_H

#include "../common/texts.h"
#include "profile.pb-c.h"

/* Fills in the fields of `m` that state facts, and `period`, to which it may refer. Comments are
 * not among them. */
void facts_fill(texts *t, const brz_metadata *facts, Brazier__Pprof__Profile *m,
                Brazier__Pprof__ValueType *period);

/* Returns the comments, and facts for which the format has no field, as texts of `t`. Sets *n to
 * their number. The memory belongs to the plug-in instance. */
int64_t *facts_comments(brz_output_ctx *ctx, texts *t, const brz_metadata *facts, size_t *n);

#endif
