/* SPDX-License-Identifier: MIT */
/* Collapses dumps of goroutines: those of Go's panics, of SIGQUIT and of
 * /debug/pprof/goroutine?debug=2.
 *
 *     input     := (goroutine | prose)*
 *     goroutine := "goroutine" number [attributes] "[" state ["," wait] "]:" call* [creator]
 *     call      := function "(" arguments ")" LF TAB file ":" line ["+" offset]
 *     creator   := "created by" function ["in goroutine" number] LF TAB file ":" line ["+" offset]
 *
 * Calls run from leaf to root; the state and the creator are labels. A blank line ends a goroutine,
 * which counts once. Calls below none of these first lines are a goroutine whose first line is
 * damaged or missing, or the stack of the runtime itself, which is prose.
 */
#include "../common/dump/dump.h"

typedef struct goroutine {
    brz_str state, creator;
    brz_str odd; /* the last line outside of goroutines, or prose that follows the last one */
    uint64_t id;
    bool is_cut; /* the last call is not one with which goroutines begin */
} goroutine;

/* ---- headers --------------------------------------------------------------------------------- */

/* Parses "goroutine 22 [sleep, 1 minutes]:". */
static bool take_header(brz_str line, goroutine *g)
{
    brz_str rest, state, wait;
    uint64_t id;
    if (!brz_str_take(&line, "goroutine ") || !brz_take_u64(&line, &id) || id > INT64_MAX ||
        !brz_starts_with(line, BRZ_STR(" ")) || !brz_ends_with(line, BRZ_STR("]:")))
        return false;
    if (!brz_cut_first(line, '[', &rest, &state))
        return false;
    state.len -= 2;
    brz_cut_first(state, ',', &state, &wait);
    *g = (goroutine){.state = state, .id = id};
    return true;
}

static bool begins(brz_str line)
{
    goroutine g;
    return take_header(line, &g);
}

static void set_tag(dump *d, const goroutine *g)
{
    brz_label labels[] = {
        {.key = BRZ_STR("state"), .text = g->state},
        {.key = BRZ_STR("created by"), .text = g->creator},
    };
    brz_tag_desc tag = {.flags = BRZ_TAG_THREAD, .thread = (int64_t)g->id, .labels = labels};
    tag.n_labels = g->creator.len > 0 ? 2 : 1;
    tag.thread_name = BRZ_STR("goroutine");
    dump_tag(d, &tag);
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* Removes "(arguments)" from the end of a call. Returns false if it has none. */
static bool take_arguments(brz_str *call, brz_str *arguments)
{
    if (!brz_ends_with(*call, BRZ_STR(")")))
        return false;
    brz_str inner = brz_str_of(call->data, call->len - 1);
    return brz_cut_last(inner, '(', call, arguments) && call->len > 0;
}

static void describe(dump *d, brz_str text, brz_frame_desc *frame)
{
    brz_str call = text, place, arguments, offset;
    (void)d;
    brz_block_line(&text, &call);
    if (take_arguments(&call, &arguments) && brz_str_is(arguments, "..."))
        frame->flags = BRZ_FRAME_INLINED;
    frame->name = call;
    frame->kind = BRZ_KIND_USER;
    if (!brz_block_line(&text, &place))
        return;
    size_t at = brz_str_find(place, BRZ_STR(" +0x"), 0);
    if (at != SIZE_MAX)
        place.len = at;
    offset = brz_trim(place);
    dump_place(offset, frame);
}

/* Returns whether a line is a place: a tab, and a number of a line somewhere after it. */
static bool is_place(brz_str line)
{
    uint64_t number;
    return brz_str_take(&line, "\t") && dump_number_after(line, BRZ_STR(":"), &number);
}

/* Extends a call by the next line of the block. Returns false if that line is not a place, which
 * begins with a tab. */
static bool take_place(brz_str *block, brz_str *call)
{
    brz_str rest = *block, line;
    if (!brz_block_line(&rest, &line) || !brz_starts_with(line, BRZ_STR("\t")))
        return false;
    call->len = (size_t)(line.data + line.len - call->data);
    *block = rest;
    return true;
}

/* Reads "main.main in goroutine 1". */
static brz_str creator_of(brz_str text)
{
    size_t at = brz_str_find(text, BRZ_STR(" in goroutine "), 0);
    return brz_str_of(text.data, at == SIZE_MAX ? text.len : at);
}

static void leave_out(dump *d, brz_str line, brz_str msg)
{
    if (line.len > 0)
        dump_left_out(d, "goroutine.call", line, msg, 0);
}

/* Reads a line that is neither a call nor a creator. */
static void take_other(dump *d, goroutine *g, brz_str line, bool has_place)
{
    if (is_place(line))
        leave_out(d, line, BRZ_STR("a place without its call: left out"));
    else if (has_place)
        leave_out(d, line, BRZ_STR("not a call: left out"));
    else if (brz_ends_with(line, BRZ_STR(" frames elided...")))
        d->n_incomplete++;
    else if (!brz_starts_with(line, BRZ_STR("[originating from ")))
        g->odd = line;
}

static void take_line(dump *d, goroutine *g, brz_str *block, brz_str line)
{
    brz_str call = line, function = line, arguments;
    bool has_place = !is_place(line) && take_place(block, &call);
    if (has_place && brz_ends_with(brz_trim_end(call), BRZ_STR(")")))
        leave_out(d, call, BRZ_STR("two lines in one: the second one is left out"));
    bool is_creator = brz_str_take(&line, "created by ");
    bool is_call = !is_creator && take_arguments(&function, &arguments);
    if (is_creator || is_call || is_place(line)) {
        leave_out(d, g->odd, BRZ_STR("not a call: left out"));
        g->odd.len = 0;
    }
    g->is_cut = is_call && !brz_starts_with(line, BRZ_STR("main.main(")) &&
                !brz_starts_with(line, BRZ_STR("runtime."));
    if (is_creator)
        g->creator = creator_of(line);
    else if (is_call)
        dump_push_once(d, call, describe);
    else
        take_other(d, g, line, has_place);
}

/* Returns whether a line is the first one of a goroutine, but for damage. */
static bool is_damaged_header(brz_str line)
{
    return brz_starts_with(line, BRZ_STR("goroutine ")) ||
           (brz_ends_with(line, BRZ_STR("]:")) && !brz_starts_with(line, BRZ_STR("[")));
}

/* Returns whether a goroutine ends at a line. A blank line in front of a place is a damaged byte.
 */
static bool ends_goroutine(brz_str line, brz_str rest)
{
    brz_str next;
    if (brz_trim(line).len > 0)
        return is_damaged_header(line);
    return !brz_block_line(&rest, &next) || !is_place(next);
}

/* Reads the calls of a goroutine. What follows it stays in the block. */
static void read_calls(dump *d, goroutine *g, brz_str *block)
{
    brz_str line, rest = *block, before, after;
    while (brz_block_line(&rest, &line) && !ends_goroutine(line, rest)) {
        if (brz_trim(line).len > 0)
            take_line(d, g, &rest, line);
        *block = rest;
    }
    if (brz_cut_first(g->odd, '(', &before, &after) || !brz_cut_first(g->odd, ' ', &before, &after))
        leave_out(d, g->odd, BRZ_STR("not a call: left out"));
}

/* Reports the goroutines whose first line is damaged or missing, which stand among prose. The first
 * calls belong to the goroutine above if that is cut off. */
static void report_headless(dump *d, brz_str block, bool is_cut)
{
    static const brz_str msg = {"calls without the first line of their goroutine: left out", 57};
    brz_str line, call, place, arguments;
    bool is_known = false; /* the calls up to the next blank line */
    while (brz_block_line(&block, &line)) {
        call = place = line;
        if (brz_trim(line).len == 0)
            is_known = false;
        if (brz_str_is(line, "runtime stack:"))
            is_known = true;
        if (is_known || !take_place(&block, &place) || !take_arguments(&call, &arguments))
            continue;
        dump_left_out(d, "goroutine.headless", line, msg, !is_cut);
        is_known = true;
        is_cut = false;
    }
}

static brz_rc read_goroutine(dump *d, goroutine *g, brz_str *block)
{
    brz_str whole = *block, line;
    brz_block_line(block, &line);
    read_calls(d, g, block);
    if (dump_depth(d) == 0) {
        dump_left_out(d, "goroutine.empty", whole, BRZ_STR("goroutine without a call: left out"),
                      1);
        return BRZ_OK;
    }
    set_tag(d, g);
    return dump_count(d, 0, 1);
}

static brz_rc read_block(void *instance, brz_str block)
{
    dump *d = instance;
    brz_str line, rest = block;
    goroutine g = {0};
    brz_rc rc = BRZ_OK;
    if (brz_block_line(&rest, &line) && take_header(line, &g))
        rc = read_goroutine(d, &g, &block);
    if (rc == BRZ_OK)
        report_headless(d, block, g.is_cut);
    return rc;
}

/* ---- plug-in --------------------------------------------------------------------------------- */

static int32_t sniff(const brz_head *head)
{
    brz_str text = dump_head_lines(head), line, arguments;
    for (size_t i = 0; i < DUMP_SNIFFED_LINES && brz_block_line(&text, &line); i++)
        if (begins(line))
            return brz_block_line(&text, &line) && take_arguments(&line, &arguments)
                       ? BRZ_SNIFF_HEADER
                       : BRZ_SNIFF_NO;
    return BRZ_SNIFF_NO;
}

static brz_rc open_instance(brz_ctx *ctx)
{
    dump_declare(ctx, BRZ_STR("goroutines"), BRZ_STR("count"));
    return dump_open(ctx);
}

DUMP_PARSE_BLOCKS(begins, read_block)

SHIPPED_READER(dump, .open = open_instance, .finish = dump_finish)

BRZ_HINTS(BRZ_IF_CONTAINS("goroutine "))

SHIPPED_COLLAPSER("goroutine", .summary = "Go's dumps of goroutines, of panics and debug=2",
                  .help = "Record with `curl 'localhost:6060/debug/pprof/goroutine?debug=2'`.")
