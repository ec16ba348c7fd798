/* Statistics of the lines of a text, from which drafts of formats are made. */
#ifndef BRZ_CLI_TEXT_STATISTICS_H
#define BRZ_CLI_TEXT_STATISTICS_H

#include "base/buf.h"

/* A text between frames. */
typedef struct cli_separator {
    const char *text, *pattern; /* itself, and in an expression */
    bool leaf_first;
} cli_separator;

#define CLI_SEPARATORS 14
extern const cli_separator cli_separators[CLI_SEPARATORS];

/* Words with which calls begin and end. */
typedef struct cli_call_words {
    const char *begin, *end;
} cli_call_words;

#define CLI_CALL_WORDS 14
extern const cli_call_words cli_call_words_known[CLI_CALL_WORDS];

/* Counts of the lines of a text that are not blank. */
typedef struct cli_statistics {
    size_t lines, indented, trailing, leading, hashes, dated;
    size_t branches;    /* lines that begin with the lines of a tree */
    size_t columns;     /* lines that begin with a number and a comma, semicolon or tab */
    size_t place_first; /* indented lines that begin with a place in a file */
    size_t separated[CLI_SEPARATORS], begins[CLI_CALL_WORDS], ends[CLI_CALL_WORDS];
    const char *unit; /* that follows most trailing numbers, or NULL */
    size_t with_unit;
    size_t indents[8], n_indents; /* different ones */
    size_t n_heads;               /* lines in front of indented ones */
    brz_str head;                 /* the text with which all of them begin */
    size_t sized_heads;           /* those with a number of bytes */
    size_t divided_heads;         /* those below a blank line, or at the beginning */
} cli_statistics;

cli_statistics cli_count_lines(brz_str text);

/* Returns whether at least `percent` of the lines are among `n`. */
static inline bool cli_is_share(const cli_statistics *s, size_t n, size_t percent)
{
    return s->lines > 0 && n * 100 >= s->lines * percent;
}

#endif
