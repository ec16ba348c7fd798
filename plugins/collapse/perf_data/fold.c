/* Counts samples. */
#include "fold.h"

#include "frames.h"
#include "unwind.h"

#include <brazier/symbol.h>

/* The most columns that a profile can have. */
#define COLUMNS_MAX 255

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

/* Modes of the processor, as in the header of records. */
enum { MODE_UNKNOWN, MODE_KERNEL, MODE_USER, MODE_HV, MODE_GUEST_KERNEL, MODE_GUEST_USER };

/* ---- addresses --------------------------------------------------------------------------------
 */

/* Returns the kind of code that runs in a mode. */
static uint32_t kind_of(uint32_t mode)
{
    if (mode == MODE_USER || mode == MODE_GUEST_USER)
        return BRZ_KIND_USER;
    return mode == MODE_KERNEL || mode == MODE_GUEST_KERNEL ? BRZ_KIND_KERNEL : BRZ_KIND_OTHER;
}

/* Looks an address up in an address space, which may be NULL. */
static uint32_t look_up(recording *p, const maps *m, place_of_code at)
{
    const map_range *r = maps_find(m, at.address);
    if (r != NULL) {
        at.module = r->module;
        at.address += r->offset - r->start;
    }
    return frames_of(p, &at);
}

/* Pushes the frames of an address. The instruction of a call lies before the address to which it
 * returns. */
static void push(recording *p, const thread *of, uint32_t mode, uint64_t ip, bool is_caller)
{
    uint64_t inside = ip - (is_caller && !p->frames.by_perf_script && ip > 0);
    place_of_code at = {NO_MODULE, kind_of(mode), inside, of->is_java, p->frames.of_waker};
    const maps *m = mode == MODE_KERNEL ? p->kernel
                    : mode == MODE_USER ? threads_maps(&p->threads, of)
                                        : NULL;
    if (m == NULL) {
        frames_push(p, look_up(p, NULL, at));
        return;
    }
    known_code *k = &p->frames.known[(inside ^ inside >> 13) % KNOWN_CODE];
    uint32_t kind = at.kind << 2 | (uint32_t)at.is_waker << 1 | at.is_java;
    if (k->ip != inside || k->maps != m || k->version != m->version || k->kind != kind)
        *k = (known_code){inside, m, m->version, kind, look_up(p, m, at), 0};
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

/* Pushes the frames of a call chain, leaf first. The first address after a marker is that of an
 * instruction, the others are return addresses. Sets *has_user if code of a user is among them. */
static void push_chain(recording *p, const thread *of, const sample *s, uint32_t mode,
                       bool *has_user)
{
    bool is_caller = false;
    for (uint64_t i = 0; i < s->n_chain; i++) {
        uint64_t word = word_u64(s->chain + 8 * i, p->header.order);
        if (word < MARKERS) {
            push(p, of, mode, word, is_caller);
            *has_user |= mode == MODE_USER;
            is_caller = true;
            continue;
        }
        if (word == MARKER_USER_DEFERRED) {
            p->losses.deferred++;
            return;
        }
        int32_t marked = mode_of(word);
        if (marked < 0) {
            p->losses.bad_chains++;
            brz_path_cut(p->stacks.path, 0);
            return;
        }
        mode = (uint32_t)marked;
        is_caller = false;
    }
}

/* Implements unwind_visit. Here, perf script names callers by the call, too. */
static void push_unwound(recording *p, const thread *of, uint64_t ip, bool is_caller)
{
    push(p, of, MODE_USER, ip - is_caller, false);
}

/* Pushes the frames of a sample, leaf first. */
static void push_frames(recording *p, const thread *of, const event *v, const sample *s,
                        uint32_t mode)
{
    bool has_user = false;
    push_chain(p, of, s, mode, &has_user);
    if (s->stack_size > 0 && !has_user && !unwind_sample(p, of, v, s, push_unwound))
        p->losses.not_unwound++;
    if (p->stacks.path->n == 0 && (v->sample_type & SAMPLE_IP))
        push(p, of, mode, s->ip, false);
}

/* ---- columns and tags -------------------------------------------------------------------------
 */

/* Declares the column of an event at its first sample. Returns false if there are too many. */
static bool has_column(recording *p, event *v)
{
    if (v->column != BRZ_NO_FRAME)
        return true;
    if (p->n_columns == COLUMNS_MAX) {
        p->losses.no_column++;
        return false;
    }
    bool is_clock = v->type == 1 && v->config <= 1;
    bool has_period = (v->sample_type & SAMPLE_PERIOD) != 0 || !(v->flags & ATTR_FREQ);
    brz_weight_desc d = {.struct_size = sizeof d, .name = v->name};
    d.unit = !has_period ? BRZ_STR("samples")
             : is_clock  ? BRZ_STR("nanoseconds")
                         : BRZ_STR("count");
    v->column = p->ctx->host->weight(p->ctx, &d);
    p->n_columns++;
    return true;
}

brz_tag_desc fold_describe(const recording *p, const event *v, const sample *s, const thread *of)
{
    brz_tag_desc d = {.struct_size = sizeof d, .label_size = sizeof(brz_label)};
    if (v->sample_type & SAMPLE_TID)
        d.flags |= BRZ_TAG_PROCESS | BRZ_TAG_THREAD;
    if (v->sample_type & SAMPLE_CPU)
        d.flags |= BRZ_TAG_CPU;
    d.process = of->pid;
    d.thread = of->tid;
    d.cpu = v->sample_type & SAMPLE_CPU ? s->cpu : 0;
    d.process_name = threads_process_name(&p->threads, of->pid);
    d.thread_name = of->name;
    return d;
}

static brz_tag tag_of(recording *p, const event *v, const sample *s, thread *of)
{
    if (of->has_tag && of->tag_cpu == s->cpu)
        return of->tag;
    brz_tag_desc d = fold_describe(p, v, s, of);
    of->tag = p->ctx->host->tag(p->ctx, &d);
    of->tag_cpu = s->cpu;
    of->has_tag = true;
    return of->tag;
}

static void place(recording *p, const event *v, const sample *s, thread *of)
{
    bool timed = p->wants_time && (v->sample_type & SAMPLE_TIME) != 0;
    brz_tag tag = p->wants_tags ? tag_of(p, v, s, of) : BRZ_NO_TAG;
    brz_stacks_place(&p->stacks, tag, timed ? BRZ_TIMED : 0, word_clamped(s->time));
}

/* ---- samples ----------------------------------------------------------------------------------
 */

/* Makes the path of a sample without the frame of its thread. */
static void make_path(recording *p, const event *v, const sample *s, const thread *of,
                      uint32_t mode)
{
    brz_path_cut(p->stacks.path, 0);
    push_frames(p, of, v, s, mode);
}

void fold_waker(recording *p, const event *v, const sample *s, uint16_t misc)
{
    const thread *of = threads_get(&p->threads, p->ctx, s->pid, s->tid);
    p->frames.of_waker = true;
    make_path(p, v, s, of, misc & 7u);
    p->frames.of_waker = false;
    brz_path_push(p->stacks.path, p->ctx, frames_waker_root(p, of));
}

/* Counts the path in the column of the event. */
static brz_rc count(recording *p, event *v, const sample *s, thread *of)
{
    if (!has_column(p, v))
        return BRZ_OK;
    if (p->wants_tags || p->wants_time)
        place(p, v, s, of);
    return brz_stacks_count(&p->stacks, p->ctx, v->column, word_clamped(s->period));
}

brz_rc fold_sample(recording *p, event *v, const sample *s, uint16_t misc)
{
    thread *of = threads_get(&p->threads, p->ctx, s->pid, s->tid);
    make_path(p, v, s, of, misc & 7u);
    bool is_empty = p->stacks.path->n == 0;
    brz_path_push(p->stacks.path, p->ctx, frames_root(p, of));
    if (!is_empty)
        return count(p, v, s, of);
    p->losses.no_frames++;
    return BRZ_OK;
}
