/* SPDX-License-Identifier: MIT */
/* A plug-in that fails on demand: CRASH_PHASE selects the function, CRASH_HOW the manner. Otherwise
 * it is a collapser of lines "frame weight", a palette of one colour, an output of one line and a
 * transform that changes nothing. */
#include <brazier/plugin.h>

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int zero;

static int dig(volatile int *deeper)
{
    volatile int here[512];
    here[0] = *deeper + 1;
    return dig(here) + here[0];
}

/* The context of the current call; at most one is set. */
typedef struct context {
    brz_ctx *collapser;
    brz_palette_ctx *palette;
    brz_output_ctx *output;
    brz_transform_ctx *transform;
} context;

static const context no_context;

static context of_collapser(brz_ctx *ctx)
{
    return (context){.collapser = ctx};
}

static context of_palette(brz_palette_ctx *ctx)
{
    return (context){.palette = ctx};
}

static void want_memory(context c)
{
    while (c.collapser != NULL)
        c.collapser->host->alloc(c.collapser, (size_t)1 << 30, 0);
    while (c.palette != NULL)
        c.palette->host->alloc(c.palette, (size_t)1 << 30, 0);
    while (c.output != NULL)
        c.output->host->alloc(c.output, (size_t)1 << 30, 0);
    while (c.transform != NULL)
        c.transform->host->alloc(c.transform, (size_t)1 << 30, 0);
}

/* Writes to memory without checking for NULL. */
static void trust_malloc(void)
{
    for (;;)
        *(volatile char *)malloc((size_t)1 << 28) = 1;
}

/* Fills memory that the system does not count as data of the process: shared memory, a growing
 * stack, or pages that become read-only. */
static void fill_uncounted(int flags, int then)
{
    size_t size = (size_t)16 << 20;
    for (;;) {
        char *p = mmap(NULL, size, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0);
        if (p == MAP_FAILED)
            abort();
        memset(p, 1, size);
        mprotect(p, size, then);
    }
}

static void say(context c, brz_str line)
{
    if (c.collapser != NULL)
        c.collapser->host->log(c.collapser, BRZ_WARNING, line);
    if (c.palette != NULL)
        c.palette->host->log(c.palette, BRZ_WARNING, line);
    if (c.output != NULL)
        c.output->host->log(c.output, BRZ_WARNING, line);
    if (c.transform != NULL)
        c.transform->host->log(c.transform, BRZ_WARNING, line);
}

static void talk(context c)
{
    for (int i = 0; i < 3; i++)
        say(c, BRZ_STR("a \033[31mword"));
}

/* Makes a system call that the sandbox must prevent. The plug-in ignores failures, so only a wrong
 * result would reveal a call that was allowed. */
static void try_the_system(const char *how)
{
    char *const words[] = {(char *)"/bin/true", NULL};
    const char *file = getenv("CRASH_FILE");
    if (strcmp(how, "open") == 0)
        close(open(file, O_CREAT | O_WRONLY, 0600));
    if (strcmp(how, "unlink") == 0)
        unlink(file);
    if (strcmp(how, "socket") == 0)
        close(socket(AF_UNIX, SOCK_STREAM, 0));
    if (strcmp(how, "fork") == 0 && fork() == 0)
        _exit(0);
    if (strcmp(how, "exec") == 0)
        execv(words[0], words);
    if (strcmp(how, "kill") == 0)
        kill(getpid(), 0);
    if (strcmp(how, "code") == 0)
        mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (strcmp(how, "write") == 0 && write(1, "spoiled\n", 8) < 0)
        return;
    if (strcmp(how, "lie") == 0) {
        static const unsigned char nonsense[64] = {1, 0, 0, 0, 56, 0, 0, 0, 7, 7, 7, 7, 255, 255};
        if (write(atoi(file), nonsense, sizeof nonsense) < 0)
            return;
    }
    if (strcmp(how, "handler") == 0)
        signal(SIGSYS, SIG_IGN);
    if (strcmp(how, "membarrier") == 0)
        syscall(SYS_membarrier, 16 /* MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED */, 0);
}

static void *end_in_thread(void *how)
{
    if (strcmp(how, "exit") == 0)
        exit(0);
    if (strcmp(how, "_exit") == 0)
        _exit(0);
    *(volatile int *)(uintptr_t)16 = 1;
    return NULL;
}

/* On a thread of its own. */
static void go_wrong_elsewhere(const char *how)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, end_in_thread, (void *)(uintptr_t)how) == 0)
        pthread_join(thread, NULL);
}

/* Functions without a context may not call the host, even if they know one. */
static context remembered;

static void call_the_host(void)
{
    remembered.collapser->host->intern(remembered.collapser, "out of place", 12);
}

static void *call_from_thread(void *unused)
{
    (void)unused;
    say(remembered, BRZ_STR("from a thread"));
    return NULL;
}

/* Calls services from where they may not be called, or with invalid arguments. */
static void misuse(brz_output_ctx *ctx, const char *how)
{
    pthread_t thread;
    if (strcmp(how, "no-context") == 0)
        call_the_host();
    if (strcmp(how, "thread-host") == 0 &&
        pthread_create(&thread, NULL, call_from_thread, NULL) == 0)
        pthread_join(thread, NULL);
    if (ctx == NULL)
        return;
    if (strcmp(how, "no-node") == 0)
        ctx->host->color(ctx, NULL, 77);
    if (strcmp(how, "no-colors") == 0)
        ctx->host->background(ctx, NULL);
    if (strcmp(how, "no-legend") == 0)
        ctx->host->legend(ctx, NULL, NULL);
    if (strcmp(how, "saturated") == 0)
        ctx->host->diag(ctx, &(brz_diag){.struct_size = sizeof(brz_diag),
                                         .severity = BRZ_WARNING,
                                         .code = BRZ_SATURATED,
                                         .msg = BRZ_STR("a sum is too large")});
}

/* Waits until the input, which is one of the descriptors, is at most CRASH_SIZE bytes long. A real
 * collapser knows neither; the sandbox permits lseek() as part of reading. */
static void wait_for_truncation(void)
{
    off_t most = atoi(getenv("CRASH_SIZE"));
    for (int fd = 0;; fd = (fd + 1) % 64) {
        off_t size = lseek(fd, 0, SEEK_END);
        if (size > 0 && size <= most)
            return;
        if (fd == 63 && getenv("CRASH_READY") != NULL) /* not in the sandbox */
            usleep(1000);
    }
}

static void deadlock(void)
{
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    for (;;)
        pthread_mutex_lock(&lock);
}

static void go_wrong(context ctx, const char *phase)
{
    const char *where = getenv("CRASH_PHASE"), *how = getenv("CRASH_HOW");
    if (where == NULL || strcmp(where, phase) != 0)
        return;
    if (strcmp(how, "segv") == 0)
        *(volatile int *)(uintptr_t)16 = 1;
    if (strcmp(how, "bus") == 0)
        raise(SIGBUS);
    if (strcmp(how, "fpe") == 0)
        zero = 100 / zero; /* not every machine traps this */
    if (strcmp(how, "fpe") == 0)
        raise(SIGFPE);
    if (strcmp(how, "ill") == 0)
        __builtin_trap();
    if (strcmp(how, "abort") == 0)
        abort();
    if (strcmp(how, "overflow") == 0)
        zero = dig(&zero);
    if (strcmp(how, "exit") == 0)
        exit(0);
    if (strcmp(how, "_exit") == 0)
        _exit(0);
    if (strcmp(how, "_Exit") == 0)
        _Exit(0);
    if (strcmp(how, "quick_exit") == 0)
        quick_exit(0);
    if (strcmp(how, "raw-exit") == 0)
        syscall(SYS_exit_group, 0);
    if (strncmp(how, "chdir", 5) == 0 && chdir("/") != 0)
        return;
    if (strcmp(how, "umask") == 0 || strcmp(how, "chdir-umask") == 0)
        umask(0777);
    if (strcmp(how, "chdir-segv") == 0)
        *(volatile int *)(uintptr_t)16 = 1;
    misuse(ctx.output, how);
    if (strncmp(how, "thread-", 7) == 0 && strcmp(how, "thread-host") != 0)
        go_wrong_elsewhere(how + 7);
    if (getenv("CRASH_READY") != NULL)
        close(creat(getenv("CRASH_READY"), 0600));
    while (strcmp(how, "hang") == 0)
        zero = 0;
    while (strcmp(how, "doze") == 0) /* like "hang", but leaves the processor to others */
        usleep(1000);
    while (strcmp(how, "block") == 0) /* the same in the sandbox, which permits locks */
        deadlock();
    while (strcmp(how, "sleep") == 0)
        sleep(1000);
    if (strcmp(how, "memory") == 0)
        want_memory(ctx);
    if (strcmp(how, "malloc") == 0)
        trust_malloc();
    if (strcmp(how, "give-up") == 0) {
        while (malloc((size_t)1 << 28) != NULL)
            continue;
        exit(1);
    }
    if (strcmp(how, "shared") == 0)
        fill_uncounted(MAP_SHARED, PROT_READ | PROT_WRITE);
    if (strcmp(how, "shared-validated") == 0)
        fill_uncounted(MAP_SHARED_VALIDATE, PROT_READ | PROT_WRITE);
    if (strcmp(how, "stack") == 0)
        fill_uncounted(MAP_PRIVATE | MAP_GROWSDOWN, PROT_READ | PROT_WRITE);
    if (strcmp(how, "read-only") == 0)
        fill_uncounted(MAP_PRIVATE, PROT_READ);
    if (strcmp(how, "wait") == 0)
        wait_for_truncation();
    if (strcmp(how, "talk") == 0)
        talk(ctx);
    try_the_system(how);
}

__attribute__((constructor)) static void on_load(void)
{
    go_wrong(no_context, "load");
}

/* ---- collapser ------------------------------------------------------------------------------- */

static int32_t sniff(const brz_head *head)
{
    go_wrong(no_context, "sniff");
    return head->len > 6 && memcmp(head->data, "crasher", 7) == 0 ? BRZ_SNIFF_HEADER : BRZ_SNIFF_NO;
}

static brz_rc prelude(brz_ctx *ctx, const brz_chunk *chunk, size_t *used, const void **prelude_data)
{
    (void)chunk;
    (void)used;
    (void)prelude_data;
    remembered = of_collapser(ctx);
    go_wrong(of_collapser(ctx), "prelude");
    return BRZ_OK;
}

static size_t boundary(const void *prelude_data, const uint8_t *buf, size_t n, size_t from)
{
    (void)prelude_data;
    go_wrong(no_context, "boundary");
    const uint8_t *newline = memchr(buf + from - 1, '\n', n - from + 1);
    return newline == NULL ? n : (size_t)(newline + 1 - buf);
}

static brz_rc open_(brz_ctx *ctx)
{
    go_wrong(of_collapser(ctx), "open");
    return BRZ_OK;
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    const uint8_t *at = chunk->data, *end = at + chunk->len, *newline;
    remembered = of_collapser(ctx);
    go_wrong(of_collapser(ctx), "parse");
    for (; (newline = memchr(at, '\n', (size_t)(end - at))) != NULL; at = newline + 1) {
        const uint8_t *blank = memchr(at, ' ', (size_t)(newline - at));
        if (blank == NULL)
            continue;
        brz_frame frame = ctx->host->intern(ctx, (const char *)at, (size_t)(blank - at));
        ctx->host->emit(ctx, &frame, 1, blank[1] - '0', 0);
    }
    *used = (size_t)(at - chunk->data);
    return BRZ_OK;
}

static brz_rc merge(brz_ctx *into, brz_ctx *from)
{
    (void)from;
    go_wrong(of_collapser(into), "merge");
    return BRZ_OK;
}

static brz_rc finish(brz_ctx *ctx)
{
    go_wrong(of_collapser(ctx), "finish");
    return BRZ_OK;
}

static void close_(brz_ctx *ctx)
{
    go_wrong(of_collapser(ctx), "close");
}

static const brz_collapser collapser = {
    .struct_size = sizeof collapser,
    .flags = BRZ_SPLITTABLE,
    .sniff = sniff,
    .prelude = prelude,
    .boundary = boundary,
    .open = open_,
    .parse = parse,
    .merge = merge,
    .finish = finish,
    .close = close_,
};

/* ---- palette and output ---------------------------------------------------------------------- */

static brz_rc prepare(brz_palette_ctx *ctx, const brz_tree *tree)
{
    (void)tree;
    remembered = of_palette(ctx);
    go_wrong(of_palette(ctx), "prepare");
    return BRZ_OK;
}

static uint32_t color(const brz_palette_ctx *ctx, const brz_color_in *in)
{
    (void)ctx;
    (void)in;
    go_wrong(no_context, "color");
    return BRZ_RGB(1, 2, 3);
}

static void legend(brz_palette_ctx *ctx, const brz_tree *tree, brz_legend *l)
{
    (void)tree;
    go_wrong(of_palette(ctx), "legend");
    l->add(l, BRZ_RGB(1, 2, 3), BRZ_STR("all"));
}

static void close_palette(brz_palette_ctx *ctx)
{
    go_wrong(of_palette(ctx), "close-palette");
}

static const brz_palette palette = {.struct_size = sizeof palette,
                                    .depends = BRZ_ON_NAME,
                                    .prepare = prepare,
                                    .color = color,
                                    .legend = legend,
                                    .close = close_palette};

static brz_rc write_(brz_output_ctx *ctx, const brz_tree *tree, brz_sink *sink)
{
    (void)tree;
    sink->write(sink, "half of", 7);
    go_wrong((context){.output = ctx}, "write");
    return sink->write(sink, " it\n", 4);
}

static void close_output(brz_output_ctx *ctx)
{
    go_wrong((context){.output = ctx}, "close-output");
}

static const char *const endings[] = {"crasher", NULL};
static const brz_output output = {.struct_size = sizeof output,
                                  .flags = BRZ_OUTPUT_NODES | BRZ_OUTPUT_COLOR,
                                  .media_type = "text/plain",
                                  .endings = endings,
                                  .write = write_,
                                  .close = close_output};

/* ---- transform ------------------------------------------------------------------------------- */

static brz_rc apply(brz_transform_ctx *ctx, const brz_tree *tree, brz_stack_edit *edit)
{
    const char *how = getenv("CRASH_HOW");
    (void)tree;
    go_wrong((context){.transform = ctx}, "apply");
    if (how != NULL && strcmp(how, "wild-frames") == 0) {
        edit->frames = (const brz_frame *)(uintptr_t)16;
        edit->n = 1;
    }
    return BRZ_OK;
}

static void close_transform(brz_transform_ctx *ctx)
{
    go_wrong((context){.transform = ctx}, "close-transform");
}

static const brz_transform transform = {
    .struct_size = sizeof transform, .apply = apply, .close = close_transform};

#define CRASHER(kind_, vtable_)                                                                    \
    {                                                                                              \
        .struct_size = sizeof(brz_component), .kind = kind_, .id = "crasher",                      \
        .summary = "goes wrong", .vtable = vtable_                                                 \
    }

static const brz_component collapser_of = CRASHER(BRZ_COLLAPSER, &collapser);
static const brz_component palette_of = CRASHER(BRZ_PALETTE, &palette);
static const brz_component output_of = CRASHER(BRZ_OUTPUT, &output);
static const brz_component transform_of = CRASHER(BRZ_TRANSFORM, &transform);
static const brz_component *const components[] = {&collapser_of, &palette_of, &output_of,
                                                  &transform_of, NULL};

BRZ_PLUGIN("crasher", "1.5", "MIT", "https://example.org/crashes", components)
