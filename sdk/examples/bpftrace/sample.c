/* SPDX-License-Identifier: MIT */
/* Assembles samples: collects roots and stacks in the order printed, and builds the stack from
 * them.
 *
 *     scalars of the key, user stacks, kernel stacks        (root on the left)
 *
 * Stacks are printed leaf first, so the later one is nearer to the root.
 */
#include "reader.h"

#include <brazier/symbol.h>

void sample_begin(bpftrace *b)
{
    b->n_found = b->n_parts = b->n_roots = 0;
}

static bool is_number(brz_str s)
{
    bool digit = false;
    for (size_t i = 0; i < s.len; i++) {
        if (s.data[i] >= '0' && s.data[i] <= '9')
            digit = true;
        else if (strchr(":.,+-", s.data[i]) == NULL || s.data[i] == '\0')
            return false;
    }
    return digit;
}

static void push_root(bpftrace *b, brz_ctx *ctx, brz_str name)
{
    b->roots = brz_list_room(ctx, b->roots, b->n_roots, &b->roots_cap, sizeof *b->roots);
    b->roots[b->n_roots++] = root_frame(b, ctx, name);
}

/* Returns the words of a text that are not numbers, in `scratch`. */
static brz_str without_numbers(bpftrace *b, brz_ctx *ctx, brz_str text)
{
    b->scratch.len = 0;
    for (size_t i = 0; i < text.len;) {
        size_t start = i;
        while (i < text.len && text.data[i] != ' ')
            i++;
        brz_str word = brz_str_of(text.data + start, i - start);
        i += i < text.len;
        if (word.len == 0 || is_number(word))
            continue;
        if (b->scratch.len > 0)
            brz_text_append(&b->scratch, ctx, BRZ_STR(" "));
        brz_text_append(&b->scratch, ctx, word);
    }
    return brz_text_str(&b->scratch);
}

/* Adds a scalar of the key. */
void sample_root(bpftrace *b, brz_ctx *ctx, brz_str text)
{
    if (b->options->roots == ROOTS_ALL || (b->options->roots == ROOTS_NAMES && !is_number(text)))
        push_root(b, ctx, text);
}

/* Adds the header of an event: a line of words and numbers. */
void sample_header(bpftrace *b, brz_ctx *ctx, brz_str text)
{
    if (b->options->roots == ROOTS_NAMES)
        text = without_numbers(b, ctx, text);
    if (b->options->roots != ROOTS_NONE && text.len > 0)
        push_root(b, ctx, text);
}

/* Begins a stack; it stays empty unless frames follow. */
void sample_stack(bpftrace *b, brz_ctx *ctx)
{
    b->parts = brz_list_room(ctx, b->parts, b->n_parts, &b->parts_cap, sizeof *b->parts);
    b->parts[b->n_parts++] = (stack){.first = b->n_found};
}

/* Adds a line to the last stack. */
void sample_frame(bpftrace *b, brz_ctx *ctx, brz_str line)
{
    line = brz_trim(line);
    if (line.len == 0)
        return;
    if (b->n_parts == 0)
        sample_stack(b, ctx);
    uint32_t number = symbol_of(b, ctx, line);
    stack *s = &b->parts[b->n_parts - 1];
    b->found = brz_list_room(ctx, b->found, b->n_found, &b->found_cap, sizeof *b->found);
    b->found[b->n_found++] = number;
    s->n++;
    s->evidence |= b->symbols[number].evidence;
}

/* ---- sides ----------------------------------------------------------------------------------- */

static uint32_t side_by_evidence(uint32_t evidence)
{
    if (evidence & (KERNEL_ADDRESS | KERNEL_NAME))
        return SIDE_KERNEL;
    return evidence != 0 ? SIDE_USER : SIDE_UNKNOWN;
}

/* Guesses sides without evidence. If there are several stacks, usually the first one is the
 * kernel's: it is, unless the others have evidence for the kernel. A single stack may have either
 * side. */
static void guess_sides(bpftrace *b)
{
    bool kernel = false;
    for (size_t i = 0; i < b->n_parts; i++) {
        b->parts[i].side = side_by_evidence(b->parts[i].evidence);
        kernel |= b->parts[i].side == SIDE_KERNEL;
    }
    for (size_t i = 0; i < b->n_parts && b->n_parts > 1; i++) {
        stack *s = &b->parts[i];
        if (s->side != SIDE_UNKNOWN)
            continue;
        bool first_is_user = i > 0 && b->parts[0].side == SIDE_USER && b->parts[0].n > 0;
        s->side = !kernel && (i == 0 || first_is_user) ? SIDE_KERNEL : SIDE_USER;
        kernel |= s->side == SIDE_KERNEL;
    }
}

static void decide_sides(bpftrace *b)
{
    uint32_t first, others;
    switch (b->options->stacks) {
    case STACKS_KERNEL:
        first = others = SIDE_KERNEL;
        break;
    case STACKS_USER:
        first = others = SIDE_USER;
        break;
    case STACKS_KERNEL_USER:
        first = SIDE_KERNEL;
        others = SIDE_USER;
        break;
    case STACKS_USER_KERNEL:
        first = SIDE_USER;
        others = SIDE_KERNEL;
        break;
    default:
        guess_sides(b);
        return;
    }
    for (size_t i = 0; i < b->n_parts; i++)
        b->parts[i].side = i == 0 ? first : others;
}

/* ---- end of a sample ------------------------------------------------------------------------- */

static void push_stacks(bpftrace *b, brz_ctx *ctx, bool kernel)
{
    for (size_t i = b->n_parts; i-- > 0;) {
        const stack *s = &b->parts[i];
        if ((s->side == SIDE_KERNEL) != kernel)
            continue;
        for (size_t k = s->n; k-- > 0;)
            brz_path_push(b->stacks.path, ctx,
                          symbol_frame(b, ctx, b->found[s->first + k], s->side));
    }
}

/* Leaves out an entry without frames. */
static void leave_out_frameless(bpftrace *b, brz_str map, int64_t value)
{
    b->n_frameless++;
    b->n_empty += b->n_parts > 0;
    if (b->n_parts == 0 || !b->prelude->one_map || !brz_str_equal(map, b->prelude->map))
        return;
    b->n_empty_weighed++;
    brz_stacks_sum(&b->stacks, &b->empty_weight, value);
}

/* Counts the sample. A map entry without a stack in its key is usually not a sample but a variable
 * of the script. */
brz_rc sample_end(bpftrace *b, brz_ctx *ctx, brz_str map, int64_t value)
{
    if (value == 0)
        return BRZ_OK;
    if ((b->n_parts == 0 || (b->n_found == 0 && b->n_roots == 0)) && !b->options->frameless) {
        leave_out_frameless(b, map, value);
        return BRZ_OK;
    }
    decide_sides(b);
    brz_path_cut(b->stacks.path, 0);
    for (size_t i = 0; i < b->n_roots; i++)
        brz_path_push(b->stacks.path, ctx, b->roots[i]);
    push_stacks(b, ctx, false);
    push_stacks(b, ctx, true);
    if (b->stacks.path->n == 0)
        brz_path_push(b->stacks.path, ctx, ctx->host->intern(ctx, "[no stack]", 10));
    return brz_stacks_count(&b->stacks, ctx, map_weight(b, ctx, map), value);
}
