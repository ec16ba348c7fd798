/* SPDX-License-Identifier: MIT */
/* Limits the processor time of calls into plug-ins.
 *
 * A call that exceeds its budget ends the process, like a crash, with a message that names the
 * plug-in. Time during which a plug-in sleeps does not count. Budgets apply only to processes that
 * install them, and only on Linux.
 */
#ifndef BRZ_BUDGET_H
#define BRZ_BUDGET_H

#include <stdbool.h>
#include <time.h>

/* Installs the handler for the process; for the main program. `milliseconds` is the budget of each
 * call. SIGXCPU for another reason, such as a limit on the whole process, ends the process after
 * calling `clean_up`. */
void brz_budget_install(unsigned milliseconds, void (*clean_up)(void));

/* A thread's timer. */
typedef struct brz_budget {
    timer_t timer;
    bool armed; /* false: calls are not limited */
} brz_budget;

/* Begins a series of calls by this thread; end it with brz_budget_end(). */
brz_budget brz_budget_begin(void);

/* Restarts the budget for the next call. */
void brz_budget_renew(const brz_budget *b);

void brz_budget_end(const brz_budget *b);

#endif
