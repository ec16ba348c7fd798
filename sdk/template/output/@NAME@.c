/* Writes the call tree as indented text, with a line for each frame and its weight.
 *
 * SPDX-License-Identifier: MIT
 */
#include <brazier/plugin.h>
#include <brazier/write.h>

static brz_rc write_tree(brz_output_ctx *ctx, const brz_tree *tree, brz_sink *sink)
{
    brz_writer w;
    brz_writer_init(&w, ctx, sink);
    for (uint32_t i = 1; i < tree->n_nodes; i++) { /* node 0 is the root, which has no name */
        const brz_node *node = brz_node_at(tree, i);
        for (uint32_t depth = 1; depth < node->depth; depth++)
            BRZ_PUT(&w, "  ");
        brz_put_str(&w, brz_frame_at(tree, node->frame)->name);
        brz_put_char(&w, ' ');
        brz_put_scaled(&w, node->total, brz_column_at(tree, tree->main_column)->decimals);
        brz_put_char(&w, '\n');
    }
    return brz_writer_finish(&w);
}

static const char *const endings[] = {"@NAME@", NULL};

static const brz_output output = {
    .struct_size = sizeof output,
    .flags = BRZ_OUTPUT_NODES,
    .media_type = "text/plain",
    .endings = endings,
    .write = write_tree,
};

static const brz_component component = {
    .struct_size = sizeof component,
    .kind = BRZ_OUTPUT,
    .id = "@NAME@",
    .summary = "the call tree as indented text",
    .vtable = &output,
};

static const brz_component *const components[] = {&component, NULL};

BRZ_PLUGIN("@NAME@", "0.1.0", "MIT", "https://example.org/@NAME@/issues", components)
