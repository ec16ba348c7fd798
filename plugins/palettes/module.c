/* Defines the palette "module": each module has its own colour, the same in every picture. Frames
 * without a module are left to the next palette of the chain. */
#include <brazier/plugin.h>

#include <stdlib.h>

#include "frame_module.h"

static uint64_t hash_of(brz_str s)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < s.len; i++)
        h = (h ^ (unsigned char)s.data[i]) * UINT64_C(0x100000001b3);
    return h ^ h >> 29;
}

/* Returns a colour channel of a hue, interpolated from `high` to `low` by the hue's distance from
 * `top`, the hue at which the channel is strongest. */
static uint32_t part_of(uint32_t hue, uint32_t top, uint32_t low, uint32_t high)
{
    uint32_t away = (hue + 360 - top) % 360;
    away = away > 180 ? 360 - away : away;
    if (away <= 60)
        return high;
    return away >= 120 ? low : high - (high - low) * (away - 60) / 60;
}

/* Returns the colour of a module: one of 24 hues in four tones, all light enough for black text. */
static uint32_t color_of(brz_str module)
{
    static const uint8_t tones[4][2] = {{96, 240}, {128, 250}, {80, 215}, {150, 235}};
    uint64_t h = hash_of(module);
    uint32_t hue = (uint32_t)(h % 24) * 15;
    const uint8_t *tone = tones[h / 24 % 4];
    return BRZ_RGB(part_of(hue, 0, tone[0], tone[1]), part_of(hue, 120, tone[0], tone[1]),
                   part_of(hue, 240, tone[0], tone[1]));
}

static uint32_t color(const brz_palette_ctx *ctx, const brz_color_in *in)
{
    (void)ctx;
    brz_str module = frame_module(in->frame);
    return module.len == 0 ? BRZ_COLOR_NONE : color_of(module);
}

/* ---- legend: the heaviest modules ------------------------------------------------------------ */

#define MOST 12

typedef struct share {
    brz_str module;
    int64_t self;
} share;

static int by_module(const void *a, const void *b)
{
    brz_str s = ((const share *)a)->module, t = ((const share *)b)->module;
    size_t n = s.len < t.len ? s.len : t.len;
    int d = n > 0 ? memcmp(s.data, t.data, n) : 0;
    return d != 0 ? d : (s.len > t.len) - (s.len < t.len);
}

static int by_weight(const void *a, const void *b)
{
    int64_t v = ((const share *)a)->self, w = ((const share *)b)->self;
    return v != w ? (v < w) - (v > w) : by_module(a, b);
}

/* Adds to a sum, which saturates at the limits of int64_t. */
static void add_self(share *to, int64_t self)
{
    if (__builtin_add_overflow(to->self, self, &to->self))
        to->self = self > 0 ? INT64_MAX : INT64_MIN;
}

static void tell_legend(brz_palette_ctx *ctx, const brz_tree *tree, brz_legend *legend)
{
    share *shares = ctx->host->alloc(ctx, tree->n_frames * sizeof *shares, 0);
    uint32_t n = 0;
    for (uint32_t i = 0; i < tree->n_frames; i++)
        shares[i].module = frame_module(brz_frame_at(tree, i));
    for (uint32_t i = 0; i < tree->n_nodes; i++)
        add_self(&shares[brz_node_at(tree, i)->frame], brz_node_at(tree, i)->self);
    qsort(shares, tree->n_frames, sizeof *shares, by_module);
    for (uint32_t i = 0; i < tree->n_frames; i++) {
        if (shares[i].module.len == 0)
            continue;
        if (n > 0 && brz_str_equal(shares[n - 1].module, shares[i].module))
            add_self(&shares[n - 1], shares[i].self);
        else
            shares[n++] = shares[i];
    }
    qsort(shares, n, sizeof *shares, by_weight);
    for (uint32_t i = 0; i < n && i < MOST; i++)
        legend->add(legend, color_of(shares[i].module), shares[i].module);
}

static const brz_palette palette = {
    .struct_size = sizeof palette,
    .depends = BRZ_ON_NAME | BRZ_ON_MODULE,
    .background = {BRZ_RGB(0xf8, 0xf8, 0xf8), BRZ_RGB(0xe8, 0xe8, 0xe8)},
    .color = color,
    .legend = tell_legend,
};

static const brz_component component = {
    .struct_size = sizeof component,
    .kind = BRZ_PALETTE,
    .id = "module",
    .summary = "a colour for each module, the same in every picture",
    .help =
        "The module comes from the collapser, or is the part of a name before ` or the first ::.",
    .vtable = &palette,
};

static const brz_component *const components[] = {&component, NULL};

BRZ_PLUGIN("module", BRZ_SHIPPED_VERSION, "MIT", BRZ_SHIPPED_URL, components)
