/* Passes folded stacks through a command of the user. */
#include "stacks.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/scratch.h"
#include "child.h"
#include "plugin/installation.h"
#include "process.h"

/* ---- files ---------------------------------------------------------------------------------- */

/* The stacks before and after the command. */
typedef struct stacks {
    int folded, processed; /* files without a name; -1: none */
} stacks;

/* Creates a file. Returns false after reporting an error. */
static bool create(int *fd, brz_console *console)
{
    brz_buf error = {0};
    *fd = brz_scratch_create(&error);
    if (*fd < 0)
        brz_say(console, BRZ_FATAL, "%s", brz_buf_text(&error));
    brz_buf_finish(&error);
    return *fd >= 0;
}

static void close_files(const stacks *s)
{
    if (s->folded >= 0)
        close(s->folded);
    if (s->processed >= 0)
        close(s->processed);
}

/* ---- commands ------------------------------------------------------------------------------- */

/* Runs a command with other files as its standard input and output. */
static bool run_between(compat_words *w, const command_words *c, int from, int to)
{
    int in = from < 0 ? open("/dev/null", O_RDONLY | O_CLOEXEC) : fcntl(from, F_DUPFD_CLOEXEC, 3);
    int out = fcntl(to, F_DUPFD_CLOEXEC, 3);
    if (in < 0 || out < 0) {
        brz_say(w->console, BRZ_FATAL, "cannot open files for stacks: %s", strerror(errno));
        return false;
    }
    if (compat_noted_value(w, CARGO_VERBOSE) != NULL)
        command_say(c, w->console);
    int process = command_start(c, in, out, w->console);
    int status = process < 0 ? -1 : cli_child_wait(process);
    if (status > 0)
        brz_say(w->console, BRZ_FATAL, "'%s' ended with status %d", c->list[c->n - 1], status);
    return status == 0 && lseek(to, 0, SEEK_SET) == 0;
}

/* Runs brazier, which writes folded stacks. */
static bool fold(compat_words *w, const char *recording, const stacks *s)
{
    command_words c = {0};
    brz_installation here;
    brz_installation_find(&here);
    command_add(&c, here.file);
    command_add(&c, "run");
    if (!w->tool->uses_config)
        command_add(&c, "--no-config");
    if (compat_noted_value(w, CARGO_QUALITY) != NULL)
        command_add(&c, "--quality");
    if (compat_noted_value(w, CARGO_NO_INLINE) != NULL)
        command_add(&c, CARGO_WITHOUT_INLINES);
    for (size_t i = 0; i < w->n_noted; i++)
        if (w->noted[i].note == CARGO_SKIP_AFTER)
            command_add_option(&c, "--skip-after", w->noted[i].value);
    command_add(&c, "--to=folded");
    command_add(&c, "--");
    command_add(&c, recording);
    bool good = run_between(w, &c, -1, s->folded);
    command_finish(&c);
    return good;
}

/* Runs the user's command. */
static bool process(compat_words *w, const stacks *s)
{
    command_words c = {0};
    command_add(&c, "sh");
    command_add(&c, "-c");
    command_add(&c, compat_noted_value(w, CARGO_POST_PROCESS));
    bool good = run_between(w, &c, s->folded, s->processed);
    command_finish(&c);
    return good;
}

int cargo_process_stacks(compat_words *w, const char *recording)
{
    stacks s = {-1, -1};
    bool good = create(&s.folded, w->console) && create(&s.processed, w->console) &&
                fold(w, recording, &s) && process(w, &s) &&
                dup2(s.processed, STDIN_FILENO) == STDIN_FILENO;
    close_files(&s);
    return good ? -1 : 1;
}
