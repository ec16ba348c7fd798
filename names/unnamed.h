/* SPDX-License-Identifier: MIT */
/* Recognises names that stand for code without one. */
#ifndef NAMES_UNNAMED_H
#define NAMES_UNNAMED_H

#include <brazier/base.h>

/* Returns whether a name is that of a module in place of a function's, or of nothing, possibly with
 * an annotation: "[libc.so.6]", "[unknown]_[k]". The viewers fold such frames; isUnnamed() of
 * plugins/output/common/viewer/names.js decides the same, which a test compares. */
bool brz_name_is_unnamed(brz_str name);

#endif
