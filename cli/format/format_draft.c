/* Drafts formats for a text by the statistics of its lines: blank lines, indentation, numbers at
 * the ends, separators, and words that begin and end calls. A draft need not fit: the caller tries
 * each. */
#include "format_draft.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "text_statistics.h"

/* ---- drafts ---------------------------------------------------------------------------------- */

static void add(cli_drafts *to, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(cli_drafts *to, const char *format, ...)
{
    va_list args;
    if (to->n == CLI_DRAFTS_MOST)
        return;
    va_start(args, format);
    brz_buf_vprintf(&to->items[to->n++], format, args);
    va_end(args);
}

#define NUMBER "(?<weight>\\d+(?:\\.\\d+)?)"
#define UNITS  "ns|us|ms|s|bytes|KiB|MiB"

static bool has_units(const cli_statistics *s)
{
    return s->unit != NULL && s->with_unit * 2 > s->trailing;
}

/* Returns an expression of the unit after a number, which is converted to that of the weight. */
static const char *unit_group(const cli_statistics *s)
{
    return has_units(s) ? "\\s*(?<unit>" UNITS ")?" : "\\s*(?:" UNITS ")?";
}

/* Returns the lines of the weight's unit, or an empty text. */
static const char *unit_lines(const cli_statistics *s, char *to, size_t size)
{
    to[0] = '\0';
    if (has_units(s))
        snprintf(to, size, "  weight: {unit: %s}\n", s->unit);
    return to;
}

/* The time, and a name in brackets, with which lines of logs begin. */
#define PREFIX "^\\[?\\d+[:.T/-][\\dT:.,/Z-]*\\]?\\s+(?:\\[(?<thread>[^\\]]*)\\]\\s+)?"

/* Lines of a log, whose stack follows the time. */
static void draft_log(const cli_statistics *s, const cli_separator *p, const char *weight,
                      cli_drafts *to)
{
    const char *order = p->leaf_first ? ", order: leaf-first" : "";
    if (cli_is_share(s, s->trailing, 50))
        add(to,
            "use: lines\noptions:\n  sample: '" PREFIX "(?<stack>\\S.*?)[\\s=:(]+" NUMBER
            "%s\\)?$'\n  stack: {split: '%s'%s}\n%s",
            unit_group(s), p->text, order, weight);
    add(to,
        "use: lines\noptions:\n  sample: '" PREFIX "(?<stack>\\S.*)'\n  stack: {split: '%s'%s}\n",
        p->text, order);
}

/* Lines of a log of which some have a stack, a word with the separator: "path=a>b>c took 5 ms". */
static void draft_words(const cli_statistics *s, const cli_separator *p, const char *weight,
                        cli_drafts *to)
{
    const char *order = p->leaf_first ? ", order: leaf-first" : "";
    bool has_number = cli_is_share(s, s->trailing, 50);
    add(to,
        "use: lines\noptions:\n  ignore: '^(?!.*[^\\s=]%s[^\\s=])'\n"
        "  sample: '^\\[?\\d\\S*\\s+(?:[^\\[]*\\[(?<thread>[^\\]]*)\\])?.*?"
        "(?<stack>[^\\s=]+%s[^\\s=]+)%s%s%s'\n  stack: {split: '%s'%s}\n%s",
        p->pattern, p->pattern, has_number ? "\\s.*?" NUMBER : "", has_number ? unit_group(s) : "",
        has_number ? "\\)?$" : "", p->text, order, has_number ? weight : "");
}

/* Lines whose stack is the text between numbers, or a word that has the separator. */
static void draft_separator(const cli_statistics *s, size_t i, cli_drafts *to)
{
    char unit[64];
    const cli_separator *p = &cli_separators[i];
    const char *weight = unit_lines(s, unit, sizeof unit);
    const char *order = p->leaf_first ? ", order: leaf-first" : "";
    bool has_blanks = strchr(p->text, ' ') != NULL;
    if (cli_is_share(s, s->dated, 50) && !has_blanks)
        draft_words(s, p, weight, to);
    if (cli_is_share(s, s->dated, 50))
        draft_log(s, p, weight, to);
    if (cli_is_share(s, s->trailing, 50))
        add(to,
            "use: lines\noptions:\n  sample: '^\\s*(?<stack>\\S.*?)[\\s=:(]+" NUMBER "%s\\)?$'\n"
            "  stack: {split: '%s'%s}\n%s",
            unit_group(s), p->text, order, weight);
    if (cli_is_share(s, s->leading, 50))
        add(to,
            "use: lines\noptions:\n  sample: '^\\s*" NUMBER "\\s+(?<stack>\\S.*)$'\n"
            "  stack: {split: '%s'%s}\n",
            p->text, order);
    if (!has_blanks && cli_is_share(s, s->trailing, 50))
        add(to,
            "use: lines\noptions:\n"
            "  sample: '(?<stack>[^\\s]+%s[^\\s]+)\\s.*?" NUMBER "%s\\)?$'\n"
            "  stack: {split: '%s'%s}\n%s",
            p->pattern, unit_group(s), p->text, order, weight);
    add(to,
        has_blanks ? "use: lines\noptions:\n  sample: '(?<stack>\\S.*%s.*\\S)'\n"
                     "  stack: {split: '%s'%s}\n"
                   : "use: lines\noptions:\n  sample: '(?<stack>\\S+%s\\S+)'\n"
                     "  stack: {split: '%s'%s}\n",
        p->pattern, p->text, order);
}

/* Returns whether a separator may be one of columns. */
static bool is_of_columns(const cli_separator *p)
{
    return strchr(",;", p->text[0]) != NULL;
}

/* Returns the separator that most lines have, or CLI_SEPARATORS. */
static size_t best_separator(const cli_statistics *s, bool has_columns)
{
    size_t best = CLI_SEPARATORS;
    for (size_t i = 0; i < CLI_SEPARATORS; i++)
        if (cli_is_share(s, s->separated[i], 50) &&
            !(has_columns && is_of_columns(&cli_separators[i])) &&
            (best == CLI_SEPARATORS || s->separated[i] > s->separated[best] * 5 / 4))
            best = i;
    return best;
}

/* A column with the weight in front of the stack, below a line with the names of columns. */
static void draft_columns(const cli_statistics *s, cli_drafts *to)
{
    size_t best = best_separator(s, true);
    if (cli_is_share(s, s->columns, 60) && best < CLI_SEPARATORS)
        add(to,
            "use: lines\noptions:\n  ignore: '^\\D'\n"
            "  sample: '^" NUMBER "[,;\\t]\\s*\"?(?<stack>[^\"]*)\"?$'\n"
            "  stack: {split: '%s'%s}\n",
            cli_separators[best].text,
            cli_separators[best].leaf_first ? ", order: leaf-first" : "");
}

static void draft_lines(const cli_statistics *s, cli_drafts *to)
{
    size_t best = best_separator(s, false);
    draft_columns(s, to);
    if (best < CLI_SEPARATORS)
        draft_separator(s, best, to);
}

#define PLACE "(?:\\s+\\(?(?<file>[^\\s():]+):(?<line>\\d+)\\)?)?"
#define FRAME                                                                                      \
    "(?:at\\s+|in\\s+|-\\s+)?(?:(?<address>0x[0-9a-fA-F]+)\\s+(?:in\\s+)?)?"                       \
    "(?<function>\\S.*?)" PLACE "$"

#define PLACE_FIRST "(?<file>[^\\s:]+):(?<line>\\d+):?\\s+(?<function>\\S.*)$"

/* Appends a text as an expression within quotes of YAML. */
static void add_escaped(brz_buf *b, brz_str text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (strchr("\\^$.[]|()?*+{}", text.data[i]) != NULL)
            brz_buf_add_char(b, '\\');
        if (text.data[i] == '\'')
            brz_buf_add_char(b, '\'');
        brz_buf_add_char(b, text.data[i]);
    }
}

/* Returns whether what lines have in common names the number of a thread after it. */
static bool names_thread(brz_str head)
{
    static const char *const words[] = {"hread ", "hread #", "hread-", "TID ", "tid "};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        size_t n = strlen(words[i]);
        if (head.len >= n && memcmp(head.data + head.len - n, words[i], n) == 0)
            return true;
    }
    return false;
}

/* Blocks that begin with the same words. Other lines outside of them are ignored. */
static void draft_heads(const cli_statistics *s, const char *frame, cli_drafts *to)
{
    brz_buf head = {0};
    if (s->n_heads < 2 || s->head.len < 3)
        return;
    bool is_sized = s->sized_heads == s->n_heads;
    add_escaped(&head, s->head);
    add(to, "use: blocks\noptions:\n  begin: '^%s%s'\n  frame: '^\\s+%s'\n%s  outside: ignore\n%s",
        brz_buf_text(&head),
        is_sized                ? ".*?(?<weight>\\d+) bytes"
        : names_thread(s->head) ? "(?<thread>\\w+)"
                                : "",
        frame, s->divided_heads == s->n_heads ? "  end: '^\\s*$'\n" : "",
        is_sized ? "  weight: {unit: bytes}\n" : "");
    brz_buf_finish(&head);
}

static void draft_blocks(const cli_statistics *s, cli_drafts *to)
{
    const char *frame = s->place_first * 2 > s->indented ? PLACE_FIRST : FRAME;
    if (cli_is_share(s, s->hashes, 40)) {
        add(to, "use: blocks\noptions:\n  begin: '^\\s*(?!#\\d)\\S.*'\n"
                "  frame: '^\\s*#\\d+:?\\s+" FRAME "'\n");
        add(to, "use: blocks\noptions:\n  begin: '^\\s*#0:?\\s+" FRAME "'\n"
                "  frame: '^\\s*#\\d+:?\\s+" FRAME "'\n");
    }
    if (!cli_is_share(s, s->indented, 30) || cli_is_share(s, s->indented, 99))
        return;
    if (cli_is_share(s, s->leading, 5))
        add(to, "use: blocks\noptions:\n  begin: '^" NUMBER "(?:\\s.*)?$'\n  frame: '^\\s+%s'\n",
            frame);
    draft_heads(s, frame, to);
    add(to, "use: blocks\noptions:\n  begin: '^\\S.*'\n  frame: '^\\s+%s'\n", frame);
}

/* Characters that draw the lines of a tree. */
#define BRANCHES "\\s|+`\\\\\342\224\202\342\224\234\342\224\224\342\225\260\342\224\200-"

static void draft_tree(const cli_statistics *s, cli_drafts *to)
{
    char unit[64];
    if (!cli_is_share(s, s->branches, 40) || !cli_is_share(s, s->trailing, 50))
        return;
    add(to,
        "use: indented\noptions:\n  frame: '^[" BRANCHES "]*(?<function>[^" BRANCHES
        "].*?)[\\s=:(]+" NUMBER "%s\\)?$'\n  depth: column\n"
        "  amount: own  # or total, if the number of a row includes those below\n%s",
        unit_group(s), unit_lines(s, unit, sizeof unit));
}

static void draft_indented(const cli_statistics *s, cli_drafts *to)
{
    char unit[64];
    if (s->n_indents < 3)
        return;
    if (cli_is_share(s, s->trailing, 50))
        add(to,
            "use: indented\noptions:\n  frame: '^\\s*(?<function>\\S.*?)[\\s=:(]+" NUMBER
            "%s\\)?$'\n%s",
            unit_group(s), unit_lines(s, unit, sizeof unit));
    if (cli_is_share(s, s->leading, 50))
        add(to, "use: indented\noptions:\n  frame: '^\\s*" NUMBER "%%?\\s+(?<function>\\S.*)$'\n"
                "  depth: column\n");
}

#define TIME "^\\[?(?<time>[\\d:.]+)\\]?\\s"

static void draft_calls(const cli_statistics *s, cli_drafts *to)
{
    for (size_t i = 0; i < CLI_CALL_WORDS; i++) {
        size_t both = s->begins[i] + s->ends[i];
        if (!cli_is_share(s, both, 60) || !cli_is_share(s, s->begins[i], 20) ||
            !cli_is_share(s, s->ends[i], 20))
            continue;
        add(to,
            "use: calls\noptions:\n  begin: '" TIME "(?:.*\\s)?%s:?\\s+(?<function>\\S+)'\n"
            "  end: '" TIME "(?:.*\\s)?%s:?(?:\\s+(?<function>\\S+))?'\n",
            cli_call_words_known[i].begin, cli_call_words_known[i].end);
        return;
    }
}

void cli_format_draft(brz_str text, cli_drafts *to)
{
    cli_statistics s = cli_count_lines(text);
    draft_calls(&s, to);
    draft_tree(&s, to);
    draft_lines(&s, to);
    draft_indented(&s, to);
    draft_blocks(&s, to);
}

void cli_drafts_finish(cli_drafts *d)
{
    for (size_t i = 0; i < d->n; i++)
        brz_buf_finish(&d->items[i]);
}
