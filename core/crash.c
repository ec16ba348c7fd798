/* Says whose fault a crash is. */
#include "crash.h"

#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "instance.h"

/* Of this thread. A handler has nowhere else to look. */
static _Thread_local struct {
    const brz_loaded *plugin;
    const char *phase, *input;
    uint64_t offset;
    size_t len;
} doing;

void brz_crash_enter(const brz_loaded *plugin, const char *phase, const char *input,
                     uint64_t offset, size_t len)
{
    doing.phase = phase;
    doing.input = input;
    doing.offset = offset;
    doing.len = len;
    doing.plugin = plugin;
}

void brz_crash_leave(void)
{
    doing.plugin = NULL;
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

static void add_plugin(message *m)
{
    const brz_loaded *p = doing.plugin;
    add(m, " in plug-in ");
    add(m, p->plugin);
    add(m, " ");
    add(m, p->version);
    add(m, " (");
    add(m, p->path);
    add(m, "), ");
    add(m, doing.phase);
    if (doing.len > 0) {
        add(m, ", bytes ");
        add_number(m, doing.offset);
        add(m, "-");
        add_number(m, doing.offset + doing.len);
    }
    if (doing.input != NULL) {
        add(m, " of ");
        add(m, doing.input);
    }
    add(m, "\nbrazier: note: --no-plugins runs without third-party plug-ins; report to ");
    add(m, p->bugs_url);
}

static void on_crash(int sig)
{
    message m = {.len = 0};
    add(&m, "brazier: error: ");
    add(&m, signal_name(sig));
    if (sig == SIGBUS)
        add(&m, ": an input file became shorter while it was read");
    else if (doing.plugin != NULL)
        add_plugin(&m);
    add(&m, "\n");
    ssize_t ignored = write(STDERR_FILENO, m.text, m.len);
    (void)ignored;
    raise(sig); /* SA_RESETHAND: the default action now */
}

void brz_crash_install(void)
{
    static char stack[64 << 10]; /* a stack overflow leaves none to run on */
    stack_t alternative = {.ss_sp = stack, .ss_size = sizeof stack};
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    struct sigaction action = {.sa_handler = on_crash,
                               .sa_flags = (int)(SA_RESETHAND | SA_ONSTACK | SA_NODEFER)};
    sigaltstack(&alternative, NULL);
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        sigaction(signals[i], &action, NULL);
}
