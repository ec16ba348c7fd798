/* SPDX-License-Identifier: MIT */
/* Collapses the test cases of the OpenTelemetry eBPF profiler, threads of core dumps in JSON:
 *
 *     input  := {"coredump-ref": …, "threads": [thread*], …}
 *     thread := {"lwp": number, "frames": [frame*]}
 *     frame  := module "+0x" offset | function "+" lines " in " file ":" line [":" column] | text
 *
 * Frames run from leaf to root. Members may be in any order, and others are skipped.
 */
#include "../common/dump/json_frames.h"
#include "../common/names/unresolved.h"

typedef struct otel_coredump {
    dump dump;
    brz_text frame; /* the decoded text of a frame */
} otel_coredump;

/* ---- frames ---------------------------------------------------------------------------------- */

/* Parses "libc-2.28.so+0xc66f4". */
static bool describe_module(dump *d, brz_str text, brz_frame_desc *frame)
{
    brz_str module, offset;
    if (!brz_cut_last(text, '+', &module, &offset) ||
        !dump_take_address(&offset, &frame->address) || offset.len > 0)
        return false;
    frame->module = module;
    frame->kind = mapping_is_kernel(module) ? BRZ_KIND_KERNEL : BRZ_KIND_USER;
    frame->name = unresolved_name(&d->text, d->ctx, module, 0);
    return true;
}

/* Divides "main::fib+0 in a.pl:21" into a name and a place, at the last " in " that a number of
 * lines after a plus precedes. */
static bool divide(brz_str text, brz_str *name, brz_str *place)
{
    static const brz_str in = {" in ", 4};
    for (size_t at = text.len; at-- > 1;) {
        size_t digit = at;
        if (!brz_starts_with(brz_str_from(text, at), in))
            continue;
        while (digit > 0 && brz_is_digit(text.data[digit - 1]))
            digit--;
        if (digit == at || digit == 0 || text.data[digit - 1] != '+')
            continue;
        *name = brz_str_of(text.data, digit - 1);
        *place = brz_str_from(text, at + in.len);
        return true;
    }
    return false;
}

static void describe(dump *d, brz_str text, brz_frame_desc *frame)
{
    brz_str place;
    if (describe_module(d, text, frame))
        return;
    frame->kind = BRZ_KIND_USER;
    if (divide(text, &frame->name, &place))
        dump_place(place, frame);
    else
        frame->name = text;
}

/* ---- threads --------------------------------------------------------------------------------- */

static brz_rc read_thread(otel_coredump *o, cursor *c)
{
    static const char *const keys[] = {"lwp", "frames"};
    dump *d = &o->dump;
    brz_json_token values[2] = {{0}};
    const char *begin = c->at;
    brz_tag_desc tag = {.flags = BRZ_TAG_THREAD};
    brz_path_cut(d->stacks.path, 0);
    members_enter(c, keys, 2, values);
    bool good = json_frames_push(d, &o->frame, &values[1], describe);
    if (!good || dump_depth(d) == 0) {
        brz_report_lost_weight(d->ctx, "otel-coredump.thread", begin, (size_t)(c->at - begin),
                               BRZ_STR("a thread without a list of frames: left out"), 1);
        return BRZ_OK;
    }
    tag.thread = members_number(&values[0], 0);
    dump_tag(d, &tag);
    return dump_count(d, 0, 1);
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    static const char *const codes[] = {"otel-coredump.json", "otel-coredump.cut-off"};
    otel_coredump *o = ctx->inst;
    brz_rc rc = BRZ_OK;
    cursor c;
    brz_str key;
    *used = chunk->len;
    if (cursor_open(&c, ctx, chunk))
        while (rc == BRZ_OK && cursor_member(&c, &key)) {
            if (!brz_json_text_is(key, BRZ_STR("threads")))
                cursor_skip(&c);
            else if (cursor_enter(&c, BRZ_JSON_ARRAY))
                while (rc == BRZ_OK && cursor_element(&c))
                    rc = read_thread(o, &c);
        }
    if (rc == BRZ_OK)
        cursor_report(&c, codes);
    return rc;
}

/* ---- plug-in --------------------------------------------------------------------------------- */

static int32_t sniff(const brz_head *head)
{
    static const char *const paths[] = {"coredump-ref", "threads.lwp", "threads.frames", NULL};
    uint32_t found = cursor_paths(head, paths);
    return (found & 1) != 0 && found > 1 ? BRZ_SNIFF_HEADER : BRZ_SNIFF_NO;
}

SHIPPED_READER(otel_coredump, .flags = BRZ_WHOLE_INPUT, .open = dump_open, .finish = dump_finish)

BRZ_HINTS(BRZ_IF_CONTAINS("coredump-ref") BRZ_IF_CONTAINS("\\u00"))

SHIPPED_COLLAPSER("otel-coredump", .summary = "threads of core dumps by the OpenTelemetry profiler",
                  .help = "Each thread of a test case of the OpenTelemetry eBPF profiler is a "
                          "sample.")
