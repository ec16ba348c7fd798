/* Where the numbers of ramp palettes come from. */
#include "ramp.h"

static const char *const choices[] = {"random", "hash", "deterministic", NULL};

const brz_option ramp_option_table[] = {
    {.name = "numbers",
     .type = BRZ_OPTION_ENUM,
     .offset = offsetof(ramp_options, numbers),
     .dflt = "random",
     .help = "what a colour varies by: a random sequence, the ends of the name, or all of it",
     .choices = choices},
};

brz_numbers ramp_numbers(const brz_ctx *ctx, const brz_color_in *in)
{
    const ramp_options *o = ctx->cfg;
    if (o->numbers == NUMBERS_HASH)
        return brz_numbers_hash(in->frame->name);
    if (o->numbers == NUMBERS_DETERMINISTIC)
        return brz_numbers_fnv(in->frame->name);
    return brz_numbers_random(in->seed);
}
