/* SPDX-License-Identifier: MIT */
/* Writes parts of a configuration, whose comments say where each setting comes from. */
#ifndef BRZ_CONFIG_TEXT_H
#define BRZ_CONFIG_TEXT_H

#include "base/yaml_tree.h"
#include "draw/render.h"

/* Begins a line with an indentation. */
void brz_config_text_indent(brz_buf *b, int indent);

/* Appends a comment with the origin of a setting, such as "FILE:LINE", which ends the line. */
void brz_config_text_origin(brz_buf *b, const char *origin);

/* Does the same with the place of a node. */
void brz_config_text_place(brz_buf *b, const brz_yaml *node);

/* Appends a node in one line. */
void brz_config_text_node(brz_buf *b, const brz_yaml *node);

/* Appends the keys `use` and `options` of a component; the caller has begun the line. */
void brz_config_text_use(const brz_use *use, int indent, brz_buf *b);

/* Appends an output with its palettes, as an item of a list. */
void brz_config_text_output(const brz_output_use *o, int indent, brz_buf *b);

#endif
