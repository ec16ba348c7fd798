/* A palette: warm colours for the program's own functions, grey for those of libraries.
 *
 * SPDX-License-Identifier: MIT
 */
#include <brazier/numbers.h>
#include <brazier/plugin.h>
#include <brazier/symbol.h>

/* Returns the colour of a frame. The function is pure: it depends only on the name and the kind, as
 * `depends` declares: brz_display_name() uses both. */
static uint32_t color(const brz_palette_ctx *ctx, const brz_color_in *in)
{
    brz_str name = brz_display_name(in->frame);
    (void)ctx;
    if (brz_starts_with(name, BRZ_STR("std::")) || brz_starts_with(name, BRZ_STR("__")))
        return BRZ_RGB(190, 190, 190);
    float shade = brz_numbers_hash(name).v[0]; /* 0 to 1; similar for names that begin alike */
    return BRZ_RGB(230, 90 + (int)(110 * shade), 60);
}

static const brz_palette palette = {
    .struct_size = sizeof palette,
    .depends = BRZ_ON_NAME | BRZ_ON_KIND,
    .color = color,
};

static const brz_component component = {
    .struct_size = sizeof component,
    .kind = BRZ_PALETTE,
    .id = "@NAME@",
    .summary = "grey for libraries, warm colours for other functions",
    .vtable = &palette,
};

static const brz_component *const components[] = {&component, NULL};

BRZ_PLUGIN("@NAME@", "0.1.0", "MIT", "https://example.org/@NAME@/issues", components)
