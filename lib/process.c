/* What is for the process as a whole, and done only when a program asks for it. */
#include <brazier.h>

#include "plugin/crash.h"
#include "base/mem.h"
#include "draw/temporary.h"

void brazier_on_out_of_memory(brazier_out_of_memory_fn *f)
{
    brz_set_out_of_memory(f);
}

void brazier_discard_unfinished(void)
{
    brz_temporaries_discard();
}

void brazier_catch_crashes(void)
{
    brz_crash_install(brz_temporaries_discard);
}
