/* Limits how much processor time calls into plug-ins take.
 *
 * A call over its budget ends the process, with a message that names the plug-in, as a crash does.
 * Time that a plug-in sleeps is not counted. Only a process that asked for it has budgets, and only
 * on Linux.
 */
#ifndef BRZ_BUDGET_H
#define BRZ_BUDGET_H

#include <stdbool.h>
#include <time.h>

/* Installs the handler for the process; `seconds` is the budget of each call. For the main program.
 * SIGXCPU for another reason, as a limit on the whole process, ends it after `clean_up`. */
void brz_budget_install(unsigned seconds, void (*clean_up)(void));

/* A thread's timer. */
typedef struct brz_budget {
    timer_t timer;
    bool armed; /* false: calls are not limited */
} brz_budget;

/* Begins a series of calls by this thread. */
brz_budget brz_budget_begin(void);

/* Grants the next call a budget of its own. */
void brz_budget_renew(const brz_budget *b);

void brz_budget_end(const brz_budget *b);

#endif
