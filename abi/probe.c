/* Every public type of the plug-in ABI, each through a function's argument, so that abidw sees them
 * all: compiled with debug information, this is what abi/vN.abi is made of. */
#include <brazier/plugin.h>

#define TYPE(name)                                                                                 \
    void probe_##name(const struct name *p);                                                       \
    void probe_##name(const struct name *p)                                                        \
    {                                                                                              \
        (void)p;                                                                                   \
    }

TYPE(brz_str)
TYPE(brz_strlist)
TYPE(brz_option)
TYPE(brz_option_faults)
TYPE(brz_input_desc)
TYPE(brz_ctx)
TYPE(brz_diag)
TYPE(brz_frame_desc)
TYPE(brz_label)
TYPE(brz_tag_desc)
TYPE(brz_pair)
TYPE(brz_metadata)
TYPE(brz_column_desc)
TYPE(brz_count)
TYPE(brz_values)
TYPE(brz_legend)
TYPE(brz_related_file)
TYPE(brz_collapser_host)
TYPE(brz_chunk)
TYPE(brz_head)
TYPE(brz_magic)
TYPE(brz_collapser)
TYPE(brz_frame_info)
TYPE(brz_node)
TYPE(brz_change)
TYPE(brz_stack_info)
TYPE(brz_column_info)
TYPE(brz_tag_info)
TYPE(brz_sample_info)
TYPE(brz_part_info)
TYPE(brz_tree)
TYPE(brz_palette_ctx)
TYPE(brz_palette_host)
TYPE(brz_color_in)
TYPE(brz_palette)
TYPE(brz_output_ctx)
TYPE(brz_output_host)
TYPE(brz_sink)
TYPE(brz_output)
TYPE(brz_transform_ctx)
TYPE(brz_transform_host)
TYPE(brz_stack_edit)
TYPE(brz_transform)
TYPE(brz_component)
TYPE(brz_plugin)
TYPE(brz_plugin_note)

/* Names for numbers, whose width could change without any struct's. */
void probe_numbers(brz_rc rc, brz_frame frame, brz_stack stack, brz_tag tag);
void probe_numbers(brz_rc rc, brz_frame frame, brz_stack stack, brz_tag tag)
{
    (void)rc;
    (void)frame;
    (void)stack;
    (void)tag;
}

static const brz_component *const components[] = {NULL};

BRZ_PLUGIN("probe", "0", "MIT", "https://example.org", components)
