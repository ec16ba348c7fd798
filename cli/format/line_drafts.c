/* SPDX-License-Identifier: MIT */
/* Drafts formats with a sample in each line, and traces of calls. */
#include "line_drafts.h"

#include <stdio.h>
#include <string.h>

#include <brazier/symbol.h>
#include <brazier/text/pieces.h>
#include <brazier/text/trim.h>

#define IN_BRACKETS "(?:\\[(?<thread>[^\\]]*)\\]\\s*)?"
#define IN_BARS     "(?:\\|\\s*(?<thread>[^|]*?)\\s*\\|\\s*)?"
#define WITH_COLON  "(?:(?<thread>[\\w #./-]+):\\s+)?"
#define WITH_KEY    "\\W*(?:[Tt]hread|THREAD|tid|TID)[ =:#-]+(?<thread>[^\\s:\\])]+)[:\\])]*\\s+"

/* ---- beginnings of lines --------------------------------------------------------------------- */

/* Returns an expression of what names a thread in front of the text, after a time or a number. */
static const char *thread_of(const cli_statistics *s)
{
    if (cli_is_share(s, s->bracketed, 50))
        return IN_BRACKETS;
    if (cli_is_share(s, s->piped, 50))
        return IN_BARS;
    return cli_is_share(s, s->named, 50) ? WITH_COLON : "";
}

/* Returns an expression of the time in front of the text. */
static const char *time_of(const cli_statistics *s)
{
    if (s->in_brackets * 2 > s->dated)
        return "(?:\\[ *\\d[^\\]]*\\]\\s*)?";
    return s->in_words * 2 > s->dated ? "(?:\\d\\S*\\s+\\d\\S*\\s+)?" : "(?:\\d\\S*\\s+)?";
}

/* Returns an expression of what stands in front of the stack. */
static cli_pattern front_of(const cli_statistics *s)
{
    cli_pattern p = {.text = "\\s*"};
    if (cli_is_share(s, s->dated, 50))
        snprintf(p.text, sizeof p.text, "%s%s", time_of(s), thread_of(s));
    else if (cli_is_share(s, s->keyed, 50))
        snprintf(p.text, sizeof p.text, WITH_KEY);
    return p;
}

/* ---- words around stacks --------------------------------------------------------------------- */

/* The texts that stand before and after the stacks of all lines that have the separator. */
typedef struct around {
    brz_str before, after;
    size_t n;
} around;

static bool ends_word(char c)
{
    return strchr(" \t=\"'([", c) != NULL;
}

/* Keeps what two texts have in common at their ends, from the beginning of a word on. */
static brz_str common_end(brz_str a, brz_str b)
{
    size_t n = 0;
    while (n < a.len && n < b.len && a.data[a.len - 1 - n] == b.data[b.len - 1 - n])
        n++;
    return brz_str_from(a, a.len - n);
}

static brz_str common_beginning(brz_str a, brz_str b)
{
    size_t n = 0;
    while (n < a.len && n < b.len && a.data[n] == b.data[n])
        n++;
    return brz_str_of(a.data, n);
}

/* Adds a line with the separator: the stack is the word that has it. */
static void add_line(around *r, brz_str line, const cli_separator *p)
{
    size_t at = cli_find_separator(line, p, 0), from = at, to = at;
    if (at == SIZE_MAX)
        return;
    while (from > 0 && !ends_word(line.data[from - 1]))
        from--;
    while (to < line.len && strchr(" \t\"')]", line.data[to]) == NULL)
        to++;
    brz_str before = brz_str_of(line.data, from), after = brz_str_from(line, to);
    r->before = r->n == 0 ? before : common_end(r->before, before);
    r->after = r->n == 0 ? after : common_beginning(r->after, after);
    r->n++;
}

/* Cuts the texts to their words next to the stack, without digits. */
static void cut_to_words(around *r)
{
    size_t from = r->before.len, to = r->after.len;
    while (from > 0 && ends_word(r->before.data[from - 1]))
        from--;
    while (from > 0 && !ends_word(r->before.data[from - 1]) && r->before.data[from - 1] < 0x7f &&
           r->before.data[from - 1] > ' ')
        from--;
    r->before = brz_str_from(r->before, from);
    for (size_t i = 0; i < to; i++)
        if (strchr("0123456789", r->after.data[i]) != NULL)
            to = i;
    r->after.len = to;
}

static around find_around(brz_str text, const cli_separator *p)
{
    around r = {.n = 0};
    for (brz_str line; brz_take_line(&text, &line);)
        add_line(&r, line, p);
    cut_to_words(&r);
    return r;
}

/* Returns the lines of a separator. */
static cli_pattern split_lines(const cli_separator *p)
{
    cli_pattern lines;
    snprintf(lines.text, sizeof lines.text, "  stack: {split: '%s'%s}\n", p->text,
             p->leaf_first ? ", order: leaf-first" : "");
    return lines;
}

/* Lines of a log, some of which have a stack between the same words: "step a/b took 5 ms". */
static void draft_words(const cli_statistics *s, brz_str text, const cli_separator *p,
                        cli_drafts *to)
{
    around r = find_around(text, p);
    brz_buf before = {0}, after = {0};
    bool has_number = cli_is_share(s, s->trailing.lines, 50);
    cli_draft_escape(&before, r.before);
    cli_draft_escape(&after, brz_trim_end(r.after));
    if (before.len + after.len > 2 && r.n > 1)
        cli_draft_add(
            to, CLI_DRAFT_SURE,
            "use: lines\noptions:\n  ignore: '^(?!.*%s[^\\s=]+%s)'\n"
            "  sample: '^%s(?:[^\\[]*\\[(?<thread>[^\\]]*)\\])?.*?%s(?<stack>[^\\s=\"]+)%s"
            "%s%s'\n%s%s",
            brz_buf_text(&before), brz_buf_text(&after), time_of(s), brz_buf_text(&before),
            brz_buf_text(&after), has_number ? ".*?" : "",
            has_number ? cli_draft_trailing(&s->trailing).text : "", split_lines(p).text,
            has_number ? cli_draft_unit_lines(cli_unit_of(&s->trailing)).text : "");
    brz_buf_finish(&before);
    brz_buf_finish(&after);
}

/* ---- stacks in lines ------------------------------------------------------------------------- */

/* Lines with a stack and a number at the end. */
static void draft_trailing(const cli_statistics *s, const cli_separator *p, cli_drafts *to)
{
    cli_pattern number = cli_draft_trailing(&s->trailing);
    cli_pattern unit = cli_draft_unit_lines(cli_unit_of(&s->trailing));
    cli_draft_add(to, CLI_DRAFT_SURE,
                  "use: lines\noptions:\n  sample: '^%s(?<stack>\\S.*?)%s'\n%s%s", front_of(s).text,
                  number.text, split_lines(p).text, unit.text);
    if (strchr(p->text, ' ') == NULL)
        cli_draft_add(to, CLI_DRAFT_SURE,
                      "use: lines\noptions:\n  sample: '(?<stack>\\S+%s\\S+)(?=\\s).*?%s'\n%s%s",
                      p->pattern, number.text, split_lines(p).text, unit.text);
}

/* Lines with a stack and a number at one of their ends, or with a stack alone. */
static void draft_separator(const cli_statistics *s, brz_str text, const cli_separator *p,
                            cli_drafts *to)
{
    bool has_blanks = strchr(p->text, ' ') != NULL, is_dated = cli_is_share(s, s->dated, 50);
    if (is_dated && !has_blanks)
        draft_words(s, text, p, to);
    if (cli_is_share(s, s->trailing.lines, 50))
        draft_trailing(s, p, to);
    if (cli_is_share(s, s->leading.lines, 50) && !is_dated)
        cli_draft_add(to, CLI_DRAFT_SURE,
                      "use: lines\noptions:\n  sample: '^\\s*%s(?<stack>\\S.*)$'\n%s%s",
                      cli_draft_leading(&s->leading).text, split_lines(p).text,
                      cli_draft_unit_lines(cli_unit_of(&s->leading)).text);
    if (has_blanks || is_dated)
        cli_draft_add(to, CLI_DRAFT_SURE - 20,
                      "use: lines\noptions:\n  sample: '^%s(?<stack>\\S.*%s.*\\S)'\n%s",
                      front_of(s).text, p->pattern, split_lines(p).text);
    else
        cli_draft_add(to, CLI_DRAFT_SURE - 20,
                      "use: lines\noptions:\n  sample: '(?<stack>\\S+%s\\S+)'\n%s", p->pattern,
                      split_lines(p).text);
}

/* Returns the separator that most lines have, or CLI_SEPARATORS. */
static size_t best_separator(const cli_statistics *s)
{
    size_t best = CLI_SEPARATORS;
    for (size_t i = 0; i < CLI_SEPARATORS; i++)
        if (cli_is_share(s, s->separated[i], 50) &&
            (best == CLI_SEPARATORS || s->separated[i] > s->separated[best] * 5 / 4))
            best = i;
    return best;
}

/* Lines of a log with words and a number at the end. Words with digits differ from line to line:
 * the frame is what stands between them. */
static void draft_text(const cli_statistics *s, cli_drafts *to)
{
    if (!cli_are_amounts(s, &s->trailing) || !cli_is_share(s, s->dated, 50))
        return;
    cli_draft_add(
        to, CLI_DRAFT_SURE - 20,
        "use: lines\noptions:\n  sample: '^%s(?:\\[[^\\]]*\\]\\s*)*+(?:[^\\s\\d]*+\\d\\S*+\\s++)*+"
        "(?<function>[^\\s\\d]\\D*?)(?:\\s+[^\\s\\d]*+\\d.*?)?%s'\n%s",
        front_of(s).text, cli_draft_trailing(&s->trailing).text,
        cli_draft_unit_lines(cli_unit_of(&s->trailing)).text);
}

/* Lines with a function and an amount. */
static void draft_flat(const cli_statistics *s, cli_drafts *to)
{
    if (s->indents.n < 2 && cli_are_amounts(s, &s->trailing))
        cli_draft_add(to, CLI_DRAFT_VAGUE,
                      "use: lines\noptions:\n  sample: '^%s(?<function>\\S.*?)%s'\n%s",
                      front_of(s).text, cli_draft_trailing(&s->trailing).text,
                      cli_draft_unit_lines(cli_unit_of(&s->trailing)).text);
    if (s->columns.n < 2 && cli_is_share(s, s->leading.lines, 80))
        cli_draft_add(to, CLI_DRAFT_VAGUE,
                      "use: lines\noptions:\n  sample: '^\\s*%s(?<function>\\S.*)$'\n%s",
                      cli_draft_leading(&s->leading).text,
                      cli_draft_unit_lines(cli_unit_of(&s->leading)).text);
}

void cli_draft_lines(const cli_statistics *s, brz_str text, cli_drafts *to)
{
    size_t best = best_separator(s);
    if (best < CLI_SEPARATORS)
        draft_separator(s, text, &cli_separators[best], to);
    draft_text(s, to);
    draft_flat(s, to);
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* Returns an expression of the time, and of what names a thread after it. */
static cli_pattern call_front(const cli_statistics *s)
{
    cli_pattern p;
    const char *thread = "";
    bool is_two = cli_is_share(s, s->in_words, 50);
    if (cli_is_share(s, s->bracketed, 50))
        thread = "(?:\\[(?<thread>[^\\]]*+)\\]\\s*+)?+";
    else if (cli_is_share(s, s->named, 50))
        thread = "(?:(?<thread>[\\w #./-]++):\\s++)?+";
    else if (cli_is_share(s, s->piped, 50))
        thread = "(?:\\|\\s*+(?<thread>[^|]*?)\\s*\\|\\s*+)?+";
    snprintf(p.text, sizeof p.text, "^%s(?<time>%s)%s%s", s->in_brackets > 0 ? "\\[?+ *+" : "",
             is_two ? "\\d\\S*+ \\d[\\d:.]*+" : "\\d[\\d:.T-]*+",
             s->in_brackets > 0 ? "(?:Z|m?s|us)?+\\]?+\\s*+" : "(?:Z|m?s|us)?+\\s*+", thread);
    return p;
}

void cli_draft_calls(const cli_statistics *s, cli_drafts *to)
{
    cli_pattern front = call_front(s);
    for (size_t i = 0; i < CLI_CALL_WORDS; i++) {
        const cli_call_words *words = &cli_call_words_known[i];
        if (!cli_is_share(s, s->begins[i] + s->ends[i], 60) || !cli_is_share(s, s->begins[i], 20) ||
            !cli_is_share(s, s->ends[i], 20))
            continue;
        cli_draft_add(to, CLI_DRAFT_SURE,
                      "use: calls\noptions:\n  begin: '%s(?:.*?\\s)?%s:?\\s+(?<function>\\S+)'\n"
                      "  end: '%s(?:.*?\\s)?%s:?(?:\\s+(?<function>\\S+))?'\n"
                      "  time-unit: s  # of times without colons: or ms, us, ns\n",
                      front.text, words->begin, front.text, words->end);
        return;
    }
}
