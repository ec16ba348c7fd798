/* SPDX-License-Identifier: MIT */
/* Writes JSON strings. */
#ifndef BRZ_JSON_H
#define BRZ_JSON_H

#include "base/buf.h"

/* Appends a JSON string with quotes. The text must be UTF-8. */
void brz_json_string(brz_buf *b, brz_str s);

#endif
