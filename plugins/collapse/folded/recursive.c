/* The collapser for folded text that makes one frame of a frame that calls itself: main;r;r;r;h is
 * main;r;h. Recursion through other frames stays. It reads what `folded` reads. */
#include "reader.h"

static brz_rc open_instance(brz_ctx *ctx)
{
    return folded_open(ctx, true);
}

/* It is the same format: which of the two is meant, only the user knows. */
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

static const brz_component component = {
    .struct_size = sizeof component,
    .kind = BRZ_COLLAPSER,
    .id = "recursive",
    .summary = "folded stacks, a frame that calls itself made one",
    .options = folded_options_table,
    .n_options = FOLDED_OPTIONS,
    .option_size = sizeof(brz_option),
    .cfg_size = sizeof(folded_options),
    .vtable = &collapser,
};

static const brz_component *const components[] = {&component, NULL};

BRZ_PLUGIN("recursive", BRZ_SHIPPED_VERSION, "MIT", BRZ_SHIPPED_URL, components)
