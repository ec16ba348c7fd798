/* SPDX-License-Identifier: MIT */
/* Collapses stacks of Python programs: the dumps of Python's faulthandler and of `py-spy dump`.
 *
 *     input  := (thread | prose)*
 *     thread := (["Current"] ("thread" | "Thread") address ["[" name "]"] | "Stack")
 *               "(most recent call first):" frame*
 *     frame  := "  File" '"' file '"' ", line" number "in" function
 *
 *     thread := "Thread" id "(" state ")" [":" '"' name '"'] call*              (py-spy)
 *     call   := "    " function "(" file ":" line ")"
 *
 * Frames run from leaf to root. Each thread with a stack counts as one sample.
 */
#include "../common/dump/python_frame.h"

typedef struct options {
    bool lines;
} options;

/* Notations of a thread's frames; also the contexts of frames in the cache. */
enum { FAULTHANDLER, PY_SPY };

typedef struct header {
    int by; /* FAULTHANDLER or PY_SPY */
    brz_str name, state;
    uint64_t id;
    bool has_id;
} header;

/* ---- headers --------------------------------------------------------------------------------- */

static bool take_id(brz_str *line, header *h)
{
    h->has_id = dump_take_address(line, &h->id) || brz_take_u64(line, &h->id);
    h->has_id &= h->id <= INT64_MAX;
    return h->has_id;
}

/* Returns the text between two marks; empty if they are not there. */
static brz_str between(brz_str s, char open, char close)
{
    brz_str before, rest, inner, after;
    if (!brz_cut_first(s, open, &before, &rest) || !brz_cut_last(rest, close, &inner, &after))
        return brz_str_of(NULL, 0);
    return inner;
}

static bool take_faulthandler(brz_str line, header *h)
{
    h->by = FAULTHANDLER;
    if (!brz_ends_with(line, BRZ_STR(" (most recent call first):")))
        return false;
    if (brz_starts_with(line, BRZ_STR("Stack (")))
        return true;
    if (!brz_str_take(&line, "Current thread ") && !brz_str_take(&line, "Thread "))
        return false;
    bool good = take_id(&line, h);
    h->name = between(line, '[', ']');
    return good;
}

static bool take_py_spy(brz_str line, header *h)
{
    h->by = PY_SPY;
    if (!brz_str_take(&line, "Thread ") || !take_id(&line, h) || !brz_str_take(&line, " ("))
        return false;
    brz_str rest;
    if (!brz_starts_with(line, BRZ_STR("active")) && !brz_starts_with(line, BRZ_STR("idle")))
        return false;
    if (!brz_cut_first(line, ')', &h->state, &rest))
        return false;
    h->name = between(rest, '"', '"');
    return rest.len == 0 || rest.data[0] == ':';
}

static bool take_header(brz_str line, header *h)
{
    *h = (header){0};
    if (take_faulthandler(line, h))
        return true;
    *h = (header){0};
    return take_py_spy(line, h);
}

static bool begins(brz_str line)
{
    header h;
    return take_header(line, &h);
}

static void set_tag(dump *d, const header *h)
{
    brz_label state = {.key = BRZ_STR("state"), .text = h->state};
    brz_tag_desc tag = {.thread_name = h->name, .labels = &state};
    tag.n_labels = h->state.len > 0;
    if (h->has_id) {
        tag.flags = BRZ_TAG_THREAD;
        tag.thread = (int64_t)h->id;
    }
    dump_tag(d, &tag);
}

/* ---- frames ---------------------------------------------------------------------------------- */

/* Parses `File "/srv/a.py", line 3 in alpha`. */
static bool take_file_line(brz_str s, brz_str *file, brz_str *line, brz_str *function)
{
    if (!brz_str_take(&s, "File \""))
        return false;
    size_t at = brz_str_find(s, BRZ_STR("\", line "), 0);
    if (at == SIZE_MAX)
        return false;
    *file = brz_str_of(s.data, at);
    s = brz_str_from(s, at + 8);
    at = brz_str_find(s, BRZ_STR(" in "), 0);
    if (at == SIZE_MAX)
        return false;
    *line = brz_str_of(s.data, at);
    *function = brz_trim(brz_str_from(s, at + 4));
    return function->len > 0;
}

/* Parses "alpha (a.py:3)", and "poll (libc.so.6)" of native code. */
static bool take_call(brz_str s, brz_str *file, brz_str *line, brz_str *function)
{
    brz_str place, digits;
    if (!brz_ends_with(s, BRZ_STR(")")))
        return false;
    s.len--;
    if (!brz_cut_last(s, '(', function, &place))
        return false;
    *file = place;
    *line = brz_str_of(NULL, 0);
    if (brz_cut_last(place, ':', &place, &digits)) {
        *file = place;
        *line = digits;
    }
    *function = brz_trim(*function);
    return function->len > 0;
}

/* Returns whether names of frames have their lines. */
static bool has_lines(const dump *d)
{
    const options *o = d->ctx->cfg;
    return o->lines;
}

static void describe_file_line(dump *d, brz_str text, brz_frame_desc *frame)
{
    brz_str file, line, function;
    if (take_file_line(text, &file, &line, &function))
        python_frame_name(d, file, line, function, has_lines(d), frame);
}

static void describe_call(dump *d, brz_str text, brz_frame_desc *frame)
{
    brz_str file, line, function;
    if (take_call(text, &file, &line, &function))
        python_frame_name(d, file, line, function, has_lines(d), frame);
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* Returns whether the rest of a thread's first line is missing after one of its first bytes. */
static bool is_cut_header(brz_str line)
{
    return line.len > 0 && (brz_starts_with(BRZ_STR("Thread 0x"), line) ||
                            brz_starts_with(BRZ_STR("Current thread 0x"), line));
}

/* Returns whether a line has the beginning of a thread's first line, of which one byte may be
 * damaged at the front of the line, or the rest missing. In `words`, 0 is any digit. */
static bool resembles_header(brz_str line)
{
    static const char *const words[] = {"Thread 0", "Current "};
    for (size_t i = 0; i < BRZ_COUNT_OF(words); i++) {
        size_t others = 0;
        for (size_t k = 0; k < 8; k++)
            others += k >= line.len || (words[i][k] == '0' ? !brz_is_digit(line.data[k])
                                                           : line.data[k] != words[i][k]);
        if (others <= 1)
            return true;
    }
    if (is_cut_header(brz_trim_end(line)) ||
        brz_ends_with(line, BRZ_STR("(most recent call first):")) ||
        brz_str_find(line, BRZ_STR(" (idle)"), 0) != SIZE_MAX ||
        brz_str_find(line, BRZ_STR(" (active"), 0) != SIZE_MAX)
        return true;
    size_t at = brz_str_find(line, BRZ_STR("Thread "), 0);
    return at != SIZE_MAX && at + 7 < line.len && brz_is_digit(line.data[at + 7]);
}

static const brz_str no_frame = {"<no Python frame>", 17};

/* Reads a line of faulthandler. Returns false at the end of a stack. */
static bool read_file_line(dump *d, brz_str line)
{
    brz_str file, number, function, text = brz_trim(line);
    if (text.len == 0 || !brz_is_blank(line.data[0]) || !brz_is_blank(line.data[1]))
        return false;
    if (take_file_line(text, &file, &number, &function)) {
        dump_push(d, text, FAULTHANDLER, describe_file_line);
        if (brz_str_find(function, BRZ_STR("File \""), 0) != SIZE_MAX)
            dump_two_frames(d, "faulthandler.joined", line);
    } else if (brz_str_is(text, "..."))
        d->n_incomplete++;
    else if (!brz_str_equal(text, no_frame))
        dump_left_out(d, "faulthandler.frame", line, BRZ_STR("not a frame: left out"), 0);
    return true;
}

/* Returns whether a text ends like a call of py-spy: "run (threading.py:982)". */
static bool is_part_of_call(brz_str text)
{
    brz_str file, line, function;
    uint64_t number;
    return take_call(brz_trim(text), &file, &line, &function) && brz_parse_u64(line, &number) &&
           brz_ends_with(file, BRZ_STR(".py"));
}

/* Reads a line of py-spy, which prints the values of variables with more indentation. */
static bool read_call(dump *d, brz_str line)
{
    brz_str file, number, function, text = line;
    size_t indent = dump_take_blanks(&text);
    text = brz_trim_end(text);
    if (indent == 0 || text.len == 0)
        return false;
    if (indent > 4) {
        if (is_part_of_call(text))
            dump_left_out(d, "faulthandler.frame", line, BRZ_STR("not a frame: left out"), 0);
        return true;
    }
    bool is_call = take_call(text, &file, &number, &function);
    if ((!is_call || indent < 4) && resembles_header(line))
        return false;
    if (is_call)
        dump_push(d, text, PY_SPY, describe_call);
    if (is_call && memchr(function.data, ')', function.len) != NULL)
        dump_two_frames(d, "faulthandler.joined", line);
    if (!is_call)
        dump_left_out(d, "faulthandler.frame", line, BRZ_STR("not a frame: left out"), 0);
    return true;
}

static brz_rc end_thread(dump *d, const header *h, brz_str block)
{
    if (dump_depth(d) > 0)
        set_tag(d, h);
    else if (brz_str_find(block, no_frame, 0) != SIZE_MAX)
        d->n_without_stack++;
    else
        dump_left_out(d, "faulthandler.thread", block, BRZ_STR("thread without a frame: left out"),
                      1);
    return dump_count(d, 0, 1);
}

/* Reads "Process 1234: python3 app.py". */
static void read_process(dump *d, brz_str line)
{
    uint64_t id;
    if (brz_str_take(&line, "Process ") && brz_take_u64(&line, &id) &&
        brz_starts_with(line, BRZ_STR(": ")) && id <= INT64_MAX)
        d->process = (int64_t)id;
}

/* Returns whether a line is a frame in one of the notations, outside of a thread. */
static bool is_frame(brz_str line)
{
    brz_str file, number, function, text = line;
    uint64_t n;
    size_t indent = dump_take_blanks(&text);
    text = brz_trim_end(text);
    if (indent == 2)
        return take_file_line(text, &file, &number, &function) && brz_parse_u64(number, &n);
    return indent == 4 && take_call(text, &file, &number, &function) &&
           (number.len == 0 || brz_parse_u64(number, &n));
}

/* Reports frames of a thread whose first line is damaged. Unless they are certain to be those of
 * another thread than the one before, their weight is unknown. */
static void report_frames(dump *d, brz_str line, bool is_certain)
{
    static const char code[] = "faulthandler.no-thread";
    brz_str msg = BRZ_STR("frames without the line of their thread: left out");
    if (is_certain)
        dump_left_out(d, code, line, msg, 1);
    else
        brz_report_lost(d->ctx, code, line.data, line.len, msg);
}

/* Returns whether frames below a line are certain to be those of another thread than the one
 * before: the line is like a thread's first one, or blank. */
static bool begins_other(brz_str above, bool is_whole)
{
    if (brz_str_find(above, BRZ_STR("recent call"), 0) != SIZE_MAX ||
        brz_str_find(above, BRZ_STR("call first"), 0) != SIZE_MAX)
        return true;
    return is_whole && (brz_trim(above).len == 0 || resembles_header(above));
}

/* Returns whether a line directly below a blank one is a frame of faulthandler without all of its
 * indentation: a damaged byte divides a frame there, and the stack goes on. */
static bool is_divided(int by, brz_str above, brz_str line)
{
    size_t at = brz_str_find(line, BRZ_STR("\", line "), 0);
    return by == FAULTHANDLER && above.data != NULL && brz_trim(above).len == 0 && at != SIZE_MAX &&
           brz_str_find(line, BRZ_STR(" in "), at) != SIZE_MAX;
}

/* Reads the lines after a thread: the process, and frames of threads whose first line is damaged or
 * missing. `by` is the notation of the thread; `is_whole` says whether it has frames, `is_apart`
 * whether a line that divides threads is after it. faulthandler's dumps have blank lines between
 * threads. */
static void read_after(dump *d, int by, brz_str lines, bool is_whole, bool is_apart)
{
    brz_str line, above = brz_str_of(NULL, 0);
    bool in_frames = false; /* of a thread that has been reported */
    while (brz_block_line(&lines, &line)) {
        bool frame = is_frame(line);
        bool divided = !frame && !in_frames && is_whole && is_divided(by, above, line);
        if (frame && !in_frames)
            report_frames(d, line, is_apart || begins_other(above, is_whole));
        if (divided || (!frame && by == FAULTHANDLER && brz_starts_with(line, BRZ_STR(" File \""))))
            dump_left_out(d, "faulthandler.frame", line, BRZ_STR("not a frame: left out"), 0);
        if (!frame && by == PY_SPY && !in_frames && is_whole && is_part_of_call(line))
            dump_left_out(d, "faulthandler.frame", line, BRZ_STR("not a frame: left out"), 0);
        in_frames = frame || divided || (in_frames && line.len > 0 && brz_is_blank(*line.data));
        bool divides = by == FAULTHANDLER && brz_trim(line).len == 0;
        is_apart |= is_whole && (divides || resembles_header(line));
        above = line;
        read_process(d, line);
    }
}

/* Returns whether a frame is among the next two lines, but for those of variables, and no line like
 * a thread's first one. */
static bool has_frame_soon(brz_str lines)
{
    brz_str line;
    size_t n = 0;
    while (n < 2 && brz_block_line(&lines, &line) && !resembles_header(line)) {
        if (is_frame(line))
            return true;
        n += !brz_starts_with(line, BRZ_STR("     "));
    }
    return false;
}

/* Returns whether a line has parts of a frame of faulthandler, whose indentation is damaged. */
static bool has_file_line(brz_str line)
{
    size_t at = brz_str_find(line, BRZ_STR("File \""), 0);
    return at != SIZE_MAX && brz_str_find(line, BRZ_STR("\", line "), at) != SIZE_MAX;
}

/* Skips a line that is damaged, if it has parts of a frame, or frames of the thread follow it: one
 * of these, or a part of the first line of this thread or, without a blank line above it, of the
 * next one. Returns false at other lines. */
static bool skip_damaged(dump *d, int by, brz_str line, brz_str rest)
{
    bool is_part = by == FAULTHANDLER ? has_file_line(line) : is_part_of_call(line);
    is_part &= dump_depth(d) > 0;
    if (resembles_header(line) || (!is_part && !has_frame_soon(rest)))
        return false;
    if (brz_trim(line).len == 0)
        return dump_depth(d) == 0;
    brz_str msg = BRZ_STR("not a frame: left out");
    if (by == PY_SPY && !brz_is_blank(*line.data))
        brz_report_lost(d->ctx, "faulthandler.frame", line.data, line.len, msg);
    else
        dump_left_out(d, "faulthandler.frame", line, msg, 0);
    return true;
}

static bool read_frame(dump *d, const header *h, brz_str line, brz_str rest)
{
    bool read = h->by == PY_SPY ? read_call(d, line) : read_file_line(d, line);
    return read || skip_damaged(d, h->by, line, rest);
}

static brz_rc read_block(void *instance, brz_str block)
{
    dump *d = instance;
    header h;
    brz_str rest = block, line = brz_str_of(NULL, 0);
    brz_rc rc = BRZ_OK;
    brz_block_line(&rest, &line);
    if (!take_header(line, &h)) {
        read_after(d, FAULTHANDLER, block, true, true);
        return BRZ_OK;
    }
    if (h.by == PY_SPY && is_part_of_call(line))
        dump_two_frames(d, "faulthandler.joined", line);
    brz_str following = rest;
    while (brz_block_line(&rest, &line) && read_frame(d, &h, line, rest))
        following = rest;
    bool is_whole = dump_depth(d) > 0;
    rc = end_thread(d, &h, block);
    read_after(d, h.by, following, is_whole, false);
    return rc;
}

/* ---- plug-in --------------------------------------------------------------------------------- */

DUMP_SNIFF_LINE(begins)

DUMP_PARSE_BLOCKS(begins, read_block)

static const brz_option option_table[] = {
    BRZ_OPTION(options, "lines", BOOL, lines, "false",
               "name frames file:line:function instead of file:function"),
};

SHIPPED_READER(dump, .open = dump_open, .finish = dump_finish)

BRZ_HINTS(BRZ_IF_CONTAINS("(most recent call first):") BRZ_IF_CONTAINS(" (active")
              BRZ_IF_CONTAINS(" (idle"))

SHIPPED_COLLAPSER(
    "faulthandler", .summary = "Python's faulthandler, and py-spy dump",
    .help = "Record with `python3 -X faulthandler`, faulthandler.dump_traceback_later(), or "
            "`py-spy dump --pid PID`.",
    BRZ_OPTIONS(option_table, options))
