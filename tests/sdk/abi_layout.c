/* SPDX-License-Identifier: MIT */
/* Asserts the interface in numbers: sizes, offsets, types and values that plug-ins contain in
 * compiled form.
 *
 * The table is written by hand for LP64, not generated from the headers: a change of the headers
 * that affects plug-ins does not compile here. An intended change must change this table, too; from
 * ABI 1.0 on, lines are only added, together with BRZ_ABI_MINOR.
 */
#include <brazier/plugin.h>

#include <stdio.h>
#include <string.h>

#if !defined(__LP64__)
#error "the table is that of machines on which long and pointers have 64 bits"
#endif

#define SIZE(type_, size_) _Static_assert(sizeof(struct type_) == (size_), #type_ " has grown")

#define IS(expression, type_, what)                                                                \
    _Static_assert(_Generic((expression), type_ : 1, default : 0), what " has another type")

#define AT(struct_, member, offset_, type_)                                                        \
    _Static_assert(offsetof(struct struct_, member) == (offset_), #struct_ "." #member " moved");  \
    IS(((struct struct_ *)0)->member, type_, #struct_ "." #member)

#define AT_ARRAY(struct_, member, offset_, type_, n)                                               \
    AT(struct_, member, offset_, type_ *);                                                         \
    _Static_assert(sizeof(((struct struct_ *)0)->member) == (n) * sizeof(type_),                   \
                   #struct_ "." #member " has another length")

#define VALUE(name, value) _Static_assert((name) == (value), #name " has another value")

/* ---- <brazier/base.h> -------------------------------------------------------------------- */

SIZE(brz_str, 16);
AT(brz_str, data, 0, const char *);
AT(brz_str, len, 8, size_t);

SIZE(brz_strlist, 16);
AT(brz_strlist, items, 0, const brz_str *);
AT(brz_strlist, count, 8, size_t);

/* ---- <brazier/option.h> ------------------------------------------------------------------ */

SIZE(brz_option, 56);
AT(brz_option, name, 0, const char *);
AT(brz_option, type, 8, uint32_t);
AT(brz_option, flags, 12, uint32_t);
AT(brz_option, offset, 16, size_t);
AT(brz_option, dflt, 24, const char *);
AT(brz_option, help, 32, const char *);
AT(brz_option, choices, 40, const char *const *);
AT(brz_option, range, 48, const char *);

SIZE(brz_option_faults, 16);
AT(brz_option_faults, struct_size, 0, uint32_t);
AT(brz_option_faults, reserved, 4, uint32_t);
AT(brz_option_faults, add, 8,
   void (*)(brz_option_faults *, const char *name, uint64_t item, brz_str msg));

/* ---- <brazier/host.h> -------------------------------------------------------------------- */

SIZE(brz_input_desc, 32);
AT(brz_input_desc, struct_size, 0, uint32_t);
AT(brz_input_desc, index, 4, uint32_t);
AT(brz_input_desc, name, 8, brz_str);
AT(brz_input_desc, size, 24, uint64_t);

SIZE(brz_ctx, 64);
AT(brz_ctx, struct_size, 0, uint32_t);
AT(brz_ctx, index, 4, uint32_t);
AT(brz_ctx, host, 8, const brz_collapser_host *);
AT(brz_ctx, cfg, 16, const void *);
AT(brz_ctx, inst, 24, void *);
AT(brz_ctx, seed, 32, uint64_t);
AT(brz_ctx, prelude_data, 40, const void *);
AT(brz_ctx, flags, 48, uint32_t);
AT(brz_ctx, reserved, 52, uint32_t);
AT(brz_ctx, input, 56, const brz_input_desc *);

SIZE(brz_diag, 88);
AT(brz_diag, struct_size, 0, uint32_t);
AT(brz_diag, severity, 4, int32_t);
AT(brz_diag, code, 8, const char *);
AT(brz_diag, at, 16, const void *);
AT(brz_diag, len, 24, size_t);
AT(brz_diag, msg, 32, brz_str);
AT(brz_diag, count, 48, uint64_t);
AT(brz_diag, records, 56, uint64_t);
AT(brz_diag, weighed, 64, uint64_t);
AT(brz_diag, missing, 72, int64_t);
AT(brz_diag, byte_number, 80, uint64_t);

SIZE(brz_frame_desc, 112);
AT(brz_frame_desc, struct_size, 0, uint32_t);
AT(brz_frame_desc, kind, 4, uint32_t);
AT(brz_frame_desc, name, 8, brz_str);
AT(brz_frame_desc, module, 24, brz_str);
AT(brz_frame_desc, file, 40, brz_str);
AT(brz_frame_desc, line, 56, uint32_t);
AT(brz_frame_desc, column, 60, uint32_t);
AT(brz_frame_desc, flags, 64, uint32_t);
AT(brz_frame_desc, first_line, 68, uint32_t);
AT(brz_frame_desc, address, 72, uint64_t);
AT(brz_frame_desc, system_name, 80, brz_str);
AT(brz_frame_desc, build_id, 96, brz_str);

SIZE(brz_column_desc, 48);
AT(brz_column_desc, struct_size, 0, uint32_t);
AT(brz_column_desc, decimals, 4, uint32_t);
AT(brz_column_desc, name, 8, brz_str);
AT(brz_column_desc, unit, 24, brz_str);
AT(brz_column_desc, flags, 40, uint32_t);
AT(brz_column_desc, reserved, 44, uint32_t);

SIZE(brz_count, 32);
AT(brz_count, stack, 0, brz_stack);
AT(brz_count, column, 4, uint32_t);
AT(brz_count, value, 8, int64_t);
AT(brz_count, tag, 16, brz_tag);
AT(brz_count, flags, 20, uint32_t);
AT(brz_count, time, 24, int64_t);

SIZE(brz_values, 40);
AT(brz_values, struct_size, 0, uint32_t);
AT(brz_values, flags, 4, uint32_t);
AT(brz_values, values, 8, const int64_t *);
AT(brz_values, n_values, 16, size_t);
AT(brz_values, time, 24, int64_t);
AT(brz_values, tag, 32, brz_tag);
AT(brz_values, reserved, 36, uint32_t);

SIZE(brz_legend, 16);
AT(brz_legend, struct_size, 0, uint32_t);
AT(brz_legend, reserved, 4, uint32_t);
AT(brz_legend, add, 8, void (*)(brz_legend *, uint32_t color, brz_str name));

SIZE(brz_related_file, 40);
AT(brz_related_file, struct_size, 0, uint32_t);
AT(brz_related_file, reserved, 4, uint32_t);
AT(brz_related_file, data, 8, const uint8_t *);
AT(brz_related_file, len, 16, size_t);
AT(brz_related_file, path, 24, brz_str);

SIZE(brz_collapser_host, 192);
AT(brz_collapser_host, struct_size, 0, uint32_t);
AT(brz_collapser_host, abi_major, 4, uint16_t);
AT(brz_collapser_host, abi_minor, 6, uint16_t);
AT(brz_collapser_host, name, 8, const char *);
AT(brz_collapser_host, version, 16, const char *);
AT(brz_collapser_host, alloc, 24, void *(*)(brz_ctx *, size_t size, size_t align));
AT(brz_collapser_host, log, 32, void (*)(brz_ctx *, int32_t level, brz_str line));
AT(brz_collapser_host, diag, 40, void (*)(brz_ctx *, const brz_diag *));
AT(brz_collapser_host, stopped, 48, bool (*)(brz_ctx *));
AT(brz_collapser_host, extension, 56, const void *(*)(brz_ctx *, const char *id));
AT(brz_collapser_host, intern, 64, brz_frame (*)(brz_ctx *, const char *name, size_t len));
AT(brz_collapser_host, frame, 72, brz_frame (*)(brz_ctx *, const brz_frame_desc *));
AT(brz_collapser_host, column, 80, uint32_t (*)(brz_ctx *, const brz_column_desc *));
AT(brz_collapser_host, decimals, 88, void (*)(brz_ctx *, uint32_t column, uint32_t decimals));
AT(brz_collapser_host, emit, 96,
   brz_rc (*)(brz_ctx *, const brz_frame *frames, size_t n, int64_t value, uint32_t flags));
AT(brz_collapser_host, sample, 104,
   brz_rc (*)(brz_ctx *, const brz_frame *frames, size_t n, uint32_t flags, const brz_values *));
AT(brz_collapser_host, stack, 112,
   brz_stack (*)(brz_ctx *, const brz_frame *frames, size_t n, uint32_t flags,
                 const brz_frame **stored));
AT(brz_collapser_host, add, 120,
   brz_rc (*)(brz_ctx *, const brz_count *counts, size_t n, size_t size));
AT(brz_collapser_host, enter, 128,
   brz_rc (*)(brz_ctx *, uint64_t track, brz_frame frame, const brz_values *at));
AT(brz_collapser_host, leave, 136, brz_rc (*)(brz_ctx *, uint64_t track, const brz_values *at));
AT(brz_collapser_host, tag, 144, brz_tag (*)(brz_ctx *, const brz_tag_desc *));
AT(brz_collapser_host, metadata, 152, void (*)(brz_ctx *, const brz_metadata *));
AT(brz_collapser_host, open_related, 160,
   int32_t (*)(brz_ctx *, brz_str name, uint32_t flags, brz_related_file *));
AT(brz_collapser_host, in_order, 168, void (*)(brz_ctx *));
AT(brz_collapser_host, load, 176, bool (*)(brz_ctx *, brz_str path, brz_str key, brz_str *content));
AT(brz_collapser_host, save, 184, void (*)(brz_ctx *, brz_str path, brz_str key, brz_str content));

/* ---- <brazier/tag.h> --------------------------------------------------------------------- */

SIZE(brz_label, 64);
AT(brz_label, key, 0, brz_str);
AT(brz_label, text, 16, brz_str);
AT(brz_label, unit, 32, brz_str);
AT(brz_label, number, 48, int64_t);
AT(brz_label, flags, 56, uint32_t);
AT(brz_label, decimals, 60, uint32_t);

SIZE(brz_tag_desc, 80);
AT(brz_tag_desc, struct_size, 0, uint32_t);
AT(brz_tag_desc, flags, 4, uint32_t);
AT(brz_tag_desc, process, 8, int64_t);
AT(brz_tag_desc, thread, 16, int64_t);
AT(brz_tag_desc, cpu, 24, uint32_t);
AT(brz_tag_desc, label_size, 28, uint32_t);
AT(brz_tag_desc, process_name, 32, brz_str);
AT(brz_tag_desc, thread_name, 48, brz_str);
AT(brz_tag_desc, labels, 64, const brz_label *);
AT(brz_tag_desc, n_labels, 72, uint32_t);
AT(brz_tag_desc, reserved, 76, uint32_t);

/* ---- <brazier/metadata.h> ---------------------------------------------------------------- */

SIZE(brz_pair, 32);
AT(brz_pair, key, 0, brz_str);
AT(brz_pair, value, 16, brz_str);

SIZE(brz_metadata, 176);
AT(brz_metadata, struct_size, 0, uint32_t);
AT(brz_metadata, pair_size, 4, uint32_t);
AT(brz_metadata, start, 8, int64_t);
AT(brz_metadata, clock_start, 16, int64_t);
AT(brz_metadata, duration, 24, int64_t);
AT(brz_metadata, period, 32, int64_t);
AT(brz_metadata, period_name, 40, brz_str);
AT(brz_metadata, period_unit, 56, brz_str);
AT(brz_metadata, producer, 72, brz_str);
AT(brz_metadata, command, 88, brz_str);
AT(brz_metadata, host, 104, brz_str);
AT(brz_metadata, architecture, 120, brz_str);
AT(brz_metadata, comments, 136, const brz_str *);
AT(brz_metadata, pairs, 144, const brz_pair *);
AT(brz_metadata, n_comments, 152, uint64_t);
AT(brz_metadata, n_pairs, 160, uint64_t);
AT(brz_metadata, of, 168, const brz_tag_desc *);

/* ---- <brazier/collapser.h> --------------------------------------------------------------- */

SIZE(brz_chunk, 32);
AT(brz_chunk, struct_size, 0, uint32_t);
AT(brz_chunk, flags, 4, uint32_t);
AT(brz_chunk, data, 8, const uint8_t *);
AT(brz_chunk, len, 16, size_t);
AT(brz_chunk, offset, 24, uint64_t);

SIZE(brz_head, 56);
AT(brz_head, struct_size, 0, uint32_t);
AT(brz_head, flags, 4, uint32_t);
AT(brz_head, data, 8, const uint8_t *);
AT(brz_head, len, 16, size_t);
AT(brz_head, name, 24, brz_str);
AT(brz_head, raw, 40, const uint8_t *);
AT(brz_head, raw_len, 48, size_t);

SIZE(brz_magic, 24);
AT(brz_magic, offset, 0, uint32_t);
AT(brz_magic, len, 4, uint32_t);
AT(brz_magic, bytes, 8, const void *);
AT(brz_magic, score, 16, int32_t);
AT(brz_magic, flags, 20, uint32_t);

SIZE(brz_collapser, 120);
AT(brz_collapser, struct_size, 0, uint32_t);
AT(brz_collapser, flags, 4, uint32_t);
AT(brz_collapser, inst_size, 8, size_t);
AT(brz_collapser, globs, 16, const char *const *);
AT(brz_collapser, magics, 24, const brz_magic *);
AT(brz_collapser, n_magics, 32, uint32_t);
AT(brz_collapser, magic_size, 36, uint32_t);
AT(brz_collapser, sniff, 40, int32_t (*)(const brz_head *));
AT(brz_collapser, prelude, 48,
   brz_rc (*)(brz_ctx *, const brz_chunk *, size_t *used, const void **prelude_data));
AT(brz_collapser, boundary, 56,
   size_t (*)(const void *prelude_data, const uint8_t *buf, size_t n, size_t from));
AT(brz_collapser, open, 64, brz_rc (*)(brz_ctx *));
AT(brz_collapser, parse, 72, brz_rc (*)(brz_ctx *, const brz_chunk *, size_t *used));
AT(brz_collapser, merge, 80, brz_rc (*)(brz_ctx *into, brz_ctx *from));
AT(brz_collapser, finish, 88, brz_rc (*)(brz_ctx *));
AT(brz_collapser, close, 96, void (*)(brz_ctx *));
AT(brz_collapser, record_max, 104, uint64_t);
AT(brz_collapser, offer, 112, const void *(*)(const char *id));

/* ---- <brazier/tree.h> -------------------------------------------------------------------- */

SIZE(brz_frame_info, 112);
AT(brz_frame_info, name, 0, brz_str);
AT(brz_frame_info, module, 16, brz_str);
AT(brz_frame_info, file, 32, brz_str);
AT(brz_frame_info, line, 48, uint32_t);
AT(brz_frame_info, kind, 52, uint32_t);
AT(brz_frame_info, system_name, 56, brz_str);
AT(brz_frame_info, build_id, 72, brz_str);
AT(brz_frame_info, address, 88, uint64_t);
AT(brz_frame_info, column, 96, uint32_t);
AT(brz_frame_info, first_line, 100, uint32_t);
AT(brz_frame_info, flags, 104, uint32_t);
AT(brz_frame_info, reserved, 108, uint32_t);

SIZE(brz_node, 32);
AT(brz_node, frame, 0, uint32_t);
AT(brz_node, parent, 4, uint32_t);
AT(brz_node, subtree, 8, uint32_t);
AT(brz_node, depth, 12, uint32_t);
AT(brz_node, self, 16, int64_t);
AT(brz_node, total, 24, int64_t);

SIZE(brz_change, 32);
AT(brz_change, before_self, 0, int64_t);
AT(brz_change, before_total, 8, int64_t);
AT(brz_change, after_self, 16, int64_t);
AT(brz_change, after_total, 24, int64_t);

SIZE(brz_stack_info, 24);
AT(brz_stack_info, frames, 0, const brz_frame *);
AT(brz_stack_info, n, 8, uint32_t);
AT(brz_stack_info, n_common, 12, uint32_t);
AT(brz_stack_info, values, 16, const int64_t *);

SIZE(brz_column_info, 48);
AT(brz_column_info, name, 0, brz_str);
AT(brz_column_info, unit, 16, brz_str);
AT(brz_column_info, decimals, 32, uint32_t);
AT(brz_column_info, flags, 36, uint32_t);
AT(brz_column_info, total, 40, int64_t);

SIZE(brz_tag_info, 72);
AT(brz_tag_info, flags, 0, uint32_t);
AT(brz_tag_info, cpu, 4, uint32_t);
AT(brz_tag_info, process, 8, int64_t);
AT(brz_tag_info, thread, 16, int64_t);
AT(brz_tag_info, process_name, 24, brz_str);
AT(brz_tag_info, thread_name, 40, brz_str);
AT(brz_tag_info, labels, 56, const brz_label *);
AT(brz_tag_info, n_labels, 64, uint32_t);
AT(brz_tag_info, label_size, 68, uint32_t);

SIZE(brz_sample_info, 32);
AT(brz_sample_info, time, 0, int64_t);
AT(brz_sample_info, values, 8, const int64_t *);
AT(brz_sample_info, stack, 16, uint32_t);
AT(brz_sample_info, tag, 20, uint32_t);
AT(brz_sample_info, flags, 24, uint32_t);
AT(brz_sample_info, reserved, 28, uint32_t);

SIZE(brz_part_info, 16);
AT(brz_part_info, tag, 0, const brz_tag_info *);
AT(brz_part_info, metadata, 8, const brz_metadata *);

SIZE(brz_tree, 176);
AT(brz_tree, struct_size, 0, uint32_t);
AT(brz_tree, frame_size, 4, uint32_t);
AT(brz_tree, node_size, 8, uint32_t);
AT(brz_tree, stack_size, 12, uint32_t);
AT(brz_tree, column_size, 16, uint32_t);
AT(brz_tree, change_size, 20, uint32_t);
AT(brz_tree, n_frames, 24, uint32_t);
AT(brz_tree, n_nodes, 28, uint32_t);
AT(brz_tree, n_stacks, 32, uint32_t);
AT(brz_tree, n_columns, 36, uint32_t);
AT(brz_tree, max_depth, 40, uint32_t);
AT(brz_tree, main_column, 44, uint32_t);
AT(brz_tree, before, 48, uint32_t);
AT(brz_tree, after, 52, uint32_t);
AT(brz_tree, flags, 56, uint32_t);
AT(brz_tree, n_tags, 60, uint32_t);
AT(brz_tree, frames, 64, const void *);
AT(brz_tree, nodes, 72, const void *);
AT(brz_tree, stacks, 80, const void *);
AT(brz_tree, columns, 88, const void *);
AT(brz_tree, changes, 96, const void *);
AT(brz_tree, starts, 104, const int64_t *);
AT(brz_tree, tag_size, 112, uint32_t);
AT(brz_tree, sample_size, 116, uint32_t);
AT(brz_tree, n_samples, 120, uint64_t);
AT(brz_tree, tags, 128, const void *);
AT(brz_tree, samples, 136, const void *);
AT(brz_tree, metadata, 144, const brz_metadata *);
AT(brz_tree, counts, 152, const int64_t *);
AT(brz_tree, parts, 160, const void *);
AT(brz_tree, n_parts, 168, uint32_t);
AT(brz_tree, part_size, 172, uint32_t);

VALUE(BRZ_TREE_SELF_DELTAS, 1u);
VALUE(BRZ_TREE_TIME_ORDER, 2u);
VALUE(BRZ_TREE_SAMPLES_IN_TIME, 4u);
VALUE(BRZ_TREE_SIGNED, 8u);

/* ---- <brazier/palette.h> ----------------------------------------------------------------- */

SIZE(brz_color_in, 48);
AT(brz_color_in, struct_size, 0, uint32_t);
AT(brz_color_in, reserved, 4, uint32_t);
AT(brz_color_in, frame, 8, const brz_frame_info *);
AT(brz_color_in, node, 16, const brz_node *);
AT(brz_color_in, tree, 24, const brz_tree *);
AT(brz_color_in, delta, 32, double);
AT(brz_color_in, seed, 40, uint64_t);

SIZE(brz_palette_ctx, 40);
AT(brz_palette_ctx, struct_size, 0, uint32_t);
AT(brz_palette_ctx, index, 4, uint32_t);
AT(brz_palette_ctx, host, 8, const brz_palette_host *);
AT(brz_palette_ctx, cfg, 16, const void *);
AT(brz_palette_ctx, inst, 24, void *);
AT(brz_palette_ctx, seed, 32, uint64_t);

SIZE(brz_palette_host, 64);
AT(brz_palette_host, struct_size, 0, uint32_t);
AT(brz_palette_host, abi_major, 4, uint16_t);
AT(brz_palette_host, abi_minor, 6, uint16_t);
AT(brz_palette_host, name, 8, const char *);
AT(brz_palette_host, version, 16, const char *);
AT(brz_palette_host, alloc, 24, void *(*)(brz_palette_ctx *, size_t size, size_t align));
AT(brz_palette_host, log, 32, void (*)(brz_palette_ctx *, int32_t level, brz_str line));
AT(brz_palette_host, diag, 40, void (*)(brz_palette_ctx *, const brz_diag *));
AT(brz_palette_host, stopped, 48, bool (*)(brz_palette_ctx *));
AT(brz_palette_host, extension, 56, const void *(*)(brz_palette_ctx *, const char *id));

SIZE(brz_palette, 56);
AT(brz_palette, struct_size, 0, uint32_t);
AT(brz_palette, depends, 4, uint32_t);
AT(brz_palette, inst_size, 8, size_t);
AT_ARRAY(brz_palette, background, 16, uint32_t, 2);
AT(brz_palette, prepare, 24, brz_rc (*)(brz_palette_ctx *, const brz_tree *));
AT(brz_palette, color, 32, uint32_t (*)(const brz_palette_ctx *, const brz_color_in *));
AT(brz_palette, legend, 40, void (*)(brz_palette_ctx *, const brz_tree *, brz_legend *));
AT(brz_palette, close, 48, void (*)(brz_palette_ctx *));

/* ---- <brazier/output.h> ------------------------------------------------------------------ */

SIZE(brz_sink, 16);
AT(brz_sink, struct_size, 0, uint32_t);
AT(brz_sink, columns, 4, uint32_t);
AT(brz_sink, write, 8, brz_rc (*)(brz_sink *, const void *data, size_t len));

SIZE(brz_output_ctx, 40);
AT(brz_output_ctx, struct_size, 0, uint32_t);
AT(brz_output_ctx, index, 4, uint32_t);
AT(brz_output_ctx, host, 8, const brz_output_host *);
AT(brz_output_ctx, cfg, 16, const void *);
AT(brz_output_ctx, inst, 24, void *);
AT(brz_output_ctx, seed, 32, uint64_t);

SIZE(brz_output_host, 88);
AT(brz_output_host, struct_size, 0, uint32_t);
AT(brz_output_host, abi_major, 4, uint16_t);
AT(brz_output_host, abi_minor, 6, uint16_t);
AT(brz_output_host, name, 8, const char *);
AT(brz_output_host, version, 16, const char *);
AT(brz_output_host, alloc, 24, void *(*)(brz_output_ctx *, size_t size, size_t align));
AT(brz_output_host, log, 32, void (*)(brz_output_ctx *, int32_t level, brz_str line));
AT(brz_output_host, diag, 40, void (*)(brz_output_ctx *, const brz_diag *));
AT(brz_output_host, stopped, 48, bool (*)(brz_output_ctx *));
AT(brz_output_host, extension, 56, const void *(*)(brz_output_ctx *, const char *id));
AT(brz_output_host, color, 64, uint32_t (*)(brz_output_ctx *, const brz_tree *, uint32_t node));
AT(brz_output_host, background, 72, void (*)(brz_output_ctx *, uint32_t colors[2]));
AT(brz_output_host, legend, 80, void (*)(brz_output_ctx *, const brz_tree *, brz_legend *));

SIZE(brz_output, 56);
AT(brz_output, struct_size, 0, uint32_t);
AT(brz_output, flags, 4, uint32_t);
AT(brz_output, inst_size, 8, size_t);
AT(brz_output, media_type, 16, const char *);
AT(brz_output, endings, 24, const char *const *);
AT(brz_output, write, 32, brz_rc (*)(brz_output_ctx *, const brz_tree *, brz_sink *));
AT(brz_output, close, 40, void (*)(brz_output_ctx *));
AT(brz_output, offer, 48, const void *(*)(const char *id));

/* ---- <brazier/transform.h> --------------------------------------------------------------- */

SIZE(brz_transform_ctx, 40);
AT(brz_transform_ctx, struct_size, 0, uint32_t);
AT(brz_transform_ctx, index, 4, uint32_t);
AT(brz_transform_ctx, host, 8, const brz_transform_host *);
AT(brz_transform_ctx, cfg, 16, const void *);
AT(brz_transform_ctx, inst, 24, void *);
AT(brz_transform_ctx, seed, 32, uint64_t);

SIZE(brz_transform_host, 88);
AT(brz_transform_host, struct_size, 0, uint32_t);
AT(brz_transform_host, abi_major, 4, uint16_t);
AT(brz_transform_host, abi_minor, 6, uint16_t);
AT(brz_transform_host, name, 8, const char *);
AT(brz_transform_host, version, 16, const char *);
AT(brz_transform_host, alloc, 24, void *(*)(brz_transform_ctx *, size_t size, size_t align));
AT(brz_transform_host, log, 32, void (*)(brz_transform_ctx *, int32_t level, brz_str line));
AT(brz_transform_host, diag, 40, void (*)(brz_transform_ctx *, const brz_diag *));
AT(brz_transform_host, stopped, 48, bool (*)(brz_transform_ctx *));
AT(brz_transform_host, extension, 56, const void *(*)(brz_transform_ctx *, const char *id));
AT(brz_transform_host, intern, 64,
   brz_frame (*)(brz_transform_ctx *, const char *name, size_t len));
AT(brz_transform_host, frame, 72, brz_frame (*)(brz_transform_ctx *, const brz_frame_desc *));
AT(brz_transform_host, open_related, 80,
   int32_t (*)(brz_transform_ctx *, brz_str name, uint32_t flags, brz_related_file *));

SIZE(brz_stack_edit, 32);
AT(brz_stack_edit, struct_size, 0, uint32_t);
AT(brz_stack_edit, n, 4, uint32_t);
AT(brz_stack_edit, frames, 8, const brz_frame *);
AT(brz_stack_edit, values, 16, const int64_t *);
AT(brz_stack_edit, n_common, 24, uint32_t);
AT(brz_stack_edit, reserved, 28, uint32_t);

SIZE(brz_transform, 40);
AT(brz_transform, struct_size, 0, uint32_t);
AT(brz_transform, flags, 4, uint32_t);
AT(brz_transform, inst_size, 8, size_t);
AT(brz_transform, open, 16, brz_rc (*)(brz_transform_ctx *, const brz_tree *));
AT(brz_transform, apply, 24, brz_rc (*)(brz_transform_ctx *, const brz_tree *, brz_stack_edit *));
AT(brz_transform, close, 32, void (*)(brz_transform_ctx *));

/* ---- <brazier/plugin.h> ------------------------------------------------------------------ */

SIZE(brz_component, 72);
AT(brz_component, struct_size, 0, uint32_t);
AT(brz_component, kind, 4, uint32_t);
AT(brz_component, id, 8, const char *);
AT(brz_component, summary, 16, const char *);
AT(brz_component, help, 24, const char *);
AT(brz_component, options, 32, const brz_option *);
AT(brz_component, n_options, 40, uint32_t);
AT(brz_component, option_size, 44, uint32_t);
AT(brz_component, cfg_size, 48, size_t);
AT(brz_component, vtable, 56, const void *);
AT(brz_component, validate, 64, void (*)(const void *cfg, brz_option_faults *));

SIZE(brz_plugin, 64);
AT(brz_plugin, magic, 0, uint32_t);
AT(brz_plugin, struct_size, 4, uint32_t);
AT(brz_plugin, abi_major, 8, uint16_t);
AT(brz_plugin, abi_minor, 10, uint16_t);
AT(brz_plugin, flags, 12, uint32_t);
AT(brz_plugin, name, 16, const char *);
AT(brz_plugin, version, 24, const char *);
AT(brz_plugin, license, 32, const char *);
AT(brz_plugin, bugs_url, 40, const char *);
AT(brz_plugin, components, 48, const brz_component *const *);
AT(brz_plugin, sdk_version, 56, uint32_t);
AT(brz_plugin, reserved, 60, uint32_t);

SIZE(brz_plugin_note, 32);
AT(brz_plugin_note, name_size, 0, uint32_t);
AT(brz_plugin_note, desc_size, 4, uint32_t);
AT(brz_plugin_note, type, 8, uint32_t);
AT_ARRAY(brz_plugin_note, name, 12, char, 8);
AT(brz_plugin_note, major, 20, uint32_t);
AT(brz_plugin_note, minor, 24, uint32_t);
AT(brz_plugin_note, sdk, 28, uint32_t);

/* ---- values ------------------------------------------------------------------------------ */

/* <brazier/base.h> */
VALUE(BRZ_ABI_MAJOR, 1);
VALUE(BRZ_ABI_MINOR, 0);
VALUE(BRZ_TARGET_MINOR, 0);
VALUE(BRZ_SDK_VERSION, 1000u);
VALUE(BRZ_OK, 0);
VALUE(BRZ_STOP, 1);
VALUE(BRZ_ERROR, 2);
VALUE(BRZ_NO_FRAME, UINT32_MAX);
VALUE(BRZ_NO_TAG, 0u);
VALUE(BRZ_KIND_OTHER, 0u);
VALUE(BRZ_KIND_PROCESS, 1u);
VALUE(BRZ_KIND_USER, 2u);
VALUE(BRZ_KIND_KERNEL, 3u);
VALUE(BRZ_FRAME_INLINED, 1u);
VALUE(BRZ_FRAME_JIT, 2u);
VALUE(BRZ_FRAME_WAKER, 4u);
VALUE(BRZ_CATEGORY_OTHER, 0u);
VALUE(BRZ_CATEGORY_PROCESS, 1u);
VALUE(BRZ_CATEGORY_USER, 2u);
VALUE(BRZ_CATEGORY_KERNEL, 3u);
VALUE(BRZ_CATEGORY_JIT, 4u);
VALUE(BRZ_CATEGORY_INLINED, 5u);
VALUE(BRZ_CATEGORY_WAKER, 6u);

/* <brazier/option.h> */
VALUE(BRZ_OPTION_BOOL, 1u);
VALUE(BRZ_OPTION_INT, 2u);
VALUE(BRZ_OPTION_REAL, 3u);
VALUE(BRZ_OPTION_STR, 4u);
VALUE(BRZ_OPTION_ENUM, 5u);
VALUE(BRZ_OPTION_SIZE, 6u);
VALUE(BRZ_OPTION_DURATION, 7u);
VALUE(BRZ_OPTION_COLOR, 8u);
VALUE(BRZ_OPTION_LIST, 9u);
VALUE(BRZ_OPTION_REQUIRED, 1u);
VALUE(BRZ_OPTION_DEPRECATED, 2u);
VALUE(BRZ_OPTION_HIDDEN, 4u);
VALUE(BRZ_OPTION_PATH, 8u);
VALUE(BRZ_OPTION_MAPS, 16u);
VALUE(BRZ_OPTION_PERCENT_OR_PIXELS, 32u);
VALUE(BRZ_OPTION_NETWORK, 64u);

/* <brazier/host.h> */
VALUE(BRZ_CTX_WANTS_ORDER, 1u);
VALUE(BRZ_CTX_WANTS_TAGS, 2u);
VALUE(BRZ_CTX_WANTS_TIME, 4u);
VALUE(BRZ_CTX_WANTS_ADDRESSES, 8u);
VALUE(BRZ_CTX_WANTS_LINES, 16u);
VALUE(BRZ_CTX_DROPS_ADDRESSES, 32u);
VALUE(BRZ_CTX_CONFINED, 64u);
VALUE(BRZ_FATAL, 0);
VALUE(BRZ_WARNING, 1);
VALUE(BRZ_NOTE, 2);
VALUE(BRZ_DEBUG, 3);
VALUE(BRZ_LEAF_FIRST, 1u);
VALUE(BRZ_TIMED, 2u);
VALUE(BRZ_SAME_SAMPLE, 8u);
VALUE(BRZ_NESTED, 4u);
VALUE(BRZ_COLUMN_DEFAULT, 1u);
VALUE(BRZ_COLUMN_GAUGE, 2u);
VALUE(BRZ_COLUMN_CLOCK, 4u);
VALUE(BRZ_COLUMN_GROWTH, 8u);
VALUE(BRZ_COLUMN_SAMPLES, 16u);
VALUE(BRZ_COLUMN_BEFORE, 32u);
VALUE(BRZ_COLUMN_AFTER, 64u);

/* <brazier/tag.h> */
VALUE(BRZ_LABEL_NUMBER, 1u);
VALUE(BRZ_TAG_PROCESS, 1u);
VALUE(BRZ_TAG_THREAD, 2u);
VALUE(BRZ_TAG_CPU, 4u);
VALUE(BRZ_RELATED_BY_INPUT, 1u);
VALUE(BRZ_RELATED_OPENED, 0);
VALUE(BRZ_RELATED_ABSENT, 1);
VALUE(BRZ_RELATED_REFUSED, 2);

/* <brazier/collapser.h> */
VALUE(BRZ_PRELUDE_SIZE, (1u << 20));
VALUE(BRZ_RECORD_MAX, (64u << 20));
VALUE(BRZ_SLACK_FRONT, 4096u);
VALUE(BRZ_SLACK_BACK, 64u);
VALUE(BRZ_SPLITTABLE, 1u);
VALUE(BRZ_WHOLE_INPUT, 2u);
VALUE(BRZ_WHOLE_FILE, 16u);
VALUE(BRZ_RAW, 4u);
VALUE(BRZ_BINARY, 8u);
VALUE(BRZ_MAGIC_RAW, 1u);
VALUE(BRZ_CHUNK_RANGE_START, 1u);
VALUE(BRZ_CHUNK_LAST, 2u);
VALUE(BRZ_CHUNK_INPUT_START, 4u);
VALUE(BRZ_SNIFF_NO, 0);
VALUE(BRZ_SNIFF_NAME, 20);
VALUE(BRZ_SNIFF_SHAPE, 40);
VALUE(BRZ_SNIFF_RECORDS, 70);
VALUE(BRZ_SNIFF_HEADER, 90);
VALUE(BRZ_SNIFF_MAGIC, 100);

/* <brazier/tree.h> */
VALUE(BRZ_NO_COLUMN, UINT32_MAX);

/* <brazier/palette.h> */
VALUE(BRZ_ON_NAME, 1u);
VALUE(BRZ_ON_MODULE, 2u);
VALUE(BRZ_ON_KIND, 4u);
VALUE(BRZ_ON_SOURCE, 8u);
VALUE(BRZ_ON_DEPTH, 16u);
VALUE(BRZ_ON_VALUE, 32u);
VALUE(BRZ_ON_SEED, 64u);
VALUE(BRZ_ON_PATH, 128u);
VALUE(BRZ_COLOR_NONE, 0u);

/* <brazier/output.h> */
VALUE(BRZ_OUTPUT_NODES, 1u);
VALUE(BRZ_OUTPUT_STACKS, 2u);
VALUE(BRZ_OUTPUT_COLOR, 4u);
VALUE(BRZ_OUTPUT_LINE_ORDER, 8u);
VALUE(BRZ_OUTPUT_TAGS, 16u);
VALUE(BRZ_OUTPUT_TIME, 32u);
VALUE(BRZ_OUTPUT_FUNCTIONS, 64u);
VALUE(BRZ_OUTPUT_FRAMES, 128u);
VALUE(BRZ_OUTPUT_COUNTS, 256u);

/* <brazier/transform.h> */
VALUE(BRZ_TRANSFORM_VALUES, 1u);

/* <brazier/plugin.h> */
VALUE(BRZ_PLUGIN_MAGIC, 0x4e5a5242u);
VALUE(BRZ_NOTE_TYPE, 1u);
VALUE(BRZ_NOTE_HINTS, 2u);
VALUE(BRZ_HINT_NAME, 'n');
VALUE(BRZ_HINT_BEGINS, 'b');
VALUE(BRZ_HINT_CONTAINS, 'c');
VALUE(BRZ_COLLAPSER, 1u);
VALUE(BRZ_PALETTE, 2u);
VALUE(BRZ_OUTPUT, 3u);
VALUE(BRZ_TRANSFORM, 4u);
VALUE(BRZ_DECODER, 5u);

/* ---- values that are not constant expressions ---------------------------------------------- */

IS((brz_rc)0, int32_t, "brz_rc");
IS((brz_frame)0, uint32_t, "brz_frame");
IS((brz_stack)0, uint32_t, "brz_stack");
IS((brz_tag)0, uint32_t, "brz_tag");
IS(brz_str_of, brz_str (*)(const char *, size_t), "brz_str_of");
IS(BRZ_STR(""), brz_str, "BRZ_STR");

static const brz_component *const components[] = {NULL};

BRZ_HINTS(BRZ_IF_NAME("*.x") BRZ_IF_BEGINS("1") BRZ_IF_CONTAINS("two"))

BRZ_PLUGIN("name", "1.2", "MIT", "https://example.org", components)

static int failures;

static void check(bool good, const char *what)
{
    failures += !good;
    if (!good)
        printf("not so: %s\n", what);
}

#define CHECK(condition) check((condition), #condition)

static void check_texts(void)
{
    CHECK(strcmp(BRZ_PLUGIN_SYMBOL, "brz_plugin_v1") == 0);
    CHECK(strcmp(BRZ_NOTE_NAME, "brazier") == 0);
    CHECK(strcmp(BRZ_SATURATED, "host.saturated") == 0);
}

static void check_macros(void)
{
    brz_ctx ctx = {.struct_size = offsetof(brz_ctx, seed)};
    CHECK(BRZ_RGB(1, 2, 3) == 0x010203ffu);
    CHECK(BRZ_COUNT_OF(components) == 1);
    CHECK(BRZ_HAS(&ctx, brz_ctx, inst));
    CHECK(!BRZ_HAS(&ctx, brz_ctx, seed));
}

static void check_entry(void)
{
    const brz_plugin *p = &brz_plugin_v1;
    const brz_plugin_note *n = &brz_note_of_plugin;
    CHECK(p == &BRZ_PLUGIN_ENTRY);
    CHECK(p->magic == 0x4e5a5242u && p->struct_size == 64 && p->flags == 0);
    CHECK(p->abi_major == 1 && p->abi_minor == 0 && p->components == components);
    CHECK(strcmp(p->name, "name") == 0 && strcmp(p->version, "1.2") == 0);
    CHECK(strcmp(p->license, "MIT") == 0 && strcmp(p->bugs_url, "https://example.org") == 0);
    CHECK(n->name_size == 8 && n->desc_size == 12 && n->type == 1);
    CHECK(memcmp(n->name, "brazier", 8) == 0 && n->major == 1 && n->minor == 0);
    CHECK(brz_hints_of_plugin.name_size == 8 && brz_hints_of_plugin.desc_size == 16);
    CHECK(brz_hints_of_plugin.type == 2 && memcmp(brz_hints_of_plugin.name, "brazier", 8) == 0);
    CHECK(memcmp(brz_hints_of_plugin.hints, "n*.x\0b1\0ctwo\0\0\0\0", 16) == 0);
    CHECK(p->sdk_version == 1000 && n->sdk == 1000);
}

int main(void)
{
    check_texts();
    check_macros();
    check_entry();
    return failures == 0 ? 0 : 1;
}
