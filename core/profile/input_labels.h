/* SPDX-License-Identifier: MIT */
/* Labels the samples of each input with its name: --label KEY=TEMPLATE. */
#ifndef BRZ_INPUT_LABELS_H
#define BRZ_INPUT_LABELS_H

#include "base/buf.h"
#include "profile/profile.h"

/* Checks labels in lines of their own. Returns false and appends the reason to `error` if one of
 * them is invalid. */
bool brz_input_labels_check(brz_str labels, brz_buf *error);

/* Adds the labels to the samples of an input's profile, which keeps samples, or is NULL. In a
 * template, {path} stands for the name of the input, and {name} for its last part without its
 * endings: a format and a compression. */
void brz_input_labels_add(brz_str labels, const char *input, brz_profile *p);

#endif
