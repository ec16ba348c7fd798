/* Drafts formats for a text by the statistics of its lines: blank lines, indentation, numbers at
 * the ends, separators, and words that begin and end calls. A draft need not fit: the caller tries
 * each. */
#include "format_draft.h"

#include <brazier/symbol.h>
#include <brazier/text/pieces.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- statistics ------------------------------------------------------------------------------ */

/* Texts between frames, and how many blanks belong to them in a pattern. */
static const struct separator {
    const char *text, *pattern;
    bool leaf_first;
} separators[] = {
    {";", ";", false},     {" -> ", " -> ", false}, {" => ", " => ", false},
    {" > ", " > ", false}, {" <- ", " <- ", true},  {" < ", " < ", true},
    {"->", "->", false},   {"<-", "<-", true},      {" | ", " \\| ", false},
    {"|", "\\|", false},   {" / ", " / ", false},   {"/", "/", false},
    {",", ",", false},
};

#define N_SEPARATORS BRZ_COUNT_OF(separators)

/* Words with which calls begin and end. */
static const struct {
    const char *begin, *end;
} call_words[] = {
    {"enter", "leave"}, {"enter", "exit"},  {"ENTER", "LEAVE"}, {"ENTER", "EXIT"},
    {"begin", "end"},   {"BEGIN", "END"},   {"start", "end"},   {"START", "END"},
    {"start", "stop"},  {"call", "return"}, {"-->", "<--"},     {">>>", "<<<"},
    {"->", "<-"},       {">", "<"},
};

#define N_CALL_WORDS BRZ_COUNT_OF(call_words)

/* Counts of the lines of a text that are not blank. */
typedef struct statistics {
    size_t lines, indented, trailing, leading, hashes, dated;
    size_t separated[N_SEPARATORS], begins[N_CALL_WORDS], ends[N_CALL_WORDS];
    const char *unit; /* that follows most trailing numbers, or NULL */
    size_t with_unit;
    size_t indents[8], n_indents; /* different ones */
} statistics;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static size_t indent_of(brz_str line)
{
    size_t n = 0;
    while (n < line.len && (line.data[n] == ' ' || line.data[n] == '\t'))
        n++;
    return n;
}

/* Returns whether a word stands in a line by itself. */
static bool has_word(brz_str line, const char *word)
{
    size_t n = strlen(word);
    for (const char *p = line.data, *end = line.data + line.len;
         (p = memmem(p, (size_t)(end - p), word, n)) != NULL; p++) {
        bool begins = p == line.data || p[-1] == ' ' || p[-1] == '\t' || p[-1] == '[';
        bool ends = p + n == end || strchr(" \t:]", p[n]) != NULL;
        if (begins && ends)
            return true;
    }
    return false;
}

static size_t count_text(brz_str line, const char *text)
{
    size_t count = 0, n = strlen(text);
    for (const char *p = line.data, *end = line.data + line.len;
         (p = memmem(p, (size_t)(end - p), text, n)) != NULL; p += n)
        count++;
    return count;
}

static const char *const units[] = {"ns", "us", "ms", "s", "bytes", "KiB", "MiB"};

/* Removes a unit from the end of a line. Returns it, or NULL. */
static const char *take_unit(brz_str *line)
{
    for (size_t i = 0; i < BRZ_COUNT_OF(units); i++) {
        size_t n = strlen(units[i]);
        if (line->len <= n || memcmp(line->data + line->len - n, units[i], n) != 0)
            continue;
        char before = line->data[line->len - n - 1];
        if (!is_digit(before) && before != ' ')
            continue;
        line->len -= n;
        while (line->len > 0 && line->data[line->len - 1] == ' ')
            line->len--;
        return units[i];
    }
    return NULL;
}

/* Counts a number at the end of a line. */
static void count_trailing(statistics *s, brz_str line)
{
    const char *unit = take_unit(&line);
    size_t n = line.len;
    while (n > 0 && (is_digit(line.data[n - 1]) || line.data[n - 1] == '.'))
        n--;
    bool has_number = n < line.len && is_digit(line.data[line.len - 1]) && n > 0 &&
                      strchr(" \t=:(", line.data[n - 1]) != NULL;
    s->trailing += has_number;
    if (has_number && unit != NULL) {
        s->unit = unit;
        s->with_unit++;
    }
}

static void count_indent(statistics *s, size_t indent)
{
    s->indented += indent > 0;
    for (size_t i = 0; i < s->n_indents; i++)
        if (s->indents[i] == indent)
            return;
    if (s->n_indents < BRZ_COUNT_OF(s->indents))
        s->indents[s->n_indents++] = indent;
}

/* Returns whether a line begins like one of a log: with a number that has ':', '-' or '/'. */
static bool begins_with_time(brz_str line)
{
    size_t at = line.data[0] == '[', n = at;
    while (n < line.len && is_digit(line.data[n]))
        n++;
    return n > at && n < line.len && strchr(":-/", line.data[n]) != NULL;
}

static void count_line(statistics *s, brz_str line)
{
    size_t indent = indent_of(line);
    brz_str rest = brz_str_of(line.data + indent, line.len - indent);
    s->lines++;
    count_indent(s, indent);
    count_trailing(s, rest);
    s->leading += is_digit(rest.data[0]);
    s->dated += begins_with_time(rest);
    s->hashes += rest.data[0] == '#' && rest.len > 1 && is_digit(rest.data[1]);
    for (size_t i = 0; i < N_SEPARATORS; i++)
        s->separated[i] += count_text(rest, separators[i].text) > 0;
    for (size_t i = 0; i < N_CALL_WORDS; i++) {
        s->begins[i] += has_word(rest, call_words[i].begin);
        s->ends[i] += has_word(rest, call_words[i].end);
    }
}

static statistics count_lines(brz_str text)
{
    statistics s = {.lines = 0};
    for (brz_str line; brz_take_line(&text, &line);) {
        while (line.len > 0 && strchr(" \t\r", line.data[line.len - 1]) != NULL)
            line.len--;
        if (line.len > 0)
            count_line(&s, line);
    }
    return s;
}

/* Returns whether at least `percent` of the lines are among `n`. */
static bool is_share(const statistics *s, size_t n, size_t percent)
{
    return s->lines > 0 && n * 100 >= s->lines * percent;
}

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
#define UNIT   "\\s*(?:ns|us|ms|s|bytes|KiB|MiB)?"

/* Returns the lines of the weight's unit, or an empty text. */
static const char *unit_lines(const statistics *s, char *to, size_t size)
{
    to[0] = '\0';
    if (s->unit != NULL && s->with_unit * 2 > s->trailing)
        snprintf(to, size, "  weight: {unit: %s}\n", s->unit);
    return to;
}

/* The time, and a name in brackets, with which lines of logs begin. */
#define PREFIX "^\\[?\\d+[:.T/-][\\dT:.,/Z-]*\\]?\\s+(?:\\[(?<thread>[^\\]]*)\\]\\s+)?"

/* Lines of a log, whose stack follows the time. */
static void draft_log(const statistics *s, const struct separator *p, const char *weight,
                      cli_drafts *to)
{
    const char *order = p->leaf_first ? ", order: leaf-first" : "";
    if (is_share(s, s->trailing, 50))
        add(to,
            "use: lines\noptions:\n  sample: '" PREFIX "(?<stack>\\S.*?)[\\s=:(]+" NUMBER UNIT
            "\\)?$'\n  stack: {split: '%s'%s}\n%s",
            p->text, order, weight);
    add(to,
        "use: lines\noptions:\n  sample: '" PREFIX "(?<stack>\\S.*)'\n  stack: {split: '%s'%s}\n",
        p->text, order);
}

/* Lines whose stack is the text between numbers, or a word that has the separator. */
static void draft_separator(const statistics *s, size_t i, cli_drafts *to)
{
    char unit[64];
    const struct separator *p = &separators[i];
    const char *weight = unit_lines(s, unit, sizeof unit);
    const char *order = p->leaf_first ? ", order: leaf-first" : "";
    bool has_blanks = strchr(p->text, ' ') != NULL;
    if (is_share(s, s->dated, 50))
        draft_log(s, p, weight, to);
    if (is_share(s, s->trailing, 50))
        add(to,
            "use: lines\noptions:\n  sample: '^\\s*(?<stack>\\S.*?)[\\s=:(]+" NUMBER UNIT "\\)?$'\n"
            "  stack: {split: '%s'%s}\n%s",
            p->text, order, weight);
    if (is_share(s, s->leading, 50))
        add(to,
            "use: lines\noptions:\n  sample: '^\\s*" NUMBER "\\s+(?<stack>\\S.*)$'\n"
            "  stack: {split: '%s'%s}\n",
            p->text, order);
    if (!has_blanks && is_share(s, s->trailing, 50))
        add(to,
            "use: lines\noptions:\n"
            "  sample: '(?<stack>[^\\s]+%s[^\\s]+)\\s.*?" NUMBER UNIT "\\)?$'\n"
            "  stack: {split: '%s'%s}\n%s",
            p->pattern, p->text, order, weight);
    add(to,
        has_blanks ? "use: lines\noptions:\n  sample: '(?<stack>\\S.*%s.*\\S)'\n"
                     "  stack: {split: '%s'%s}\n"
                   : "use: lines\noptions:\n  sample: '(?<stack>\\S+%s\\S+)'\n"
                     "  stack: {split: '%s'%s}\n",
        p->pattern, p->text, order);
}

/* Appends the drafts of the separator that most lines have. */
static void draft_lines(const statistics *s, cli_drafts *to)
{
    size_t best = N_SEPARATORS;
    for (size_t i = 0; i < N_SEPARATORS; i++)
        if (is_share(s, s->separated[i], 50) &&
            (best == N_SEPARATORS || s->separated[i] > s->separated[best] * 5 / 4))
            best = i;
    if (best < N_SEPARATORS)
        draft_separator(s, best, to);
}

#define PLACE "(?:\\s+\\(?(?<file>[^\\s():]+):(?<line>\\d+)\\)?)?"
#define FRAME                                                                                      \
    "(?:at\\s+|in\\s+|-\\s+)?(?:(?<address>0x[0-9a-fA-F]+)\\s+(?:in\\s+)?)?"                       \
    "(?<function>\\S.*?)" PLACE "$"

static void draft_blocks(const statistics *s, cli_drafts *to)
{
    if (is_share(s, s->hashes, 40)) {
        add(to, "use: blocks\noptions:\n  begin: '^\\s*(?!#\\d)\\S.*'\n"
                "  frame: '^\\s*#\\d+:?\\s+" FRAME "'\n");
        add(to, "use: blocks\noptions:\n  begin: '^\\s*#0:?\\s+" FRAME "'\n"
                "  frame: '^\\s*#\\d+:?\\s+" FRAME "'\n");
    }
    if (!is_share(s, s->indented, 30) || is_share(s, s->indented, 99))
        return;
    if (is_share(s, s->leading, 5))
        add(to, "use: blocks\noptions:\n  begin: '^" NUMBER "(?:\\s.*)?$'\n  frame: '^\\s+" FRAME
                "'\n");
    add(to, "use: blocks\noptions:\n  begin: '^\\S.*'\n  frame: '^\\s+" FRAME "'\n");
}

static void draft_indented(const statistics *s, cli_drafts *to)
{
    char unit[64];
    if (s->n_indents < 3)
        return;
    if (is_share(s, s->trailing, 50))
        add(to,
            "use: indented\noptions:\n  frame: '^\\s*(?<function>\\S.*?)[\\s=:(]+" NUMBER UNIT
            "\\)?$'\n%s",
            unit_lines(s, unit, sizeof unit));
    if (is_share(s, s->leading, 50))
        add(to, "use: indented\noptions:\n  frame: '^\\s*" NUMBER "%%?\\s+(?<function>\\S.*)$'\n"
                "  depth: column\n");
}

#define TIME "^\\[?(?<time>[\\d:.]+)\\]?\\s"

static void draft_calls(const statistics *s, cli_drafts *to)
{
    for (size_t i = 0; i < N_CALL_WORDS; i++) {
        size_t both = s->begins[i] + s->ends[i];
        if (!is_share(s, both, 60) || !is_share(s, s->begins[i], 20) ||
            !is_share(s, s->ends[i], 20))
            continue;
        add(to,
            "use: calls\noptions:\n  begin: '" TIME "(?:.*\\s)?%s:?\\s+(?<function>\\S+)'\n"
            "  end: '" TIME "(?:.*\\s)?%s:?(?:\\s+(?<function>\\S+))?'\n",
            call_words[i].begin, call_words[i].end);
        return;
    }
}

void cli_format_draft(brz_str text, cli_drafts *to)
{
    statistics s = count_lines(text);
    draft_calls(&s, to);
    draft_lines(&s, to);
    draft_indented(&s, to);
    draft_blocks(&s, to);
}

void cli_drafts_finish(cli_drafts *d)
{
    for (size_t i = 0; i < d->n; i++)
        brz_buf_finish(&d->items[i]);
}
