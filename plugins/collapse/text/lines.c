/* SPDX-License-Identifier: MIT */
/* Collapses text with one sample per line, whose options describe the format:
 *
 *     input := (header | ignored | blank | sample)*
 *
 * A sample has its frames in the group "stack", or one frame in the group "function".
 */
#include "../../common/shipped.h"

#include "explain.h"
#include "options.h"
#include "samples.h"

typedef struct options {
    text_options text;
    brz_str sample;
    brz_str split, unquote, left_out;
    int32_t order;
} options;

enum { ROOT_FIRST, LEAF_FIRST };

static const uint8_t stack_groups[] = {GROUP_STACK, GROUP_FUNCTION, GROUP_LABEL};

static const text_source sources[] = {
    TEXT_COMMON_SOURCES,
    TEXT_SOURCE(SLOT_SAMPLE, options, sample, "sample", false, stack_groups),
    TEXT_SOURCE(SLOT_LEFT_OUT, options, left_out, "stack-ignore", false, NULL),
};

static const text_shape shape = {sources, BRZ_COUNT_OF(sources), true, false};

/* ---- stacks ---------------------------------------------------------------------------------- */

/* Takes a frame in quotes off the front of a stack. Returns false without a closing quote. */
static bool take_quoted(brz_str *rest, char quote, brz_str *frame)
{
    if (rest->len == 0 || rest->data[0] != quote)
        return false;
    brz_str inner = brz_str_from(*rest, 1), after;
    if (!brz_cut_first(inner, quote, frame, &after))
        return false;
    *rest = after;
    return true;
}

/* Takes the text up to the next separator off the front of a stack. */
static brz_str take_plain(brz_str *rest, brz_str split)
{
    size_t at = split.len == 0 ? SIZE_MAX : brz_str_find(*rest, split, 0);
    size_t n = at == SIZE_MAX ? rest->len : at;
    brz_str frame = brz_str_of(rest->data, n);
    *rest = brz_str_from(*rest, n);
    return frame;
}

/* Takes a frame and the separator after it off the front of a stack. */
static bool take_frame(const options *o, brz_str *rest, brz_str *frame)
{
    if (rest->len == 0)
        return false;
    if (o->unquote.len == 0 || !take_quoted(rest, o->unquote.data[0], frame))
        *frame = take_plain(rest, o->split);
    if (o->split.len > 0 && brz_starts_with(*rest, o->split))
        *rest = brz_str_from(*rest, o->split.len);
    return true;
}

/* Appends the frames of a stack. */
static void push_stack(text_samples *t, const options *o, brz_str stack)
{
    brz_str frame;
    text_match match;
    while (take_frame(o, &stack, &frame))
        if (frame.len > 0 && !text_format_find(&t->format, SLOT_LEFT_OUT, frame, &match))
            dump_push(&t->dump, frame, 0, text_describe);
}

/* ---- lines ----------------------------------------------------------------------------------- */

static int32_t classify(text_format *f, brz_str line, bool *inside, text_match *match)
{
    (void)inside;
    if (text_format_find(f, SLOT_IGNORE, line, match))
        return BRZ_LINE_IGNORED;
    if (text_format_find(f, SLOT_HEADER, line, match))
        return BRZ_LINE_HEADER;
    if (text_format_find(f, SLOT_SAMPLE, line, match))
        return BRZ_LINE_WHOLE;
    return brz_trim(line).len == 0 ? BRZ_LINE_BLANK : BRZ_LINE_UNMATCHED;
}

static brz_rc take_sample(text_samples *t, const text_match *match)
{
    const options *o = t->dump.ctx->cfg;
    text_values_clear(&t->values);
    text_values_add(&t->values, match, &t->format.matcher);
    brz_str stack = t->values.of[GROUP_STACK];
    if (!t->roots_last)
        text_push_roots(t);
    size_t roots = dump_depth(&t->dump);
    if (stack.data != NULL)
        push_stack(t, o, stack);
    else if (t->values.of[GROUP_FUNCTION].len > 0)
        dump_push(&t->dump, t->values.of[GROUP_FUNCTION], 0, text_describe);
    if (dump_depth(&t->dump) == roots) {
        text_report_lost(t, "text.stack", match->line,
                         BRZ_STR("a sample without frames: left out"));
        brz_path_cut(t->dump.stacks.path, 0);
        return BRZ_OK;
    }
    if (t->roots_last)
        text_push_roots(t);
    return text_count(t, match->line);
}

static brz_rc read_line(void *instance, brz_str line)
{
    text_samples *t = instance;
    text_match match;
    bool inside = false;
    brz_rc rc = BRZ_OK;
    text_format_forget(&t->format);
    int32_t role = classify(&t->format, line, &inside, &match);
    if (t->format.failed)
        return BRZ_ERROR;
    if (role == BRZ_LINE_WHOLE)
        rc = take_sample(t, &match);
    else if (role == BRZ_LINE_HEADER)
        text_take_header(t, &match);
    else if (role == BRZ_LINE_UNMATCHED)
        text_report_lost(t, "text.line", line,
                         BRZ_STR("fits no expression of the format: left out"));
    return rc == BRZ_OK ? text_status(t) : rc;
}

/* ---- plug-in --------------------------------------------------------------------------------- */

static brz_rc prelude(brz_ctx *ctx, const brz_chunk *chunk, size_t *used, const void **shared)
{
    *used = 0;
    return text_read_header(ctx, chunk, &shape, SLOT_SAMPLE, shared);
}

TEXT_OPEN

static void validate(const void *cfg, brz_option_faults *faults)
{
    const options *o = cfg;
    text_format_validate(&shape, cfg, faults);
    if (o->unquote.len > 1)
        faults->add(faults, "stack-unquote", 0, BRZ_STR("a quote is one character"));
    if (o->sample.len == 0)
        faults->add(faults, "sample", 0, BRZ_STR("an expression for samples is needed"));
}

DUMP_PARSE_LINES(read_line, NULL)

TEXT_OFFER

SHIPPED_READER(text_samples, .flags = BRZ_SPLITTABLE, .prelude = prelude,
               .boundary = brz_line_format_boundary, .open = open_instance, .finish = dump_finish,
               .close = text_close, .offer = offer)

static const char *const orders[] = {"root-first", "leaf-first", NULL};

static const brz_option option_table[] = {
    BRZ_OPTION(options, "sample", STR, sample, "^(?<stack>.*\\S) +(?<weight>-?[0-9][0-9.,]*)$",
               "expression for the lines of samples, with the group stack or function"),
    BRZ_OPTION(options, "stack-split", STR, split, ";", "text between the frames of a stack"),
    BRZ_OPTION(options, "stack-unquote", STR, unquote, "",
               "quote around frames, within which nothing splits"),
    BRZ_OPTION(options, "stack-order", ENUM, order, "root-first", "order of the frames",
               .choices = orders),
    BRZ_OPTION(options, "stack-ignore", STR, left_out, "",
               "expression for frames that are left out"),
    BRZ_OPTION(
        options, "frame", STR, text.frame, "",
        "expression that takes the text of a frame apart: groups function, module, file, line"),
    TEXT_LINE_OPTIONS(options),
    TEXT_WEIGHT_OPTIONS(options),
};

BRZ_HINTS("")

SHIPPED_COLLAPSER("lines", .summary = "text with a sample in each line, which options describe",
                  .help = "A format in the configuration gives these options a name.",
                  BRZ_OPTIONS(option_table, options), .validate = validate)
