/* SPDX-License-Identifier: MIT */
/* Parses a component's options: one parser for defaults, YAML and the command line, which fills in
 * the component's configuration struct. */
#ifndef BRZ_OPTIONS_H
#define BRZ_OPTIONS_H

#include <brazier/plugin.h>

#include "base/arena.h"
#include "base/buf.h"

/* Sources of values. Later layers override earlier ones. */
typedef enum brz_layer {
    BRZ_LAYER_DEFAULT,
    BRZ_LAYER_CONFIG,   /* options of the component in the configuration */
    BRZ_LAYER_FORMAT,   /* options in the definition of a format */
    BRZ_LAYER_NAMED,    /* options of that format in the configuration */
    BRZ_LAYER_PIPELINE, /* options of this use in a pipeline */
    BRZ_LAYER_COMMAND_LINE,
} brz_layer;

/* The value of an option. */
typedef struct brz_option_value {
    brz_layer layer;
    brz_str text;     /* as given; for a LIST, the last item */
    brz_str origin;   /* "FILE:LINE" or "--set"; empty for the default */
    brz_str *items;   /* items of a LIST */
    brz_str *origins; /* of the items */
    size_t n_items, items_cap;
} brz_option_value;

typedef struct brz_options {
    const brz_component *component;
    void *cfg;                /* cfg_size bytes */
    brz_option_value *values; /* by option */
    brz_arena text;
} brz_options;

/* Returns the i-th option of a component's table. */
const brz_option *brz_option_at(const brz_component *c, uint32_t i);

/* Returns the size of the member that an option sets. Its type must be known. */
size_t brz_option_size(const brz_option *o);

/* Returns the option with this name, or NULL. In that case, appends a message with the nearest name
 * to `error` unless it is NULL. */
const brz_option *brz_option_find(const brz_component *c, brz_str name, brz_buf *error);

/* Creates options with the defaults. Returns NULL and appends the reason to `error` if the table is
 * invalid. */
brz_options *brz_options_create(const brz_component *c, brz_buf *error);

/* Returns whether the table and its defaults are valid. If not, appends the reason to `error`. */
bool brz_options_are_valid(const brz_component *c, brz_buf *error);

/* Creates options with the defaults of a table that is known to be valid: that of a loaded
 * component is. */
brz_options *brz_options_create_checked(const brz_component *c);

/* Destroys options and the struct; NULL is allowed. */
void brz_options_destroy(brz_options *o);

/* Sets an option. Ignores a value of an earlier layer than the current one; adds an item of a LIST
 * to those of the same layer. Returns false and appends the reason to `error` if the value is
 * invalid. */
bool brz_options_set(brz_options *o, const brz_option *option, brz_str value, brz_layer layer,
                     brz_str origin, brz_buf *error);

/* Checks that all required options have values. Returns false and appends a message to `error` if
 * not. */
bool brz_options_check(const brz_options *o, brz_buf *error);

/* Parses a size in bytes ("64M") or a duration in nanoseconds ("1.5s"), as options of those types
 * have them. */
bool brz_parse_size(brz_str s, uint64_t *bytes);
bool brz_parse_duration(brz_str s, uint64_t *nanoseconds);

/* Parses a switch: "true", "yes" or "on"; "false", "no" or "off". Returns false for other texts. */
bool brz_parse_bool(brz_str s, bool *on);

/* Returns a description of values of a type, for messages and help, such as "a number" or "true or
 * false". */
const char *brz_option_type_name(uint32_t type);

#endif
