/* Names the states of threads. */
#include "thread_state.h"

#include <brazier/symbol.h>

#include <string.h>

/* The states: the letter of the kernel, the text of the label, the name of the frame. */
static const struct {
    char letter;
    const char *label, *frame;
} states[OFF_CPU_N_STATES] = {
    [OFF_CPU_PREEMPTED] = {'R', "R (preempted)", "[preempted]"},
    [OFF_CPU_RUNNABLE] = {'W', "R (runnable)", "[runnable]"},
    [OFF_CPU_SLEEPING] = {'S', "S (sleeping)", "[sleeping]"},
    [OFF_CPU_DISK_SLEEP] = {'D', "D (disk sleep)", "[disk sleep]"},
    [OFF_CPU_STOPPED] = {'T', "T (stopped)", "[stopped]"},
    [OFF_CPU_TRACED] = {'t', "t (tracing stop)", "[tracing stop]"},
    [OFF_CPU_DEAD] = {'X', "X (dead)", "[dead]"},
    [OFF_CPU_ZOMBIE] = {'Z', "Z (zombie)", "[zombie]"},
    [OFF_CPU_PARKED] = {'P', "P (parked)", "[parked]"},
    [OFF_CPU_IDLE] = {'I', "I (idle)", "[idle]"},
    [OFF_CPU_BLOCKED] = {0, "blocked", "[blocked]"},
};

off_cpu_state off_cpu_state_of(char letter)
{
    for (uint32_t i = 0; i < OFF_CPU_BLOCKED; i++)
        if (states[i].letter == letter)
            return (off_cpu_state)i;
    return OFF_CPU_BLOCKED;
}

brz_str off_cpu_state_label(off_cpu_state state)
{
    return brz_str_of_text(states[state].label);
}

brz_str off_cpu_state_frame(off_cpu_state state)
{
    return brz_str_of_text(states[state].frame);
}
