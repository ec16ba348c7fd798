/* Defines the output "timeline": the same page with every sample, so that a part of the time and of
 * the threads can be chosen in it. The host collects single samples for it, which takes longer. */
#include "html.h"
#include "options.h"

static const char *const endings[] = {"timeline.html", NULL};

static const brz_output output = {
    .struct_size = sizeof output,
    .flags = BRZ_OUTPUT_NODES | BRZ_OUTPUT_STACKS | BRZ_OUTPUT_COLOR | BRZ_OUTPUT_TIME,
    .media_type = "text/html",
    .endings = endings,
    .write = html_write,
};

static const brz_component component = {
    .struct_size = sizeof component,
    .kind = BRZ_OUTPUT,
    .id = "timeline",
    .summary = "a page like html, with a heat map of time and a choice of threads",
    BRZ_OPTIONS(options, html_options),
    .vtable = &output,
};

static const brz_component *const components[] = {&component, NULL};

BRZ_PLUGIN("timeline", BRZ_SHIPPED_VERSION, "MIT", BRZ_SHIPPED_URL, components)
