/* SPDX-License-Identifier: MIT */
/* Collapses folded text in all its dialects: see line.h. */
#include "reader.h"
#include "sorted.h"
#include "../../common/shipped.h"

#include <string.h>

/* Implements brz_collapser.offer. */
static const void *offer(const char *id)
{
    return strcmp(id, BRZ_SORTED_ID) == 0 ? &folded_sorted_reader : NULL;
}

static const char *const globs[] = {"*.folded", "*.collapsed", NULL};

static const brz_collapser collapser = {
    .struct_size = sizeof collapser,
    .flags = BRZ_SPLITTABLE,
    .inst_size = sizeof(folded),
    .globs = globs,
    .sniff = folded_sniff,
    .prelude = folded_prelude,
    .boundary = folded_boundary,
    .open = folded_open,
    .parse = folded_parse,
    .finish = folded_finish,
    .offer = offer,
};

SHIPPED_COLLAPSER("folded", .summary = "folded stacks: frames joined by ';', a space, a count",
                  .options = folded_options_table, .n_options = FOLDED_OPTIONS,
                  .option_size = sizeof(brz_option), .cfg_size = sizeof(folded_options))
