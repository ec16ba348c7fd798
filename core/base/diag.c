/* SPDX-License-Identifier: MIT */
/* Reports diagnostics to the user. */
#include "base/diag.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/saturated.h"
#include "base/utf8.h"

#include <brazier/symbol.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Maximum number of bytes and columns of a line that are shown. */
#define EXCERPT_WIDTH 160

/* Maximum number of different codes; further ones are counted together, because codes should be
 * constants. */
#define MAX_TALLIES 256

/* ---- collecting ---------------------------------------------------------------------------- */

/* Returns whether a tally counts this report. Reports with a position are counted by code, others
 * by code and message. */
static bool is_same_sort(const struct brz_notice_tally *t, const char *code, const brz_str *msg)
{
    if (strcmp(t->code, code) != 0)
        return false;
    return msg == NULL ? t->msg.len == 0 : brz_str_equal(t->msg, *msg);
}

static struct brz_notice_tally *find_tally(const brz_notices *r, const char *code,
                                           const brz_str *msg)
{
    for (size_t i = 0; i < r->n_tallies; i++)
        if (is_same_sort(&r->tallies[i], code, msg))
            return &r->tallies[i];
    return NULL;
}

static struct brz_notice_tally *tally_of(brz_notices *r, const brz_notice *report)
{
    const brz_str *msg = report->offset == BRZ_NO_OFFSET ? &report->msg : NULL;
    struct brz_notice_tally *t = find_tally(r, report->code, msg);
    if (t != NULL)
        return t;
    if (r->n_tallies == MAX_TALLIES)
        return &r->tallies[MAX_TALLIES - 1];
    r->tallies = brz_grow(r->tallies, r->n_tallies, &r->tallies_cap, sizeof *r->tallies);
    t = &r->tallies[r->n_tallies++];
    *t = (struct brz_notice_tally){.code = report->code};
    if (msg != NULL)
        t->msg = brz_arena_str(&r->text, *msg);
    return t;
}

static void keep(brz_notices *r, const brz_notice *report)
{
    r->items = brz_grow(r->items, r->n, &r->cap, sizeof *r->items);
    brz_notice *copy = &r->items[r->n++];
    *copy = *report;
    copy->msg = brz_arena_str(&r->text, report->msg);
    copy->excerpt = brz_arena_str(&r->text, report->excerpt);
    copy->input = brz_arena_str(&r->text, report->input);
}

bool brz_notices_is_full(const brz_notices *r, const char *code)
{
    const struct brz_notice_tally *t = find_tally(r, code, NULL);
    return t != NULL && t->kept >= BRZ_NOTICES_KEPT;
}

/* Returns a weight in units of 10^-decimals, which are not larger than its own. */
static int64_t weight_in(const brz_left_out *l, uint32_t decimals)
{
    int64_t weight = l->weight;
    for (uint32_t i = l->decimals; i < decimals; i++)
        if (__builtin_mul_overflow(weight, 10, &weight))
            return l->weight < 0 ? INT64_MIN : INT64_MAX;
    return weight;
}

void brz_left_out_add(brz_left_out *to, const brz_left_out *from)
{
    uint32_t decimals = to->decimals > from->decimals ? to->decimals : from->decimals;
    int64_t more = weight_in(from, decimals);
    to->weight = weight_in(to, decimals);
    to->decimals = decimals;
    bool saturated = false;
    to->weight = brz_add_saturated(to->weight, more, &saturated);
    if (__builtin_add_overflow(to->records, from->records, &to->records))
        to->records = UINT64_MAX;
    if (__builtin_add_overflow(to->weighed, from->weighed, &to->weighed))
        to->weighed = UINT64_MAX;
}

void brz_notices_add(brz_notices *r, const brz_notice *report)
{
    brz_left_out_add(&r->left_out, &report->left_out);
    if (report->code != NULL) {
        struct brz_notice_tally *t = tally_of(r, report);
        t->count += report->count;
        t->fatal |= report->severity == BRZ_FATAL;
        if (t->kept >= (report->offset == BRZ_NO_OFFSET ? 1 : BRZ_NOTICES_KEPT))
            return;
        t->kept++;
    }
    keep(r, report);
}

bool brz_notice_is_finding(const brz_notice *r)
{
    return r->code != NULL && strncmp(r->code, BRZ_FINDING, strlen(BRZ_FINDING)) == 0 &&
           r->offset == BRZ_NO_OFFSET && r->severity != BRZ_FATAL;
}

uint64_t brz_notices_count(const brz_notices *r, const brz_notice *report)
{
    const struct brz_notice_tally *t = find_tally(r, report->code, &report->msg);
    return t == NULL ? report->count : t->count;
}

bool brz_notices_are_fatal(const brz_notices *r)
{
    for (size_t i = 0; i < r->n_tallies; i++)
        if (r->tallies[i].fatal)
            return true;
    return false;
}

uint64_t brz_notices_first_fatal(const brz_notices *r)
{
    uint64_t first = BRZ_NO_OFFSET;
    for (size_t i = 0; i < r->n; i++)
        if (r->items[i].severity == BRZ_FATAL && r->items[i].offset < first)
            first = r->items[i].offset;
    return first;
}

/* Counts the reports that are left of a code, if some with a position were removed: those that were
 * only counted came after these. */
static void count_again(const brz_notices *r, struct brz_notice_tally *t)
{
    size_t kept = 0;
    uint64_t count = 0;
    for (size_t i = 0; i < r->n; i++)
        if (r->items[i].offset != BRZ_NO_OFFSET && r->items[i].code != NULL &&
            strcmp(r->items[i].code, t->code) == 0) {
            kept++;
            count += r->items[i].count;
        }
    if (kept == t->kept)
        return;
    t->kept = kept;
    t->count = count;
}

void brz_notices_forget_after(brz_notices *r, uint64_t offset)
{
    size_t n = 0;
    for (size_t i = 0; i < r->n; i++)
        if (r->items[i].offset == BRZ_NO_OFFSET || r->items[i].offset <= offset)
            r->items[n++] = r->items[i];
    if (n == r->n)
        return;
    r->n = n;
    for (size_t t = 0; t < r->n_tallies; t++)
        if (r->tallies[t].msg.len == 0)
            count_again(r, &r->tallies[t]);
}

void brz_notices_absorb(brz_notices *r, const brz_notices *from)
{
    brz_left_out_add(&r->left_out, &from->left_out);
    for (size_t i = 0; i < from->n; i++) {
        brz_notice one = from->items[i];
        if (brz_notice_is_finding(&one)) /* the tally will hold the sum of all inputs */
            one.count = brz_notices_count(from, &one);
        keep(r, &one);
    }
    for (size_t i = 0; i < from->n_tallies; i++) {
        const struct brz_notice_tally *t = &from->tallies[i];
        brz_notice like = {.code = t->code, .msg = t->msg};
        like.offset = t->msg.len > 0 ? BRZ_NO_OFFSET : 0;
        struct brz_notice_tally *to = tally_of(r, &like);
        to->count += t->count;
        to->fatal |= t->fatal;
    }
}

static int compare_reports(const void *a, const void *b)
{
    const brz_notice *x = a, *y = b;
    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    int code = strcmp(x->code != NULL ? x->code : "", y->code != NULL ? y->code : "");
    if (code != 0)
        return code;
    return brz_str_compare(x->msg, y->msg);
}

void brz_notices_sort(brz_notices *r)
{
    if (r->n > 1)
        qsort(r->items, r->n, sizeof *r->items, compare_reports);
}

void brz_notices_finish(brz_notices *r)
{
    brz_arena_finish(&r->text);
    free(r->items);
    free(r->tallies);
    memset(r, 0, sizeof *r);
}

/* ---- printing ------------------------------------------------------------------------------ */

/* Returns the code point of a character that changes the direction or the lines of
 * the text around it, or 0. */
static unsigned direction_at(const char *p, size_t n)
{
    const unsigned char *c = (const unsigned char *)p;
    if (n == 2 && c[0] == 0xd8 && c[1] == 0x9c)
        return 0x61c;
    if (n != 3)
        return 0;
    unsigned code = (c[0] & 0xfu) << 12 | (c[1] & 0x3fu) << 6 | (c[2] & 0x3fu);
    bool changes = code == 0x200e || code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
                   (code >= 0x2066 && code <= 0x2069);
    return changes ? code : 0;
}

void brz_add_printable(brz_buf *b, brz_str s)
{
    for (size_t i = 0; i < s.len;) {
        unsigned char c = (unsigned char)s.data[i];
        size_t n = brz_utf8_length(s.data + i, s.len - i);
        bool c1 = n == 2 && c == 0xc2 && (unsigned char)s.data[i + 1] < 0xa0;
        unsigned direction = direction_at(s.data + i, n);
        if (c == '\t')
            brz_buf_add_char(b, ' ');
        else if (n == 0 || c < 0x20 || c == 0x7f || c1)
            brz_buf_printf(b, "\\x%02x", c1 ? (unsigned char)s.data[i + 1] : c);
        else if (direction != 0)
            brz_buf_printf(b, "\\u%04x", direction);
        else
            brz_buf_add(b, s.data + i, n);
        i += n > 0 ? n : 1;
    }
}

static const char *severity_word(int32_t severity)
{
    switch (severity) {
    case BRZ_FATAL:
        return "error";
    case BRZ_WARNING:
        return "warning";
    case BRZ_NOTE:
        return "note";
    default:
        return "debug";
    }
}

/* Appends "error: " in its colour. */
static void print_severity(int32_t severity, bool color, brz_buf *b)
{
    static const char *const colors[] = {"\033[1;31m", "\033[1;35m", "\033[1;36m", "\033[2m"};
    const char *word = severity_word(severity);
    bool known = severity >= BRZ_FATAL && severity < BRZ_DEBUG; /* any number is possible */
    if (color)
        brz_buf_printf(b, "%s%s:\033[0m ", colors[known ? severity : BRZ_DEBUG], word);
    else
        brz_buf_printf(b, "%s: ", word);
}

/* Returns the number of columns of printed text: characters, not bytes. */
static size_t printed_width(brz_str s)
{
    size_t width = 0;
    for (size_t i = 0; i < s.len; i++)
        width += ((unsigned char)s.data[i] & 0xc0) != 0x80;
    return width;
}

/* Appends the line and, below the position, "^~~~". */
static void print_excerpt(const brz_notice *r, brz_buf *b)
{
    size_t indent = printed_width(brz_str_of(r->excerpt.data, r->caret));
    size_t width = printed_width(brz_str_of(r->excerpt.data + r->caret, r->len));
    brz_buf_printf(b, "    %.*s\n    %*s^", (int)r->excerpt.len, r->excerpt.data, (int)indent, "");
    for (size_t i = 1; i < width; i++)
        brz_buf_add_char(b, '~');
    brz_buf_add_char(b, '\n');
}

/* Appends the source of a message: the file, or the program. */
static void print_speaker(const brz_notice *r, brz_buf *b)
{
    if (r->input.len > 0)
        brz_buf_add_str(b, r->input);
    else
        brz_buf_add_text(b, "brazier");
    if (r->line > 0)
        brz_buf_printf(b, ":%llu:%llu", (unsigned long long)r->line, (unsigned long long)r->column);
    else if (r->byte > 0)
        brz_buf_printf(b, ": byte 0x%llx", (unsigned long long)r->byte - 1);
    brz_buf_add_text(b, ": ");
}

/* Appends the number of reports with the same code that are not shown, after the last one shown. */
static void print_rest(const brz_notice *r, uint64_t shown, int verbosity, brz_buf *b)
{
    brz_buf_printf(b, "    ... and %llu more like this", (unsigned long long)(r->total - shown));
    if (shown > 1)
        brz_buf_printf(b, ", %llu in all", (unsigned long long)r->total);
    else if (verbosity == 0 && r->kept > shown)
        brz_buf_add_text(b, " (-v shows more)");
    brz_buf_add_char(b, '\n');
}

void brz_notice_print(const brz_notice *r, int verbosity, bool color, brz_buf *b)
{
    uint64_t shown = verbosity > 0 ? BRZ_NOTICES_KEPT : 1;
    if (r->kept > 0 && r->kept < shown)
        shown = r->kept;
    if (r->nth > shown)
        return;
    print_speaker(r, b);
    print_severity(r->severity, color, b);
    if (r->component != NULL && r->input.len == 0)
        brz_buf_printf(b, "%s: ", r->component->id);
    brz_buf_add_str(b, r->msg);
    brz_buf_add_char(b, '\n');
    if (r->excerpt.len > 0)
        print_excerpt(r, b);
    if (r->nth == shown && r->total > shown && verbosity >= 0)
        print_rest(r, shown, verbosity, b);
}

/* ---- reporting ------------------------------------------------------------------------------ */

static bool is_wanted(brz_console *c, int32_t severity)
{
    c->errors += severity == BRZ_FATAL;
    if (severity == BRZ_FATAL)
        return true;
    return severity == BRZ_DEBUG ? c->verbosity >= 2 : c->verbosity >= 0;
}

/* Passes on a notice with printable texts. */
static void deliver(brz_console *c, const brz_notice *r)
{
    if (c->report != NULL) {
        c->report(c->to, r);
    } else if (c->out != NULL) {
        brz_buf b = {0};
        brz_notice_print(r, c->verbosity, c->color, &b);
        fwrite(brz_buf_text(&b), 1, b.len, c->out);
        brz_buf_finish(&b);
    }
}

/* Returns the end of the lower-case words from `at` on. */
static size_t skip_words(brz_str s, size_t at)
{
    while (at < s.len && ((s.data[at] >= 'a' && s.data[at] <= 'z') || s.data[at] == ' '))
        at++;
    return at;
}

/* Finds "{one|more}". Returns the position of its brace, or the length of the text. */
static size_t find_choice(brz_str s, size_t *bar, size_t *end)
{
    for (size_t at = 0; at < s.len; at++) {
        if (s.data[at] != '{')
            continue;
        *bar = skip_words(s, at + 1);
        *end = *bar < s.len && s.data[*bar] == '|' ? skip_words(s, *bar + 1) : s.len;
        if (*end < s.len && s.data[*end] == '}')
            return at;
    }
    return s.len;
}

/* Appends a text, with the first or the second words of each choice. */
static void add_chosen(brz_buf *b, brz_str s, bool is_one)
{
    size_t bar, end, at;
    while ((at = find_choice(s, &bar, &end)) < s.len) {
        brz_str one = brz_str_of(s.data + at + 1, bar - at - 1);
        brz_str more = brz_str_of(s.data + bar + 1, end - bar - 1);
        brz_add_printable(b, brz_str_of(s.data, at));
        brz_add_printable(b, is_one ? one : more);
        s = brz_str_of(s.data + end + 1, s.len - end - 1);
    }
    brz_add_printable(b, s);
}

void brz_notice_add_message(brz_buf *b, const brz_notice *r)
{
    static const char place[] = "{count}";
    const size_t n = sizeof place - 1;
    brz_str s = r->msg;
    for (size_t i = 0; i + n <= s.len; i++) {
        if (memcmp(s.data + i, place, n) != 0)
            continue;
        brz_add_printable(b, brz_str_of(s.data, i));
        brz_buf_printf(b, "%llu", (unsigned long long)r->count);
        add_chosen(b, brz_str_of(s.data + i + n, s.len - i - n), r->count == 1);
        return;
    }
    brz_add_printable(b, s);
}

/* Returns the first offset at or after `i` that is not inside a UTF-8 character. */
static size_t next_character(brz_str s, size_t i)
{
    for (int k = 0; k < 3 && i < s.len && ((unsigned char)s.data[i] & 0xc0) == 0x80; k++)
        i++;
    return i;
}

void brz_notice_show_line(brz_notice *r, brz_str line, size_t from, size_t at)
{
    from = from == 0 ? 0 : next_character(line, from);
    from = from < at ? from : at;
    size_t end =
        line.len - from > EXCERPT_WIDTH ? next_character(line, from + EXCERPT_WIDTH) : line.len;
    r->excerpt = brz_str_of(line.data + from, end - from);
    r->caret = at - from;
}

/* Returns the number of columns of a text after escaping. */
static size_t spelled_width(brz_str s)
{
    brz_buf b = {0};
    brz_add_printable(&b, s);
    size_t width = printed_width(brz_buf_str(&b));
    brz_buf_finish(&b);
    return width;
}

/* Returns the offset of the last character, or of the last byte if no valid character is there. */
static size_t last_character(brz_str s)
{
    size_t i = s.len - 1;
    for (int k = 0; k < 3 && i > 0 && ((unsigned char)s.data[i] & 0xc0) == 0x80; k++)
        i--;
    return brz_utf8_length(s.data + i, s.len - i) == s.len - i ? i : s.len - 1;
}

/* Shortens an excerpt with many escapes, or a long one, which only a child process sends: first the
 * beginning, if it is far before the position, then the end. */
static void bound_excerpt(brz_notice *r)
{
    brz_str *s = &r->excerpt;
    if (s->len > EXCERPT_WIDTH + 3)
        brz_notice_show_line(r, *s, r->caret > EXCERPT_WIDTH / 2 ? r->caret - EXCERPT_WIDTH / 2 : 0,
                             r->caret);
    while (spelled_width(*s) > EXCERPT_WIDTH &&
           spelled_width(brz_str_of(s->data, r->caret)) > EXCERPT_WIDTH / 2) {
        size_t n = next_character(*s, 1);
        n = n < r->caret ? n : r->caret;
        *s = brz_str_of(s->data + n, s->len - n);
        r->caret -= n;
    }
    while (s->len > r->caret && spelled_width(*s) > EXCERPT_WIDTH) {
        size_t n = last_character(*s);
        s->len = n > r->caret ? n : r->caret;
    }
}

/* Appends the excerpt and adjusts the caret, which escaping moves. */
static void add_excerpt(brz_buf *b, brz_notice *r)
{
    bound_excerpt(r);
    brz_str s = r->excerpt;
    size_t caret = r->caret, len = r->len < s.len - caret ? r->len : s.len - caret;
    len = next_character(s, caret + len) - caret;
    brz_add_printable(b, brz_str_of(s.data, caret));
    r->caret = b->len;
    brz_add_printable(b, brz_str_of(s.data + caret, len));
    r->len = b->len - r->caret;
    brz_add_printable(b, brz_str_of(s.data + caret + len, s.len - caret - len));
}

void brz_say_notice(brz_console *c, const brz_notice *report)
{
    if (!is_wanted(c, report->severity))
        return;
    brz_notice r = *report;
    brz_buf msg = {0}, input = {0}, excerpt = {0};
    brz_notice_add_message(&msg, &r);
    brz_add_printable(&input, r.input);
    if (r.excerpt.len > 0)
        add_excerpt(&excerpt, &r);
    r.msg = brz_buf_str(&msg);
    r.input = brz_buf_str(&input);
    r.excerpt = brz_buf_str(&excerpt);
    deliver(c, &r);
    brz_buf_finish(&msg);
    brz_buf_finish(&input);
    brz_buf_finish(&excerpt);
}

static void say(brz_console *c, int32_t severity, const char *code, const char *format,
                va_list args)
{
    brz_buf raw = {0}, text = {0};
    brz_buf_vprintf(&raw, format, args);
    brz_add_printable(&text, brz_buf_str(&raw));
    brz_notice r = {.severity = severity,
                    .code = code,
                    .msg = brz_buf_str(&text),
                    .offset = BRZ_NO_OFFSET,
                    .count = 1};
    deliver(c, &r);
    brz_buf_finish(&raw);
    brz_buf_finish(&text);
}

void brz_say(brz_console *c, int32_t severity, const char *format, ...)
{
    va_list args;
    if (!is_wanted(c, severity))
        return;
    va_start(args, format);
    say(c, severity, NULL, format, args);
    va_end(args);
}

void brz_say_code(brz_console *c, int32_t severity, const char *code, const char *format, ...)
{
    va_list args;
    if (!is_wanted(c, severity))
        return;
    va_start(args, format);
    say(c, severity, code, format, args);
    va_end(args);
}

void brz_say_lines(brz_console *c, int32_t severity, const char *code, brz_str lines)
{
    brz_notice r = {
        .severity = severity, .code = code, .msg = lines, .offset = BRZ_NO_OFFSET, .count = 1};
    if (is_wanted(c, severity))
        deliver(c, &r);
}

/* Returns the number of kept reports with a code and a position among the first n. */
static size_t count_placed(const brz_notices *r, const char *code, size_t n)
{
    size_t count = 0;
    for (size_t k = 0; k < n; k++)
        count += r->items[k].code != NULL && r->items[k].offset != BRZ_NO_OFFSET &&
                 strcmp(r->items[k].code, code) == 0;
    return count;
}

static void say_counted(brz_console *c, const brz_notices *r, size_t i)
{
    brz_notice report = r->items[i];
    const struct brz_notice_tally *t =
        find_tally(r, report.code, report.offset == BRZ_NO_OFFSET ? &report.msg : NULL);
    uint64_t total = t == NULL ? report.count : t->count;
    if (report.offset == BRZ_NO_OFFSET) { /* all of these have the same message */
        if (i > 0 && compare_reports(&r->items[i - 1], &report) == 0)
            return;
        report.count = total;
    } else {
        report.nth = count_placed(r, report.code, i) + 1;
        report.kept = count_placed(r, report.code, r->n);
        report.total = total;
    }
    brz_say_notice(c, &report);
}

void brz_say_notices(brz_console *c, const brz_notices *r)
{
    for (size_t i = 0; i < r->n; i++) {
        if (brz_notice_is_finding(&r->items[i]))
            continue;
        if (r->items[i].code == NULL)
            brz_say_notice(c, &r->items[i]);
        else
            say_counted(c, r, i);
    }
}

/* Appends the known weight, without trailing zeros after the decimal point. */
static void add_weight(brz_buf *b, const brz_left_out *l)
{
    int64_t weight = l->weight;
    uint32_t decimals = l->decimals;
    for (; decimals > 0 && weight % 10 == 0; decimals--)
        weight /= 10;
    brz_buf_add_scaled(b, weight, decimals);
}

void brz_add_left_out(brz_buf *b, const brz_left_out *l, brz_str weight)
{
    if (l->records == 0)
        return;
    brz_buf_printf(b, "%" PRIu64 " record%s", l->records, l->records == 1 ? "" : "s");
    if (l->weighed == 0) {
        brz_buf_add_text(b, " of unknown weight");
        return;
    }
    brz_buf_add_text(b, l->weighed == l->records ? ", weight " : "; weight ");
    add_weight(b, l);
    if (weight.len > 0) {
        brz_buf_add_text(b, " of '");
        brz_add_printable(b, weight);
        brz_buf_add_char(b, '\'');
    }
    if (l->weighed < l->records)
        brz_buf_printf(b, " for %" PRIu64 " of them, unknown for the others", l->weighed);
}

void brz_say_left_out(brz_console *c, const brz_left_out *l, brz_str weight)
{
    if (l->records == 0 || !is_wanted(c, BRZ_NOTE))
        return;
    brz_buf b = {0};
    brz_buf_add_text(&b, "left out: ");
    brz_add_left_out(&b, l, weight);
    brz_notice r = {.severity = BRZ_NOTE,
                    .code = BRZ_SAYS_LEFT_OUT,
                    .msg = brz_buf_str(&b),
                    .offset = BRZ_NO_OFFSET,
                    .count = 1,
                    .left_out = *l};
    deliver(c, &r);
    brz_buf_finish(&b);
}
