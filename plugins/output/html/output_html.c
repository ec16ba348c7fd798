/* SPDX-License-Identifier: MIT */
/* Defines the output "html". */
#include "document.h"
#include "../../common/shipped.h"
#include "options.h"

static const char *const endings[] = {"html", "htm", NULL};

SHIPPED_WRITER(html_write, "text/html", BRZ_OUTPUT_NODES | BRZ_OUTPUT_STACKS | BRZ_OUTPUT_COLOR)

static const brz_option options[] = {HTML_OPTIONS};

SHIPPED_PLUGIN("html", BRZ_OUTPUT, &output,
               .summary = "a page with flame graph, table and callers, for profiles of any size",
               BRZ_OPTIONS(options, html_options))
