/* JSON, as far as the host writes some: strings. */
#ifndef BRZ_JSON_H
#define BRZ_JSON_H

#include "base/buf.h"

/* Appends a string with its quotes. The text is UTF-8. */
void brz_json_string(brz_buf *b, brz_str s);

#endif
