/* SPDX-License-Identifier: MIT */
/* The legend of palettes that colour frames by groups, such as modules: the heaviest groups. */
#ifndef PALETTES_GROUP_LEGEND_H
#define PALETTES_GROUP_LEGEND_H

#include <brazier/palette.h>
#include <brazier/plugin.h>

/* Returns the group of a frame, or an empty text if the legend does not show it. */
typedef brz_str group_of_frame(const brz_palette_ctx *ctx, const brz_frame_info *f);

/* Returns the colour of a group. */
typedef uint32_t color_of_group(const brz_palette_ctx *ctx, brz_str group);

/* Returns a number for a name, which is the same in every picture. */
uint64_t group_hash(brz_str name);

/* A group and the sum of its frames' self weights. */
typedef struct group_share {
    brz_str group, label; /* its name, and how the legend calls it */
    int64_t self;
    uint32_t number; /* for the construction of a table */
    bool has_weight; /* a frame of the group has a weight, with its callees */
} group_share;

/* The groups of a picture. The memory belongs to the palette's instance. */
typedef struct group_table {
    const brz_tree *tree; /* that the weights are from */
    group_share *shares;  /* heaviest first */
    uint32_t n;
    uint32_t *of_frame; /* indexed by frame: its group, from 1; 0: none */
} group_table;

group_table group_table_of(brz_palette_ctx *ctx, const brz_tree *tree, group_of_frame *group);

/* Returns the groups of a table with the weights of a tree, which has the same frames. Of the
 * result, only `shares` is to be used. */
group_table group_table_weigh(brz_palette_ctx *ctx, const group_table *t, const brz_tree *tree);

/* The colour of the legend's entry that counts the groups which it does not list. */
#define GROUP_REST BRZ_RGB(0xb8, 0xb8, 0xb8)

/* Adds the groups with the largest self weight to the legend, heaviest first, and the number of the
 * others. Leaves out groups whose frames have no weight: they are in the profile because of another
 * weight. */
void group_legend(brz_palette_ctx *ctx, const group_table *t, brz_legend *legend,
                  color_of_group *color);

#endif
