/* SPDX-License-Identifier: MIT */
/* Collapses the stacks printed by bcc's tools (profile, offcputime, offwaketime, wakeuptime,
 * stackcount) and by tools with the same format.
 *
 *     input := (folded line | block | prose)*
 *     block := (stack line | process | delimiter)+ count
 *
 * Blocks are indented, leaf first, and end with their count; folded lines and prose are not
 * indented. lines.c parses lines, symbols.c caches the frames they stand for, sample.c assembles
 * stacks.
 */
#include "reader.h"
#include "../../common/shipped.h"

#include <brazier/plugin.h>
#include <brazier/symbol.h>

/* ---- folded lines ---------------------------------------------------------------------------- */

/* Returns the length of the first item. A ';' in "Ljava/lang/Thread;::run" is part of the name. */
static size_t item_length(brz_str s)
{
    for (size_t at = 0;;) {
        const char *p = memchr(s.data + at, ';', s.len - at);
        if (p == NULL)
            return s.len;
        at = (size_t)(p - s.data);
        if (s.len - at < 3 || p[1] != ':' || p[2] != ':' || s.data[0] != 'L')
            return at;
        at++;
    }
}

/* Returns whether the first item of a folded line is a function rather than a process: stackcount
 * without -P prints no process. */
static bool is_function(brz_str name)
{
    return name.len > 15 || name.data[0] == '[' || name.data[0] == '_' ||
           brz_str_find(name, BRZ_STR("+0x"), 0) != SIZE_MAX ||
           brz_ends_with(name, BRZ_STR("_[k]")) ||
           brz_starts_with(name, BRZ_STR("entry_SYSCALL_64")) ||
           brz_starts_with(name, BRZ_STR("ret_from_fork"));
}

/* Adds an item of a folded line to the sample. The last item after the waker's stack is the
 * waker. */
static void take_item(bcc *b, brz_ctx *ctx, brz_str name, bool last)
{
    bool first = b->n_items == 0 && name.len > 0 && !is_function(name);
    if (brz_str_is(name, "-"))
        sample_item(b, ctx, LINE_KERNEL_DELIMITER, 0);
    else if (brz_str_is(name, "--"))
        sample_item(b, ctx, LINE_WAKER_DELIMITER, 0);
    else if (first || (last && b->has_waker))
        sample_item(b, ctx, LINE_PROCESS, process_frame(b, ctx, name, BRZ_STR("")));
    else
        sample_item(b, ctx, LINE_FRAME, symbol_of(b, ctx, name));
}

static brz_rc take_folded(bcc *b, brz_ctx *ctx, brz_str stack, int64_t count)
{
    sample_begin(b);
    for (;;) {
        size_t n = item_length(stack);
        take_item(b, ctx, brz_str_of(stack.data, n), n == stack.len);
        if (n == stack.len)
            return sample_end(b, ctx, false, count);
        stack = brz_str_of(stack.data + n + 1, stack.len - n - 1);
    }
}

/* Returns whether a text among prose is a plausible stack: it begins with a short name and a ';'
 * without a blank after it. */
static bool is_folded_among_prose(brz_str text)
{
    const char *p = memchr(text.data, ';', text.len);
    return p != NULL && p - text.data <= 64 && p + 1 < text.data + text.len &&
           !brz_is_blank(p[1]) && memchr(text.data, ',', text.len) == NULL;
}

/* Recognises what the tools print around their stacks. */
static bool is_message(brz_str line)
{
    static const char *const messages[] = {"#",        "^C",        "Sampling at ",
                                           "Tracing ", "Detaching", "WARNING: "};
    for (size_t i = 0; i < BRZ_COUNT_OF(messages); i++)
        if (brz_starts_with(line, brz_str_of_text(messages[i])))
            return true;
    return false;
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* Discards a block that ends without a count: it is either not a block or cut off. */
static void drop_block(bcc *b)
{
    b->n_uncounted += b->n_items > 0;
    sample_begin(b);
}

/* Returns whether a line has nothing but digits and blanks, except for one byte: the count that is
 * indented by `column` and a damaged byte, which may be the line break after it. Then *count is
 * the count if all of its digits are there, and negative otherwise. */
static bool is_damaged_count(brz_str line, size_t column, bool deeper, int64_t *count)
{
    size_t others = 0, digits = 0, before = 0, n = column;
    for (size_t i = 0; i < line.len; i++) {
        bool is_digit = brz_is_digit(line.data[i]),
             is_other = !is_digit && line.data[i] != ' ' && line.data[i] != '\r';
        digits += is_digit;
        others += is_other;
        before += i < column && (is_digit || is_other);
    }
    *count = -1;
    if (digits == 0 || others > 1)
        return false;
    while (n < line.len && brz_is_digit(line.data[n]))
        n++;
    size_t damaged = before + (n < line.len);
    bool is_there = column > 0 && n > column && n == line.len && damaged <= 1 &&
                    brz_parse_i64(brz_str_of(line.data + column, n - column), count);
    if (!is_there)
        *count = -1;
    return deeper || (is_there && damaged == 1);
}

static void report_bad_count(brz_ctx *ctx, brz_str line, int64_t count)
{
    static const char code[] = "bcc.bad-count";
    brz_str msg = BRZ_STR("not a count: the stack above is left out");
    if (count >= 0)
        brz_report_lost_weight(ctx, code, line.data, line.len, msg, count);
    else
        brz_report_lost(ctx, code, line.data, line.len, msg);
}

/* Handles a number that is not indented like a count: it is one whose indentation is divided, or a
 * part of the one above. */
static void leave_out_number(bcc *b, brz_ctx *ctx, brz_str line, size_t indent)
{
    bool is_whole = b->n_blanks > 0 && b->n_blanks + 1 + indent == b->prelude->count_column;
    int64_t count;
    if (is_whole && brz_parse_i64(brz_trim(line), &count))
        report_bad_count(ctx, line, count);
    else
        brz_report_lost(ctx, "bcc.number", line.data, line.len,
                        BRZ_STR("a number that is not indented like a count, probably a part of "
                                "one: left out"));
    sample_begin(b);
}

/* Returns whether only a count may follow a process: "-  name (pid)", or another one below the
 * first line of a block. */
static bool is_last_process(const bcc *b, brz_str s, const block_line *l)
{
    return s.data[0] == '-' ? l->pid.len > 0 : b->n_items > 0;
}

/* Returns whether a line is that of a process, joined with the line of the count below it, which is
 * indented by 4 at least. The line break between them may be another byte. */
static bool is_process_with_count(brz_str line, int64_t *count)
{
    size_t digits = 0, blanks = 0;
    while (digits < line.len && brz_is_digit(line.data[line.len - 1 - digits]))
        digits++;
    brz_str rest = brz_str_of(line.data, line.len - digits);
    while (blanks < rest.len && rest.data[rest.len - 1 - blanks] == ' ')
        blanks++;
    rest.len -= blanks;
    return blanks >= 4 && rest.len > 0 &&
           brz_parse_i64(brz_str_from(line, line.len - digits), count) &&
           (line_has_process(rest) || line_has_process(brz_str_of(rest.data, rest.len - 1)));
}

/* Leaves out a block whose count is missing. Returns whether `line` stands in the place of the
 * count: other lines begin the next block. */
static bool leave_out_uncounted(bcc *b, brz_ctx *ctx, brz_str line, bool deeper)
{
    brz_report_lost(ctx, "bcc.no-count", line.data, line.len,
                    BRZ_STR("the stack above has no count: left out"));
    sample_begin(b);
    return deeper;
}

/* The words in front of a process that tell its role. */
static const char *const roles[BCC_ROLES] = {"target:", "waker:"};

static void note_role(bool *has_roles, brz_str s)
{
    for (size_t i = 0; i < BCC_ROLES; i++)
        has_roles[i] |= brz_starts_with(s, brz_str_of_text(roles[i])) && s.len > strlen(roles[i]) &&
                        brz_is_blank(s.data[strlen(roles[i])]);
}

/* Returns whether a line has the word in front of a process, and no process. */
static bool is_role_alone(brz_str s)
{
    for (size_t i = 0; i < BCC_ROLES; i++)
        if (brz_str_equal(s, brz_str_of_text(roles[i])))
            return true;
    return false;
}

/* Counts a block. Warns if it has no process of a role that other blocks have. */
static brz_rc end_block(bcc *b, brz_ctx *ctx, brz_str line, int64_t count)
{
    for (size_t i = 0; i < BCC_ROLES; i++)
        if (b->prelude->has_roles[i] && !b->has_roles[i])
            BRZ_WARN(ctx, "bcc.role", line.data, line.len,
                     "a process is missing in the stack above, or is one of its frames");
    if (b->is_uneven)
        BRZ_WARN(ctx, "bcc.indent", line.data, line.len,
                 "the frames above are not indented alike: one of them may be a process");
    return sample_end(b, ctx, true, count);
}

/* Reports that the line in front of a block is its first frame, whose indentation is damaged. */
static void report_word(bcc *b, brz_ctx *ctx, brz_str line)
{
    if (b->after_word && b->n_items == 0)
        brz_report_lost_weight(ctx, "bcc.frame", line.data, line.len,
                               BRZ_STR("the line above is not indented like a frame: left out"), 0);
    b->after_word = false;
}

/* Returns whether a text is a stack line: one word, or an address and a name. */
static bool is_stack_text(brz_str text)
{
    frame_text f;
    frame_text_parse(text, &f);
    return f.address.len > 0 || (text.len > 0 && memchr(text.data, ' ', text.len) == NULL);
}

/* Takes a stack line. One with the indentation of another one in it has lost a line end. */
static void take_frames(bcc *b, brz_ctx *ctx, brz_str s)
{
    frame_text f;
    frame_text_parse(s, &f);
    size_t gap = brz_str_find(f.name, BRZ_STR("    "), 1);
    if (gap != SIZE_MAX && is_stack_text(brz_trim_start(brz_str_from(f.name, gap)))) {
        BRZ_WARN(ctx, "bcc.joined-frames", s.data, s.len, "two stack lines in one: read apart");
        size_t n = (size_t)(f.name.data - s.data) + gap;
        sample_item(b, ctx, LINE_FRAME, symbol_of(b, ctx, brz_str_of(s.data, n)));
        s = brz_trim_start(brz_str_from(s, n));
    }
    sample_item(b, ctx, LINE_FRAME, symbol_of(b, ctx, s));
}

static brz_rc take_block_line(bcc *b, brz_ctx *ctx, brz_str line)
{
    block_line l;
    int64_t count;
    size_t indent = line_indent(line);
    brz_str s = brz_trim_start(line);
    bool deeper = b->indent == SIZE_MAX ? indent >= 4 : indent > b->indent;
    block_line_parse(s, deeper, !b->has_process, &l);
    report_word(b, ctx, line);
    if (b->n_items > 0 && l.sort == LINE_FRAME &&
        is_damaged_count(line, b->prelude->count_column, deeper, &count)) {
        report_bad_count(ctx, line, count);
        sample_begin(b);
        return BRZ_OK;
    }
    if (b->n_items > 0 && is_process_with_count(s, &count)) {
        brz_report_lost_weight(ctx, "bcc.joined", line.data, line.len,
                               BRZ_STR("a process and a count in one line: the stack is left out"),
                               count);
        sample_begin(b);
        return BRZ_OK;
    }
    if (is_role_alone(s)) {
        BRZ_WARN(ctx, "bcc.role", line.data, line.len, "a process without its name: left out");
        return BRZ_OK;
    }
    if (b->n_blanks > 0 && line_is_number(s)) {
        leave_out_number(b, ctx, line, indent);
        return BRZ_OK;
    }
    if (b->needs_count && l.sort != LINE_COUNT && leave_out_uncounted(b, ctx, line, deeper))
        return BRZ_OK;
    switch (l.sort) {
    case LINE_COUNT:
        if (b->n_items > 0)
            return end_block(b, ctx, line, l.count);
        brz_report_lost_weight(ctx, "bcc.count", line.data, line.len,
                               BRZ_STR("count without a stack: left out"), l.count);
        return BRZ_OK;
    case LINE_PROCESS:
        b->needs_count = is_last_process(b, s, &l);
        note_role(b->has_roles, s);
        sample_item(b, ctx, LINE_PROCESS, process_frame(b, ctx, l.name, l.pid));
        break;
    case LINE_FRAME:
        b->is_uneven |= b->indent != SIZE_MAX && indent != b->indent;
        if (b->indent == SIZE_MAX || indent < b->indent)
            b->indent = indent;
        take_frames(b, ctx, s);
        break;
    default:
        sample_item(b, ctx, l.sort, 0);
    }
    return BRZ_OK;
}

/* Reports a line among folded ones that is left out. Its weight is known if it is a count without a
 * stack, or a stack that is commented out. */
static void report_line(brz_ctx *ctx, brz_str line)
{
    static const char code[] = "bcc.line";
    brz_str msg = BRZ_STR("not a stack and a count: line left out"), stack;
    int64_t count;
    if ((brz_parse_i64(line, &count) && count >= 0) ||
        (line.data[0] == '#' && folded_line_parse(brz_str_from(line, 1), &stack, &count)))
        brz_report_lost_weight(ctx, code, line.data, line.len, msg, count);
    else
        brz_report_lost(ctx, code, line.data, line.len, msg);
}

/* Takes the name of a process whose line is divided: the count of its stack follows it. */
static void take_divided_process(bcc *b, brz_ctx *ctx, brz_str line)
{
    block_line l;
    BRZ_WARN(ctx, "bcc.process", line.data, line.len, "a process that is not indented");
    block_line_parse(line, true, true, &l);
    sample_item(b, ctx, LINE_PROCESS, process_frame(b, ctx, l.name, l.pid));
}

/* Returns whether a line is a stack line, but for its first byte, and not what the tools print
 * around their stacks. A comment that is indented like a stack line has a byte in place of a blank.
 */
static bool is_shifted_frame(brz_str line)
{
    if (brz_starts_with(line, BRZ_STR("\r"))) /* the end of a line that was joined with this one */
        line = brz_str_from(line, 1);
    if (line.len < 2 || (is_message(line) && !brz_starts_with(line, BRZ_STR("#   "))) ||
        (brz_is_digit(line.data[0]) && !brz_is_blank(line.data[1])))
        return false;
    return is_stack_text(brz_trim_start(brz_str_from(line, 1)));
}

static brz_rc take_line(bcc *b, brz_ctx *ctx, brz_str line)
{
    brz_str stack;
    int64_t count;
    size_t n_blanks = line_indent(line);
    line = brz_trim_end(line);
    if (line.len > 0 && (line.data[0] == ' ' || line.data[0] == '\t')) {
        brz_rc rc = take_block_line(b, ctx, line);
        b->n_blanks = 0;
        return rc;
    }
    if (line.len > 0 && !b->prelude->folded && line_is_number(line)) {
        leave_out_number(b, ctx, line, 0);
        return BRZ_OK;
    }
    if (line.len == 0 && n_blanks > 0 && b->n_items > 0) { /* a part of the line of a count */
        b->n_blanks = n_blanks;
        return BRZ_OK;
    }
    if (b->n_items > 0 && !b->has_process && line_is_process(line)) {
        b->n_blanks = 0;
        take_divided_process(b, ctx, line);
        return BRZ_OK;
    }
    drop_block(b);
    b->n_blanks = 0;
    b->after_word = is_shifted_frame(line);
    if (line.len == 0)
        return BRZ_OK;
    bool folded = folded_line_parse(line, &stack, &count);
    if (folded && (b->prelude->folded || is_folded_among_prose(stack)))
        return take_folded(b, ctx, stack, count);
    if ((b->prelude->folded && !is_message(line)) || is_folded_among_prose(line))
        report_line(ctx, line);
    return BRZ_OK;
}

/* ---- entry points ---------------------------------------------------------------------------- */

/* Returns the indentation of most counts of a text, or 0 if it has none. */
static size_t find_count_column(brz_str text)
{
    size_t n[16] = {0}, best = 0;
    brz_str line;
    while (brz_take_line(&text, &line)) {
        size_t indent = line_indent(line);
        if (indent > 0 && indent < BRZ_COUNT_OF(n) && line_is_number(brz_trim(line)))
            n[indent]++;
    }
    for (size_t i = 1; i < BRZ_COUNT_OF(n); i++)
        best = n[i] >= n[best] && n[i] > 0 ? i : best;
    return best;
}

/* Detects whether most lines of the input are folded, and whether it counts microseconds. */
static brz_rc prelude(brz_ctx *ctx, const brz_chunk *chunk, size_t *used, const void **prelude_data)
{
    bcc_prelude *found = ctx->host->alloc(ctx, sizeof *found, 0);
    brz_str text = brz_str_of((const char *)chunk->data, chunk->len), line, stack;
    int64_t count;
    size_t folded = 0, others = 0, counts = 0, n_roles[BCC_ROLES] = {0};
    while (brz_take_line(&text, &line)) {
        line = brz_trim_end(line);
        bool is =
            line.len > 0 && !brz_is_blank(line.data[0]) && folded_line_parse(line, &stack, &count);
        folded += is;
        others += !is && line.len > 0 && !is_message(line);
        bool has_roles[BCC_ROLES] = {false};
        note_role(has_roles, brz_trim(line));
        for (size_t i = 0; i < BCC_ROLES; i++)
            n_roles[i] += has_roles[i];
        counts += line_indent(line) > 0 && line_is_number(brz_trim(line));
        found->microseconds |= brz_starts_with(line, BRZ_STR("Tracing ")) &&
                               brz_str_find(line, BRZ_STR(" time (us) "), 0) != SIZE_MAX;
    }
    found->folded = folded > others;
    for (size_t i = 0; i < BCC_ROLES; i++)
        found->has_roles[i] = n_roles[i] > 0 && counts <= n_roles[i] + n_roles[i] / 8 + 1;
    found->count_column = find_count_column(brz_str_of((const char *)chunk->data, chunk->len));
    *used = 0;
    *prelude_data = found;
    return BRZ_OK;
}

/* Returns whether a line may be in a block: an indented one, or a part of the line of a count or of
 * a process. */
static bool may_be_in_block(brz_str line)
{
    return line.len > 0 && (brz_is_blank(line.data[0]) || brz_is_digit(line.data[0]) ||
                            line_is_process(brz_trim_end(line)));
}

/* Finds a boundary: a line that cannot be in a block starts a new record. */
static size_t boundary(const void *prelude_data, const uint8_t *buf, size_t n, size_t from)
{
    (void)prelude_data;
    size_t start = brz_line_start(buf, n, from);
    brz_str line, rest;
    while (start < n &&
           (!brz_cut_first(brz_str_of((const char *)buf + start, n - start), '\n', &line, &rest) ||
            may_be_in_block(line)))
        start = brz_line_start(buf, n, start + 1);
    return start;
}

static brz_rc open_instance(brz_ctx *ctx)
{
    bcc *b = ctx->inst;
    b->options = ctx->cfg;
    b->prelude = ctx->prelude_data;
    brz_lines_init(&b->lines, ctx);
    brz_stacks_init(&b->stacks, ctx, 0);
    symbols_init(b, ctx);
    sample_begin(b);
    if (b->prelude->microseconds)
        BRZ_DECLARE_COLUMN(ctx, .name = BRZ_STR("time"), .unit = BRZ_STR("microseconds"));
    else
        BRZ_DECLARE_COLUMN(ctx, .name = BRZ_STR("samples"), .unit = BRZ_STR("samples"),
                           .flags = BRZ_COLUMN_SAMPLES);
    return BRZ_OK;
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    bcc *b = ctx->inst;
    brz_rc rc = BRZ_OK;
    brz_str line;
    brz_lines_start(&b->lines, chunk->data, chunk->len);
    while (rc == BRZ_OK && brz_lines_take(&b->lines, chunk, &line))
        rc = take_line(b, ctx, line);
    *used = chunk->len - brz_lines_rest(&b->lines).len;
    if (chunk->flags & BRZ_CHUNK_LAST)
        drop_block(b);
    return rc;
}

static brz_rc finish(brz_ctx *ctx)
{
    bcc *b = ctx->inst;
    brz_report_count(ctx, BRZ_NOTE, "bcc.uncounted", b->n_uncounted, b->n_uncounted,
                     BRZ_STR("indented text without a count left out: {count}"));
    return brz_stacks_finish(&b->stacks, ctx);
}

/* ---- format detection ------------------------------------------------------------------------ */

typedef struct signs {
    bool header;    /* the header line of a tool */
    bool process;   /* the previous line names a process */
    size_t counted; /* processes followed by a count */
    size_t counts;  /* count lines indented by 4, in blocks indented by 2 */
    size_t frames;  /* lines indented by 2 */
    size_t folded, others;
    size_t delimited; /* folded lines that contain a delimiter */
} signs;

static void look_at_block(signs *s, brz_str line)
{
    block_line l;
    size_t indent = line_indent(line);
    block_line_parse(brz_trim_start(line), indent >= 4, true, &l);
    s->counted += l.sort == LINE_COUNT && s->process;
    s->counts += l.sort == LINE_COUNT && indent == 4 && s->frames > 0;
    s->frames += indent == 2;
    s->process = l.sort == LINE_PROCESS && (indent == 4 && l.name.len <= 16);
}

/* Returns whether a stack contains the frame "-" or "--" between others. */
static bool is_delimited(brz_str stack)
{
    for (size_t at = 0; (at = brz_str_find(stack, BRZ_STR(";-"), at)) != SIZE_MAX; at++) {
        brz_str rest = brz_str_of(stack.data + at, stack.len - at);
        if (brz_starts_with(rest, BRZ_STR(";-;")) || brz_starts_with(rest, BRZ_STR(";--;")))
            return true;
    }
    return false;
}

static void look_at(signs *s, brz_str line)
{
    brz_str stack;
    int64_t count;
    if (line.len == 0)
        return;
    if (line_indent(line) > 0) {
        look_at_block(s, line);
        s->others++;
        return;
    }
    bool folded = folded_line_parse(line, &stack, &count);
    s->folded += folded;
    s->others += !folded && line.data[0] != '#';
    s->delimited += folded && is_delimited(stack);
    s->header |= brz_starts_with(line, BRZ_STR("Sampling at ")) ||
                 (brz_starts_with(line, BRZ_STR("Tracing ")) &&
                  (brz_str_find(line, BRZ_STR(" functions for \""), 0) != SIZE_MAX ||
                   brz_str_find(line, BRZ_STR(" time (us) "), 0) != SIZE_MAX));
}

/* Ranks above the plain folded format, since bcc understands the delimiters. */
#define FOLDED_WITH_DELIMITERS (BRZ_SNIFF_RECORDS + 10)

static int32_t sniff(const brz_head *head)
{
    brz_str text = brz_head_lines(head), line;
    signs s = {0};
    while (brz_take_line(&text, &line))
        look_at(&s, brz_trim_end(line));
    if (s.counted > 0 || (s.header && (s.counts > 0 || s.frames > 0)))
        return BRZ_SNIFF_HEADER;
    if (s.delimited > 0 && s.folded > 10 * s.others)
        return FOLDED_WITH_DELIMITERS;
    if (s.header || s.counts > 1)
        return BRZ_SNIFF_RECORDS;
    return BRZ_SNIFF_NO;
}

/* ---- plug-in --------------------------------------------------------------------------------- */

static const brz_option options[] = {
    BRZ_OPTION(bcc_options, "delimiters", BOOL, delimiters, "true",
               "keep the frames '-' and '--' that delimit user, kernel and waker stacks"),
    BRZ_OPTION(bcc_options, "kernel", BOOL, kernel, "false", "mark kernel code with _[k]"),
    BRZ_OPTION(bcc_options, "offsets", BOOL, offsets, "false", "keep the +offset of symbols"),
    BRZ_OPTION(bcc_options, "pid", BOOL, pid, "false",
               "add the process id to the name of the process"),
    BRZ_OPTION(bcc_options, "waker", BOOL, waker, "false", "mark the stack of the waker with _[w]"),
};

SHIPPED_READER(bcc, .flags = BRZ_SPLITTABLE, .prelude = prelude, .boundary = boundary,
               .open = open_instance, .finish = finish)

SHIPPED_COLLAPSER(
    "bcc", .summary = "bcc's profile, offcputime, offwaketime, stackcount and similar tools",
    .help = "Record with `profile -df 10` or without -f; -d separates user and kernel frames.",
    BRZ_OPTIONS(options, bcc_options))
