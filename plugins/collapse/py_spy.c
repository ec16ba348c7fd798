/* SPDX-License-Identifier: MIT */
/* Collapses dumps of Python programs in JSON, as `py-spy dump --json` writes them:
 *
 *     input  := dump*
 *     dump   := [thread*]
 *     thread := {"pid": n, "thread_id": n, "thread_name": text, "os_thread_id": n, "active": bool,
 *                "owns_gil": bool, "frames": [frame*], …}
 *     frame  := {"name": text, "filename": text, "short_filename": text, "line": n, …}
 *
 * Frames run from leaf to root. Each thread with a stack counts as one sample. Several dumps may
 * follow each other. Members may be in any order, and others are skipped.
 */
#include "../common/dump/python_frame.h"
#include "../common/json/members.h"
#include "../common/json/text.h"

#include <brazier/digits.h>

typedef struct options {
    bool lines;
} options;

typedef struct py_spy {
    dump dump;
    brz_text frame, text, name; /* decoded texts */
} py_spy;

/* ---- frames ---------------------------------------------------------------------------------- */

enum { NAME, FILE_NAME, SHORT_NAME, LINE, N_FRAME_KEYS };

static const char *const frame_keys[] = {"name", "filename", "short_filename", "line"};

/* Takes "line\nfunction\nshort file\nfile" apart. */
static void describe(dump *d, brz_str text, brz_frame_desc *frame)
{
    const options *o = d->ctx->cfg;
    brz_str parts[N_FRAME_KEYS] = {{0}};
    for (size_t i = 0; i + 1 < N_FRAME_KEYS; i++)
        brz_take_piece(&text, '\n', &parts[i]);
    python_frame_name(d, parts[2].len > 0 ? parts[2] : text, parts[0], parts[1], o->lines, frame);
    frame->file = text;
}

static void append_member(py_spy *p, const brz_json_token *value, const char *end)
{
    brz_text_append(&p->frame, p->dump.ctx, json_text_into(&p->text, p->dump.ctx, value));
    brz_text_append(&p->frame, p->dump.ctx, brz_str_of_text(end));
}

/* Reads the frame that has begun. */
static void read_frame(py_spy *p, cursor *c)
{
    brz_json_token values[N_FRAME_KEYS] = {{0}};
    const char *begin = c->token.text.data;
    char line[24];
    bool is_object = members_enter(c, frame_keys, N_FRAME_KEYS, values);
    if (!is_object || values[NAME].kind != BRZ_JSON_STRING) {
        dump_left_out(&p->dump, "py-spy.frame", brz_str_of(begin, (size_t)(c->at - begin)),
                      BRZ_STR("a frame without a name: left out"), 0);
        return;
    }
    uint32_t number = members_number(&values[LINE], 0);
    size_t n = number > 0 ? (size_t)(brz_format_u64(line, number) - line) : 0;
    p->frame.len = 0;
    brz_text_append(&p->frame, p->dump.ctx, brz_str_of(line, n));
    brz_text_append(&p->frame, p->dump.ctx, BRZ_STR("\n"));
    append_member(p, &values[NAME], "\n");
    append_member(p, &values[SHORT_NAME], "\n");
    append_member(p, &values[FILE_NAME], "");
    dump_push(&p->dump, brz_text_str(&p->frame), 0, describe);
}

/* ---- threads --------------------------------------------------------------------------------- */

enum { PID, THREAD_ID, OS_THREAD_ID, THREAD_NAME, ACTIVE, OWNS_GIL, FRAMES, N_THREAD_KEYS };

static const char *const thread_keys[] = {"pid",    "thread_id", "os_thread_id", "thread_name",
                                          "active", "owns_gil",  "frames"};

static void set_tag(py_spy *p, const brz_json_token *values)
{
    dump *d = &p->dump;
    bool is_active = values[ACTIVE].kind == BRZ_JSON_TRUE;
    bool has_lock = values[OWNS_GIL].kind == BRZ_JSON_TRUE;
    brz_label state = {.key = BRZ_STR("state"), .text = BRZ_STR("idle")};
    brz_tag_desc tag = {.labels = &state, .n_labels = values[ACTIVE].kind != BRZ_JSON_MORE};
    if (is_active)
        state.text = has_lock ? BRZ_STR("active+gil") : BRZ_STR("active");
    if (members_integer(d->ctx, &values[OS_THREAD_ID], &tag.thread) ||
        members_integer(d->ctx, &values[THREAD_ID], &tag.thread))
        tag.flags = BRZ_TAG_THREAD;
    tag.thread_name = json_text_into(&p->name, d->ctx, &values[THREAD_NAME]);
    if (!members_integer(d->ctx, &values[PID], &d->process))
        d->process = -1;
    dump_tag(d, &tag);
}

/* Reads the thread that has begun. */
static brz_rc read_thread(py_spy *p, cursor *c)
{
    dump *d = &p->dump;
    brz_json_token values[N_THREAD_KEYS] = {{0}};
    const char *begin = c->token.text.data;
    cursor frames;
    brz_path_cut(d->stacks.path, 0);
    bool is_object = members_enter(c, thread_keys, N_THREAD_KEYS, values);
    if (!is_object || !members_open(&frames, d->ctx, &values[FRAMES], BRZ_JSON_ARRAY)) {
        brz_report_lost_weight(d->ctx, "py-spy.thread", begin, (size_t)(c->at - begin),
                               BRZ_STR("a thread without a list of frames: left out"), 1);
        return BRZ_OK;
    }
    while (cursor_element(&frames))
        read_frame(p, &frames);
    if (dump_depth(d) == 0)
        d->n_without_stack++;
    set_tag(p, values);
    return dump_count(d, 0, 1);
}

/* ---- dumps ----------------------------------------------------------------------------------- */

static brz_rc read_dump(py_spy *p, cursor *c)
{
    brz_rc rc = BRZ_OK;
    if (cursor_next(c) && cursor_enter(c, BRZ_JSON_ARRAY))
        while (rc == BRZ_OK && cursor_element(c))
            rc = read_thread(p, c);
    return rc;
}

/* Returns the text after the dump that was read, if another one begins there. */
static brz_str next_dump(const cursor *c)
{
    brz_str rest = brz_str_of(c->at, (size_t)(c->end - c->at));
    while (rest.len > 0 && (brz_is_blank(*rest.data) || *rest.data == '\n'))
        rest = brz_str_from(rest, 1);
    bool is_other = c->parser.state == BRZ_JSON_DONE && rest.len > 0 && *rest.data == '[';
    return brz_str_of(rest.data, is_other ? rest.len : 0);
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    static const char *const codes[] = {"py-spy.json", "py-spy.cut-off"};
    brz_str rest = brz_str_of((const char *)chunk->data, chunk->len);
    brz_rc rc = BRZ_OK;
    *used = chunk->len;
    while (rc == BRZ_OK && rest.len > 0) {
        cursor c;
        cursor_start(&c, ctx, rest);
        rc = read_dump(ctx->inst, &c);
        rest = next_dump(&c);
        if (rest.len > 0)
            cursor_report_deviations(ctx, &c.parser);
        else if (rc == BRZ_OK)
            cursor_report(&c, codes);
    }
    return rc;
}

/* ---- plug-in --------------------------------------------------------------------------------- */

static int32_t sniff(const brz_head *head)
{
    static const char *const paths[] = {"os_thread_id", "owns_gil", "thread_id", "frames", NULL};
    uint32_t found = cursor_element_paths(head, paths);
    return __builtin_popcount(found) >= 3 ? BRZ_SNIFF_HEADER : BRZ_SNIFF_NO;
}

static const brz_option option_table[] = {
    BRZ_OPTION(options, "lines", BOOL, lines, "false",
               "name frames file:line:function instead of file:function"),
};

SHIPPED_READER(py_spy, .flags = BRZ_WHOLE_INPUT, .open = dump_open, .finish = dump_finish)

BRZ_HINTS(BRZ_IF_CONTAINS("thread_id") BRZ_IF_CONTAINS("\\u00"))

SHIPPED_COLLAPSER(
    "py-spy", .summary = "thread dumps of Python in JSON, by py-spy",
    .help = "Record with `py-spy dump --json --pid PID >> dumps.json`, several times.",
    BRZ_OPTIONS(option_table, options))
