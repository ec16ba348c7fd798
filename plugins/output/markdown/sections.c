/* SPDX-License-Identifier: MIT */
/* Chooses the parts of a summary that fit, and writes them. */
#include "sections.h"

#include <string.h>

#include "../common/amount.h"

section *summary_section(summary *s, const char *heading, const char *noun, const char *columns)
{
    section *added = &s->sections[s->n_sections++];
    *added = (section){.heading = heading, .noun = noun, .columns = columns};
    return added;
}

brz_str summary_take(summary *s)
{
    brz_str taken = brz_output_keep(s->ctx, brz_str_of(s->w.buffer, s->w.used));
    s->w.used = 0;
    return taken;
}

void summary_add_row(summary *s, section *to)
{
    to->rows[to->n++] = summary_take(s);
    to->n_shown = to->n;
}

/* ---- parts --------------------------------------------------------------------------------- */

/* Writes a note as a paragraph. */
static void put_note(brz_writer *w, const char *label, brz_str text)
{
    if (text.len == 0)
        return;
    brz_put_char(w, '\n');
    brz_put_text(w, label);
    brz_put_str(w, text);
    brz_put_char(w, '\n');
}

static void put_section(brz_writer *w, const section *s)
{
    if (s->n_shown == 0)
        return;
    BRZ_PUT(w, "\n**");
    brz_put_text(w, s->heading);
    BRZ_PUT(w, "**\n\n");
    brz_put_text(w, s->columns);
    for (uint32_t i = 0; i < s->n_shown; i++)
        brz_put_str(w, s->rows[i]);
    if (s->more == 0 || s->n_shown < s->n)
        return;
    BRZ_PUT(w, "\nand ");
    put_count(w, s->more);
    BRZ_PUT(w, " more\n");
}

/* Returns the number of rows that the sections with this noun lack because they do not fit. */
static uint64_t rows_cut(const summary *s, const char *noun)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < s->n_sections; i++) {
        const section *of = &s->sections[i];
        if (of->n_shown < of->n && strcmp(of->noun, noun) == 0)
            n += of->n - of->n_shown + (uint64_t)of->more;
    }
    return n;
}

/* Writes how much does not fit. */
static void put_cut(brz_writer *w, const summary *s, uint64_t budget)
{
    static const char *const nouns[] = {"functions", "paths"};
    bool is_begun = false;
    for (uint32_t i = 0; i < BRZ_COUNT_OF(nouns); i++) {
        uint64_t n = rows_cut(s, nouns[i]);
        if (n == 0)
            continue;
        if (is_begun) {
            BRZ_PUT(w, " and ");
        } else {
            BRZ_PUT(w, "\nCut to ");
            put_count(w, budget);
            BRZ_PUT(w, " bytes: without ");
        }
        is_begun = true;
        put_count(w, n);
        brz_put_char(w, ' ');
        brz_put_text(w, nouns[i]);
    }
    if (s->n_notes_cut > 0)
        brz_put_text(w, is_begun ? " and notes" : "\nCut: notes about the input");
    brz_put(w, "\n", is_begun || s->n_notes_cut > 0);
}

static void put_all(brz_writer *w, const summary *s, uint64_t budget)
{
    BRZ_PUT(w, "### ");
    brz_put_str(w, s->title);
    BRZ_PUT(w, "\n\n");
    brz_put_str(w, s->totals);
    for (uint32_t i = 0; i < s->n_sections; i++)
        put_section(w, &s->sections[i]);
    put_note(w, "Quality of the recording: ", s->findings);
    put_note(w, "Left out of the input: ", s->left_out);
    put_cut(w, s, budget);
}

/* ---- size ---------------------------------------------------------------------------------- */

/* A sink that counts bytes. */
typedef struct counter {
    brz_sink sink;
    uint64_t n;
} counter;

static brz_rc count_bytes(brz_sink *sink, const void *data, size_t len)
{
    (void)data;
    ((counter *)sink)->n += len;
    return BRZ_OK;
}

/* Returns the size of the summary in bytes. */
static uint64_t size_of(const summary *s, uint64_t budget)
{
    counter c = {.sink = {.struct_size = sizeof c.sink, .write = count_bytes}};
    brz_writer w;
    brz_writer_init(&w, s->ctx, &c.sink);
    put_all(&w, s, budget);
    brz_writer_finish(&w);
    return c.n;
}

/* Drops the last row of the section that shows most, of several the last one. Returns its size; 0
 * if there is no row. */
static uint64_t drop_row(summary *s)
{
    section *longest = NULL;
    for (uint32_t i = 0; i < s->n_sections; i++)
        if (s->sections[i].n_shown > 0 &&
            (longest == NULL || s->sections[i].n_shown >= longest->n_shown))
            longest = &s->sections[i];
    return longest == NULL ? 0 : longest->rows[--longest->n_shown].len;
}

/* Drops the longest note. Returns false if no note is left. */
static bool drop_note(summary *s)
{
    brz_str *longest = s->findings.len >= s->left_out.len ? &s->findings : &s->left_out;
    if (longest->len == 0)
        return false;
    *longest = brz_str_of("", 0);
    s->n_notes_cut++;
    return true;
}

/* Drops what does not fit into the budget. */
static void fit(summary *s, uint64_t budget)
{
    uint64_t size = size_of(s, budget);
    while (size > budget) {
        uint64_t freed = drop_row(s);
        if (freed == 0 && !drop_note(s))
            return;
        size =
            freed > 0 && freed <= size && size - freed > budget ? size - freed : size_of(s, budget);
    }
}

brz_rc summary_write(summary *s, uint64_t budget)
{
    fit(s, budget);
    put_all(&s->w, s, budget);
    return brz_writer_finish(&s->w);
}
