/* Unpacks compressed inputs that are plain folded text. */
#include "run/packed_inputs.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/read_at.h"
#include "base/scratch.h"
#include "base/thread.h"
#include "base/write_all.h"
#include "input/slack.h"
#include "run/line_merge.h"

#define MOST_THREADS 4

/* Limits of the inputs that all threads together unpack at a time. */
#define MOST_MEMORY ((size_t)32 << 20)
#define MOST_OPEN   ((size_t)48)

/* Size of the buffer of an input that is unpacked. */
#define BUFFER ((size_t)64 << 10)

/* Plain lines have no larger counts. */
#define MOST_COUNT UINT64_C(999999999999999)

/* ---- formats -------------------------------------------------------------------------------- */

/* Returns the beginning of a file, with slack around it. */
static brz_source_head raw_head(int fd)
{
    brz_source_head head = {.memory = brz_slack_buffer(BRZ_SORTED_INPUTS_HEAD)};
    head.n = brz_read_at(fd, head.memory + BRZ_SLACK_FRONT, BRZ_SORTED_INPUTS_HEAD, 0);
    head.whole = head.n < BRZ_SORTED_INPUTS_HEAD;
    return head;
}

/* Opens a compressed input. Returns NULL if that is not possible. */
static brz_stream *open_stream(const brz_sorted_input *x, brz_stream **file)
{
    int fd = brz_sorted_input_reopen(x);
    if (fd < 0)
        return NULL;
    *file = brz_stream_of_file(fd);
    return brz_stream_unpack(*file, x->packing);
}

/* Returns whether an input begins with plain folded text. Stores the memory that it takes to unpack
 * it. */
static bool begins_well(const brz_sorted_input *x, const brz_pipeline *p, size_t *memory)
{
    brz_stream *file, *stream;
    int fd = brz_sorted_input_reopen(x);
    if (fd < 0)
        return false;
    brz_source_head raw = raw_head(fd);
    close(fd);
    stream = open_stream(x, &file);
    uint8_t *head = brz_slack_buffer(BRZ_SORTED_INPUTS_HEAD + 1);
    char *text = (char *)head + BRZ_SLACK_FRONT;
    size_t n =
        stream == NULL ? 0 : brz_stream_fill(stream, (uint8_t *)text, BRZ_SORTED_INPUTS_HEAD + 1);
    *memory = n == 0 ? 0 : stream->memory + BUFFER;
    bool is_good = n > 0 && stream->state <= BRZ_STREAM_END &&
                   brz_sorted_input_begins_plainly(brz_str_of(text, n)) &&
                   brz_sorted_input_is_recognised(x, p, brz_str_of(text, n), &raw);
    brz_stream_close(stream);
    free(head);
    free(raw.memory);
    return is_good;
}

/* ---- groups --------------------------------------------------------------------------------- */

/* Compressed inputs that are unpacked together. */
typedef struct group {
    brz_sorted_input **items;
    size_t n;
} group;

/* The work that threads share. */
typedef struct work {
    const brz_execution *execution;
    brz_sorted_input **items; /* all compressed inputs */
    group *groups;
    size_t n_groups, groups_cap;
    atomic_size_t next;
    atomic_bool is_bad;
    pthread_mutex_t telling;
} work;

/* A thread with the file to which it writes. */
typedef struct worker {
    brz_sink sink; /* must be first */
    work *work;
    int scratch;
    uint64_t size; /* of the file */
    uint64_t sum;  /* of the counts of its inputs */
    pthread_t thread;
} worker;

/* Adds an input to the last group, or to a new one if that becomes too large. */
static void add_to_group(work *w, size_t i, size_t memory, size_t *in_group, size_t threads)
{
    bool alone = w->execution->plan->request->compare || w->n_groups == 0;
    if (alone || *in_group + memory > MOST_MEMORY / threads ||
        w->groups[w->n_groups - 1].n >= MOST_OPEN / threads) {
        w->groups = brz_grow(w->groups, w->n_groups, &w->groups_cap, sizeof *w->groups);
        w->groups[w->n_groups++] = (group){.items = &w->items[i]};
        *in_group = 0;
    }
    w->groups[w->n_groups - 1].n++;
    *in_group += memory;
}

/* Forms groups of the compressed inputs. Returns false if one does not begin well. */
static bool form_groups(work *w, brz_sorted_inputs *s, size_t threads)
{
    size_t n = 0, memory = 0, in_group = 0;
    w->items = brz_calloc(s->n_packed, sizeof(brz_sorted_input *));
    for (size_t i = 0; i < s->n; i++) {
        if (s->items[i].packing == BRZ_PACKED_NOT)
            continue;
        if (brz_execution_is_stopped(w->execution) ||
            !begins_well(&s->items[i], w->execution->plan, &memory))
            return false;
        w->items[n] = &s->items[i];
        add_to_group(w, n++, memory, &in_group, threads);
    }
    return true;
}

/* ---- unpacking ------------------------------------------------------------------------------ */

/* The streams of a group. */
typedef struct streams {
    work *work;
    const group *group;
    brz_stream **items, **files;
} streams;

static size_t read_stream(void *context, uint32_t i, char *to, size_t n, bool *is_ended)
{
    const streams *s = context;
    size_t got = brz_stream_fill(s->items[i], (uint8_t *)to, n);
    *is_ended = s->items[i]->state == BRZ_STREAM_END;
    return s->items[i]->state <= BRZ_STREAM_END ? got : 0;
}

static void tell(void *context, uint32_t i, uint64_t done)
{
    const streams *s = context;
    const brz_execution *x = s->work->execution;
    const brz_request *r = x->plan->request;
    const brz_sorted_input *input = s->group->items[i];
    (void)done;
    if (r->progress == NULL)
        return;
    pthread_mutex_lock(&s->work->telling);
    if (r->progress(r->progress_context, input->name, s->files[i]->taken, input->size) != 0)
        atomic_store(&x->run->stop, true);
    pthread_mutex_unlock(&s->work->telling);
}

static bool open_streams(streams *s, brz_line_merge *m)
{
    for (uint32_t i = 0; i < m->n; i++) {
        s->items[i] = open_stream(s->group->items[i], &s->files[i]);
        if (s->items[i] == NULL)
            return false;
        brz_line_merge_add_read(m, i, BUFFER);
    }
    return true;
}

/* Adds up the inputs of a group at the end of the file. */
static bool unpack_group(worker *to, const group *g)
{
    brz_line_merge m;
    streams s = {.work = to->work, .group = g};
    bool is_written = true;
    s.items = brz_calloc(g->n, sizeof(brz_stream *));
    s.files = brz_calloc(g->n, sizeof(brz_stream *));
    brz_line_merge_init(&m, (uint32_t)g->n);
    m.checks = true;
    m.most = MOST_COUNT;
    m.stop = &to->work->execution->run->stop;
    m.reader = (brz_line_reader){read_stream, tell, &s};
    g->items[0]->scratch = to->scratch;
    g->items[0]->start = to->size;
    bool is_good = open_streams(&s, &m) && brz_line_merge_write(&m, &to->sink, &is_written) &&
                   is_written && !__builtin_add_overflow(to->sum, m.sum, &to->sum);
    g->items[0]->text_size = to->size - g->items[0]->start;
    for (size_t i = 0; i < g->n; i++)
        brz_stream_close(s.items[i]);
    brz_line_merge_finish(&m);
    free(s.items);
    free(s.files);
    return is_good;
}

static void *unpack(void *arg)
{
    worker *me = arg;
    work *w = me->work;
    while (!atomic_load(&w->is_bad) && !brz_execution_is_stopped(w->execution)) {
        size_t i = atomic_fetch_add(&w->next, 1);
        if (i >= w->n_groups)
            break;
        if (!unpack_group(me, &w->groups[i]))
            atomic_store(&w->is_bad, true);
    }
    return NULL;
}

/* ---- threads -------------------------------------------------------------------------------- */

/* Implements brz_sink. */
static brz_rc write_scratch(brz_sink *sink, const void *data, size_t len)
{
    worker *to = (worker *)sink;
    if (!brz_write_all(to->scratch, data, len))
        return BRZ_ERROR;
    to->size += len;
    return BRZ_OK;
}

/* Creates the file of a worker, which the inputs own. */
static bool prepare(worker *x, work *w, brz_sorted_inputs *s)
{
    brz_buf error = {0};
    *x = (worker){.work = w, .scratch = brz_scratch_create(&error)};
    x->sink = (brz_sink){.struct_size = sizeof x->sink, .write = write_scratch};
    brz_buf_finish(&error);
    if (x->scratch >= 0)
        s->scratch[s->n_scratch++] = x->scratch;
    return x->scratch >= 0;
}

/* Unpacks all groups on threads. */
static bool unpack_all(work *w, brz_sorted_inputs *s, size_t threads)
{
    worker all[MOST_THREADS];
    size_t wanted = threads < w->n_groups ? threads : w->n_groups, n = 1;
    s->scratch = brz_calloc(wanted, sizeof *s->scratch);
    if (!prepare(&all[0], w, s))
        return false;
    while (n < wanted && prepare(&all[n], w, s) &&
           brz_thread_start(&all[n].thread, unpack, &all[n]))
        n++;
    unpack(&all[0]);
    for (size_t i = 1; i < n; i++)
        pthread_join(all[i].thread, NULL);
    bool is_good = !atomic_load(&w->is_bad) && !brz_execution_is_stopped(w->execution);
    for (size_t i = 0; i < n && is_good; i++)
        is_good = !__builtin_add_overflow(s->count, all[i].sum, &s->count) && s->count <= INT64_MAX;
    return is_good;
}

bool brz_packed_inputs_read(brz_sorted_inputs *s, const brz_execution *x)
{
    if (s->n_packed == 0)
        return true;
    size_t threads = brz_request_threads(x->plan->request);
    threads = threads < MOST_THREADS ? threads : MOST_THREADS;
    work w = {.execution = x, .telling = PTHREAD_MUTEX_INITIALIZER};
    bool is_good = form_groups(&w, s, threads) && unpack_all(&w, s, threads);
    free(w.items);
    free(w.groups);
    return is_good;
}
