/* SPDX-License-Identifier: MIT */
/* Finds, signals and observes the processes that a process has started. */
#include "record/process_tree.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/mem.h"
#include "record/synthesis.h"

/* Longest time to wait for processes to stop, in milliseconds. */
#define STOP_MS 1000

bool brz_process_read(pid_t pid, char *state, pid_t *parent)
{
    char path[64];
    brz_buf stat = {0};
    snprintf(path, sizeof path, "/proc/%d/stat", pid);
    bool good = brz_buf_read_file(&stat, path);
    const char *name_end = good ? strrchr(brz_buf_text(&stat), ')') : NULL;
    good = name_end != NULL && strlen(name_end) > 4;
    if (good) {
        *state = name_end[2];
        *parent = (pid_t)strtol(name_end + 4, NULL, 10);
    }
    brz_buf_finish(&stat);
    return good;
}

/* ---- descriptors of processes ---------------------------------------------------------------- */

static int open_process(pid_t pid)
{
#ifdef SYS_pidfd_open
    return (int)syscall(SYS_pidfd_open, pid, 0);
#else
    (void)pid;
    return -1;
#endif
}

static void send_signal(int process, int sig)
{
#ifdef SYS_pidfd_send_signal
    syscall(SYS_pidfd_send_signal, process, sig, NULL, 0);
#else
    (void)process;
    (void)sig;
#endif
}

/* ---- finding --------------------------------------------------------------------------------- */

/* A process and its parent. */
typedef struct child {
    pid_t pid, parent;
    bool is_found; /* it belongs to the tree */
} child;

typedef struct children {
    child *items;
    size_t n, cap;
} children;

static pid_t parent_of(pid_t pid)
{
    char state;
    pid_t parent;
    return brz_process_read(pid, &state, &parent) ? parent : 0;
}

/* Implements brz_number_fn. */
static void add_child(void *context, pid_t pid)
{
    children *c = context;
    c->items = brz_grow(c->items, c->n, &c->cap, sizeof *c->items);
    c->items[c->n++] = (child){.pid = pid, .parent = parent_of(pid)};
}

static bool has_ended(const brz_process *p)
{
    struct pollfd f = {.fd = p->fd, .events = POLLIN};
    return poll(&f, 1, 0) != 0;
}

static bool is_known(const brz_process_tree *t, pid_t pid)
{
    for (size_t i = 0; i < t->n; i++)
        if (t->items[i].pid == pid && !has_ended(&t->items[i]))
            return true;
    return false;
}

/* Adds a process, unless it is there or its number belongs to another one by now. */
static void add_process(brz_process_tree *t, const child *c)
{
    int fd = is_known(t, c->pid) ? -1 : open_process(c->pid);
    if (fd >= 0 && parent_of(c->pid) == c->parent) {
        t->items = brz_grow(t->items, t->n, &t->cap, sizeof *t->items);
        t->items[t->n++] = (brz_process){c->pid, fd};
    } else if (fd >= 0) {
        close(fd);
    }
}

/* Adds the new children of a process to those already found, and to the tree. */
static void add_children(brz_process_tree *t, children *all, pid_t parent, children *found)
{
    for (size_t i = 0; i < all->n; i++) {
        child *c = &all->items[i];
        if (c->is_found || c->parent != parent)
            continue;
        c->is_found = true;
        add_process(t, c);
        found->items = brz_grow(found->items, found->n, &found->cap, sizeof *found->items);
        found->items[found->n++] = *c;
    }
}

void brz_process_tree_take(brz_process_tree *t, pid_t root)
{
    children all = {0}, found = {0};
    size_t n = t->n;
    brz_numbers_in("/proc", add_child, &all);
    if (root > 0)
        add_children(t, &all, root, &found);
    for (size_t i = 0; i < n; i++)
        if (!has_ended(&t->items[i]))
            add_children(t, &all, t->items[i].pid, &found);
    for (size_t i = 0; i < found.n; i++)
        add_children(t, &all, found.items[i].pid, &found);
    free(all.items);
    free(found.items);
}

/* ---- use ------------------------------------------------------------------------------------- */

void brz_process_tree_signal(const brz_process_tree *t, int sig)
{
    for (size_t i = 0; i < t->n; i++)
        send_signal(t->items[i].fd, sig);
}

/* Returns whether a process may still start others: a stop takes effect after the system call that
 * the process is in, which may be fork. */
static bool may_start_others(pid_t pid)
{
    char state;
    pid_t parent;
    return brz_process_read(pid, &state, &parent) && (state == 'R' || state == 'S');
}

static bool are_stopped(const brz_process_tree *t, pid_t root)
{
    if (root > 0 && may_start_others(root))
        return false;
    for (size_t i = 0; i < t->n; i++)
        if (may_start_others(t->items[i].pid))
            return false;
    return true;
}

/* Waits until the processes that SIGSTOP was sent to are stopped, for at most STOP_MS. */
static void wait_until_stopped(const brz_process_tree *t, pid_t root)
{
    for (int i = 0; i < STOP_MS && !are_stopped(t, root); i++)
        poll(NULL, 0, 1);
}

/* Stops all processes of a tree, and `root`, 0 for none, with its descendants. Processes that are
 * stopped start no others. */
static void stop_all(brz_process_tree *t, pid_t root)
{
    size_t before;
    if (root > 0)
        kill(root, SIGSTOP);
    do {
        before = t->n;
        brz_process_tree_signal(t, SIGSTOP);
        wait_until_stopped(t, root);
        brz_process_tree_take(t, root);
    } while (t->n > before);
}

void brz_process_tree_end(pid_t root, int sig)
{
    brz_process_tree t = {0};
    stop_all(&t, root);
    brz_process_tree_signal(&t, sig);
    kill(root, sig);
    brz_process_tree_signal(&t, SIGCONT);
    kill(root, SIGCONT);
    brz_process_tree_finish(&t);
}

void brz_process_tree_kill(brz_process_tree *t)
{
    stop_all(t, 0);
    brz_process_tree_signal(t, SIGKILL);
}

bool brz_process_tree_has_ended(const brz_process_tree *t)
{
    for (size_t i = 0; i < t->n; i++)
        if (!has_ended(&t->items[i]))
            return false;
    return true;
}

void brz_process_tree_finish(brz_process_tree *t)
{
    for (size_t i = 0; i < t->n; i++)
        close(t->items[i].fd);
    free(t->items);
    *t = (brz_process_tree){0};
}
