/* Collapses the output of elfutils' eu-stack:
 *
 *     input   := process*
 *     process := "PID" number "-" ("process" | "core") thread*
 *     thread  := "TID" number ":" frame*
 *     frame   := "#" number address ["- 1"] [function] ["-" module]
 *                [source file ":" line ":" column] [build id]
 *
 * Frames run from leaf to root; their numbers count from 0. The source and the build id are on
 * indented lines of their own. Each thread counts as one sample.
 */
#include "../common/dump/dump.h"

#include <brazier/digits.h>

typedef struct options {
    bool pid, tid;
} options;

typedef struct eu_stack {
    dump dump;
    brz_str header; /* of the current thread, in the block; empty: none yet */
    uint64_t thread;
    uint64_t next;   /* number of the next frame of the thread */
    bool has_thread; /* its id is known */
} eu_stack;

/* ---- frames ---------------------------------------------------------------------------------- */

/* Removes " - /usr/lib/libc.so.6" from the end. */
static void take_module(brz_str *s, brz_frame_desc *frame)
{
    for (size_t i = s->len; i >= 2; i--) {
        if (memcmp(s->data + i - 2, "- ", 2) != 0 || (i > 2 && s->data[i - 3] != ' '))
            continue;
        frame->module = brz_trim(brz_str_from(*s, i));
        s->len = i - 2;
        return;
    }
}

static void describe(dump *d, brz_str text, brz_frame_desc *frame)
{
    brz_str line, rest = text, function;
    brz_block_line(&rest, &function);
    dump_take_address(&function, &frame->address);
    dump_take_blanks(&function);
    if (brz_str_take(&function, "- 1") && function.len > 0 && function.data[0] != ' ')
        function = brz_str_of(function.data - 3, function.len + 3);
    take_module(&function, frame);
    frame->name = dump_repaired(d, brz_trim(function));
    while (brz_block_line(&rest, &line)) {
        line = brz_trim(line);
        if (line.len > 0 && line.data[0] != '[')
            dump_place(line, frame);
    }
}

/* ---- lines ----------------------------------------------------------------------------------- */

static bool begins(brz_str line)
{
    uint64_t number;
    return brz_str_take(&line, "PID ") && brz_take_u64(&line, &number) &&
           brz_starts_with(line, BRZ_STR(" - "));
}

/* Parses "PID 26668 - process" and "TID 26668:". */
static bool take_id(brz_str line, const char *word, uint64_t *id)
{
    return brz_str_take(&line, word) && brz_take_u64(&line, id) && *id <= INT64_MAX;
}

static void push_id(eu_stack *e, brz_str key, uint64_t id)
{
    char name[BRZ_NUMBER_ROOM + 8];
    memcpy(name, key.data, key.len);
    char *end = brz_format_u64(name + key.len, id);
    dump_push_root(&e->dump, brz_str_of(name, (size_t)(end - name)));
}

static brz_rc end_thread(eu_stack *e)
{
    const options *o = e->dump.ctx->cfg;
    brz_tag_desc tag = {.flags = e->has_thread ? BRZ_TAG_THREAD : 0};
    tag.thread = (int64_t)e->thread;
    if (dump_depth(&e->dump) == 0) {
        if (e->header.len > 0)
            dump_left_out(&e->dump, "eu-stack.thread", e->header,
                          BRZ_STR("thread without a frame: left out"), 1);
        return BRZ_OK;
    }
    if (o->tid && e->has_thread)
        push_id(e, BRZ_STR("TID="), e->thread);
    if (o->pid && e->dump.process >= 0)
        push_id(e, BRZ_STR("PID="), (uint64_t)e->dump.process);
    dump_tag(&e->dump, &tag);
    return dump_count(&e->dump, 0, 1);
}

static bool is_address(brz_str s)
{
    uint64_t address;
    return dump_take_address(&s, &address);
}

/* Removes "#12 " from the front of a frame. */
static bool take_number(brz_str *frame, uint64_t *number)
{
    return brz_str_take(frame, "#") && brz_take_u64(frame, number) && dump_take_blanks(frame) > 0;
}

/* Reports a line that contains the beginning of a frame, which is left out. */
static void report_joined(eu_stack *e, brz_str line)
{
    uint64_t number;
    for (size_t i = 1; i < line.len; i++) {
        brz_str rest = brz_str_from(line, i);
        if (line.data[i] == '#' && take_number(&rest, &number) && is_address(rest))
            dump_two_frames(&e->dump, "eu-stack.joined", line);
    }
}

/* Extends a frame by the indented lines after it. */
static void take_details(eu_stack *e, brz_str *block, brz_str *frame)
{
    brz_str rest = *block, line;
    report_joined(e, *frame);
    while (brz_block_line(&rest, &line) && brz_starts_with(line, BRZ_STR("    "))) {
        report_joined(e, line);
        frame->len = (size_t)(line.data + line.len - frame->data);
        *block = rest;
    }
}

static void begin_thread(eu_stack *e, brz_str header, uint64_t id, bool has_id)
{
    e->header = header;
    e->thread = id;
    e->next = 0;
    e->has_thread = has_id;
}

/* Ends the thread before a leaf for which the "TID" line of its own thread is missing. */
static brz_rc end_before_leaf(eu_stack *e, brz_str leaf)
{
    brz_rc rc = end_thread(e);
    BRZ_WARN(e->dump.ctx, "eu-stack.no-thread", leaf.data, leaf.len,
             "a stack begins without the line of its thread: counted without a thread");
    begin_thread(e, leaf, 0, false);
    return rc;
}

/* Returns whether a line has an address like a frame, and maybe the number without its first byte.
 */
static bool is_damaged_frame(brz_str line)
{
    uint64_t number;
    dump_take_blanks(&line);
    if (is_address(line))
        return true;
    if (line.len > 0 && !brz_is_blank(*line.data) && !brz_is_digit(*line.data))
        line = brz_str_from(line, 1);
    return brz_take_u64(&line, &number) && dump_take_blanks(&line) > 0 && is_address(line);
}

/* Returns the number of the next frame of a thread, or 0. */
static uint64_t next_number(brz_str block)
{
    brz_str line;
    uint64_t number, id;
    while (brz_block_line(&block, &line) && !take_id(line, "TID ", &id))
        if (take_number(&line, &number))
            return number;
    return 0;
}

/* Corrects a number that is damaged: the number after it shows that no frame is missing. Of two
 * frames, the second one may be the leaf of another thread. */
static uint64_t corrected(eu_stack *e, uint64_t number, brz_str frame, brz_str block)
{
    if (number == e->next || (number == 0 && e->next == 1) || next_number(block) != e->next + 1)
        return number;
    BRZ_WARN(e->dump.ctx, "eu-stack.number", frame.data, frame.len,
             "the number of the frame does not follow the one above: it is read as the next");
    return e->next;
}

static void check_number(eu_stack *e, uint64_t number, brz_str frame)
{
    if (number != e->next)
        dump_frames_missing(&e->dump, "eu-stack.gap", frame);
    e->next = number + 1;
}

static brz_rc take_frame(eu_stack *e, brz_str *block, brz_str line)
{
    brz_str frame = line;
    uint64_t number;
    brz_rc rc = BRZ_OK;
    bool numbered = take_number(&frame, &number), good = numbered && is_address(frame);
    take_details(e, block, &frame);
    number = numbered ? corrected(e, number, line, *block) : e->next;
    if (good && number == 0 && dump_depth(&e->dump) > 0)
        rc = end_before_leaf(e, line);
    check_number(e, number, line);
    if (good)
        dump_push(&e->dump, frame, 0, describe);
    else
        dump_left_out(&e->dump, "eu-stack.frame", line, BRZ_STR("not a frame: left out"), 0);
    return rc;
}

static brz_rc read_block(void *instance, brz_str block)
{
    eu_stack *e = instance;
    brz_str line;
    uint64_t id;
    brz_rc rc = BRZ_OK;
    begin_thread(e, brz_str_of(NULL, 0), 0, false);
    while (rc == BRZ_OK && brz_block_line(&block, &line)) {
        if (take_id(line, "PID ", &id)) {
            e->dump.process = (int64_t)id;
        } else if (take_id(line, "TID ", &id)) {
            rc = end_thread(e);
            begin_thread(e, line, id, true);
        } else if (brz_starts_with(line, BRZ_STR("#")) || is_damaged_frame(line)) {
            rc = take_frame(e, &block, line);
        }
    }
    return rc == BRZ_OK ? end_thread(e) : rc;
}

/* ---- plug-in --------------------------------------------------------------------------------- */

static int32_t sniff(const brz_head *head)
{
    brz_str text = dump_head_lines(head), line;
    uint64_t id;
    for (size_t i = 0; i < DUMP_SNIFFED_LINES && brz_block_line(&text, &line); i++)
        if (begins(line))
            return brz_block_line(&text, &line) && take_id(line, "TID ", &id) ? BRZ_SNIFF_HEADER
                                                                              : BRZ_SNIFF_NO;
    return BRZ_SNIFF_NO;
}

DUMP_PARSE_BLOCKS(begins, read_block)

static const brz_option option_table[] = {
    BRZ_OPTION(options, "pid", BOOL, pid, "false", "add the process id as root frame"),
    BRZ_OPTION(options, "tid", BOOL, tid, "false", "add the thread id as root frame"),
};

SHIPPED_READER(eu_stack, .open = dump_open, .finish = dump_finish)

BRZ_HINTS(BRZ_IF_CONTAINS("TID "))

SHIPPED_COLLAPSER("eu-stack", .summary = "eu-stack of elfutils",
                  .help = "Record with `eu-stack -p PID >> stacks.txt`, several times.",
                  BRZ_OPTIONS(option_table, options))
