/* Passes folded stacks through a command of the user. */
#include "stacks.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plugin/installation.h"
#include "process.h"

/* ---- files ---------------------------------------------------------------------------------- */

static const char *make_scratch(compat_words *w)
{
    const char *folder = getenv("TMPDIR");
    brz_buf path = {0};
    brz_buf_printf(&path, "%s/brazier-XXXXXX", folder != NULL && *folder == '/' ? folder : "/tmp");
    char *name = (char *)(uintptr_t)brz_arena_str(w->text, brz_buf_str(&path)).data;
    brz_buf_finish(&path);
    if (mkdtemp(name) != NULL)
        return name;
    brz_say(w->console, BRZ_FATAL, "cannot create '%s': %s", name, strerror(errno));
    return NULL;
}

/* Opens a file of the folder. */
static int open_there(const char *scratch, const char *name, int flags)
{
    brz_buf path = {0};
    brz_buf_printf(&path, "%s/%s", scratch, name);
    int fd = open(brz_buf_text(&path), flags | O_CLOEXEC, 0600);
    brz_buf_finish(&path);
    return fd;
}

void cargo_remove_scratch(const char *scratch)
{
    static const char *const names[] = {"folded", "processed"};
    brz_buf path = {0};
    if (scratch == NULL)
        return;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        brz_buf_clear(&path);
        brz_buf_printf(&path, "%s/%s", scratch, names[i]);
        unlink(brz_buf_text(&path));
    }
    rmdir(scratch);
    brz_buf_finish(&path);
}

/* ---- commands ------------------------------------------------------------------------------- */

/* Runs a command with files of the folder as its standard input and output. */
static bool run_between(compat_words *w, const command_words *c, const char *scratch,
                        const char *from, const char *to)
{
    int in = from == NULL ? open("/dev/null", O_RDONLY | O_CLOEXEC)
                          : open_there(scratch, from, O_RDONLY);
    int out = open_there(scratch, to, O_WRONLY | O_CREAT | O_EXCL);
    if (in < 0 || out < 0) {
        brz_say(w->console, BRZ_FATAL, "cannot open files in '%s': %s", scratch, strerror(errno));
        return false;
    }
    if (compat_noted_value(w, CARGO_VERBOSE) != NULL)
        command_say(c, w->console);
    int process = command_start(c, in, out, w->console);
    int status = process < 0 ? -1 : command_wait(process);
    if (status > 0)
        brz_say(w->console, BRZ_FATAL, "'%s' ended with status %d", c->list[c->n - 1], status);
    return status == 0;
}

/* Runs brazier, which writes folded stacks. */
static bool fold(compat_words *w, const char *recording, const char *scratch)
{
    command_words c = {0};
    brz_installation here;
    brz_installation_find(&here);
    command_add(&c, here.file);
    command_add(&c, "run");
    if (!w->tool->uses_config)
        command_add(&c, "--no-config");
    if (compat_noted_value(w, CARGO_NO_INLINE) != NULL)
        command_add(&c, CARGO_WITHOUT_INLINES);
    for (size_t i = 0; i < w->n_noted; i++)
        if (w->noted[i].note == CARGO_SKIP_AFTER)
            command_add_option(&c, "--skip-after", w->noted[i].value);
    command_add(&c, "--to=folded");
    command_add(&c, "--");
    command_add(&c, recording);
    bool good = run_between(w, &c, scratch, NULL, "folded");
    command_finish(&c);
    return good;
}

/* Runs the user's command. */
static bool process(compat_words *w, const char *scratch)
{
    command_words c = {0};
    command_add(&c, "sh");
    command_add(&c, "-c");
    command_add(&c, compat_noted_value(w, CARGO_POST_PROCESS));
    bool good = run_between(w, &c, scratch, "folded", "processed");
    command_finish(&c);
    return good;
}

int cargo_process_stacks(compat_words *w, const char *recording, const char **scratch)
{
    *scratch = make_scratch(w);
    if (*scratch == NULL)
        return 1;
    return fold(w, recording, *scratch) && process(w, *scratch) ? -1 : 1;
}
