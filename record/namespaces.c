/* SPDX-License-Identifier: MIT */
/* Remembers the namespaces of recorded processes in containers. */
#include "record/namespaces.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"

/* Maximum number of processes: the feature has to fit into a record. */
#define PROCESSES_MAX 2048

/* Maximum number of namespaces of mounts that are kept. */
#define KEPT_MAX 64

/* Maximum number of a process. */
#define PID_MAX (1u << 22)

/* Bit of a COMM record that an exec has made. */
#define MISC_EXEC (1u << 13)

/* ---- processes ------------------------------------------------------------------------------- */

/* Returns the inode of a file of a process, or 0. */
static uint64_t inode_of(pid_t pid, const char *name)
{
    char path[64];
    struct stat st;
    snprintf(path, sizeof path, "/proc/%d/%s", pid, name);
    return stat(path, &st) == 0 ? (uint64_t)st.st_ino : 0;
}

static int open_of(pid_t pid, const char *name, int flags)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", pid, name);
    return open(path, flags | O_CLOEXEC);
}

/* Returns the number of a process in its own namespace: the last one of a line. */
static uint32_t own_number(pid_t pid)
{
    static const char key[] = "\nNSpid:";
    char path[64];
    unsigned long number = 0;
    brz_buf status = {0};
    snprintf(path, sizeof path, "/proc/%d/status", pid);
    const char *text = brz_buf_read_file(&status, path) ? brz_buf_text(&status) : "";
    char *rest = strstr(text, key);
    if (rest != NULL)
        rest += sizeof key - 1;
    while (rest != NULL && *rest == '\t')
        number = strtoul(rest + 1, &rest, 10);
    brz_buf_finish(&status);
    return (uint32_t)number;
}

static brz_contained *find(const brz_namespaces *n, uint32_t pid)
{
    for (size_t i = n->n; i > 0; i--)
        if (n->processes[i - 1].pid == pid)
            return &n->processes[i - 1];
    return NULL;
}

/* Keeps the mounts of a process, unless they are kept. An open namespace has all its mounts also
 * when its last process has ended. */
static void keep_mounts(brz_namespaces *n, pid_t pid, uint64_t mounts)
{
    for (size_t i = 0; i < n->n_kept; i++)
        if (n->kept[i].mounts == mounts)
            return;
    if (n->n_kept == KEPT_MAX || mounts == n->mounts)
        return;
    brz_kept_mounts k = {mounts, open_of(pid, "ns/mnt", O_RDONLY),
                         open_of(pid, "root", O_PATH | O_DIRECTORY)};
    n->kept = brz_grow(n->kept, n->n_kept, &n->kept_cap, sizeof *n->kept);
    n->kept[n->n_kept++] = k;
}

void brz_namespaces_init(brz_namespaces *n)
{
    *n = (brz_namespaces){.n = 0};
    n->pids = inode_of(getpid(), "ns/pid");
    n->mounts = inode_of(getpid(), "ns/mnt");
}

/* Stores a process, in place of an earlier one with its number. Returns false if there are too
 * many. */
static bool put(brz_namespaces *n, brz_contained process)
{
    brz_contained *known = find(n, process.pid);
    if (known == NULL && n->n == PROCESSES_MAX)
        return false;
    if (known == NULL) {
        n->processes = brz_grow(n->processes, n->n, &n->cap, sizeof *n->processes);
        known = &n->processes[n->n++];
    }
    *known = process;
    return true;
}

static void note_unseen(brz_namespaces *n, uint32_t pid)
{
    if (pid >= PID_MAX)
        return;
    if (n->unseen == NULL)
        n->unseen = brz_calloc(PID_MAX / 8, 1);
    n->unseen[pid / 8] |= (uint8_t)(1u << pid % 8);
}

/* Looks at a process. Returns false if it has ended. */
static bool add(brz_namespaces *n, pid_t pid)
{
    errno = 0;
    uint64_t pids = inode_of(pid, "ns/pid"), mounts = inode_of(pid, "ns/mnt");
    bool has_ended = errno == ENOENT || errno == ESRCH;
    bool is_known = n->pids != 0 && n->mounts != 0 && pids != 0 && mounts != 0;
    if (!is_known || (pids == n->pids && mounts == n->mounts))
        return !has_ended;
    if (put(n, (brz_contained){(uint32_t)pid, own_number(pid), mounts}))
        keep_mounts(n, pid, mounts);
    else
        note_unseen(n, (uint32_t)pid);
    return true;
}

void brz_namespaces_add(brz_namespaces *n, pid_t pid)
{
    add(n, pid);
}

int brz_namespaces_root(const brz_namespaces *n, uint32_t pid)
{
    const brz_contained *of = find(n, pid);
    for (size_t i = 0; i < n->n_kept && of != NULL; i++)
        if (n->kept[i].mounts == of->mounts)
            return n->kept[i].root;
    return -1;
}

bool brz_namespaces_misses(const brz_namespaces *n, uint32_t pid)
{
    const brz_contained *of = find(n, pid);
    if (of != NULL)
        return of->mounts != n->mounts && brz_namespaces_root(n, pid) < 0;
    return n->unseen != NULL && pid < PID_MAX && (n->unseen[pid / 8] >> pid % 8 & 1) != 0;
}

/* ---- records --------------------------------------------------------------------------------- */

/* Looks at the process of a record of an exec or a fork, whose numbers follow the header. */
static void look(brz_namespaces *n, const struct perf_event_header *h, const uint32_t numbers[2])
{
    bool is_exec = h->type == PERF_RECORD_COMM && (h->misc & MISC_EXEC) != 0;
    bool is_process = h->type == PERF_RECORD_FORK && numbers[0] != numbers[1];
    const brz_contained *parent = is_process ? find(n, numbers[1]) : NULL;
    if ((!is_exec && parent == NULL) || add(n, (pid_t)numbers[0]))
        return;
    bool is_known = parent != NULL ? put(n, (brz_contained){numbers[0], 0, parent->mounts})
                                   : find(n, numbers[0]) != NULL;
    if (!is_known)
        note_unseen(n, numbers[0]);
}

void brz_namespaces_add_ring(brz_namespaces *n, const brz_ring *r)
{
    struct perf_event_header h;
    uint32_t numbers[2];
    for (uint64_t at = 0; r->head - r->tail - at >= sizeof h; at += h.size) {
        brz_ring_copy(r, at, &h, sizeof h);
        if (h.size < sizeof h || h.size > r->head - r->tail - at)
            return;
        if ((h.type != PERF_RECORD_COMM && h.type != PERF_RECORD_FORK) ||
            h.size < sizeof h + sizeof numbers)
            continue;
        brz_ring_copy(r, at + sizeof h, numbers, sizeof numbers);
        look(n, &h, numbers);
    }
}

/* ---- feature --------------------------------------------------------------------------------- */

void brz_namespaces_describe(const brz_namespaces *n, brz_buf *feature)
{
    if (n->n == 0)
        return;
    brz_buf_add_u32(feature, 1); /* version */
    brz_buf_add_u32(feature, (uint32_t)n->n);
    for (size_t i = 0; i < n->n; i++) {
        brz_buf_add_u32(feature, n->processes[i].pid);
        brz_buf_add_u32(feature, n->processes[i].own);
        brz_buf_add_u64(feature, n->processes[i].mounts);
    }
    brz_buf_add_u32(feature, (uint32_t)n->n_kept);
    brz_buf_add_u32(feature, (uint32_t)getpid());
    for (size_t i = 0; i < n->n_kept; i++) {
        brz_buf_add_u64(feature, n->kept[i].mounts);
        brz_buf_add_u64(feature, (uint64_t)(n->kept[i].root < 0 ? 0 : n->kept[i].root));
    }
}

void brz_namespaces_finish(brz_namespaces *n)
{
    for (size_t i = 0; i < n->n_kept; i++) {
        close(n->kept[i].space);
        close(n->kept[i].root);
    }
    free(n->kept);
    free(n->processes);
    free(n->unseen);
    *n = (brz_namespaces){.n = 0};
}
