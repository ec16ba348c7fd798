/* Defines the ramps and selects the source of their numbers. */
#include "ramp.h"

#include <brazier/symbol.h>

const char *const ramp_numbers_choices[] = {"random", "hash", "deterministic", NULL};

const brz_option ramp_option_table[] = {
    {.name = "numbers",
     .type = BRZ_OPTION_ENUM,
     .offset = offsetof(ramp_options, numbers),
     .dflt = "random",
     .help = "source of variation: random sequence, ends of the name, or the whole name",
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
        if (brz_str_equal(name, brz_str_of(ramps[i].name, strlen(ramps[i].name))))
            return true;
    }
    return false;
}

uint32_t ramp_answer(const brz_ctx *ctx, const brz_color_in *in, ramp r)
{
    const ramp_options *o = ctx->cfg;
    brz_numbers n = ramp_numbers(o->numbers, in);
    return ramp_color(r, &n);
}
