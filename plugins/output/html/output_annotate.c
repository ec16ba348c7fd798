/* SPDX-License-Identifier: MIT */
/* Defines the output "annotate-html": the same page with the instructions of the heaviest
 * functions, and with the weights of lines. The host distinguishes frames by their addresses for
 * it, which takes longer.
 */
#include "code.h"

#include "../../common/shipped.h"
#include "../common/code/code_output.h"
#include "options.h"

static const brz_option option_table[] = {
    HTML_OPTIONS,
    BRZ_OPTION(html_code_options, "functions", INT, functions, "50",
               "maximum number of functions with instructions", .range = "0..1000"),
    BRZ_OPTION(html_code_options, "syntax", ENUM, syntax, "att",
               "how instructions of x86 are written", .choices = code_syntax_names),
};

static brz_rc write_page(brz_output_ctx *ctx, const brz_tree *tree, brz_sink *sink)
{
    return html_write_with(ctx, tree, sink, html_put_code);
}

static const char *const endings[] = {"annotate.html", NULL};

static const brz_output output = {
    .struct_size = sizeof output,
    .flags = BRZ_OUTPUT_NODES | BRZ_OUTPUT_STACKS | BRZ_OUTPUT_COLOR | BRZ_OUTPUT_FRAMES,
    .media_type = "text/html",
    .endings = endings,
    .write = write_page,
    .offer = offer_code_reader,
};

SHIPPED_PLUGIN("annotate-html", BRZ_OUTPUT, &output,
               .summary = "a page like html, with instructions and lines and their weights",
               BRZ_OPTIONS(option_table, html_code_options))
