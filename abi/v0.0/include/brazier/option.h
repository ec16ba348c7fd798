/** @file
 * Options as data: a component's table says what it can be told, and the host does the rest.
 *
 * The host parses defaults, YAML and the command line through the same parser, checks types,
 * ranges and choices, and fills a struct of the component's own before it calls anything. The
 * component reads `const struct my_cfg *cfg = ctx->cfg`; it has no look-up code.
 */
#ifndef BRAZIER_OPTION_H
#define BRAZIER_OPTION_H

#include <brazier/base.h>

/* Types. Each has one C representation at `offset`. */
#define BRZ_OPTION_BOOL     1u /**< bool: true, false, yes, no, on, off */
#define BRZ_OPTION_INT      2u /**< int64_t */
#define BRZ_OPTION_REAL     3u /**< double, finite */
#define BRZ_OPTION_STR      4u /**< brz_str */
#define BRZ_OPTION_ENUM     5u /**< int32_t: the index in `choices` */
#define BRZ_OPTION_SIZE     6u /**< uint64_t bytes: "64M", "4KiB" */
#define BRZ_OPTION_DURATION 7u /**< int64_t nanoseconds: "10ms", "2s" */
#define BRZ_OPTION_COLOR    8u /**< uint32_t 0xRRGGBBAA: "#rrggbb", "#rrggbbaa", "none" (0) */
#define BRZ_OPTION_LIST     9u /**< brz_strlist: given several times, or as a YAML list */

/* Flags. */
#define BRZ_OPTION_REQUIRED   1u /**< there is no default: the run needs a value */
#define BRZ_OPTION_DEPRECATED 2u /**< accepted with a warning; `help` says what replaces it */
#define BRZ_OPTION_HIDDEN     4u /**< not listed */
#define BRZ_OPTION_PATH       8u /**< a file name; in YAML relative to the configuration file */
/** A LIST whose items may be maps: each becomes a text of lines "key: value\n". */
#define BRZ_OPTION_MAPS 16u
/** A REAL in percent, "0.5" or "0.5%", that may be pixels instead: "0.1px" is stored as -0.1. The
 * range is that of percents. */
#define BRZ_OPTION_PERCENT_OR_PIXELS 32u

/** What a component can be told: a row of its table. */
typedef struct brz_option {
    const char *name;           /**< lower-case words joined by '-' */
    uint32_t type;              /**< BRZ_OPTION_BOOL and so on */
    uint32_t flags;             /**< BRZ_OPTION_REQUIRED and so on, or 0 */
    size_t offset;              /**< into the component's configuration struct */
    const char *dflt;           /**< parsed like a value from YAML; NULL: zero, false or empty */
    const char *help;           /**< one line, lower case, no full stop */
    const char *const *choices; /**< ENUM: NULL-terminated words; else NULL */
    const char *range;          /**< INT, REAL, SIZE, DURATION: "1..64", "0..", "..9"; or NULL */
} brz_option;

#endif
