/* SPDX-License-Identifier: MIT */
/* Reports which plug-in was doing what with which input when the process crashed. */
#include "plugin/crash.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "plugin/calls.h"
#include "plugin/loaded.h"
#include "plugin/process_state.h"
#include "base/mem.h"
#include "base/memory_use.h"
#include "base/terminal_guard.h"
#include "base/thread.h"
#include "input/mapping.h"
#include "base/system_call.h"

/* ---- blame
 * ------------------------------------------------------------------------------------ */

static bool installed, claimed;
static pid_t process; /* process in which the handlers were installed */

/* Returns the call that is responsible for what happens on this thread, or NULL. */
static const brz_call *find_culprit(void)
{
    const brz_call *c = brz_call_current();
    bool is_foreign = claimed && !brz_thread_is_own() && !brz_calls_are_shown();
    return c == NULL && is_foreign ? brz_call_any() : c;
}

/* The maximum number of threads so far; 0 while no handler is installed. */
static atomic_size_t most_threads;

static void on_exit_within_call(void);

/* Registers one exit handler per thread: several threads may call exit(), and each handler runs
 * only once. */
static void show_calls(void)
{
    size_t thread = brz_calls_show(), before = atomic_load(&most_threads);
    while (installed && before <= thread)
        if (atomic_compare_exchange_weak(&most_threads, &before, before + 1)) {
            atexit(on_exit_within_call);
            before++;
        }
}

/* ---- messages ------------------------------------------------------------------------------ */

/* A text that is built without stdio, which signal handlers must not use. */
typedef struct message {
    char text[1024];
    size_t len;
} message;

static void add(message *m, const char *text)
{
    size_t n = strlen(text);
    if (n > sizeof m->text - m->len)
        n = sizeof m->text - m->len;
    memcpy(m->text + m->len, text, n);
    m->len += n;
}

static void add_number(message *m, uint64_t v)
{
    char digits[24];
    size_t i = sizeof digits - 1;
    digits[i] = '\0';
    do {
        digits[--i] = (char)('0' + v % 10);
        v /= 10;
    } while (v > 0);
    add(m, digits + i);
}

/* Appends a time in seconds, with as many decimals as it needs. */
static void add_seconds(message *m, unsigned milliseconds)
{
    unsigned rest = milliseconds % 1000;
    char decimals[] = {'.', (char)('0' + rest / 100), (char)('0' + rest / 10 % 10),
                       (char)('0' + rest % 10), '\0'};
    for (size_t i = 3; i > 0 && decimals[i] == '0'; i--)
        decimals[i] = '\0';
    add_number(m, milliseconds / 1000);
    add(m, rest > 0 ? decimals : "");
    add(m, milliseconds == 1000 ? " second" : " seconds");
}

static const char *signal_name(int sig)
{
    static const char *const names[NSIG] = {
        [SIGSEGV] = "segmentation fault",
        [SIGBUS] = "bus error",
        [SIGFPE] = "arithmetic error",
        [SIGILL] = "illegal instruction",
        [SIGTRAP] = "trap",
        [SIGSYS] = "forbidden system call",
    };
    return names[sig] != NULL ? names[sig] : "abort";
}

/* Appends "NAME 0.3 (/path)", or only the path of a plug-in that is being loaded. */
static void add_plugin(message *m, const brz_loaded *p)
{
    add(m, " in plug-in ");
    if (p->plugin != NULL) {
        add(m, p->plugin);
        add(m, " ");
        add(m, p->version);
        add(m, " (");
    }
    add(m, p->path);
    add(m, p->plugin != NULL ? ")" : "");
}

static void add_call(message *m, const brz_call *c)
{
    add_plugin(m, c->plugin);
    add(m, ", ");
    add(m, c->phase);
    if (c->len > 0) {
        add(m, ", bytes ");
        add_number(m, c->offset);
        add(m, "-");
        add_number(m, c->offset + c->len);
    }
    if (c->input != NULL) {
        add(m, " of ");
        add(m, c->input);
    }
}

/* Appends advice. Suggests isolation for collapsers unless it is in use. */
static void add_advice(message *m, const brz_call *c, bool isolated)
{
    const brz_component *what = c->plugin->component;
    add(m, "--no-plugins runs without third-party plug-ins");
    if (!isolated && what != NULL && what->kind == BRZ_COLLAPSER)
        add(m, ", with --isolate only the input is lost");
    if (c->plugin->bugs_url != NULL) {
        add(m, "; report to ");
        add(m, c->plugin->bugs_url);
    }
}

static void (*before_the_end)(void);
static brz_crash_note *diverted;

static void leave_note(const message *what, const brz_call *c)
{
    brz_crash_note *note = diverted;
    message advice = {.len = 0};
    if (c != NULL)
        add_advice(&advice, c, true);
    memcpy(note->text, what->text, what->len);
    note->len = (uint32_t)what->len;
    note->advice_len =
        (uint32_t)(advice.len < sizeof note->advice ? advice.len : sizeof note->advice);
    memcpy(note->advice, advice.text, note->advice_len);
    note->is_reported = true;
}

static void print(const message *what, const brz_call *c)
{
    message m = {.len = 0};
    add(&m, "brazier: error: ");
    message rest = *what;
    rest.text[rest.len < sizeof rest.text ? rest.len : sizeof rest.text - 1] = '\0';
    add(&m, rest.text);
    if (c != NULL) {
        add(&m, "\nbrazier: note: ");
        add_advice(&m, c, false);
    }
    add(&m, "\n");
    ssize_t ignored = write(STDERR_FILENO, m.text, m.len);
    (void)ignored;
}

static void report_and_clean_up(const message *what, const brz_call *c)
{
    brz_terminal_give_back();
    if (diverted != NULL)
        leave_note(what, c);
    else
        print(what, c);
    brz_process_state_restore(); /* names of temporary files may be relative */
    if (before_the_end != NULL)
        before_the_end();
}

/* ---- crashes ------------------------------------------------------------------------------- */

/* Returns whether the signal was caused by a mapped input file that was truncated. */
static bool is_input_gone(const siginfo_t *info, const brz_call *c)
{
    return info->si_signo == SIGBUS && info->si_code == BUS_ADRERR && (c == NULL || c->len > 0);
}

/* Reports a process that did not stop when asked by its parent or the user. */
void brz_crash_report_hang(void)
{
    const brz_call *c = brz_call_any();
    message m = {.len = 0};
    if (c == NULL)
        return;
    add(&m, "it did not stop when asked to");
    add_call(&m, c);
    if (diverted != NULL)
        leave_note(&m, c);
    else
        print(&m, c);
}

/* Returns whether an allocation of the plug-in failed: few plug-ins survive that, and it is not a
 * bug to report. brz_call_enter() has cleared errno. */
static bool is_out_of_memory(const brz_call *c, int error)
{
    return c != NULL && error == ENOMEM;
}

/* Appends a message about exhausted memory, with the limit if the run has one. */
static void add_out_of_memory(message *m, size_t wanted)
{
    uint64_t limit = brz_memory_limit();
    add(m, "out of memory");
    if (wanted > 0 || limit > 0)
        add(m, " (");
    if (wanted > 0) {
        add_number(m, wanted);
        add(m, limit > 0 ? " bytes wanted, " : " bytes wanted)");
    }
    if (limit > 0) {
        add(m, "max-memory is ");
        add_number(m, limit);
        add(m, ")");
    }
}

/* Begins a message about a call that ended the process; `error` is the value of errno. */
static void add_reason(message *m, const brz_call *c, int error)
{
    if (!is_out_of_memory(c, error))
        return;
    add_out_of_memory(m, 0);
    add(m, ": ");
}

/* Reports a crash; `error` is the value of errno. */
static void report_crash(int sig, const siginfo_t *info, int error)
{
    const brz_call *c = find_culprit();
    message m = {.len = 0};
    add_reason(&m, c, error);
    add(&m, signal_name(sig));
    if (sig == SIGSYS) {
        add(&m, " ");
        add(&m, brz_system_call_name(info));
    }
    if (is_input_gone(info, c)) {
        add(&m, ": an input file became shorter while it was read");
        c = NULL;
    } else if (c != NULL) {
        add_call(&m, c);
    }
    report_and_clean_up(&m, is_out_of_memory(c, error) ? NULL : c);
}

/* Makes sure that only one of several crashing threads reports; the others wait for the end. */
static atomic_flag reported = ATOMIC_FLAG_INIT;
static _Thread_local volatile sig_atomic_t is_reporting;

static _Noreturn void wait_for_the_end(void)
{
    const struct timespec moment = {.tv_nsec = 1000000};
    for (;;)
        nanosleep(&moment, NULL);
}

static void report_alone(void)
{
    if (atomic_flag_test_and_set(&reported))
        wait_for_the_end();
    is_reporting = 1;
}

static _Noreturn void end_as_failed(void)
{
    brz_call_excuse();
    _exit(diverted != NULL ? BRZ_CRASH_END_STATUS : 1);
}

static void end_by(int sig)
{
    if (diverted != NULL)
        brz_crash_end();
    signal(sig, SIG_DFL);
    raise(sig);
}

static void on_crash(int sig, siginfo_t *info, void *context)
{
    int error = errno;
    (void)context;
    if (sig == SIGBUS && info->si_code == BUS_ADRERR && brz_mapping_rescue(info->si_addr)) {
        errno = error;
        return;
    }
    if (is_reporting)
        end_by(sig); /* a crash while reporting */
    report_alone();
    if (sig == SIGABRT && diverted != NULL && atomic_load(&diverted->hangs))
        brz_crash_report_hang();
    else
        report_crash(sig, info, error);
    if (is_out_of_memory(find_culprit(), error))
        end_as_failed();
    end_by(sig);
}

void brz_crash_blame_time(unsigned milliseconds)
{
    const brz_call *c = brz_call_current();
    message m = {.len = 0};
    if (c == NULL)
        return;
    report_alone();
    add(&m, "it took more than ");
    add_seconds(&m, milliseconds);
    add(&m, " of processor time");
    add_call(&m, c);
    report_and_clean_up(&m, c);
    end_as_failed();
}

/* Allows processes forked by a plug-in to end. */
static bool is_own_process(void)
{
    return getpid() == process;
}

void brz_crash_blame(const char *what)
{
    const brz_call *c = find_culprit();
    message m = {.len = 0};
    if (c == NULL || !is_own_process() || (!claimed && diverted == NULL))
        return;
    report_alone();
    add(&m, what);
    add_call(&m, c);
    report_and_clean_up(&m, c);
    end_as_failed();
}

static void blame_end(int error)
{
    const brz_call *c = find_culprit();
    message m = {.len = 0};
    if ((c == NULL && diverted == NULL) || !is_own_process() || is_reporting)
        return;
    report_alone();
    add_reason(&m, c, error);
    add(&m, "the process was ended");
    if (c != NULL)
        add_call(&m, c);
    report_and_clean_up(&m, is_out_of_memory(c, error) ? NULL : c);
    end_as_failed();
}

/* Reports exit() called by a plug-in, which is forbidden and would look like the end of a run. */
static void on_exit_within_call(void)
{
    blame_end(errno);
}

void brz_crash_blame_exit(void)
{
    if (find_culprit() != NULL)
        blame_end(errno);
}

void brz_crash_out_of_memory(size_t wanted)
{
    const brz_call *c = brz_call_current();
    message m = {.len = 0};
    if (!installed)
        return;
    report_alone();
    add_out_of_memory(&m, wanted);
    if (c != NULL)
        add_call(&m, c);
    report_and_clean_up(&m, diverted != NULL && brz_memory_limit() == 0 ? c : NULL);
    end_by(SIGABRT);
}

void brz_crash_give_up(const char *why)
{
    const brz_call *c = brz_call_any();
    message m = {.len = 0};
    if (!installed)
        return;
    report_alone();
    add(&m, why);
    if (c != NULL)
        add_call(&m, c);
    report_and_clean_up(&m, c);
    _exit(1);
}

/* ---- life cycle ----------------------------------------------------------------------------- */

/* Size of the handlers' own stack, which is needed after a stack overflow. */
#define STACK_SIZE ((size_t)64 << 10)

void *brz_crash_thread_begin(void)
{
    stack_t there;
    show_calls();
    if (sigaltstack(NULL, &there) == 0 && !(there.ss_flags & SS_DISABLE))
        return NULL; /* a stack of a sanitizer */
    stack_t own = {.ss_sp = brz_calloc(STACK_SIZE, 1), .ss_size = STACK_SIZE};
    sigaltstack(&own, NULL);
    return own.ss_sp;
}

void brz_crash_thread_end(void *stack)
{
    stack_t none = {.ss_flags = SS_DISABLE};
    brz_calls_hide();
    if (stack == NULL)
        return;
    sigaltstack(&none, NULL);
    free(stack);
}

static void install_handlers(void)
{
    static char stack[STACK_SIZE];
    stack_t own = {.ss_sp = stack, .ss_size = sizeof stack};
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS};
    struct sigaction action = {.sa_sigaction = on_crash,
                               .sa_flags = (int)(SA_SIGINFO | SA_ONSTACK | SA_NODEFER)};
    sigaltstack(&own, NULL);
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < BRZ_COUNT_OF(signals); i++)
        sigaction(signals[i], &action, NULL);
}

/* Registers handlers for exit() and quick_exit(). */
void brz_crash_install(void (*clean_up)(void))
{
    before_the_end = clean_up;
    installed = true;
    process = getpid();
    install_handlers();
    (void)at_quick_exit(on_exit_within_call);
    show_calls();
}

void brz_crash_claim_process(void)
{
    claimed = true;
    process = getpid();
}

void brz_crash_divert(brz_crash_note *note)
{
    diverted = note;
    claimed = true;
    atexit(on_exit_within_call); /* runs before handlers that were registered earlier */
    brz_crash_install(NULL);
}

_Noreturn void brz_crash_end(void)
{
    brz_call_excuse();
    _exit(BRZ_CRASH_END_STATUS);
}
