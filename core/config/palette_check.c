/* Checks a palette's options. */
#include "config/palette_check.h"

#include "draw/coloring.h"
#include "profile/call_tree.h"

static bool has_options(const brz_use *use)
{
    for (uint32_t i = 0; i < use->loaded->component->n_options; i++)
        if (use->options->values[i].layer != BRZ_LAYER_DEFAULT)
            return true;
    return false;
}

static brz_profile *make_profile(void)
{
    brz_profile *p = brz_profile_create();
    const brz_frame_desc d = {.struct_size = sizeof d, .name = BRZ_STR("main")};
    brz_frame frame = brz_profile_add_frame(p, &d);
    uint32_t weight = brz_profile_add_weight(p, BRZ_STR("samples"), BRZ_STR("samples"), 0, 0);
    brz_profile_add_value(p, brz_profile_add_stack(p, &frame, 1, 0), weight, 1);
    brz_profile_seal(p);
    return p;
}

/* Records the first error as the reason. */
static void hear(void *to, const brz_notice *notice)
{
    brz_buf *error = to;
    if (notice->severity != BRZ_FATAL || error->len > 0)
        return;
    if (notice->component != NULL)
        brz_buf_printf(error, "%s: ", notice->component->id);
    brz_buf_add_str(error, notice->msg);
}

static bool prepare(const brz_use *use, brz_buf *error)
{
    brz_chain_item palette = {.use = *use, .background = {BRZ_COLOR_NONE, BRZ_COLOR_NONE}};
    const brz_chain chain = {&palette, 1};
    const brz_coloring_options options = {.chain = &chain};
    const brz_call_tree_options how = {
        .before = BRZ_NO_WEIGHT, .after = BRZ_NO_WEIGHT, .order = BRZ_ORDER_MERGED, .nodes = true};
    brz_console console = {.report = hear, .to = error};
    brz_run run = {.console = &console};
    brz_call_tree view;
    brz_profile *p = make_profile();
    brz_call_tree_init(&view, p, &how);
    brz_coloring *c = brz_coloring_create(&options, &run, &view.tree);
    if (c != NULL)
        brz_coloring_destroy(c);
    brz_call_tree_finish(&view);
    brz_profile_destroy(p);
    return c != NULL;
}

bool brz_palette_check_options(const brz_use *use, brz_buf *error)
{
    const brz_palette *palette = use->loaded->vtable;
    return palette->prepare == NULL || !has_options(use) || prepare(use, error);
}
