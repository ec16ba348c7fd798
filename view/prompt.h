/* SPDX-License-Identifier: MIT */
/* A line of input below the picture. */
#ifndef BRZ_VIEW_PROMPT_H
#define BRZ_VIEW_PROMPT_H

#include "view/viewer.h"

/* Opens the line. */
void view_prompt_open(viewer *v, view_prompt prompt);

/* Takes a key that is typed into the line. Enter carries out what the line is for. */
void view_prompt_key(viewer *v, uint32_t key);

#endif
