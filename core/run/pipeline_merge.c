/* Adds up files of sorted folded text line by line, or compares two of them.
 *
 * Such a run needs no profile: the lines of its output are those of the inputs, in the same order,
 * with sums of counts, or with the counts of both. That takes little memory, and a fraction of the
 * time. A first pass checks all inputs, so that the second one, which writes, cannot find that a
 * profile would be necessary.
 *
 * This is the only code of the host that knows a format. It is used only for the shipped components
 * "folded", whose result it reproduces byte by byte.
 */
#include "run/pipeline_merge.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "input/slack.h"
#include "isolate/input_reader.h"
#include "run/config.h"
#include "run/folded_lines.h"

/* Maximum number of inputs: each line is compared with those of all inputs. */
#define MOST_INPUTS 64

/* Minimum size of all inputs together: the checks would take longer than a small run. */
#define LEAST_BYTES ((uint64_t)1 << 20)

/* Size of the buffer of an input; a longer line is not plain. */
#define BUFFER ((size_t)128 << 10)

typedef struct merge_input {
    const char *name;
    int fd;
    uint64_t size, at; /* bytes of the file, and of it that were read */
    uint8_t *memory;   /* the buffer, with slack around it */
    brz_str rest;      /* bytes of the buffer that were not parsed */
    brz_folded_line line;
    bool is_over;
    bool is_cut; /* the file has become shorter */
} merge_input;

struct brz_sorted_inputs {
    merge_input *items;
    size_t n;
    brz_pipeline *pipeline;
    brz_buf out;
    uint64_t total; /* bytes of all inputs */
};

/* ---- conditions --------------------------------------------------------------------------------
 */

static bool is_shipped_folded(const brz_pipeline *p, const brz_loaded *l)
{
    return strcmp(l->component->id, "folded") == 0 &&
           brz_registry_tier_of_file(p->session->registry, l->path) == BRZ_TIER_SHIPPED;
}

static bool has_only_demangling(const brz_transforms *t)
{
    for (size_t i = 0; i < t->n; i++)
        if (strcmp(brz_transforms_name(t, i), "demangle") != 0)
            return false;
    return true;
}

/* Returns whether the request asks for no comparison, or for nothing but both counts. */
static bool compares_counts(const brz_request *r)
{
    return !r->compare ||
           (r->n_inputs == 2 && r->normalize == BRZ_NORMALIZE_NO &&
            r->base_on == BRZ_BASE_ON_AFTER && r->deltas == BRZ_DELTAS_TOTAL && !r->negate);
}

/* Returns whether the request asks for nothing but the counts of its inputs. */
static bool wants_counts(const brz_pipeline *p)
{
    const brz_request *r = p->request;
    const brz_selection *s = &p->selection;
    return compares_counts(r) && r->time == BRZ_TIME_MERGED && r->weight == NULL &&
           r->isolate <= 0 && !r->no_map && r->chunk_size == 0 && r->range_size == 0 &&
           r->split_by == NULL && r->n_settings == 0 && p->palette_map == NULL && s->n_by == 0 &&
           s->n_only == 0 && !s->has_time && has_only_demangling(&p->transforms) &&
           r->detail == BRZ_DETAIL_FUNCTIONS && r->quality < BRZ_QUALITY_TEXT &&
           p->session->console.verbosity <= 0;
}

/* Returns whether the components are those for folded text, without options. */
static bool has_folded_components(const brz_pipeline *p)
{
    const brz_yaml *options = brz_config_near_section(p->session->config, "options");
    return p->n_outputs == 1 && is_shipped_folded(p, p->outputs[0].use.loaded) &&
           brz_yaml_get(options, "folded") == NULL && p->collapse_options == NULL &&
           (p->guess || is_shipped_folded(p, p->collapse.loaded));
}

/* ---- opening -----------------------------------------------------------------------------------
 */

/* Opens an input that is a regular file. */
static bool open_input(const brz_input *input, merge_input *to)
{
    struct stat st;
    to->name = input->name;
    if (input->kind != BRZ_INPUT_FILE || input->inside.folder != NULL ||
        strcmp(input->name, "-") == 0 || stat(input->name, &st) != 0 || !S_ISREG(st.st_mode))
        return false; /* opening a pipe has effects */
    to->fd = open(input->name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (to->fd < 0 || fstat(to->fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_size == 0)
        return false;
    to->size = (uint64_t)st.st_size;
    to->memory = brz_slack_buffer(BUFFER);
    return true;
}

static bool open_all(brz_sorted_inputs *s)
{
    for (size_t i = 0; i < s->n; i++) {
        if (!open_input(&s->pipeline->inputs[i], &s->items[i]))
            return false;
        s->total += s->items[i].size;
    }
    return s->total >= LEAST_BYTES;
}

/* ---- checking ----------------------------------------------------------------------------------
 */

/* Fills the buffer behind the rest, which becomes its beginning. Returns false if the file cannot
 * be read as far as it should be. */
static bool fill(merge_input *i)
{
    char *buffer = (char *)i->memory + BRZ_SLACK_FRONT;
    if (i->rest.len > 0)
        memmove(buffer, i->rest.data, i->rest.len);
    i->rest.data = buffer;
    while (i->rest.len < BUFFER && i->at < i->size) {
        uint64_t left = i->size - i->at;
        size_t room = BUFFER - i->rest.len, wanted = left < room ? (size_t)left : room;
        ssize_t got = pread(i->fd, buffer + i->rest.len, wanted, (off_t)i->at);
        if (got < 0 && errno == EINTR)
            continue;
        i->is_cut = got == 0;
        if (got <= 0)
            return false;
        i->rest.len += (size_t)got;
        i->at += (uint64_t)got;
    }
    return true;
}

/* Returns to the beginning of an input. */
static void rewind_input(merge_input *i)
{
    i->at = 0;
    i->rest = BRZ_STR("");
}

/* Checks the complete lines in the buffer. */
static bool check_buffer(merge_input *i, brz_str *before)
{
    const char *end = i->rest.len == 0 ? NULL : memrchr(i->rest.data, '\n', i->rest.len);
    if (end == NULL)
        return false;
    size_t n = (size_t)(end + 1 - i->rest.data);
    brz_str lines = brz_str_of(i->rest.data, n);
    i->rest = brz_str_of(end + 1, i->rest.len - n);
    return brz_folded_check(&lines, before);
}

/* Checks all lines of an input, and returns to its beginning. */
static bool is_plain(const brz_sorted_inputs *s, merge_input *i)
{
    brz_buf kept = {0};
    brz_str before = BRZ_STR("");
    bool good = true;
    while (good && (i->at < i->size || i->rest.len > 0)) {
        good = !atomic_load(&s->pipeline->run->stop) && fill(i) && check_buffer(i, &before);
        brz_buf_clear(&kept);
        brz_buf_add_str(&kept, before); /* the buffer is about to change */
        before = brz_buf_str(&kept);
    }
    brz_buf_finish(&kept);
    rewind_input(i);
    return good;
}

/* ---- formats -----------------------------------------------------------------------------------
 */

/* Returns whether guessing finds folded text. */
static bool is_guessed(brz_pipeline *p, const brz_input *input)
{
    brz_guess g;
    const brz_reading reading = {.registry = p->session->registry, .run = p->run, .input = input};
    if (!brz_local_reader.guess(&reading, &g))
        return false;
    bool good = g.winner != NULL && g.foreign == NULL && is_shipped_folded(p, g.winner);
    brz_guess_finish(&g);
    return good;
}

/* Returns whether the named collapser is sure, so that a run asks no other one. */
static bool is_sure(const brz_pipeline *p, merge_input *i)
{
    if (!fill(i))
        return false;
    const char *slash = strrchr(i->name, '/'), *name = slash == NULL ? i->name : slash + 1;
    bool is_whole = i->at == i->size && i->rest.len <= BRZ_HEAD_SIZE;
    brz_head head = {.struct_size = sizeof head,
                     .flags = is_whole ? BRZ_CHUNK_LAST : 0,
                     .data = (const uint8_t *)i->rest.data,
                     .len = i->rest.len < BRZ_HEAD_SIZE ? i->rest.len : BRZ_HEAD_SIZE,
                     .name = brz_str_of(name, strlen(name))};
    head.raw = head.data;
    head.raw_len = head.len;
    return brz_guess_score(p->collapse.loaded, &head, i->name) >= BRZ_SNIFF_RECORDS &&
           brz_guess_foreign(&head) == NULL;
}

/* Returns whether the input is certainly folded text: otherwise a run may report something. */
static bool is_recognised(const brz_sorted_inputs *s, size_t i)
{
    brz_pipeline *p = s->pipeline;
    return p->guess ? is_guessed(p, &p->inputs[i]) : is_sure(p, &s->items[i]);
}

static bool are_plain(const brz_sorted_inputs *s)
{
    for (size_t i = 0; i < s->n; i++)
        if (!is_plain(s, &s->items[i]) || !is_recognised(s, i))
            return false;
    return true;
}

brz_sorted_inputs *brz_sorted_inputs_open(brz_pipeline *p)
{
    if (p->n_inputs == 0 || p->n_inputs > MOST_INPUTS || !wants_counts(p) ||
        !has_folded_components(p))
        return NULL;
    brz_sorted_inputs *s = brz_calloc(1, sizeof *s);
    s->pipeline = p;
    s->n = p->n_inputs;
    s->items = brz_calloc(s->n, sizeof *s->items);
    for (size_t i = 0; i < s->n; i++)
        s->items[i].fd = -1;
    if (open_all(s) && are_plain(s))
        return s;
    brz_sorted_inputs_close(s);
    return NULL;
}

void brz_sorted_inputs_close(brz_sorted_inputs *s)
{
    if (s == NULL)
        return;
    for (size_t i = 0; i < s->n; i++) {
        free(s->items[i].memory);
        if (s->items[i].fd >= 0)
            close(s->items[i].fd);
    }
    brz_buf_finish(&s->out);
    free(s->items);
    free(s);
}

/* ---- merging -----------------------------------------------------------------------------------
 */

#define OUT_BYTES ((size_t)256 << 10)

/* Advances an input. Returns false if it cannot be read, or if a line is not what it was when it
 * was checked. */
static bool advance(merge_input *i)
{
    bool is_parsed = brz_folded_next(&i->rest, &i->line);
    if (!is_parsed && i->at < i->size)
        is_parsed = fill(i) && brz_folded_next(&i->rest, &i->line);
    i->is_over = !is_parsed && i->at == i->size && i->rest.len == 0;
    return is_parsed || i->is_over;
}

/* Finds the inputs whose next stack is the first one. Returns their number. */
static size_t find_first(const brz_sorted_inputs *s, uint32_t *first)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++) {
        const merge_input *x = &s->items[i];
        if (x->is_over)
            continue;
        int d = n == 0 ? -1 : brz_folded_compare(x->line.stack, s->items[first[0]].line.stack);
        if (d < 0)
            n = 0;
        if (d <= 0)
            first[n++] = (uint32_t)i;
    }
    return n;
}

static void put_count(brz_buf *b, int64_t count)
{
    char digits[24];
    size_t at = sizeof digits;
    for (uint64_t v = (uint64_t)count; at == sizeof digits || v > 0; v /= 10)
        digits[--at] = (char)('0' + v % 10);
    digits[--at] = ' ';
    brz_buf_add(b, digits + at, sizeof digits - at);
}

static bool flush(brz_sorted_inputs *s, brz_sink *sink)
{
    bool good = sink->write(sink, s->out.data, s->out.len) == BRZ_OK;
    brz_buf_clear(&s->out);
    return good;
}

/* Reports the progress of each input. Returns false if the run is to end. */
static bool tell(const brz_sorted_inputs *s)
{
    const brz_request *r = s->pipeline->request;
    for (size_t i = 0; i < s->n && r->progress != NULL; i++) {
        const merge_input *x = &s->items[i];
        if (r->progress(r->progress_context, x->name, x->at - x->rest.len, x->size) != 0)
            atomic_store(&s->pipeline->run->stop, true);
    }
    return !atomic_load(&s->pipeline->run->stop);
}

/* Writes the counts of the inputs that have the next stack: both of a comparison, else the sum. */
static void put_counts(brz_sorted_inputs *s, const uint32_t *first, size_t n)
{
    int64_t counts[2] = {0, 0};
    bool compares = s->pipeline->request->compare;
    for (size_t i = 0; i < n; i++)
        counts[compares ? first[i] : 0] += s->items[first[i]].line.count;
    put_count(&s->out, counts[0]);
    if (compares)
        put_count(&s->out, counts[1]);
}

/* Writes the next line. Returns false if an input has changed. */
static bool merge_line(brz_sorted_inputs *s, const uint32_t *first, size_t n)
{
    brz_buf_add_str(&s->out, s->items[first[0]].line.stack);
    put_counts(s, first, n);
    brz_buf_add_char(&s->out, '\n');
    for (size_t i = 0; i < n; i++)
        if (!advance(&s->items[first[i]]))
            return false;
    return true;
}

static bool merge_lines(brz_sorted_inputs *s, brz_sink *sink, bool *is_written)
{
    uint32_t first[MOST_INPUTS];
    size_t n;
    for (size_t i = 0; i < s->n; i++)
        if (!advance(&s->items[i]))
            return false;
    while (*is_written && (n = find_first(s, first)) > 0) {
        if (!merge_line(s, first, n))
            return false;
        if (s->out.len >= OUT_BYTES)
            *is_written = flush(s, sink) && tell(s);
    }
    *is_written = *is_written && flush(s, sink) && tell(s);
    return true;
}

/* Returns the name of an input that has become shorter, or NULL. */
static const char *find_cut(const brz_sorted_inputs *s)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->items[i].is_cut)
            return s->items[i].name;
    return NULL;
}

bool brz_sorted_inputs_write(brz_sorted_inputs *s, brz_sink *sink)
{
    brz_console *console = &s->pipeline->session->console;
    bool is_written = true, is_good = merge_lines(s, sink, &is_written);
    const char *cut = find_cut(s);
    if (cut != NULL)
        brz_say_code(console, BRZ_FATAL, BRZ_SAYS_READ, "%s: cannot be read: %s", cut,
                     BRZ_BECAME_SHORTER);
    else if (!is_good)
        brz_say_code(console, BRZ_FATAL, BRZ_SAYS_READ, "an input changed while it was read");
    return is_written && is_good && cut == NULL;
}
