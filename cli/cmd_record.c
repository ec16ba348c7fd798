/* brazier record: records a program and draws what it did. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __linux__

#include <errno.h>
#include <fcntl.h>

#include "base/mem.h"
#include "component_options.h"
#include "draw/temporary.h"
#include "input/source.h"
#include <sys/wait.h>

#include "record/kernel.h"
#include "record/recorder.h"
#include "record/scratch.h"
#include "record_line.h"
#include "record_options.h"

/* The picture, if the command line names no output. */
#define PICTURE "flame.svg"

static const cli_option *const tables[] = {cli_record_options, NULL};

static const cli_syntax syntax = {.tables = tables,
                                  .sections = BRZ_RUN_ABOUT_OUTPUT | BRZ_RUN_ABOUT_INPUT |
                                              BRZ_RUN_ABOUT_TRANSFORMS,
                                  .format = "perf-data",
                                  .runs_command = true,
                                  .take = cli_record_take};

/* ---- files ----------------------------------------------------------------------------------- */

/* The file of the recording. */
typedef struct recording {
    int fd;
    brz_temporary temporary; /* with --save */
    int kallsyms;            /* copy of the kernel's symbols; -1: none */
} recording;

/* Creates the file under a temporary name. Returns false with the reason in errno. */
static bool create_saved(recording *f, const char *path)
{
    struct stat st;
    bool exists = stat(path, &st) == 0;
    if (!brz_temporary_create(&f->temporary, AT_FDCWD, path, exists ? &st : NULL))
        return false;
    f->fd = fcntl(f->temporary.fd, F_DUPFD_CLOEXEC, 0);
    return f->fd >= 0;
}

/* Creates the file. Returns false after reporting an error. */
static bool create_file(recording *f, const cli_record *c, brz_console *console)
{
    brz_buf error = {0};
    if (c->save != NULL && !create_saved(f, c->save))
        brz_buf_printf(&error, "cannot create '%s': %s", c->save, strerror(errno));
    else if (c->save == NULL)
        f->fd = brz_scratch_create(&error);
    if (f->fd < 0)
        brz_say_code(console, BRZ_FATAL, BRZ_SAYS_WRITE, "%s", brz_buf_text(&error));
    brz_buf_finish(&error);
    return f->fd >= 0;
}

/* Gives the recording its name, if it is kept. Returns false after reporting an error. */
static bool keep_file(recording *f, const cli_record *c, brz_console *console)
{
    if (c->save == NULL || brz_temporary_commit(&f->temporary))
        return true;
    brz_say_code(console, BRZ_FATAL, BRZ_SAYS_WRITE, "cannot write '%s': %s", c->save,
                 strerror(errno));
    return false;
}

static void close_file(recording *f, const cli_record *c)
{
    if (f->fd >= 0)
        close(f->fd);
    if (f->kallsyms >= 0)
        close(f->kallsyms);
    if (c->save != NULL)
        brz_temporary_finish(&f->temporary);
}

/* ---- symbols of the kernel ------------------------------------------------------------------- */

/* Copies the list of the kernel's symbols to a file, since that of /proc cannot be mapped. */
static void copy_kallsyms(recording *f)
{
    brz_buf error = {0};
    char *piece = brz_malloc(BRZ_HEAD_SIZE);
    ssize_t n = -1;
    int from = open("/proc/kallsyms", O_RDONLY | O_CLOEXEC);
    f->kallsyms = from < 0 ? -1 : brz_scratch_create(&error);
    while (f->kallsyms >= 0 && (n = read(from, piece, BRZ_HEAD_SIZE)) > 0)
        if (write(f->kallsyms, piece, (size_t)n) != n)
            break;
    if (from >= 0)
        close(from);
    if (n != 0 && f->kallsyms >= 0) {
        close(f->kallsyms);
        f->kallsyms = -1;
    }
    free(piece);
    brz_buf_finish(&error);
}

/* Lets the collapser name the kernel's code. */
static void add_kallsyms(recording *f, cli_request *r)
{
    char path[64];
    if (brz_kernel_symbols_hidden())
        return;
    copy_kallsyms(f);
    if (f->kallsyms < 0)
        return;
    snprintf(path, sizeof path, "/proc/self/fd/%d", f->kallsyms);
    brazier_pipeline_set(r->pipeline, "?perf-data.kallsyms", path, NULL);
}

/* ---- picture --------------------------------------------------------------------------------- */

/* Adds the default output, named after its format. */
static const char *add_output(cli_request *r, const cli_record *c, brz_buf *name)
{
    if (c->output != NULL)
        return c->output;
    if (c->to == NULL)
        brz_buf_add_text(name, PICTURE);
    else
        brz_buf_printf(name, "flame.%s", c->to);
    brazier_pipeline_add_output_file(r->pipeline, NULL, brz_buf_text(name));
    return brz_buf_text(name);
}

/* Shows a file in the browser, without waiting for it. */
static void open_picture(const char *path, brz_console *console)
{
    pid_t pid = fork();
    if (pid == 0) {
        if (fork() == 0) {
            execlp("xdg-open", "xdg-open", path, (char *)NULL);
            execlp("open", "open", path, (char *)NULL);
        }
        _exit(0);
    }
    if (pid > 0)
        waitpid(pid, NULL, 0);
    else
        brz_say(console, BRZ_WARNING, "%s cannot be opened: %s", path, strerror(errno));
}

/* Reports the recording in a line. */
static void report(const brz_record_result *result, brz_console *console)
{
    const brz_record_state *s = &result->state;
    brz_buf lost = {0};
    if (s->lost > 0)
        brz_buf_printf(&lost, ", %llu lost", (unsigned long long)s->lost);
    if (s->throttled > 0)
        brz_buf_printf(&lost, ", throttled %llu times", (unsigned long long)s->throttled);
    brz_say(console, BRZ_NOTE, "recorded %.2f s, %llu samples of %s%s", (double)s->elapsed / 1e9,
            (unsigned long long)s->samples, result->events, brz_buf_text(&lost));
    brz_buf_finish(&lost);
}

/* ---- running --------------------------------------------------------------------------------- */

static brz_record_result record(brz_session *s, const cli_record *c, const recording *f)
{
    cli_record_line line = {0};
    bool live = s->console.verbosity >= 0 && isatty(STDERR_FILENO);
    brz_record_result result =
        brz_record(&c->request, f->fd, &s->console, live ? cli_record_line_show : NULL, &line);
    cli_record_line_finish(&line);
    return result;
}

/* Draws the recording. Returns the exit status. */
static int draw(brz_session *s, cli_request *r, const cli_record *c, recording *f,
                const brz_record_result *result, const char *output)
{
    report(result, &s->console);
    if (result->state.samples == 0) {
        brz_say(&s->console, BRZ_FATAL,
                "no samples: the command ran for %.0f ms; -F sets a higher frequency",
                (double)result->state.elapsed / 1e6);
        return CLI_FAILED;
    }
    if (result->has_kernel && !c->isolates)
        add_kallsyms(f, r);
    int status = cli_request_run(s, r);
    if (status != CLI_OK)
        return status;
    if (strcmp(output, "-") != 0)
        brz_say(&s->console, BRZ_NOTE, "%s is written", output);
    if (c->opens)
        open_picture(output, &s->console);
    return result->status;
}

/* Records into a file and draws it. Returns the exit status. */
static int record_and_draw(brz_session *s, cli_request *r, const cli_record *c)
{
    recording f = {.fd = -1, .kallsyms = -1};
    brz_buf name = {0};
    int status = CLI_FAILED;
    const char *output = add_output(r, c, &name);
    if (!create_file(&f, c, &s->console))
        goto cleanup;
    brz_lib_add_input_descriptor(r->pipeline, c->save != NULL ? c->save : "recording", f.fd);
    if (brazier_pipeline_check(r->pipeline) != BRAZIER_OK) {
        status = CLI_USAGE;
        goto cleanup;
    }
    brz_record_result result = record(s, c, &f);
    status = result.status;
    if (result.recorded)
        status = keep_file(&f, c, &s->console) ? draw(s, r, c, &f, &result, output) : CLI_FAILED;
cleanup:
    close_file(&f, c);
    brz_buf_finish(&name);
    return status;
}

/* Returns the command line to store; its texts belong to `words`. */
static const char **command_line(char **words)
{
    size_t n = 0;
    while (words[n] != NULL)
        n++;
    const char **line = brz_calloc(n + 3, sizeof *line);
    line[0] = "brazier";
    line[1] = "record";
    for (size_t i = 0; i < n; i++)
        line[i + 2] = words[i];
    return line;
}

static int run(brz_session *s, char **words)
{
    cli_record c = {0};
    cli_request r = {.own = &c};
    int status = CLI_USAGE;
    const char **line = command_line(words);
    if (cli_request_words(s, &syntax, words, &r)) {
        c.request.command = r.command;
        c.request.words = line;
        if (cli_record_check(&c, &s->console))
            status = record_and_draw(s, &r, &c);
    }
    cli_request_finish(&r);
    cli_record_finish(&c);
    free(line);
    return status;
}

static void help(brz_session *s, char **words, FILE *out)
{
    fputs("Records a program with the profiler of the Linux kernel and draws its flame\n"
          "graph: flame.svg, unless -o names another output. Ctrl-C ends the recording, not\n"
          "the picture. The exit status is that of the command.\n\n"
          "    brazier record -- ./program\n"
          "    brazier record -o flame.html --open -- make -j4\n"
          "    brazier record -p 1234 --duration 10s\n"
          "    brazier record -a --duration 10s\n",
          out);
    cli_print_section(out, "Recording", cli_record_options);
    cli_print_run_section_beside(out, "Output", BRZ_RUN_ABOUT_OUTPUT, cli_record_options);
    cli_components_help(s, &syntax, words, out);
    cli_print_run_section_beside(out, "Input", BRZ_RUN_ABOUT_INPUT, cli_record_options);
    cli_print_run_section_beside(out, "Transforms, in the order given", BRZ_RUN_ABOUT_TRANSFORMS,
                                 cli_record_options);
}

#else

static int run(brz_session *s, char **words)
{
    (void)words;
    brz_say(&s->console, BRZ_FATAL,
            "brazier records on Linux only. On macOS: xcrun xctrace record --template 'Time "
            "Profiler' --launch -- PROGRAM, then brazier run of its export; or sample PID -file "
            "out.txt, then brazier run out.txt. With DTrace: dtrace -n 'profile-997 { @[ustack()] "
            "= count(); }' -o out.txt, then brazier run out.txt");
    return CLI_FAILED;
}

#define help NULL

#endif

const cli_command cmd_record = {
    "record",
    "[OPTION...] [--] COMMAND [ARGUMENT...]",
    "record a program and draw its flame graph",
    run,
    help,
    NULL,
};
