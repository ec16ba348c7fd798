/* Adds up files of sorted folded text line by line, or compares two of them.
 *
 * Such a run needs no profile: the lines of its output are those of the inputs, in the same order,
 * with sums of counts, or with the counts of both. That takes little memory, and a fraction of the
 * time. A first pass, on several threads, checks all inputs, so that the second one, which writes,
 * cannot find that a profile would be necessary.
 */
#include "run/pipeline_merge.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <brazier/digits.h>

#include "base/mem.h"
#include "run/sorted_inputs.h"

/* Size of the buffer of an input, unless a line is longer. */
#define BUFFER ((size_t)128 << 10)

/* An input with its next line. Large inputs are read again, because a mapping of each would need
 * far more memory than a buffer. */
typedef struct merge_source {
    const brz_sorted_input *input;
    brz_str rest; /* bytes of the mapping or the buffer behind the next line */
    size_t at;    /* offset in the file behind these bytes */
    brz_folded_line line;
    char *buffer; /* NULL: the input is mapped */
    size_t cap;
    bool is_over;
} merge_source;

struct brz_merge {
    brz_pipeline *pipeline;
    brz_sorted_inputs inputs;
    merge_source *items; /* by input */
    size_t n;
    brz_buf out;
};

/* ---- opening -----------------------------------------------------------------------------------
 */

/* Returns whether the request asks for no comparison, or for nothing but both counts. */
static bool compares_counts(const brz_request *r)
{
    return !r->compare ||
           (r->n_inputs == 2 && r->normalize == BRZ_NORMALIZE_NO &&
            r->base_on == BRZ_BASE_ON_AFTER && r->deltas == BRZ_DELTAS_TOTAL && !r->negate);
}

/* Returns whether the run writes nothing but folded text. */
static bool writes_folded(const brz_pipeline *p)
{
    return p->n_outputs == 1 && brz_is_shipped_folded(p, p->outputs[0].use.loaded) &&
           p->request->n_settings == 0 && p->palette_map == NULL;
}

static void begin(merge_source *s, const brz_sorted_input *input, bool is_large)
{
    *s = (merge_source){.input = input, .rest = input->text, .at = input->text.len};
    if (!is_large)
        return;
    s->cap = BUFFER;
    s->buffer = brz_malloc(s->cap);
    s->rest = brz_str_of(s->buffer, 0);
    s->at = 0;
}

brz_merge *brz_merge_open(brz_pipeline *p)
{
    if (!compares_counts(p->request) || !brz_sorted_inputs_suffice(p) || !writes_folded(p))
        return NULL;
    brz_merge *m = brz_calloc(1, sizeof *m);
    m->pipeline = p;
    if (!brz_sorted_inputs_open(&m->inputs, p)) {
        brz_merge_close(m);
        return NULL;
    }
    m->n = m->inputs.n;
    m->items = brz_calloc(m->n, sizeof *m->items);
    for (size_t i = 0; i < m->n; i++)
        begin(&m->items[i], &m->inputs.items[i], m->inputs.is_large);
    return m;
}

void brz_merge_close(brz_merge *m)
{
    if (m == NULL)
        return;
    for (size_t i = 0; i < m->n; i++)
        free(m->items[i].buffer);
    brz_sorted_inputs_close(&m->inputs);
    brz_buf_finish(&m->out);
    free(m->items);
    free(m);
}

/* ---- merging -----------------------------------------------------------------------------------
 */

#define OUT_BYTES ((size_t)256 << 10)

/* Moves the rest to the beginning of the buffer, which grows if it is full. */
static void make_room(merge_source *s)
{
    size_t n = s->rest.len;
    if (n < s->cap) {
        memmove(s->buffer, s->rest.data, n);
    } else {
        s->cap *= 2;
        s->buffer = brz_realloc(s->buffer, s->cap, 1);
    }
    s->rest = brz_str_of(s->buffer, n);
}

/* Reads more bytes behind the rest. Returns false at the end of the file, or after an error. */
static bool read_more(merge_source *s)
{
    if (s->at == s->input->text.len || s->rest.len > BRZ_FOLDED_LONGEST)
        return false;
    make_room(s);
    while (s->rest.len < s->cap && s->at < s->input->text.len) {
        size_t room = s->cap - s->rest.len, left = s->input->text.len - s->at;
        ssize_t got =
            pread(s->input->fd, s->buffer + s->rest.len, left < room ? left : room, (off_t)s->at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        s->rest.len += (size_t)got;
        s->at += (size_t)got;
    }
    return true;
}

/* Advances an input. Returns false if it cannot be read, or if a line is not what it was when it
 * was checked. */
static bool advance(merge_source *s)
{
    size_t before = s->rest.len;
    while (!brz_folded_next(&s->rest, &s->line)) {
        s->is_over = s->at == s->input->text.len && before == 0;
        if (s->is_over || s->rest.len != before || !read_more(s))
            return s->is_over;
        before = s->rest.len;
    }
    return true;
}

/* Finds the inputs whose next stack is the first one. Returns their number. */
static size_t find_first(const brz_merge *m, uint32_t *first)
{
    size_t n = 0;
    for (size_t i = 0; i < m->n; i++) {
        const merge_source *x = &m->items[i];
        if (x->is_over)
            continue;
        int d = n == 0 ? -1 : brz_folded_compare(x->line.stack, m->items[first[0]].line.stack);
        if (d < 0)
            n = 0;
        if (d <= 0)
            first[n++] = (uint32_t)i;
    }
    return n;
}

static bool flush(brz_merge *m, brz_sink *sink)
{
    bool good = sink->write(sink, m->out.data, m->out.len) == BRZ_OK;
    brz_buf_clear(&m->out);
    return good;
}

/* Reports the progress of each input. Returns false if the run is to end. */
static bool tell(const brz_merge *m)
{
    const brz_request *r = m->pipeline->request;
    for (size_t i = 0; i < m->n && r->progress != NULL; i++) {
        const merge_source *s = &m->items[i];
        if (r->progress(r->progress_context, s->input->name, s->at - s->rest.len,
                        s->input->text.len) != 0)
            atomic_store(&m->pipeline->run->stop, true);
    }
    return !atomic_load(&m->pipeline->run->stop);
}

/* Writes the counts of the inputs that have the next stack: both of a comparison, else the sum. */
static char *put_counts(const brz_merge *m, const uint32_t *first, size_t n, char *to)
{
    uint64_t counts[2] = {0, 0};
    bool compares = m->pipeline->request->compare;
    for (size_t i = 0; i < n; i++)
        counts[compares ? first[i] : 0] += (uint64_t)m->items[first[i]].line.count;
    *to++ = ' ';
    to = brz_format_u64(to, counts[0]);
    if (!compares)
        return to;
    *to++ = ' ';
    return brz_format_u64(to, counts[1]);
}

/* Writes the next line. Returns false if an input has changed. */
static bool merge_line(brz_merge *m, const uint32_t *first, size_t n)
{
    brz_str stack = m->items[first[0]].line.stack;
    char *start = brz_buf_room(&m->out, stack.len + 3 * BRZ_NUMBER_ROOM);
    memcpy(start, stack.data, stack.len);
    char *end = put_counts(m, first, n, start + stack.len);
    *end++ = '\n';
    m->out.len += (size_t)(end - start);
    for (size_t i = 0; i < n; i++)
        if (!advance(&m->items[first[i]]))
            return false;
    return true;
}

static bool merge_lines(brz_merge *m, brz_sink *sink, bool *is_written)
{
    uint32_t first[BRZ_SORTED_INPUTS_MOST];
    size_t n;
    for (size_t i = 0; i < m->n; i++)
        if (!advance(&m->items[i]))
            return false;
    while (*is_written && (n = find_first(m, first)) > 0) {
        if (!merge_line(m, first, n))
            return false;
        if (m->out.len >= OUT_BYTES)
            *is_written = flush(m, sink) && tell(m);
    }
    *is_written = *is_written && flush(m, sink) && tell(m);
    return true;
}

bool brz_merge_write(brz_merge *m, brz_sink *sink)
{
    brz_console *console = &m->pipeline->session->console;
    bool is_written = true, is_good = merge_lines(m, sink, &is_written);
    if (!brz_sorted_inputs_are_whole(&m->inputs, console))
        return false;
    if (!is_good)
        brz_say_code(console, BRZ_FATAL, BRZ_SAYS_READ, "an input changed while it was read");
    return is_written && is_good;
}
