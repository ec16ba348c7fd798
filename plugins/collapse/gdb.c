/* Collapses backtraces of gdb, such as those of a poor man's profiler, and of pstack and gstack:
 *
 *     input  := (thread | prose)*
 *     thread := "Thread" number "(" place ["(LWP" id ")"] ['"' name '"'] "):" frame*
 *     frame  := "#" number [address "in"] function "(" arguments ")" ["at" file ":" line]
 *               ["from" library]
 *
 * Frames run from leaf to root. Number 0 begins a stack, as does one that is not above the last. A
 * gap between the numbers shows that frames are missing.
 * gdb breaks long frames before "at", before
 * "from" and between arguments. Each stack counts as one sample.
 */
#include "../common/dump/dump.h"
#include "../common/names/arguments.h"

/* ---- threads --------------------------------------------------------------------------------- */

/* Recognises "Thread 3 (Thread 0x7fc4e384e6c0 (LWP 26670) "worker b"):". */
static bool begins(brz_str line)
{
    static const char *const places[] = {"Thread ", "LWP ", "process ", "system thread "};
    uint64_t number;
    if (!brz_str_take(&line, "Thread ") || !brz_take_u64(&line, &number))
        return false;
    if (brz_str_take(&line, ".") && !brz_take_u64(&line, &number))
        return false;
    if (!brz_str_take(&line, " ("))
        return false;
    for (size_t i = 0; i < BRZ_COUNT_OF(places); i++)
        if (brz_starts_with(line, brz_str_of_text(places[i])))
            return true;
    return false;
}

static brz_str quoted_name(brz_str line)
{
    brz_str before, rest, name, after;
    if (!brz_cut_first(line, '"', &before, &rest) || !brz_cut_last(rest, '"', &name, &after))
        return brz_str_of(NULL, 0);
    return name;
}

static void set_tag(dump *d, brz_str line)
{
    brz_tag_desc tag = {.thread_name = quoted_name(line)};
    uint64_t number;
    if (!dump_wants_tags(d))
        return;
    if (dump_number_after(line, BRZ_STR("LWP "), &number)) {
        tag.thread = (int64_t)number;
        tag.flags |= BRZ_TAG_THREAD;
    }
    if (dump_number_after(line, BRZ_STR("(process "), &number)) {
        tag.process = (int64_t)number;
        tag.flags |= BRZ_TAG_PROCESS;
    }
    dump_tag(d, &tag);
}

/* ---- frames ---------------------------------------------------------------------------------- */

/* Returns the length of a function's name, which ends before " (" outside of brackets. */
static size_t name_length(brz_str s)
{
    static const brz_str word = {"operator", 8};
    long depth = 0;
    for (size_t i = 0; i < s.len; i++) {
        brz_str rest = brz_str_from(s, i);
        if (s.data[i] == 'o' && brz_starts_with(rest, word)) {
            i += word.len + name_operator_length(brz_str_from(rest, word.len)) - 1;
        } else if (s.data[i] == ' ' && depth == 0 && i > 0 &&
                   brz_starts_with(rest, BRZ_STR(" ("))) {
            return i;
        } else if (brz_is_arrow(s, i)) {
            i++;
        } else {
            depth += brz_bracket(s.data[i]);
        }
    }
    return s.len;
}

/* Removes "at FILE:LINE" or "from LIBRARY" from the end of a frame. Returns false if the frame has
 * no such part. The part follows the bracket that ends the arguments, so `word` begins with that
 * bracket. */
static bool take_last(brz_str *s, brz_str word, brz_str *what)
{
    for (size_t i = s->len; i >= word.len; i--) {
        size_t at = i - word.len;
        if (s->data[at] != *word.data || memcmp(s->data + at, word.data, word.len) != 0)
            continue;
        *what = brz_trim(brz_str_from(*s, i));
        s->len = at + 1;
        return true;
    }
    return false;
}

/* Removes "0x000055bfeb9f219c in " from the front. */
static void take_address(brz_str *s, brz_frame_desc *frame)
{
    brz_str rest = *s;
    if (!dump_take_address(&rest, &frame->address) || !brz_str_take(&rest, " in "))
        return;
    *s = brz_trim_start(rest);
}

/* Copies a frame to the scratch, with a blank in the place of each line break. */
static brz_str on_one_line(dump *d, brz_str text)
{
    brz_str line;
    while (brz_block_line(&text, &line)) {
        if (d->text.len > 0)
            brz_text_append(&d->text, d->ctx, BRZ_STR(" "));
        brz_text_append(&d->text, d->ctx, brz_trim(line));
    }
    return brz_text_str(&d->text);
}

static void describe(dump *d, brz_str text, brz_frame_desc *frame)
{
    brz_str place, s = on_one_line(d, text);
    take_address(&s, frame);
    take_last(&s, BRZ_STR(") from "), &frame->module);
    if (take_last(&s, BRZ_STR(") at "), &place))
        dump_place(place, frame);
    s.len = name_length(s);
    s = brz_trim(s);
    s.len = brz_rust_repair(s, (char *)d->text.data + (s.data - d->text.data));
    if (!brz_str_is(s, "??"))
        frame->name = s;
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* Removes "#12  " from the front of a frame. */
static bool take_position(brz_str *line, uint64_t *number)
{
    return brz_str_take(line, "#") && brz_take_u64(line, number) && dump_take_blanks(line) > 0;
}

/* Returns the number of brackets that are open at the end of a line. */
static long open_brackets(brz_str line, long open)
{
    for (size_t i = 0; i < line.len; i++)
        open += (line.data[i] == '(') - (line.data[i] == ')');
    return open;
}

/* Extends a frame by the lines that continue it. */
static void take_continuation(brz_str *block, brz_str *frame)
{
    brz_str rest = *block, line;
    if (rest.len == 0 || !brz_is_blank(*rest.data))
        return;
    long open = open_brackets(*frame, 0);
    while (brz_block_line(&rest, &line) && line.len > 0 && brz_is_blank(line.data[0])) {
        brz_str text = brz_trim(line);
        bool place =
            brz_starts_with(text, BRZ_STR("at ")) || brz_starts_with(text, BRZ_STR("from "));
        if (open <= 0 && !place)
            break;
        open = open_brackets(line, open);
        frame->len = (size_t)(line.data + line.len - frame->data);
        *block = rest;
    }
}

/* Returns whether a frame has a function. */
static bool is_frame(brz_str frame)
{
    return frame.len > 0 && (frame.data[0] == '<' || memchr(frame.data, '(', frame.len) != NULL);
}

/* Returns whether a frame has arguments, so that the same text hardly occurs again. */
static bool has_arguments(brz_str frame)
{
    const char *end = frame.data + frame.len, *at = frame.data;
    for (; (at = memchr(at, '(', (size_t)(end - at))) != NULL; at++)
        if (end - at > 2 && memcmp(at, "() ", 3) == 0 && at > frame.data && at[-1] == ' ')
            return false;
    return true;
}

/* Returns whether gdb prints the current frame after this line, which is no stack. */
static bool shows_position(brz_str line)
{
    return brz_starts_with(line, BRZ_STR("[Switching to ")) ||
           brz_starts_with(line, BRZ_STR("Program terminated with ")) ||
           brz_starts_with(line, BRZ_STR("Program received signal ")) ||
           brz_starts_with(line, BRZ_STR("[Current thread is "));
}

/* Returns whether this line, after a stack, says that its outermost frames are missing. */
static bool is_cut(brz_str line)
{
    return brz_starts_with(line, BRZ_STR("(More stack frames follow")) ||
           brz_starts_with(line, BRZ_STR("Backtrace stopped: "));
}

typedef struct reading {
    bool is_thread;     /* the line of a thread has been read */
    bool position;      /* the next frame 0 may be the current frame only */
    bool alone;         /* the stack consists of such a frame */
    bool has_first;     /* a stack had a frame 0 */
    bool lacks_first;   /* the stack has none, unlike others: it is left out */
    bool after_damaged; /* the line above is a damaged frame, or a part of one */
    uint64_t last;      /* number of the last frame */
    uint64_t n_stacks;
} reading;

static brz_rc end_stack(dump *d, reading *r)
{
    if (r->alone && dump_depth(d) == 1) {
        brz_path_cut(d->stacks.path, 0);
        return BRZ_OK;
    }
    r->n_stacks += dump_depth(d) > 0;
    return dump_count(d, 0, 1);
}

/* Ends the stack before this frame, with which another one begins. Without frame 0, which is
 * damaged, its leaf is unknown. */
static brz_rc begin_stack(dump *d, reading *r, uint64_t number, brz_str frame)
{
    brz_rc rc = end_stack(d, r);
    r->alone = number == 0 && r->position;
    r->has_first |= number == 0;
    r->lacks_first = number != 0 && r->has_first;
    if (r->lacks_first)
        dump_left_out(d, "gdb.stack", frame, BRZ_STR("stack without its frame 0: left out"), 1);
    return rc;
}

/* Returns the number of the next frame of a thread, or 0. */
static uint64_t next_number(brz_str block)
{
    brz_str line;
    uint64_t number;
    while (brz_block_line(&block, &line))
        if (take_position(&line, &number))
            return number;
    return 0;
}

/* Corrects a damaged number, which the frames around it show. Of two frames, the second one may be
 * frame 0 of another stack. Reports a gap in front of a frame, also that of a thread's frame 0. */
static uint64_t check_number(dump *d, const reading *r, uint64_t number, brz_str frame,
                             brz_str block)
{
    uint64_t expected = dump_depth(d) > 0 ? r->last + 1 : 0;
    if (number == expected || r->lacks_first)
        return number;
    if (expected > 0 && (number > 0 || r->last > 0) && next_number(block) == expected + 1) {
        BRZ_WARN(d->ctx, "gdb.number", frame.data, frame.len,
                 "the number of the frame does not follow the one above: it is read as the next");
        return expected;
    }
    if (number > expected && (expected > 0 || (r->is_thread && number == 1)))
        dump_frames_missing(d, "gdb.gap", frame);
    return number;
}

/* Returns whether a frame contains the number and the blanks with which the next one begins. */
static bool has_next(const reading *r, brz_str frame)
{
    for (size_t i = 1; i < frame.len; i++) {
        brz_str rest = brz_str_from(frame, i);
        uint64_t number;
        if (frame.data[i] == '#' && take_position(&rest, &number) && number == r->last + 1)
            return true;
    }
    return false;
}

/* Returns whether a line after a frame is another one, whose number is damaged or missing. */
static bool is_damaged_frame(const dump *d, brz_str line)
{
    uint64_t number;
    if (dump_depth(d) == 0 || line.len == 0)
        return false;
    if (*line.data == '#')
        return true;
    size_t at = brz_str_find(line, BRZ_STR("0x"), 0);
    if (at == SIZE_MAX || at > 8)
        return false;
    line = brz_str_from(line, at);
    return dump_take_address(&line, &number) && brz_starts_with(line, BRZ_STR(" in "));
}

static brz_rc take_frame(dump *d, reading *r, uint64_t number, brz_str frame)
{
    brz_rc rc = BRZ_OK;
    if (number == 1 && r->last > 0 && !r->has_first && dump_depth(d) == 1)
        BRZ_WARN(d->ctx, "gdb.number", frame.data, frame.len,
                 "the number of the frame above is not 0: it is read as 0");
    else if (number == 0 || number <= r->last)
        rc = begin_stack(d, r, number, frame);
    r->last = number;
    r->position = false;
    if (has_next(r, frame) && !r->lacks_first)
        dump_two_frames(d, "gdb.joined", frame);
    if (r->lacks_first)
        return rc;
    r->after_damaged = has_arguments(frame) && !is_frame(frame);
    if (!has_arguments(frame))
        dump_push(d, frame, 0, describe);
    else if (is_frame(frame))
        dump_push_once(d, frame, describe);
    else
        dump_left_out(d, "gdb.frame", frame, BRZ_STR("not a frame of gdb: left out"), 0);
    return rc;
}

static brz_rc read_block(void *instance, brz_str block)
{
    dump *d = instance;
    reading r = {0};
    brz_str line, whole = block;
    uint64_t number;
    brz_rc rc = BRZ_OK;
    brz_stacks_place(&d->stacks, BRZ_NO_TAG, 0, 0);
    while (rc == BRZ_OK && brz_block_line(&block, &line)) {
        brz_str frame = line;
        if (take_position(&frame, &number)) {
            take_continuation(&block, &frame);
            number = check_number(d, &r, number, frame, block);
            rc = take_frame(d, &r, number, frame);
        } else if (begins(line)) {
            r.is_thread = true;
            set_tag(d, line);
        } else if (is_damaged_frame(d, line)) {
            dump_left_out(d, "gdb.frame", line, BRZ_STR("not a frame of gdb: left out"), 0);
            r.last += !r.after_damaged;
            r.after_damaged = true;
        } else {
            r.position |= shows_position(line);
            d->n_incomplete += is_cut(line);
        }
    }
    if (rc == BRZ_OK)
        rc = end_stack(d, &r);
    if (r.is_thread && r.n_stacks == 0 && rc == BRZ_OK)
        dump_left_out(d, "gdb.thread", whole, BRZ_STR("thread without a stack: left out"), 1);
    return rc;
}

/* ---- format detection ------------------------------------------------------------------------ */

/* Recognises frame 0: two blanks after the number, and a function with arguments. */
static bool is_first_frame(brz_str line)
{
    brz_frame_desc frame;
    if (!brz_str_take(&line, "#0  ") || !is_frame(line))
        return false;
    take_address(&line, &frame);
    return brz_str_find(line, BRZ_STR(" ("), 0) != SIZE_MAX || brz_starts_with(line, BRZ_STR("<"));
}

static int32_t sniff(const brz_head *head)
{
    brz_str text = dump_head_lines(head), line;
    bool thread = false;
    for (size_t i = 0; i < DUMP_SNIFFED_LINES && brz_block_line(&text, &line); i++) {
        thread |= begins(line);
        if (is_first_frame(line))
            return thread ? BRZ_SNIFF_HEADER : BRZ_SNIFF_RECORDS;
    }
    return thread ? BRZ_SNIFF_RECORDS : BRZ_SNIFF_NO;
}

/* ---- plug-in --------------------------------------------------------------------------------- */

DUMP_PARSE_BLOCKS(begins, read_block)

SHIPPED_READER(dump, .open = dump_open, .finish = dump_finish)

BRZ_HINTS(BRZ_IF_CONTAINS("#0  ") BRZ_IF_CONTAINS("Thread "))

SHIPPED_COLLAPSER(
    "gdb", .summary = "gdb's backtraces of all threads, pstack, gstack",
    .help =
        "Record with `gdb -p PID -batch -ex 'thread apply all bt' >> stacks.txt`, several times.")
