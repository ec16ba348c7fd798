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
#include "run/loser_tree.h"
#include "run/sorted_inputs.h"

/* Size of the buffer of an input, unless a line is longer: all of them share the memory. */
#define BUFFER_MIN  ((size_t)4 << 10)
#define BUFFER_MAX  ((size_t)128 << 10)
#define BUFFERS_MAX ((size_t)32 << 20)

/* Number of bytes behind a line that are fetched into the cache. */
#define AHEAD      ((size_t)512)
#define CACHE_LINE ((size_t)64)

/* An input with its next line. Large inputs are read again, because a mapping of each would need
 * far more memory than a buffer. */
typedef struct merge_source {
    const brz_sorted_input *input;
    brz_str rest; /* bytes of the mapping or the buffer from the next line on */
    size_t taken; /* number of them that are the next line */
    size_t at;    /* offset in the file behind the rest */
    int64_t count;
    char *buffer; /* NULL: the input is mapped */
    size_t cap;
} merge_source;

struct brz_merge {
    brz_pipeline *pipeline;
    brz_sorted_inputs inputs;
    merge_source *items; /* by input */
    size_t n;
    brz_loser_tree tree; /* of their next lines */
    brz_buf out;
    size_t open_len;    /* length of the stack at the end of `out`, which has no counts yet */
    uint64_t counts[2]; /* of this stack; without a comparison, the first one is their sum */
};

/* ---- opening -------------------------------------------------------------------------------- */

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

/* Begins to read an input; into a buffer if its size is not 0. */
static void begin(merge_source *s, const brz_sorted_input *input, size_t buffer)
{
    *s = (merge_source){.input = input, .rest = input->text, .at = input->size};
    if (buffer == 0)
        return;
    s->cap = buffer;
    s->buffer = brz_malloc(buffer);
    s->rest = brz_str_of(s->buffer, 0);
    s->at = 0;
}

static size_t buffer_size(const brz_merge *m)
{
    size_t share = BUFFERS_MAX / m->n;
    if (!m->inputs.is_large)
        return 0;
    if (share > BUFFER_MAX)
        return BUFFER_MAX;
    return share < BUFFER_MIN ? BUFFER_MIN : share;
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
        begin(&m->items[i], &m->inputs.items[i], buffer_size(m));
    brz_loser_tree_init(&m->tree, (uint32_t)m->n);
    return m;
}

void brz_merge_close(brz_merge *m)
{
    if (m == NULL)
        return;
    for (size_t i = 0; i < m->n; i++)
        free(m->items[i].buffer);
    brz_sorted_inputs_close(&m->inputs);
    brz_loser_tree_finish(&m->tree);
    brz_buf_finish(&m->out);
    free(m->items);
    free(m);
}

/* ---- reading -------------------------------------------------------------------------------- */

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

/* Fills the buffer from a file. Returns false after an error. */
static bool fill(merge_source *s, int fd)
{
    while (s->rest.len < s->cap && s->at < s->input->size) {
        size_t room = s->cap - s->rest.len, left = s->input->size - s->at;
        ssize_t got = pread(fd, s->buffer + s->rest.len, left < room ? left : room, (off_t)s->at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        s->rest.len += (size_t)got;
        s->at += (size_t)got;
    }
    return true;
}

/* Reads more bytes behind the rest. Returns false at the end of the file, or after an error. */
static bool read_more(merge_source *s)
{
    if (s->at == s->input->size || s->rest.len > 2 * BRZ_FOLDED_LONGEST)
        return false;
    make_room(s);
    int fd = s->input->fd >= 0 ? s->input->fd : brz_sorted_input_reopen(s->input);
    bool good = fd >= 0 && fill(s, fd);
    if (fd >= 0 && fd != s->input->fd)
        close(fd);
    return good;
}

/* Fetches the bytes behind a line, which are needed when many lines of other inputs have been
 * taken.
 */
static void prefetch(const char *from)
{
    for (size_t i = 0; i < AHEAD; i += CACHE_LINE)
        __builtin_prefetch(from + i);
}

/* Takes the line behind the present one. Returns false if it is not complete. */
static bool take_line(merge_source *s, brz_player *player, brz_prefix_fn *f)
{
    brz_str rest = brz_str_of(s->rest.data + s->taken, s->rest.len - s->taken);
    brz_str last = brz_str_of(s->rest.data, s->taken == 0 ? 0 : player->stack.len);
    size_t shared = brz_folded_shared(f, last, rest);
    brz_folded_line line;
    if (!brz_folded_next_from(&rest, shared, &line))
        return false;
    prefetch(rest.data);
    player->shared = shared < line.stack.len ? shared : line.stack.len;
    player->stack = line.stack;
    s->count = line.count;
    s->taken = (size_t)(rest.data - line.stack.data);
    s->rest = brz_str_of(line.stack.data, rest.len + s->taken);
    return true;
}

/* Reports how far an input is read, and ends the run if the caller wants that. */
static void report(const brz_merge *m, const merge_source *s)
{
    const brz_request *r = m->pipeline->request;
    size_t done = s->at - s->rest.len + s->taken;
    if (r->progress != NULL &&
        r->progress(r->progress_context, s->input->name, done, s->input->size) != 0)
        atomic_store(&m->pipeline->run->stop, true);
}

/* Advances an input. Returns false if it cannot be read, or if a line is not what it was when it
 * was checked. */
static bool advance(brz_merge *m, uint32_t i)
{
    merge_source *s = &m->items[i];
    brz_player *player = &m->tree.players[i];
    while (!take_line(s, player, m->tree.common_prefix)) {
        player->is_over = s->at == s->input->size && s->taken == s->rest.len;
        if (player->is_over)
            report(m, s);
        if (player->is_over || !read_more(s))
            return player->is_over;
        report(m, s);
    }
    return true;
}

/* ---- merging -------------------------------------------------------------------------------- */

#define OUT_BYTES ((size_t)256 << 10)

static bool flush(brz_merge *m, brz_sink *sink)
{
    bool good = sink->write(sink, m->out.data, m->out.len) == BRZ_OK;
    brz_buf_clear(&m->out);
    return good;
}

/* Writes the counts behind the last stack: both of a comparison, else the sum. */
static void end_line(brz_merge *m)
{
    if (m->open_len == 0)
        return;
    char *start = brz_buf_room(&m->out, (size_t)3 * BRZ_NUMBER_ROOM), *to = start;
    *to++ = ' ';
    to = brz_format_u64(to, m->counts[0]);
    if (m->pipeline->request->compare) {
        *to++ = ' ';
        to = brz_format_u64(to, m->counts[1]);
    }
    *to++ = '\n';
    m->out.len += (size_t)(to - start);
    m->counts[0] = m->counts[1] = 0;
    m->open_len = 0;
}

/* Takes the first stack of all inputs. Returns false if an input has changed. */
static bool merge_line(brz_merge *m, uint32_t i)
{
    const brz_player *player = &m->tree.players[i];
    brz_str stack = player->stack;
    if (player->shared != stack.len || m->open_len != stack.len) {
        end_line(m);
        brz_buf_add(&m->out, stack.data, stack.len);
        m->open_len = stack.len;
    }
    m->counts[m->pipeline->request->compare ? i : 0] += (uint64_t)m->items[i].count;
    bool good = advance(m, i);
    brz_loser_tree_replay(&m->tree);
    return good;
}

/* Merges until the buffer of the output is full, or to the end. */
static bool merge_part(brz_merge *m, bool *is_over)
{
    while (m->out.len < OUT_BYTES) {
        uint32_t i = brz_loser_tree_first(&m->tree);
        *is_over = m->tree.players[i].is_over;
        if (*is_over)
            break;
        if (!merge_line(m, i))
            return false;
    }
    return true;
}

static bool merge_lines(brz_merge *m, brz_sink *sink, bool *is_written)
{
    bool is_over = false;
    for (uint32_t i = 0; i < m->n; i++)
        if (!advance(m, i))
            return false;
    brz_loser_tree_begin(&m->tree);
    while (*is_written && !is_over) {
        if (!merge_part(m, &is_over))
            return false;
        if (is_over)
            end_line(m);
        *is_written = flush(m, sink) && !atomic_load(&m->pipeline->run->stop);
    }
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
