/* Pushes the frames of call chains. */
#include "chain.h"

#include "frames.h"
#include "registers.h"

#include <brazier/symbol.h>

/* Words of call chains from here on are markers. */
#define MARKERS ((uint64_t)-4095)

enum { TYPE_SOFTWARE = 1, TYPE_TRACEPOINT = 2 };

/* Events of the kernel's software: switches, migrations, switches of control groups. */
#define SWITCHES (1u << 3 | 1u << 4 | 1u << 11)

/* Markers: the mode of the words behind them. */
#define MARKER_HV            ((uint64_t)-32)
#define MARKER_KERNEL        ((uint64_t)-128)
#define MARKER_USER          ((uint64_t)-512)
#define MARKER_USER_DEFERRED ((uint64_t)-640)
#define MARKER_GUEST         ((uint64_t)-2048)
#define MARKER_GUEST_KERNEL  ((uint64_t)-2176)
#define MARKER_GUEST_USER    ((uint64_t)-2560)

/* ---- addresses ------------------------------------------------------------------------------ */

/* Returns the kind of code that runs in a mode. */
static uint32_t kind_of(uint32_t mode)
{
    if (mode == MODE_USER || mode == MODE_GUEST_USER)
        return BRZ_KIND_USER;
    return mode == MODE_KERNEL || mode == MODE_GUEST_KERNEL ? BRZ_KIND_KERNEL : BRZ_KIND_OTHER;
}

/* Code that a thread runs in a mode. */
typedef struct code {
    maps *maps;       /* NULL: not known */
    uint64_t context; /* of its addresses without a mapping */
    bool is_user;
} code;

static code code_of(const recording *p, const thread *of, uint32_t mode)
{
    code c = {.is_user = mode == MODE_USER};
    c.context = frames_context(kind_of(mode), of->is_java, p->frames.of_waker);
    if (c.is_user)
        c.maps = threads_maps(&p->threads, of);
    else if (mode == MODE_KERNEL)
        c.maps = p->kernel;
    return c;
}

/* Bytes behind the kernel's code that have the code of its start, which recordings leave out. Its
 * functions are the outermost ones of a processor that is idle. */
#define START_CODE (UINT64_C(64) << 20)

/* Returns whether an address without a mapping belongs to the code of the kernel's start. */
static bool is_start_code(const recording *p, const code *c, uint64_t at)
{
    return c->maps == p->kernel && p->kernel_end > 0 && at - p->kernel_end < START_CODE &&
           !p->frames.by_perf_script;
}

/* Looks an address up. The instruction of a call lies before the address to which it returns. */
static inline known_code *look_up(recording *p, const code *c, uint64_t ip, bool is_caller)
{
    uint64_t at = ip - (is_caller && !p->frames.by_perf_script && ip > 0), context = c->context;
    const map_range *r = c->maps == NULL ? NULL : maps_find(c->maps, at);
    if (r != NULL) {
        at += r->offset - r->start;
        context |= (uint64_t)r->module << KNOWN_MODULE | KNOWN_MAPPED;
    } else if (!c->is_user && is_start_code(p, c, at)) {
        context |= (uint64_t)p->kernel_module << KNOWN_MODULE | KNOWN_MAPPED;
    } else {
        p->sampling.is_unmapped |= is_caller && c->is_user && c->maps != NULL;
    }
    return frames_of(p, at, context);
}

known_code *chain_push_address(recording *p, const thread *of, uint32_t mode, uint64_t ip,
                               bool is_caller)
{
    code c = code_of(p, of, mode);
    known_code *k = look_up(p, &c, ip, is_caller);
    frames_push(p, k->value);
    return k;
}

/* Returns the mode that a marker stands for, or -1. */
static int32_t mode_of(uint64_t marker)
{
    switch (marker) {
    case MARKER_HV:
        return MODE_HV;
    case MARKER_KERNEL:
        return MODE_KERNEL;
    case MARKER_USER:
    case MARKER_USER_DEFERRED:
        return MODE_USER;
    case MARKER_GUEST:
    case MARKER_GUEST_KERNEL:
        return MODE_GUEST_KERNEL;
    case MARKER_GUEST_USER:
        return MODE_GUEST_USER;
    default:
        return -1;
    }
}

/* ---- chains --------------------------------------------------------------------------------- */

static uint64_t word_at(const recording *p, const uint8_t *words, uint64_t i)
{
    return word_u64(words + 8 * i, p->header.order);
}

/* Pushes the frames of the words from `i` on, up to a marker or the end. Returns its position. */
static uint64_t push_words(recording *p, const thread *of, uint32_t mode, const sample *s,
                           uint64_t i, bool is_caller)
{
    code c = code_of(p, of, mode);
    uint64_t word;
    for (; i < s->n_chain && (word = word_at(p, s->chain, i)) < MARKERS; i++) {
        frames_push(p, look_up(p, &c, word, is_caller)->value);
        is_caller = true;
    }
    return i;
}

/* Pushes the leaf, which is the word at `i`, and its caller if only a register has the address.
 * Returns whether there was a leaf. */
static bool push_leaf(recording *p, const thread *of, const event *v, const sample *s, uint64_t i)
{
    uint64_t ip = word_at(p, s->chain, i);
    if (ip >= MARKERS)
        return false;
    known_code *at = chain_push_address(p, of, MODE_USER, ip, false);
    uint64_t caller = registers_link(p, of, v, s, ip, at);
    bool is_next = i + 1 < s->n_chain && word_at(p, s->chain, i + 1) == caller;
    if (caller != 0 && !(is_next && p->frames.by_perf_script))
        chain_push_address(p, of, MODE_USER, caller, true);
    return true;
}

/* Returns whether an event counts how often the kernel comes to a place in its code. */
static bool is_at_place(const event *v)
{
    return v->type == TYPE_TRACEPOINT ||
           (v->type == TYPE_SOFTWARE && v->config < 32 && (SWITCHES >> v->config & 1) != 0);
}

/* Returns whether the kernel gives the place of an event twice, as on arm64: the chain starts
 * there, and then at the frame of a function that returns there. */
static bool is_doubled(const recording *p, const event *v, const sample *s, uint32_t mode,
                       uint64_t i)
{
    return is_at_place(v) && mode == MODE_KERNEL && !p->frames.by_perf_script &&
           i + 1 < s->n_chain && word_at(p, s->chain, i) == word_at(p, s->chain, i + 1);
}

void chain_push_user(recording *p, const thread *of, const uint8_t *words, uint64_t n)
{
    bool is_caller = false;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t word = word_at(p, words, i);
        if (word >= MARKERS)
            continue;
        chain_push_address(p, of, MODE_USER, word, is_caller);
        is_caller = true;
    }
}

/* Pushes the calls that the processor noted, the last one first. `leaf` is the current instruction;
 * perf script shows where the last call led to. */
static void push_branches(recording *p, const thread *of, const sample *s, uint64_t leaf)
{
    if (p->frames.by_perf_script)
        leaf = word_at(p, s->branches, 1);
    chain_push_address(p, of, MODE_USER, leaf, false);
    for (uint64_t i = 0; i < s->n_branches; i++)
        chain_push_address(p, of, MODE_USER, word_at(p, s->branches, BRANCH_WORDS * i), false);
}

/* Returns whether the branches of a sample are its calls, which are the user part of its stack. */
static bool has_calls(const event *v, const sample *s)
{
    return (v->branch_type & BRANCH_CALL_STACK) != 0 && s->n_branches > 0;
}

/* Leaves the leaf only of a chain with an unknown marker. */
static void reject(recording *p)
{
    p->losses.bad_chains++;
    brz_path_cut(p->stacks.path, 0);
}

/* Returns whether an unknown marker in the user part of a stack is what code without frame pointers
 * has where a return address would be. The stack ends there. */
static bool is_stray(recording *p, uint32_t mode, bool is_caller)
{
    bool is_stray = mode == MODE_USER && is_caller && !p->frames.by_perf_script;
    p->sampling.is_unmapped |= is_stray;
    return is_stray;
}

chain_end chain_push(recording *p, const thread *of, const event *v, const sample *s, uint32_t mode)
{
    chain_end end = {.n_user = 0};
    bool has_link = registers_have_link(p, v, s);
    for (uint64_t i = 0; i < s->n_chain; i++) {
        i += is_doubled(p, v, s, mode, i);
        uint64_t first = i;
        bool has_leaf = mode == MODE_USER && has_link && push_leaf(p, of, v, s, i);
        i = push_words(p, of, mode, s, i + has_leaf, has_leaf);
        end.n_user += mode == MODE_USER ? i - first : 0;
        if (i == s->n_chain)
            break;
        uint64_t word = word_at(p, s->chain, i);
        int32_t marked = mode_of(word);
        bool has_next = i + 1 < s->n_chain;
        if (word == MARKER_USER_DEFERRED && has_next) {
            end.is_deferred = true;
            end.cookie = word_at(p, s->chain, i + 1);
            return end;
        }
        if (word == MARKER_USER && has_next && has_calls(v, s)) {
            push_branches(p, of, s, word_at(p, s->chain, i + 1));
            end.n_user = 1 + s->n_branches;
            return end;
        }
        if (marked < 0) {
            if (!is_stray(p, mode, i > first))
                reject(p);
            return end;
        }
        mode = (uint32_t)marked;
    }
    return end;
}
