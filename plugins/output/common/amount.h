/* SPDX-License-Identifier: MIT */
/* Formats weights for readers: times as "3.13 s", sizes as "1.5 MiB", all else as counts.
 *
 * common/viewer/amounts.js formats the same in the browser; a test compares the two.
 */
#ifndef OUTPUT_COMMON_AMOUNT_H
#define OUTPUT_COMMON_AMOUNT_H

#include <brazier/plugin.h>
#include <brazier/write.h>

#define AMOUNT_UNITS 5 /* maximum number of units of one kind */

/* A unit in which amounts are shown. */
typedef struct amount_unit {
    const char *name;
    double size; /* value of the weight that is one such unit */
} amount_unit;

/* A way of showing the values of a weight. */
typedef struct amount_scale {
    amount_unit units[AMOUNT_UNITS]; /* from small to large; the name is NULL after the last */
    double steps;                    /* value that is shown as 1, if there are no units */
    brz_str word;                    /* what is counted, such as "samples" */
} amount_scale;

/* Returns the scale of a weight. Values are multiplied by `factor` when they are shown. */
amount_scale amount_scale_of(const brz_column_info *weight, double factor);

/* Returns whether values are shown as times or sizes. */
static inline bool amount_has_units(const amount_scale *s)
{
    return s->units[0].name != NULL;
}

/* Writes a count with thousands separators: "2,502". */
void put_count(brz_writer *w, uint64_t count);

/* Room for the text of amount_format(). */
#define AMOUNT_ROOM 96

/* Writes a value without the word: "3.13 s" or "2,502". Returns the end of the text, which is not
 * terminated. */
char *amount_format(char *to, const amount_scale *s, int64_t value);

/* Writes a share of a whole in percent, without the sign: "12.50"; "<0.01" if that would be 0 but
 * the share is not. Returns the end of the text, which is not terminated. */
char *amount_share(char *to, double percent);

/* Returns the singular of a word for what is counted, or the word itself if it is not known. */
brz_str amount_singular(brz_str word);

/* Returns whether a number is shown as "1", after which a word has its singular. */
static inline bool amount_is_one(const char *text, const char *end)
{
    return end - text == 1 && *text == '1';
}

/* Returns the word that follows a value written by amount_format(); the scale has no units. */
brz_str amount_word(const amount_scale *s, const char *text, const char *end);

/* Returns the weight that counts samples if `weight` is a time or a size, or else BRZ_NO_COLUMN. */
uint32_t amount_samples(const brz_tree *tree, uint32_t weight);

/* Writes the total of a weight for a heading: "cpu: 3.13 s in 2,502 samples". */
void put_amount_total(brz_writer *w, const brz_tree *tree, uint32_t weight);

#endif
