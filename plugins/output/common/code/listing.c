/* SPDX-License-Identifier: MIT */
/* Merges the instructions of a function with the places at which stacks end. */
#include "listing.h"

#include <stdlib.h>
#include <string.h>

#include "../calls.h"

/* Marks of a byte of the code. */
enum { IS_TARGET = 1, IS_SHOWN = 2 };

typedef struct listing {
    const hot_function *function;
    disassembler *decoder;
    listing_options options;
    uint8_t *marks;   /* by offset */
    uint32_t *starts; /* offsets of the instructions */
    size_t n;         /* of them */
    size_t next;      /* the next place */
    int64_t *selves;  /* of the row, by column; NULL if they are not collected */
} listing;

/* ---- places ---------------------------------------------------------------------------------- */

static uint64_t shown_address(const hot_function *f, const hot_place *p)
{
    return f->code == NULL ? p->address : f->code->shown + (p->address - f->code->address);
}

/* Adds a place to a row, whose source line is that of its heaviest place. */
static void add_place(const listing *l, listing_row *row, const hot_place *p, int64_t *heaviest)
{
    row->self = add_saturated(row->self, p->self);
    for (uint32_t i = 0; i < l->function->n_selves; i++)
        l->selves[i] = add_saturated(l->selves[i], p->selves[i]);
    int64_t size = p->self < 0 ? -(p->self + 1) : p->self;
    if (size <= *heaviest && *heaviest >= 0)
        return;
    *heaviest = size;
    row->file = p->file;
    row->line = p->line;
}

/* Adds the places before an offset of the code to a row. */
static void take_places(listing *l, listing_row *row, uint64_t end)
{
    const hot_function *f = l->function;
    int64_t heaviest = -1;
    if (f->n_selves > 0)
        memset(l->selves, 0, f->n_selves * sizeof *l->selves);
    row->selves = l->selves;
    for (; l->next < f->n_places && f->places[l->next].address - f->code->address < end; l->next++)
        add_place(l, row, &f->places[l->next], &heaviest);
}

/* Passes on a row for each place. */
static void walk_places(const hot_function *f, listing_fn *take, void *context)
{
    for (size_t i = 0; i < f->n_places; i++) {
        const hot_place *p = &f->places[i];
        const listing_row row = {.shown = shown_address(f, p),
                                 .self = p->self,
                                 .selves = p->selves,
                                 .file = p->file,
                                 .line = p->line};
        take(context, &row);
    }
}

/* ---- instructions ---------------------------------------------------------------------------- */

/* Marks the targets of jumps, and lists where instructions begin. */
static void find_starts(listing *l)
{
    code_instruction i;
    while (disassembler_next(l->decoder, &i)) {
        l->starts[l->n++] = (uint32_t)i.offset;
        if (i.is_jump)
            l->marks[i.target] |= IS_TARGET;
    }
    disassembler_rewind(l->decoder);
}

/* Marks the instructions around that of an index as shown. */
static void show_around(listing *l, size_t index)
{
    size_t around = (size_t)l->options.around;
    for (size_t i = index > around ? index - around : 0; i < l->n && i <= index + around; i++)
        l->marks[l->starts[i]] |= IS_SHOWN;
}

/* Marks the instructions that are shown. */
static void choose_shown(listing *l)
{
    const hot_function *f = l->function;
    size_t index = 0;
    for (size_t k = 0; k < f->n_places && l->n > 0 && l->options.around >= 0; k++) {
        uint64_t offset = f->places[k].address - f->code->address;
        while (index + 1 < l->n && l->starts[index + 1] <= offset)
            index++;
        show_around(l, index);
    }
}

static void walk_instructions(listing *l, listing_fn *take, void *context)
{
    code_instruction i;
    uint64_t skipped = 0;
    while (disassembler_next(l->decoder, &i)) {
        listing_row row = {.shown = l->function->code->shown + i.offset,
                           .mnemonic = i.mnemonic,
                           .operands = i.operands,
                           .is_target = (l->marks[i.offset] & IS_TARGET) != 0,
                           .is_jump = i.is_jump,
                           .target = l->function->code->shown + i.target,
                           .skipped = skipped};
        take_places(l, &row, i.offset + i.size);
        bool is_shown = l->options.around < 0 || (l->marks[i.offset] & IS_SHOWN) != 0;
        skipped = is_shown ? 0 : skipped + 1;
        if (is_shown)
            take(context, &row);
    }
}

const char *listing_walk(brz_output_ctx *ctx, const hot_function *f, listing_options options,
                         listing_fn *take, void *context)
{
    bool has_addresses = f->n_places > 0 && f->places[f->n_places - 1].address != 0;
    const char *why = has_addresses ? "the code of this function is not known" : NULL;
    listing l = {.function = f, .options = options};
    if (f->code != NULL)
        l.decoder = disassembler_open(ctx, f->code, options.syntax, &why);
    if (l.decoder == NULL) {
        walk_places(f, take, context);
        return why;
    }
    l.marks = calloc(f->code->bytes.len, sizeof *l.marks);
    l.starts = calloc(f->code->bytes.len, sizeof *l.starts);
    l.selves = f->n_selves == 0 ? NULL : calloc(f->n_selves, sizeof *l.selves);
    if (l.marks != NULL && l.starts != NULL && (l.selves != NULL || f->n_selves == 0)) {
        find_starts(&l);
        choose_shown(&l);
        walk_instructions(&l, take, context);
    }
    free(l.marks);
    free(l.starts);
    free(l.selves);
    disassembler_close(l.decoder);
    return NULL;
}
