/* Names of objects, files and functions, which may be compressed: "(3) main" names a number, and
 * "(3)" is the same name again. */
#ifndef CALLGRIND_NAMES_H
#define CALLGRIND_NAMES_H

#include <brazier/text.h>

#include "../../common/pair_map.h"

/* The name that is unknown: "???", or none. */
#define NO_NAME 0u

/* Kinds of names, which have numbers of their own. */
typedef enum name_kind { NAME_OBJECT, NAME_FILE, NAME_FUNCTION } name_kind;

typedef struct names {
    brz_frame_cache ids;
    brz_str *texts;
    size_t n, cap;
    pair_map numbers;
} names;

void names_init(names *x, brz_ctx *ctx);

/* Reads a name, which is part of the chunk. Returns its index among the texts, which is the same
 * for equal names. Reports a number that has no name yet. */
uint32_t names_read(names *x, brz_ctx *ctx, name_kind kind, brz_str text);

#endif
