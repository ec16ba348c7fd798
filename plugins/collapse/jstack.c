/* SPDX-License-Identifier: MIT */
/* Collapses thread dumps of Java: those of jstack, `jcmd PID Thread.print` and SIGQUIT, those of
 * `jcmd PID Thread.dump_to_file`, and the javacores of IBM's Java and OpenJ9.
 *
 *     input    := (thread | prose)*
 *     thread   := '"' name '"' attributes [state] ("at" frame | "-" lock)*
 *               | "#" number '"' name '"' ["virtual"] [state] frame*
 *     state    := "java.lang.Thread.State:" word ["(" reason ")"]
 *     javacore := "3XMTHREADINFO" '"' name '"' ... "state:" letter ...
 *                 "3XMTHREADINFO1" "(native thread ID:" number ...
 *                 ("4XESTACKTRACE" "at" frame)*
 *
 * Frames run from leaf to root. Each thread with a stack counts as one sample; a file may hold
 * several dumps. Of a dump's list of deadlocks, whose threads are in the dump anyway, nothing
 * counts. Frames below none of these first lines are those of a thread whose first line is damaged
 * or missing.
 */
#include "../common/dump/java_frame.h"

typedef struct options {
    bool running, thread_names, tid;
    int32_t packages;
} options;

typedef struct jstack {
    dump dump;
    bool is_current;  /* reading a javacore's list of the current thread */
    bool has_current; /* that list had its thread */
    bool has_first;   /* a thread of this javacore has been counted */
    uint64_t first;   /* its native id */
    char date[40];    /* of the dump, as it is written */
    size_t n_date;    /* its length; 0: unknown */
    bool has_date;    /* the line before was a date */
    uint64_t n_waiting, n_without_stack;
} jstack;

/* A thread, as far as its block has been read. */
typedef struct thread {
    brz_str name, state;
    brz_str odd; /* a line that should have been a frame */
    uint64_t id;
    bool has_id, is_javacore;
    bool is_filed;        /* of Thread.dump_to_file */
    bool is_over;         /* a blank line has ended the stack */
    bool is_after_blank;  /* so has the line before */
    size_t indent;        /* of the frames of Thread.dump_to_file; 0: unknown */
    brz_str state_after;  /* the state of a thread after it */
    bool is_reported;     /* the lines after it are known to lack their first line */
    bool is_last;         /* another javacore follows */
    bool leaf_is_waiting; /* the leaf is a function in which threads wait */
} thread;

static const brz_str javacore_thread = {"3XMTHREADINFO ", 14};
/* The beginnings of a javacore's lists: the first one has a thread of the second one. */
static const brz_str current_thread = {"1XMCURTHDINFO", 13}, all_threads = {"1XMTHDINFO", 10};

/* Recognises `#22 "worker" virtual`. */
static bool begins_filed(brz_str line)
{
    uint64_t id;
    return brz_str_take(&line, "#") && brz_take_u64(&line, &id) && id <= INT64_MAX &&
           brz_starts_with(line, BRZ_STR(" \""));
}

static bool begins(brz_str line)
{
    if (brz_starts_with(line, BRZ_STR("\"")))
        return brz_str_find(line, BRZ_STR(" tid=0x"), 1) != SIZE_MAX;
    return brz_starts_with(line, javacore_thread) || brz_starts_with(line, current_thread) ||
           brz_starts_with(line, all_threads) || begins_filed(line);
}

/* ---- attributes of threads ------------------------------------------------------------------- */

static void read_header(thread *t, brz_str line)
{
    brz_str before, rest, name, after;
    if (!brz_cut_first(line, '"', &before, &rest) || !brz_cut_last(rest, '"', &name, &after))
        return;
    t->name = name;
    t->has_id = dump_number_after(after, BRZ_STR(" nid="), &t->id);
    if (brz_str_find(after, BRZ_STR(" runnable"), 0) != SIZE_MAX)
        t->state = BRZ_STR("RUNNABLE");
}

/* Reads `#22 "worker" virtual WAITING 2026-03-01T10:00:00Z`. Old versions of Java write no state.
 */
static void read_filed_header(thread *t, brz_str line)
{
    brz_str before, rest, name, words, word;
    t->is_filed = true;
    brz_str_take(&line, "#");
    t->has_id = brz_take_u64(&line, &t->id);
    if (!brz_cut_first(line, '"', &before, &rest) || !brz_cut_last(rest, '"', &name, &words))
        return;
    t->name = name;
    words = brz_trim(words);
    while (words.len > 0 && t->state.len == 0 && brz_take_piece(&words, ' ', &word))
        if (word.len > 0 && word.data[0] >= 'A' && word.data[0] <= 'Z')
            t->state = word;
}

/* Translates the letters of javacores. */
static brz_str javacore_state(brz_str line)
{
    static const struct {
        const char *letters, *state;
    } states[] = {{"R,", "RUNNABLE"},  {"CW,", "WAITING"}, {"CW/T", "TIMED_WAITING"},
                  {"B,", "BLOCKED"},   {"P,", "PARKED"},   {"S,", "SUSPENDED"},
                  {"Z,", "TERMINATED"}};
    size_t at = brz_str_find(line, BRZ_STR("state:"), 0);
    for (size_t i = 0; at != SIZE_MAX && i < BRZ_COUNT_OF(states); i++)
        if (brz_starts_with(brz_str_from(line, at + 6), brz_str_of_text(states[i].letters)))
            return brz_str_of_text(states[i].state);
    return brz_str_of(NULL, 0);
}

/* Reads "27961:", which jcmd prints in front of a dump. */
static void read_process(jstack *j, brz_str line)
{
    uint64_t id;
    if (brz_take_u64(&line, &id) && brz_str_is(line, ":") && id <= INT64_MAX)
        j->dump.process = (int64_t)id;
}

/* Recognises "2026-03-01 10:00:00", also with a "T" between its parts and "Z" or more after them.
 */
static bool is_date(brz_str s)
{
    static const char form[] = "dddd-dd-dd dd:dd:dd";
    size_t n = sizeof form - 1;
    for (size_t i = 0; i < n && s.len >= n; i++)
        if (form[i] == 'd' ? !brz_is_digit(s.data[i])
                           : s.data[i] != form[i] && (form[i] != ' ' || s.data[i] != 'T'))
            return false;
    return s.len == n || (s.len > n && s.data[10] == 'T');
}

static void keep_date(jstack *j, brz_str date)
{
    j->n_date = date.len < sizeof j->date ? date.len : 0;
    memcpy(j->date, date.data, j->n_date);
}

/* Reads the lines in front of a dump. A date is that of the dump that begins next, whose first line
 * has no other date before it. */
static void read_date(jstack *j, brz_str line)
{
    brz_str rest = line;
    bool begins_other = brz_starts_with(line, BRZ_STR("0SECTION       TITLE")) ||
                        (brz_starts_with(line, BRZ_STR("Full thread dump ")) && !j->has_date);
    if (begins_other)
        j->n_date = 0;
    if (line.len > 0)
        j->has_date = false;
    if (is_date(line)) {
        keep_date(j, line);
        j->has_date = true;
    } else if (brz_str_take(&rest, "1TIDATETIME")) {
        rest = brz_trim(rest);
        if (brz_str_take(&rest, "Date:"))
            keep_date(j, brz_trim(rest));
    }
}

#define STATE_MARK     "java.lang.Thread.State: "
#define JAVACORE_FRAME "4XESTACKTRACE"

/* Returns whether a text is "java.base/java.lang.Thread.sleep(Thread.java:509)". */
static bool is_bare_frame(brz_str text)
{
    brz_str name, place, before;
    return brz_ends_with(text, BRZ_STR(")")) && brz_cut_first(text, '(', &name, &place) &&
           !brz_cut_first(name, ' ', &before, &place) && brz_cut_first(name, '.', &before, &place);
}

/* Returns whether a line is a frame of a thread whose first line is damaged or missing: that of a
 * javacore or of Thread.dump_to_file, or one below a state, which the list of deadlocks has not. */
static bool is_headless(const thread *t, brz_str line)
{
    brz_str text = brz_trim(line);
    if (brz_starts_with(text, BRZ_STR(JAVACORE_FRAME)))
        return true;
    if (line.len == 0 || !brz_is_blank(*line.data))
        return false;
    return is_bare_frame(text) || (t->state_after.len > 0 && java_frame_take_at(&line));
}

/* Returns whether a line directly below a blank one is a frame of the stack above it: frames of
 * other threads follow the name or the state of the thread, and have the usual indentation. */
static bool is_divided(const jstack *j, const thread *t, brz_str line)
{
    brz_str rest = line;
    if (!t->is_after_blank || t->is_javacore || dump_depth(&j->dump) == 0)
        return false;
    size_t indent = dump_take_blanks(&rest);
    if (t->is_filed)
        return indent > 0 && indent < t->indent && is_bare_frame(brz_trim(rest));
    return indent > 0 && java_frame_take_at(&line);
}

static void read_line_after(jstack *j, thread *t, brz_str line)
{
    brz_str text = brz_trim(line);
    if (text.len == 0 || brz_str_is(text, "NULL")) {
        t->is_reported = false;
        t->state_after.len = 0;
    }
    bool divided = is_divided(j, t, line);
    t->is_after_blank = text.len == 0;
    if (divided) {
        t->is_reported = true;
        dump_left_out(&j->dump, "jstack.divided", line,
                      BRZ_STR("a blank line divides the stack: the frames below it are left out"),
                      0);
    }
    t->is_last |= brz_starts_with(text, BRZ_STR("0SECTION"));
    read_process(j, text);
    read_date(j, text);
    if (brz_starts_with(text, BRZ_STR(STATE_MARK)))
        t->state_after = line;
    if (t->is_reported || !is_headless(t, line))
        return;
    t->is_reported = true;
    dump_left_out(&j->dump, "jstack.thread", t->state_after.len > 0 ? t->state_after : line,
                  BRZ_STR("thread without the line with its name: left out"), 1);
}

/* Keeps a line that should have been a frame. */
static bool leave_out(jstack *j, thread *t, brz_str line)
{
    if (t->odd.len > 0)
        dump_left_out(&j->dump, "jstack.frame", t->odd, BRZ_STR("not a frame: left out"), 0);
    t->odd = line;
    return false;
}

/* Reports a frame after whose place another one is on the line. */
static void report_joined(jstack *j, brz_str frame)
{
    if (brz_str_find(frame, BRZ_STR(")"), 0) + 2 < frame.len)
        dump_two_frames(&j->dump, "jstack.joined", frame);
}

/* Reads a line of a thread of Thread.dump_to_file. Returns false if it is no frame; otherwise
 * *line becomes the frame. */
static bool read_filed_line(jstack *j, thread *t, brz_str *line)
{
    brz_str text = brz_trim(*line);
    bool is_indented = line->len > 0 && brz_is_blank(*line->data);
    bool is_frame = brz_ends_with(text, BRZ_STR(")"));
    if (is_indented && (text.data[0] == '-' || text.data[0] == '/'))
        return false;
    if (!is_indented || !is_frame)
        return is_indented || is_frame ? leave_out(j, t, *line) : false;
    report_joined(j, text);
    t->indent = (size_t)(text.data - line->data);
    *line = text;
    return true;
}

/* Returns whether a line of a javacore is cut off within the tag of a frame. */
static bool is_cut_tag(brz_str line)
{
    return line.len > 0 && brz_starts_with(BRZ_STR(JAVACORE_FRAME), line);
}

/* Reads a line of a javacore, likewise. */
static bool read_javacore_line(jstack *j, thread *t, brz_str *line)
{
    brz_str whole = *line;
    if (brz_starts_with(*line, javacore_thread)) {
        read_header(t, *line);
        t->has_id = false;
        t->state = javacore_state(*line);
        return false;
    }
    if (brz_starts_with(*line, BRZ_STR("3XMTHREADINFO1"))) {
        t->has_id = dump_number_after(*line, BRZ_STR("native thread ID:"), &t->id);
        return false;
    }
    bool is_frame = brz_str_take(line, JAVACORE_FRAME);
    if (is_frame && java_frame_take_at(line))
        return true;
    is_frame |= brz_str_has(*line, BRZ_STR(" at ")) || brz_starts_with(*line, BRZ_STR("at ")) ||
                is_cut_tag(whole);
    return is_frame ? leave_out(j, t, whole) : false;
}

/* Reads a line of a thread dump, likewise. */
static bool read_dump_line(jstack *j, thread *t, brz_str *line)
{
    brz_str text = brz_trim(*line), rest, whole = *line;
    if (brz_str_take(&text, STATE_MARK)) {
        t->state = text;
        brz_cut_first(text, ' ', &t->state, &rest);
        return false;
    }
    j->dump.n_incomplete += brz_str_is(text, "...");
    if (java_frame_take_at(line)) {
        if (brz_ends_with(*line, BRZ_STR(")")))
            report_joined(j, *line);
        return true;
    }
    bool is_frame = brz_str_is(text, "at") || brz_str_is(text, "a") || /* which has lost its end */
                    (brz_ends_with(text, BRZ_STR(")")) && text.data[0] != '-');
    return is_frame ? leave_out(j, t, whole) : false;
}

/* Returns whether a line ends the stack above it: a blank line, the state of another thread, or a
 * line that is not indented where frames are. */
static bool ends_stack(const jstack *j, const thread *t, brz_str line)
{
    brz_str text = brz_trim(line);
    if (t->is_javacore)
        return brz_starts_with(text, BRZ_STR("NULL"));
    if (text.len == 0)
        return true;
    if (brz_starts_with(text, BRZ_STR(STATE_MARK)))
        return dump_depth(&j->dump) > 0;
    return !brz_is_blank(*line.data) && !brz_ends_with(text, BRZ_STR(")"));
}

/* ---- threads --------------------------------------------------------------------------------- */

/* Recognises functions in which a thread waits for the network though its state is RUNNABLE. */
static bool waits_for_network(brz_str frame)
{
    static const char *const functions[] = {
        ".epollWait",          ".socketAccept",         ".accept0",
        ".socketRead0",        "sun.nio.ch.EPoll.wait", "sun.nio.ch.KQueue.poll",
        "sun.nio.ch.Net.poll",
    };
    brz_str name = frame, place;
    brz_cut_first(frame, '(', &name, &place);
    for (size_t i = 0; i < BRZ_COUNT_OF(functions); i++)
        if (brz_ends_with(name, brz_str_of_text(functions[i])))
            return true;
    return false;
}

static void describe(dump *d, brz_str text, brz_frame_desc *frame)
{
    const options *o = d->ctx->cfg;
    java_frame_describe(d, text, (java_packages)o->packages, frame);
}

/* Returns the name without the number that pools of threads append: "-12". */
static brz_str without_number(brz_str name)
{
    size_t n = name.len;
    while (n > 0 && brz_is_digit(name.data[n - 1]))
        n--;
    if (n == name.len || n == 0 || name.data[n - 1] != '-')
        return name;
    return brz_str_of(name.data, n - 1);
}

static void set_tag(jstack *j, const thread *t)
{
    brz_label labels[2];
    brz_tag_desc tag = {.thread_name = t->name, .labels = labels};
    if (t->state.len > 0)
        labels[tag.n_labels++] = (brz_label){.key = BRZ_STR("state"), .text = t->state};
    if (j->n_date > 0)
        labels[tag.n_labels++] =
            (brz_label){.key = BRZ_STR("dump"), .text = brz_str_of(j->date, j->n_date)};
    if (t->has_id) {
        tag.flags = BRZ_TAG_THREAD;
        tag.thread = (int64_t)t->id;
    }
    dump_tag(&j->dump, &tag);
}

/* Returns whether a thread has been counted: in a javacore, where the line in front of the list of
 * the current thread is damaged or missing. */
static bool is_repeated(jstack *j, const thread *t)
{
    if (!t->is_javacore || !t->has_id)
        return false;
    if (j->has_first)
        return t->id == j->first;
    j->has_first = true;
    j->first = t->id;
    return false;
}

static brz_rc end_thread(jstack *j, const thread *t)
{
    const options *o = j->dump.ctx->cfg;
    if (t->odd.len > 0)
        dump_left_out(&j->dump, "jstack.frame", t->odd, BRZ_STR("not a frame: left out"),
                      dump_depth(&j->dump) == 0);
    if (dump_depth(&j->dump) == 0) {
        j->n_without_stack += t->name.data != NULL;
        return BRZ_OK;
    }
    if (is_repeated(j, t)) {
        BRZ_WARN(j->dump.ctx, "jstack.repeated", t->name.data, t->name.len,
                 "a thread that is there twice counts once");
        brz_path_cut(j->dump.stacks.path, 0);
        return BRZ_OK;
    }
    bool runs = brz_str_is(t->state, "RUNNABLE") && !t->leaf_is_waiting;
    if (o->running && !runs) {
        j->n_waiting++;
        brz_path_cut(j->dump.stacks.path, 0);
        return BRZ_OK;
    }
    if (o->thread_names) {
        bool whole = o->tid || t->is_javacore;
        dump_push_root(&j->dump, whole ? t->name : without_number(t->name));
    }
    set_tag(j, t);
    return dump_count(&j->dump, 0, 1);
}

/* Reads a line of a thread. Returns false if it is no frame; otherwise *line becomes the frame. */
static bool read_line(jstack *j, thread *t, brz_str *line)
{
    t->is_over = t->is_over || ends_stack(j, t, *line);
    if (t->is_over) {
        read_line_after(j, t, *line);
        return false;
    }
    if (t->is_filed)
        return read_filed_line(j, t, line);
    return t->is_javacore ? read_javacore_line(j, t, line) : read_dump_line(j, t, line);
}

/* Reads the line with which a block begins, as far as it concerns a javacore's lists. Returns
 * whether its thread is that of the first list, which the second one has again. */
static bool is_current(jstack *j, brz_str line)
{
    if (brz_starts_with(line, current_thread) || brz_starts_with(line, all_threads)) {
        j->is_current = brz_starts_with(line, current_thread);
        j->has_current = false;
        j->has_first = j->has_first && !j->is_current;
        return false;
    }
    if (!j->is_current || !brz_starts_with(line, javacore_thread))
        return false;
    j->is_current = !j->has_current;
    j->has_current = true;
    return j->is_current;
}

static void read_first_line(thread *t, brz_str line)
{
    t->is_javacore = brz_starts_with(line, javacore_thread);
    t->is_over = !begins(line) || brz_starts_with(line, all_threads);
    if (begins_filed(line)) {
        read_filed_header(t, line);
        t->odd = brz_ends_with(line, BRZ_STR(")")) ? line : t->odd;
    } else if (!t->is_over && !t->is_javacore) {
        read_header(t, line);
    }
}

static brz_rc read_block(void *instance, brz_str block)
{
    jstack *j = instance;
    thread t = {0};
    brz_str line = brz_str_of(NULL, 0), rest = block;
    brz_block_line(&rest, &line);
    if (is_current(j, line) || brz_starts_with(line, current_thread))
        return BRZ_OK;
    read_first_line(&t, line);
    rest = t.is_javacore || t.is_over ? block : rest;
    while (brz_block_line(&rest, &line)) {
        if (!read_line(j, &t, &line))
            continue;
        if (dump_depth(&j->dump) == 0)
            t.leaf_is_waiting = waits_for_network(line);
        dump_push(&j->dump, line, 0, describe);
    }
    brz_rc rc = end_thread(j, &t);
    j->has_first = j->has_first && !t.is_last;
    return rc;
}

/* ---- plug-in --------------------------------------------------------------------------------- */

static bool is_sign(brz_str line)
{
    return begins(line) || brz_starts_with(line, BRZ_STR("Full thread dump ")) ||
           brz_starts_with(line, BRZ_STR("1XMTHDINFO "));
}

DUMP_SNIFF_LINE(is_sign)

DUMP_PARSE_BLOCKS(begins, read_block)

static brz_rc finish(brz_ctx *ctx)
{
    jstack *j = ctx->inst;
    brz_report_count(ctx, BRZ_NOTE, "jstack.waiting", j->n_waiting, 0,
                     BRZ_STR("threads that wait left out: {count}"));
    brz_report_count(ctx, BRZ_NOTE, "jstack.no-stack", j->n_without_stack, 0,
                     BRZ_STR("threads without a Java stack left out: {count}"));
    return dump_finish(ctx);
}

static const brz_option option_table[] = {
    BRZ_OPTION(options, "running", BOOL, running, "false",
               "count only threads that run: state RUNNABLE, not waiting for the network"),
    BRZ_OPTION(options, "thread-names", BOOL, thread_names, "false",
               "add the thread's name as root frame, without the number at its end"),
    BRZ_OPTION(options, "tid", BOOL, tid, "false",
               "keep the number at the end of thread names, such as the one of pool-1-thread-12"),
    JAVA_PACKAGES_OPTION(options),
};

SHIPPED_READER(jstack, .open = dump_open, .finish = finish)

BRZ_HINTS(BRZ_IF_CONTAINS(" tid=0x") BRZ_IF_CONTAINS("Full thread dump ")
              BRZ_IF_CONTAINS("3XMTHREADINFO ") BRZ_IF_CONTAINS("1XMCURTHDINFO")
                  BRZ_IF_CONTAINS("1XMTHDINFO") BRZ_IF_CONTAINS("#0") BRZ_IF_CONTAINS("#1")
                      BRZ_IF_CONTAINS("#2") BRZ_IF_CONTAINS("#3") BRZ_IF_CONTAINS("#4")
                          BRZ_IF_CONTAINS("#5") BRZ_IF_CONTAINS("#6") BRZ_IF_CONTAINS("#7")
                              BRZ_IF_CONTAINS("#8") BRZ_IF_CONTAINS("#9"))

SHIPPED_COLLAPSER(
    "jstack", .summary = "Java's thread dumps, and javacores",
    .help = "Record with `jstack PID >> dumps.txt` or `jcmd PID Thread.print`, several times.",
    BRZ_OPTIONS(option_table, options))
