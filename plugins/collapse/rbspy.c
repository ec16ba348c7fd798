/* SPDX-License-Identifier: MIT */
/* Collapses the raw recordings of rbspy, a sampling profiler for Ruby, which are gzip:
 *
 *     recording := "rbspy" version "\n" [header "\n"] (sample "\n")*
 *     header    := {"sample_rate": n, "rbspy_version": "…", "start_time": time}
 *     sample    := {"trace": [frame*], "pid": n, "thread_id": n, "time": time} | [frame*]
 *     frame     := {"name": "…", "relative_path": "…", "absolute_path": "…", "lineno": n}
 *     time      := {"secs_since_epoch": n, "nanos_since_epoch": n}
 *
 * Frames run from leaf to root. Version 0 has lists of frames alone, version 1 no header.
 */
#include "../common/dump/dump.h"
#include "../common/json/members.h"
#include "../common/json/text.h"

enum { TRACE, PROCESS, THREAD, TIME, RATE, KEYS };
enum { NAME, RELATIVE, ABSOLUTE, LINE, FRAME_KEYS };

typedef struct rbspy {
    dump dump;
    brz_text name, file;
    bool is_open; /* the line above is the front of a damaged sample */
} rbspy;

/* ---- frames ---------------------------------------------------------------------------------- */

static bool is_unknown(brz_str path)
{
    return brz_str_is(path, "unknown") || brz_str_is(path, "(unknown)");
}

/* Fills in a frame from the text of its object. */
static void describe(dump *d, brz_str text, brz_frame_desc *frame)
{
    static const char *const keys[FRAME_KEYS] = {"name", "relative_path", "absolute_path",
                                                 "lineno"};
    rbspy *r = (rbspy *)d;
    brz_json_token object = {.kind = BRZ_JSON_OBJECT, .text = text};
    brz_json_token values[FRAME_KEYS] = {{0}};
    members_of(d->ctx, &object, keys, FRAME_KEYS, values);
    frame->name = json_text_into(&r->name, d->ctx, &values[NAME]);
    frame->file = json_text_into(&r->file, d->ctx, &values[ABSOLUTE]);
    if (frame->file.len == 0)
        frame->file = json_text_into(&r->file, d->ctx, &values[RELATIVE]);
    if (is_unknown(frame->file))
        frame->file.len = 0;
    frame->line = members_number(&values[LINE], 0);
}

/* Pushes the frames of a list. */
static void read_frames(rbspy *r, const brz_json_token *trace)
{
    dump *d = &r->dump;
    cursor c;
    brz_path_cut(d->stacks.path, 0);
    if (!members_open(&c, d->ctx, trace, BRZ_JSON_ARRAY))
        return;
    while (cursor_element(&c)) {
        bool is_frame = c.token.kind == BRZ_JSON_OBJECT;
        brz_str text = cursor_skip(&c);
        if (is_frame)
            dump_push(d, text, 0, describe);
        else
            dump_left_out(d, "rbspy.frame", text, BRZ_STR("not a frame: left out"), 0);
    }
}

/* ---- samples --------------------------------------------------------------------------------- */

/* Reads a time, in nanoseconds. */
static bool read_time(rbspy *r, const brz_json_token *value, int64_t *time)
{
    static const char *const keys[] = {"secs_since_epoch", "nanos_since_epoch"};
    brz_json_token parts[2] = {{0}};
    brz_ctx *ctx = r->dump.ctx;
    int64_t seconds, nanoseconds;
    return members_of(ctx, value, keys, 2, parts) && members_integer(ctx, &parts[0], &seconds) &&
           members_integer(ctx, &parts[1], &nanoseconds) &&
           !__builtin_mul_overflow(seconds, INT64_C(1000000000), time) &&
           !__builtin_add_overflow(*time, nanoseconds, time);
}

static void set_tag(rbspy *r, const brz_json_token *values)
{
    dump *d = &r->dump;
    brz_tag_desc tag = {0};
    int64_t time;
    d->process = -1;
    members_integer(d->ctx, &values[PROCESS], &d->process);
    if (members_integer(d->ctx, &values[THREAD], &tag.thread))
        tag.flags = BRZ_TAG_THREAD;
    dump_tag(d, &tag);
    if ((d->ctx->flags & BRZ_CTX_WANTS_TIME) != 0 && read_time(r, &values[TIME], &time))
        brz_stacks_place(&d->stacks, d->stacks.tag, BRZ_TIMED, time);
}

/* Returns whether a text begins like a sample or the header. */
static bool is_front(brz_str s)
{
    return s.len > 0 && (*s.data == '{' || *s.data == '[');
}

/* Returns whether a damaged line is a sample with frames, rather than the header or the rest of the
 * sample above. */
static bool is_lost_sample(const rbspy *r, brz_str line)
{
    if (brz_starts_with(line, BRZ_STR("{\"s")) || brz_str_has(line, BRZ_STR("\"sample_rate\"")) ||
        brz_str_has(line, BRZ_STR("\"rbspy_version\"")) ||
        brz_str_has(line, BRZ_STR("\"trace\":[]")))
        return false;
    if (r->is_open && *line.data != '{')
        return false;
    return is_front(line) || brz_str_has(line, BRZ_STR("\"name\""));
}

static brz_rc leave_out(rbspy *r, brz_str line)
{
    dump_left_out(&r->dump, "rbspy.sample", line, BRZ_STR("not a sample of rbspy: left out"),
                  is_lost_sample(r, line));
    r->is_open = true;
    return BRZ_OK;
}

/* Reads the object or the list at the front of a line. Stores what follows it. Returns false if it
 * is damaged. */
static bool read_members(rbspy *r, brz_str line, brz_json_token *values, brz_str *rest)
{
    static const char *const keys[KEYS] = {"trace", "pid", "thread_id", "time", "sample_rate"};
    cursor c;
    cursor_start(&c, r->dump.ctx, line);
    if (!cursor_next(&c))
        return false;
    if (c.token.kind == BRZ_JSON_ARRAY)
        values[TRACE] = members_value(&c);
    else if (!cursor_enter(&c, BRZ_JSON_OBJECT))
        return false;
    else
        members_read(&c, keys, KEYS, values);
    cursor_report_deviations(r->dump.ctx, &c.parser);
    *rest = brz_trim(brz_str_of(c.at, (size_t)(c.end - c.at)));
    return !c.failed && !c.cut;
}

static brz_rc count(rbspy *r, brz_str line, const brz_json_token *values)
{
    r->is_open = false;
    if (values[TRACE].kind != BRZ_JSON_ARRAY)
        return values[RATE].text.len > 0 ? BRZ_OK : leave_out(r, line);
    set_tag(r, values);
    read_frames(r, &values[TRACE]);
    if (dump_depth(&r->dump) == 0) {
        r->dump.n_without_stack++;
        return BRZ_OK;
    }
    return dump_count(&r->dump, 0, 1);
}

/* Reads the samples of a line: one, unless a line end is damaged. */
static brz_rc read_samples(rbspy *r, brz_str line)
{
    brz_rc rc = BRZ_OK;
    while (rc == BRZ_OK && line.len > 0) {
        brz_json_token values[KEYS] = {{0}};
        brz_str rest;
        if (!read_members(r, line, values, &rest))
            return leave_out(r, line);
        bool has_junk = rest.len > 0 && !is_front(rest);
        brz_str next = has_junk ? brz_str_from(rest, 1) : rest;
        if (rest.len > 0 && !is_front(next))
            return leave_out(r, line);
        if (rest.len > 0)
            BRZ_WARN(r->dump.ctx, "rbspy.joined", next.data, next.len,
                     "another sample on the line of a sample, which lost its line end");
        rc = count(r, line, values);
        line = next;
    }
    return rc;
}

/* Reads the first line, "rbspy02". */
static void read_version(rbspy *r, brz_str line)
{
    uint64_t version;
    brz_str digits = brz_str_from(line, 5);
    if (digits.len != 2 || !brz_parse_u64(digits, &version) || version > 2)
        BRZ_WARN(r->dump.ctx, "rbspy.version", line.data, line.len,
                 "a version of rbspy's recordings that brazier does not know: it is read as "
                 "version 2");
}

static brz_rc read_line(void *instance, brz_str line)
{
    rbspy *r = instance;
    if (brz_starts_with(line, BRZ_STR("rbspy")))
        read_version(r, line);
    else if (brz_trim(line).len > 0)
        return read_samples(r, brz_trim(line));
    return BRZ_OK;
}

/* ---- plug-in --------------------------------------------------------------------------------- */

static int32_t sniff(const brz_head *head)
{
    brz_str text = brz_str_of((const char *)head->data, head->len);
    return brz_starts_with(text, BRZ_STR("rbspy0")) ? BRZ_SNIFF_HEADER : BRZ_SNIFF_NO;
}

static brz_rc open_instance(brz_ctx *ctx)
{
    brz_rc rc = dump_open(ctx);
    dump_declare(ctx, BRZ_STR("samples"), BRZ_STR("samples"));
    return rc;
}

DUMP_PARSE_LINES(read_line, NULL)

SHIPPED_READER(rbspy, .open = open_instance, .finish = dump_finish)

BRZ_HINTS(BRZ_IF_BEGINS("rbspy0"))

SHIPPED_COLLAPSER("rbspy", .summary = "raw recordings of rbspy, a profiler for Ruby",
                  .help = "Record with `rbspy record --raw-file recording.raw.gz -- ruby PROGRAM`.")
