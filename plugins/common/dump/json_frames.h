/* SPDX-License-Identifier: MIT */
/* Reads the frames of a stack that a dump in JSON has as texts. */
#ifndef COMMON_DUMP_JSON_FRAMES_H
#define COMMON_DUMP_JSON_FRAMES_H

#include "../json/members.h"
#include "dump.h"

/* Appends the texts of an array as frames, the leaf first; `scratch` is for decoded texts. Returns
 * false if it is no array, or if one of its values is no text. */
bool json_frames_push(dump *d, brz_text *scratch, const brz_json_token *array,
                      dump_describe *describe);

#endif
