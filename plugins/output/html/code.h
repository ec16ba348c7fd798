/* SPDX-License-Identifier: MIT */
/* Writes the part of a page that only the output "annotate-html" has: instructions and lines with
 * their weights. */
#ifndef HTML_CODE_H
#define HTML_CODE_H

#include "document.h"

/* The options of the output "annotate-html". */
typedef struct html_code_options {
    html_options page; /* first: the page is written with these */
    int64_t functions;
    int32_t syntax; /* a code_syntax */
} html_code_options;

/* Writes ,"code" and ,"lines": an html_put_more. */
void html_put_code(html_page *p);

#endif
