/* Says whose fault a crash is. */
#include "crash.h"

#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "instance.h"
#include "mem.h"

/* A call into a plug-in. */
typedef struct call {
    const brz_loaded *plugin;
    const char *phase, *input;
    uint64_t offset;
    size_t len;
} call;

/* An output asks for colours, so a palette's call lies within an output's; deeper they do not go,
 * and if they did, the outer ones would be told of. */
#define MAX_CALLS 4

/* Of this thread. A handler has nowhere else to look. */
static _Thread_local call calls[MAX_CALLS];
static _Thread_local volatile size_t n_calls;

void brz_crash_enter(const brz_loaded *plugin, const char *phase, const char *input,
                     uint64_t offset, size_t len)
{
    if (n_calls < MAX_CALLS)
        calls[n_calls] = (call){plugin, phase, input, offset, len};
    n_calls++;
}

void brz_crash_leave(void)
{
    n_calls--;
}

/* Text put together without stdio, which a handler must not touch. */
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

static const char *signal_name(int sig)
{
    switch (sig) {
    case SIGSEGV:
        return "segmentation fault";
    case SIGBUS:
        return "bus error";
    case SIGFPE:
        return "arithmetic error";
    case SIGILL:
        return "illegal instruction";
    default:
        return "abort";
    }
}

/* "xdebug 0.3 (/path)", or the path alone of one that is being loaded. */
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

static void add_call(message *m, const call *c)
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
    add(m, "\nbrazier: note: --no-plugins runs without third-party plug-ins");
    if (c->plugin->bugs_url != NULL) {
        add(m, "; report to ");
        add(m, c->plugin->bugs_url);
    }
}

/* The innermost call, or NULL. */
static const call *current_call(void)
{
    size_t n = n_calls < MAX_CALLS ? n_calls : MAX_CALLS;
    return n > 0 ? &calls[n - 1] : NULL;
}

/* Inputs are mapped: what was cut off a file while it is read is missing from memory. */
static bool is_input_gone(const siginfo_t *info, const call *c)
{
    return info->si_signo == SIGBUS && info->si_code == BUS_ADRERR && (c == NULL || c->len > 0);
}

static void (*before_the_end)(void);

static void say_and_clean_up(const message *m)
{
    ssize_t ignored = write(STDERR_FILENO, m->text, m->len);
    (void)ignored;
    if (before_the_end != NULL)
        before_the_end();
}

static void on_crash(int sig, siginfo_t *info, void *context)
{
    (void)context;
    const call *c = current_call();
    message m = {.len = 0};
    add(&m, "brazier: error: ");
    add(&m, signal_name(sig));
    if (is_input_gone(info, c))
        add(&m, ": an input file became shorter while it was read");
    else if (c != NULL)
        add_call(&m, c);
    add(&m, "\n");
    say_and_clean_up(&m);
    raise(sig); /* SA_RESETHAND: the default action now */
}

/* exit() called by a plug-in, which may not, would pass for a run's end. */
static void on_exit_within_call(void)
{
    message m = {.len = 0};
    const call *c = current_call();
    if (c == NULL)
        return;
    add(&m, "brazier: error: the process was ended");
    add_call(&m, c);
    add(&m, "\n");
    say_and_clean_up(&m);
    _exit(1);
}

/* What the handler runs on: a stack overflow leaves nothing else. */
#define STACK_SIZE ((size_t)64 << 10)

void *brz_crash_thread_begin(void)
{
    stack_t there;
    if (sigaltstack(NULL, &there) == 0 && !(there.ss_flags & SS_DISABLE))
        return NULL; /* a sanitizer's */
    stack_t own = {.ss_sp = brz_calloc(STACK_SIZE, 1), .ss_size = STACK_SIZE};
    sigaltstack(&own, NULL);
    return own.ss_sp;
}

void brz_crash_thread_end(void *stack)
{
    stack_t none = {.ss_flags = SS_DISABLE};
    if (stack == NULL)
        return;
    sigaltstack(&none, NULL);
    free(stack);
}

void brz_crash_install(void (*clean_up)(void))
{
    static char stack[STACK_SIZE];
    stack_t own = {.ss_sp = stack, .ss_size = sizeof stack};
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    struct sigaction action = {.sa_sigaction = on_crash,
                               .sa_flags =
                                   (int)(SA_SIGINFO | SA_RESETHAND | SA_ONSTACK | SA_NODEFER)};
    before_the_end = clean_up;
    atexit(on_exit_within_call);
    sigaltstack(&own, NULL);
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        sigaction(signals[i], &action, NULL);
}
