/* Counts the lines of a text by their marks. */
#include "text_statistics.h"

#include <brazier/symbol.h>
#include <brazier/text/pieces.h>
#include <brazier/text/integer.h>

#include <string.h>

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
        if (!brz_is_digit(before) && before != ' ')
            continue;
        line->len -= n;
        while (line->len > 0 && line->data[line->len - 1] == ' ')
            line->len--;
        return units[i];
    }
    return NULL;
}

/* Counts a number at the end of a line. */
static void count_trailing(cli_statistics *s, brz_str line)
{
    const char *unit = take_unit(&line);
    size_t n = line.len;
    while (n > 0 && (brz_is_digit(line.data[n - 1]) || line.data[n - 1] == '.'))
        n--;
    bool has_number = n < line.len && brz_is_digit(line.data[line.len - 1]) && n > 0 &&
                      strchr(" \t=:(", line.data[n - 1]) != NULL;
    s->trailing += has_number;
    if (has_number && unit != NULL) {
        s->unit = unit;
        s->with_unit++;
    }
}

static void count_indent(cli_statistics *s, size_t indent)
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
    while (n < line.len && brz_is_digit(line.data[n]))
        n++;
    return n > at && n < line.len && strchr(":-/", line.data[n]) != NULL;
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

/* Returns whether a line begins with a number in a column of its own: "12,main". */
static bool has_first_column(brz_str line)
{
    size_t n = 0;
    while (n < line.len && (brz_is_digit(line.data[n]) || line.data[n] == '.'))
        n++;
    return n > 0 && n < line.len && strchr(",;\t", line.data[n]) != NULL;
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
    count_indent(s, indent);
    count_trailing(s, rest);
    s->leading += brz_is_digit(rest.data[0]);
    s->dated += begins_with_time(rest);
    s->branches += is_branch(rest);
    s->columns += has_first_column(rest);
    s->place_first += indent > 0 && has_first_place(rest);
    s->hashes += rest.data[0] == '#' && rest.len > 1 && brz_is_digit(rest.data[1]);
    for (size_t i = 0; i < CLI_SEPARATORS; i++)
        s->separated[i] += count_text(rest, cli_separators[i].text) > 0;
    for (size_t i = 0; i < CLI_CALL_WORDS; i++) {
        s->begins[i] += has_word(rest, cli_call_words_known[i].begin);
        s->ends[i] += has_word(rest, cli_call_words_known[i].end);
    }
}

/* Counts a line in front of an indented one. */
static void count_head(cli_statistics *s, brz_str line)
{
    size_t n = 0;
    if (s->n_heads++ == 0)
        s->head = line;
    while (n < s->head.len && n < line.len && s->head.data[n] == line.data[n])
        n++;
    s->head.len = n;
    s->sized_heads += memmem(line.data, line.len, " bytes", 6) != NULL;
}

/* Removes the digits at the end of what lines have in common: they are the beginning of numbers. */
static void trim_head(brz_str *head)
{
    while (head->len > 0 && brz_is_digit(head->data[head->len - 1]))
        head->len--;
}

cli_statistics cli_count_lines(brz_str text)
{
    cli_statistics s = {.lines = 0};
    brz_str above = {NULL, 0};
    bool is_divided = true; /* the line above follows a blank one */
    for (brz_str line; brz_take_line(&text, &line); above = line) {
        while (line.len > 0 && strchr(" \t\r", line.data[line.len - 1]) != NULL)
            line.len--;
        if (line.len == 0)
            continue;
        count_line(&s, line);
        if (indent_of(line) > 0 && above.len > 0 && indent_of(above) == 0) {
            count_head(&s, above);
            s.divided_heads += is_divided;
        }
        is_divided = above.len == 0;
    }
    trim_head(&s.head);
    return s;
}
