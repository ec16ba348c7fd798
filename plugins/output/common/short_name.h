/* SPDX-License-Identifier: MIT */
/* Shortens names for labels: keeps the function's own name as long as four of its letters fit. A
 * label that lacks something has "…" in its place.
 *
 * A name loses, in this order and only as far as needed: template arguments and parameters, which
 * become <…> and (…); leading namespaces and packages, one by one; folders in front of a file's
 * name; the file; all but the function's own name; the middle of that. common/viewer/names.js
 * shortens names in the same way; a test compares the two.
 */
#ifndef OUTPUT_COMMON_SHORT_NAME_H
#define OUTPUT_COMMON_SHORT_NAME_H

#include <brazier/plugin.h>

/* Buffers for shortening names, used for one name after the other. */
typedef struct short_names {
    brz_output_ctx *ctx;
    char *text, *out;
    size_t *starts;
    size_t cap; /* longest name that fits */
} short_names;

/* Initialises the buffers. Their memory belongs to the plug-in instance. */
void short_names_init(short_names *n, brz_output_ctx *ctx);

/* Returns the label of a name for `room` columns of a fixed-width font: the name itself if it fits,
 * or an empty text if there is no room for four letters of its own name and "…". The label is valid
 * until the next call. */
brz_str short_name(short_names *n, brz_str name, size_t room);

#endif
