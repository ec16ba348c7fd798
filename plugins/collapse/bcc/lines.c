/* SPDX-License-Identifier: MIT */
/* Parses the lines printed by bcc's tools:
 *
 *     stack line := ["#" n] [address] symbol ["+0x" offset] [" [" module "]"]
 *     process    := "-" name "(" pid ")"  |  name "[" pid "]"
 *                 | ("waker:" | "target:") name [pid]
 *     delimiter  := "-" | "--"              (between user and kernel stack)
 *                 | "-" "-" | "--" "--"     (between the stack that slept and the waker's)
 *     count      := digits
 *     folded     := item (";" item)* " " count
 *
 * Within a block the type of a line also depends on its indentation: counts, and processes of
 * stackcount, are indented further than stack lines.
 */
#include "reader.h"

#include <brazier/symbol.h>

size_t line_indent(brz_str line)
{
    size_t n = 0;
    while (n < line.len && (line.data[n] == ' ' || line.data[n] == '\t'))
        n++;
    return n;
}

/* Parses a count: digits only, at most INT64_MAX. A number with zeros in front is an address. */
static bool parse_count(brz_str s, int64_t *count)
{
    return s.len > 0 && (s.data[0] != '0' || s.len == 1) && s.data[0] != '-' &&
           brz_parse_i64(s, count);
}

bool line_is_number(brz_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!brz_is_digit(s.data[i]))
            return false;
    return s.len > 0;
}

/* Removes "OPEN digits CLOSE" and the space before it from the end of a name. */
static bool take_pid(brz_str *s, char open, char close, brz_str *pid)
{
    if (s->len < 4 || s->data[s->len - 1] != close)
        return false;
    size_t i = s->len - 1;
    while (i > 0 && brz_is_digit(s->data[i - 1]))
        i--;
    if (i < 2 || i == s->len - 1 || s->data[i - 1] != open || s->data[i - 2] != ' ')
        return false;
    *pid = brz_str_of(s->data + i, s->len - 1 - i);
    *s = brz_trim_end(brz_str_of(s->data, i - 1));
    return true;
}

bool line_is_process(brz_str s)
{
    brz_str pid;
    return take_pid(&s, '[', ']', &pid);
}

bool line_has_process(brz_str s)
{
    brz_str pid;
    return take_pid(&s, '[', ']', &pid) || take_pid(&s, '(', ')', &pid);
}

/* Parses the text after "waker:" or "target:": a name and an optional process id. */
static void parse_role(brz_str rest, block_line *out)
{
    const char *blank = brz_rfind(rest, ' ');
    out->sort = LINE_PROCESS;
    out->name = rest;
    if (blank == NULL)
        return;
    size_t n = (size_t)(blank - rest.data);
    if (!line_is_number(brz_str_from(rest, n + 1)))
        return;
    out->pid = brz_str_from(rest, n + 1);
    out->name = brz_trim_end(brz_str_of(rest.data, n));
}

/* Parses lines that begin with '-'. */
static bool parse_dashes(brz_str s, block_line *out)
{
    size_t n = s.len > 1 && s.data[1] == '-' ? 2 : 1;
    if (s.data[0] != '-' || (n < s.len && s.data[n] != ' '))
        return false;
    brz_str rest = brz_trim(brz_str_from(s, n));
    if (rest.len == 0) {
        out->sort = LINE_KERNEL_DELIMITER;
    } else if (brz_str_is(rest, "-") || brz_str_is(rest, "--")) {
        out->sort = LINE_WAKER_DELIMITER;
    } else {
        out->sort = LINE_PROCESS;
        take_pid(&rest, '(', ')', &out->pid);
        out->name = rest;
    }
    return true;
}

/* Parses a line of a block. `deeper` says that it is indented further than the block's stack lines,
 * `may_be_process` that the block has no process yet. */
void block_line_parse(brz_str s, bool deeper, bool may_be_process, block_line *out)
{
    *out = (block_line){.sort = LINE_FRAME};
    if (parse_dashes(s, out))
        return;
    if (brz_starts_with(s, BRZ_STR("waker: "))) {
        parse_role(brz_trim(brz_str_from(s, 7)), out);
    } else if (brz_starts_with(s, BRZ_STR("target: "))) {
        parse_role(brz_trim(brz_str_from(s, 8)), out);
    } else if (deeper && parse_count(s, &out->count)) {
        out->sort = LINE_COUNT;
    } else if (deeper && may_be_process && take_pid(&s, '[', ']', &out->pid)) {
        out->sort = LINE_PROCESS;
        out->name = s;
    }
}

/* ---- stack lines ----------------------------------------------------------------------------- */

/* Removes a number such as "#3 " from the front. */
static brz_str without_number(brz_str s)
{
    size_t n = 1;
    if (s.len < 3 || s.data[0] != '#')
        return s;
    while (n < s.len && brz_is_digit(s.data[n]))
        n++;
    return n > 1 && n < s.len && s.data[n] == ' ' ? brz_trim_start(brz_str_from(s, n)) : s;
}

#define SHORTEST_ADDRESS 6

static void take_address(brz_str *s, frame_text *f)
{
    size_t start = brz_starts_with(*s, BRZ_STR("0x")) ? 2 : 0, n = start;
    while (n < s->len && brz_is_hex(s->data[n]))
        n++;
    if (n - start < SHORTEST_ADDRESS || n == s->len || !brz_is_blank(s->data[n]))
        return;
    f->address = brz_str_of(s->data + start, n - start);
    *s = brz_trim_start(brz_str_from(*s, n));
}

/* Removes " [module]" or " (module)" from the end. */
static void take_module(brz_str *s, frame_text *f)
{
    int close = s->len > 0 ? s->data[s->len - 1] : 0, open = close == ']' ? '[' : '(';
    if (close != ']' && (close != ')' || f->address.len == 0))
        return;
    for (size_t i = s->len - 1; i-- > 1;) {
        if (s->data[i] != open || s->data[i - 1] != ' ')
            continue;
        f->module = brz_str_of(s->data + i + 1, s->len - i - 2);
        *s = brz_trim_end(brz_str_of(s->data, i - 1));
        return;
    }
}

static void take_offset(brz_str *s, frame_text *f)
{
    size_t i = s->len;
    while (i > 0 && brz_is_hex(s->data[i - 1]))
        i--;
    if (i == s->len || i < 4 || memcmp(s->data + i - 3, "+0x", 3) != 0)
        return;
    f->offset = brz_str_from(*s, i - 3);
    s->len = i - 3;
}

void frame_text_parse(brz_str s, frame_text *f)
{
    memset(f, 0, sizeof *f);
    s = without_number(s);
    take_address(&s, f);
    bool missed = brz_starts_with(s, BRZ_STR("[Missed ")); /* as in "[Missed User Stack] -14" */
    const char *end = missed ? memchr(s.data, ']', s.len) : NULL;
    if (end != NULL)
        s.len = (size_t)(end + 1 - s.data);
    else
        take_module(&s, f);
    take_offset(&s, f);
    f->name = s;
}

/* ---- folded lines ---------------------------------------------------------------------------- */

/* Parses a folded line: not indented, with a count at its end. `line` has no trailing spaces. */
bool folded_line_parse(brz_str line, brz_str *stack, int64_t *count)
{
    if (brz_starts_with(line, BRZ_STR("^C"))) /* the terminal's echo of the interrupt key */
        line = brz_str_from(line, 2);
    const char *blank = line.len == 0 ? NULL : brz_rfind(line, ' ');
    if (blank == NULL || blank == line.data || line.data[0] == '#')
        return false;
    *stack = brz_str_of(line.data, (size_t)(blank - line.data));
    return parse_count(brz_str_of(blank + 1, line.len - stack->len - 1), count);
}
