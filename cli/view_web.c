/* SPDX-License-Identifier: MIT */
/* Shows the page in the browser, and follows the file. */
#include "view_web.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/suggest.h"
#include "base/write_all.h"
#include "interrupt.h"
#include "open_picture.h"
#include "web/editor.h"
#include "web/server.h"

#define PAUSE         250000000 /* nanoseconds between looks at the files */
#define LONGEST_DELAY 2.0       /* seconds after which a file that goes on growing is read */

enum { OPT_WEB, OPT_NO_OPEN, OPT_EDITOR };

const cli_option cli_web_options[] = {
    {"web", 0, NULL, "serve the page to browsers of this machine, and follow the file", OPT_WEB},
    {"no-open", 0, NULL, "with --web: print the address, and start no browser", OPT_NO_OPEN},
    {"editor", 0, "NAME",
     "with --web: open source lines in vscode, idea, ..., or by an address with {file} and {line}",
     OPT_EDITOR},
    {NULL, 0, NULL, NULL, 0},
};

/* ---- words --------------------------------------------------------------------------------- */

static void see(void *wanted, cli_token token, const cli_args *a)
{
    if (token == CLI_OPTION && a->option->id == OPT_WEB)
        *(bool *)wanted = true;
}

bool cli_web_is_wanted(char **words, const cli_syntax *syntax)
{
    bool is_wanted = false;
    const cli_args a = {.words = words, .tables = syntax->tables, .sections = syntax->sections};
    cli_look_ahead(a, see, &is_wanted);
    return is_wanted;
}

cli_taken cli_web_take(cli_web *w, const cli_args *a)
{
    w->is_wanted |= a->option->id == OPT_WEB;
    w->opens_nothing |= a->option->id == OPT_NO_OPEN;
    if (a->option->id == OPT_EDITOR)
        w->editor = a->value;
    return CLI_TAKE_DONE;
}

bool cli_web_check(const cli_web *w, brz_console *console)
{
    if (w->is_wanted || (!w->opens_nothing && w->editor == NULL))
        return true;
    brz_say(console, BRZ_FATAL, "--%s belongs to --web, which shows the page in a browser",
            w->editor != NULL ? "editor" : "no-open");
    return false;
}

/* Returns the address that opens an editor, or NULL after reporting that there is no such one. */
static const char *choose_editor(const cli_web *w, brz_console *console)
{
    const char *given = getenv("BRAZIER_EDITOR_URL");
    const char *word = w->editor != NULL                   ? w->editor
                       : given != NULL && given[0] != '\0' ? given
                                                           : "vscode";
    const char *address = brz_web_editor(word), *name;
    if (address != NULL)
        return address;
    brz_buf b = {0};
    brz_suggestion near = {.typed = brz_str_of_text(word)};
    for (size_t i = 0; (name = brz_web_editor_name(i)) != NULL; i++)
        brz_suggestion_offer(&near, name);
    brz_suggestion_add(&near, &b);
    brz_say(console, BRZ_FATAL,
            "%s: '%s' is no editor, and no address such as vscode://file{file}:{line}%s",
            w->editor != NULL ? "--editor" : "BRAZIER_EDITOR_URL", word, brz_buf_text(&b));
    brz_buf_finish(&b);
    return NULL;
}

/* ---- files --------------------------------------------------------------------------------- */

/* The properties of a file that change with its content. */
typedef struct state {
    dev_t device;
    ino_t number;
    off_t size;
    struct timespec changed;
} state;

typedef struct follower {
    brz_session *session;
    cli_request *request;
    brz_web_server *server;
    size_t output;
    state *shown, *seen; /* by input: when it was read, and at the last look */
    double read_at;
} follower;

static state state_of(const char *file)
{
    struct stat st;
    if (strcmp(file, "-") == 0 || stat(file, &st) != 0 || !S_ISREG(st.st_mode))
        return (state){.size = 0};
    return (state){st.st_dev, st.st_ino, st.st_size, st.st_mtim};
}

static bool is_same(const state *a, const state *b)
{
    return a->device == b->device && a->number == b->number && a->size == b->size &&
           a->changed.tv_sec == b->changed.tv_sec && a->changed.tv_nsec == b->changed.tv_nsec;
}

/* Looks at the files. Returns whether one has changed since it was read, and rests now or has not
 * rested for long. A file that is gone for a moment is not read. */
static bool must_read(follower *f)
{
    bool has_changed = false, rests = true;
    for (size_t i = 0; i < f->request->n_inputs; i++) {
        state now = state_of(f->request->inputs[i]);
        has_changed |= now.size > 0 && !is_same(&now, &f->shown[i]);
        rests &= is_same(&now, &f->seen[i]);
        f->seen[i] = now;
    }
    return has_changed &&
           (rests || brz_clock_seconds(CLOCK_MONOTONIC) - f->read_at >= LONGEST_DELAY);
}

static void note_states(follower *f)
{
    for (size_t i = 0; i < f->request->n_inputs; i++)
        f->shown[i] = f->seen[i] = state_of(f->request->inputs[i]);
}

/* ---- following ----------------------------------------------------------------------------- */

static void show(follower *f)
{
    size_t size;
    const void *page = brazier_pipeline_output(f->request->pipeline, f->output, &size);
    if (page != NULL)
        brz_web_server_show(f->server, page, size);
    f->read_at = brz_clock_seconds(CLOCK_MONOTONIC);
}

/* Reads the files again. If that fails, the page stays as it is. */
static void read_again(follower *f)
{
    note_states(f);
    if (brazier_pipeline_run(f->request->pipeline) == BRAZIER_OK)
        show(f);
    f->read_at = brz_clock_seconds(CLOCK_MONOTONIC);
}

static void follow(follower *f)
{
    const struct timespec pause = {.tv_nsec = PAUSE};
    const brz_run *run = brz_lib_run(f->request->pipeline);
    cli_interruptible(brz_lib_run(f->request->pipeline));
    while (!atomic_load(&run->stop) && !brz_web_server_is_left(f->server)) {
        nanosleep(&pause, NULL);
        if (!atomic_load(&run->stop) && must_read(f))
            read_again(f);
    }
    cli_interruptible(NULL);
}

/* ---- the browser --------------------------------------------------------------------------- */

/* Writes a file that leads to the address: the words of a process, which everybody can read, would
 * have the token. Returns its name, or NULL after a warning. */
static char *write_way(const char *address, brz_console *console)
{
    const char *folder = getenv("XDG_RUNTIME_DIR");
    brz_buf name = {0}, text = {0};
    folder = folder != NULL && folder[0] == '/' ? folder : "/tmp";
    brz_buf_printf(&name, "%s/brazier-XXXXXX.html", folder);
    brz_buf_printf(&text,
                   "<!DOCTYPE html><meta charset=\"utf-8\"><title>brazier</title>"
                   "<meta http-equiv=\"refresh\" content=\"0; url=%s\">\n",
                   address);
    char *way = brz_memdup(brz_buf_text(&name), name.len);
    int fd = mkstemps(way, 5);
    bool good = fd >= 0 && brz_write_all(fd, text.data, text.len);
    if (fd >= 0)
        close(fd);
    if (!good) {
        brz_say(console, BRZ_WARNING, "no browser is started: %s cannot be written", way);
        if (fd >= 0)
            unlink(way);
        free(way);
        way = NULL;
    }
    brz_buf_finish(&name);
    brz_buf_finish(&text);
    return way;
}

static void serve(follower *f, const cli_web *w)
{
    brz_console *console = &f->session->console;
    const char *address = brz_web_server_address(f->server);
    char *way = w->opens_nothing ? NULL : write_way(address, console);
    printf("%s\n", address);
    fflush(stdout);
    brz_say(console, BRZ_NOTE, "the page follows the file until the last browser closes it");
    if (way != NULL)
        cli_open_picture(way, console);
    follow(f);
    if (way != NULL)
        unlink(way);
    free(way);
}

int cli_web_run(brz_session *s, cli_request *r, const cli_web *w)
{
    brz_buf error = {0};
    char *folder = getcwd(NULL, 0);
    const brz_web_settings settings = {choose_editor(w, &s->console), folder == NULL ? "" : folder};
    follower f = {.session = s, .request = r};
    int status = CLI_USAGE;
    if (settings.editor == NULL)
        goto cleanup;
    f.shown = brz_calloc(r->n_inputs + 1, sizeof *f.shown);
    f.seen = brz_calloc(r->n_inputs + 1, sizeof *f.seen);
    note_states(&f);
    f.output = brazier_pipeline_add_output_memory(r->pipeline, "html", NULL);
    status = cli_request_run(s, r);
    if (status != CLI_OK)
        goto cleanup;
    f.server = brz_web_server_start(&settings, &error);
    if (f.server == NULL) {
        brz_say(&s->console, BRZ_FATAL, "%s; -o x.html of brazier run writes the page",
                brz_buf_text(&error));
        status = CLI_FAILED;
        goto cleanup;
    }
    show(&f);
    serve(&f, w);
    brz_web_server_stop(f.server);
cleanup:
    brz_buf_finish(&error);
    free(f.shown);
    free(f.seen);
    free(folder);
    return status;
}
