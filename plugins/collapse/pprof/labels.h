/* SPDX-License-Identifier: MIT */
/* Makes tags of the labels of samples. */
#ifndef PPROF_LABELS_H
#define PPROF_LABELS_H

#include "frames.h"

typedef struct labels {
    brz_label *items; /* labels of the sample being read */
    size_t cap;
} labels;

/* Returns the tag of a sample's labels, or BRZ_NO_TAG if it has none. Numbers of processes and
 * threads, and their names, become members of the tag. */
brz_tag labels_tag(labels *l, frames *f, brz_bytes sample);

#endif
