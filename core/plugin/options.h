/* A component's options: one parser for defaults, YAML and the command line, which fills the
 * component's own struct. */
#ifndef BRZ_OPTIONS_H
#define BRZ_OPTIONS_H

#include <brazier/plugin.h>

#include "base/arena.h"
#include "base/buf.h"

/* Where a value comes from. Nearer to the user wins. */
typedef enum brz_layer {
    BRZ_LAYER_DEFAULT,
    BRZ_LAYER_CONFIG,   /* the configuration's options for all uses */
    BRZ_LAYER_PIPELINE, /* for this use */
    BRZ_LAYER_COMMAND_LINE,
} brz_layer;

/* What one option is set to. */
typedef struct brz_option_value {
    brz_layer layer;
    brz_str text;   /* as given; of a LIST, the last item */
    brz_str origin; /* "FILE:LINE" or "--set"; empty for the default */
    brz_str *items; /* of a LIST */
    size_t n_items, items_cap;
} brz_option_value;

typedef struct brz_options {
    const brz_component *component;
    void *cfg;                /* cfg_size bytes */
    brz_option_value *values; /* by option */
    brz_arena text;
} brz_options;

/* The i-th option of a component's table. */
const brz_option *brz_option_at(const brz_component *c, uint32_t i);

/* The option of that name, or NULL; then, if `error` is not NULL, says which is near. */
const brz_option *brz_option_find(const brz_component *c, brz_str name, brz_buf *error);

/* Fills in the defaults. Returns NULL and adds to `error` if the table is not right. */
brz_options *brz_options_create(const brz_component *c, brz_buf *error);

/* Frees it with what it filled in. NULL is fine. */
void brz_options_destroy(brz_options *o);

/* Sets one option. A value of a farther layer than the one it has is ignored; an item for a LIST is
 * added to those of the same layer. False, with the reason added to `error`, for a bad value. */
bool brz_options_set(brz_options *o, const brz_option *option, brz_str value, brz_layer layer,
                     brz_str origin, brz_buf *error);

/* Adds to `error` and returns false if a required option has no value. */
bool brz_options_check(const brz_options *o, brz_buf *error);

/* Parses a size in bytes ("64M") or a duration in nanoseconds ("1.5s"), as options of those types
 * have them. */
bool brz_parse_size(brz_str s, uint64_t *bytes);
bool brz_parse_duration(brz_str s, uint64_t *nanoseconds);

/* What a value of this type looks like, for messages and help: "number", "true or false". */
const char *brz_option_type_name(uint32_t type);

#endif
