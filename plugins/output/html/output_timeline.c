/* SPDX-License-Identifier: MIT */
/* Defines the output "timeline": the same page with every sample, so that a part of the time and of
 * the threads can be chosen in it. The host collects single samples for it, which takes longer. */
#include "document.h"
#include "../../common/shipped.h"
#include "options.h"

static const char *const endings[] = {"timeline.html", NULL};

SHIPPED_WRITER(html_write, "text/html",
               BRZ_OUTPUT_NODES | BRZ_OUTPUT_STACKS | BRZ_OUTPUT_COLOR | BRZ_OUTPUT_TIME)

static const brz_option options[] = {HTML_OPTIONS};

SHIPPED_PLUGIN("timeline", BRZ_OUTPUT, &output,
               .summary = "a page like html, with a heat map of time and a choice of threads",
               BRZ_OPTIONS(options, html_options))
