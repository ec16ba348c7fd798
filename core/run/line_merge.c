/* Adds up plain folded texts line by line. */
#include "run/line_merge.h"

#include <stdlib.h>
#include <string.h>

#include <brazier/digits.h>

#include "base/mem.h"
#include "run/folded_lines.h"

/* Number of bytes behind a line that are fetched into the cache. */
#define AHEAD      ((size_t)512)
#define CACHE_LINE ((size_t)64)

#define OUT_BYTES ((size_t)256 << 10)

/* ---- life cycle ----------------------------------------------------------------------------- */

void brz_line_merge_init(brz_line_merge *m, uint32_t n)
{
    *m = (brz_line_merge){.n = n, .most = UINT64_MAX};
    m->texts = brz_calloc(n, sizeof *m->texts);
    brz_loser_tree_init(&m->tree, n);
}

void brz_line_merge_add(brz_line_merge *m, uint32_t i, brz_str text)
{
    m->texts[i] = (brz_line_text){.rest = text, .at = text.len, .is_ended = true};
}

void brz_line_merge_add_read(brz_line_merge *m, uint32_t i, size_t size)
{
    char *buffer = brz_malloc(size);
    m->texts[i] = (brz_line_text){.rest = brz_str_of(buffer, 0), .buffer = buffer, .cap = size};
}

void brz_line_merge_finish(brz_line_merge *m)
{
    for (uint32_t i = 0; i < m->n; i++)
        free(m->texts[i].buffer);
    free(m->texts);
    brz_loser_tree_finish(&m->tree);
    brz_buf_finish(&m->out);
    *m = (brz_line_merge){.n = 0};
}

/* ---- reading -------------------------------------------------------------------------------- */

/* Moves the rest to the beginning of the buffer, which grows if it is full. */
static void make_room(brz_line_text *s)
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

/* Checks the whole lines behind the present one, whose stack is `before`. All of them were read
 * just now: a text is read only if it has no other whole line. */
static bool check_lines(brz_line_merge *m, const brz_line_text *s, brz_str before)
{
    brz_str text = brz_str_of(s->rest.data + s->taken, s->rest.len - s->taken);
    const char *end = text.len == 0 ? NULL : memrchr(text.data, '\n', text.len);
    brz_folded_totals totals = {0};
    text.len = end == NULL ? 0 : (size_t)(end + 1 - text.data);
    return brz_folded_check(&text, &before, &totals) &&
           !__builtin_add_overflow(m->sum, totals.count, &m->sum);
}

/* Reads more bytes behind the rest. Returns false at the end of the text, after an error, or if the
 * merge is to end: much may be read before anything is written. */
static bool read_more(brz_line_merge *m, uint32_t i)
{
    brz_line_text *s = &m->texts[i];
    const brz_player *player = &m->tree.players[i];
    if (s->is_ended || s->rest.len > 2 * BRZ_FOLDED_LONGEST || atomic_load(m->stop))
        return false;
    make_room(s);
    size_t n = m->reader.read(m->reader.context, i, s->buffer + s->rest.len, s->cap - s->rest.len,
                              &s->is_ended);
    s->rest.len += n;
    s->at += n;
    return (n > 0 || s->is_ended) &&
           (!m->checks ||
            check_lines(m, s, brz_str_of(s->rest.data, s->taken == 0 ? 0 : player->stack.len)));
}

/* Fetches the bytes behind a line, which are needed when many lines of other texts have been
 * taken.
 */
static void prefetch(const char *from)
{
    for (size_t i = 0; i < AHEAD; i += CACHE_LINE)
        __builtin_prefetch(from + i);
}

/* Takes the line behind the present one. Returns false if it is not complete. */
static bool take_line(brz_line_text *s, brz_player *player, brz_prefix_fn *f)
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

static void tell(const brz_line_merge *m, uint32_t i)
{
    const brz_line_text *s = &m->texts[i];
    if (m->reader.tell != NULL)
        m->reader.tell(m->reader.context, i, s->at - s->rest.len + s->taken);
}

/* Advances a text. Returns false if it cannot be read, or if a line is not what it should be. */
static bool advance(brz_line_merge *m, uint32_t i)
{
    brz_line_text *s = &m->texts[i];
    brz_player *player = &m->tree.players[i];
    while (!take_line(s, player, m->tree.common_prefix)) {
        player->is_over = s->is_ended && s->taken == s->rest.len;
        if (player->is_over)
            tell(m, i);
        if (player->is_over || !read_more(m, i))
            return player->is_over;
        tell(m, i);
    }
    return true;
}

/* ---- writing -------------------------------------------------------------------------------- */

static bool flush(brz_line_merge *m, brz_sink *sink)
{
    bool good = sink->write(sink, m->out.data, m->out.len) == BRZ_OK;
    brz_buf_clear(&m->out);
    return good;
}

/* Writes the counts behind the last stack: both of a comparison, else the sum. Returns false if it
 * is too large. */
static bool end_line(brz_line_merge *m)
{
    if (m->open_len == 0)
        return true;
    char *start = brz_buf_room(&m->out, (size_t)3 * BRZ_NUMBER_ROOM), *to = start;
    bool fits = m->counts[0] <= m->most;
    *to++ = ' ';
    to = brz_format_u64(to, m->counts[0]);
    if (m->compares) {
        *to++ = ' ';
        to = brz_format_u64(to, m->counts[1]);
    }
    *to++ = '\n';
    m->out.len += (size_t)(to - start);
    m->counts[0] = m->counts[1] = 0;
    m->open_len = 0;
    return fits;
}

/* Takes the first stack of all texts. */
static bool merge_line(brz_line_merge *m, uint32_t i)
{
    const brz_player *player = &m->tree.players[i];
    brz_str stack = player->stack;
    if (player->shared != stack.len || m->open_len != stack.len) {
        if (!end_line(m))
            return false;
        brz_buf_add(&m->out, stack.data, stack.len);
        m->open_len = stack.len;
    }
    m->counts[m->compares ? i : 0] += (uint64_t)m->texts[i].count;
    bool good = advance(m, i);
    brz_loser_tree_replay(&m->tree);
    return good;
}

/* Merges until the buffer of the output is full, or to the end. */
static bool merge_part(brz_line_merge *m, bool *is_over)
{
    while (m->out.len < OUT_BYTES) {
        uint32_t i = brz_loser_tree_first(&m->tree);
        *is_over = m->tree.players[i].is_over;
        if (*is_over)
            return end_line(m);
        if (!merge_line(m, i))
            return false;
    }
    return true;
}

bool brz_line_merge_write(brz_line_merge *m, brz_sink *sink, bool *is_written)
{
    bool is_over = false;
    for (uint32_t i = 0; i < m->n; i++)
        if (!advance(m, i))
            return false;
    brz_loser_tree_begin(&m->tree);
    while (*is_written && !is_over) {
        if (!merge_part(m, &is_over))
            return false;
        *is_written = flush(m, sink) && !atomic_load(m->stop);
    }
    return true;
}
