/* SPDX-License-Identifier: MIT */
/* Collapses the JSON of `perf data convert --to-json`:
 *
 *     recording := {"linux-perf-json-version": 1, "headers": {…}, "samples": [sample*]}
 *     sample    := {"timestamp": n, "pid": n, "tid": n, "comm": "…", "callchain": [place*], …}
 *     place     := {"ip": "0x…", "symbol": "…", "dso": "…"}
 *
 * Chains run from leaf to root. Members may be in any order, and others are skipped. The text has
 * neither events nor periods: each sample counts as one.
 */
#include "../common/dump/dump.h"
#include "../common/json/members.h"
#include "../common/json/text.h"
#include "../common/names/unresolved.h"

enum { TIME, PROCESS, THREAD, COMMAND, CHAIN, SAMPLE_KEYS };
enum { ADDRESS, SYMBOL, MODULE, PLACE_KEYS };

typedef struct perf_json {
    dump dump;
    brz_text scratch, symbol, module, command;
} perf_json;

/* ---- frames ---------------------------------------------------------------------------------- */

static brz_frame read_place(perf_json *p, cursor *c)
{
    static const char *const keys[PLACE_KEYS] = {"ip", "symbol", "dso"};
    brz_json_token values[PLACE_KEYS] = {{0}};
    brz_ctx *ctx = p->dump.ctx;
    brz_frame_desc f = {0};
    members_enter(c, keys, PLACE_KEYS, values);
    brz_str address = json_text_into(&p->symbol, ctx, &values[ADDRESS]);
    dump_take_address(&address, &f.address);
    f.module = json_text_into(&p->module, ctx, &values[MODULE]);
    f.kind = mapping_is_kernel(f.module) ? BRZ_KIND_KERNEL : BRZ_KIND_USER;
    p->dump.text.len = 0;
    f.name = dump_repaired(&p->dump, json_text_into(&p->symbol, ctx, &values[SYMBOL]));
    if (f.name.len == 0)
        f.name = unresolved_name(&p->scratch, ctx, f.module, 0);
    return dump_frame(&p->dump, &f);
}

static void read_chain(perf_json *p, const brz_json_token *chain)
{
    brz_path *path = p->dump.stacks.path;
    cursor c;
    if (!members_open(&c, p->dump.ctx, chain, BRZ_JSON_ARRAY))
        return;
    while (cursor_element(&c))
        brz_path_push(path, p->dump.ctx, read_place(p, &c));
}

/* ---- samples --------------------------------------------------------------------------------- */

static void set_tag(perf_json *p, const brz_json_token *values, brz_str command)
{
    dump *d = &p->dump;
    brz_tag_desc tag = {.thread_name = command};
    int64_t time;
    d->process = -1;
    members_integer(d->ctx, &values[PROCESS], &d->process);
    if (members_integer(d->ctx, &values[THREAD], &tag.thread))
        tag.flags = BRZ_TAG_THREAD;
    if (!(tag.flags & BRZ_TAG_THREAD) || tag.thread == d->process) /* the first thread */
        tag.process_name = command;
    dump_tag(d, &tag);
    if (members_integer(d->ctx, &values[TIME], &time))
        brz_stacks_place(&d->stacks, d->stacks.tag, BRZ_TIMED, time);
}

/* Pushes the root: the command, in which blanks become "_" as in that of perf's text. */
static void push_command(perf_json *p, brz_str command)
{
    for (size_t i = 0; i < command.len; i++)
        if (p->command.data[i] == ' ')
            p->command.data[i] = '_';
    if (command.len > 0)
        dump_push_root(&p->dump, command);
}

static brz_rc read_sample(perf_json *p, cursor *c)
{
    static const char *const keys[SAMPLE_KEYS] = {"timestamp", "pid", "tid", "comm", "callchain"};
    brz_json_token values[SAMPLE_KEYS] = {{0}};
    const char *begin = c->at;
    members_enter(c, keys, SAMPLE_KEYS, values);
    brz_path_cut(p->dump.stacks.path, 0);
    if (!c->cut && !c->failed)
        read_chain(p, &values[CHAIN]);
    if (dump_depth(&p->dump) == 0) {
        dump_left_out(&p->dump, "perf-json.sample", brz_str_of(begin, (size_t)(c->at - begin)),
                      BRZ_STR("not a sample with a call chain: left out"), 1);
        return BRZ_OK;
    }
    brz_str command = json_text_into(&p->command, p->dump.ctx, &values[COMMAND]);
    if (command.len == 0)
        brz_report(p->dump.ctx, BRZ_WARNING, "perf-json.comm", begin, (size_t)(c->at - begin),
                   BRZ_STR("a sample without the name of its process: counted without it"));
    set_tag(p, values, command);
    push_command(p, command);
    return dump_count(&p->dump, 0, 1);
}

static brz_rc read_samples(perf_json *p, cursor *c)
{
    brz_rc rc = BRZ_OK;
    if (!cursor_enter(c, BRZ_JSON_ARRAY))
        return rc;
    while (rc == BRZ_OK && cursor_element(c))
        rc = read_sample(p, c);
    return rc;
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    static const char *const codes[] = {"perf-json.json", "perf-json.cut-off"};
    brz_rc rc = BRZ_OK;
    brz_str key;
    cursor c;
    *used = chunk->len;
    if (cursor_open(&c, ctx, chunk))
        while (rc == BRZ_OK && cursor_member(&c, &key)) {
            if (brz_json_text_is(key, BRZ_STR("samples")))
                rc = read_samples(ctx->inst, &c);
            else
                cursor_skip(&c);
        }
    cursor_report(&c, codes);
    return rc;
}

/* ---- plug-in --------------------------------------------------------------------------------- */

static int32_t sniff(const brz_head *head)
{
    static const char *const paths[] = {"linux-perf-json-version", NULL};
    return cursor_paths(head, paths) != 0 ? BRZ_SNIFF_HEADER : BRZ_SNIFF_NO;
}

SHIPPED_READER(perf_json, .flags = BRZ_WHOLE_INPUT, .open = dump_open, .finish = dump_finish)

BRZ_HINTS(BRZ_IF_CONTAINS("linux-perf-json-version") BRZ_IF_CONTAINS("\\u00"))

SHIPPED_COLLAPSER("perf-json", .summary = "perf recordings in JSON",
                  .help =
                      "Make it with `perf data convert --to-json FILE`. The collapsers perf and "
                      "perf-data read more of a recording.")
