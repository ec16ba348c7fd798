/* SPDX-License-Identifier: MIT */
/* Collapses thread dumps of Java in JSON, as `jcmd PID Thread.dump_to_file -format=json` writes
 * them:
 *
 *     input     := {"threadDump": {"processId": n, "threadContainers": [container*], …}}
 *     container := {"container": name, "threads": [thread*], "threadCount": n, …}
 *     thread    := {"tid": n, "name": text, "stack": [frame*], …}
 *     frame     := [module "/"] class "." method "(" file [":" line] ")"
 *
 * Frames run from leaf to root. Numbers may be texts. Members may be in any order, and others are
 * skipped.
 */
#include "../common/dump/java_frame.h"
#include "../common/dump/json_frames.h"
#include "../common/json/text.h"

typedef struct java_threads {
    dump dump;
    brz_text frame, name; /* decoded texts */
} java_threads;

/* ---- threads --------------------------------------------------------------------------------- */

static void describe(dump *d, brz_str text, brz_frame_desc *frame)
{
    java_frame_describe(d, text, JAVA_PACKAGES_FULL, frame);
}

/* Reads the thread that has begun. One without frames, such as a virtual one that has not begun,
 * does not count. */
static brz_rc read_thread(java_threads *j, cursor *c, uint64_t *n)
{
    static const char *const keys[] = {"tid", "name", "stack"};
    dump *d = &j->dump;
    brz_json_token values[3] = {{0}};
    const char *begin = c->at;
    brz_tag_desc tag = {.flags = BRZ_TAG_THREAD};
    ++*n;
    brz_path_cut(d->stacks.path, 0);
    members_enter(c, keys, 3, values);
    if (!json_frames_push(d, &j->frame, &values[2], describe)) {
        brz_report_lost_weight(d->ctx, "java-threads.thread", begin, (size_t)(c->at - begin),
                               BRZ_STR("a thread without a list of frames: left out"), 1);
        return BRZ_OK;
    }
    if (dump_depth(d) == 0)
        d->n_without_stack++;
    tag.thread = members_number(&values[0], 0);
    tag.thread_name = json_text_into(&j->name, d->ctx, &values[1]);
    dump_tag(d, &tag);
    return dump_count(d, 0, 1);
}

/* ---- containers ------------------------------------------------------------------------------ */

/* Reports the threads that a container has lost, of the `stated` ones. */
static void check_count(java_threads *j, const brz_json_token *stated, uint64_t n)
{
    uint32_t count = members_number(stated, 0);
    if (count > n)
        brz_report_lost_weight(j->dump.ctx, "java-threads.count", stated->text.data,
                               stated->text.len,
                               BRZ_STR("fewer threads than the container states: the others are "
                                       "missing"),
                               (int64_t)(count - n));
}

static brz_rc read_container(java_threads *j, cursor *c)
{
    brz_rc rc = BRZ_OK;
    brz_json_token stated = {0};
    brz_str key;
    uint64_t n = 0;
    if (!cursor_enter(c, BRZ_JSON_OBJECT))
        return BRZ_OK;
    while (rc == BRZ_OK && cursor_member(c, &key)) {
        bool threads = brz_json_text_is(key, BRZ_STR("threads"));
        if (brz_json_text_is(key, BRZ_STR("threadCount")))
            stated = c->token;
        if (!threads)
            cursor_skip(c);
        else if (cursor_enter(c, BRZ_JSON_ARRAY))
            while (rc == BRZ_OK && cursor_element(c))
                rc = read_thread(j, c, &n);
    }
    if (!c->cut && !c->failed)
        check_count(j, &stated, n);
    return rc;
}

static brz_rc read_dump(java_threads *j, cursor *c)
{
    brz_rc rc = BRZ_OK;
    brz_str key;
    j->dump.process = -1;
    while (rc == BRZ_OK && cursor_member(c, &key)) {
        bool containers = brz_json_text_is(key, BRZ_STR("threadContainers"));
        if (brz_json_text_is(key, BRZ_STR("processId")))
            j->dump.process = members_number(&c->token, 0);
        if (!containers)
            cursor_skip(c);
        else if (cursor_enter(c, BRZ_JSON_ARRAY))
            while (rc == BRZ_OK && cursor_element(c))
                rc = read_container(j, c);
    }
    return rc;
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    static const char *const codes[] = {"java-threads.json", "java-threads.cut-off"};
    java_threads *j = ctx->inst;
    brz_rc rc = BRZ_OK;
    cursor c;
    brz_str key;
    *used = chunk->len;
    if (cursor_open(&c, ctx, chunk))
        while (rc == BRZ_OK && cursor_member(&c, &key)) {
            if (!brz_json_text_is(key, BRZ_STR("threadDump")))
                cursor_skip(&c);
            else if (cursor_enter(&c, BRZ_JSON_OBJECT))
                rc = read_dump(j, &c);
        }
    if (rc == BRZ_OK)
        cursor_report(&c, codes);
    return rc;
}

/* ---- plug-in --------------------------------------------------------------------------------- */

static int32_t sniff(const brz_head *head)
{
    static const char *const paths[] = {"threadDump.threadContainers", "threadDump.processId",
                                        "threadDump.runtimeVersion", NULL};
    return cursor_paths(head, paths) != 0 ? BRZ_SNIFF_HEADER : BRZ_SNIFF_NO;
}

SHIPPED_READER(java_threads, .flags = BRZ_WHOLE_INPUT, .open = dump_open, .finish = dump_finish)

BRZ_HINTS(BRZ_IF_CONTAINS("threadDump") BRZ_IF_CONTAINS("\\u00"))

SHIPPED_COLLAPSER("java-threads", .summary = "thread dumps of Java in JSON",
                  .help = "Record with `jcmd PID Thread.dump_to_file -format=json FILE`, several "
                          "times.")
