/* Work in a child process that can do no harm.
 *
 * The pipe between the two carries frames: data, which is all that the work gives, and between it
 * what is to be said and shown at once. What both have in common is a page of memory for what must
 * get through at any time: that the child is to stop, and why it crashed.
 */
#include "isolate/isolate.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "plugin/crash.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/memory_use.h"
#include "input/progress.h"
#include "isolate/sandbox.h"
#include "base/run.h"

#if defined(__linux__)
#include <sys/prctl.h>
#endif

typedef enum frame_type {
    FRAME_DATA = 1,
    FRAME_SAY,      /* a `said`, and a text */
    FRAME_PROGRESS, /* how far it is, and of how much: two uint64_t */
    FRAME_SANDBOX,  /* a brz_sandbox */
} frame_type;

typedef struct frame_head {
    uint32_t type, len;
} frame_head;

#define FRAME_MAX BRZ_WIRE_BUFFER

/* The page. */
typedef struct shared {
    brz_run run; /* the child's */
    brz_crash_note note;
} shared;

/* ---- the child ----------------------------------------------------------------------------- */

/* The child's end; it wraps the wire that the work writes to. */
typedef struct giver {
    brz_wire_out out; /* first */
    pthread_mutex_t lock;
    int fd;
} giver;

static void write_all(const giver *g, const void *data, size_t n)
{
    for (const char *at = data; n > 0;) {
        ssize_t done = write(g->fd, at, n);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            brz_crash_end(); /* the parent is gone */
        at += done;
        n -= (size_t)done;
    }
}

/* Any thread may have something to say. */
static void send_frame(giver *g, frame_type type, const void *head, size_t head_len,
                       const void *data, size_t len)
{
    frame_head f = {type, (uint32_t)(head_len + len)};
    pthread_mutex_lock(&g->lock);
    write_all(g, &f, sizeof f);
    write_all(g, head, head_len);
    write_all(g, data, len);
    pthread_mutex_unlock(&g->lock);
}

static void give_data(brz_wire_out *out, const void *data, size_t n)
{
    for (const char *at = data; n > 0;) {
        size_t len = n < FRAME_MAX ? n : FRAME_MAX;
        send_frame((giver *)out, FRAME_DATA, NULL, 0, at, len);
        at += len;
        n -= len;
    }
}

#define LONGEST_TEXT ((size_t)16 << 10)

#define LONGEST_CODE ((size_t)64)

/* What precedes the text of something said. */
typedef struct said {
    int32_t severity;
    char code[LONGEST_CODE]; /* "": none */
} said;

/* A component speaks by its name, which goes with the text. */
static void relay_notice(void *to, const brz_notice *n)
{
    said head = {.severity = n->severity};
    brz_buf b = {0};
    if (n->code != NULL && strlen(n->code) < LONGEST_CODE)
        memcpy(head.code, n->code, strlen(n->code));
    if (n->component != NULL)
        brz_buf_printf(&b, "%s: ", n->component->id);
    brz_buf_add_str(&b, n->msg);
    size_t len = b.len < LONGEST_TEXT ? b.len : LONGEST_TEXT;
    send_frame(to, FRAME_SAY, &head, sizeof head, brz_buf_text(&b), len);
    brz_buf_finish(&b);
}

static void relay_nothing(void *to, const brz_notice *n)
{
    (void)to;
    (void)n;
}

static int relay_progress(void *context, const char *input, uint64_t taken, uint64_t total)
{
    const uint64_t numbers[] = {taken, total};
    (void)input;
    send_frame(context, FRAME_PROGRESS, NULL, 0, numbers, sizeof numbers);
    return 0;
}

void brz_isolated_mute(brz_run *run, bool mute)
{
    run->console->report = mute ? relay_nothing : relay_notice;
}

/* What the user sends to all of a terminal's processes is for the parent to act upon. Should it
 * die, so does this one. */
static void follow_parent(pid_t parent)
{
    signal(SIGINT, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    signal(SIGQUIT, SIG_IGN);
#if defined(__linux__)
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    if (getppid() != parent)
        brz_crash_end();
}

_Noreturn static void be_child(const brz_isolated *task, pid_t parent, int fd, shared *s)
{
    giver *g = brz_calloc(1, sizeof *g);
    g->out.write = give_data;
    g->fd = fd;
    pthread_mutex_init(&g->lock, NULL);
    s->run.console = task->run->console;
    s->run.console->report = relay_notice;
    s->run.console->to = g;
    if (task->progress != NULL && task->progress->tell != NULL)
        *task->progress = (brz_progress){relay_progress, g, &s->run.stop};
    follow_parent(parent);
    brz_crash_divert(&s->note);
    brz_set_out_of_memory(brz_crash_out_of_memory);
    brz_memory_set_limit(task->memory);
    brz_sandbox sandbox = brz_sandbox_enter(&(brz_sandbox_needs){.input = task->input,
                                                                 .result = fd,
                                                                 .end = BRZ_CRASH_END_STATUS,
                                                                 .threads = task->threads,
                                                                 .memory = task->memory});
    send_frame(g, FRAME_SANDBOX, NULL, 0, &sandbox, sizeof sandbox);
    task->work(task->context, &s->run, &g->out);
    brz_wire_flush(&g->out);
    brz_crash_end();
}

/* ---- the parent ---------------------------------------------------------------------------- */

/* How long a child may take to stop by itself, and then to tell what it was doing. */
#define PATIENCE 0.4

/* More that a child wants to say is left unsaid. */
#define MOST_TEXTS 4096

typedef struct taker {
    brz_wire_in in; /* first */
    const brz_isolated *task;
    shared *shared;
    pid_t child;
    int fd;
    uint32_t in_frame; /* of the data that comes, what was not read yet */
    uint64_t left;     /* bytes of all frames that there may be */
    bool ended;        /* nothing more comes */
    unsigned texts;
    double asked;      /* when the child was asked to stop; 0: it was not */
    unsigned insisted; /* how often, since then */
} taker;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Once the run is to end: asks the child to stop, then lets it tell where it hangs, then ends it.
 */
static void watch_the_clock(taker *t)
{
    if (!atomic_load(&t->task->run->stop))
        return;
    double time = now();
    if (t->asked == 0) {
        t->asked = time;
        atomic_store(&t->shared->run.stop, true);
    }
    if (time < t->asked + (1 + t->insisted) * PATIENCE)
        return;
    atomic_store(&t->shared->note.hangs, true);
    kill(t->child, t->insisted == 0 ? SIGABRT : SIGKILL);
    t->insisted++;
}

/* Reads up to n bytes; 0 at the end. */
static size_t read_some(taker *t, void *to, size_t n)
{
    for (;;) {
        struct pollfd p = {.fd = t->fd, .events = POLLIN};
        int ready = poll(&p, 1, 100);
        watch_the_clock(t);
        if (ready < 0 && errno != EINTR)
            return 0;
        if (ready <= 0)
            continue;
        ssize_t got = read(t->fd, to, n);
        if (got < 0 && errno == EINTR)
            continue;
        t->ended = got <= 0;
        return got > 0 ? (size_t)got : 0;
    }
}

static bool read_all(taker *t, void *to, size_t n)
{
    for (char *at = to; n > 0;) {
        size_t got = read_some(t, at, n);
        if (got == 0)
            return false;
        at += got;
        n -= got;
    }
    return true;
}

static void say_sandbox(const taker *t, const brz_sandbox *s)
{
    brz_console *console = t->task->run->console;
    brz_buf b = {0};
    brz_sandbox_describe(s, &b);
    if (console->verbosity > 0)
        brz_say(console, BRZ_NOTE, "%s: read in isolation: %s", t->task->name, brz_buf_text(&b));
    brz_buf_finish(&b);
}

static void say_text(taker *t, const char *frame, size_t len)
{
    said head;
    if (len < sizeof head || t->texts++ >= MOST_TEXTS)
        return;
    memcpy(&head, frame, sizeof head);
    head.code[LONGEST_CODE - 1] = '\0';
    brz_say_code(t->task->run->console, head.severity, head.code[0] != '\0' ? head.code : NULL,
                 "%.*s", (int)(len - sizeof head), frame + sizeof head);
}

static void show_progress(const taker *t, const char *frame)
{
    const brz_progress *p = t->task->progress;
    uint64_t numbers[2];
    memcpy(numbers, frame, sizeof numbers);
    if (p != NULL && p->tell != NULL &&
        p->tell(p->context, t->task->name, numbers[0], numbers[1]) != 0)
        atomic_store(p->stop, true);
}

/* Acts upon a frame that is no data. */
static bool take_other(taker *t, const frame_head *f)
{
    char text[LONGEST_TEXT + sizeof(said)];
    brz_sandbox sandbox;
    if (f->len > sizeof text || !read_all(t, text, f->len))
        return brz_wire_reject(&t->in, "a message that cannot be");
    if (f->type == FRAME_SAY) {
        say_text(t, text, f->len);
    } else if (f->type == FRAME_PROGRESS && f->len == 2 * sizeof(uint64_t)) {
        show_progress(t, text);
    } else if (f->type == FRAME_SANDBOX && f->len == sizeof sandbox) {
        memcpy(&sandbox, text, sizeof sandbox);
        say_sandbox(t, &sandbox);
    } else {
        return brz_wire_reject(&t->in, "a message that cannot be");
    }
    return true;
}

/* Goes to the next frame of data; false at the end. */
static bool find_data(taker *t)
{
    frame_head f;
    while (t->in_frame == 0) {
        if (!read_all(t, &f, sizeof f))
            return false;
        if (f.len + sizeof f > t->left)
            return brz_wire_reject(&t->in, "more of it than there may be");
        t->left -= f.len + sizeof f;
        if (f.type == FRAME_DATA)
            t->in_frame = f.len;
        else if (!take_other(t, &f))
            return false;
    }
    return true;
}

static size_t take_data(brz_wire_in *in, void *to, size_t n)
{
    taker *t = (taker *)in;
    if (!find_data(t))
        return 0;
    size_t got = read_some(t, to, t->in_frame < n ? t->in_frame : n);
    t->in_frame -= (uint32_t)got;
    return got;
}

/* A copy of a text that the child has left: it may be anything. */
static brz_str left_text(const char *text, size_t size, uint32_t len)
{
    return brz_str_of(text, len < size ? len : size);
}

/* How a child ended that left no word. */
static void add_end(const taker *t, int status, brz_buf *b)
{
    const brz_loaded *plugin = t->task->plugin != NULL ? *t->task->plugin : NULL;
    if (!t->ended || (WIFEXITED(status) && WEXITSTATUS(status) == BRZ_CRASH_END_STATUS))
        brz_buf_printf(b, "what its process gave makes no sense: %s", t->in.fault);
    else if (WIFSIGNALED(status) && WTERMSIG(status) != SIGKILL)
        brz_buf_printf(b, "its process was ended: %s", strsignal(WTERMSIG(status)));
    else if (WIFSIGNALED(status) && t->insisted == 0)
        brz_buf_add_text(b, "its process was killed, perhaps for want of memory");
    else if (WIFSIGNALED(status))
        brz_buf_add_text(b, "it did not stop when asked to");
    else
        brz_buf_printf(b, "its process ended with status %d", WEXITSTATUS(status));
    if (plugin != NULL)
        brz_buf_printf(b, " (plug-in %s %s, %s)", plugin->plugin, plugin->version, plugin->path);
}

/* Says why the child is gone. */
static void say_lost(const taker *t, int status)
{
    const brz_crash_note *note = &t->shared->note;
    brz_console *console = t->task->run->console;
    brz_buf why = {0};
    if (note->told)
        brz_buf_add_str(&why, left_text(note->text, sizeof note->text, note->len));
    else
        add_end(t, status, &why);
    brz_say_code(console, BRZ_FATAL, BRZ_SAYS_READ, "%s is left out: %s", t->task->name,
                 brz_buf_text(&why));
    brz_str advice = left_text(note->advice, sizeof note->advice, note->advice_len);
    if (note->told && advice.len > 0)
        brz_say(console, BRZ_NOTE, "%.*s", (int)advice.len, advice.data);
    brz_buf_finish(&why);
}

/* Sees the child off: it may have closed the pipe and live on. What it died of is not changed by
 * that. */
static int bury(const taker *t)
{
    int status = 0;
    kill(t->child, SIGKILL);
    while (waitpid(t->child, &status, 0) < 0 && errno == EINTR)
        ;
    return status;
}

/* A third of the memory that the child may have: what it gives takes more room here than on its
 * way. */
static uint64_t most_bytes(void)
{
    uint64_t memory = brz_sandbox_memory();
    return memory > 0 ? memory / 3 : (uint64_t)1 << 30;
}

static brz_isolated_end be_parent(const brz_isolated *task, pid_t child, int fd, shared *s)
{
    taker *t = brz_calloc(1, sizeof *t);
    t->in.read = take_data;
    t->in.left = t->left = most_bytes();
    t->task = task;
    t->shared = s;
    t->child = child;
    t->fd = fd;
    atomic_store(&task->run->supervises, true);
    task->take(task->context, &t->in);
    int status = bury(t);
    atomic_store(&task->run->supervises, false);
    brz_isolated_end end = BRZ_ISOLATED_DONE;
    if (t->asked > 0 && !s->note.told && t->insisted < 2) {
        end = BRZ_ISOLATED_STOPPED;
    } else if (t->in.fault != NULL) {
        end = BRZ_ISOLATED_LOST;
        say_lost(t, status);
    }
    free(t);
    return end;
}

static brz_isolated_end say_no_child(const brz_isolated *task)
{
    brz_say_code(task->run->console, BRZ_FATAL, BRZ_SAYS_READ,
                 "%s is left out: no process to read it in: %s", task->name, strerror(errno));
    return BRZ_ISOLATED_LOST;
}

/* Both ends close on their own where a program is run, as do all others. */
static brz_isolated_end fork_with(const brz_isolated *task, shared *s)
{
    int fds[2];
    if (pipe(fds) != 0)
        return say_no_child(task);
    brz_hash_seed(); /* before the child needs a system call for it */
    fflush(stdout);
    pid_t parent = getpid(), child = fork();
    if (child == 0) {
        close(fds[0]);
        be_child(task, parent, fds[1], s);
    }
    close(fds[1]);
    brz_isolated_end end = child < 0 ? say_no_child(task) : be_parent(task, child, fds[0], s);
    close(fds[0]);
    return end;
}

brz_isolated_end brz_isolate(const brz_isolated *task)
{
    shared *s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (s == MAP_FAILED)
        return say_no_child(task);
    brz_isolated_end end = fork_with(task, s);
    munmap(s, sizeof *s);
    return end;
}
