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
    brz_str class, thread;         /* of the current exception; in the block */
    size_t level;
} exceptions;

/* ---- headers --------------------------------------------------------------------------------- */

static bool is_cause(brz_str text)
{
    return brz_starts_with(text, BRZ_STR("Caused by: "));
}

static bool is_suppressed(brz_str text)
{
    return brz_starts_with(text, BRZ_STR("Suppressed: "));
}

/* Recognises any line that is no part of a trace after its first line. */
static bool begins(brz_str line)
{
    return line.len > 0 && !brz_is_blank(line.data[0]) && !is_cause(line) && !is_suppressed(line);
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

/* Reads `Exception in thread "main" java.lang.Error: message` and "java.lang.Error". */
static void read_header(exceptions *e, brz_str line)
{
    brz_str name, rest;
    e->thread = brz_str_of(NULL, 0);
    if (brz_str_take(&line, "Exception in thread \"") && brz_cut_last(line, '"', &name, &rest)) {
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
    for (size_t i = 0; i < path->n; i++)
        brz_frame_list_push(list, e->dump.ctx, path->ids[i]);
}

static brz_rc end_stack(exceptions *e)
{
    if (dump_depth(&e->dump) == 0)
        return BRZ_OK;
    keep(e);
    set_tag(e);
    return dump_count(&e->dump, 0, 1);
}

/* Appends the last frames of the trace around the current one, if that has frames of its own. */
static void append_common(exceptions *e, uint64_t n, size_t level)
{
    const brz_frame_list *list = &e->around[level];
    if (dump_depth(&e->dump) == 0)
        return;
    for (size_t i = n < list->n ? list->n - n : 0; i < list->n; i++)
        brz_path_push(e->dump.stacks.path, e->dump.ctx, list->ids[i]);
}

static void describe(dump *d, brz_str text, brz_frame_desc *frame)
{
    const options *o = d->ctx->cfg;
    java_frame_describe(d, text, (java_packages)o->packages, frame);
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* Parses "... 7 more". */
static bool take_more(brz_str text, uint64_t *n)
{
    return brz_str_take(&text, "... ") && brz_take_u64(&text, n) &&
           (brz_str_is(text, " more") || brz_str_is(text, " common frames omitted"));
}

/* Begins a cause or a suppressed exception. `indent` is the number of tabs in front of it. */
static brz_rc begin_nested(exceptions *e, brz_str text, size_t indent, size_t *around)
{
    brz_rc rc = end_stack(e);
    e->level = indent < LEVELS ? indent : LEVELS - 1;
    *around = is_suppressed(text) && e->level > 0 ? e->level - 1 : e->level;
    e->class = class_of(brz_str_from(text, is_cause(text) ? 11 : 12));
    return rc;
}

static brz_rc read_line(exceptions *e, brz_str line, size_t *around)
{
    brz_str text = line;
    size_t indent = dump_take_blanks(&text);
    uint64_t n;
    text = brz_trim_end(text);
    if (java_frame_take_at(&line))
        dump_push(&e->dump, line, 0, describe);
    else if (take_more(text, &n))
        append_common(e, n, *around);
    else if (is_cause(text) || is_suppressed(text))
        return begin_nested(e, text, indent, around);
    return BRZ_OK;
}

static brz_rc read_block(void *instance, brz_str block)
{
    exceptions *e = instance;
    brz_str line = brz_str_of(NULL, 0);
    size_t around = 0;
    brz_rc rc = BRZ_OK;
    e->level = 0;
    if (brz_block_line(&block, &line) && begins(line))
        read_header(e, line);
    else
        rc = read_line(e, line, &around);
    for (size_t i = 0; i < LEVELS; i++)
        e->around[i].n = 0;
    while (rc == BRZ_OK && brz_block_line(&block, &line))
        rc = read_line(e, line, &around);
    return rc == BRZ_OK ? end_stack(e) : rc;
}

/* ---- plug-in --------------------------------------------------------------------------------- */

/* Returns whether a line names an exception: a class that is called so, or a thread's. */
static bool is_exception(brz_str line)
{
    exceptions e = {0};
    if (is_cause(line))
        line = brz_str_from(line, 11);
    read_header(&e, line);
    return e.class.len > 0 && (e.thread.len > 0 || brz_ends_with(e.class, BRZ_STR("Exception")) ||
                               brz_ends_with(e.class, BRZ_STR("Error")) ||
                               brz_ends_with(e.class, BRZ_STR("Throwable")));
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

SHIPPED_COLLAPSER("java-exceptions", .summary = "stack traces of Java exceptions in logs",
                  .help = "Counts how often each exception is printed, by the stack that threw it.",
                  BRZ_OPTIONS(option_table, options))
