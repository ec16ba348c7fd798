/* SPDX-License-Identifier: MIT */
/* brazier record: records a program and draws its flame graph. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __linux__

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>

#include "base/mem.h"
#include "base/temporary.h"
#include "component_options.h"
#include "continuous.h"
#include "draw/sink.h"

#include "live_reader.h"
#include "live_view.h"
#include "open_picture.h"
#include "post_process.h"
#include "record/kept_files.h"
#include "record/recorder.h"
#include "base/scratch.h"
#include "record_line.h"
#include "record_options.h"

/* The picture, if the command line names no output. */
#define PICTURE "flame.svg"

static const cli_option *const tables[] = {cli_record_options, cli_other_names, NULL};

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
    int kallsyms;            /* the kernel's symbols, if root has recorded; -1: none */
} recording;

/* Creates the file under a temporary name. A new one is for its owner only, since copies of stacks
 * hold data of the program. Returns false with the reason in errno. */
static bool create_saved(recording *f, const char *path)
{
    const struct stat private = {.st_mode = 0600, .st_uid = geteuid(), .st_gid = getegid()};
    struct stat old;
    bool exists = stat(path, &old) == 0;
    if (exists && access(path, W_OK) != 0)
        return false;
    if (!brz_temporary_create_unnamed(&f->temporary, AT_FDCWD, path, exists ? &old : &private))
        return false;
    f->fd = fcntl(f->temporary.fd, F_DUPFD_CLOEXEC, 0);
    return f->fd >= 0;
}

/* Returns true if a device, pipe or folder has the name, which must not be replaced. */
static bool is_special(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && !S_ISREG(st.st_mode);
}

/* Creates the file. Returns false after reporting an error. */
static bool create_file(recording *f, const cli_record *c, brz_console *console)
{
    brz_buf error = {0};
    if (c->save != NULL && is_special(c->save))
        brz_buf_printf(&error, "cannot replace '%s': it is no regular file", c->save);
    else if (c->save != NULL && !create_saved(f, c->save))
        brz_buf_printf(&error, "cannot create '%s': %s", c->save, strerror(errno));
    else if (c->save == NULL)
        f->fd = brz_scratch_create(&error);
    if (f->fd < 0)
        brz_say_code(console, BRZ_FATAL, BRZ_SAYS_WRITE, "%s", brz_buf_text(&error));
    brz_buf_finish(&error);
    return f->fd >= 0;
}

/* Returns true if nothing could be written, which a warning has explained. */
static bool is_empty(const recording *f)
{
    struct stat st;
    return fstat(f->fd, &st) == 0 && st.st_size == 0;
}

/* Gives the recording its name, if it is kept. An empty one replaces nothing. Returns false after
 * reporting an error. */
static bool keep_recording(recording *f, const cli_record *c, brz_console *console)
{
    if (is_empty(f)) {
        brz_say(console, BRZ_FATAL, "nothing is recorded, so nothing is drawn%s",
                c->save != NULL ? " or saved" : "");
        return false;
    }
    if (c->save == NULL || (fsync(f->fd) == 0 && brz_temporary_commit(&f->temporary)))
        return true;
    brz_say_code(console, BRZ_FATAL, BRZ_SAYS_WRITE, "cannot write '%s': %s", c->save,
                 strerror(errno));
    return false;
}

static void close_file(recording *f)
{
    if (f->fd >= 0)
        close(f->fd);
    if (f->kallsyms >= 0)
        close(f->kallsyms);
    if (f->temporary.target != NULL)
        brz_temporary_finish(&f->temporary);
}

/* ---- symbols of the kernel ------------------------------------------------------------------- */

/* Lets the collapser name the kernel's code by root's list, if the user may not read it. */
static void add_kallsyms(const recording *f, cli_request *r)
{
    char path[64];
    if (f->kallsyms < 0)
        return;
    snprintf(path, sizeof path, "/proc/self/fd/%d", f->kallsyms);
    brazier_pipeline_set(r->pipeline, "?perf-data.kallsyms", path, NULL);
}

/* ---- picture --------------------------------------------------------------------------------- */

/* Adds the default output, named after its format. Returns the first output. */
static const char *add_output(cli_request *r, const cli_record *c, brz_buf *name)
{
    if (c->n_outputs > 0)
        return c->outputs[0];
    if (c->to == NULL)
        brz_buf_add_text(name, PICTURE);
    else
        brz_buf_printf(name, "flame.%s", c->to);
    brazier_pipeline_add_output_file(r->pipeline, NULL, brz_buf_text(name));
    return brz_buf_text(name);
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
    brz_say(console, BRZ_NOTE, "recorded %.2f s, %llu sample%s of %s%s", (double)s->elapsed / 1e9,
            (unsigned long long)s->samples, s->samples == 1 ? "" : "s", result->events,
            brz_buf_text(&lost));
    brz_buf_finish(&lost);
}

/* Appends the command that draws where the program waits, which has an option that cargo brazier
 * lacks. */
static void add_remedy(const brz_record_request *r, brz_buf *b)
{
    brz_buf_add_text(b, "brazier record --off-cpu");
    if (r->n_processes > 0)
        brz_buf_printf(b, " -p %d", r->processes[0]);
    else if (r->n_threads > 0)
        brz_buf_printf(b, " -t %d", r->threads[0]);
    else if (r->cgroup != NULL)
        brz_buf_printf(b, " --cgroup %s", r->cgroup);
    else if (r->all)
        brz_buf_add_text(b, " -a");
    else
        brz_buf_printf(b, " -- %s", r->command[0]);
}

/* Returns the words for where the events count, if that is not everywhere. */
static const char *place_of(const brz_record_result *result)
{
    return !result->has_kernel     ? " outside the kernel"
           : !result->has_programs ? " within the kernel"
                                   : "";
}

/* Reports that there is nothing to draw. */
static void say_no_samples(const brz_record_request *r, const brz_record_result *result,
                           brz_console *console)
{
    double time = (double)result->state.elapsed / 1e6;
    brz_buf remedy = {0};
    add_remedy(r, &remedy);
    if (result->has_frequency)
        brz_say(console, BRZ_FATAL,
                "no samples: the program hardly ran in %.0f ms%s; -F sets a higher frequency, %s "
                "draws where it waits",
                time, place_of(result), brz_buf_text(&remedy));
    else if (r->period > 1)
        brz_say(console, BRZ_FATAL,
                "no samples: %s did not reach the %llu of --period%s within %.0f ms",
                result->events, (unsigned long long)r->period, place_of(result), time);
    else
        brz_say(console, BRZ_FATAL, "no samples: %s did not occur%s within %.0f ms", result->events,
                place_of(result), time);
    brz_buf_finish(&remedy);
}

/* ---- running --------------------------------------------------------------------------------- */

/* A run of the command. */
typedef struct job {
    brz_session *session;
    cli_record options;
    cli_request request;
    cli_post_process post;
    recording file;
    int input;          /* the file, or a pipe with its content */
    const char *output; /* the first one */
    brz_buf name;       /* of the default output */
    cli_live_reader reader;
    cli_live_view view;      /* with --live */
    cli_record view_options; /* of its words */
    cli_record_line line;
    bool shows_line;
    brz_namespaces namespaces; /* of the recorded processes */
    bool has_time_limit;       /* of the run that reads the recording */
    uint64_t interval; /* the part of continuous recording that this is, in nanoseconds; 0: none */
    pthread_mutex_t lock;   /* of the next member */
    brz_record_state state; /* the last one while it is recorded */
} job;

/* Returns the request that reads the recording. */
static cli_request *reading_request(job *j)
{
    return j->options.post_process != NULL ? &j->post.request : &j->request;
}

/* Sets the options of the reader that are known only when the events are open. */
static void complete_request(job *j, const brz_record_state *state)
{
    cli_request *reads = reading_request(j);
    bool draws_waits = j->options.request.off_cpu || j->options.request.wakeup;
    j->file.kallsyms = state->kallsyms > 0 ? state->kallsyms : -1;
    if (!j->options.isolates)
        add_kallsyms(&j->file, reads);
    if (state->first_event[0] != '\0' && !draws_waits)
        brazier_pipeline_set(reads->pipeline, "otherwise-weight", state->first_event, NULL);
}

/* Reads the recording and writes the outputs. Returns the exit status. */
static int read_and_write(job *j)
{
    bool is_folded_first = j->options.post_process != NULL;
    int status = CLI_OK;
    if (is_folded_first)
        status = cli_post_process_fold(&j->post, j->session, j->options.post_process);
    return status == CLI_OK ? cli_request_run(j->session, &j->request) : status;
}

/* Returns the last state. That of root's recorder has the kernel's symbols, if it arrives in
 * time. */
static brz_record_state state_of(job *j)
{
    const struct timespec moment = {.tv_nsec = 20000000};
    brz_record_state state;
    for (int i = 0; i < 100; i++) {
        pthread_mutex_lock(&j->lock);
        state = j->state;
        pthread_mutex_unlock(&j->lock);
        if (!j->options.request.as_root || state.kallsyms > 0)
            break;
        nanosleep(&moment, NULL);
    }
    return state;
}

/* Implements cli_live_read. */
static int read_live(void *context, int input)
{
    job *j = context;
    const brz_record_state state = state_of(j);
    complete_request(j, &state);
    reading_request(j)->shows_progress = false; /* the line shows the recording */
    int status = dup2(input, j->input) < 0 ? CLI_FAILED : read_and_write(j);
    dup2(j->file.fd, j->input); /* closes the pipe: the rest will never be read */
    return status;
}

/* Reads the recording for the viewer. */
static int read_for_viewer(void *context)
{
    job *j = context;
    const brz_record_state state = state_of(j);
    complete_request(j, &state);
    j->request.shows_progress = false;
    return read_and_write(j);
}

/* Starts the viewer with the recording, and ends the line when it has something to show. */
static void take_live_state(job *j)
{
    if (!j->view.is_reading)
        cli_live_view_start(&j->view, j->file.fd, read_for_viewer, j);
    if (!atomic_load(&j->view.is_shown))
        return;
    if (j->shows_line)
        cli_record_line_finish(&j->line);
    j->shows_line = false;
    atomic_store(&j->view.is_free, true);
}

/* Implements brz_record_live_fn. */
static void take_state(void *context, const brz_record_state *state)
{
    job *j = context;
    pthread_mutex_lock(&j->lock);
    j->state = *state;
    pthread_mutex_unlock(&j->lock);
    if (j->options.is_live)
        take_live_state(j);
    if (j->shows_line)
        cli_record_line_show(&j->line, state);
}

/* Records. A large file is read meanwhile, unless it is kept, or a child process reads it, or its
 * reader has a limited time. */
static brz_record_result record(job *j)
{
    const cli_record *c = &j->options;
    j->shows_line = j->session->console.verbosity >= 0 && isatty(STDERR_FILENO);
    if (c->request.is_read_along && !c->is_live)
        cli_live_reader_start(&j->reader, j->file.fd, read_live, j);
    brz_record_result result =
        brz_record(&c->request, j->file.fd, &j->session->console, take_state, j);
    if (j->shows_line)
        cli_record_line_finish(&j->line);
    return result;
}

/* Returns why there is no cache in a home folder, as errno, or 0. Root, who may keep $HOME when
 * becoming root, does not write to the folder of another user: links there could lead anywhere. */
static int problem_of_home(const char *home)
{
    struct stat st;
    if (home == NULL || home[0] != '/')
        return ENOENT;
    if (stat(home, &st) != 0)
        return errno;
    return st.st_uid == geteuid() ? 0 : EPERM;
}

/* Reports that files of containers are not kept, and why. */
static void say_not_kept(const job *j, size_t n, const char *why)
{
    if (n > 0)
        brz_say(&j->session->console, BRZ_WARNING, "%zu file%s of containers %s: %s", n,
                n == 1 ? "" : "s", n == 1 ? "is not kept" : "are not kept", why);
}

/* Reports which files of containers were kept in a cache. */
static void say_kept(const job *j, const brz_kept_files *kept, const char *cache)
{
    brz_console *console = &j->session->console;
    brz_say(console, BRZ_NOTE, "%zu file%s of containers %s in %s", kept->n,
            kept->n == 1 ? "" : "s", kept->n == 1 ? "is" : "are", cache);
    say_not_kept(j, kept->n_failed, strerror(kept->error));
    say_not_kept(j, kept->n_absent, "unreadable, or changed since the recording");
    if (kept->n_over > 0)
        brz_say(console, BRZ_WARNING,
                "%zu file%s of containers %s not kept: at most %d are, of 512 MiB each and 2 GiB "
                "together",
                kept->n_over, kept->n_over == 1 ? "" : "s", kept->n_over == 1 ? "is" : "are",
                BRZ_KEPT_MAX);
    if (kept->n_gone > 0)
        brz_say(console, BRZ_WARNING,
                "%zu file%s, perhaps of containers, %s not kept: the processes ended before the "
                "recorder could look at them",
                kept->n_gone, kept->n_gone == 1 ? "" : "s", kept->n_gone == 1 ? "is" : "are");
}

/* Keeps files of containers, which may be gone when the saved recording is read. */
static void keep_files(const job *j)
{
    brz_console *console = &j->session->console;
    const char *home = getenv("HOME");
    int problem = problem_of_home(home);
    brz_buf cache = {0};
    if (!j->options.keeps_files)
        return;
    if (problem == EPERM) {
        brz_say(console, BRZ_WARNING, "no files of containers are kept: '%s' is another user's",
                home);
        return;
    }
    brz_buf_printf(&cache, "%s/.debug", home == NULL ? "" : home);
    brz_kept_files kept = {.error = problem};
    if (problem == 0)
        kept = brz_keep_files(j->file.fd, &j->namespaces, brz_buf_text(&cache));
    if (kept.error != 0 && kept.n_failed == 0)
        brz_say(console, BRZ_WARNING, "no files of containers are kept in %s: %s",
                brz_buf_text(&cache), strerror(kept.error));
    else
        say_kept(j, &kept, brz_buf_text(&cache));
    brz_buf_finish(&cache);
}

/* Gives the recording its name, and keeps the files that it needs. Returns false after reporting an
 * error. */
static bool keep_result(job *j, brz_console *console)
{
    bool good = keep_recording(&j->file, &j->options, console);
    if (good)
        keep_files(j);
    return good;
}

static void say_written(const job *j, const char *output)
{
    brz_console *console = &j->session->console;
    if (strcmp(output, "-") != 0 && j->options.split_by != NULL)
        brz_say(console, BRZ_NOTE, "%s is written for each %s", output, j->options.split_by);
    else if (strcmp(output, "-") != 0)
        brz_say(console, BRZ_NOTE, "%s is written", output);
}

/* Explains why a running process may leave no trace. */
static void say_waits_only(const brz_record_request *r, brz_console *console)
{
    if (r->n_processes > 0)
        brz_say(console, BRZ_NOTE,
                "a thread that waits during the whole recording leaves no trace in it; to draw "
                "where it waits: gdb -p %d -batch -ex 'thread apply all bt' | brazier run - -o "
                "flame.svg",
                r->processes[0]);
}

/* Reports that no samples were recorded, and why. Returns false if there may be something else to
 * draw. */
static bool say_if_empty(const job *j, const brz_record_result *result)
{
    const brz_record_request *r = &j->options.request;
    brz_console *console = &j->session->console;
    if (result->state.samples > 0 || r->off_cpu || r->wakeup)
        return false;
    say_no_samples(r, result, console);
    say_waits_only(r, console);
    return true;
}

/* Says what helps if the frame pointers that were chosen do not lead to the callers: the choice
 * knows neither libraries that are loaded later nor code of compilers. */
static void say_broken(job *j, const brz_record_result *result)
{
    static const char *const codes[] = {"quality.frame-pointers", "quality.single-frame"};
    cli_request *reads = reading_request(j);
    bool is_broken = false;
    for (size_t i = 0; i < BRZ_COUNT_OF(codes); i++)
        is_broken |= strcmp(brz_lib_run(reads->pipeline)->finding, codes[i]) == 0;
    if (is_broken && result->has_chosen_pointers)
        brz_say(&j->session->console, BRZ_NOTE,
                "frame pointers do not lead to all callers here: record again with -g dwarf (Java: "
                "with -XX:+PreserveFramePointer)");
}

/* Returns the status of a recording that could not be drawn: that of a command that failed itself.
 */
static int failed(const job *j, const brz_record_result *result, int status)
{
    return result->status != 0 && !j->options.ignores_status ? result->status : status;
}

/* Draws the recording. Returns the exit status. */
static int draw(job *j, const brz_record_result *result)
{
    brz_console *console = &j->session->console;
    const brz_record_request *r = &j->options.request;
    int status;
    if (!result->state.is_on) {
        brz_say(console, BRZ_FATAL,
                "no samples: the recording ended before the time of --delay had passed");
        return failed(j, result, CLI_FAILED);
    }
    report(result, console);
    bool has_read = cli_live_reader_end(&j->reader, &status);
    if (!has_read && say_if_empty(j, result))
        return failed(j, result, CLI_FAILED);
    if (!has_read) {
        complete_request(j, &result->state);
        status = read_and_write(j);
    }
    if (j->reader.error != 0) {
        brz_say(console, BRZ_FATAL, "the rest of the recording cannot be read: %s",
                strerror(j->reader.error));
        status = CLI_FAILED;
    }
    if (status != CLI_OK && result->state.samples == 0)
        say_waits_only(r, console);
    if (status != CLI_OK)
        return failed(j, result, status);
    say_broken(j, result);
    const cli_record *c = &j->options;
    for (size_t i = 0; i < c->n_outputs || i == 0; i++)
        say_written(j, c->n_outputs > 0 ? c->outputs[i] : j->output);
    if (j->options.opens)
        cli_open_picture(j->output, console);
    return j->options.ignores_status ? CLI_OK : result->status;
}

/* Sets the options of the collapser that belong to the recorded events. */
static void set_collapser(job *j)
{
    cli_request *reads = reading_request(j);
    if (j->options.request.off_cpu)
        brazier_pipeline_set(reads->pipeline, "perf-data.off-cpu", "true", "--off-cpu");
    if (j->options.request.wakeup)
        brazier_pipeline_set(reads->pipeline, "perf-data.wakeup", "true", "--wakeup");
}

/* Prepares what --live needs, and the output of the run that reads the recording if the user names
 * none. Returns false after reporting an error. */
static bool prepare_live(job *j, char **words)
{
    brz_record_request *r = &j->options.request;
    uint64_t recent = j->options.recent > 0 ? j->options.recent / UINT64_C(1000000000) : 10;
    j->view_options.part = CLI_RECORD_VIEW;
    if (!cli_live_view_init(&j->view, j->session, &syntax, words, &j->view_options, recent))
        return false;
    if (j->options.n_outputs == 0)
        brz_lib_add_output_component(j->request.pipeline, &cli_no_output, NULL);
    r->is_viewed = r->is_streamed = true;
    r->is_read_along = j->options.save == NULL;
    r->output = j->view.output;
    r->input = open("/dev/null", O_RDONLY | O_CLOEXEC);
    j->view.is_kept = j->options.save != NULL;
    set_collapser(j);
    cli_live_view_add_input(&j->view, &j->request,
                            j->options.save != NULL ? j->options.save : "recording");
    return true;
}

/* Reports how the recording was read, and what is written. Returns the exit status. */
static int end_live(job *j, const brz_record_result *result, int status)
{
    brz_console *console = &j->session->console;
    report(result, console);
    if (j->view.error != 0)
        brz_say(console, BRZ_FATAL, "the rest of the recording cannot be read: %s",
                strerror(j->view.error));
    if (status != CLI_OK)
        say_if_empty(j, result);
    if (status != CLI_OK || j->view.error != 0)
        return failed(j, result, CLI_FAILED);
    for (size_t i = 0; i < j->options.n_outputs; i++)
        say_written(j, j->options.outputs[i]);
    if (j->options.opens && j->options.n_outputs > 0)
        cli_open_picture(j->output, console);
    return j->options.ignores_status ? CLI_OK : result->status;
}

/* Adds the recording as the input, or with --post-process the result of the command. Returns false
 * after reporting an error. */
static bool add_input(job *j)
{
    const cli_record *c = &j->options;
    const char *name = c->save != NULL ? c->save : "recording";
    set_collapser(j);
    j->input = fcntl(j->file.fd, F_DUPFD_CLOEXEC, 0);
    if (c->post_process == NULL) {
        brz_lib_add_input_descriptor(j->request.pipeline, name, j->input);
        return true;
    }
    if (!cli_post_process_begin(&j->post, &j->session->console))
        return false;
    brz_lib_add_input_descriptor(j->post.request.pipeline, name, j->input);
    brz_lib_add_input_descriptor(j->request.pipeline, c->post_process, j->post.result);
    brazier_pipeline_set(j->request.pipeline, "from", "folded", NULL);
    return true;
}

/* Returns false after reporting that an output would replace the recording. */
static bool is_saved_apart(const job *j, brz_console *console)
{
    const cli_record *c = &j->options;
    if (c->save == NULL)
        return true;
    bool good = !brz_is_same_place(j->output, c->save);
    for (size_t i = 1; i < c->n_outputs && good; i++)
        good = !brz_is_same_place(c->outputs[i], c->save);
    if (!good)
        brz_say(console, BRZ_FATAL, "%s would be both the recording and an output", c->save);
    return good;
}

/* Records into a file and shows it meanwhile. Returns the exit status. */
static int record_live(job *j, char **words)
{
    brz_console *console = &j->session->console;
    j->output = j->options.n_outputs > 0 ? j->options.outputs[0] : "-";
    if (!is_saved_apart(j, console))
        return CLI_USAGE;
    int end = CLI_FAILED;
    if (prepare_live(j, words) && create_file(&j->file, &j->options, console)) {
        brazier_status checked =
            brz_lib_check_with_outputs(j->request.pipeline, &j->has_time_limit);
        if (checked != BRAZIER_OK) {
            end = checked == BRAZIER_MISUSED ? CLI_USAGE : CLI_FAILED;
        } else {
            brz_record_result result = record(j);
            end = result.status;
            int status = cli_live_view_end(&j->view, result.is_interrupted || !result.recorded);
            if (result.recorded)
                end = keep_result(j, console) ? end_live(j, &result, status)
                                              : failed(j, &result, CLI_FAILED);
        }
    }
    cli_live_view_finish(&j->view, j->session);
    if (j->options.request.input > 0)
        close(j->options.request.input);
    return end;
}

/* Records into a file and draws it. Returns the exit status. */
static int record_and_draw(job *j)
{
    brz_console *console = &j->session->console;
    j->output = add_output(&j->request, &j->options, &j->name);
    if (!is_saved_apart(j, console))
        return CLI_USAGE;
    if ((j->options.n_outputs == 0 && !cli_may_write_default(j->output, console)) ||
        !create_file(&j->file, &j->options, console) || !add_input(j))
        return CLI_FAILED;
    brazier_status status = brz_lib_check_with_outputs(j->request.pipeline, &j->has_time_limit);
    if (status != BRAZIER_OK)
        return status == BRAZIER_MISUSED ? CLI_USAGE : CLI_FAILED;
    if (j->options.only_checks)
        return CLI_OK;
    int unused;
    j->options.request.is_streamed = j->options.save == NULL;
    j->options.request.is_read_along =
        j->options.save == NULL && !j->options.isolates && !j->has_time_limit;
    brz_record_result result = record(j);
    int end = result.status;
    if (result.recorded)
        end = keep_result(j, console) ? draw(j, &result) : failed(j, &result, CLI_FAILED);
    cli_live_reader_end(&j->reader, &unused);
    return end;
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

/* Records for another process, as root: see record/remote.h. */
static int record_for_other(job *j)
{
    brz_record_request *r = &j->options.request;
    r->words = (const char *const *)j->request.command;
    r->namespaces = &j->namespaces;
    brz_record_result result = brz_record(r, STDOUT_FILENO, &j->session->console, NULL, NULL);
    return result.recorded ? CLI_OK : CLI_FAILED;
}

/* Parses the words again, in two parts, if the stacks are to be folded before they are drawn.
 * Returns false after reporting an error. */
static bool divide(job *j, char **words)
{
    if (j->options.post_process == NULL)
        return true;
    cli_request_finish(&j->request);
    j->request = (cli_request){.own = &j->options, .lenient = true};
    j->post.request = (cli_request){.own = &j->options, .lenient = true};
    j->options.part = CLI_RECORD_FOLD;
    if (!cli_request_words(j->session, &syntax, words, &j->post.request))
        return false;
    j->options.part = CLI_RECORD_DRAW;
    return cli_request_words(j->session, &syntax, words, &j->request);
}

static int record_interval(void *context, char **words, uint64_t duration);

/* Records until something ends it. Returns the exit status. */
static int record_continuously(const job *j, char **words)
{
    const cli_record *o = &j->options;
    const char **files = brz_calloc(o->n_outputs + 1, sizeof *files);
    memcpy(files, o->outputs, o->n_outputs * sizeof *files);
    files[o->n_outputs] = o->save;
    const cli_continuous c = {.console = &j->session->console,
                              .every = o->every,
                              .duration = o->request.duration,
                              .keep = o->keep,
                              .files = files,
                              .n_files = o->n_outputs + (o->save != NULL),
                              .words = words,
                              .record = record_interval,
                              .context = j->session};
    int status = cli_continuous_run(&c);
    free(files);
    return status;
}

/* Does what the words say. */
static int run_words(job *j, char **words, const char **line)
{
    brz_record_request *r = &j->options.request;
    if (!cli_request_words(j->session, &syntax, words, &j->request) || !divide(j, words))
        return CLI_USAGE;
    if (r->is_controlled)
        return record_for_other(j);
    r->command = j->request.command;
    r->words = line;
    r->namespaces = &j->namespaces;
    r->as_root &= geteuid() != 0;
    if (j->interval > 0) { /* its names are complete */
        j->options.every = j->options.keep = 0;
        r->duration = j->interval;
    }
    if (!cli_record_check(&j->options, &j->session->console))
        return CLI_USAGE;
    bool is_continuous = j->options.every > 0 && !j->options.only_checks;
    if (j->options.is_live && !j->options.only_checks)
        return record_live(j, words);
    return is_continuous ? record_continuously(j, words) : record_and_draw(j);
}

/* Records once, or in a process of continuous recording an interval of it. */
static int run_once(brz_session *s, char **words, uint64_t interval)
{
    job j = {.session = s,
             .interval = interval,
             .request.own = &j.options,
             .post = {.folded = -1, .result = -1},
             .file = {.fd = -1, .kallsyms = -1},
             .input = -1,
             .lock = PTHREAD_MUTEX_INITIALIZER};
    const char **line = command_line(words);
    brz_namespaces_init(&j.namespaces);
    int status = run_words(&j, words, line);
    close_file(&j.file);
    if (j.input >= 0)
        close(j.input);
    brz_namespaces_finish(&j.namespaces);
    cli_post_process_finish(&j.post);
    cli_request_finish(&j.request);
    cli_record_finish(&j.options);
    cli_record_finish(&j.view_options);
    brz_buf_finish(&j.name);
    free(line);
    return status;
}

/* Implements the function of cli_continuous. */
static int record_interval(void *context, char **words, uint64_t duration)
{
    return run_once(context, words, duration);
}

static int run(brz_session *s, char **words)
{
    return run_once(s, words, 0);
}

static void help(brz_session *s, char **words, FILE *out)
{
    static const char *const refused[] = {"from", NULL}; /* a recording is perf-data */
    fputs("Records a program with the profiler of the Linux kernel and draws its flame\n"
          "graph: flame.svg, unless -o names another output. Ctrl-C ends the recording, not\n"
          "the picture. The exit status is that of the command.\n\n"
          "    brazier record -- ./program\n"
          "    brazier record -o flame.html --open -- make -j4\n"
          "    brazier record -p 1234 --duration 10s\n"
          "    brazier record -a --duration 10s\n"
          "    brazier record --live -p 1234\n"
          "    brazier record -a -F 19 --every 60s --keep-for 24h -o 'host-{time}.pb.gz'\n",
          out);
    cli_print_section(out, "Recording", cli_record_options);
    cli_print_run_section_beside(out, "Output", BRZ_RUN_ABOUT_OUTPUT, cli_record_options, NULL);
    cli_components_help(s, &syntax, words, out);
    cli_print_run_section_beside(out, "Input", BRZ_RUN_ABOUT_INPUT, cli_record_options, refused);
    cli_print_run_section_beside(out, "Transforms, in the order given", BRZ_RUN_ABOUT_TRANSFORMS,
                                 cli_record_options, NULL);
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
