/* SPDX-License-Identifier: MIT */
/* Traces call chains. */
#include "chain.h"

#include "registers.h"

/* Words of call chains from here on are markers. */
#define MARKERS ((uint64_t)-4095)

/* Events of the kernel's software: switches, migrations, switches of control groups. */
#define SWITCHES (1u << 3 | 1u << 4 | 1u << 11)

/* Markers: the mode of the words after them. */
#define MARKER_HV            ((uint64_t)-32)
#define MARKER_KERNEL        ((uint64_t)-128)
#define MARKER_USER          ((uint64_t)-512)
#define MARKER_USER_DEFERRED ((uint64_t)-640)
#define MARKER_GUEST         ((uint64_t)-2048)
#define MARKER_GUEST_KERNEL  ((uint64_t)-2176)
#define MARKER_GUEST_USER    ((uint64_t)-2560)

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

static uint64_t word_at(const tracer *t, const uint8_t *words, uint64_t i)
{
    return word_u64(words + 8 * i, t->p->header.order);
}

/* Moves to the mapping at an address, if it is found without a search. */
static bool enter_mapping(recent_mapping *in, const code *c, uint64_t word, uint64_t at)
{
    const map_range *m = c->maps == NULL ? NULL : maps_found(c->maps, at);
    if (m == NULL || word >= MARKERS || at < m->start || at >= m->end)
        return false;
    uint64_t end = m->end < MARKERS - 1 ? m->end : MARKERS - 1;
    in->context = c->context;
    in->start = m->start;
    in->size = end - m->start;
    in->shift = m->offset - m->start;
    in->in_module = c->context | (uint64_t)m->module << KNOWN_MODULE | KNOWN_MAPPED;
    return true;
}

/* Returns the mapping of the last code that was found in a mode. Code of guests may have the
 * context of the host's, but no mappings. */
static inline recent_mapping *last_mapping(tracer *t, const code *c)
{
    recent_mapping *in = &t->last[c->is_user];
    if (c->maps == NULL || in->context != c->context)
        in->size = 0;
    return in;
}

/* Returns the place of the code at an address. Returns NULL if it is not found without a search,
 * and for a marker. `word` is the address, or one after the call there. */
static inline const recent_code *find_recent(recent_mapping *in, const code *c, recent_code *recent,
                                             uint64_t word, uint64_t at)
{
    if (at - in->start >= in->size && !enter_mapping(in, c, word, at))
        return NULL;
    at += in->shift;
    const recent_code *r = code_table_recent(recent, at, in->in_module);
    return r->address == at && r->context == in->in_module ? r : NULL;
}

/* Pushes the frames of the words from `i` on, up to a marker or the end. Returns its position. */
static uint64_t push_words(tracer *t, const code *c, const sample *s, uint64_t i, bool is_caller)
{
    recent_mapping *in = last_mapping(t, c);
    const uint64_t later = !t->p->frames.by_perf_script;
    for (uint64_t word; i < s->n_chain; i++, is_caller = true) {
        word = word_at(t, s->chain, i);
        if (word >= MARKERS)
            break;
        const recent_code *r = find_recent(in, c, t->recent, word, word - (is_caller ? later : 0));
        if (r == NULL) {
            trace_code_at(t, c, word, is_caller);
            continue;
        }
        frames_push(t->reader, r->value);
        t->to->n++;
    }
    return i;
}

/* Appends the addresses of the words from `i` on, up to a marker or the end. Returns its position.
 * Keeps the mapping in registers. */
static inline uint64_t append_words(tracer *t, const code *c, const sample *s, uint64_t i,
                                    bool is_caller, uint32_t order)
{
    recent_mapping *in = last_mapping(t, c);
    trace *to = t->to;
    const uint64_t later = !t->p->frames.by_perf_script;
    uint64_t start = in->start, size = in->size, shift = in->shift, context = in->in_module;
    const uint8_t *at = s->chain + 8 * i, *end = s->chain + 8 * s->n_chain;
    uint32_t *value = to->values + to->n, *full = to->values + t->room->n_values;
    for (; at < end; at += 8, is_caller = true) {
        uint64_t word = word_u64(at, order), address = word - (is_caller ? later : 0);
        if (address - start >= size && enter_mapping(in, c, word, address)) {
            start = in->start;
            size = in->size;
            shift = in->shift;
            context = in->in_module;
        }
        if (address - start < size) {
            address += shift;
            const recent_code *r = code_table_recent(t->recent, address, context);
            if (r->address == address && r->context == context && value < full) {
                *value++ = r->value;
                continue;
            }
        } else if (word >= MARKERS) {
            break;
        }
        to->n = (uint32_t)(value - to->values);
        trace_code_at(t, c, word, is_caller);
        value = to->values + to->n;
    }
    to->n = (uint32_t)(value - to->values);
    return (uint64_t)(at - s->chain) / 8;
}

/* Appends the addresses of the words from `i` on, up to a marker or the end. Returns its position.
 * Words in the byte order of the machine have a loop of their own. */
static uint64_t trace_words(tracer *t, uint32_t mode, const sample *s, uint64_t i, bool is_caller)
{
    const code c = trace_code(t, mode);
    const uint32_t order = t->p->header.order;
    if (t->reader != NULL)
        return push_words(t, &c, s, i, is_caller);
    return order == NATIVE_ORDER ? append_words(t, &c, s, i, is_caller, NATIVE_ORDER)
                                 : append_words(t, &c, s, i, is_caller, order);
}

/* Appends the leaf, which is the word at `i`, and its caller if only a register has the address.
 * Returns whether there was a leaf. */
static bool trace_leaf(tracer *t, const event *v, const sample *s, uint64_t i)
{
    uint64_t ip = word_at(t, s->chain, i);
    if (ip >= MARKERS)
        return false;
    traced_code at = trace_address(t, MODE_USER, ip, false);
    uint64_t caller = registers_link(t, v, s, ip, &at);
    bool is_next = i + 1 < s->n_chain && word_at(t, s->chain, i + 1) == caller;
    if (caller != 0 && !(is_next && t->p->frames.by_perf_script))
        trace_address(t, MODE_USER, caller, true);
    return true;
}

bool chain_is_at_place(const event *v)
{
    return v->type == TYPE_TRACEPOINT ||
           (v->type == TYPE_SOFTWARE && v->config < 32 && (SWITCHES >> v->config & 1) != 0);
}

/* Returns whether the kernel gives the place of an event twice, as on arm64: the chain starts
 * there, and then at the frame of a function that returns there. */
static bool is_doubled(const tracer *t, const event *v, const sample *s, uint32_t mode, uint64_t i)
{
    return mode == MODE_KERNEL && i + 1 < s->n_chain &&
           word_at(t, s->chain, i) == word_at(t, s->chain, i + 1) && chain_is_at_place(v) &&
           !t->p->frames.by_perf_script;
}

void chain_trace_user(tracer *t, const uint8_t *words, uint64_t n)
{
    bool is_caller = false;
    for (uint64_t i = 0; i < n; i++) {
        uint64_t word = word_at(t, words, i);
        if (word >= MARKERS)
            continue;
        trace_address(t, MODE_USER, word, is_caller);
        is_caller = true;
    }
}

/* Appends the calls that the processor noted, the last one first. `leaf` is the current
 * instruction; perf script shows where the last call led to. */
static void trace_branches(tracer *t, const sample *s, uint64_t leaf)
{
    if (t->p->frames.by_perf_script)
        leaf = word_at(t, s->branches, 1);
    trace_address(t, MODE_USER, leaf, false);
    for (uint64_t i = 0; i < s->n_branches; i++)
        trace_address(t, MODE_USER, word_at(t, s->branches, BRANCH_WORDS * i), false);
}

/* Returns whether the branches of a sample are its calls, which are the user part of its stack. */
static bool has_calls(const event *v, const sample *s)
{
    return (v->branch_type & BRANCH_CALL_STACK) != 0 && s->n_branches > 0;
}

/* Ends at an unknown marker, which code without frame pointers has in the place of a return
 * address, in the user part of a stack. Otherwise only the leaf of the chain is left; perf script
 * shows no frame at all. */
static void end_at_marker(tracer *t, uint32_t mode, bool is_caller)
{
    if (mode == MODE_USER && is_caller && !t->p->frames.by_perf_script) {
        t->to->is_unmapped = true;
        return;
    }
    t->to->is_bad = true;
    t->to->n = t->to->n_unnamed = 0;
    if (t->reader != NULL)
        brz_path_cut(t->reader->stacks.path, 0);
}

/* Returns the position after the user part that begins at `i`, if a thread in an exec has the
 * registers of its old program, whose code is not mapped any more; otherwise `i`. */
static uint64_t skip_old_program(const tracer *t, const sample *s, uint32_t mode, uint64_t i)
{
    bool is_old = mode == MODE_USER && t->is_starting && !t->p->frames.by_perf_script &&
                  t->user.maps != NULL && i < s->n_chain &&
                  maps_view_find(&t->user, word_at(t, s->chain, i)) == NULL;
    while (is_old && i < s->n_chain && word_at(t, s->chain, i) < MARKERS)
        i++;
    return i;
}

/* Traces the words of a mode from *first on, and moves that to the first one that is traced.
 * Returns the position of the marker after them, or the end. */
static uint64_t trace_part(tracer *t, const event *v, const sample *s, uint32_t mode, bool has_link,
                           uint64_t *first)
{
    *first += is_doubled(t, v, s, mode, *first);
    *first = skip_old_program(t, s, mode, *first);
    bool has_leaf = mode == MODE_USER && has_link && trace_leaf(t, v, s, *first);
    uint64_t i = trace_words(t, mode, s, *first + has_leaf, has_leaf);
    t->to->n_user += mode == MODE_USER && !t->is_starting ? (uint32_t)(i - *first) : 0;
    return i;
}

void chain_trace(tracer *t, const event *v, const sample *s, uint32_t mode)
{
    trace *to = t->to;
    bool has_link = registers_have_link(t->p, v, s);
    for (uint64_t i = 0; i < s->n_chain; i++) {
        uint64_t first = i;
        if (word_at(t, s->chain, i) < MARKERS) /* most chains begin with a marker */
            i = trace_part(t, v, s, mode, has_link, &first);
        if (i == s->n_chain)
            return;
        uint64_t word = word_at(t, s->chain, i);
        int32_t marked = mode_of(word);
        bool has_next = i + 1 < s->n_chain;
        if (word == MARKER_USER_DEFERRED && has_next) {
            to->is_deferred = true;
            to->cookie = word_at(t, s->chain, i + 1);
            return;
        }
        if (word == MARKER_USER && has_next && has_calls(v, s)) {
            trace_branches(t, s, word_at(t, s->chain, i + 1));
            to->n_user = (uint32_t)(1 + s->n_branches);
            return;
        }
        if (marked < 0) {
            end_at_marker(t, mode, i > first);
            return;
        }
        mode = (uint32_t)marked;
    }
}
