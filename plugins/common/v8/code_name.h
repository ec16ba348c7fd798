/* SPDX-License-Identifier: MIT */
/* Names of code in logs of V8. */
#ifndef COMMON_V8_CODE_NAME_H
#define COMMON_V8_CODE_NAME_H

#include "../dump/dump.h"

/* Parses "alpha /srv/a.js:2:15" or " :1:1": a name and a place, either of which may be empty. */
void code_describe_script(brz_str text, brz_frame_desc *frame);

/* Removes the letter that nm prints in front of a symbol. */
brz_str code_without_letter(brz_str symbol);

#endif
