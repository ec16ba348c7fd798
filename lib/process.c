/* SPDX-License-Identifier: MIT */
/* Functions that affect the whole process, only when a program calls them. */
#include <brazier.h>

#include <stdatomic.h>

#include "plugin/crash.h"
#include "plugin/process_state.h"
#include "base/mem.h"
#include "base/temporary.h"

static brazier_out_of_memory_fn *_Atomic last_words;

/* Calls the program's function, or else the crash handlers' report. Clears the blame first: a
 * plug-in that needed the memory is not at fault, even if the program calls exit(). */
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
    brz_process_state_restore(); /* names of temporary files may be relative */
    brz_temporaries_discard();
}

void brazier_catch_crashes(void)
{
    brz_crash_install(brz_temporaries_discard);
    brz_set_out_of_memory(end_without_memory);
}
