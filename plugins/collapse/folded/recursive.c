/* Collapses folded text and merges directly recursive frames: main;r;r;r;h becomes main;r;h.
 * Indirect recursion is kept. The input format is that of `folded`. */
#include "reader.h"
#include "../../common/shipped.h"

static brz_rc open_instance(brz_ctx *ctx)
{
    return folded_open(ctx, true);
}

/* Never claims an input: it has the same format as `folded`, and only the user knows which is
 * wanted. */
static int32_t sniff(const brz_head *head)
{
    (void)head;
    return BRZ_SNIFF_NO;
}

static const brz_collapser collapser = {
    .struct_size = sizeof collapser,
    .flags = BRZ_SPLITTABLE,
    .inst_size = sizeof(folded),
    .sniff = sniff,
    .prelude = folded_prelude,
    .boundary = folded_boundary,
    .open = open_instance,
    .parse = folded_parse,
    .finish = folded_finish,
};

BRZ_HINTS("")

SHIPPED_COLLAPSER("recursive", .summary = "folded stacks, with direct recursion merged",
                  .options = folded_options_table, .n_options = FOLDED_OPTIONS,
                  .option_size = sizeof(brz_option), .cfg_size = sizeof(folded_options))
