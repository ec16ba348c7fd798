/* SPDX-License-Identifier: MIT */
/* Defines the palette "kind": distinguishes kinds of code: kernel, user, JIT-compiled, inlined,
 * waiting. Its colours are safe for colour-blind readers. */
#include <brazier/plugin.h>
#include <brazier/symbol.h>

#include "../common/shipped.h"

/* Categories of frames, in the order of the legend. */
enum { USER, KERNEL, JIT, INLINED, WAIT, WAKER, PROCESS, OTHER, N_SORTS };

typedef struct options {
    uint32_t colors[N_SORTS];
    brz_strlist waits;
} options;

/* Functions in which threads usually wait. Those of the kernel carry an annotation, others may. */
static const char *const known_waits[] = {
    "schedule",
    "__schedule",
    "do_nanosleep",
    "ep_poll",
    "do_epoll_wait",
    "epoll_wait",
    "do_poll",
    "poll",
    "__poll",
    "do_select",
    "select",
    "do_futex",
    "futex_wait",
    "futex_wait_queue",
    "__futex_abstimed_wait_common",
    "nanosleep",
    "clock_nanosleep",
    "usleep",
    "sleep",
    "sem_wait",
    "sem_timedwait",
    "sigwait",
    "wait4",
    "waitpid",
    "do_wait",
    "pthread_cond_wait",
    "pthread_cond_timedwait",
    "pthread_mutex_lock",
    "__lll_lock_wait",
    "io_schedule",
    "schedule_timeout",
    "kevent",
    "mach_msg_trap",
    "__psynch_cvwait",
    "__psynch_mutexwait",
    "Unsafe_Park",
    "std::thread::park",
    "runtime.gopark",
    "runtime.futex",
    /* states of threads that the collapsers of perf put on top of stacks off the processors */
    "[sleeping]",
    "[disk sleep]",
    "[preempted]",
    "[runnable]",
    "[stopped]",
    "[tracing stop]",
    "[parked]",
    "[idle]",
    "[blocked]",
};

static bool is_known_wait(brz_str name)
{
    return BRZ_IS_AMONG(name, known_waits);
}

static bool is_wait(const options *o, brz_str name)
{
    for (size_t i = 0; i < o->waits.count; i++)
        if (brz_str_equal(name, o->waits.items[i]))
            return true;
    return is_known_wait(name);
}

static int sort_of(const options *o, const brz_frame_info *f)
{
    uint32_t category = brz_frame_category(f->kind, f->flags);
    if (category != BRZ_CATEGORY_WAKER && is_wait(o, brz_display_name(f)))
        return WAIT;
    switch (category) {
    case BRZ_CATEGORY_PROCESS:
        return PROCESS;
    case BRZ_CATEGORY_USER:
        return USER;
    case BRZ_CATEGORY_KERNEL:
        return KERNEL;
    case BRZ_CATEGORY_JIT:
        return JIT;
    case BRZ_CATEGORY_INLINED:
        return INLINED;
    case BRZ_CATEGORY_WAKER:
        return WAKER;
    default:
        return OTHER;
    }
}

static uint32_t color(const brz_palette_ctx *ctx, const brz_color_in *in)
{
    const options *o = ctx->cfg;
    return o->colors[sort_of(o, in->frame)];
}

/* Adds the categories that occur in the picture to the legend. */
static void tell_legend(brz_palette_ctx *ctx, const brz_tree *tree, brz_legend *legend)
{
    static const char *const names[] = {"user",    "kernel", "JIT",     "inlined",
                                        "waiting", "waker",  "process", "other"};
    const options *o = ctx->cfg;
    bool there[N_SORTS] = {false};
    for (uint32_t i = 1; i < tree->n_nodes; i++)
        there[sort_of(o, brz_frame_at(tree, brz_node_at(tree, i)->frame))] = true;
    for (int i = 0; i < N_SORTS; i++)
        if (there[i] && o->colors[i] != BRZ_COLOR_NONE)
            legend->add(legend, o->colors[i], brz_str_of_text(names[i]));
}

#define COLOR(name_, sort_, dflt_, help_)                                                          \
    {                                                                                              \
        .name = (name_), .type = BRZ_OPTION_COLOR,                                                 \
        .offset = offsetof(options, colors) + (sort_) * sizeof(uint32_t), .dflt = (dflt_),         \
        .help = (help_)                                                                            \
    }

static const brz_option option_table[] = {
    COLOR("user", USER, "#56b4e9", "user code"),
    COLOR("kernel", KERNEL, "#e69f00", "kernel code"),
    COLOR("jit", JIT, "#3fb58e", "code compiled at run time"),
    COLOR("inlined", INLINED, "#d9a0c0", "calls inlined into their caller"),
    COLOR("wait", WAIT, "#f0e442", "functions in which threads wait"),
    COLOR("waker", WAKER, "#9fb2e6", "stacks of threads that woke another"),
    COLOR("process", PROCESS, "#bdbdbd", "names of processes and threads"),
    COLOR("other", OTHER, "#c9dbe6", "frames of unknown kind; none: use the next palette"),
    BRZ_OPTION(options, "waits", LIST, waits, NULL, "more functions in which threads wait"),
};

static const brz_palette palette = {
    .struct_size = sizeof palette,
    .depends = BRZ_ON_NAME | BRZ_ON_KIND,
    .background = {BRZ_RGB(0xf8, 0xf8, 0xf8), BRZ_RGB(0xe8, 0xe8, 0xe8)},
    .color = color,
    .legend = tell_legend,
};

SHIPPED_PLUGIN("kind", BRZ_PALETTE, &palette,
               .summary = "kernel, user, JIT, inlined and waiting frames, colour-blind safe",
               BRZ_OPTIONS(option_table, options))
