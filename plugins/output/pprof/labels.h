/* Labels of samples, made of tags. */
#ifndef PPROF_LABELS_H
#define PPROF_LABELS_H

#include "../common/texts.h"
#include "profile.pb-c.h"

typedef Brazier__Pprof__Label Label;

/* The labels of one sample. */
typedef struct labels {
    Label *items, **list; /* the same labels twice: as protobuf-c needs them */
    size_t n, cap;
} labels;

/* Replaces the labels by those of a tag. Process, thread and processor become labels of the names
 * that most writers use, unless the tag has a label that says the same. The memory belongs to the
 * plug-in instance, the texts are added to `t`. */
void labels_fill(labels *l, brz_output_ctx *ctx, texts *t, const brz_tag_info *tag);

#endif
