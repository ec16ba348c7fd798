/* Collapses dumps of goroutines: those of Go's panics, of SIGQUIT and of
 * /debug/pprof/goroutine?debug=2.
 *
 *     input     := (goroutine | prose)*
 *     goroutine := "goroutine" number [attributes] "[" state ["," wait] "]:" call* [creator]
 *     call      := function "(" arguments ")" LF TAB file ":" line ["+" offset]
 *     creator   := "created by" function ["in goroutine" number] LF TAB file ":" line ["+" offset]
 *
 * Calls run from leaf to root; the state and the creator are labels. A blank line ends a goroutine,
 * which counts once.
 */
#include "../common/dump/dump.h"

typedef struct goroutine {
    brz_str state, creator;
    uint64_t id;
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

static void take_line(dump *d, goroutine *g, brz_str *block, brz_str line)
{
    brz_str call = line, function = line, arguments;
    bool has_place = take_place(block, &call);
    if (brz_str_take(&line, "created by "))
        g->creator = creator_of(line);
    else if (take_arguments(&function, &arguments))
        dump_push_once(d, call, describe);
    else if (has_place)
        dump_left_out(d, "goroutine.call", line, BRZ_STR("not a call: left out"), 0);
    else
        d->n_incomplete += brz_ends_with(line, BRZ_STR(" frames elided..."));
}

static brz_rc read_block(void *instance, brz_str block)
{
    dump *d = instance;
    brz_str line = brz_str_of(NULL, 0), whole = block;
    goroutine g = {0};
    brz_block_line(&block, &line);
    if (!take_header(line, &g))
        return BRZ_OK;
    while (brz_block_line(&block, &line) && brz_trim(line).len > 0)
        take_line(d, &g, &block, line);
    if (dump_depth(d) == 0) {
        dump_left_out(d, "goroutine.empty", whole, BRZ_STR("goroutine without a call: left out"),
                      1);
        return BRZ_OK;
    }
    set_tag(d, &g);
    return dump_count(d, 0, 1);
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

SHIPPED_COLLAPSER("goroutine", .summary = "Go's dumps of goroutines, of panics and debug=2",
                  .help = "Record with `curl 'localhost:6060/debug/pprof/goroutine?debug=2'`.")
