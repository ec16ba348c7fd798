/* SPDX-License-Identifier: MIT */
/* Runs a recording.
 *
 * Signals are blocked and read from a descriptor, so no work is done in handlers. One thread waits
 * for the rings, the signals and the clock, and copies records from the rings to the file. Each
 * pass over all rings is a round.
 */
#include "record/recorder.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "record/call_graph.h"
#include "record/command.h"
#include "record/event_set.h"
#include "record/features.h"
#include "record/process_tree.h"
#include "record/refusal.h"
#include "record/remote.h"
#include "record/ring_wait.h"
#include "record/small_file.h"
#include "record/synthesis.h"

#define MS UINT64_C(1000000)

/* Size of a recording in bytes from which on its reader may soon need the kernel's symbols. */
#define SYMBOLS_AT (UINT64_C(16) << 20)

/* Time between two passes over the rings, if they do not fill before. */
#define TICK (200 * MS)

/* The same at the beginning of a recording, when many processes start: one in a container is
 * looked at in time if it lives longer than this. */
#define FIRST_TICK (20 * MS)
#define FIRST_TIME (1000 * MS)

/* Time for the command to end after an interrupt, and after SIGTERM. */
#define PATIENCE (2000 * MS)

/* Exit status if the command cannot be executed, as in shells. */
#define NO_PROGRAM 127

/* Highest priority of threads that are not real-time ones. */
#define FIRST (-20)

typedef struct recorder {
    brz_record_request request; /* with the choices made */
    brz_console *console;
    brz_record_live_fn *live;
    void *context;
    brz_event_set set;
    brz_perf_file file;
    brz_command command;
    brz_process_tree tree; /* the processes that the command has started, when it is ended */
    brz_remote remote;     /* has the events, if the request is for root */
    brz_tally tally;
    brz_ring_wait wait;
    sigset_t old_mask;
    int signals;
    int niceness; /* before the recording */
    bool is_raised;
    uint64_t start;       /* of the command */
    uint64_t on, off;     /* times at which the events were turned on and off; 0: not yet */
    uint64_t interrupted; /* when; 0: not */
    unsigned interrupts;
    bool is_on;
    bool sent_symbols;    /* of the kernel, to the other process */
    bool is_round_unused; /* no later one has ended */
    bool timed_out;
    bool has_failed; /* records cannot be written any more, or the other process has ended */
} recorder;

/* ---- signals --------------------------------------------------------------------------------- */

/* Leaves the signals of the terminal to the thread of the viewer. */
static void block_signals_of_terminal(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTSTP);
    sigaddset(&set, SIGWINCH);
    sigprocmask(SIG_BLOCK, &set, NULL);
}

/* Receives signals, except for SIGHUP if it is ignored, as below nohup. */
static void take_signals(recorder *p)
{
    sigset_t set;
    struct sigaction hang_up;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    if (sigaction(SIGHUP, NULL, &hang_up) != 0 || hang_up.sa_handler != SIG_IGN)
        sigaddset(&set, SIGHUP);
    sigaddset(&set, SIGCHLD);
    sigprocmask(SIG_BLOCK, &set, &p->old_mask);
    if (p->request.is_viewed)
        block_signals_of_terminal();
    p->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

/* Remembers the processes that the command has started, while it runs. */
static void take_tree(recorder *p)
{
    if (p->command.pid > 0 && !p->command.ended)
        brz_process_tree_take(&p->tree, p->command.pid);
}

/* Kills the command and the processes that it has started. */
static void kill_command(recorder *p)
{
    take_tree(p);
    brz_command_signal(&p->command, SIGKILL);
    brz_process_tree_kill(&p->tree);
}

/* Passes an interrupt on to the command and the processes that it has started. One from the
 * terminal has reached them already. */
static void pass_on(recorder *p, const struct signalfd_siginfo *s)
{
    p->interrupts++;
    if (p->interrupted == 0)
        p->interrupted = brz_clock_read(CLOCK_MONOTONIC);
    if (p->interrupts > 1) {
        kill_command(p);
    } else if (s->ssi_code <= 0) {
        take_tree(p);
        brz_command_signal(&p->command, (int)s->ssi_signo);
        brz_process_tree_signal(&p->tree, (int)s->ssi_signo);
    }
}

static void read_signals(recorder *p)
{
    struct signalfd_siginfo s;
    while (read(p->signals, &s, sizeof s) == (ssize_t)sizeof s)
        if (s.ssi_signo != SIGCHLD && !p->request.is_controlled)
            pass_on(p, &s);
    brz_command_check(&p->command, false);
}

static void give_signals_back(recorder *p)
{
    read_signals(p);
    if (p->signals >= 0)
        close(p->signals);
    sigprocmask(SIG_SETMASK, &p->old_mask, NULL);
}

/* ---- time ------------------------------------------------------------------------------------ */

/* Returns when the recording ends by its duration; UINT64_MAX: it has none. */
static uint64_t time_limit(const recorder *p)
{
    const brz_record_request *r = &p->request;
    if (r->duration == 0)
        return UINT64_MAX;
    return (p->is_on ? p->on : p->start + r->delay) + r->duration;
}

/* Lets the recorder run before the threads that it records, if that is permitted: among thousands
 * that are busy, it would get its turn seconds after a ring is full or the time is over. */
static void raise_priority(recorder *p)
{
    p->niceness = getpriority(PRIO_PROCESS, 0);
    p->is_raised = setpriority(PRIO_PROCESS, 0, FIRST) == 0;
}

static void lower_priority(const recorder *p)
{
    if (p->is_raised)
        setpriority(PRIO_PROCESS, 0, p->niceness);
}

/* ---- rings ----------------------------------------------------------------------------------- */

/* Copies the rings to the file, up to the end of the recording. Returns whether they had any
 * bytes. */
static bool drain(recorder *p)
{
    size_t time_at = brz_event_set_time_at(&p->set);
    bool any = false;
    if (p->off != 0)
        return false;
    for (size_t i = 0; i < p->set.n_processors; i++) {
        brz_ring *r = &p->set.processors[i].ring;
        if (r->page == NULL || brz_ring_look(r) == 0)
            continue;
        brz_tally_add(&p->tally, r, time_at);
        if (p->request.namespaces != NULL)
            brz_namespaces_add_ring(p->request.namespaces, r);
        brz_perf_file_add_ring(&p->file, r);
        brz_ring_release(r);
        any = true;
    }
    return any;
}

/* Does a round. */
static void sweep(recorder *p)
{
    if (p->remote.fd >= 0) {
        brz_remote_receive(&p->remote);
        return;
    }
    bool any = drain(p);
    /* Readers use the records of a round when the next one has ended. Viewers do not wait for it
     * if nothing is recorded. */
    if (any || (p->is_round_unused && p->request.is_viewed)) {
        brz_perf_file_end_round(&p->file);
        if (p->request.is_streamed) /* for a reader that shows it */
            brz_perf_file_flush(&p->file);
    }
    p->is_round_unused = any;
}

/* Ends the recording. Turning off the events of many threads takes a while; records that arrive
 * meanwhile are left out. */
static void turn_off(recorder *p)
{
    if (p->off != 0)
        return;
    p->off = brz_clock_read(CLOCK_MONOTONIC);
    brz_event_set_enable(&p->set, false);
}

/* Implements brz_synthesis.between. No round ends before all processes are added, since readers use
 * its samples then. */
static void drain_between(void *context)
{
    recorder *p = context;
    drain(p);
    if (brz_clock_read(CLOCK_MONOTONIC) >= time_limit(p))
        turn_off(p);
}

/* Waits for signals, full rings, or the time. Returns whether any recorded thread may live. */
static bool wait_until(recorder *p, uint64_t until)
{
    uint64_t t = brz_clock_read(CLOCK_MONOTONIC);
    int timeout = until > t ? (int)((until - t + MS - 1) / MS) : 0;
    bool any = brz_ring_wait_for(&p->wait, timeout);
    return p->remote.fd >= 0 ? !p->remote.result.state.is_idle : any;
}

/* ---- end ------------------------------------------------------------------------------------- */

/* Returns whether a thread or process has ended; a zombie has. */
static bool has_ended(pid_t pid)
{
    char state;
    pid_t parent;
    return !brz_process_read(pid, &state, &parent) || state == 'Z' || state == 'X';
}

/* Returns whether all processes and threads that were named have ended. */
static bool have_targets_ended(const recorder *p)
{
    const brz_record_request *r = &p->request;
    if (r->n_processes + r->n_threads == 0)
        return false;
    for (size_t i = 0; i < r->n_processes; i++)
        if (!has_ended(r->processes[i]))
            return false;
    for (size_t i = 0; i < r->n_threads; i++)
        if (!has_ended(r->threads[i]))
            return false;
    return true;
}

/* Returns whether the recording is over. `any` says that some recorded thread lives. */
static bool is_over(recorder *p, bool any)
{
    const brz_record_request *r = &p->request;
    uint64_t t = brz_clock_read(CLOCK_MONOTONIC);
    bool has_command = r->command != NULL;
    p->has_failed = p->file.error != 0 || p->remote.ended;
    if (p->has_failed)
        return true;
    if (r->is_controlled)
        return brz_control_is_closed();
    p->timed_out = t >= time_limit(p);
    if (p->timed_out || (has_command && p->command.ended && (!r->until_exit || !any)))
        return true;
    if (p->interrupts > 0 && (!has_command || p->interrupts > 1 || p->command.ended))
        return true;
    if (p->interrupts > 0 && t >= p->interrupted + PATIENCE)
        return true;
    return !has_command && have_targets_ended(p);
}

/* Waits for the end of the command and of its tree, at most until a time; 0: without a limit. */
static void await_command(recorder *p, uint64_t until)
{
    struct pollfd signals = {.fd = p->signals, .events = POLLIN};
    read_signals(p);
    while ((!p->command.ended || !brz_process_tree_has_ended(&p->tree)) &&
           (until == 0 || brz_clock_read(CLOCK_MONOTONIC) < until)) {
        poll(&signals, 1, (int)(TICK / MS / 4));
        read_signals(p);
    }
}

/* Waits for the command if it may continue after the recording: with --until-exit, or if the
 * recording has failed, until its time has passed. */
static void let_command_go_on(recorder *p)
{
    const brz_record_request *r = &p->request;
    uint64_t limit = r->duration > 0 && !r->until_exit ? time_limit(p) : 0;
    if (p->has_failed) {
        await_command(p, limit);
        p->timed_out = limit > 0 && brz_clock_read(CLOCK_MONOTONIC) >= limit;
    } else if (p->timed_out && r->until_exit) {
        await_command(p, 0);
    }
    brz_command_check(&p->command, false);
}

/* Reports that a signal has ended the command, as the shell would if it had started it. */
static void say_signal(const recorder *p)
{
    int by = p->command.signal;
    if (by != 0 && by != SIGINT && by != SIGPIPE && p->interrupts == 0)
        brz_say(p->console, BRZ_WARNING, "the command was ended by signal %d: %s", by,
                strsignal(by));
}

/* Ends the command after the recording, with the processes that it started, unless it may
 * continue. */
static void end_command(recorder *p)
{
    if (p->command.pid <= 0)
        return;
    let_command_go_on(p);
    bool was_alive = !p->command.ended;
    if (!was_alive)
        say_signal(p);
    if (was_alive) {
        take_tree(p);
        brz_command_signal(&p->command, SIGTERM);
        brz_process_tree_signal(&p->tree, SIGTERM);
    }
    await_command(p, brz_clock_read(CLOCK_MONOTONIC) + PATIENCE);
    if (!p->command.ended || !brz_process_tree_has_ended(&p->tree)) {
        brz_say(p->console, BRZ_NOTE, "the command does not end, so it is killed");
        kill_command(p);
        brz_command_check(&p->command, true);
    }
    if (was_alive && p->timed_out)
        p->command.status = 0; /* it did not fail */
}

/* ---- beginning ------------------------------------------------------------------------------- */

static void say_call_graph(recorder *p, brz_call_graph g, const brz_buf *reason)
{
    if (g == BRZ_CALL_GRAPH_DWARF)
        brz_say(p->console, BRZ_NOTE, "callers by %s (--call-graph fp costs less)",
                brz_buf_text(reason));
    else
        brz_say(p->console, BRZ_NOTE, "callers by %s (--call-graph dwarf copies stacks)",
                brz_buf_text(reason));
}

/* Finds the program of a running process, and its name. */
static void find_running(pid_t pid, brz_buf *path, brz_buf *name)
{
    char target[4096];
    brz_buf_printf(path, "/proc/%d/exe", pid);
    ssize_t n = readlink(brz_buf_text(path), target, sizeof target);
    brz_buf_add(name, target, n > 0 ? (size_t)n : 0);
}

/* Chooses how callers are recorded, if the user leaves that open. Only root can examine other
 * users' processes. */
static void choose_call_graph(recorder *p, brz_record_result *result)
{
    brz_record_request *r = &p->request;
    brz_buf path = {0}, name = {0}, reason = {0};
    if (r->call_graph != BRZ_CALL_GRAPH_AUTO || (r->as_root && !brz_records_command(r)))
        return;
    if (brz_records_command(r))
        brz_program_find(r->command[0], &path);
    else if (r->n_processes + r->n_threads > 0)
        find_running(r->n_processes > 0 ? r->processes[0] : r->threads[0], &path, &name);
    r->call_graph = brz_call_graph_choose(path.len > 0 ? brz_buf_text(&path) : NULL,
                                          brz_buf_text(name.len > 0 ? &name : &path), &reason);
    result->has_chosen_pointers = r->call_graph == BRZ_CALL_GRAPH_FP && path.len > 0;
    if (!brz_records_command(r) || path.len > 0)
        say_call_graph(p, r->call_graph, &reason);
    brz_buf_finish(&path);
    brz_buf_finish(&name);
    brz_buf_finish(&reason);
}

/* Returns whether there is a process or thread with a number. */
static bool exists(pid_t number)
{
    return kill(number, 0) == 0 || errno != ESRCH;
}

/* Returns false after reporting that a process or thread to record does not exist. */
static bool have_targets(const recorder *p)
{
    const brz_record_request *r = &p->request;
    for (size_t i = 0; i < r->n_processes; i++)
        if (!exists(r->processes[i])) {
            brz_say(p->console, BRZ_FATAL, "no process %d", r->processes[i]);
            return false;
        }
    for (size_t i = 0; i < r->n_threads; i++)
        if (!exists(r->threads[i])) {
            brz_say(p->console, BRZ_FATAL, "no thread %d", r->threads[i]);
            return false;
        }
    return true;
}

/* Replaces numbers of threads among those of processes, since mappings belong to processes. */
static void name_processes(recorder *p)
{
    for (size_t i = 0; i < p->request.n_processes; i++) {
        pid_t *named = &p->request.processes[i];
        pid_t process = brz_process_of_thread(*named);
        if (process != *named)
            brz_say(p->console, BRZ_NOTE,
                    "%d is a thread of process %d, which is recorded; -t %d "
                    "records the thread",
                    *named, process, *named);
        *named = process;
    }
}

/* Adds the recorded processes and threads. Returns false after reporting an error. */
static bool add_targets(recorder *p)
{
    const brz_record_request *r = &p->request;
    for (size_t i = 0; i < r->n_processes; i++)
        if (!brz_targets_add_process(&p->set.targets, r->processes[i])) {
            brz_say(p->console, BRZ_FATAL, "no process %d", r->processes[i]);
            return false;
        }
    for (size_t i = 0; i < r->n_threads; i++)
        brz_targets_add(&p->set.targets, r->threads[i]);
    if (brz_records_command(r) || r->waiting > 0)
        brz_targets_add(&p->set.targets, r->waiting > 0 ? r->waiting : p->command.pid);
    bool good = p->set.targets.n > 0 || r->all || r->cgroup != NULL;
    if (!good)
        brz_say(p->console, BRZ_FATAL, "nothing to record");
    return good;
}

/* Appends a note on the permissions that the kernel gives. */
typedef void limits_note(const brz_kernel_limits *limits, brz_buf *note);

static void say_limit(const recorder *p, limits_note *add)
{
    brz_buf note = {0};
    add(&p->set.limits, &note);
    brz_say(p->console, BRZ_NOTE, "%s", brz_buf_text(&note));
    brz_buf_finish(&note);
}

/* Reports the frequency of an event if it is not the one that was wished. */
static void say_frequency(const recorder *p, const brz_event *e)
{
    unsigned long long has = e->attr.sample_freq, wish = p->set.wished_frequency;
    if (!e->attr.freq)
        return;
    if (e->is_slowed)
        brz_say(p->console, BRZ_NOTE,
                "%llu samples per second of %s: more of a clock would leave the program no time",
                has, e->name);
    else if (wish == BRZ_FREQUENCY_MAX)
        brz_say(p->console, BRZ_NOTE,
                "%llu samples per second of %s, the most that the kernel permits", has, e->name);
    else if (wish > 0)
        brz_say(p->console, BRZ_NOTE,
                "%llu samples per second of %s instead of %llu: kernel.perf_event_max_sample_rate "
                "permits no more",
                has, e->name, wish);
}

static void say_choices(const recorder *p)
{
    if (p->set.falls_back)
        brz_say(p->console, BRZ_NOTE,
                "cpu-clock instead of cycles: this machine has no hardware counters");
    for (size_t i = 0; i < p->set.n; i++)
        say_frequency(p, &p->set.events[i]);
    if (p->set.excludes_kernel)
        say_limit(p, brz_kernel_limits_note_exclusion);
}

/* Opens the events. Returns false after reporting an error. */
static bool open_events(recorder *p)
{
    if (!brz_event_set_init(&p->set, &p->request, p->console) || !add_targets(p) ||
        !brz_event_set_open(&p->set, &p->request, p->console))
        return false;
    say_choices(p);
    return true;
}

/* Returns the process of the command, or 0 if it is not recorded. */
static pid_t recorded_command(const recorder *p)
{
    return brz_records_command(&p->request) ? p->command.pid : 0;
}

/* Returns false after reporting that there is no program of the command's name. Executing it finds
 * other obstacles. With --root, a missing sudo is reported first. */
static bool has_program(const recorder *p)
{
    const brz_record_request *r = &p->request;
    bool has = r->command == NULL || r->as_root || brz_program_is_there(r->command[0]);
    if (!has)
        brz_say(p->console, BRZ_FATAL, "cannot execute '%s': no such program", r->command[0]);
    return has;
}

/* Reports that the kernel ends the recording of a program that gets the rights of another user. */
static void say_privileged(const recorder *p)
{
    const brz_record_request *r = &p->request;
    brz_buf path = {0};
    if (brz_records_command(r) && !r->as_root)
        brz_program_find(r->command[0], &path);
    if (path.len > 0 && brz_program_gains_rights(brz_buf_text(&path)))
        brz_say(p->console, BRZ_WARNING,
                "%s runs with the rights of another user, so the kernel ends its recording when it "
                "starts; --root records it",
                brz_buf_text(&path));
    brz_buf_finish(&path);
}

/* Creates the command, which waits, and opens the events, here or in another process that writes to
 * the file. Returns false after reporting an error. */
static bool prepare(recorder *p, int fd, brz_record_result *result)
{
    const brz_record_request *r = &p->request;
    if (!have_targets(p))
        return false;
    if (!has_program(p)) {
        result->status = NO_PROGRAM;
        return false;
    }
    say_privileged(p);
    name_processes(p);
    choose_call_graph(p, result);
    if (r->command != NULL && !brz_command_create(&p->command, r->command, &p->old_mask,
                                                  (brz_command_streams){r->input, r->output})) {
        brz_say(p->console, BRZ_FATAL, "no process can be created: %s", strerror(errno));
        return false;
    }
    if (!r->as_root)
        raise_priority(p);
    bool good = r->as_root ? brz_remote_start(&p->remote, r, recorded_command(p), fd, p->console)
                           : open_events(p);
    if (good)
        brz_ring_wait_init(&p->wait, &p->set, p->signals,
                           r->is_controlled ? STDIN_FILENO : p->remote.fd);
    return good;
}

/* Returns whether code of the kernel is recorded. */
static bool has_kernel(const recorder *p)
{
    for (size_t i = 0; i < p->set.n; i++)
        if (!p->set.events[i].attr.exclude_kernel)
            return true;
    return false;
}

/* Adds the kernel's code, unless none of it is recorded. */
static void add_kernel(recorder *p)
{
    brz_kernel_map map;
    if (has_kernel(p) && brz_kernel_map_read(&map)) {
        const brz_synthesis to = {.file = &p->file,
                                  .sample_type = p->set.events[0].attr.sample_type};
        brz_synthesize_kernel(&to, &map);
        if (map.start == 0)
            say_limit(p, brz_kernel_limits_note_hidden_names);
    }
}

/* Adds the processes that exist. */
static void add_processes(recorder *p)
{
    const brz_record_request *r = &p->request;
    const struct perf_event_attr *a = &p->set.events[0].attr;
    brz_build_ids *ids = a->build_id ? brz_build_ids_create() : NULL;
    const brz_synthesis to = {.file = &p->file,
                              .sample_type = a->sample_type,
                              .ids = ids,
                              .between = drain_between,
                              .context = p,
                              .namespaces = r->namespaces,
                              .has_data = brz_records_data(r)};
    if (r->all || r->cgroup != NULL || r->delay > 0 || r->n_threads > 0)
        brz_synthesize_all(&to);
    for (size_t i = 0; i < r->n_processes && r->delay == 0; i++)
        brz_synthesize_process(&to, r->processes[i]);
    brz_build_ids_destroy(ids);
}

/* Turns the recording on, and adds the processes that exist. A command turns it on by its exec. */
static void turn_on(recorder *p)
{
    const brz_record_request *r = &p->request;
    const brz_synthesis to = {.file = &p->file, .sample_type = p->set.events[0].attr.sample_type};
    bool is_by_exec = (brz_records_command(r) || r->waiting > 0) && r->delay == 0;
    bool is_now = !r->as_root && !is_by_exec;
    if (is_by_exec && !r->as_root)
        brz_synthesize_name(&to, r->waiting > 0 ? r->waiting : p->command.pid);
    if (is_now)
        brz_event_set_enable(&p->set, true);
    p->is_on = true;
    p->on = brz_clock_read(CLOCK_MONOTONIC);
    if (is_now)
        add_processes(p);
}

/* ---- state ----------------------------------------------------------------------------------- */

/* Returns the time since the recording was turned on, up to its end, or before that since the
 * start. */
static uint64_t elapsed(const recorder *p)
{
    uint64_t t = p->off != 0 ? p->off : brz_clock_read(CLOCK_MONOTONIC);
    return t - (p->is_on ? p->on : p->start);
}

static brz_record_state state_of(const recorder *p, bool any)
{
    if (p->remote.pid > 0) {
        brz_record_state state = p->remote.result.state;
        state.elapsed = elapsed(p);
        state.is_on = p->is_on;
        return state;
    }
    brz_record_state state = {.is_idle = !any,
                              .elapsed = elapsed(p),
                              .samples = p->tally.samples,
                              .lost = brz_tally_lost(&p->tally),
                              .throttled = p->tally.throttled,
                              .is_on = p->is_on};
    if (p->set.n > 1)
        snprintf(state.first_event, sizeof state.first_event, "%s", p->set.events[0].name);
    return state;
}

/* Reports the state to the other process. Reading the kernel's symbols takes a while, so that they
 * wait until they may be needed. */
static void report_state(recorder *p, const brz_record_state *state)
{
    bool are_needed = p->request.is_viewed || p->file.at >= SYMBOLS_AT;
    if (has_kernel(p) && !p->sent_symbols && are_needed) {
        brz_control_send_symbols();
        p->sent_symbols = true;
    }
    brz_control_send_state(state);
}

static void show(const recorder *p, brz_record_state state)
{
    if (p->live != NULL)
        p->live(p->context, &state);
}

/* ---- recording ------------------------------------------------------------------------------- */

static void say_not_executed(const recorder *p, int error)
{
    const char *program = p->request.command[0], *why = strerror(error);
    if (error == ENOENT)
        why = brz_program_exists(program) ? "the interpreter that it names does not exist"
                                          : "no such program";
    brz_say(p->console, BRZ_FATAL, "cannot execute '%s': %s", program, why);
}

/* Starts the command. Returns false after reporting an error if it cannot be executed. */
static bool start(recorder *p, brz_record_result *result)
{
    p->start = brz_clock_read(CLOCK_MONOTONIC);
    brz_record_state state = state_of(p, true);
    state.is_on |= p->request.delay == 0;
    show(p, state); /* a reader may begin before the next look */
    if (p->request.delay == 0)
        turn_on(p);
    if (p->request.is_controlled)
        brz_control_send_ready();
    int error = p->request.command == NULL ? 0 : brz_command_start(&p->command);
    if (error == 0)
        return true;
    say_not_executed(p, error);
    result->status = NO_PROGRAM;
    return false;
}

/* Returns when the recorder has to wake up: at the next tick, the end of the delay or of the
 * recording. */
static uint64_t next_wake(const recorder *p)
{
    const brz_record_request *r = &p->request;
    uint64_t t = brz_clock_read(CLOCK_MONOTONIC), limit = time_limit(p);
    if (!p->is_on)
        limit = p->start + r->delay;
    bool is_first = p->is_on && r->namespaces != NULL && !r->as_root && t < p->on + FIRST_TIME;
    t += is_first ? FIRST_TICK : TICK;
    return t < limit ? t : limit;
}

static void run(recorder *p)
{
    bool any = true;
    uint64_t next_look = 0;
    while (!is_over(p, any)) {
        any = wait_until(p, next_wake(p));
        read_signals(p);
        if (!p->is_on && brz_clock_read(CLOCK_MONOTONIC) >= p->start + p->request.delay)
            turn_on(p);
        sweep(p);
        if (brz_clock_read(CLOCK_MONOTONIC) < next_look)
            continue;
        const brz_record_state state = state_of(p, any);
        if (p->request.is_controlled)
            report_state(p, &state);
        show(p, state);
        next_look = brz_clock_read(CLOCK_MONOTONIC) + TICK;
    }
}

/* Writes the rest of the rings, and the end of the file. */
static void complete(recorder *p, brz_record_result *result)
{
    brz_buf features[BRZ_FEATURES_MAX] = {{0}};
    sweep(p);
    turn_off(p);
    result->state = state_of(p, true);
    if (!p->request.is_streamed)
        brz_features_make(features, p->set.events, p->set.n, p->request.words);
    brz_features_make_times(features, &p->tally);
    if (p->request.namespaces != NULL)
        brz_namespaces_describe(p->request.namespaces, &features[BRZ_FEATURE_NAMESPACES]);
    result->recorded = true;
    brz_perf_file_end(&p->file, features);
    result->write_error = p->file.error;
    brz_features_finish(features);
}

static void name_events(const recorder *p, brz_record_result *result)
{
    size_t at = 0;
    for (size_t i = 0; i < p->set.n && at < sizeof result->events; i++) {
        int n = snprintf(result->events + at, sizeof result->events - at, "%s%s", i > 0 ? ", " : "",
                         p->set.events[i].name);
        at += n > 0 ? (size_t)n : 0;
        result->has_frequency |= p->set.events[i].attr.freq != 0;
        result->has_kernel |= !p->set.events[i].attr.exclude_kernel;
        result->has_programs |= !p->set.events[i].attr.exclude_user;
    }
}

/* Takes the result of the process that recorded. */
static void complete_remote(recorder *p, brz_record_result *result)
{
    uint64_t time = elapsed(p);
    brz_remote_end(&p->remote);
    const brz_record_result own = *result;
    *result = p->remote.result;
    result->status = own.status;
    result->has_chosen_pointers |= own.has_chosen_pointers;
    result->state.elapsed = time;
    if (!result->recorded)
        brz_say(p->console, BRZ_FATAL, "the recorder that sudo started has ended early");
}

/* Reports that the file of the recording cannot be written, and the folder that is full. The
 * process that chose the file knows whether TMPDIR is a remedy. */
static void say_unwritten(const recorder *p, int fd, int error)
{
    char link[64], path[4096];
    brz_buf folder = {0};
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = error == ENOSPC || error == EDQUOT ? readlink(link, path, sizeof path - 1) : 0;
    path[n > 0 ? n : 0] = '\0';
    const char *slash = strrchr(path, '/');
    if (slash != NULL)
        brz_buf_printf(&folder, " in '%.*s'", slash == path ? 1 : (int)(slash - path), path);
    brz_say(p->console, BRZ_WARNING,
            "the recording is incomplete, since it cannot be written: %s%s%s", strerror(error),
            brz_buf_text(&folder),
            p->request.is_saved ? "" : " (TMPDIR names another folder for it)");
    brz_buf_finish(&folder);
}

/* Ends the recording and writes the rest. */
static void end_recording(recorder *p, brz_record_result *result)
{
    if (p->request.as_root) {
        complete_remote(p, result);
        return;
    }
    complete(p, result);
    name_events(p, result);
    if (!p->request.is_controlled)
        return;
    if (has_kernel(p) && !p->sent_symbols)
        brz_control_send_symbols();
    brz_control_send_result(result);
}

/* Writes the part of a file that precedes its records, for a file that is read meanwhile. */
static void begin_stream(recorder *p, int fd)
{
    brz_buf features[BRZ_FEATURES_MAX] = {{0}};
    brz_features_make(features, p->set.events, p->set.n, p->request.words);
    brz_perf_file_begin_pipe(&p->file, fd, p->set.events, p->set.n, features);
    brz_features_finish(features);
}

/* Writes what precedes the records. */
static void begin_file(recorder *p, int fd)
{
    if (p->request.as_root)
        return;
    if (p->request.is_streamed)
        begin_stream(p, fd);
    else
        brz_perf_file_begin(&p->file, fd, p->set.events, p->set.n);
    p->file.is_read_along = p->request.is_read_along;
    add_kernel(p);
}

static void finish(recorder *p)
{
    lower_priority(p);
    brz_command_finish(&p->command);
    brz_process_tree_finish(&p->tree);
    brz_remote_end(&p->remote);
    brz_event_set_finish(&p->set);
    brz_perf_file_finish(&p->file);
    brz_ring_wait_finish(&p->wait);
    give_signals_back(p);
}

brz_record_result brz_record(const brz_record_request *r, int fd, brz_console *console,
                             brz_record_live_fn *live, void *context)
{
    brz_record_result result = {.status = 1};
    recorder p = {.request = *r,
                  .console = console,
                  .live = live,
                  .context = context,
                  .set.cgroup = -1,
                  .remote.fd = -1,
                  .command = {.gate = -1, .report = -1}};
    take_signals(&p);
    if (prepare(&p, fd, &result)) {
        begin_file(&p, fd);
        if (start(&p, &result)) {
            run(&p);
            end_recording(&p, &result);
            if (result.write_error != 0 && !r->is_controlled)
                say_unwritten(&p, fd, result.write_error);
            end_command(&p);
            result.is_interrupted = p.interrupts > 0;
            if (result.recorded)
                result.status = p.command.pid > 0 ? p.command.status : 0;
        }
    }
    finish(&p);
    return result;
}
