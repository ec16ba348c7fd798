/* SPDX-License-Identifier: MIT */
/* Labels of samples, made of tags. */
#ifndef PPROF_LABELS_H
#define PPROF_LABELS_H

#include "../common/texts.h"
#include "message.h"

/* Adds the labels of a tag to a sample. Process, thread and processor become labels of the names
 * that most writers use, unless the tag has a label that says the same. The texts are added to `t`,
 * and `label` is empty before and after. */
void labels_add(brz_output_ctx *ctx, message *sample, message *label, texts *t,
                const brz_tag_info *tag);

#endif
