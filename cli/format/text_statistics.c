/* SPDX-License-Identifier: MIT */
/* Counts the lines of a text by their marks. */
#include "text_statistics.h"

#include <brazier/symbol.h>
#include <brazier/text/pieces.h>
#include <brazier/text/integer.h>

#include <string.h>
#include <strings.h>

const cli_separator cli_separators[CLI_SEPARATORS] = {
    {";", ";", false},     {" -> ", " -> ", false}, {" => ", " => ", false},
    {" > ", " > ", false}, {" <- ", " <- ", true},  {" < ", " < ", true},
    {"->", "->", false},   {"<-", "<-", true},      {" | ", " \\| ", false},
    {"|", "\\|", false},   {" / ", " / ", false},   {"/", "/", false},
    {",", ",", false},     {">", ">", false},
};

const cli_call_words cli_call_words_known[CLI_CALL_WORDS] = {
    {"enter", "leave"}, {"enter", "exit"},  {"ENTER", "LEAVE"}, {"ENTER", "EXIT"},
    {"begin", "end"},   {"BEGIN", "END"},   {"start", "end"},   {"START", "END"},
    {"start", "stop"},  {"call", "return"}, {"-->", "<--"},     {">>>", "<<<"},
    {"->", "<-"},       {">", "<"},
};

static size_t indent_of(brz_str line)
{
    size_t n = 0;
    while (n < line.len && (line.data[n] == ' ' || line.data[n] == '\t'))
        n++;
    return n;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}

static bool is_one_of(char c, const char *chars)
{
    return c != '\0' && strchr(chars, c) != NULL;
}

/* Removes characters from the front. */
static void skip(brz_str *line, const char *chars)
{
    while (line->len > 0 && is_one_of(line->data[0], chars))
        *line = brz_str_from(*line, 1);
}

static void add_size(cli_sizes *sizes, size_t size)
{
    for (size_t i = 0; i < sizes->n; i++)
        if (sizes->items[i] == size)
            return;
    if (sizes->n < BRZ_COUNT_OF(sizes->items))
        sizes->items[sizes->n++] = size;
}

/* ---- words ----------------------------------------------------------------------------------- */

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

/* A separator without blanks stands between names, not between numbers. */
size_t cli_find_separator(brz_str line, const cli_separator *p, size_t from)
{
    brz_str text = brz_str_of_text(p->text);
    for (size_t at = from; (at = brz_str_find(line, text, at)) != SIZE_MAX; at++) {
        size_t after = at + text.len;
        if (at > 0 && after < line.len &&
            (text.data[0] == ' ' || text.data[0] == ';' || is_letter(line.data[after])))
            return at;
    }
    return SIZE_MAX;
}

/* ---- numbers --------------------------------------------------------------------------------- */

const char *const cli_units[CLI_UNITS] = {"ns",  "us", "ms", "sec", "min", "bytes", "KiB", "MiB",
                                          "GiB", "kB", "KB", "MB",  "GB",  "s",     "h",   "B"};

const char *cli_unit_of(const cli_numbers *n)
{
    size_t best = 0;
    for (size_t i = 1; i < CLI_UNITS; i++)
        if (n->units[i] > n->units[best])
            best = i;
    return n->with_unit * 2 > n->lines ? cli_units[best] : NULL;
}

/* A number of a line. */
typedef struct number {
    brz_str digits;
    size_t unit; /* an index, or CLI_UNITS */
    bool is_marked, is_compound, has_share;
} number;

static void count_number(cli_numbers *to, const number *n)
{
    to->lines++;
    to->with_unit += n->unit < CLI_UNITS;
    if (n->unit < CLI_UNITS)
        to->units[n->unit]++;
    to->marked += n->is_marked;
    to->decimal += memchr(n->digits.data, '.', n->digits.len) != NULL;
    to->with_commas += memchr(n->digits.data, ',', n->digits.len) != NULL;
    to->compound += n->is_compound;
    to->shares += n->has_share;
}

static void drop_last(brz_str *line, const char *chars)
{
    while (line->len > 0 && is_one_of(line->data[line->len - 1], chars))
        line->len--;
}

/* Removes a share of the whole from the end: "(12.5 %)". Returns false without one. */
static bool drop_share(brz_str *line)
{
    brz_str rest = *line;
    if (!brz_ends_with(rest, BRZ_STR("%)")))
        return false;
    rest.len -= 2;
    drop_last(&rest, "0123456789. ");
    if (rest.len == 0 || rest.data[rest.len - 1] != '(')
        return false;
    rest.len--;
    drop_last(&rest, " ");
    *line = rest;
    return true;
}

/* Removes a unit after a number or a blank from the end. Returns its index, or CLI_UNITS. */
static size_t drop_unit(brz_str *line)
{
    for (size_t i = 0; i < CLI_UNITS; i++) {
        size_t n = strlen(cli_units[i]);
        if (line->len <= n || !brz_ends_with(*line, brz_str_of_text(cli_units[i])) ||
            !is_one_of(line->data[line->len - n - 1], "0123456789 "))
            continue;
        line->len -= n;
        drop_last(line, " ");
        return i;
    }
    return CLI_UNITS;
}

/* Removes "1m" or "1h2m" in front of a number from the end. */
static bool drop_larger_units(brz_str *line)
{
    brz_str rest = *line;
    while (rest.len > 1 && is_one_of(rest.data[rest.len - 1], "hm") &&
           brz_is_digit(rest.data[rest.len - 2])) {
        rest.len--;
        drop_last(&rest, "0123456789");
    }
    bool is_compound = rest.len < line->len;
    *line = rest;
    return is_compound;
}

/* Returns whether a text ends with a file and a colon: "main.c:". */
static bool is_line_of_file(brz_str text)
{
    size_t n = text.len;
    if (n < 2 || text.data[n - 1] != ':')
        return false;
    while (n > 0 && !is_one_of(text.data[n - 1], " \t("))
        n--;
    return memchr(text.data + n, '.', text.len - n) != NULL;
}

/* Removes a number with its unit from the end of a line, after a blank or a mark. */
static bool take_last_number(brz_str *line, number *n)
{
    brz_str rest = *line;
    n->has_share = drop_share(&rest);
    size_t len = rest.len;
    drop_last(&rest, ")]");
    n->is_marked = rest.len < len;
    n->unit = drop_unit(&rest);
    n->digits = rest;
    drop_last(&rest, "0123456789.,");
    n->digits = brz_str_from(n->digits, rest.len);
    if (n->digits.len == 0 || !brz_is_digit(n->digits.data[0]))
        return false;
    n->is_compound = drop_larger_units(&rest);
    if (rest.len == 0 || !is_one_of(rest.data[rest.len - 1], " \t=:([") || is_line_of_file(rest))
        return false;
    drop_last(&rest, " \t");
    n->is_marked |= rest.len > 0 && is_one_of(rest.data[rest.len - 1], "=:([");
    *line = rest;
    return true;
}

/* Removes a unit from the front. Returns its index, or CLI_UNITS. */
static size_t take_unit(brz_str *line)
{
    brz_str rest = *line;
    skip(&rest, " ");
    for (size_t i = 0; i < CLI_UNITS; i++) {
        size_t n = strlen(cli_units[i]);
        if (!brz_starts_with(rest, brz_str_of_text(cli_units[i])) ||
            (rest.len > n && is_letter(rest.data[n])))
            continue;
        *line = brz_str_from(rest, n);
        return i;
    }
    return CLI_UNITS;
}

/* Removes a number from the front: "12 main", "[12.5ms] main", "12.5% main", "1,024 KB (5%) main".
 */
static bool take_first_number(brz_str *line, number *n)
{
    brz_str rest = *line;
    skip(&rest, "[(");
    skip(&rest, " ");
    n->digits = rest;
    skip(&rest, "0123456789.,");
    n->digits.len -= rest.len;
    if (n->digits.len == 0 || !brz_is_digit(n->digits.data[0]))
        return false;
    n->unit = take_unit(&rest);
    brz_str after = rest;
    skip(&rest, "%])");
    skip(&rest, ":");
    n->is_compound = false;
    n->is_marked = rest.len < after.len;
    if (rest.len > 0 && !is_one_of(rest.data[0], " \t"))
        return false;
    skip(&rest, " \t");
    after = rest;
    skip(&after, "(");
    skip(&after, "0123456789. ");
    n->has_share = after.len < rest.len && brz_starts_with(after, BRZ_STR("%)"));
    if (n->has_share)
        rest = brz_str_from(after, 2);
    skip(&rest, " \t");
    *line = rest;
    return true;
}

static void count_trailing(cli_statistics *s, brz_str line)
{
    number n;
    if (take_last_number(&line, &n))
        count_number(&s->trailing, &n);
}

/* Counts a number in front of a line, `indent` from its beginning. */
static void count_leading(cli_statistics *s, brz_str line, size_t indent)
{
    number n;
    brz_str name = line;
    if (!take_first_number(&name, &n))
        return;
    count_number(&s->leading, &n);
    add_size(&s->columns, indent + line.len - name.len);
}

/* ---- beginnings ------------------------------------------------------------------------------ */

/* Removes a time of day, a date or a number in brackets from the front, with the blanks after it.
 * Sets *is_two for a date and a time. */
static bool take_time(brz_str *line, bool *is_two)
{
    brz_str rest = *line;
    bool is_marked = brz_str_take(&rest, "[");
    skip(&rest, " ");
    brz_str digits = rest;
    skip(&rest, "0123456789:.,/TZ+-");
    digits.len -= rest.len;
    if (digits.len == 0 || !brz_is_digit(digits.data[0]))
        return false;
    for (size_t i = 1; i < digits.len; i++)
        is_marked |= is_one_of(digits.data[i], ":-/");
    skip(&rest, "mus");
    skip(&rest, "]");
    if (!is_marked || (rest.len > 0 && !is_one_of(rest.data[0], " \t[")))
        return false;
    skip(&rest, " \t");
    *is_two = rest.len > 3 && brz_is_digit(rest.data[0]) && rest.data[2] == ':';
    if (*is_two)
        skip(&rest, "0123456789:.,Z+-]");
    skip(&rest, " \t");
    *line = rest;
    return true;
}

/* Returns whether a name in brackets is in front of a line, which is no level of a log. */
static bool has_bracket(brz_str line)
{
    static const char *const levels[] = {"[trace", "[debug", "[info",  "[warn",
                                         "[error", "[fatal", "[notice"};
    for (size_t i = 0; i < BRZ_COUNT_OF(levels); i++)
        if (line.len > 7 && strncasecmp(line.data, levels[i], strlen(levels[i])) == 0)
            return false;
    return line.len > 0 && line.data[0] == '[';
}

/* Returns whether a name and a colon are in front of a line: "main task: ". */
static bool has_name(brz_str line)
{
    size_t n = 0;
    while (
        n < line.len && n < 32 &&
        (is_letter(line.data[n]) || brz_is_digit(line.data[n]) || is_one_of(line.data[n], " -#/.")))
        n++;
    return n > 0 && n + 1 < line.len && line.data[n] == ':' && line.data[n + 1] == ' ';
}

/* Removes a word for a thread and the mark after it. */
static bool take_thread_word(brz_str *line)
{
    static const char *const words[] = {"Thread", "thread", "THREAD", "tid", "TID"};
    for (size_t i = 0; i < BRZ_COUNT_OF(words); i++) {
        brz_str rest = *line;
        if (!brz_str_take(&rest, words[i]) || rest.len == 0 || !is_one_of(rest.data[0], " =:#-"))
            continue;
        skip(&rest, " =:#-");
        *line = rest;
        return rest.len > 0;
    }
    return false;
}

/* Counts the blanks after a time or brackets: "[main]   store 30 ms". */
static void count_prefix(cli_statistics *s, brz_str line)
{
    bool is_two;
    brz_str rest = line, before, name;
    bool is_in_brackets = line.data[0] == '[' && brz_cut_first(line, ']', &before, &rest);
    if (!is_in_brackets && !take_time(&rest, &is_two))
        return;
    if (!is_in_brackets) /* the time, without the blanks after it */
        for (; rest.data > line.data && is_one_of(rest.data[-1], " \t"); rest.data--, rest.len++)
            ;
    name = rest;
    skip(&name, " \t");
    s->prefixed++;
    add_size(&s->inner, rest.len - name.len);
}

static void count_beginning(cli_statistics *s, brz_str line)
{
    number n;
    bool is_two = false, is_in_brackets = line.data[0] == '[';
    bool is_dated = take_time(&line, &is_two);
    s->dated += is_dated;
    s->in_brackets += is_dated && is_in_brackets;
    s->in_words += is_two;
    if (is_dated || take_first_number(&line, &n)) {
        s->bracketed += has_bracket(line);
        s->named += has_name(line);
        s->piped +=
            line.len > 2 && line.data[0] == '|' && memchr(line.data + 1, '|', line.len - 1) != NULL;
    }
    skip(&line, "[(-=*# ");
    s->keyed += take_thread_word(&line) && memchr(line.data, ' ', line.len) != NULL;
}

/* Counts a line that names a thread: "Thread main (12 samples)", "--- thread 7 ---". */
static void count_thread_head(cli_statistics *s, brz_str line)
{
    number n;
    brz_str rest = line;
    skip(&rest, "[(-=*# ");
    s->thread_heads += take_thread_word(&rest) && !take_last_number(&rest, &n);
}

/* Returns whether a line begins with those of a tree: "|  `- main", "+-main". */
static bool is_branch(brz_str line)
{
    static const char *const marks[] = {"|-",           "`-",           "+-",
                                        "\\-",          "|  ",          "\342\224\234",
                                        "\342\224\224", "\342\224\202", "\342\225\260"};
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        if (brz_starts_with(line, brz_str_of_text(marks[i])))
            return true;
    return false;
}

/* Returns whether a line begins with a place and a blank: "main.c:5 main". */
static bool has_first_place(brz_str line)
{
    size_t n = 0;
    while (n < line.len && strchr(" \t:", line.data[n]) == NULL)
        n++;
    size_t digits = n + 1;
    while (digits < line.len && brz_is_digit(line.data[digits]))
        digits++;
    return n > 0 && n < line.len && line.data[n] == ':' && digits > n + 1 && digits < line.len &&
           strchr(" \t:", line.data[digits]) != NULL;
}

static void count_line(cli_statistics *s, brz_str line)
{
    size_t indent = indent_of(line);
    brz_str rest = brz_str_of(line.data + indent, line.len - indent);
    s->lines++;
    s->indented += indent > 0;
    add_size(&s->indents, indent);
    count_trailing(s, rest);
    count_leading(s, rest, indent);
    count_beginning(s, rest);
    count_prefix(s, rest);
    if (indent == 0)
        count_thread_head(s, rest);
    s->branches += is_branch(rest);
    s->place_first += indent > 0 && has_first_place(rest);
    s->hashes += rest.data[0] == '#' && rest.len > 1 && brz_is_digit(rest.data[1]);
    for (size_t i = 0; i < CLI_SEPARATORS; i++)
        s->separated[i] += cli_find_separator(rest, &cli_separators[i], 0) != SIZE_MAX;
    for (size_t i = 0; i < CLI_CALL_WORDS; i++) {
        s->begins[i] += has_word(rest, cli_call_words_known[i].begin);
        s->ends[i] += has_word(rest, cli_call_words_known[i].end);
    }
}

/* ---- heads ----------------------------------------------------------------------------------- */

/* Returns whether a line is a number, maybe with a unit or a word for samples. */
static bool is_number(brz_str line)
{
    static const char *const words[] = {"samples", "sample", "times", "hits"};
    brz_str rest = brz_str_from(line, indent_of(line)), digits = rest;
    skip(&rest, "0123456789.,");
    if (rest.len == digits.len || !brz_is_digit(digits.data[0]))
        return false;
    skip(&rest, " ");
    for (size_t i = 0; i < BRZ_COUNT_OF(words); i++)
        if (brz_str_is(rest, words[i]))
            return true;
    if (rest.len > 0)
        take_unit(&rest);
    return rest.len == 0;
}

/* Returns whether a line has a number of samples: "weight=3", "count: 3", "3 samples". */
static bool has_count(brz_str line)
{
    static const char *const words[] = {"weight", "count", "samples", "hits", "times"};
    for (size_t i = 0; i < BRZ_COUNT_OF(words); i++) {
        size_t at = brz_str_find(line, brz_str_of_text(words[i]), 0);
        if (at == SIZE_MAX)
            continue;
        brz_str rest = brz_str_from(line, at + strlen(words[i]));
        skip(&rest, " =:");
        if (rest.len > 0 && brz_is_digit(rest.data[0]))
            return true;
        if (at > 1 && line.data[at - 1] == ' ' && brz_is_digit(line.data[at - 2]))
            return true;
    }
    return false;
}

static void count_head(cli_heads *h, brz_str line, bool is_divided)
{
    size_t n = 0;
    if (h->n++ == 0)
        h->common = line;
    while (n < h->common.len && n < line.len && h->common.data[n] == line.data[n])
        n++;
    h->are_equal = h->n == 1 || (h->are_equal && n == h->common.len && n == line.len);
    h->common.len = n;
    h->sized += memmem(line.data, line.len, " bytes", 6) != NULL;
    h->counted += has_count(line);
    h->numbers += is_number(line);
    h->divided += is_divided;
}

/* Removes the digits at the end of what lines have in common: they are the beginning of numbers. */
static void trim_head(brz_str *head)
{
    while (head->len > 0 && brz_is_digit(head->data[head->len - 1]))
        head->len--;
}

/* ---- paragraphs ------------------------------------------------------------------------------ */

/* Lines between blank ones. */
typedef struct paragraph {
    brz_str first, second, last;
    size_t lines;
} paragraph;

/* Returns whether a frame at one of the ends of paragraphs is the same. */
static bool has_same_end(const paragraph *a, const paragraph *b)
{
    return brz_str_equal(a->last, b->last) || brz_str_equal(a->first, b->first) ||
           brz_str_equal(a->second, b->second);
}

static void end_paragraph(cli_statistics *s, paragraph *p, paragraph *first)
{
    if (p->lines > 1) {
        s->paragraphs++;
        s->counted += is_number(p->last);
        count_head(&s->firsts, p->first, true);
        s->repeats |= s->paragraphs > 1 && has_same_end(p, first);
        if (s->paragraphs == 1)
            *first = *p;
    }
    *p = (paragraph){.lines = 0};
}

static void add_to_paragraph(paragraph *p, brz_str line)
{
    p->lines++;
    p->last = line;
    if (p->lines == 1)
        p->first = line;
    if (p->lines == 2)
        p->second = line;
}

cli_statistics cli_count_lines(brz_str text)
{
    cli_statistics s = {.lines = 0};
    brz_str above = {NULL, 0};
    paragraph p = {.lines = 0}, first = {.lines = 0};
    bool is_divided = true; /* the line above follows a blank one */
    for (brz_str line; brz_take_line(&text, &line); above = line) {
        drop_last(&line, " \t\r");
        if (line.len == 0) {
            end_paragraph(&s, &p, &first);
            continue;
        }
        count_line(&s, line);
        add_to_paragraph(&p, line);
        if (indent_of(line) > 0 && above.len > 0 && indent_of(above) == 0)
            count_head(&s.heads, above, is_divided);
        is_divided = above.len == 0;
    }
    end_paragraph(&s, &p, &first);
    trim_head(&s.heads.common);
    trim_head(&s.firsts.common);
    return s;
}
