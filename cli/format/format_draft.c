/* SPDX-License-Identifier: MIT */
/* Drafts formats for a text by the statistics of its lines: blank lines, indentation, numbers at
 * the ends, separators, and words that begin and end calls. A draft need not fit: the caller tries
 * each. */
#include "format_draft.h"

#include <string.h>

#include "line_drafts.h"
#include "table_draft.h"

#include <brazier/symbol.h>

/* ---- trees ----------------------------------------------------------------------------------- */

/* Characters that draw the lines of a tree. */
#define BRANCHES "\\s|+`\\\\\342\224\202\342\224\234\342\224\224\342\225\260\342\224\200-"

/* A line that names the thread of the rows below it. */
#define THREAD_HEAD "^\\W*(?:[Tt]hread|THREAD|tid|TID)[ =:#-]+(?<thread>[^\\s:\\])(,]+)"

/* Adds drafts of rows: that the numbers of rows include those below, which the sums of the text
 * must show, and that they do not. */
static void add_tree(const cli_statistics *s, const char *frame, const char *depth,
                     const char *unit, unsigned confidence, cli_drafts *to)
{
    static const struct {
        const char *amount;
        bool adds_up;
    } ways[] = {{"total  # the number of a row includes those below; or own", true},
                {"own  # or total, if the number of a row includes those below", false}};
    const char *begin = s->thread_heads > 0 ? "  begin: '" THREAD_HEAD "'\n" : "";
    for (size_t i = 0; i < BRZ_COUNT_OF(ways); i++) {
        size_t n = to->n;
        cli_draft_add(to, confidence,
                      "use: indented\noptions:\n%s  frame: '%s'\n  depth: %s\n  amount: %s\n%s",
                      begin, frame, depth, ways[i].amount, cli_draft_unit_lines(unit).text);
        if (to->n > n)
            to->items[n].adds_up = ways[i].adds_up;
    }
}

/* Rows after the lines of a tree, with a number at the end. */
static void draft_branches(const cli_statistics *s, cli_drafts *to)
{
    brz_buf frame = {0};
    if (!cli_is_share(s, s->branches, 40) || !cli_is_share(s, s->trailing.lines, 50))
        return;
    brz_buf_printf(&frame, "^[" BRANCHES "]*(?<function>[^" BRANCHES "].*?)%s",
                   cli_draft_trailing(&s->trailing).text);
    add_tree(s, brz_buf_text(&frame), "column", cli_unit_of(&s->trailing), CLI_DRAFT_SURE, to);
    brz_buf_finish(&frame);
}

/* Returns whether lines are indented like a tree: two depths suffice if all of them have numbers.
 */
static bool is_tree(const cli_statistics *s, const cli_numbers *numbers, size_t depths)
{
    return cli_is_share(s, numbers->lines, 50) &&
           (depths >= 3 || (depths == 2 && cli_is_share(s, numbers->lines + s->thread_heads, 95)));
}

/* Rows of which those without an amount are headings. */
static void draft_headed_rows(const cli_statistics *s, cli_drafts *to)
{
    brz_buf frame = {0};
    if (s->indents.n < 2 || !cli_are_amounts(s, &s->trailing))
        return;
    brz_buf_printf(&frame, "^\\s*(?<function>\\S.*?)(?:%s|$)",
                   cli_draft_trailing(&s->trailing).text);
    add_tree(s, brz_buf_text(&frame), "blanks", cli_unit_of(&s->trailing), CLI_DRAFT_VAGUE + 10,
             to);
    brz_buf_finish(&frame);
}

/* Rows of a log, whose depth is shown by the blanks after a time or brackets. */
static void draft_log_rows(const cli_statistics *s, cli_drafts *to)
{
    brz_buf frame = {0};
    const char *prefix =
        s->dated * 2 > s->prefixed && s->in_brackets == 0 ? "\\d\\S*+" : "\\[[^\\]]*+\\]";
    if (!cli_is_share(s, s->prefixed, 80) || !is_tree(s, &s->trailing, s->inner.n))
        return;
    brz_buf_printf(&frame, "^%s(?<depth>\\s*+)(?<function>\\S.*?)%s", prefix,
                   cli_draft_trailing(&s->trailing).text);
    add_tree(s, brz_buf_text(&frame), "group", cli_unit_of(&s->trailing), CLI_DRAFT_SURE, to);
    brz_buf_finish(&frame);
}

static void draft_trailing_rows(const cli_statistics *s, cli_drafts *to)
{
    brz_buf frame = {0};
    if (!is_tree(s, &s->trailing, s->indents.n))
        return;
    brz_buf_printf(&frame, "^\\s*(?<function>\\S.*?)%s", cli_draft_trailing(&s->trailing).text);
    add_tree(s, brz_buf_text(&frame), "blanks", cli_unit_of(&s->trailing), CLI_DRAFT_SURE, to);
    brz_buf_finish(&frame);
}

/* Rows with a number in front. Either the number shows the depth, or the name after it: the one
 * that stands at fewer places. */
static void draft_leading_rows(const cli_statistics *s, cli_drafts *to)
{
    brz_buf frame = {0};
    bool by_name = s->columns.n < s->indents.n || s->indents.n < 2;
    if (!is_tree(s, &s->leading, by_name ? s->columns.n : s->indents.n) || s->columns.n < 2)
        return;
    brz_buf_printf(&frame, "^\\s*%s(?<function>\\S.*)$", cli_draft_leading(&s->leading).text);
    add_tree(s, brz_buf_text(&frame), by_name ? "column" : "blanks", cli_unit_of(&s->leading),
             CLI_DRAFT_SURE, to);
    brz_buf_finish(&frame);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

#define PLACE "(?:\\s+\\(?(?<file>[^\\s():]+):(?<line>\\d+)\\)?)?"
#define FRAME                                                                                      \
    "(?:at\\s+|in\\s+|-\\s+)?(?:(?<address>0x[0-9a-fA-F]+)\\s+(?:in\\s+)?)?"                       \
    "(?<function>\\S.*?)" PLACE "$"

#define PLACE_FIRST "(?<file>[^\\s:]+):(?<line>\\d+):?\\s+(?<function>\\S.*)$"

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

/* Keeps whole words of what lines have in common, if that leaves enough. */
static brz_str whole_words(brz_str head)
{
    size_t n = head.len;
    while (n > 0 && head.data[n - 1] != ' ')
        n--;
    return n >= 3 ? brz_str_of(head.data, n) : head;
}

/* Returns an expression of what follows the words with which all blocks begin. */
static const char *after_head(const cli_heads *h)
{
    if (h->sized == h->n)
        return ".*?(?<weight>\\d+) bytes";
    if (h->counted == h->n)
        return ".*?(?:(?<weight>\\d+) (?:samples|hits|times)|(?:weight|count|samples|hits|times)[ "
               "=:]+(?<weight>\\d+))";
    return names_thread(whole_words(h->common)) ? "(?<thread>[^\\s:\\])(,]+)" : "";
}

/* Blocks that begin with the same words, above frames after `blanks`. Other lines outside of them
 * are ignored. */
static void draft_heads(const cli_heads *h, const char *blanks, const char *frame,
                        unsigned confidence, cli_drafts *to)
{
    brz_buf head = {0};
    if (h->n < 2 || h->common.len < 3)
        return;
    cli_draft_escape(&head, whole_words(h->common));
    cli_draft_add(to, confidence,
                  "use: blocks\noptions:\n  begin: '^%s%s'\n  frame: '^%s%s'\n%s  outside: "
                  "ignore\n%s",
                  brz_buf_text(&head), after_head(h), blanks, frame,
                  h->divided == h->n ? "  end: '^\\s*$'\n" : "",
                  h->sized == h->n ? "  weight: {unit: bytes}\n" : "");
    brz_buf_finish(&head);
}

#define BLOCK_NUMBER "^\\s*(?<weight>\\d[\\d.,]*)(?: samples?| times| hits)?$"

/* Paragraphs that begin or end with a number. */
static void draft_counts(const cli_statistics *s, const char *frame, cli_drafts *to)
{
    if (s->paragraphs < 2)
        return;
    if (s->firsts.numbers == s->paragraphs)
        cli_draft_add(to, CLI_DRAFT_SURE,
                      "use: blocks\noptions:\n  begin: '" BLOCK_NUMBER
                      "'\n  frame: '^\\s*%s'\n  end: '^\\s*$'\n",
                      frame);
    if (s->counted == s->paragraphs)
        cli_draft_add(to, CLI_DRAFT_SURE,
                      "use: blocks\noptions:\n  begin: ''  # a stack begins after the number of "
                      "another one\n  frame: '^\\s*%s'\n  end: '" BLOCK_NUMBER "'\n",
                      frame);
}

/* Paragraphs whose frames stand at the left, or that are indented as a whole. */
static void draft_paragraphs(const cli_statistics *s, const char *frame, cli_drafts *to)
{
    if (s->paragraphs < 2 || !s->repeats)
        return;
    if (!s->firsts.are_equal)
        draft_heads(&s->firsts, "\\s*", frame, CLI_DRAFT_SURE, to);
    cli_draft_add(to, CLI_DRAFT_VAGUE + 10,
                  "use: blocks\noptions:\n  begin: ''  # a stack begins after a blank line\n"
                  "  frame: '^\\s*%s'\n  end: '^\\s*$'\n",
                  frame);
}

static void draft_blocks(const cli_statistics *s, cli_drafts *to)
{
    const char *frame = s->place_first * 2 > s->indented ? PLACE_FIRST : FRAME;
    if (cli_is_share(s, s->hashes, 40)) {
        cli_draft_add(to, CLI_DRAFT_SURE,
                      "use: blocks\noptions:\n  begin: '^\\s*(?!#\\d)\\S.*'\n"
                      "  frame: '^\\s*#\\d+:?\\s+" FRAME "'\n");
        cli_draft_add(to, CLI_DRAFT_SURE,
                      "use: blocks\noptions:\n  begin: '^\\s*#0:?\\s+" FRAME "'\n"
                      "  frame: '^\\s*#\\d+:?\\s+" FRAME "'\n");
    }
    draft_counts(s, frame, to);
    if (!cli_is_share(s, s->indented, 30) || cli_is_share(s, s->indented, 99)) {
        draft_paragraphs(s, frame, to);
        return;
    }
    if (s->heads.n > 0 && s->heads.numbers * 10 >= s->heads.n * 8)
        cli_draft_add(to, CLI_DRAFT_SURE,
                      "use: blocks\noptions:\n  begin: '" BLOCK_NUMBER "'\n  frame: '^\\s+%s'\n",
                      frame);
    bool are_rows = cli_are_amounts(s, &s->trailing) || cli_are_amounts(s, &s->leading);
    unsigned doubt = are_rows ? CLI_DRAFT_VAGUE : 0;
    draft_heads(&s->heads, "\\s+", frame, CLI_DRAFT_SURE - doubt, to);
    cli_draft_add(to, CLI_DRAFT_VAGUE - doubt / 2,
                  "use: blocks\noptions:\n  begin: '^\\S.*'\n  frame: '^\\s+%s'\n", frame);
}

void cli_format_draft(brz_str text, cli_drafts *to)
{
    cli_statistics s = cli_count_lines(text);
    cli_draft_calls(&s, to);
    cli_draft_table(text, to);
    draft_branches(&s, to);
    draft_trailing_rows(&s, to);
    draft_log_rows(&s, to);
    draft_leading_rows(&s, to);
    draft_headed_rows(&s, to);
    cli_draft_lines(&s, text, to);
    draft_blocks(&s, to);
}
