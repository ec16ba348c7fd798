/* SPDX-License-Identifier: MIT */
/* Defines the output "annotate": the instructions of the heaviest functions with their weights and
 * source lines, as text. */
#include <brazier/plugin.h>
#include <brazier/symbol.h>
#include <brazier/write.h>

#include <stdio.h>

#include "../../common/file_path.h"
#include "../../common/shipped.h"
#include "../common/number_text.h"
#include "../common/screen_text.h"
#include "../common/code/code_output.h"
#include "../common/code/listing.h"

/* Columns of an instruction, before that of the source line. */
#define INSTRUCTION_WIDTH 44

typedef struct options {
    int64_t functions, around;
    brz_strlist names; /* empty: all */
    int32_t syntax;
} options;

typedef struct annotation {
    brz_output_ctx *ctx;
    const options *options;
    brz_writer w;
    amount_scale scale;
    const hot_function *function; /* the present one */
    uint32_t amount_width;        /* of its weights, in columns */
} annotation;

static void put_blanks(brz_writer *w, uint32_t n)
{
    while (n-- > 0)
        brz_put_char(w, ' ');
}

/* Writes a number that ends at a column. */
static void put_number(brz_writer *w, const number_text *n, uint32_t width)
{
    uint32_t own = screen_width(number_str(n));
    put_blanks(w, width > own ? width - own : 0);
    brz_put_str(w, number_str(n));
}

/* ---- rows ------------------------------------------------------------------------------------ */

static void put_source(brz_writer *w, const listing_row *at)
{
    put_screen_text(w, path_base(at->file), UINT32_MAX);
    if (at->line == 0)
        return;
    brz_put_char(w, ':');
    brz_put_u64(w, at->line);
}

/* Writes an instruction. Returns its width in columns. */
static uint32_t put_instruction(brz_writer *w, const listing_row *at)
{
    uint32_t width = 2 + (uint32_t)at->mnemonic.len;
    brz_put_text(w, at->is_target ? "> " : "  ");
    brz_put_str(w, at->mnemonic);
    put_blanks(w, listing_gap(at));
    brz_put_str(w, at->operands);
    width += listing_gap(at) + (uint32_t)at->operands.len;
    if (at->is_jump) {
        brz_put_text(w, at->target <= at->shown ? " \u2191" : " \u2193");
        width += 2;
    }
    return width;
}

static void put_weights(annotation *a, const listing_row *at)
{
    if (at->self == 0) {
        put_blanks(&a->w, 8 + 2 + a->amount_width);
        return;
    }
    const number_text share = number_share((double)a->function->self, at->self);
    const number_text self = number_amount(&a->scale, at->self);
    put_number(&a->w, &share, 8);
    put_blanks(&a->w, 2);
    put_number(&a->w, &self, a->amount_width);
}

/* Writes a row; a listing_fn. */
static void put_row(void *context, const listing_row *at)
{
    annotation *a = context;
    brz_writer *w = &a->w;
    uint32_t width = 0;
    if (at->skipped > 0) {
        put_blanks(w, 8 + 2 + a->amount_width + 2);
        BRZ_PUT(w, "\u2026\n");
    }
    put_weights(a, at);
    if (at->shown != 0) {
        char text[24];
        int n = snprintf(text, sizeof text, "  %llx", (unsigned long long)at->shown);
        brz_put(w, text, (size_t)n);
    }
    if (at->mnemonic.len > 0) {
        BRZ_PUT(w, "  ");
        width = put_instruction(w, at);
    }
    if (at->file.len > 0 || at->line > 0) {
        bool is_aligned = at->mnemonic.len > 0 && width < INSTRUCTION_WIDTH;
        put_blanks(w, is_aligned ? INSTRUCTION_WIDTH - width + 2 : 2);
        put_source(w, at);
    }
    brz_put_char(w, '\n');
}

/* ---- functions ------------------------------------------------------------------------------- */

/* Writes an amount with the word for what is counted, if it has no unit. */
static void put_amount(annotation *a, int64_t value)
{
    char text[AMOUNT_ROOM], *end = amount_format(text, &a->scale, value);
    brz_put(&a->w, text, (size_t)(end - text));
    if (amount_has_units(&a->scale))
        return;
    brz_put_char(&a->w, ' ');
    put_screen_text(&a->w, amount_word(&a->scale, text, end), UINT32_MAX);
}

static void put_heading(annotation *a, const hot_functions *all)
{
    const hot_function *f = a->function;
    const number_text share = number_share((double)all->total, f->self);
    put_screen_text(&a->w, f->name, UINT32_MAX);
    if (f->module.len > 0) {
        BRZ_PUT(&a->w, " in ");
        put_screen_text(&a->w, f->module, UINT32_MAX);
    }
    BRZ_PUT(&a->w, ": ");
    put_amount(a, f->self);
    BRZ_PUT(&a->w, ", ");
    brz_put_str(&a->w, number_str(&share));
    brz_put_char(&a->w, '\n');
}

/* Returns the columns that the weights of a function need. */
static uint32_t widest_amount(const annotation *a, const hot_function *f)
{
    const number_text self = number_amount(&a->scale, f->self);
    uint32_t widest = screen_width(number_str(&self));
    for (size_t i = 0; i < f->n_places; i++) {
        const number_text part = number_amount(&a->scale, f->places[i].self);
        uint32_t width = screen_width(number_str(&part));
        widest = width > widest ? width : widest;
    }
    return widest;
}

/* Returns whether the options ask for a function. */
static bool is_wanted(const options *o, const hot_function *f)
{
    for (size_t i = 0; i < o->names.count; i++)
        if (brz_str_equal(o->names.items[i], f->name))
            return true;
    return o->names.count == 0;
}

static bool has_function(const hot_functions *all, brz_str name)
{
    for (size_t i = 0; i < all->n; i++)
        if (brz_str_equal(all->items[i].name, name))
            return true;
    return false;
}

/* Warns of names that no function has. */
static void report_absent(brz_output_ctx *ctx, const options *o, const hot_functions *all)
{
    for (size_t i = 0; i < o->names.count; i++) {
        brz_str name = o->names.items[i];
        char text[200];
        if (has_function(all, name))
            continue;
        int n = snprintf(text, sizeof text,
                         "no stack ends in a function '%.*s' with addresses or lines",
                         name.len < 100 ? (int)name.len : 100, name.data);
        brz_output_report(ctx, BRZ_WARNING, "annotate.absent", brz_str_of(text, (size_t)n));
    }
}

static void put_function(annotation *a, const hot_functions *all, const hot_function *f)
{
    const listing_options how = {(code_syntax)a->options->syntax, a->options->around};
    a->function = f;
    a->amount_width = widest_amount(a, f);
    put_heading(a, all);
    const char *why = listing_walk(a->ctx, f, how, put_row, a);
    if (why != NULL) {
        BRZ_PUT(&a->w, "  (");
        brz_put_text(&a->w, why);
        BRZ_PUT(&a->w, ")\n");
    }
}

static brz_rc write_annotations(brz_output_ctx *ctx, const brz_tree *tree, brz_sink *sink)
{
    annotation a = {.ctx = ctx, .options = ctx->cfg};
    hot_functions all;
    brz_writer_init(&a.w, ctx, sink);
    a.scale = amount_scale_of(brz_column_at(tree, tree->main_column), 1);
    hot_functions_init(&all, ctx, tree, HOT_MAIN);
    hot_functions_report_empty(ctx, &all);
    if (all.n > 0)
        report_absent(ctx, a.options, &all);
    int64_t n = 0;
    for (size_t i = 0; i < all.n && n < a.options->functions; i++) {
        if (!is_wanted(a.options, &all.items[i]))
            continue;
        if (n++ > 0)
            brz_put_char(&a.w, '\n');
        put_function(&a, &all, &all.items[i]);
    }
    return brz_writer_finish(&a.w);
}

/* ---- plug-in --------------------------------------------------------------------------------- */

static const brz_option option_table[] = {
    BRZ_OPTION(options, "functions", INT, functions, "10", "maximum number of functions",
               .range = "1..1000"),
    BRZ_OPTION(options, "function", LIST, names, NULL, "show only functions of these names"),
    BRZ_OPTION(options, "around", INT, around, "10",
               "number of instructions shown before and after those with a weight",
               .range = "0..1000000"),
    BRZ_OPTION(options, "syntax", ENUM, syntax, "att", "how instructions of x86 are written",
               .choices = code_syntax_names),
};

static const char *const endings[] = {"asm", NULL};

static const brz_output output = {
    .struct_size = sizeof output,
    .flags = BRZ_OUTPUT_STACKS | BRZ_OUTPUT_FRAMES,
    .media_type = "text/plain",
    .endings = endings,
    .write = write_annotations,
    .offer = offer_code_reader,
};

SHIPPED_PLUGIN("annotate", BRZ_OUTPUT, &output,
               .summary = "instructions and lines of the heaviest functions, with their weights",
               BRZ_OPTIONS(option_table, options))
