/* SPDX-License-Identifier: MIT */
/** @file
 * Describes a component's options as data: a table, from which the host derives everything else.
 *
 * The host passes defaults, YAML values and command line arguments through the same parser, checks
 * types, ranges and choices, and fills in the component's configuration struct before it calls the
 * component. The component reads `const struct my_cfg *cfg = ctx->cfg` and needs no look-up code.
 */
#ifndef BRAZIER_OPTION_H
#define BRAZIER_OPTION_H

#include <brazier/base.h>

/* Option types. Each type determines the C type of the member at `offset`. */
#define BRZ_OPTION_BOOL     1u /**< bool: true, false, yes, no, on, off */
#define BRZ_OPTION_INT      2u /**< int64_t */
#define BRZ_OPTION_REAL     3u /**< double, finite */
#define BRZ_OPTION_STR      4u /**< brz_str */
#define BRZ_OPTION_ENUM     5u /**< int32_t: the index in `choices` */
#define BRZ_OPTION_SIZE     6u /**< uint64_t bytes: "64M", "4KiB" */
#define BRZ_OPTION_DURATION 7u /**< int64_t nanoseconds: "10ms", "2s" */
#define BRZ_OPTION_COLOR    8u /**< uint32_t 0xRRGGBBAA: "#rrggbb", "#rrggbbaa", "none" (0) */
#define BRZ_OPTION_LIST     9u /**< brz_strlist: a repeated option, or a YAML list */

/* Option flags. */
#define BRZ_OPTION_REQUIRED   1u /**< no default: the user must set a value */
#define BRZ_OPTION_DEPRECATED 2u /**< accepted with a warning; `help` names the replacement */
#define BRZ_OPTION_HIDDEN     4u /**< omitted from help and documentation */
#define BRZ_OPTION_PATH       8u /**< a file name; in YAML, relative to the configuration file */
/** For BRZ_OPTION_LIST: items may be maps, each of which becomes a text of lines "key: value\n". */
#define BRZ_OPTION_MAPS 16u
/** For BRZ_OPTION_REAL: a percentage ("0.5" or "0.5%") or a number of pixels ("0.1px", stored as
 * -0.1). The range applies to percentages. */
#define BRZ_OPTION_PERCENT_OR_PIXELS 32u
/** For BRZ_OPTION_BOOL: lets the component use the network. A configuration that was found cannot
 * set it, and a run with isolation refuses it. */
#define BRZ_OPTION_NETWORK 64u

/** An option: one row of a component's table. */
typedef struct brz_option {
    const char *name; /**< lower-case words joined by '-' */
    uint32_t type;    /**< BRZ_OPTION_BOOL and so on */
    uint32_t flags;   /**< BRZ_OPTION_REQUIRED and so on, or 0 */
    size_t offset;    /**< offset of the member in the configuration struct, aligned for its type */
    const char *dflt; /**< default, parsed like a YAML value; NULL: zero, false or empty */
    const char *help; /**< one line, lower case, without a full stop */
    const char *const *choices; /**< ENUM: NULL-terminated list of words; otherwise NULL */
    const char *range;          /**< INT, REAL, SIZE, DURATION: "1..64", "0..", "..9"; or NULL */
} brz_option;

/** Receives faults of a configuration: see brz_component.validate. The host fills it in. */
typedef struct brz_option_faults brz_option_faults;
struct brz_option_faults {
    uint32_t struct_size; /**< sizeof(brz_option_faults) in the host */
    uint32_t reserved;    /**< 0; ignore it */
    /** Reports that the value of the option `name` is wrong. `item` is the index in a LIST,
     * otherwise 0. `msg` is one line without a full stop, which is copied. */
    void (*add)(brz_option_faults *, const char *name, uint64_t item, brz_str msg);
};

/** A row of a table of options, in C. `type_` is a type without its prefix, such as BOOL; `member_`
 * is the member of the configuration struct `struct_`. The help is last, and other members of
 * brz_option may follow it: `BRZ_OPTION(my_cfg, "theme", ENUM, theme, "auto", "light or dark",
 * .choices = themes)`. */
#define BRZ_OPTION(struct_, name_, type_, member_, dflt_, ...)                                     \
    {                                                                                              \
        .name = (name_), .type = BRZ_OPTION_##type_, .offset = offsetof(struct_, member_),         \
        .dflt = (dflt_), .help = __VA_ARGS__                                                       \
    }

#endif
