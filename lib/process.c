/* What is for the process as a whole, and done only when a program asks for it. */
#include <brazier.h>

#include <stdatomic.h>

#include "plugin/crash.h"
#include "base/mem.h"
#include "draw/temporary.h"

static brazier_out_of_memory_fn *_Atomic last_words;

/* Lets the program speak, or else the handlers of crashes. A plug-in that needed the memory is not
 * to blame, even if the program calls exit(). */
static void end_without_memory(size_t wanted)
{
    brazier_out_of_memory_fn *f = atomic_load(&last_words);
    if (f == NULL)
        brz_crash_out_of_memory(wanted);
    brz_call_excuse();
    if (f != NULL)
        f(wanted);
}

void brazier_on_out_of_memory(brazier_out_of_memory_fn *f)
{
    atomic_store(&last_words, f);
    brz_set_out_of_memory(end_without_memory);
}

void brazier_discard_unfinished(void)
{
    brz_temporaries_discard();
}

void brazier_catch_crashes(void)
{
    brz_crash_install(brz_temporaries_discard);
    brz_set_out_of_memory(end_without_memory);
}
