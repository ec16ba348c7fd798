/* SPDX-License-Identifier: MIT */
/* Collapses sessions of pyinstrument, the sampling profiler for Python, in JSON:
 *
 *     file := {"session": {…}, "frame_tree": node}
 *           | {"start_time": n, "duration": n, "sample_count": n, …, "root_frame": node}
 *     node := {"identifier": "function\u0000file\u0000line", "time": seconds, "children": [node*]}
 *           | {"function": "…", "file_path": "…", "line_no": n, "time": seconds,
 *              "children": [node*]}
 *
 * The first form is that of pyinstrument's pages, the second one that of `-r json`. The time of a
 * node includes that of its children. A node "[self]" repeats the own time of its caller.
 */
#include "../common/shipped.h"

#include <brazier/symbol.h>

#include "../common/json/call_tree.h"
#include "../common/json/members.h"
#include "../common/json/text.h"

typedef struct session {
    call_tree tree; /* first, for call_tree_finish() */
    brz_text name, file;
} session;

/* ---- nodes --------------------------------------------------------------------------------- */

enum { IDENTIFIER, TIME, FUNCTION, FILE_PATH, LINE };

static const char *const keys[] = {"identifier", "time", "function", "file_path", "line_no", NULL};
static const char *const children[] = {"children", NULL};

/* Takes "function\0file\0line" apart. */
static void take_identifier(brz_str text, brz_frame_desc *frame)
{
    brz_str line;
    uint64_t number;
    brz_take_piece(&text, '\0', &frame->name);
    brz_take_piece(&text, '\0', &frame->file);
    if (brz_take_piece(&text, '\0', &line) && brz_parse_u64(line, &number) && number <= UINT32_MAX)
        frame->first_line = (uint32_t)number;
}

static void describe(void *instance, brz_ctx *ctx, const brz_json_token *members, bool is_root,
                     call_description *d)
{
    session *s = instance;
    if (members[IDENTIFIER].kind == BRZ_JSON_STRING) {
        take_identifier(json_text_into(&s->name, ctx, &members[IDENTIFIER]), &d->frame);
    } else {
        d->frame.name = json_text_into(&s->name, ctx, &members[FUNCTION]);
        d->frame.file = json_text_into(&s->file, ctx, &members[FILE_PATH]);
        d->frame.first_line = members_number(&members[LINE], 0);
    }
    d->value = members[TIME];
    if (!is_root && brz_str_is(d->frame.name, "[self]"))
        d->role = CALL_CALLER;
}

static const call_format format = {
    .keys = keys, .children = children, .complete = true, .describe = describe};

/* ---- the session --------------------------------------------------------------------------- */

static brz_rc open_instance(brz_ctx *ctx)
{
    session *s = ctx->inst;
    call_tree_init(&s->tree, ctx, &format, s, BRZ_STR("time"), BRZ_STR("seconds"));
    s->tree.values = CALL_VALUES_TOTAL;
    return BRZ_OK;
}

/* States the program, "Program: PATH". */
static void take_program(cursor *c)
{
    static const brz_str label = {"Program: ", 9};
    brz_metadata m = {.struct_size = sizeof m, .producer = BRZ_STR("pyinstrument")};
    brz_text text = {0};
    m.command = json_text_into(&text, c->ctx, &c->token);
    if (brz_starts_with(m.command, label))
        m.command = brz_str_of(m.command.data + label.len, m.command.len - label.len);
    c->ctx->host->metadata(c->ctx, &m);
}

static void read_member(session *s, cursor *c, brz_str key)
{
    bool is_tree = brz_json_text_is(key, BRZ_STR("frame_tree")) ||
                   brz_json_text_is(key, BRZ_STR("root_frame"));
    if (is_tree && c->token.kind == BRZ_JSON_OBJECT) {
        call_tree_read(&s->tree, c);
        return;
    }
    if (brz_json_text_is(key, BRZ_STR("target_description")) ||
        brz_json_text_is(key, BRZ_STR("program")))
        take_program(c);
    cursor_skip(c);
}

static void read_document(session *s, cursor *c)
{
    brz_str key, inner;
    while (cursor_member(c, &key)) {
        if (!brz_json_text_is(key, BRZ_STR("session")) || c->token.kind != BRZ_JSON_OBJECT)
            read_member(s, c, key);
        else
            while (cursor_member(c, &inner))
                read_member(s, c, inner);
    }
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    static const char *const codes[] = {"pyinstrument.json", "pyinstrument.cut-off"};
    session *s = ctx->inst;
    cursor c;
    *used = chunk->len;
    if (cursor_open(&c, ctx, chunk))
        read_document(s, &c);
    cursor_report(&c, codes);
    return call_tree_count(&s->tree, ctx);
}

static int32_t sniff(const brz_head *head)
{
    static const char *const paths[] = {"session.sample_count", "session.start_call_stack",
                                        "sample_count",         "root_frame.function",
                                        "root_frame.time",      NULL};
    uint32_t found = cursor_paths(head, paths);
    bool is_page = (found & 3) == 3, is_json = (found & 4) != 0 && (found & 24) != 0;
    return is_page || is_json ? BRZ_SNIFF_HEADER : BRZ_SNIFF_NO;
}

/* ---- plug-in ------------------------------------------------------------------------------- */

SHIPPED_READER(session, .flags = BRZ_WHOLE_INPUT, .open = open_instance, .finish = call_tree_finish)

BRZ_HINTS(BRZ_IF_CONTAINS("sample_count") BRZ_IF_CONTAINS("\\u00"))

SHIPPED_COLLAPSER("pyinstrument",
                  .summary = "sessions of pyinstrument, a profiler for Python, in JSON",
                  .help = "Record with `pyinstrument -r json -o session.json PROGRAM.py`.")
