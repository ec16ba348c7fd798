/* SPDX-License-Identifier: MIT */
/* Defines the palette "package": the hue stands for the module of a frame, or for the package,
 * namespace or folder in its name if it has no module or most of the weight is in that module; the
 * lightness stands for the name. Frames of the same function look alike. A package has the hue that
 * its name gives it in every picture, unless a heavier one of the same profile has that hue or a
 * similar one. The host prepares the palette for the usual weight of a profile, so that it has the
 * same colours whichever weight is shown.
 */
#include <brazier/plugin.h>
#include <brazier/symbol.h>

#include "../common/names/name_parts.h"
#include "../common/shipped.h"
#include "frame_module.h"
#include "group_legend.h"
#include "package_colors.h"

typedef struct package_colors {
    group_table packages;
    brz_str main_module; /* the module with most of the weight, which its packages divide */
    uint8_t hues[HUES];  /* hues of these */
} package_colors;

/* ---- colours ------------------------------------------------------------------------------- */

static uint32_t opaque(uint32_t rgb)
{
    return rgb << 8 | 0xff;
}

/* ---- groups -------------------------------------------------------------------------------- */

/* Returns whether a module does not show the origin of code: that of JIT-compiled or unknown
 * code. */
static bool is_no_origin(brz_str module)
{
    brz_str file = frame_module_file(module);
    return file.len == 0 || brz_str_is(file, "[unknown]") || brz_str_is(file, "inlined") ||
           brz_starts_with(module, BRZ_STR("//anon")) ||
           brz_starts_with(module, BRZ_STR("[anon")) ||
           (brz_starts_with(file, BRZ_STR("perf-")) && brz_ends_with(file, BRZ_STR(".map"))) ||
           (brz_starts_with(file, BRZ_STR("jitted-")) && brz_ends_with(file, BRZ_STR(".so")));
}

static bool is_kernel(const brz_frame_info *f)
{
    if (f->kind == BRZ_KIND_KERNEL || f->module.len == 0)
        return f->kind == BRZ_KIND_KERNEL;
    return brz_starts_with(f->module, BRZ_STR("[kernel")) ||
           brz_starts_with(f->module, BRZ_STR("[guest.kernel"));
}

static bool is_script(brz_str file)
{
    static const char *const endings[] = {".js", ".mjs", ".cjs", ".ts", ".tsx", ".jsx"};
    for (size_t i = 0; i < BRZ_COUNT_OF(endings); i++)
        if (brz_ends_with(file, brz_str_of_text(endings[i])))
            return true;
    return brz_starts_with(file, BRZ_STR("node:"));
}

/* Returns the package in the name of a frame. Names of JavaScript have none, since Module is a
 * class in "Module.load"; their packages are those of files. */
static brz_str package_within(const brz_frame_info *f)
{
    brz_str name = brz_display_name(f);
    if (f->file.len == 0)
        return name_package(name);
    if (is_script(f->file))
        return name_package_of_file(f->file);
    return brz_ends_with(f->file, BRZ_STR(".go")) ? name_package_of_go(name) : name_package(name);
}

/* Returns the package of a frame without a module: that in its name, or else the folder of its
 * file. */
static brz_str package_without_module(const brz_frame_info *f)
{
    brz_str package = package_within(f);
    if (package.len > 0 || f->file.len == 0)
        return package;
    bool has_folder = memchr(f->file.data, '/', f->file.len) != NULL ||
                      memchr(f->file.data, '\\', f->file.len) != NULL;
    bool is_python = brz_ends_with(f->file, BRZ_STR(".py")) || f->file.data[0] == '<';
    return has_folder || is_python ? name_package_of_file(f->file) : package;
}

/* Returns the module of a frame, or its package in the main module. */
__attribute__((noinline)) static brz_str package_or_module(const package_colors *c,
                                                           const brz_frame_info *f)
{
    if (is_no_origin(f->module))
        return package_without_module(f);
    brz_str module = frame_module_file(f->module);
    brz_str package = brz_str_of(module.data, 0);
    if (c->main_module.len > 0 && brz_str_equal(module, c->main_module))
        package = package_within(f);
    return package.len > 0 ? package : module;
}

/* Returns the module or package of a frame; empty if it has none. */
static brz_str package_of(const brz_palette_ctx *ctx, const brz_frame_info *f)
{
    if (f->kind == BRZ_KIND_PROCESS)
        return BRZ_STR("");
    if (is_kernel(f))
        return BRZ_STR("kernel");
    return f->module.len == 0 ? package_without_module(f) : package_or_module(ctx->inst, f);
}

/* Returns the prefix of a function of C: "ext4" for __ext4_read. */
static brz_str prefix_of(brz_str name)
{
    while (name.len > 1 && name.data[0] == '_')
        name = brz_str_of(name.data + 1, name.len - 1);
    size_t n = 1;
    while (n < name.len && name.data[n] != '_')
        n++;
    return brz_str_of(name.data, n < name.len ? n : name.len);
}

static uint32_t tone_of(brz_str name)
{
    return (uint32_t)(group_hash(name) / HUES % TONES);
}

/* ---- hues ---------------------------------------------------------------------------------- */

#define APART 12 /* number of packages whose hues are not even similar */

/* Returns the hue for the next package: that of its name, or the nearest one that is not taken. The
 * first packages leave the neighbours of taken hues free, too. */
static uint8_t free_hue(const bool *taken, uint32_t wanted, bool apart)
{
    for (uint32_t step = 0; step < HUES; step++) {
        uint32_t by = step % 2 == 0 ? step / 2 : HUES - (step + 1) / 2;
        uint32_t hue = (wanted + by) % HUES;
        bool near = taken[(hue + 1) % HUES] || taken[(hue + HUES - 1) % HUES];
        if (!taken[hue] && !(apart && near))
            return (uint8_t)hue;
    }
    return apart ? free_hue(taken, wanted, false) : (uint8_t)wanted;
}

static uint32_t hashed_hue(brz_str group)
{
    return (uint32_t)(group_hash(group) % HUES);
}

/* Returns whether the heaviest package is a module with more than half of the weight, such as a
 * program without libraries. */
static bool has_main_module(const group_table *t, const brz_tree *tree)
{
    double total = 0;
    for (uint32_t i = 0; i < t->n; i++)
        total += t->shares[i].self > 0 ? (double)t->shares[i].self : 0;
    if (t->n == 0 || 2 * (double)t->shares[0].self <= total)
        return false;
    for (uint32_t i = 0; i < tree->n_frames; i++)
        if (t->of_frame[i] == 1)
            return brz_str_equal(frame_module_file(brz_frame_at(tree, i)->module),
                                 t->shares[0].group);
    return false;
}

static brz_rc prepare(brz_palette_ctx *ctx, const brz_tree *tree)
{
    package_colors *c = ctx->inst;
    bool taken[HUES] = {false};
    c->packages = group_table_of(ctx, tree, package_of);
    if (has_main_module(&c->packages, tree)) {
        c->main_module = c->packages.shares[0].group;
        c->packages = group_table_of(ctx, tree, package_of);
    }
    for (uint32_t i = 0; i < c->packages.n && i < HUES; i++) {
        c->hues[i] = free_hue(taken, hashed_hue(c->packages.shares[i].group), i < APART);
        taken[c->hues[i]] = true;
    }
    return BRZ_OK;
}

/* Returns the hue of a package by its place in the table. */
static uint32_t hue_at(const package_colors *c, uint32_t i)
{
    return i < HUES ? c->hues[i] : hashed_hue(c->packages.shares[i].group);
}

static uint32_t color(const brz_palette_ctx *ctx, const brz_color_in *in)
{
    const package_colors *c = ctx->inst;
    brz_str name = brz_display_name(in->frame);
    if (in->frame->kind == BRZ_KIND_PROCESS || name.len == 0)
        return opaque(neutral_tones[tone_of(name)]);
    uint32_t package = c->packages.of_frame[in->node->frame];
    uint32_t hue = package > 0 ? hue_at(c, package - 1) : hashed_hue(prefix_of(name));
    return opaque(package_tones[hue][tone_of(name)]);
}

static uint32_t legend_color(const brz_palette_ctx *ctx, brz_str group)
{
    const package_colors *c = ctx->inst;
    uint32_t i = 0;
    while (!brz_str_equal(c->packages.shares[i].group, group))
        i++;
    return opaque(package_tones[hue_at(c, i)][TONES / 2]);
}

/* Returns "MODULE: PACKAGE". */
static brz_str package_of_module(brz_palette_ctx *ctx, brz_str module, brz_str package)
{
    char *text = ctx->host->alloc(ctx, module.len + package.len + 2, 0);
    memcpy(text, module.data, module.len);
    memcpy(text + module.len, ": ", 2);
    memcpy(text + module.len + 2, package.data, package.len);
    return brz_str_of(text, module.len + package.len + 2);
}

/* Labels the packages within the main module, which would look like modules. */
static void label_packages(brz_palette_ctx *ctx, const brz_tree *tree, group_table *t)
{
    const package_colors *c = ctx->inst;
    for (uint32_t i = 0; i < tree->n_frames && c->main_module.len > 0; i++) {
        const brz_frame_info *f = brz_frame_at(tree, i);
        group_share *share = t->of_frame[i] > 0 ? &t->shares[t->of_frame[i] - 1] : NULL;
        if (share == NULL || share->label.data != share->group.data ||
            brz_str_equal(share->group, c->main_module) ||
            !brz_str_equal(frame_module_file(f->module), c->main_module))
            continue;
        share->label = package_of_module(ctx, c->main_module, share->group);
    }
}

/* Lists the packages by the weight that is shown, which may be another than that of prepare(). */
static void tell_legend(brz_palette_ctx *ctx, const brz_tree *tree, brz_legend *legend)
{
    package_colors *c = ctx->inst;
    label_packages(ctx, tree, &c->packages);
    group_table shown = group_table_weigh(ctx, &c->packages, tree);
    group_legend(ctx, &shown, legend, legend_color);
}

static const brz_palette palette = {
    .struct_size = sizeof palette,
    .depends = BRZ_ON_NAME | BRZ_ON_MODULE | BRZ_ON_KIND | BRZ_ON_SOURCE,
    .inst_size = sizeof(package_colors),
    .background = {BRZ_RGB(0xfa, 0xfa, 0xfa), BRZ_RGB(0xfa, 0xfa, 0xfa)},
    .prepare = prepare,
    .color = color,
    .legend = tell_legend,
};

SHIPPED_PLUGIN("package", BRZ_PALETTE, &palette,
               .summary = "a hue per module or package, a lightness per function")
