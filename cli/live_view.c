/* SPDX-License-Identifier: MIT */
/* Shows a recording in the terminal while it is made. */
#include "live_view.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/scratch.h"
#include "base/thread.h"
#include "base/write_all.h"
#include "interrupt.h"

#define SECOND UINT64_C(1000000000)

/* Time between two looks at the file, and at the mailbox, in milliseconds. */
#define LOOK_MS 100

/* A copy and its picture take at most one part in so many of the time. */
#define SPARE 100

/* Number of bytes of the command's output that are kept. */
#define OUTPUT_KEPT ((uint64_t)64 << 10)

static void wait_a_little(void)
{
    const struct timespec t = {.tv_nsec = LOOK_MS * 1000000L};
    nanosleep(&t, NULL);
}

static uint64_t now(void)
{
    return brz_clock_read(CLOCK_MONOTONIC);
}

static uint64_t size_of(int file)
{
    struct stat st;
    return file >= 0 && fstat(file, &st) == 0 ? (uint64_t)st.st_size : 0;
}

/* ---- copies of the profile ----------------------------------------------------------------- */

/* Returns the part to copy, which the user may have changed. */
static brz_recent_part choose_part(cli_live_view *l)
{
    pthread_mutex_lock(&l->lock);
    brz_recent_part part = l->part;
    bool marks = l->is_marked;
    l->is_marked = l->is_changed = false;
    pthread_mutex_unlock(&l->lock);
    if (marks)
        brz_recent_mark(&l->recent, l->profile);
    return part;
}

/* Gives the viewer a copy in place of one that it has not taken. */
static void give(cli_live_view *l)
{
    brz_profile *copy = brz_recent_copy(&l->recent, l->profile, choose_part(l));
    pthread_mutex_lock(&l->lock);
    brz_profile *old = l->newest;
    l->newest = copy;
    pthread_mutex_unlock(&l->lock);
    brz_profile_destroy(old);
}

/* Returns whether the viewer wants a copy. */
static bool is_wanted(cli_live_view *l, uint64_t at)
{
    pthread_mutex_lock(&l->lock);
    bool wanted = l->is_changed || (l->newest == NULL && !l->is_paused && at >= l->next_copy);
    pthread_mutex_unlock(&l->lock);
    return wanted && l->profile->n_stacks > 0;
}

/* Remembers what was added in the seconds that have passed. */
static void tick(cli_live_view *l, uint64_t at)
{
    uint64_t n = (at - l->last_tick) / SECOND;
    if (n == 0)
        return;
    brz_recent_tick(&l->recent, l->profile, n);
    l->last_tick += n * SECOND;
    if (l->output >= 0 && size_of(l->output) > OUTPUT_KEPT)
        brz_scratch_free_before(l->output, &l->output_freed, size_of(l->output) - OUTPUT_KEPT);
}

/* Does what is due while the recording goes on. */
static void attend(cli_live_view *l)
{
    uint64_t begin = now();
    if (l->profile == NULL)
        return;
    tick(l, begin);
    if (!is_wanted(l, begin))
        return;
    give(l);
    uint64_t end = now(), pause = (end - begin) * SPARE;
    l->next_copy = end + (pause > SECOND ? pause : SECOND);
}

/* Implements brz_watch.look. */
static void look(void *context, const brz_profile *profile)
{
    cli_live_view *l = context;
    l->profile = profile;
    if (!l->has_ended) {
        attend(l);
        return;
    }
    tick(l, now());
    if (profile->n_stacks > 0)
        give(l);
    atomic_store(&l->is_final, true);
}

/* ---- reading ------------------------------------------------------------------------------- */

/* Implements brz_read_fn: returns bytes as soon as there are some. */
static int64_t read_bytes(void *context, void *to, size_t n)
{
    cli_live_view *l = context;
    for (;;) {
        bool is_complete = atomic_load(&l->is_complete);
        ssize_t got = pread(l->file, to, n, (off_t)l->at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            l->error = errno;
        l->has_ended = got < 0 || (got == 0 && is_complete);
        if (got != 0 || is_complete) {
            l->at += got > 0 ? (uint64_t)got : 0;
            if (!l->is_kept)
                brz_scratch_free_before(l->file, &l->freed, l->at);
            return got;
        }
        attend(l);
        wait_a_little();
    }
}

void cli_live_view_add_input(cli_live_view *l, cli_request *r, const char *name)
{
    brz_lib_add_input_live(r->pipeline, name, read_bytes, l, &l->watch);
}

static void *run_reader(void *context)
{
    cli_live_view *l = context;
    l->status = l->read(l->context);
    atomic_store(&l->is_final, true); /* if it has failed, there is no last copy */
    return NULL;
}

/* ---- the viewer ---------------------------------------------------------------------------- */

/* Implements brz_view_live.is_due. */
static bool is_due(void *context, bool is_paused)
{
    cli_live_view *l = context;
    pthread_mutex_lock(&l->lock);
    l->is_paused = is_paused;
    bool due = l->newest != NULL && !is_paused;
    pthread_mutex_unlock(&l->lock);
    return due;
}

/* Lets the next copy show another part. */
static void change_part(cli_live_view *l, brz_recent_part part)
{
    pthread_mutex_lock(&l->lock);
    l->part = part;
    l->is_changed = true;
    l->is_marked = part == BRZ_RECENT_SINCE_MARK;
    pthread_mutex_unlock(&l->lock);
}

/* Implements brz_view_live.reset. */
static void reset(void *context)
{
    change_part(context, BRZ_RECENT_SINCE_MARK);
}

/* Implements brz_view_live.turn. */
static void turn(void *context, brz_buf *message)
{
    cli_live_view *l = context;
    bool was_last = l->part == BRZ_RECENT_LAST; /* only this thread changes it */
    change_part(l, was_last ? BRZ_RECENT_ALL : BRZ_RECENT_LAST);
    if (was_last)
        brz_buf_add_text(message, "the whole recording");
    else
        brz_buf_printf(message, "the last %llu s", (unsigned long long)l->seconds);
}

/* Implements brz_view_live.describe. */
static void describe(void *context, bool is_paused, brz_buf *b)
{
    cli_live_view *l = context;
    if (is_paused)
        brz_buf_add_text(b, "paused");
    else if (atomic_load(&l->is_final))
        brz_buf_add_text(b, "ended");
    else
        brz_buf_printf(b, "live %llu s", (unsigned long long)((now() - l->start) / SECOND));
    if (l->part == BRZ_RECENT_LAST)
        brz_buf_printf(b, ", last %llu s", (unsigned long long)l->seconds);
    if (l->part == BRZ_RECENT_SINCE_MARK)
        brz_buf_add_text(b, ", from R on");
}

/* Takes the newest copy of the profile. Returns false if no new one was made. */
static bool take(cli_live_view *l)
{
    pthread_mutex_lock(&l->lock);
    l->taken = l->newest;
    l->newest = NULL;
    pthread_mutex_unlock(&l->lock);
    return l->taken != NULL;
}

/* Waits until nothing else writes to the terminal. */
static void await_terminal(cli_live_view *l)
{
    atomic_store(&l->is_shown, true);
    while (!atomic_load(&l->is_free) && !atomic_load(&l->is_complete))
        wait_a_little();
}

/* Shows copies until the user quits or nothing is left to show. */
static void *run_viewer(void *context)
{
    cli_live_view *l = context;
    brz_run *run = brz_lib_run(l->request.pipeline);
    while (!l->live.is_closed && !atomic_load(&run->stop)) {
        bool was_final = atomic_load(&l->is_final);
        if (take(l)) {
            await_terminal(l);
            brazier_pipeline_run(l->request.pipeline);
        } else if (was_final) {
            break;
        } else {
            wait_a_little();
        }
    }
    l->view->close_live(&l->live);
    if (!atomic_load(&l->is_complete))
        kill(getpid(), SIGINT); /* ends the recording */
    return NULL;
}

/* ---- beginning and end --------------------------------------------------------------------- */

/* Drops a message about one picture; the reader has reported what matters. */
static void drop(void *context, const brazier_diagnostic *d)
{
    (void)context;
    (void)d;
}

static bool open_session(cli_live_view *l, brz_session *s)
{
    const cli_globals *g = brz_lib_session(s)->context;
    brazier_session_options options = g->session;
    options.on_diagnostic = drop;
    options.context = NULL;
    return brazier_session_open(&options, &l->session) == BRAZIER_OK;
}

/* Collects messages until the terminal is free. */
static void hold_messages(cli_live_view *l, brz_session *s)
{
    const cli_globals *g = brz_lib_session(s)->context;
    l->messages = open_memstream(&l->text, &l->text_len);
    if (l->messages != NULL)
        g->console->out = l->messages;
}

static bool find_viewer(cli_live_view *l, brz_session *s)
{
    brz_buf error = {0};
    l->view = brz_view_load(&error);
    bool good = l->view != NULL && l->view->check(&error);
    if (!good)
        brz_say(&s->console, BRZ_FATAL, "--live: %s", brz_buf_text(&error));
    brz_buf_finish(&error);
    return good;
}

bool cli_live_view_init(cli_live_view *l, brz_session *s, const cli_syntax *syntax, char **words,
                        void *own, uint64_t seconds)
{
    brz_buf error = {0};
    l->seconds = seconds > 0 ? seconds : 1;
    l->live = (brz_view_live){
        .is_due = is_due, .reset = reset, .turn = turn, .describe = describe, .context = l};
    l->live_at = &l->live;
    l->watch = (brz_watch){look, l};
    l->request = (cli_request){.own = own, .lenient = true};
    pthread_mutex_init(&l->lock, NULL);
    brz_recent_init(&l->recent, l->seconds, BRZ_RECENT_MOST);
    l->output = -1;
    if (!find_viewer(l, s) || !open_session(l, s) ||
        !cli_request_words(&l->session->core, syntax, words, &l->request))
        return false;
    l->output = brz_scratch_create(&error);
    if (l->output < 0)
        brz_say(&s->console, BRZ_FATAL, "--live: %s", brz_buf_text(&error));
    brz_buf_finish(&error);
    brz_lib_add_input_profile(l->request.pipeline, "recording", &l->taken);
    brz_lib_add_output_component(l->request.pipeline, l->view->live_output, &l->live_at);
    if (l->output >= 0)
        hold_messages(l, s);
    return l->output >= 0;
}

void cli_live_view_start(cli_live_view *l, int file, int (*read)(void *context), void *context)
{
    l->file = file;
    l->read = read;
    l->context = context;
    l->start = l->last_tick = now();
    l->is_reading = brz_thread_start(&l->reader, run_reader, l);
    l->is_viewing = l->is_reading && brz_thread_start(&l->viewer, run_viewer, l);
}

/* Waits for the viewer. Signals end it as they end a run. */
static void await_viewer(cli_live_view *l, bool closes)
{
    sigset_t held, before;
    brz_run *run = brz_lib_run(l->request.pipeline);
    sigemptyset(&held);
    sigaddset(&held, SIGTSTP);
    sigaddset(&held, SIGWINCH);
    pthread_sigmask(SIG_BLOCK, &held, &before);
    if (closes)
        atomic_store(&run->stop, true);
    cli_interruptible(run);
    pthread_join(l->viewer, NULL);
    cli_interruptible(NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    l->is_viewing = false;
}

int cli_live_view_end(cli_live_view *l, bool closes)
{
    atomic_store(&l->is_complete, true);
    if (l->is_reading) /* it ends soon, and with it its claim to signals */
        pthread_join(l->reader, NULL);
    if (l->is_viewing)
        await_viewer(l, closes);
    l->is_reading = false;
    return l->status;
}

/* Prints the end of the command's output. */
static void print_output(const cli_live_view *l)
{
    char piece[4096];
    uint64_t size = size_of(l->output), at = size > OUTPUT_KEPT ? size - OUTPUT_KEPT : 0;
    ssize_t n;
    if (at > 0)
        fprintf(stderr, "brazier: note: the command's output, without its first %llu bytes:\n",
                (unsigned long long)at);
    while ((n = pread(l->output, piece, sizeof piece, (off_t)at)) > 0) {
        brz_write_all(STDOUT_FILENO, piece, (size_t)n);
        at += (uint64_t)n;
    }
}

void cli_live_view_finish(cli_live_view *l, brz_session *s)
{
    const cli_globals *g = brz_lib_session(s)->context;
    if (l->output >= 0) {
        print_output(l);
        close(l->output);
    }
    if (l->messages != NULL) {
        g->console->out = stderr;
        fclose(l->messages);
        fputs(l->text, stderr);
        free(l->text);
    }
    cli_request_finish(&l->request);
    brazier_session_close(l->session);
    brz_profile_destroy(l->newest);
    brz_profile_destroy(l->taken);
    brz_recent_finish(&l->recent);
    pthread_mutex_destroy(&l->lock);
}

/* ---- no output ------------------------------------------------------------------------------ */

static brz_rc write_nothing(brz_output_ctx *ctx, const brz_tree *tree, brz_sink *sink)
{
    (void)ctx;
    (void)tree;
    (void)sink;
    return BRZ_OK;
}

static const char *const endings[] = {NULL};

static const brz_output nothing = {
    .struct_size = sizeof nothing,
    .flags = BRZ_OUTPUT_FUNCTIONS, /* those with different lines and addresses are one */
    .media_type = "text/plain",
    .endings = endings,
    .write = write_nothing,
};

static const brz_component nothing_component = {
    .struct_size = sizeof nothing_component,
    .kind = BRZ_OUTPUT,
    .id = "none",
    .summary = "nothing",
    .option_size = sizeof(brz_option),
    .vtable = &nothing,
};

const brz_loaded cli_no_output = {
    .component = &nothing_component,
    .vtable = &nothing,
    .plugin = "none",
    .version = "",
    .path = "brazier",
    .is_shipped = true,
};
