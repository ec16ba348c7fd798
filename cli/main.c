/* SPDX-License-Identifier: MIT */
/* The program: prepares the process and runs its command line. */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cli.h"
#include "command_line.h"
#include "interrupt.h"
#include "process_state.h"
#include "base/memory_use.h"
#include "base/terminal_guard.h"
#include "plugin/budget.h"
#include "plugin/crash.h"

/* Reports exhausted memory and ends the program at once: another thread may hold a lock that exit()
 * needs. */
static void say_out_of_memory(size_t wanted)
{
    static atomic_flag said = ATOMIC_FLAG_INIT;
    while (atomic_flag_test_and_set(&said))
        pause(); /* another thread reports it */
    brz_terminal_give_back();
    fputs("brazier: error: out of memory", stderr);
    unsigned long long limit = brz_memory_limit();
    if (wanted > 0 && limit > 0)
        fprintf(stderr, " (%zu bytes wanted, max-memory is %llu)", wanted, limit);
    else if (wanted > 0)
        fprintf(stderr, " (%zu bytes wanted)", wanted);
    else if (limit > 0)
        fprintf(stderr, " (max-memory is %llu)", limit);
    fputs("\n", stderr);
    brazier_discard_unfinished();
    _exit(CLI_FAILED);
}

/* Opens standard descriptors that the parent process closed. Otherwise a file opened later would
 * take their number, and messages would go to an output. Using such a descriptor fails like using a
 * closed one. */
static void hold_standard_streams(void)
{
    struct pollfd streams[] = {{.fd = STDIN_FILENO}, {.fd = STDOUT_FILENO}, {.fd = STDERR_FILENO}};
    if (poll(streams, BRZ_COUNT_OF(streams), 0) <= 0)
        return; /* none is closed */
    for (size_t i = 0; i < BRZ_COUNT_OF(streams); i++)
        if (streams[i].revents & POLLNVAL)
            open("/dev/null", streams[i].fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/* Returns a number of milliseconds that a variable of the environment sets in seconds, or a
 * default. */
static unsigned milliseconds_of(const char *variable, unsigned usual)
{
    const char *wish = getenv(variable);
    double seconds = wish == NULL ? 0 : strtod(wish, NULL);
    return seconds >= 0.001 && seconds <= 1e6 ? (unsigned)(seconds * 1000 + 0.5) : usual;
}

/* Time limit of a sniffer in milliseconds: ten thousand times the limit of the contract. */
#define SNIFF_TIME 10000

/* Time that a run has to stop, in milliseconds. */
#define STOP_TIME 500

static struct timeval stop_time(void)
{
    unsigned time = milliseconds_of("BRAZIER_STOP_SECONDS", STOP_TIME);
    return (struct timeval){.tv_sec = time / 1000, .tv_usec = time % 1000 * 1000L};
}

/* Installs handlers. Returns true if the parent process expects SIGPIPE to end this program. */
static bool install_handlers(void)
{
    cli_interrupt_install(stop_time());
    brazier_on_out_of_memory(say_out_of_memory);
    atexit(brazier_discard_unfinished); /* for every kind of exit */
    brazier_catch_crashes();
    brz_crash_claim_process();
    cli_process_state_install();
    brz_budget_install(milliseconds_of("BRAZIER_SNIFF_SECONDS", SNIFF_TIME),
                       brazier_discard_unfinished);
    signal(SIGXFSZ, SIG_IGN); /* a file that is too large is an error of write() */
    return signal(SIGPIPE, SIG_IGN) != SIG_IGN; /* so is a closed pipe */
}

/* Bytes at the beginning of the heap that every run uses. */
#define HEAP_BEGINNING ((size_t)84 << 10)

/* Fills in the pages of the beginning of the heap with one system call, which takes less time than
 * a fault for each of them. */
static void prepare_heap(void)
{
#ifdef MADV_POPULATE_WRITE
    char *first = malloc(1);
    uintptr_t start = (uintptr_t)first & ~(uintptr_t)4095; /* larger pages stay as they are */
    if (first != NULL && start + HEAP_BEGINNING <= (uintptr_t)sbrk(0))
        madvise((void *)start, HEAP_BEGINNING, MADV_POPULATE_WRITE);
    free(first);
#endif
}

int main(int argc, char **argv)
{
    (void)argc;
    prepare_heap();
    brz_console console = {.out = stderr, .color = isatty(STDERR_FILENO) != 0};
    bool has_pipe_signal = install_handlers();
    hold_standard_streams();
    return cli_interrupt_status(cli_command_line_run(argv, &console, has_pipe_signal));
}
