/* SPDX-License-Identifier: MIT */
/* Restricts this process to what a collapser needs.
 *
 * The filter is generated from a table. System calls that are not listed raise SIGSYS, so that the
 * plug-in which tried them can be named; those that a C library tries first and can do without fail
 * instead. A filter cannot inspect arguments that are pointers, so calls that depend on such
 * arguments are not allowed.
 */
#include "isolate/sandbox.h"

#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/built_with.h"
#include "base/memory_use.h"
#include "base/sanitized.h"

#if defined(__GLIBC__)
#include <malloc.h>
#endif

#if BRZ_HAVE_SECCOMP
#include <errno.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#elif defined(__riscv) && __riscv_xlen == 64
#define ARCHITECTURE AUDIT_ARCH_RISCV64
#endif
#endif

#if BRZ_HAVE_LANDLOCK
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

/* ---- system calls -------------------------------------------------------------------------- */

#if defined(ARCHITECTURE) && !BRZ_SANITIZED

/* The conditions of a rule on one argument of a system call. */
typedef enum condition {
    ALWAYS,
    EQUALS,   /* the argument equals `value` */
    WITHOUT,  /* the argument has none of the bits */
    WITH,     /* the argument has one of the bits */
    NOT_HERE, /* fails with ENOSYS */
    REFUSED,  /* refused if the argument has one of the bits; otherwise, later rules decide */
} condition;

typedef struct rule {
    int call;
    condition condition;
    uint32_t argument, value;
} rule;

/* Placeholders for values that are known when the filter is generated. */
#define RESULT UINT32_MAX
#define SELF   (UINT32_MAX - 1)
#define END    (UINT32_MAX - 2)
#define ANSWER (UINT32_MAX - 3)

static const rule rules[] = {
    /* reading the input, writing the result */
    {__NR_read, ALWAYS, 0, 0},
    {__NR_pread64, ALWAYS, 0, 0},
    {__NR_lseek, ALWAYS, 0, 0},
    {__NR_close, ALWAYS, 0, 0},
    {__NR_write, EQUALS, 0, RESULT},
    {__NR_recvmsg, EQUALS, 0, ANSWER},
    /* memory, but not executable, and none that memory limits do not count: shared memory, and
     * memory that grows like a stack */
    {__NR_mmap, REFUSED, 3, MAP_SHARED | MAP_GROWSDOWN},
    {__NR_brk, ALWAYS, 0, 0},
    {__NR_mmap, WITHOUT, 2, PROT_EXEC},
    {__NR_mprotect, WITHOUT, 2, PROT_EXEC},
    {__NR_munmap, ALWAYS, 0, 0},
    {__NR_mremap, ALWAYS, 0, 0},
    {__NR_madvise, ALWAYS, 0, 0},
    /* threads: clone3 passes flags through a pointer; the C library can use clone instead */
    {__NR_clone3, NOT_HERE, 0, 0},
    {__NR_clone, WITH, 0, 0x00010000 /* CLONE_THREAD */},
    /* musl registers for it when the first thread starts */
    {__NR_membarrier, NOT_HERE, 0, 0},
    {__NR_futex, ALWAYS, 0, 0},
    {__NR_set_robust_list, ALWAYS, 0, 0},
    {__NR_rseq, ALWAYS, 0, 0},
    {__NR_sched_yield, ALWAYS, 0, 0},
    {__NR_sched_getaffinity, ALWAYS, 0, 0},
    {__NR_getpid, ALWAYS, 0, 0},
    {__NR_gettid, ALWAYS, 0, 0},
    {__NR_exit, ALWAYS, 0, 0},
/* libdw reads links to find its own files, and continues if that fails */
#if defined(__NR_readlink)
    {__NR_readlink, NOT_HERE, 0, 0},
#endif
    {__NR_readlinkat, NOT_HERE, 0, 0},
    /* normal end and crashes */
    {__NR_exit_group, EQUALS, 0, END},
    {__NR_rt_sigprocmask, ALWAYS, 0, 0},
    {__NR_rt_sigreturn, ALWAYS, 0, 0},
    {__NR_sigaltstack, ALWAYS, 0, 0},
    /* signals from 32 are internal to the C library, which handles them when the first thread
     * starts */
    {__NR_rt_sigaction, WITH, 0, 32},
    {__NR_tgkill, EQUALS, 0, SELF},
    {__NR_tkill, EQUALS, 0, SELF}, /* the first thread, by which musl aborts */
    /* the budget of a sniffer */
    {__NR_timer_create, ALWAYS, 0, 0},
    {__NR_timer_settime, ALWAYS, 0, 0},
    {__NR_timer_delete, ALWAYS, 0, 0},
    /* time, random numbers, memory size */
    {__NR_clock_gettime, ALWAYS, 0, 0},
    {__NR_clock_nanosleep, ALWAYS, 0, 0},
    {__NR_nanosleep, ALWAYS, 0, 0},
    {__NR_gettimeofday, ALWAYS, 0, 0},
    {__NR_getrandom, ALWAYS, 0, 0},
    {__NR_sysinfo, ALWAYS, 0, 0},
    {__NR_restart_syscall, ALWAYS, 0, 0},
};

#define N_RULES BRZ_COUNT_OF(rules)

/* Flags of a file that is opened for more than reading. */
#define CHANGES (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND)

/* The rules that precede the others while plug-ins are loaded. They permit reading files, which
 * Landlock restricts, mapping code, what constructors of common libraries ask the system for, and
 * the calls that lead to the final restrictions. */
static const rule loading_rules[] = {
#if defined(__NR_open)
    {__NR_open, WITHOUT, 1, CHANGES},
    {__NR_stat, ALWAYS, 0, 0},
    {__NR_lstat, ALWAYS, 0, 0},
    {__NR_access, ALWAYS, 0, 0},
    {__NR_readlink, ALWAYS, 0, 0},
    {__NR_getdents64, ALWAYS, 0, 0},
    {__NR_getrlimit, ALWAYS, 0, 0},
#endif
    {__NR_openat, WITHOUT, 2, CHANGES},
#if defined(__NR_newfstatat)
    {__NR_newfstatat, ALWAYS, 0, 0},
#endif
#if defined(__NR_fstat)
    {__NR_fstat, ALWAYS, 0, 0},
#endif
    {__NR_statx, ALWAYS, 0, 0},
    {__NR_faccessat, ALWAYS, 0, 0},
    {__NR_readlinkat, ALWAYS, 0, 0},
    {__NR_getcwd, ALWAYS, 0, 0},
    {__NR_fcntl, REFUSED, 1, 8}, /* F_SETOWN, F_SETSIG: who gets which signal */
    {__NR_fcntl, ALWAYS, 0, 0},
    {__NR_ioctl, NOT_HERE, 0, 0},
    {__NR_mmap, REFUSED, 3, MAP_SHARED | MAP_GROWSDOWN},
    {__NR_mmap, ALWAYS, 0, 0},
    {__NR_mprotect, ALWAYS, 0, 0},
    {__NR_uname, ALWAYS, 0, 0},
    {__NR_getppid, ALWAYS, 0, 0},
    {__NR_getuid, ALWAYS, 0, 0},
    {__NR_geteuid, ALWAYS, 0, 0},
    {__NR_getgid, ALWAYS, 0, 0},
    {__NR_getegid, ALWAYS, 0, 0},
    {__NR_getrusage, ALWAYS, 0, 0},
    {__NR_clock_getres, ALWAYS, 0, 0},
    {__NR_rt_sigaction, ALWAYS, 0, 0},
    {__NR_prlimit64, EQUALS, 0, 0},
    {__NR_seccomp, ALWAYS, 0, 0},
#if BRZ_HAVE_LANDLOCK
    {SYS_landlock_create_ruleset, ALWAYS, 0, 0},
    {SYS_landlock_restrict_self, ALWAYS, 0, 0},
#endif
};

#define N_LOADING_RULES BRZ_COUNT_OF(loading_rules)

typedef struct program {
    struct sock_filter lines[8 + 7 * (N_RULES + N_LOADING_RULES)];
    unsigned short n;
} program;

static void emit(program *p, uint16_t code, uint32_t k, uint8_t if_true, uint8_t if_false)
{
    p->lines[p->n++] = (struct sock_filter){code, if_true, if_false, k};
}

static void emit_load(program *p, size_t offset)
{
    emit(p, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void emit_return(program *p, uint32_t answer)
{
    emit(p, BPF_RET | BPF_K, answer, 0, 0);
}

/* Returns the offset of the lower half of an argument, which holds descriptors, flags and
 * statuses. */
static size_t argument_offset(uint32_t argument)
{
    return offsetof(struct seccomp_data, args) + argument * sizeof(uint64_t);
}

/* Generates a rule: "if it is this call, ..."; the accumulator holds the number of the call. */
static void emit_rule(program *p, const rule *r, uint32_t value)
{
    uint16_t test = r->condition == EQUALS ? BPF_JMP | BPF_JEQ | BPF_K : BPF_JMP | BPF_JSET | BPF_K;
    bool simple = r->condition == ALWAYS || r->condition == NOT_HERE;
    emit(p, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)r->call, 0, simple ? 1 : 4);
    if (r->condition == REFUSED) {
        emit_load(p, argument_offset(r->argument));
        emit(p, BPF_JMP | BPF_JSET | BPF_K, value, 0, 1);
        emit_return(p, SECCOMP_RET_TRAP);
        emit_load(p, offsetof(struct seccomp_data, nr));
        return;
    }
    if (simple) {
        emit_return(p, r->condition == ALWAYS ? SECCOMP_RET_ALLOW : SECCOMP_RET_ERRNO | ENOSYS);
        return;
    }
    emit_load(p, argument_offset(r->argument));
    emit(p, test, value, r->condition == WITHOUT ? 0 : 1, r->condition == WITHOUT ? 1 : 0);
    emit_return(p, SECCOMP_RET_TRAP);
    emit_return(p, SECCOMP_RET_ALLOW);
}

/* Returns the value that a placeholder stands for. */
static uint32_t value_of(uint32_t v, const brz_sandbox_needs *needs)
{
    switch (v) {
    case RESULT:
        return (uint32_t)needs->result;
    case SELF:
        return (uint32_t)getpid();
    case END:
        return (uint32_t)needs->end;
    case ANSWER:
        return (uint32_t)needs->answers;
    default:
        return v;
    }
}

static void emit_rules(program *p, const rule *table, size_t n, const brz_sandbox_needs *needs)
{
    for (size_t i = 0; i < n; i++)
        emit_rule(p, &table[i], value_of(table[i].value, needs));
}

/* Installs a filter for all threads, which constructors of plug-ins may have started. */
static bool install(const program *p)
{
    struct sock_fprog filter = {p->n, (struct sock_filter *)(uintptr_t)p->lines};
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter) == 0 ||
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

static bool filter_calls(const brz_sandbox_needs *needs, bool loading)
{
    program p = {.n = 0};
    emit_load(&p, offsetof(struct seccomp_data, arch));
    emit(&p, BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
    emit_return(&p, SECCOMP_RET_KILL_PROCESS);
    emit_load(&p, offsetof(struct seccomp_data, nr));
    if (loading)
        emit_rules(&p, loading_rules, N_LOADING_RULES, needs);
    emit_rules(&p, rules, N_RULES, needs);
    emit_return(&p, SECCOMP_RET_TRAP);
    return install(&p);
}

#else

static bool filter_calls(const brz_sandbox_needs *needs, bool loading)
{
    (void)needs;
    (void)loading;
    return false;
}

#endif

/* ---- files --------------------------------------------------------------------------------- */

#if BRZ_HAVE_LANDLOCK && !BRZ_SANITIZED

/* Struct of the kernel; system headers may be older. */
struct beneath {
    uint64_t allowed;
    int32_t folder;
} __attribute__((packed));

/* Reading files and folders. */
#define READING (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)

static void allow_folder(long ruleset, const char *folder)
{
    struct beneath place = {READING, open(folder, O_PATH | O_CLOEXEC | O_DIRECTORY)};
    if (place.folder < 0) {
        place.allowed = LANDLOCK_ACCESS_FS_READ_FILE;
        place.folder = open(folder, O_PATH | O_CLOEXEC);
    }
    if (place.folder < 0)
        return;
    syscall(SYS_landlock_add_rule, ruleset, 1 /* beneath a path */, &place, 0);
    close(place.folder);
}

static void allow_list(long ruleset, const char *list)
{
    char folder[PATH_MAX];
    for (; list != NULL && *list != '\0'; list += *list == ':') {
        size_t n = strcspn(list, ":");
        if (n > 0 && n < sizeof folder) {
            memcpy(folder, list, n);
            folder[n] = '\0';
            allow_folder(ruleset, folder);
        }
        list += n;
    }
}

/* Allows reading the folders in which systems keep libraries, those that the user added, and
 * `folders`. */
static void allow_libraries(long ruleset, const char *const *folders)
{
    static const char *const system[] = {"/usr",       "/lib",       "/lib64",           "/opt",
                                         "/nix/store", "/gnu/store", "/etc/ld.so.cache", NULL};
    for (const char *const *f = system; *f != NULL; f++)
        allow_folder(ruleset, *f);
    allow_list(ruleset, getenv("LD_LIBRARY_PATH"));
    for (const char *const *f = folders; f != NULL && *f != NULL; f++)
        allow_folder(ruleset, *f);
}

/* Forbids everything that the kernel's version of Landlock can forbid, except reading libraries if
 * `loading`. The struct and the bits are those of version 6, because system headers may be older.
 */
static uint32_t forbid_files(const brz_sandbox_needs *needs, bool loading)
{
    struct {
        uint64_t files, network, scopes;
    } forbidden = {0};
    static const uint8_t file_bits[] = {0, 13, 14, 15, 15, 16};
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (version < 1)
        return 0;
    forbidden.files = (UINT64_C(1) << file_bits[version < 5 ? version : 5]) - 1;
    forbidden.network = version >= 4 ? 3 : 0;
    forbidden.scopes = version >= 6 ? 3 : 0;
    size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
    long ruleset = syscall(SYS_landlock_create_ruleset, &forbidden, size, 0);
    if (ruleset < 0)
        return 0;
    if (loading)
        allow_libraries(ruleset, needs->folders);
    bool good = syscall(SYS_landlock_restrict_self, ruleset, 0) == 0;
    close((int)ruleset);
    return good ? (uint32_t)version : 0;
}

#else

static uint32_t forbid_files(const brz_sandbox_needs *needs, bool loading)
{
    (void)needs;
    (void)loading;
    return 0;
}

#endif

/* ---- descriptors and limits ---------------------------------------------------------------- */

static bool is_needed(const brz_sandbox_needs *needs, int fd)
{
    return fd == needs->input || fd == needs->result || fd == needs->answers;
}

/* Returns the number that the next descriptor gets. */
static int lowest_free(const brz_sandbox_needs *needs)
{
    int fd = 3;
    while (is_needed(needs, fd))
        fd++;
    return fd;
}

/* Closes other descriptors. Redirects standard streams to /dev/null, unless one is needed. */
static void close_others(const brz_sandbox_needs *needs)
{
    int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC), high = 2;
    for (int fd = 0; fd <= 2 && nowhere >= 0; fd++)
        if (!is_needed(needs, fd) && fd != nowhere)
            dup2(nowhere, fd);
    long most = sysconf(_SC_OPEN_MAX);
    high = needs->input > high ? needs->input : high;
    high = needs->result > high ? needs->result : high;
    high = needs->answers > high ? needs->answers : high;
    most = most < 0 || most > 65536 ? 65536 : most;
#ifdef SYS_close_range
    if (syscall(SYS_close_range, (unsigned)high + 1, ~0u, 0) == 0)
        most = high + 1;
#endif
    for (int fd = 3; fd < most; fd++)
        if (!is_needed(needs, fd))
            close(fd);
}

/* Without a filter of system calls, a process that may have one more descriptor can open a file. A
 * sanitizer protects nothing. */
bool brz_sandbox_can_receive(void)
{
#if defined(ARCHITECTURE) && !BRZ_SANITIZED && defined(SECCOMP_GET_ACTION_AVAIL)
    uint32_t action = SECCOMP_RET_TRAP;
    return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
#else
    return BRZ_SANITIZED != 0;
#endif
}

uint64_t brz_sandbox_memory(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? (uint64_t)pages / 4 * 3 * (uint64_t)size : 0;
}

#if defined(__GLIBC__)
typedef __rlimit_resource_t resource;
#else
typedef int resource;
#endif

static bool limit(resource what, rlim_t most)
{
    struct rlimit now;
    if (getrlimit(what, &now) != 0)
        return false;
    now.rlim_cur = now.rlim_cur < most ? now.rlim_cur : most;
    now.rlim_max = now.rlim_max < most ? now.rlim_max : most;
    return setrlimit(what, &now) == 0;
}

/* Prevents glibc from opening files in /sys and /proc to find out the number of processors and
 * whether releasing memory is worthwhile. */
static void settle_malloc(unsigned threads)
{
#if defined(M_ARENA_MAX)
    mallopt(M_ARENA_MAX, (int)threads + 2);
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
    mallopt(M_MMAP_THRESHOLD, 4 << 20); /* it does not adjust this itself any more */
#else
    (void)threads;
#endif
}

#if defined(RLIMIT_DATA) && !BRZ_SANITIZED

/* Addresses that a thread takes without filling them: its stack, and what the C library reserves.
 */
#define THREAD_ADDRESSES ((uint64_t)160 << 20)

/* Memory can be filled and then made read-only, or be made to look like a stack: either is no data
 * for the system. So addresses are limited too, wherever it tells how many there are. */
static bool limit_memory(uint64_t most, unsigned threads)
{
    brz_memory_use use;
    if (most == 0)
        return false;
    if (!brz_memory_use_read(&use))
        return limit(RLIMIT_DATA, most);
    most += brz_memory_of_stacks(threads);
    return limit(RLIMIT_DATA, use.data + most) &&
           limit(RLIMIT_AS, use.mapped + most + (threads + 3) * THREAD_ADDRESSES);
}

#else

static bool limit_memory(uint64_t most, unsigned threads)
{
    (void)most;
    (void)threads;
    return false;
}

#endif

/* Gives up the right to raise limits, which root has: code may set its own limits while it is
 * loaded. */
static void keep_limits(void)
{
#if BRZ_HAVE_SECCOMP
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3];
    if (syscall(SYS_capget, &header, sets) != 0)
        return;
    uint32_t kept = ~CAP_TO_MASK(CAP_SYS_RESOURCE);
    sets[CAP_TO_INDEX(CAP_SYS_RESOURCE)].effective &= kept;
    sets[CAP_TO_INDEX(CAP_SYS_RESOURCE)].permitted &= kept;
    sets[CAP_TO_INDEX(CAP_SYS_RESOURCE)].inheritable &= kept;
    syscall(SYS_capset, &header, sets);
#endif
}

/* Gives up the right to gain privileges, which filters and Landlock require. */
static void keep_privileges(void)
{
#if BRZ_HAVE_SECCOMP || BRZ_HAVE_LANDLOCK
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
#endif
}

/* Loads plug-ins under the rules for loading. */
static void load_plugins(const brz_sandbox_needs *needs, brz_sandbox s)
{
    s.landlock = forbid_files(needs, true);
    s.seccomp = filter_calls(needs, true);
    needs->load(needs->context, &s);
}

brz_sandbox brz_sandbox_enter(const brz_sandbox_needs *needs)
{
    brz_sandbox s = {.memory = brz_sandbox_memory()};
    if (needs->memory > 0 && (s.memory == 0 || needs->memory < s.memory))
        s.memory = needs->memory;
    if (!limit_memory(s.memory, needs->threads))
        s.memory = 0;
    close_others(needs);
    limit(RLIMIT_FSIZE, 0);
    settle_malloc(needs->threads);
    keep_privileges();
    keep_limits();
    if (needs->load != NULL)
        load_plugins(needs, s);
    s.landlock = forbid_files(needs, false);
    limit(RLIMIT_NOFILE, needs->answers < 0 ? 0 : (rlim_t)lowest_free(needs) + 1);
    s.seccomp = filter_calls(needs, false);
    return s;
}

/* ---- description ----------------------------------------------------------------------------- */

void brz_sandbox_describe(const brz_sandbox *s, brz_buf *b)
{
    const char *between = "";
    if (s->seccomp != 0) {
        brz_buf_add_text(b, "seccomp");
        between = ", ";
    }
    if (s->landlock != 0) {
        brz_buf_printf(b, "%sLandlock %u", between, s->landlock);
        between = ", ";
    }
    if (s->memory > 0)
        brz_buf_printf(b, "%sat most %.1f GiB of memory", between,
                       (double)s->memory / (double)(1u << 30));
    if (b->len == 0)
        brz_buf_add_text(b, "a separate process; this system supports no further restrictions");
}
