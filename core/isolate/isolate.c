/* SPDX-License-Identifier: MIT */
/* Runs work in a sandboxed child process.
 *
 * The pipe between the processes carries frames: data, which is the output of `work`, interleaved
 * with messages and progress to show at once. The child's requests for files go the same way; the
 * answers, with a descriptor each, come through a socket. A page of shared memory carries the
 * messages that must arrive at any time: the request to stop, and the reason of a crash.
 */
#include "isolate/isolate.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "plugin/crash.h"
#include "plugin/process_state.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/memory_use.h"
#include "base/write_all.h"
#include "input/progress.h"
#include "isolate/sandbox.h"
#include "base/run.h"

#if defined(__linux__)
#include <sys/prctl.h>
#endif

typedef enum frame_type {
    FRAME_DATA = 1,
    FRAME_SAY,      /* a `said`, and a text */
    FRAME_PROGRESS, /* bytes read, and total: two uint64_t */
    FRAME_SANDBOX, /* a brz_sandbox: the first one precedes code of plug-ins that are not shipped */
    FRAME_FIND,    /* the name of a file, which the parent answers */
} frame_type;

typedef struct frame_head {
    uint32_t type, len;
} frame_head;

#define FRAME_MAX BRZ_WIRE_BUFFER

/* The shared page. */
typedef struct shared {
    brz_run run; /* run of the child */
    brz_crash_note note;
} shared;

/* ---- the child ------------------------------------------------------------------------------- */

/* The child's end of the pipe; extends the wire that the work writes to. */
typedef struct sender {
    brz_wire_out out; /* must be first */
    pthread_mutex_t lock;
    int fd;
    int answers; /* socket with the parent's answers; -1: none */
} sender;

/* The answer to a request for a file. A descriptor comes with it if the file is opened. */
typedef struct answer {
    int32_t status; /* BRZ_RELATED_* */
    uint32_t path_len;
    uint64_t size;
    char path[BRZ_RELATED_PATH_MAX];
} answer;

/* Room for one descriptor that is sent with a message. */
typedef union ancillary {
    struct cmsghdr head;
    char bytes[CMSG_SPACE(sizeof(int))];
} ancillary;

static void write_all(const sender *g, const void *data, size_t n)
{
    if (!brz_write_all(g->fd, data, n))
        brz_crash_end(); /* the parent is gone */
}

/* Sends a frame; may be called from any thread. */
static void send_frame(sender *g, frame_type type, const void *head, size_t head_len,
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
        send_frame((sender *)out, FRAME_DATA, NULL, 0, at, len);
        at += len;
        n -= len;
    }
}

#define LONGEST_TEXT ((size_t)16 << 10)

#define LONGEST_CODE ((size_t)64)

/* The header of a message, followed by the text. */
typedef struct said {
    int32_t severity;
    char code[LONGEST_CODE]; /* empty: none */
} said;

/* Sends a message to the parent. Includes the name of the component in the text. */
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

/* Receives an answer of the parent. Returns the descriptor that came with it, or -1. */
static int receive_answer(const sender *g, answer *a)
{
    int fd = -1;
    for (size_t have = 0; have < sizeof *a;) {
        ancillary extra;
        struct iovec part = {(char *)a + have, sizeof *a - have};
        struct msghdr m = {.msg_iov = &part,
                           .msg_iovlen = 1,
                           .msg_control = &extra,
                           .msg_controllen = sizeof extra};
        ssize_t got = recvmsg(g->answers, &m, MSG_CMSG_CLOEXEC);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            brz_crash_end(); /* the parent is gone */
        have += (size_t)got;
        const struct cmsghdr *c = CMSG_FIRSTHDR(&m);
        if (c != NULL && c->cmsg_type == SCM_RIGHTS && c->cmsg_len == CMSG_LEN(sizeof fd))
            memcpy(&fd, CMSG_DATA(c), sizeof fd);
    }
    return fd;
}

brz_related_found brz_isolated_find(void *out, brz_str name, uint32_t flags)
{
    (void)flags; /* only files below the sysroot are read anyway */
    sender *g = out;
    static const char why[] = "this system passes no files into isolation";
    brz_related_found f = {.status = BRZ_RELATED_REFUSED, .fd = -1};
    answer a = {.status = BRZ_RELATED_REFUSED};
    name.len = name.len < BRZ_RELATED_PATH_MAX ? name.len : BRZ_RELATED_PATH_MAX;
    if (g->answers < 0) {
        const said head = {.severity = BRZ_WARNING};
        send_frame(g, FRAME_SAY, &head, sizeof head, why, sizeof why - 1);
        return f;
    }
    send_frame(g, FRAME_FIND, NULL, 0, name.data, name.len);
    f.fd = receive_answer(g, &a);
    bool lost = a.status == BRZ_RELATED_OPENED && f.fd < 0;
    f.status = lost ? BRZ_RELATED_REFUSED : a.status;
    f.size = a.size;
    brz_buf_add(&f.path, a.path, a.path_len);
    return f;
}

void brz_isolated_mute(brz_run *run, bool mute)
{
    run->console->report = mute ? relay_nothing : relay_notice;
}

/* The console to which faults of a component's options go, and the component's name. */
typedef struct validation {
    brz_console *console;
    const char *id;
} validation;

static void say_fault(void *to, brz_str origin, const char *option, uint64_t item, brz_str msg)
{
    const validation *v = to;
    (void)item;
    brz_say_code(v->console, BRZ_FATAL, BRZ_SAYS_OPTION, "%.*s%s'%s' of '%s': %.*s",
                 (int)origin.len, origin.data, origin.len > 0 ? ": " : "", option, v->id,
                 (int)msg.len, msg.data);
}

bool brz_isolated_validate(const brz_use *use, brz_console *console)
{
    validation v = {console, use->loaded->component->id};
    return brz_use_validate_isolated(use, say_fault, &v);
}

/* Ignores signals that terminals send to all processes, because the parent handles them. Makes sure
 * that this process ends with its parent. */
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

/* The arguments of load_plugins(). */
typedef struct loading {
    const brz_isolated *task;
    brz_run *run;
    sender *to;
} loading;

/* Reports the restrictions under which plug-ins are loaded, then loads them. Their code can prevent
 * later restrictions, and send anything from then on. */
static void load_plugins(void *context, const brz_sandbox *s)
{
    const loading *l = context;
    if (l->task->work != NULL)
        send_frame(l->to, FRAME_SANDBOX, NULL, 0, s, sizeof *s);
    l->task->load(l->task->context, l->run, &l->to->out);
    brz_wire_flush(&l->to->out);
}

/* Enters the sandbox. */
static brz_sandbox confine(const brz_isolated *task, sender *g, brz_run *run)
{
    loading l = {task, run, g};
    return brz_sandbox_enter(&(brz_sandbox_needs){.input = task->input,
                                                  .result = g->fd,
                                                  .answers = g->answers,
                                                  .end = BRZ_CRASH_END_STATUS,
                                                  .threads = task->threads,
                                                  .memory = task->memory,
                                                  .load = task->load != NULL ? load_plugins : NULL,
                                                  .context = &l,
                                                  .folders = task->folders});
}

_Noreturn static void run_child(const brz_isolated *task, pid_t parent, int fd, int answers,
                                shared *s)
{
    sender *g = brz_calloc(1, sizeof *g);
    g->out.write = give_data;
    g->fd = fd;
    g->answers = brz_sandbox_can_receive() ? answers : -1;
    pthread_mutex_init(&g->lock, NULL);
    s->run.confined = true;
    s->run.console = task->run->console;
    s->run.console->report = relay_notice;
    s->run.console->to = g;
    if (task->progress != NULL && task->progress->tell != NULL)
        *task->progress = (brz_progress){relay_progress, g, &s->run.stop};
    follow_parent(parent);
    brz_process_state_install(NULL, NULL); /* the sandbox refuses changes and stat() */
    brz_crash_divert(&s->note);
    brz_set_out_of_memory(brz_crash_out_of_memory);
    brz_memory_set_limit(task->memory);
    brz_sandbox sandbox = confine(task, g, &s->run);
    if (task->work == NULL)
        brz_crash_end();
    if (task->load == NULL)
        send_frame(g, FRAME_SANDBOX, NULL, 0, &sandbox, sizeof sandbox);
    task->work(task->context, &s->run, &g->out);
    brz_wire_flush(&g->out);
    brz_crash_end();
}

/* ---- the parent ------------------------------------------------------------------------------ */

/* Seconds that a child has to stop by itself, and then to report its current action. */
#define PATIENCE 0.4

/* Maximum number of messages from a child; further ones are dropped. */
#define MOST_TEXTS 4096

typedef struct receiver {
    brz_wire_in in; /* must be first */
    const brz_isolated *task;
    shared *shared;
    pid_t child;
    int fd;
    int answers;       /* socket for answers; -1: none */
    uint32_t in_frame; /* unread bytes of the current data frame */
    uint64_t left;     /* remaining limit on the bytes of all frames */
    bool ended;        /* the end of the pipe was reached */
    bool has_sandbox;  /* the restrictions were reported */
    unsigned texts;
    unsigned questions;
    double stop_time;      /* time when the child was asked to stop, or 0 */
    unsigned signals_sent; /* number of signals sent since then */
    double end_time;       /* time when the child is ended; 0: none */
    bool is_late;          /* it was ended for that reason */
} receiver;

/* Returns the seconds from the request to stop to the next signal: one that makes the child report,
 * then one that kills it. */
static double next_signal_after(const receiver *t)
{
    if (t->signals_sent == 0)
        return PATIENCE;
    double longer = t->task->run->stop_seconds;
    return (longer > 2 * PATIENCE ? longer : 2 * PATIENCE) + (t->signals_sent - 1) * PATIENCE;
}

/* Stops the child after the end of the run was requested: sets its flag, then makes it report where
 * it hangs, then kills it. */
static void enforce_stop(receiver *t)
{
    if (!atomic_load(&t->task->run->stop))
        return;
    double time = brz_clock_seconds(CLOCK_MONOTONIC);
    if (t->stop_time == 0) {
        t->stop_time = time;
        atomic_store(&t->shared->run.stop, true);
    }
    if (time < t->stop_time + next_signal_after(t))
        return;
    atomic_store(&t->shared->note.hangs, true);
    kill(t->child, t->signals_sent == 0 ? SIGABRT : SIGKILL);
    t->signals_sent++;
}

/* Ends a child that exceeds its time limit. */
static void enforce_end(receiver *t)
{
    if (t->end_time == 0 || t->is_late || brz_clock_seconds(CLOCK_MONOTONIC) < t->end_time)
        return;
    t->is_late = true;
    kill(t->child, SIGKILL);
}

/* Reads up to n bytes. Returns 0 at the end. */
static size_t read_some(receiver *t, void *to, size_t n)
{
    for (;;) {
        struct pollfd p = {.fd = t->fd, .events = POLLIN};
        int ready = poll(&p, 1, 100);
        enforce_stop(t);
        enforce_end(t);
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

static bool read_all(receiver *t, void *to, size_t n)
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

/* Reports the restrictions that are certain. */
static void say_sandbox(receiver *t, const brz_sandbox *s)
{
    const brz_isolated *task = t->task;
    brz_buf b = {0};
    brz_sandbox_describe(s, &b);
    if (task->load != NULL)
        brz_buf_add_text(&b, "; code of plug-ins that are not shipped may read files below the "
                             "folders of libraries");
    if (task->run->console->verbosity > 0 && !t->has_sandbox)
        brz_say(task->run->console, BRZ_NOTE, "%s: read in isolation: %s", task->name,
                brz_buf_text(&b));
    t->has_sandbox = true;
    brz_buf_finish(&b);
}

static void say_text(receiver *t, const char *frame, size_t len)
{
    said head;
    if (len < sizeof head || t->texts++ >= MOST_TEXTS)
        return;
    memcpy(&head, frame, sizeof head);
    head.code[LONGEST_CODE - 1] = '\0';
    brz_say_code(t->task->run->console, head.severity, head.code[0] != '\0' ? head.code : NULL,
                 "%.*s", (int)(len - sizeof head), frame + sizeof head);
}

static void show_progress(const receiver *t, const char *frame)
{
    const brz_progress *p = t->task->progress;
    uint64_t numbers[2];
    memcpy(numbers, frame, sizeof numbers);
    if (p != NULL && p->tell != NULL &&
        p->tell(p->context, t->task->name, numbers[0], numbers[1]) != 0)
        atomic_store(p->stop, true);
}

/* Sends an answer, with a descriptor unless it is -1. Returns false if the child does not take it
 * at once: it waits for nothing else. */
static bool send_answer(const receiver *t, const answer *a, int fd)
{
    ancillary extra = {.bytes = {0}};
    struct iovec part = {(void *)(uintptr_t)a, sizeof *a};
    struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1};
    if (fd >= 0) {
        m.msg_control = &extra;
        m.msg_controllen = sizeof extra;
        struct cmsghdr *c = CMSG_FIRSTHDR(&m);
        c->cmsg_level = SOL_SOCKET;
        c->cmsg_type = SCM_RIGHTS;
        c->cmsg_len = CMSG_LEN(sizeof fd);
        memcpy(CMSG_DATA(c), &fd, sizeof fd);
    }
    return sendmsg(t->answers, &m, MSG_DONTWAIT | MSG_NOSIGNAL) == (ssize_t)sizeof *a;
}

/* Finds a file for the child. */
static bool answer_question(receiver *t, brz_str name)
{
    answer a = {.status = BRZ_RELATED_REFUSED};
    if (t->answers < 0 || t->questions++ >= BRZ_RELATED_TRIES)
        return brz_wire_reject(&t->in, "a request for too many files");
    brz_related_found f = t->task->find(t->task->context, name, 0);
    a.status = f.status;
    a.size = f.size;
    a.path_len = (uint32_t)(f.path.len < sizeof a.path ? f.path.len : sizeof a.path);
    if (a.path_len > 0)
        memcpy(a.path, f.path.data, a.path_len);
    bool good = send_answer(t, &a, f.fd);
    brz_related_found_finish(&f);
    return good || brz_wire_reject(&t->in, "a second request before the first answer");
}

/* Handles a frame that is not data. */
static bool take_other(receiver *t, const frame_head *f)
{
    char text[LONGEST_TEXT + sizeof(said)];
    brz_sandbox sandbox;
    if (f->len > sizeof text || !read_all(t, text, f->len))
        return brz_wire_reject(&t->in, "an invalid message");
    if (f->type == FRAME_SAY) {
        say_text(t, text, f->len);
    } else if (f->type == FRAME_PROGRESS && f->len == 2 * sizeof(uint64_t)) {
        show_progress(t, text);
    } else if (f->type == FRAME_SANDBOX && f->len == sizeof sandbox) {
        memcpy(&sandbox, text, sizeof sandbox);
        say_sandbox(t, &sandbox);
    } else if (f->type == FRAME_FIND) {
        return answer_question(t, brz_str_of(text, f->len));
    } else {
        return brz_wire_reject(&t->in, "an invalid message");
    }
    return true;
}

/* Advances to the next data frame. Returns false at the end. */
static bool find_data(receiver *t)
{
    frame_head f;
    while (t->in_frame == 0) {
        if (!read_all(t, &f, sizeof f))
            return false;
        if (f.len + sizeof f > t->left)
            return brz_wire_reject(&t->in, "more bytes than allowed");
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
    receiver *t = (receiver *)in;
    if (!find_data(t))
        return 0;
    size_t got = read_some(t, to, t->in_frame < n ? t->in_frame : n);
    t->in_frame -= (uint32_t)got;
    return got;
}

/* Returns a text from the shared page; its length is not trusted. */
static brz_str text_of_note(const char *text, size_t size, uint32_t len)
{
    return brz_str_of(text, len < size ? len : size);
}

/* Describes the end of a child that left no message. */
static void add_end(const receiver *t, int status, brz_buf *b)
{
    const brz_loaded *plugin = t->task->plugin != NULL ? *t->task->plugin : NULL;
    if (t->is_late)
        brz_buf_printf(b, "it does not end within %u seconds", t->task->seconds);
    else if (!t->ended || (WIFEXITED(status) && WEXITSTATUS(status) == BRZ_CRASH_END_STATUS))
        brz_buf_printf(b, "its process sent invalid data: %s", t->in.fault);
    else if (WIFSIGNALED(status) && WTERMSIG(status) != SIGKILL)
        brz_buf_printf(b, "its process was ended: %s", strsignal(WTERMSIG(status)));
    else if (WIFSIGNALED(status) && t->signals_sent == 0)
        brz_buf_add_text(b, "its process was killed, perhaps because memory is exhausted");
    else if (WIFSIGNALED(status))
        brz_buf_add_text(b, "it did not stop when asked to");
    else
        brz_buf_printf(b, "its process ended with status %d", WEXITSTATUS(status));
    if (plugin != NULL)
        brz_buf_printf(b, " (plug-in %s %s, %s)", plugin->plugin, plugin->version, plugin->path);
}

/* Reports that the input is lost, with the advice of the child if it left any. */
static void say_lost(const receiver *t, const char *why)
{
    const brz_crash_note *note = &t->shared->note;
    brz_console *console = t->task->run->console;
    brz_say_code(console, BRZ_FATAL, BRZ_SAYS_READ, "%s is left out: %s", t->task->name, why);
    brz_str advice = text_of_note(note->advice, sizeof note->advice, note->advice_len);
    if (note->is_reported && advice.len > 0)
        brz_say(console, BRZ_NOTE, "%.*s", (int)advice.len, advice.data);
}

/* Reports why the child ended. */
static void report_lost(const receiver *t, int status)
{
    const brz_crash_note *note = &t->shared->note;
    brz_buf why = {0};
    if (note->is_reported)
        brz_buf_add_str(&why, text_of_note(note->text, sizeof note->text, note->len));
    else
        add_end(t, status, &why);
    if (t->task->why != NULL)
        brz_buf_add_str(t->task->why, brz_buf_str(&why));
    else
        say_lost(t, brz_buf_text(&why));
    brz_buf_finish(&why);
}

/* Kills the child, which may have closed the pipe without ending, and returns its status. If the
 * child has ended already, its status does not change. */
static int reap(const receiver *t)
{
    int status = 0;
    kill(t->child, SIGKILL);
    while (waitpid(t->child, &status, 0) < 0 && errno == EINTR)
        ;
    return status;
}

/* Returns the maximum size of the results: a third of the child's memory limit, because results
 * need more memory here than in the pipe. */
static uint64_t most_bytes(void)
{
    uint64_t memory = brz_sandbox_memory();
    return memory > 0 ? memory / 3 : (uint64_t)1 << 30;
}

static brz_isolated_end run_parent(const brz_isolated *task, pid_t child, int fd, int answers,
                                   shared *s)
{
    receiver *t = brz_calloc(1, sizeof *t);
    t->in.read = take_data;
    t->in.left = t->left = most_bytes();
    t->task = task;
    t->shared = s;
    t->child = child;
    t->fd = fd;
    t->answers = answers;
    t->has_sandbox = task->is_again && task->load == NULL; /* loading permits more */
    t->end_time = task->seconds > 0 ? brz_clock_seconds(CLOCK_MONOTONIC) + task->seconds : 0;
    atomic_store(&task->run->supervises, true);
    task->take(task->context, &t->in);
    int status = reap(t);
    atomic_store(&task->run->supervises, false);
    brz_isolated_end end = BRZ_ISOLATED_DONE;
    if (t->stop_time > 0 && !s->note.is_reported && t->signals_sent < 2) {
        end = BRZ_ISOLATED_STOPPED;
    } else if (t->in.fault != NULL) {
        end = BRZ_ISOLATED_LOST;
        report_lost(t, status);
    }
    free(t);
    return end;
}

static brz_isolated_end report_no_child(const brz_isolated *task)
{
    const char *why = strerror(errno);
    if (task->why != NULL)
        brz_buf_printf(task->why, "no process can be created to read it: %s", why);
    else
        brz_say_code(task->run->console, BRZ_FATAL, BRZ_SAYS_READ,
                     "%s is left out: no process can be created to read it: %s", task->name, why);
    return BRZ_ISOLATED_LOST;
}

static void close_pair(const int fds[2])
{
    for (int i = 0; i < 2; i++)
        if (fds[i] >= 0)
            close(fds[i]);
}

/* Opens a pipe for results and, if the child may ask for files, a socket for the answers. */
static bool open_channels(const brz_isolated *task, int results[2], int answers[2])
{
    if (pipe(results) != 0)
        return false;
    if (task->find == NULL || socketpair(AF_UNIX, SOCK_STREAM, 0, answers) == 0)
        return true;
    close_pair(results);
    return false;
}

/* Forks. Descriptors are closed automatically when a program is executed. */
static brz_isolated_end fork_with(const brz_isolated *task, shared *s)
{
    int results[2] = {-1, -1}, answers[2] = {-1, -1};
    if (!open_channels(task, results, answers))
        return report_no_child(task);
    brz_hash_seed(); /* must not need a system call in the child */
    fflush(stdout);
    pid_t parent = getpid(), child = fork();
    if (child == 0) {
        close_pair((int[]){results[0], answers[0]});
        run_child(task, parent, results[1], answers[1], s);
    }
    close_pair((int[]){results[1], answers[1]});
    brz_isolated_end end =
        child < 0 ? report_no_child(task) : run_parent(task, child, results[0], answers[0], s);
    close_pair((int[]){results[0], answers[0]});
    return end;
}

brz_isolated_end brz_isolate(const brz_isolated *task)
{
    shared *s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (s == MAP_FAILED)
        return report_no_child(task);
    brz_isolated_end end = fork_with(task, s);
    munmap(s, sizeof *s);
    return end;
}
