/* SPDX-License-Identifier: MIT */
/* Adds up inputs that are in order, or compares two of them, without a profile.
 *
 * Whether an input is in order shows when it is read, so nothing may be seen of the output before:
 * a file appears when it is complete. What would be seen at once, such as standard output, is kept
 * in a temporary file up to the end.
 *
 * Compressed inputs need much memory each, and so do inputs that have tables. They are added up in
 * groups; the sums of a group are kept in a temporary file, too, and are an input of the last
 * merge.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "base/thread.h"
#include "run/sorted_inputs.h"
#include "sorted/merge.h"
#include "sorted/record.h"
#include "sorted/spool.h"

/* Size of the buffer of an input, unless a record is longer: all of them share the memory. */
#define BUFFER_MIN  ((size_t)4 << 10)
#define BUFFER_MAX  ((size_t)128 << 10)
#define BUFFERS_MAX ((size_t)32 << 20)

/* Size of the buffer of a compressed text in a group. */
#define PACKED_BUFFER ((size_t)64 << 10)

/* Limits of the expensive inputs that all threads together have open at a time: the memory of their
 * decompressors and instances, and their number. */
#define UNPACKED_MEMORY ((size_t)24 << 20)
#define UNPACKED_MAX    ((size_t)48)

#define MOST_THREADS ((size_t)4)

/* Some expensive inputs, and their sums, from which the last merge reads. */
typedef struct group {
    brz_sorted_input **inputs;
    uint32_t n;
    brz_spool sums;
    bool has_sums;
    uint64_t at; /* bytes of them that were read */
} group;

/* A run. */
typedef struct merge {
    const brz_execution *execution;
    brz_sorted_inputs inputs;
    const brz_sorted_writer *writer;
    brz_sorted_input **expensive; /* inputs that are added up in groups */
    group *groups;
    size_t n_groups, groups_cap;
    atomic_size_t next_group;
    atomic_bool is_bad; /* a group needs a profile */
} merge;

/* Returns the size of the buffers of `n` inputs: half of the memory that the run may take, if that
 * is limited, is enough for the rest. */
static size_t buffer_size(const merge *m, size_t n)
{
    uint64_t limit = m->execution->plan->request->limits.memory / 2;
    size_t share = (limit > 0 && limit < BUFFERS_MAX ? (size_t)limit : BUFFERS_MAX) / n;
    if (share > BUFFER_MAX)
        return BUFFER_MAX;
    return share < BUFFER_MIN ? BUFFER_MIN : share;
}

/* ---- groups --------------------------------------------------------------------------------- */

static size_t count_threads(const merge *m)
{
    size_t n = brz_request_threads(m->execution->plan->request);
    return n < MOST_THREADS ? n : MOST_THREADS;
}

/* Forms groups of the expensive inputs, for `threads` threads. */
static void form_groups(merge *m, size_t threads)
{
    size_t n = 0, memory = 0, most = (m->inputs.n_expensive + threads - 1) / threads;
    most = most < UNPACKED_MAX / threads ? most : UNPACKED_MAX / threads;
    m->expensive = brz_calloc(m->inputs.n_expensive, sizeof(brz_sorted_input *));
    for (size_t i = 0; i < m->inputs.n; i++) {
        brz_sorted_input *x = &m->inputs.items[i];
        if (!brz_sorted_input_is_expensive(x))
            continue;
        memory += x->memory;
        m->expensive[n] = x;
        if (n == 0 || m->groups[m->n_groups - 1].n >= most || memory > UNPACKED_MEMORY / threads) {
            m->groups = brz_grow(m->groups, m->n_groups, &m->groups_cap, sizeof *m->groups);
            m->groups[m->n_groups++] = (group){.inputs = &m->expensive[n]};
            memory = x->memory;
        }
        m->groups[m->n_groups - 1].n++;
        n++;
    }
}

/* Opens an input as a source of a merge. */
static void add_source(merge *m, brz_sorted_merge *to, uint32_t at, brz_sorted_input *i,
                       size_t buffer)
{
    if (i->is_whole) {
        brz_sorted_merge_open_samples(to, at, &i->samples.stack, brz_sorted_instance_next,
                                      &i->samples);
        to->sources[at].state = brz_sorted_input_load(i);
        return;
    }
    brz_sorted_input_begin(i);
    brz_sorted_merge_open(to, at, m->inputs.reader, buffer, brz_sorted_input_fill(i), i);
}

/* Adds up a group. Returns false if it needs a profile. */
static bool merge_group(merge *m, group *g)
{
    brz_sorted_merge sum;
    g->has_sums = brz_spool_init(&g->sums);
    if (!g->has_sums)
        return false;
    brz_sorted_merge_init(&sum, g->n, &brz_record_writer, &m->execution->run->stop);
    sum.most = BRZ_SORTED_MOST;
    for (uint32_t i = 0; i < g->n; i++)
        add_source(m, &sum, i, g->inputs[i], PACKED_BUFFER);
    brz_merge_end end = brz_sorted_merge_write(&sum, &g->sums.sink);
    brz_sorted_merge_finish(&sum);
    for (uint32_t i = 0; i < g->n; i++)
        brz_sorted_input_end(g->inputs[i]);
    return end == BRZ_MERGE_DONE;
}

/* Adds up groups until there are no more. */
static void *work(void *arg)
{
    merge *m = arg;
    while (!atomic_load(&m->is_bad)) {
        size_t i = atomic_fetch_add(&m->next_group, 1);
        if (i >= m->n_groups)
            break;
        if (!merge_group(m, &m->groups[i]))
            atomic_store(&m->is_bad, true);
    }
    return NULL;
}

/* Adds up the expensive inputs, unless they are few for one thread, or are compared. Returns false
 * if the run needs a profile. */
static bool merge_groups(merge *m)
{
    pthread_t others[MOST_THREADS];
    size_t threads = count_threads(m), n = 0;
    if (m->execution->plan->request->compare || m->inputs.n_expensive <= 1)
        return true;
    form_groups(m, threads);
    if (m->n_groups == 1) {
        m->n_groups = 0;
        return true;
    }
    while (n + 1 < threads && brz_thread_start(&others[n], work, m))
        n++;
    work(m);
    for (size_t i = 0; i < n; i++)
        pthread_join(others[i], NULL);
    return !atomic_load(&m->is_bad);
}

/* Implements brz_sorted_fill_fn for the sums of a group. */
static size_t read_sums(void *context, char *to, size_t n, bool *is_ended)
{
    group *g = context;
    uint64_t left = g->sums.size - g->at;
    size_t wanted = left < n ? (size_t)left : n, got = brz_spool_read(&g->sums, to, wanted, g->at);
    g->at += got;
    *is_ended = got == left;
    return got == wanted ? got : 0;
}

/* ---- the last merge ------------------------------------------------------------------------- */

/* Adds the sources of the last merge. */
static void add_sources(merge *m, brz_sorted_merge *sum)
{
    uint32_t n = 0;
    size_t buffer = buffer_size(m, sum->n);
    for (size_t i = 0; i < m->inputs.n; i++)
        if (m->n_groups == 0 || !brz_sorted_input_is_expensive(&m->inputs.items[i]))
            add_source(m, sum, n++, &m->inputs.items[i], buffer);
    for (size_t i = 0; i < m->n_groups; i++)
        brz_sorted_merge_open(sum, n++, &brz_record_reader, buffer, read_sums, &m->groups[i]);
}

static brz_merge_end merge_all(merge *m, brz_sink *sink)
{
    brz_sorted_merge sum;
    if (!merge_groups(m))
        return BRZ_MERGE_NOT_PLAIN;
    size_t n = m->inputs.n - (m->n_groups > 0 ? m->inputs.n_expensive : 0) + m->n_groups;
    brz_sorted_merge_init(&sum, (uint32_t)n, m->writer, &m->execution->run->stop);
    sum.compares = m->execution->plan->request->compare;
    add_sources(m, &sum);
    brz_merge_end end = brz_sorted_merge_write(&sum, sink);
    brz_sorted_merge_finish(&sum);
    return end;
}

/* ---- writing -------------------------------------------------------------------------------- */

/* Completes the output after the sums were written to it. */
static brz_merge_end complete(const merge *m, brz_file_sink *file, brz_merge_end end)
{
    if (end != BRZ_MERGE_DONE)
        return end;
    return brz_file_sink_complete(file) && !brz_execution_is_stopped(m->execution) &&
                   brz_file_sink_commit(file)
               ? BRZ_MERGE_DONE
               : BRZ_MERGE_UNWRITTEN;
}

/* Writes the sums to a file that is not seen before it is complete. */
static brz_merge_end write_file(merge *m)
{
    const brz_execution *x = m->execution;
    brz_file_sink *file = brz_execution_open_sink(x, &x->plan->outputs[0]);
    if (file == NULL)
        return BRZ_MERGE_UNWRITTEN;
    brz_merge_end end = complete(m, file, merge_all(m, brz_file_sink_sink(file)));
    brz_file_sink_destroy(file);
    return end;
}

/* Writes the sums that were kept. */
static brz_merge_end release(const merge *m, const brz_spool *spool)
{
    const brz_execution *x = m->execution;
    bool is_read = true;
    brz_file_sink *file = brz_execution_open_sink(x, &x->plan->outputs[0]);
    if (file == NULL)
        return BRZ_MERGE_UNWRITTEN;
    brz_merge_end end = brz_spool_release(spool, brz_file_sink_sink(file), &is_read)
                            ? BRZ_MERGE_DONE
                            : BRZ_MERGE_UNWRITTEN;
    if (!is_read)
        brz_say_code(brz_execution_console(x), BRZ_FATAL, BRZ_SAYS_READ,
                     "the temporary file with the sums cannot be read (see TMPDIR)");
    end = complete(m, file, end);
    brz_file_sink_destroy(file);
    return end;
}

/* Writes the sums to a temporary file first. */
static brz_merge_end write_late(merge *m)
{
    brz_spool spool;
    if (!brz_spool_init(&spool))
        return BRZ_MERGE_NOT_PLAIN;
    brz_merge_end end = merge_all(m, &spool.sink);
    if (end == BRZ_MERGE_UNWRITTEN)
        end = BRZ_MERGE_NOT_PLAIN; /* the temporary file is full */
    if (end == BRZ_MERGE_DONE)
        end = release(m, &spool);
    brz_spool_finish(&spool);
    return end;
}

/* ---- the run -------------------------------------------------------------------------------- */

/* Returns whether a run needs a profile. Otherwise reports what failed. */
static bool needs_profile(const merge *m, brz_merge_end end)
{
    const brz_execution *x = m->execution;
    if (brz_execution_is_stopped(x))
        return false;
    if (end != BRZ_MERGE_UNREAD)
        return end == BRZ_MERGE_NOT_PLAIN;
    return x->plan->request->keep_going || !brz_sorted_inputs_say_changed(&m->inputs);
}

static const brz_sorted_writer *writer_of(const brz_pipeline *p)
{
    if (p->n_outputs != 1 || p->request->n_settings > 0 || p->palette_map != NULL ||
        (p->request->compare && p->n_inputs != 2) || p->n_inputs > UINT32_MAX / 4 ||
        !brz_has_default_options(&p->outputs[0].use))
        return NULL;
    return brz_sorted_writer_of(p->outputs[0].use.loaded);
}

/* Writes the output. Returns false, with nothing written, if the run needs a profile. */
static bool write_output(merge *m, bool *is_written)
{
    const brz_output_use *o = &m->execution->plan->outputs[0];
    bool appears_whole = o->write == NULL && brz_file_sink_appears_whole(&o->inside, o->to);
    brz_merge_end end = appears_whole ? write_file(m) : write_late(m);
    *is_written = end == BRZ_MERGE_DONE;
    return !needs_profile(m, end);
}

static void finish(merge *m)
{
    for (size_t i = 0; i < m->n_groups; i++)
        if (m->groups[i].has_sums)
            brz_spool_finish(&m->groups[i].sums);
    free(m->groups);
    free(m->expensive);
    brz_sorted_inputs_close(&m->inputs);
}

bool brz_execution_merge(const brz_execution *x, bool *is_written)
{
    merge m = {.execution = x, .writer = writer_of(x->plan)};
    bool is_done =
        m.writer != NULL && brz_sorted_inputs_open(&m.inputs, x) && write_output(&m, is_written);
    finish(&m);
    return is_done;
}
