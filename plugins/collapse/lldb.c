/* Collapses backtraces of lldb, such as those of `bt all` and `thread backtrace all`:
 *
 *     input  := (thread | prose)*
 *     thread := ["*"] "thread #" number ("," | ":") properties frame*
 *     frame  := ["*"] "frame #" number ":" address [module "`"] function ["+" offset]
 *               ["at" file ":" line [":" column]] ["[" note "]"]*
 *
 * Frames run from leaf to root; number 0 begins a stack. Each stack counts as one sample.
 */
#include "../common/dump/dump.h"
#include "../common/names/arguments.h"

typedef struct lldb {
    dump dump;
    bool has_stopped;   /* lldb shows the place of the next thread, not its stack */
    bool expects_place; /* no frame has followed the stop yet, in the block or the one before */
    bool is_place;      /* the current stack is such a place, if it has one frame */
    bool has_gap;       /* the numbers of the current stack show that frames are missing */
    uint64_t next;      /* number of the next frame of the current stack */
    uint64_t other;     /* the same if the number of the last frame is damaged */
    size_t n_before;    /* frames in front of one with a lower number than theirs; 0: none */
} lldb;

/* ---- frames ---------------------------------------------------------------------------------- */

/* Removes notes such as "[opt]" and "[inlined]" from the end. */
static void take_notes(brz_str *s, brz_frame_desc *frame)
{
    static const char *const notes[] = {" [opt]", " [inlined]", " [artificial]"};
    for (bool found = true; found;) {
        found = false;
        for (size_t i = 0; i < BRZ_COUNT_OF(notes); i++) {
            size_t n = strlen(notes[i]);
            if (!brz_ends_with(*s, brz_str_of(notes[i], n)))
                continue;
            frame->flags |= i == 1 ? BRZ_FRAME_INLINED : 0;
            s->len -= n;
            found = true;
        }
    }
}

/* Removes " at demo.c:9:3" from the end. */
static void take_place(brz_str *s, brz_frame_desc *frame)
{
    static const brz_str word = {" at ", 4};
    size_t at = brz_str_find(*s, word, 0), last = SIZE_MAX;
    for (; at != SIZE_MAX; at = brz_str_find(*s, word, at + 1))
        last = at;
    if (last == SIZE_MAX)
        return;
    dump_place(brz_str_from(*s, last + word.len), frame);
    s->len = last;
}

/* Removes " + 12" from the end. */
static void take_offset(brz_str *s)
{
    brz_str name, offset;
    uint64_t number;
    if (brz_cut_last(*s, '+', &name, &offset) && brz_ends_with(name, BRZ_STR(" ")) &&
        brz_parse_u64(brz_trim_start(offset), &number))
        *s = brz_trim_end(name);
}

static void describe(dump *d, brz_str text, brz_frame_desc *frame)
{
    brz_str rest;
    dump_take_address(&text, &frame->address);
    text = brz_trim(text);
    if (brz_cut_first(text, '`', &frame->module, &rest))
        text = rest;
    take_notes(&text, frame);
    take_place(&text, frame);
    take_offset(&text);
    take_notes(&text, frame);
    frame->name = dump_repaired(d, brz_trim(name_without_arguments(text)));
}

/* ---- threads --------------------------------------------------------------------------------- */

/* Removes "thread #" or "frame #" and its number from the front of a line. */
static bool take_heading(brz_str *line, brz_str word, uint64_t *number)
{
    brz_str s = brz_trim_start(*line);
    if (brz_str_take(&s, "*"))
        dump_take_blanks(&s);
    if (!brz_starts_with(s, word))
        return false;
    s = brz_str_from(s, word.len);
    if (!brz_take_u64(&s, number))
        return false;
    *line = s;
    return true;
}

/* Recognises "* thread #1, name = 'demo', stop reason = signal SIGSTOP". */
static bool begins(brz_str line)
{
    uint64_t number;
    return take_heading(&line, BRZ_STR("thread #"), &number) &&
           (line.len == 0 || line.data[0] == ',' || line.data[0] == ':');
}

/* Returns the text in quotes after a word, or an empty text. */
static brz_str quoted_after(brz_str line, brz_str word)
{
    brz_str name = {0}, rest;
    size_t at = brz_str_find(line, word, 0);
    if (at == SIZE_MAX || !brz_cut_first(brz_str_from(line, at + word.len), '\'', &name, &rest))
        return brz_str_of(NULL, 0);
    return name;
}

static void set_tag(dump *d, brz_str line)
{
    brz_tag_desc tag = {.thread_name = quoted_after(line, BRZ_STR(" name = '"))};
    uint64_t id;
    if (!dump_wants_tags(d))
        return;
    if (tag.thread_name.len == 0)
        tag.thread_name = quoted_after(line, BRZ_STR(" queue = '"));
    if (dump_number_after(line, BRZ_STR(" tid = "), &id)) {
        tag.thread = (int64_t)id;
        tag.flags = BRZ_TAG_THREAD;
    }
    dump_tag(d, &tag);
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* Recognises a frame, and removes its heading. */
static bool take_frame(brz_str *line, uint64_t *number)
{
    brz_str s = *line;
    if (!take_heading(&s, BRZ_STR("frame #"), number) || !brz_str_take(&s, ":"))
        return false;
    *line = brz_trim(s);
    return true;
}

/* Recognises "Process 59762 stopped", after which lldb prints the innermost frame of a thread. The
 * line break in front of it may be damaged. */
static bool is_stop(brz_str line)
{
    line = brz_trim(line);
    return brz_ends_with(line, BRZ_STR(" stopped")) &&
           brz_str_find(line, BRZ_STR("Process "), 0) != SIZE_MAX;
}

/* Returns whether a line begins like a frame, or ends within the word with which frames begin. */
static bool begins_like_frame(brz_str line)
{
    static const brz_str word = {"frame ", 6};
    size_t indent = dump_take_blanks(&line);
    if (brz_str_take(&line, "*"))
        dump_take_blanks(&line);
    bool is_cut = line.len > 0 && line.len < word.len && brz_starts_with(word, line);
    return indent >= 2 && (is_cut || brz_starts_with(line, word));
}

/* Returns whether a line that is no frame begins like one, or has a number and an address like one:
 * it is damaged. */
static bool is_damaged_frame(brz_str line)
{
    size_t at = brz_str_find(line, BRZ_STR(": 0x"), 0), digits = 0;
    if (begins_like_frame(line))
        return true;
    while (at != SIZE_MAX && digits < at && brz_is_digit(line.data[at - 1 - digits]))
        digits++;
    return digits > 0 && digits < at && line.data[at - 1 - digits] == '#';
}

static brz_rc end_stack(lldb *l)
{
    dump *d = &l->dump;
    if (l->is_place && dump_depth(d) == 1)
        brz_path_cut(d->stacks.path, 0);
    d->n_incomplete += l->has_gap && dump_depth(d) > 0;
    l->is_place = l->has_gap = false;
    l->next = 0;
    l->n_before = 0;
    return dump_count(d, 0, 1);
}

/* Ends the stack above frame 0. After the place of a stop, the line of the thread is missing. */
static brz_rc end_before_leaf(lldb *l, brz_str line)
{
    if (l->is_place && dump_depth(&l->dump) == 1) {
        brz_stacks_place(&l->dump.stacks, BRZ_NO_TAG, 0, 0);
        BRZ_WARN(l->dump.ctx, "lldb.no-thread", line.data, line.len,
                 "a stack begins without the line of its thread: counted without a thread");
    }
    return end_stack(l);
}

/* Ends the stack above the last frame, to which that frame and the next one do not belong. */
static brz_rc end_before_last(lldb *l, brz_str line)
{
    brz_path *path = l->dump.stacks.path;
    brz_frame last = path->ids[path->n - 1];
    uint64_t next = l->next;
    brz_path_cut(path, path->n - 1);
    brz_rc rc = end_stack(l);
    BRZ_WARN(l->dump.ctx, "lldb.no-thread", line.data, line.len,
             "a stack begins without the line of its thread: counted without a thread");
    brz_stacks_place(&l->dump.stacks, BRZ_NO_TAG, 0, 0);
    brz_path_push(path, l->dump.ctx, last);
    l->has_gap = true;
    l->next = next;
    return rc;
}

/* Compares the number of a frame with the one above. A stop may show any frame of a stack. Two
 * frames whose numbers go on from a lower one belong to another stack; a single one may be damaged.
 */
static brz_rc check_number(lldb *l, brz_str line, uint64_t number)
{
    size_t depth = dump_depth(&l->dump);
    brz_rc rc = BRZ_OK;
    if (l->n_before > 0 && l->n_before + 1 == depth && number == l->next)
        rc = end_before_last(l, line);
    l->n_before = number < l->next && number != l->other ? depth : 0;
    l->has_gap |= number != l->next && !(l->is_place && depth == 0);
    l->other = l->next + 1;
    l->next = number + 1;
    return rc;
}

/* Returns the word of another frame on the line of a frame, whose line end is damaged, or NULL. */
static const char *find_second_frame(brz_str line)
{
    static const brz_str word = {"frame #", 7};
    size_t at = brz_str_find(line, word, 0);
    uint64_t number;
    for (; at != SIZE_MAX; at = brz_str_find(line, word, at + 1)) {
        brz_str rest = brz_str_from(line, at);
        if (take_frame(&rest, &number) && brz_starts_with(rest, BRZ_STR("0x")))
            return line.data + at;
    }
    return NULL;
}

static brz_rc push_frame(lldb *l, brz_str line, uint64_t number)
{
    dump *d = &l->dump;
    brz_rc rc = number == 0 && dump_depth(d) > 0 ? end_before_leaf(l, line) : BRZ_OK;
    if (dump_depth(d) == 0 && l->expects_place) {
        l->is_place = true;
        l->expects_place = l->has_stopped = false;
    }
    if (rc == BRZ_OK)
        rc = check_number(l, line, number);
    if (line.len > 0)
        dump_push_once(d, line, describe);
    else
        dump_left_out(d, "lldb.frame", line, BRZ_STR("a frame without a place: left out"), 0);
    return rc;
}

/* Adds the frames of a line, which has several if line ends are damaged. */
static brz_rc push_frames(lldb *l, brz_str line, uint64_t number)
{
    brz_rc rc = BRZ_OK;
    const char *second;
    while (rc == BRZ_OK && (second = find_second_frame(line)) != NULL) {
        size_t n = (size_t)(second - line.data);
        BRZ_WARN(l->dump.ctx, "lldb.joined", line.data, line.len,
                 "several frames on one line: divided");
        rc = push_frame(l, brz_trim(brz_str_of(line.data, n)), number);
        line = brz_str_from(line, n);
        take_frame(&line, &number);
    }
    return rc == BRZ_OK ? push_frame(l, line, number) : rc;
}

/* Reads a line that is neither a thread nor a frame. */
static void read_other(lldb *l, brz_str line)
{
    l->has_stopped |= is_stop(line);
    l->expects_place |= l->has_stopped;
    if (dump_depth(&l->dump) == 0 || !is_damaged_frame(line))
        return; /* without its leaf, a stack has a gap */
    l->next++;
    dump_left_out(&l->dump, "lldb.frame", line, BRZ_STR("not a frame: left out"), 0);
}

static brz_rc read_block(void *instance, brz_str block)
{
    lldb *l = instance;
    dump *d = &l->dump;
    brz_str line, whole = block;
    uint64_t number;
    bool any = false, is_thread = false, is_place = l->has_stopped;
    brz_rc rc = BRZ_OK;
    l->expects_place = l->has_stopped;
    l->has_stopped = false;
    brz_stacks_place(&d->stacks, BRZ_NO_TAG, 0, 0);
    while (rc == BRZ_OK && brz_block_line(&block, &line)) {
        if (begins(line)) {
            is_thread = true;
            set_tag(d, line);
        } else if (take_frame(&line, &number)) {
            any |= line.len > 0;
            rc = push_frames(l, line, number);
        } else {
            read_other(l, line);
        }
    }
    if (rc == BRZ_OK)
        rc = end_stack(l);
    if (is_thread && !any && rc == BRZ_OK)
        dump_left_out(d, "lldb.thread", whole, BRZ_STR("thread without a stack: left out"),
                      is_place ? 0 : 1); /* the place of a stop does not count */
    return rc;
}

/* ---- plug-in --------------------------------------------------------------------------------- */

/* Recognises a frame with a module, ideally after the line of a thread. */
static int32_t sniff(const brz_head *head)
{
    brz_str text = dump_head_lines(head), line;
    bool thread = false;
    uint64_t number;
    for (size_t i = 0; i < DUMP_SNIFFED_LINES && brz_block_line(&text, &line); i++) {
        thread |= begins(line);
        if (take_frame(&line, &number) && brz_starts_with(line, BRZ_STR("0x")))
            return thread ? BRZ_SNIFF_HEADER : BRZ_SNIFF_RECORDS;
    }
    return BRZ_SNIFF_NO;
}

DUMP_PARSE_BLOCKS(begins, read_block)

SHIPPED_READER(lldb, .open = dump_open, .finish = dump_finish)

BRZ_HINTS(BRZ_IF_CONTAINS("frame #"))

SHIPPED_COLLAPSER(
    "lldb", .summary = "lldb's backtraces of all threads",
    .help = "Record with `lldb -p PID --batch -o 'bt all' >> stacks.txt`, several times.")
