/* SPDX-License-Identifier: MIT */
/* Defines the ramps and selects the source of their numbers. */
#include "ramp.h"

#include <brazier/symbol.h>
#include <brazier/xml.h>

const char *const ramp_numbers_choices[] = {"random", "hash", "deterministic", "sum", NULL};

const brz_option ramp_option_table[] = {
    {.name = "numbers",
     .type = BRZ_OPTION_ENUM,
     .offset = offsetof(ramp_options, numbers),
     .dflt = "random",
     .help =
         "source of variation: random sequence, ends of the name, the whole name, or the sum of "
         "its characters",
     .choices = ramp_numbers_choices},
};

brz_numbers ramp_numbers(int32_t source, const brz_color_in *in)
{
    if (source == NUMBERS_HASH)
        return brz_numbers_hash(in->frame->name);
    if (source == NUMBERS_DETERMINISTIC)
        return brz_numbers_fnv(in->frame->name);
    return brz_numbers_random(in->seed);
}

/* A colour channel: base + floor(range * v[of]). */
typedef struct part {
    uint8_t base, range, of;
} part;

typedef struct ramp_parts {
    const char *name;
    part red, green, blue;
} ramp_parts;

static const ramp_parts ramps[RAMP_COUNT] = {
    [RAMP_HOT] = {"hot", {205, 50, 2}, {0, 230, 0}, {0, 55, 1}},
    [RAMP_MEM] = {"mem", {0, 0, 0}, {190, 50, 1}, {0, 210, 0}},
    [RAMP_IO] = {"io", {80, 60, 0}, {80, 60, 0}, {190, 55, 1}},
    [RAMP_RED] = {"red", {200, 55, 0}, {50, 80, 0}, {50, 80, 0}},
    [RAMP_GREEN] = {"green", {50, 60, 0}, {200, 55, 0}, {50, 60, 0}},
    [RAMP_BLUE] = {"blue", {80, 60, 0}, {80, 60, 0}, {205, 50, 0}},
    [RAMP_YELLOW] = {"yellow", {175, 55, 0}, {175, 55, 0}, {50, 20, 0}},
    [RAMP_PURPLE] = {"purple", {190, 65, 0}, {80, 60, 0}, {190, 65, 0}},
    [RAMP_AQUA] = {"aqua", {50, 60, 0}, {165, 55, 0}, {165, 55, 0}},
    [RAMP_ORANGE] = {"orange", {190, 65, 0}, {90, 65, 0}, {0, 0, 0}},
};

static uint32_t value_of(const part *p, const brz_numbers *n)
{
    return p->base + (uint32_t)((float)p->range * n->v[p->of]);
}

uint32_t ramp_color(ramp r, const brz_numbers *n)
{
    const ramp_parts *p = &ramps[r];
    return BRZ_RGB(value_of(&p->red, n), value_of(&p->green, n), value_of(&p->blue, n));
}

bool ramp_find(brz_str name, ramp *r)
{
    for (size_t i = 0; i < RAMP_COUNT; i++) {
        *r = (ramp)i;
        if (brz_str_is(name, ramps[i].name))
            return true;
    }
    return false;
}

/* ---- sums ---------------------------------------------------------------------------------- */

/* Returns the sum of a text's code points, modulo 2^32. */
static uint32_t sum_of(brz_str text)
{
    uint32_t sum = 0;
    for (size_t i = 0, n; i < text.len; i += n) {
        n = brz_utf8_step(brz_str_of(text.data + i, text.len - i));
        unsigned char first = (unsigned char)text.data[i];
        uint32_t c = n == 1 ? first : first & (0xffu >> (n + 1));
        for (size_t k = 1; k < n; k++)
            c = c << 6 | ((unsigned char)text.data[i + k] & 0x3fu);
        sum += c;
    }
    return sum;
}

/* Returns the first number of the 48-bit generator of drand48() for a seed: Perl's rand(1) after
 * srand(seed). */
static double first_number(uint32_t seed)
{
    const uint64_t modulus = UINT64_C(1) << 48;
    uint64_t x = ((uint64_t)seed << 16 | 0x330e) % modulus;
    x = (x * UINT64_C(0x5deece66d) + 0xb) % modulus;
    return (double)x / (double)modulus;
}

static uint32_t value_at(const part *p, double number)
{
    return p->base + (uint32_t)(p->range * number);
}

/* FlameGraph's colours: one number, in double precision, from the sum of the name's characters. */
static uint32_t color_by_sum(ramp r, uint32_t sum)
{
    const ramp_parts *p = &ramps[r];
    double number = first_number(sum);
    return BRZ_RGB(value_at(&p->red, number), value_at(&p->green, number),
                   value_at(&p->blue, number));
}

uint32_t ramp_answer_with(const brz_palette_ctx *ctx, const brz_color_in *in, ramp r,
                          brz_str suffix)
{
    const ramp_options *o = ctx->cfg;
    if (o->numbers == NUMBERS_SUM)
        return color_by_sum(r, sum_of(in->frame->name) + sum_of(suffix));
    brz_numbers n = ramp_numbers(o->numbers, in);
    return ramp_color(r, &n);
}

uint32_t ramp_answer(const brz_palette_ctx *ctx, const brz_color_in *in, ramp r)
{
    return ramp_answer_with(ctx, in, r, BRZ_STR(""));
}
