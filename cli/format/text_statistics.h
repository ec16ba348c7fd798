/* SPDX-License-Identifier: MIT */
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

/* Different sizes, up to a limit. */
typedef struct cli_sizes {
    size_t items[16], n;
} cli_sizes;

#define CLI_UNITS 16
extern const char *const cli_units[CLI_UNITS];

/* Numbers at one end of lines. */
typedef struct cli_numbers {
    size_t lines;
    size_t units[CLI_UNITS], with_unit;
    size_t marked;                                 /* those next to a mark, such as "=" or "(" */
    size_t decimal, with_commas, compound, shares; /* "1.5", "1,024", "1m35s", "12 (50%)" */
} cli_numbers;

/* The lines with which blocks may begin: those in front of indented ones, or the first lines of
 * paragraphs. */
typedef struct cli_heads {
    size_t n;
    brz_str common; /* the text with which all of them begin */
    size_t sized;   /* those with a number of bytes */
    size_t counted; /* those with a number of samples, in front of or after that word */
    size_t numbers; /* those that are a number */
    size_t divided; /* those below a blank line, or at the beginning */
    bool are_equal;
} cli_heads;

/* Counts of the lines of a text that are not blank. */
typedef struct cli_statistics {
    size_t lines, indented, hashes;
    cli_numbers trailing; /* at the ends of lines */
    cli_numbers leading;  /* in front of lines, maybe in brackets */
    size_t dated;         /* lines that begin with a time */
    size_t in_brackets;   /* of them, those with a time in brackets */
    size_t in_words;      /* and those with a date and a time */
    size_t bracketed;     /* lines with a name in brackets after a time or number */
    size_t named;         /* and those with a name and a colon */
    size_t piped;         /* and those with a name between bars */
    size_t prefixed;      /* lines with a time or brackets in front */
    size_t keyed;         /* lines that begin with "tid=7" or "thread 7" */
    size_t branches;      /* lines that begin with the lines of a tree */
    size_t place_first;   /* indented lines that begin with a place in a file */
    size_t thread_heads;  /* lines that name a thread and have nothing else */
    size_t separated[CLI_SEPARATORS], begins[CLI_CALL_WORDS], ends[CLI_CALL_WORDS];
    cli_sizes indents; /* blanks in front of lines */
    cli_sizes columns; /* of the names after leading numbers */
    cli_sizes inner;   /* blanks after a time or brackets in front of lines */
    cli_heads heads;
    size_t paragraphs, counted; /* those of several lines; those that end with a number */
    cli_heads firsts;           /* of paragraphs */
    bool repeats;               /* a line occurs in several paragraphs */
} cli_statistics;

cli_statistics cli_count_lines(brz_str text);

/* Returns whether at least `percent` of the lines are among `n`. */
static inline bool cli_is_share(const cli_statistics *s, size_t n, size_t percent)
{
    return s->lines > 0 && n * 100 >= s->lines * percent;
}

/* Returns whether most lines have a number, which is an amount, since it has a unit. */
static inline bool cli_are_amounts(const cli_statistics *s, const cli_numbers *n)
{
    return cli_is_share(s, n->lines, 50) && n->with_unit * 2 > n->lines;
}

/* Returns the unit that most numbers with a unit have, or NULL if most have none. */
const char *cli_unit_of(const cli_numbers *n);

/* Returns where a separator stands between names at or after `from`, or SIZE_MAX. */
size_t cli_find_separator(brz_str line, const cli_separator *p, size_t from);

#endif
