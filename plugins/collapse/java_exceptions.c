/* SPDX-License-Identifier: MIT */
/* Collapses the stack traces of Java exceptions in logs and on standard error:
 *
 *     trace     := [prose] class [":" message] at* (("Caused by:" | "Suppressed:") class ... at*
 *                  ["..." number "more"])*
 *     at        := TAB+ "at" frame
 *
 * Frames run from leaf to root. Each exception with frames of its own counts once. "... 7 more"
 * stands for the last 7 frames of the trace around it, which are added again. A suppressed
 * exception and its causes are indented once more than the trace around them.
 */
#include "../common/dump/java_frame.h"

/* Levels of indentation whose traces are kept. */
#define LEVELS 16

typedef struct options {
    int32_t packages;
} options;

typedef struct exceptions {
    dump dump;
    brz_frame_list around[LEVELS]; /* the last stack of each level, complete */
    size_t holes[LEVELS];       /* where that lacks a frame that is left out; SIZE_MAX: nowhere */
    size_t hole;                /* the same of the current stack, if `damaged` is set */
    brz_str class, thread;      /* of the current exception; in the block */
    size_t level, around_level; /* of the current trace, and of the trace around it */
    brz_str damaged;            /* a frame of its own that is left out, in the block */
    bool is_over;               /* a line that ends a trace has been read: no frame follows it */
    bool is_headless;           /* frames after it have been reported */
} exceptions;

/* ---- headers --------------------------------------------------------------------------------- */

static const brz_str cause = {"Caused by: ", 11}, suppressed = {"Suppressed: ", 12};

/* Returns whether a text begins with a word, in which one byte may be damaged or missing. */
static bool begins_like(brz_str text, brz_str word)
{
    size_t n = 0;
    while (n < word.len && n < text.len && text.data[n] == word.data[n])
        n++;
    if (n == word.len)
        return true;
    brz_str rest = brz_str_from(word, n + 1);
    return brz_starts_with(brz_str_from(text, n), rest) ||
           (n < text.len && brz_starts_with(brz_str_from(text, n + 1), rest));
}

/* Returns what follows a word with which a text begins like that; the text may lack a byte of it.
 */
static brz_str after_word(brz_str text, brz_str word)
{
    return brz_str_from(text, text.len < word.len ? text.len : word.len);
}

static bool is_nested(brz_str text)
{
    return begins_like(text, cause) || begins_like(text, suppressed);
}

/* Removes an archive, such as "~[demo.jar:1.0]", which loggers add to frames. */
static brz_str without_archive(brz_str text)
{
    brz_str before, archive;
    if (brz_ends_with(text, BRZ_STR("]")) && brz_cut_last(text, '[', &before, &archive) &&
        (brz_ends_with(before, BRZ_STR(") ~")) || brz_ends_with(before, BRZ_STR(") "))))
        text.len = before.len - (before.data[before.len - 1] == '~') - 1;
    return text;
}

/* Returns whether a text ends like a frame, "put(Store.java:17)". */
static bool ends_like_frame(brz_str text)
{
    brz_str before, place;
    text = without_archive(text);
    if (!brz_ends_with(text, BRZ_STR(")")) || !brz_cut_last(text, '(', &before, &place) ||
        before.len == 0 || brz_is_blank(before.data[before.len - 1]))
        return false;
    place.len--;
    return brz_str_find(place, BRZ_STR(".java:"), 0) != SIZE_MAX ||
           brz_str_is(place, "Unknown Source") || brz_str_is(place, "Native Method");
}

/* Parses "... 7 more", with three dots or fewer. */
static bool take_more_after(const char *dots, brz_str *text, uint64_t *n)
{
    brz_str s = *text;
    if (!brz_str_take(&s, dots) || !brz_take_u64(&s, n) ||
        (!brz_str_take(&s, " more") && !brz_str_take(&s, " common frames omitted")))
        return false;
    *text = s;
    return true;
}

static bool take_more(brz_str *text, uint64_t *n)
{
    return take_more_after("... ", text, n);
}

/* Returns whether a text is "... 7 more" without one or two dots, which end the line above. */
static bool is_rest_of_more(brz_str text)
{
    uint64_t n;
    return take_more_after(".. ", &text, &n) || take_more_after(". ", &text, &n);
}

/* Recognises a line of a trace that is not indented: the first byte, which was a tab, is damaged,
 * or it is a part of a frame. */
static bool is_damaged_part(brz_str line)
{
    brz_str text = brz_trim_end(line), more = brz_str_from(text, 1);
    uint64_t n;
    size_t blank = 0;
    if (take_more(&more, &n) || is_rest_of_more(text))
        return true;
    text = without_archive(text);
    if (!brz_ends_with(text, BRZ_STR(")")))
        return false;
    for (size_t i = 4; i < text.len; i++)
        if (brz_is_blank(text.data[i]) && blank == 0)
            blank = i;
    brz_str words = brz_str_from(text, 1);
    dump_take_blanks(&words);
    if (brz_starts_with(text, BRZ_STR("at ")) || brz_starts_with(words, BRZ_STR("at ")))
        return ends_like_frame(text);
    return blank == 0 && (ends_like_frame(text) || text.data[0] == '(' ||
                          memchr(text.data, '(', text.len) == NULL);
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
           (unsigned char)c >= 0x80;
}

/* Returns the class at the front of a text, which has a package and ends before a colon or the end;
 * otherwise an empty text. */
static brz_str class_of(brz_str s)
{
    size_t n = 0, dots = 0;
    while (n < s.len && (is_letter(s.data[n]) || s.data[n] == '.' || s.data[n] == '/' ||
                         (n > 0 && brz_is_digit(s.data[n]))))
        dots += s.data[n++] == '.';
    bool ends = n == s.len || s.data[n] == ':' || s.data[n] == ' ';
    return brz_str_of(s.data, ends && dots > 0 && s.data[n - 1] != '.' ? n : 0);
}

static bool is_throwable(brz_str class)
{
    return brz_ends_with(class, BRZ_STR("Exception")) || brz_ends_with(class, BRZ_STR("Error")) ||
           brz_ends_with(class, BRZ_STR("Throwable"));
}

static const brz_str in_thread = {"Exception in thread \"", 21};

/* Recognises any line that is no part of a trace after its first line. A blank may be a damaged
 * byte in front of an exception. */
static bool begins(brz_str line)
{
    if (line.len == 0)
        return false;
    if (line.data[0] == ' ')
        return begins_like(line, in_thread) || is_throwable(class_of(brz_str_from(line, 1)));
    return !brz_is_blank(line.data[0]) && !is_nested(line) && !is_damaged_part(line);
}

/* Reads `Exception in thread "main" java.lang.Error: message` and "java.lang.Error". */
static void read_header(exceptions *e, brz_str line)
{
    brz_str name, rest;
    e->thread = brz_str_of(NULL, 0);
    if (begins_like(line, in_thread) &&
        brz_cut_last(after_word(line, in_thread), '"', &name, &rest)) {
        e->thread = name;
        line = brz_trim(rest);
    }
    e->class = class_of(line);
}

/* ---- stacks ---------------------------------------------------------------------------------- */

static void set_tag(exceptions *e)
{
    brz_label class = {.key = BRZ_STR("exception"), .text = e->class};
    brz_tag_desc tag = {.thread_name = e->thread, .labels = &class};
    tag.n_labels = e->class.len > 0;
    dump_tag(&e->dump, &tag);
}

/* Keeps the current stack as the one around later traces of the same level. */
static void keep(exceptions *e)
{
    const brz_path *path = e->dump.stacks.path;
    brz_frame_list *list = &e->around[e->level];
    list->n = 0;
    e->holes[e->level] = e->hole;
    for (size_t i = 0; i < path->n; i++)
        brz_frame_list_push(list, e->dump.ctx, path->ids[i]);
}

static brz_rc end_stack(exceptions *e)
{
    brz_str damaged = e->damaged;
    e->damaged = brz_str_of(NULL, 0);
    e->is_over = e->is_headless = false;
    if (dump_depth(&e->dump) == 0 && damaged.len > 0)
        dump_left_out(&e->dump, "java-exceptions.trace", damaged,
                      BRZ_STR("not a frame: the exception is left out"), 1);
    if (dump_depth(&e->dump) == 0)
        return BRZ_OK;
    if (damaged.len > 0)
        dump_left_out(&e->dump, "java-exceptions.frame", damaged, BRZ_STR("not a frame: left out"),
                      0);
    keep(e);
    e->hole = SIZE_MAX;
    set_tag(e);
    return dump_count(&e->dump, 0, 1);
}

/* Appends the last frames of the trace around the current one, if that has frames of its own. */
static void append_common(exceptions *e, uint64_t n, brz_str line)
{
    const brz_frame_list *list = &e->around[e->around_level];
    size_t hole = e->holes[e->around_level], all = list->n + (hole != SIZE_MAX);
    size_t from = n < all ? all - (size_t)n : 0;
    if (dump_depth(&e->dump) == 0)
        return;
    if (n > all)
        brz_report(e->dump.ctx, BRZ_WARNING, "java-exceptions.more", line.data, line.len,
                   BRZ_STR("the trace around this one has fewer frames: the others are missing"));
    from -= from > hole;
    for (size_t i = from; i < list->n; i++)
        brz_path_push(e->dump.stacks.path, e->dump.ctx, list->ids[i]);
}

static void describe(dump *d, brz_str text, brz_frame_desc *frame)
{
    const options *o = d->ctx->cfg;
    java_frame_describe(d, text, (java_packages)o->packages, frame);
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* Begins a cause or a suppressed exception. `indent` is the number of tabs in front of it. */
static brz_rc begin_nested(exceptions *e, brz_str text, size_t indent)
{
    brz_rc rc = end_stack(e);
    bool is_cause = begins_like(text, cause);
    e->level = indent < LEVELS ? indent : LEVELS - 1;
    e->around_level = !is_cause && e->level > 0 ? e->level - 1 : e->level;
    e->class = class_of(after_word(text, is_cause ? cause : suppressed));
    return rc;
}

/* Begins an exception that is not at the beginning of its line. */
static brz_rc begin_joined(exceptions *e, brz_str header)
{
    brz_rc rc = end_stack(e);
    read_header(e, header);
    return rc;
}

static brz_str without_blanks(brz_str text)
{
    while (text.len > 0 && (unsigned char)*text.data <= ' ')
        text = brz_str_from(text, 1);
    return text;
}

/* Returns whether a text after a frame is another one, whose line break is missing or another byte.
 */
static bool has_frame_after(brz_str text)
{
    text = without_blanks(text);
    if (text.len > 1 && (unsigned char)text.data[1] <= ' ')
        text = without_blanks(brz_str_from(text, 1));
    return brz_starts_with(text, BRZ_STR("at ")) && ends_like_frame(text);
}

/* Removes a damaged line break. Of "\r\n", the second byte may be missing. */
static brz_str without_line_break(brz_str rest)
{
    bool has_return = rest.data[0] == '\r';
    rest = brz_str_from(rest, has_return);
    return brz_str_from(rest, !has_return || !brz_is_blank(rest.data[0]));
}

/* Reads a frame or "... 7 more" after another line of a trace. */
static void read_second(exceptions *e, brz_str text, bool is_frame)
{
    uint64_t n;
    brz_report(e->dump.ctx, BRZ_WARNING, "java-exceptions.joined", text.data, text.len,
               BRZ_STR("two lines in one: they are read apart"));
    if (is_frame) {
        dump_push(&e->dump, brz_str_from(text, brz_str_find(text, BRZ_STR("at "), 0) + 3), 0,
                  describe);
    } else if (take_more(&text, &n)) {
        append_common(e, n, text);
        e->is_over = true;
    }
}

/* Reads what stands after a frame or "... 7 more" on its line: the next line, whose line break is
 * damaged. */
static brz_rc read_joined(exceptions *e, brz_str rest)
{
    uint64_t n;
    if (brz_trim(rest).len <= 1)
        return BRZ_OK;
    bool is_frame = has_frame_after(rest);
    rest = without_line_break(rest);
    size_t indent = dump_take_blanks(&rest);
    brz_str text = brz_trim_end(rest), more = text;
    if (!e->is_over && (is_frame || take_more(&more, &n))) {
        read_second(e, text, is_frame);
        return BRZ_OK;
    }
    if (is_nested(rest))
        return begin_nested(e, rest, indent);
    if (indent == 0 && !is_frame)
        return begin_joined(e, rest);
    dump_left_out(&e->dump, "java-exceptions.joined", rest,
                  BRZ_STR("two lines in one: the second one is left out"), 0);
    return BRZ_OK;
}

/* Returns the length of a frame on a line: up to its place, and the archive after that, such as
 * "~[demo.jar:1.0]". Returns 0 if the line is no frame. */
static size_t frame_length(brz_str text)
{
    size_t end = brz_str_find(text, BRZ_STR(")"), 0);
    if (end != SIZE_MAX && has_frame_after(brz_str_from(text, end + 1)))
        return end + 1;
    if (brz_ends_with(text, BRZ_STR(")")))
        return memchr(text.data, '(', text.len) != NULL ? text.len : 0;
    if (end == SIZE_MAX || memchr(text.data, '(', end) == NULL)
        return 0;
    brz_str rest = brz_str_from(text, end + 1);
    if (!brz_str_take(&rest, " ["))
        brz_str_take(&rest, " ~[");
    size_t archive = rest.data[-1] == '[' ? brz_str_find(rest, BRZ_STR("]"), 0) : SIZE_MAX;
    return archive == SIZE_MAX ? end + 1 : (size_t)(rest.data - text.data) + archive + 1;
}

static void leave_out(exceptions *e, brz_str line)
{
    if (e->damaged.len == 0) {
        e->damaged = line;
        e->hole = dump_depth(&e->dump);
    }
}

/* Reports frames after the end of a trace: those of an exception whose first line is missing. */
static void report_headless(exceptions *e, brz_str line)
{
    if (!e->is_headless)
        dump_left_out(&e->dump, "java-exceptions.headless", line,
                      BRZ_STR("frames without the line of their exception: left out"), 1);
    e->is_headless = true;
}

static brz_rc read_frame(exceptions *e, brz_str frame, brz_str line)
{
    size_t length = frame_length(frame);
    if (e->is_over) {
        report_headless(e, line);
        return length == 0 ? BRZ_OK : read_joined(e, brz_str_from(frame, length));
    }
    if (length == 0) {
        leave_out(e, line);
        return BRZ_OK;
    }
    dump_push(&e->dump, brz_str_of(frame.data, length), 0, describe);
    return read_joined(e, brz_str_from(frame, length));
}

/* Reads the frame after the name of an exception, if the line break between them is damaged. */
static brz_rc read_frame_in(exceptions *e, brz_str line)
{
    brz_str text = brz_trim_end(line);
    size_t at = ends_like_frame(text) ? brz_str_find(text, BRZ_STR("\tat "), 0) : SIZE_MAX;
    return at == SIZE_MAX ? BRZ_OK : read_frame(e, brz_str_from(text, at + 4), line);
}

/* Returns whether a line is that of common frames, with a damaged byte or without one of its parts.
 */
static bool resembles_more(brz_str text)
{
    return brz_str_is(text, ".") || brz_starts_with(text, BRZ_STR("..")) ||
           brz_ends_with(text, BRZ_STR(" more"));
}

static brz_rc read_line(exceptions *e, brz_str line)
{
    brz_str text = line, frame = brz_trim_end(line);
    size_t indent = dump_take_blanks(&text);
    uint64_t n;
    size_t joined;
    text = brz_trim_end(text);
    if (is_nested(line)) { /* a damaged byte may be a blank */
        text = brz_trim_end(line);
        indent = 0;
    }
    if (is_nested(text)) {
        brz_rc rc = begin_nested(e, text, indent);
        return rc == BRZ_OK ? read_frame_in(e, line) : rc;
    }
    if (java_frame_take_at(&frame))
        return read_frame(e, frame, line);
    if (indent > 0 &&
        (brz_str_is(text, "at") || brz_str_is(text, "a"))) /* a frame that has lost its end */
        return read_frame(e, brz_str_from(text, text.len), line);
    if (indent == 0 && text.len > 0) /* a damaged byte in the place of a tab */
        text = brz_str_from(text, 1);
    if (take_more(&text, &n)) {
        append_common(e, n, line);
        e->is_over = true;
        return read_joined(e, text);
    }
    e->is_over |= brz_starts_with(text, BRZ_STR("[CIRCULAR REFERENCE"));
    if (resembles_more(text))
        brz_report(e->dump.ctx, BRZ_WARNING, "java-exceptions.more", line.data, line.len,
                   BRZ_STR("not a number of common frames: they are missing"));
    else if ((joined = brz_str_find(text, in_thread, 1)) != SIZE_MAX)
        return begin_joined(e, brz_str_from(text, joined));
    else if (ends_like_frame(text) || (indent == 0 && line.len > 0 && is_damaged_part(line)))
        leave_out(e, line);
    return BRZ_OK;
}

static brz_rc read_block(void *instance, brz_str block)
{
    exceptions *e = instance;
    brz_str line = brz_str_of(NULL, 0);
    brz_rc rc = BRZ_OK;
    e->level = e->around_level = 0;
    e->hole = SIZE_MAX;
    for (size_t i = 0; i < LEVELS; i++) {
        e->around[i].n = 0;
        e->holes[i] = SIZE_MAX;
    }
    if (brz_block_line(&block, &line) && begins(line)) {
        read_header(e, line);
        rc = read_frame_in(e, line);
    } else {
        rc = read_line(e, line);
    }
    while (rc == BRZ_OK && brz_block_line(&block, &line))
        rc = read_line(e, line);
    return rc == BRZ_OK ? end_stack(e) : rc;
}

/* ---- plug-in --------------------------------------------------------------------------------- */

/* Returns whether a line names an exception: a class that is called so, or a thread's. */
static bool is_exception(brz_str line)
{
    exceptions e = {0};
    if (brz_starts_with(line, cause))
        line = brz_str_from(line, cause.len);
    read_header(&e, line);
    return e.class.len > 0 && (e.thread.len > 0 || is_throwable(e.class));
}

static int32_t sniff(const brz_head *head)
{
    brz_str text = dump_head_lines(head), line;
    bool named = false;
    for (size_t i = 0; i < DUMP_SNIFFED_LINES && brz_block_line(&text, &line); i++) {
        brz_str frame = line;
        if (named && java_frame_take_at(&frame) && memchr(frame.data, '(', frame.len) != NULL)
            return BRZ_SNIFF_RECORDS;
        named = is_exception(line);
    }
    return BRZ_SNIFF_NO;
}

static brz_rc open_instance(brz_ctx *ctx)
{
    dump_declare(ctx, BRZ_STR("exceptions"), BRZ_STR("count"));
    return dump_open(ctx);
}

DUMP_PARSE_BLOCKS(begins, read_block)

static const brz_option option_table[] = {
    JAVA_PACKAGES_OPTION(options),
};

SHIPPED_READER(exceptions, .open = open_instance, .finish = dump_finish)

BRZ_HINTS(BRZ_IF_CONTAINS(" at ") BRZ_IF_CONTAINS("\tat "))

SHIPPED_COLLAPSER("java-exceptions", .summary = "stack traces of Java exceptions in logs",
                  .help = "Counts how often each exception is printed, by the stack that threw it.",
                  BRZ_OPTIONS(option_table, options))
