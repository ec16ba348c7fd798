/* SPDX-License-Identifier: MIT */
/* The options of all pages. */
#ifndef HTML_OPTIONS_H
#define HTML_OPTIONS_H

#include "document.h"

/* For a table of options. */
#define HTML_OPTIONS                                                                               \
    BRZ_OPTION(html_options, "title", STR, title, NULL, "title above the picture"),                \
        BRZ_OPTION(html_options, "theme", ENUM, theme, "auto",                                     \
                   "light or dark; auto: follow the reader's system", .choices = html_themes),     \
        BRZ_OPTION(                                                                                \
            html_options, "sort", ENUM, order, "auto",                                             \
            "order of frames beside each other: by name; by weight, the heaviest first; auto: by " \
            "weight where callers or callees are merged",                                          \
            .choices = html_orders),                                                               \
        BRZ_OPTION(html_options, "inverted", BOOL, inverted, "false",                              \
                   "root on top: the page opens with an icicle graph"),                            \
        BRZ_OPTION(html_options, "source", STR, source, NULL,                                      \
                   "directory of the source files; the page includes the lines around frames",     \
                   .flags = BRZ_OPTION_PATH),                                                      \
        BRZ_OPTION(html_options, "source-lines", INT, source_lines, "10",                          \
                   "number of source lines before and after that of a frame", .range = "0..1000")

#endif
