/* Pushes the frames of call chains. */
#include "chain.h"

#include "frames.h"

#include <brazier/symbol.h>

/* Words of call chains from here on are markers. */
#define MARKERS ((uint64_t)-4095)

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

/* Looks an address up in an address space, which may be NULL. */
static known_code look_up(recording *p, const maps *m, uint32_t kind, place_of_code at)
{
    known_code k = {.ip = at.address, .maps = m, .version = m == NULL ? 0 : m->version};
    const map_range *r = maps_find(m, at.address);
    if (r != NULL) {
        at.module = r->module;
        at.address += r->offset - r->start;
    }
    k.kind = kind;
    k.is_mapped = r != NULL;
    k.value = frames_of(p, &at);
    return k;
}

void chain_push_address(recording *p, const thread *of, uint32_t mode, uint64_t ip, bool is_caller)
{
    uint64_t inside = ip - (is_caller && !p->frames.by_perf_script && ip > 0);
    place_of_code at = {NO_MODULE, kind_of(mode), inside, of->is_java, p->frames.of_waker};
    const maps *m = mode == MODE_KERNEL ? p->kernel
                    : mode == MODE_USER ? threads_maps(&p->threads, of)
                                        : NULL;
    uint32_t kind = at.kind << 2 | (uint32_t)at.is_waker << 1 | at.is_java;
    if (m == NULL) {
        frames_push(p, look_up(p, NULL, kind, at).value);
        return;
    }
    known_code *k = &p->frames.known[(inside ^ inside >> 13) % KNOWN_CODE];
    if (k->ip != inside || k->maps != m || k->version != m->version || k->kind != kind)
        *k = look_up(p, m, kind, at);
    p->sampling.is_unmapped |= is_caller && mode == MODE_USER && !k->is_mapped;
    frames_push(p, k->value);
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
    bool is_caller = false;
    for (uint64_t i = 0; i < s->n_chain; i++) {
        uint64_t word = word_at(p, s->chain, i);
        if (word < MARKERS) {
            chain_push_address(p, of, mode, word, is_caller);
            end.n_user += mode == MODE_USER;
            is_caller = true;
            continue;
        }
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
            if (!is_stray(p, mode, is_caller))
                reject(p);
            return end;
        }
        mode = (uint32_t)marked;
        is_caller = false;
    }
    return end;
}
