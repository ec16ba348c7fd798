/* Adds up files of sorted folded text line by line, or compares two of them.
 *
 * Such a run needs no profile: the lines of its output are those of the inputs, in the same order,
 * with sums of counts, or with the counts of both. That takes little memory, and a fraction of the
 * time.
 *
 * Nothing may be written before it is certain that no profile is necessary. With many threads, a
 * first pass checks all inputs. With few, reading large inputs twice would take longer than that:
 * lines are checked while they are read, and the output is held back up to the end. If it is too
 * long for that, all inputs are checked at this point.
 */
#include "run/pipeline_merge.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/read_at.h"
#include "run/held_sink.h"
#include "run/line_merge.h"
#include "run/packed_inputs.h"

/* Size of the buffer of an input, unless a line is longer: all of them share the memory. */
#define BUFFER_MIN  ((size_t)4 << 10)
#define BUFFER_MAX  ((size_t)128 << 10)
#define BUFFERS_MAX ((size_t)32 << 20)

/* Maximum number of bytes that are held back, and the least limit of memory with which any are. */
#define HELD_BYTES   ((size_t)16 << 20)
#define LEAST_MEMORY ((uint64_t)64 << 20)

/* Maximum number of inputs with which any are: buffers of more inputs take the memory. */
#define HELD_INPUTS ((size_t)4 << 10)

/* With more threads, a pass of its own that checks the inputs takes less time. */
#define FEW_THREADS 2

struct brz_merge {
    const brz_execution *execution;
    brz_sorted_inputs inputs;
    const brz_sorted_input **items; /* those with a text of their own */
    brz_line_merge lines;
    brz_merge_open_sink *open_sink;
    void *sink_context;
    bool needs_profile;   /* the check of all inputs has found that */
    bool is_scratch_lost; /* a file with the texts of compressed inputs cannot be read */
};

/* ---- opening -------------------------------------------------------------------------------- */

/* Returns whether the run writes nothing but folded text. */
static bool writes_folded(const brz_pipeline *p)
{
    return p->n_outputs == 1 && brz_is_shipped_folded(p, p->outputs[0].use.loaded) &&
           p->request->n_settings == 0 && p->palette_map == NULL;
}

static size_t buffer_size(const brz_merge *m)
{
    size_t share = BUFFERS_MAX / m->lines.n;
    if (share > BUFFER_MAX)
        return BUFFER_MAX;
    return share < BUFFER_MIN ? BUFFER_MIN : share;
}

static bool is_packed(const brz_sorted_input *x)
{
    return x->packing != BRZ_PACKED_NOT;
}

static uint64_t size_of(const brz_sorted_input *x)
{
    return is_packed(x) ? x->text_size : x->size;
}

/* Reads the next bytes of an input from its file. Large inputs are read, because a mapping of each
 * would need far more memory than a buffer. */
static size_t read_input(void *context, uint32_t i, char *to, size_t n, bool *is_ended)
{
    brz_merge *m = context;
    const brz_sorted_input *x = m->items[i];
    uint64_t at = m->lines.texts[i].at, left = size_of(x) - at;
    size_t wanted = left < n ? (size_t)left : n;
    int own = is_packed(x) ? x->scratch : x->fd, fd = own >= 0 ? own : brz_sorted_input_reopen(x);
    size_t got = fd < 0 ? 0 : brz_read_at(fd, to, wanted, x->start + at);
    if (fd >= 0 && fd != own)
        close(fd);
    *is_ended = fd >= 0 && got == left;
    m->is_scratch_lost |= is_packed(x) && got != wanted;
    return got == wanted ? got : 0;
}

/* Reports how far an input is read, and ends the run if the caller wants that. The progress of
 * compressed inputs is that of unpacking them. */
static void tell(void *context, uint32_t i, uint64_t done)
{
    const brz_merge *m = context;
    const brz_request *r = m->execution->plan->request;
    const brz_sorted_input *x = m->items[i];
    if (r->progress != NULL && !is_packed(x) &&
        r->progress(r->progress_context, x->name, done, x->size) != 0)
        atomic_store(&m->execution->run->stop, true);
}

/* Adds the texts of the inputs. */
static void add_texts(brz_merge *m)
{
    for (uint32_t i = 0; i < m->lines.n; i++) {
        if (m->inputs.is_large || is_packed(m->items[i]))
            brz_line_merge_add_read(&m->lines, i, buffer_size(m));
        else
            brz_line_merge_add(&m->lines, i, m->items[i]->text);
    }
}

/* Returns whether checking lines while they are read saves time, and takes not too much memory. */
static bool may_check_late(const brz_sorted_inputs *s, const brz_request *r)
{
    return s->is_large && s->n <= HELD_INPUTS && brz_request_threads(r) <= FEW_THREADS &&
           (r->limits.memory == 0 || r->limits.memory >= LEAST_MEMORY);
}

/* Opens the inputs. Stores whether their lines are still to be checked. */
static bool open_inputs(brz_sorted_inputs *s, const brz_execution *x, bool *checks)
{
    const brz_pipeline *p = x->plan;
    if (!brz_sorted_inputs_find(s, p))
        return false;
    *checks = may_check_late(s, p->request) && brz_sorted_inputs_begin(s, p);
    return *checks || (brz_sorted_inputs_check(s, x, true) && brz_packed_inputs_read(s, x));
}

brz_merge *brz_merge_open(const brz_execution *x)
{
    const brz_pipeline *p = x->plan;
    bool checks;
    if ((p->request->compare && p->n_inputs != 2) || !brz_sorted_inputs_suffice(p) ||
        !writes_folded(p))
        return NULL;
    brz_merge *m = brz_calloc(1, sizeof *m);
    m->execution = x;
    if (!open_inputs(&m->inputs, x, &checks)) {
        brz_merge_close(m);
        return NULL;
    }
    uint32_t n = 0;
    m->items = brz_calloc(m->inputs.n, sizeof(const brz_sorted_input *));
    for (size_t i = 0; i < m->inputs.n; i++)
        if (size_of(&m->inputs.items[i]) > 0)
            m->items[n++] = &m->inputs.items[i];
    brz_line_merge_init(&m->lines, n);
    m->lines.reader = (brz_line_reader){read_input, tell, m};
    m->lines.stop = &x->run->stop;
    m->lines.compares = p->request->compare;
    m->lines.checks = checks;
    add_texts(m);
    return m;
}

void brz_merge_close(brz_merge *m)
{
    if (m == NULL)
        return;
    brz_line_merge_finish(&m->lines);
    brz_sorted_inputs_close(&m->inputs);
    free(m->items);
    free(m);
}

/* Returns the end of a merge that has opened its sink, and reports changes of an input. */
static brz_merge_end end_of(const brz_merge *m, bool is_good, bool is_written)
{
    brz_console *console = brz_execution_console(m->execution);
    if (atomic_load(&m->execution->run->stop) || !brz_sorted_inputs_are_whole(&m->inputs, console))
        return BRZ_MERGE_FAILED;
    if (!is_good)
        brz_say_code(console, BRZ_FATAL, BRZ_SAYS_READ,
                     m->is_scratch_lost
                         ? "a temporary file with unpacked inputs cannot be read (see TMPDIR)"
                         : "an input changed while it was read");
    return is_written && is_good ? BRZ_MERGE_WRITTEN : BRZ_MERGE_FAILED;
}

/* Writes the sums of inputs that are checked. */
static brz_merge_end write_checked(brz_merge *m, brz_sink *sink)
{
    bool is_written = true, is_good = brz_line_merge_write(&m->lines, sink, &is_written);
    return end_of(m, is_good, is_written);
}

/* Checks all inputs because no more bytes can be held back. Returns the sink, or NULL. */
static brz_sink *check_and_open(void *context)
{
    brz_merge *m = context;
    m->needs_profile = !brz_sorted_inputs_check(&m->inputs, m->execution, false);
    m->lines.checks = false;
    return m->needs_profile ? NULL : m->open_sink(m->sink_context);
}

/* Writes what is still held back. */
static brz_merge_end write_held(brz_merge *m, brz_held_sink *held)
{
    if (m->lines.sum > INT64_MAX)
        return BRZ_MERGE_NEEDS_PROFILE;
    brz_sink *sink = m->open_sink(m->sink_context);
    return sink != NULL && brz_held_sink_release(held, sink) ? BRZ_MERGE_WRITTEN : BRZ_MERGE_FAILED;
}

/* Writes the sums of inputs that are checked while they are read. */
static brz_merge_end merge_held(brz_merge *m, brz_held_sink *held)
{
    bool is_written = true, is_good = brz_line_merge_write(&m->lines, &held->sink, &is_written);
    if (atomic_load(&m->execution->run->stop))
        return BRZ_MERGE_FAILED;
    if (held->to != NULL)
        return end_of(m, is_good, is_written);
    if (!is_good || m->needs_profile)
        return BRZ_MERGE_NEEDS_PROFILE;
    return is_written ? write_held(m, held) : BRZ_MERGE_FAILED;
}

brz_merge_end brz_merge_write(brz_merge *m, brz_merge_open_sink *open_sink, void *context)
{
    m->open_sink = open_sink;
    m->sink_context = context;
    if (!m->lines.checks) {
        brz_sink *sink = open_sink(context);
        return sink != NULL ? write_checked(m, sink) : BRZ_MERGE_FAILED;
    }
    brz_held_sink held;
    brz_held_sink_init(&held, HELD_BYTES, check_and_open, m);
    brz_merge_end end = merge_held(m, &held);
    brz_held_sink_finish(&held);
    return end;
}
