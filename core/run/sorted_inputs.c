/* SPDX-License-Identifier: MIT */
/* Opens inputs whose collapser reads stacks in order. */
#include "run/sorted_inputs.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/read_at.h"
#include "config/config.h"
#include "input/slack.h"
#include "isolate/input_reader.h"
#include "request/run_option.h"

/* Minimum size of all inputs together: opening them here would take longer than a small run. */
#define LEAST_BYTES ((uint64_t)1 << 20)

/* Size of the beginning of an input that shows whether it may be plain. */
#define BEGINNING ((size_t)16 << 10)

/* Number of bytes of it that show its format. */
#define HEAD ((size_t)8 << 10)

/* Descriptors that are left to the rest of the process. */
#define SPARE_DESCRIPTORS 128

/* Number of stacks that are examined at a time. */
#define STACKS ((size_t)64)

/* ---- components ----------------------------------------------------------------------------- */

/* Returns whether counts have no decimals, which the host would have to scale. */
static bool has_whole_counts(const brz_sorted_reader *r)
{
    brz_column_desc d = {.struct_size = sizeof d};
    r->column(&d);
    return d.decimals == 0 && (d.flags & ~BRZ_COLUMN_SAMPLES) == 0;
}

/* Returns the reader of sorted stacks that a collapser offers, or NULL. */
static const brz_sorted_reader *reader_of(const brz_loaded *l)
{
    const brz_collapser *c = l->vtable;
    const brz_sorted_reader *r = c->offer == NULL ? NULL : c->offer(BRZ_SORTED_ID);
    if (r == NULL || r->struct_size < sizeof *r || r->stack_size != sizeof(brz_sorted_stack))
        return NULL;
    if (r->begin != NULL)
        return r->next != NULL && r->is_likely != NULL && (c->flags & BRZ_WHOLE_INPUT) ? r : NULL;
    return r->take != NULL && r->describe != NULL && r->column != NULL && has_whole_counts(r)
               ? r
               : NULL;
}

const brz_sorted_writer *brz_sorted_writer_of(const brz_loaded *l)
{
    const brz_output *o = l->vtable;
    const brz_sorted_writer *w = o->offer == NULL ? NULL : o->offer(BRZ_SORTED_ID);
    return w != NULL && w->struct_size >= sizeof *w && w->put != NULL ? w : NULL;
}

bool brz_has_default_options(const brz_use *use)
{
    for (uint32_t i = 0; i < use->loaded->component->n_options; i++)
        if (use->options->values[i].layer != BRZ_LAYER_DEFAULT)
            return false;
    return true;
}

/* ---- conditions ----------------------------------------------------------------------------- */

static bool has_only_demangling(const brz_transforms *t)
{
    for (size_t i = 0; i < t->n; i++)
        if (brz_transforms_use(t, i) != NULL || strcmp(brz_transforms_name(t, i), "demangle") != 0)
            return false;
    return true;
}

/* Returns whether a run asks for nothing but the sums of stacks. */
static bool is_plain(const brz_pipeline *p)
{
    return p->n_inputs > 0 && brz_run_options_are_plain(p->request) && !p->request->no_map &&
           has_only_demangling(&p->transforms) && p->session->console.verbosity <= 0 &&
           p->collapse_options == NULL;
}

/* Returns whether no option concerns a guessed collapser. */
static bool has_no_options(const brz_pipeline *p, const brz_component *c)
{
    const brz_yaml *options = brz_config_near_section(p->session->config, "options");
    for (size_t i = 0; i < p->request->n_settings; i++)
        if (strcmp(p->request->settings[i].component, c->id) == 0)
            return false;
    return brz_yaml_get(options, c->id) == NULL;
}

/* ---- files ---------------------------------------------------------------------------------- */

/* Notes the size of an input that is a regular file. Opening a pipe would have effects. */
static bool find_input(const brz_input *input, brz_sorted_input *to)
{
    struct stat st;
    if (input->kind != BRZ_INPUT_FILE || input->inside.folder != NULL ||
        strcmp(input->name, "-") == 0 || stat(input->name, &st) != 0 || !S_ISREG(st.st_mode))
        return false;
    to->name = input->name;
    to->size = (uint64_t)st.st_size;
    to->device = (uint64_t)st.st_dev;
    to->inode = (uint64_t)st.st_ino;
    return true;
}

/* Opens the file of an input. Returns a descriptor, or -1 if it is another file by now. */
static int open_file(const brz_sorted_input *i)
{
    struct stat st;
    int fd = open(i->name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && (uint64_t)st.st_dev == i->device &&
        (uint64_t)st.st_ino == i->inode && (uint64_t)st.st_size == i->size)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

/* Returns how many inputs may stay open. */
static size_t open_max(void)
{
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur <= SPARE_DESCRIPTORS)
        return 0;
    return files.rlim_cur < SIZE_MAX ? (size_t)(files.rlim_cur - SPARE_DESCRIPTORS) : SIZE_MAX;
}

/* ---- reading -------------------------------------------------------------------------------- */

/* Reports how far an input was read, and ends the run if the caller wants that. */
static void tell(const brz_sorted_input *i, uint64_t done)
{
    const brz_execution *x = i->all->execution;
    const brz_request *r = x->plan->request;
    if (r->progress == NULL)
        return;
    pthread_mutex_lock(&i->all->telling);
    if (r->progress(r->progress_context, i->name, done, i->size) != 0)
        atomic_store(&x->run->stop, true);
    pthread_mutex_unlock(&i->all->telling);
}

/* Implements brz_sorted_fill_fn. */
static size_t read_file(void *context, char *to, size_t n, bool *is_ended)
{
    brz_sorted_input *i = context;
    uint64_t left = i->size - i->at;
    size_t wanted = left < n ? (size_t)left : n;
    int fd = i->fd >= 0 ? i->fd : open_file(i);
    size_t got = fd < 0 ? 0 : brz_read_at(fd, to, wanted, i->at);
    if (fd >= 0 && fd != i->fd)
        close(fd);
    i->has_changed = fd >= 0 && got != wanted;
    if (got != wanted || brz_execution_is_stopped(i->all->execution))
        return 0;
    i->at += got;
    *is_ended = got == left;
    tell(i, i->at);
    return got;
}

/* Implements brz_sorted_fill_fn. */
static size_t read_stream(void *context, char *to, size_t n, bool *is_ended)
{
    brz_sorted_input *i = context;
    if (i->stream == NULL)
        return 0;
    size_t got = brz_stream_fill(i->stream, (uint8_t *)to, n);
    *is_ended = i->stream->state == BRZ_STREAM_END;
    if (i->stream->state > BRZ_STREAM_END || brz_execution_is_stopped(i->all->execution))
        return 0;
    tell(i, i->file->taken);
    return got;
}

void brz_sorted_input_begin(brz_sorted_input *i)
{
    int fd = brz_sorted_input_is_packed(i) ? open_file(i) : -1;
    if (fd < 0)
        return;
    i->file = brz_stream_of_file(fd);
    i->stream = brz_stream_unpack(i->file, i->packing);
}

brz_sorted_fill_fn *brz_sorted_input_fill(const brz_sorted_input *i)
{
    return brz_sorted_input_is_packed(i) ? read_stream : read_file;
}

void brz_sorted_input_end(brz_sorted_input *i)
{
    brz_sorted_instance_close(&i->samples);
    brz_stream_close(i->stream);
    i->stream = i->file = NULL;
}

/* ---- whole inputs --------------------------------------------------------------------------- */

/* Reads all bytes of an input. Returns false if that fails. */
static bool read_whole(brz_sorted_input *i)
{
    brz_sorted_instance *to = &i->samples;
    brz_sorted_fill_fn *fill = brz_sorted_input_fill(i);
    size_t cap = brz_sorted_input_is_packed(i) ? 4 * (size_t)i->size : (size_t)i->size;
    bool is_ended = false;
    to->memory = brz_slack_buffer(cap += 1);
    while (!is_ended) {
        size_t n =
            fill(i, (char *)to->memory + BRZ_SLACK_FRONT + to->len, cap - to->len, &is_ended);
        to->len += n;
        if (n == 0 && !is_ended)
            return false;
        if (to->len < cap || is_ended)
            continue;
        uint8_t *larger = brz_slack_buffer(cap *= 2);
        memcpy(larger + BRZ_SLACK_FRONT, to->memory + BRZ_SLACK_FRONT, to->len);
        free(to->memory);
        to->memory = larger;
    }
    return true;
}

/* Returns whether an input has the same weight as the others. */
static bool has_same_weight(const brz_sorted_input *i)
{
    brz_sorted_inputs *s = i->all;
    brz_column_desc d = {.struct_size = sizeof d};
    brz_buf own = {0};
    brz_sample_stack_weight(&i->samples.stack, &d);
    brz_buf_printf(&own, "%zu %.*s%.*s", d.name.len, (int)d.name.len, d.name.data, (int)d.unit.len,
                   d.unit.data);
    pthread_mutex_lock(&s->telling);
    if (s->weight.len == 0)
        brz_buf_add(&s->weight, own.data, own.len);
    bool is_same = brz_str_equal(brz_buf_str(&s->weight), brz_buf_str(&own));
    pthread_mutex_unlock(&s->telling);
    brz_buf_finish(&own);
    return is_same;
}

brz_sorted_state brz_sorted_input_load(brz_sorted_input *i)
{
    const brz_execution *x = i->all->execution;
    const brz_use *use = x->plan->guess ? &i->all->use : &x->plan->collapse;
    brz_sorted_input_begin(i);
    if (!read_whole(i))
        return BRZ_SORTED_FAILED;
    if (!brz_sorted_instance_open(&i->samples, x, use, i->all->reader, i->name) ||
        !has_same_weight(i))
        return BRZ_SORTED_NOT_PLAIN;
    return BRZ_SORTED_READING;
}

/* ---- beginnings ----------------------------------------------------------------------------- */

/* The first bytes of an input, with slack around them. */
typedef struct beginning {
    uint8_t *memory, *raw_memory;
    brz_str text;        /* decompressed */
    brz_source_head raw; /* of a compressed file */
} beginning;

static void read_plain(const brz_sorted_input *i, int fd, beginning *b)
{
    size_t wanted = i->size < BEGINNING ? (size_t)i->size : BEGINNING;
    b->text.data = (char *)b->memory + BRZ_SLACK_FRONT;
    b->text.len = brz_read_at(fd, b->memory + BRZ_SLACK_FRONT, wanted, 0);
}

/* Replaces the bytes of a compressed file by those that it contains. */
static void unpack(brz_sorted_input *i, beginning *b)
{
    b->raw =
        (brz_source_head){.memory = b->raw_memory, .n = b->text.len < HEAD ? b->text.len : HEAD};
    b->raw.whole = i->size <= HEAD;
    memcpy(b->raw_memory + BRZ_SLACK_FRONT, b->text.data, b->raw.n);
    brz_sorted_input_begin(i);
    b->text.len =
        i->stream == NULL ? 0 : brz_stream_fill(i->stream, b->memory + BRZ_SLACK_FRONT, BEGINNING);
    i->memory = i->stream == NULL ? 0 : i->stream->memory;
    if (i->stream == NULL || i->stream->state > BRZ_STREAM_END)
        b->text.len = 0;
    brz_sorted_input_end(i);
}

static brz_head head_of(const brz_sorted_input *i, const beginning *b)
{
    const char *slash = strrchr(i->name, '/'), *name = slash == NULL ? i->name : slash + 1;
    bool is_whole = b->text.len <= HEAD, is_packed = brz_sorted_input_is_packed(i);
    brz_head head = {.struct_size = sizeof head,
                     .flags = is_whole ? BRZ_CHUNK_LAST : 0,
                     .data = (const uint8_t *)b->text.data,
                     .len = is_whole ? b->text.len : HEAD,
                     .name = brz_str_of_text(name)};
    head.raw = is_packed ? b->raw.memory + BRZ_SLACK_FRONT : head.data;
    head.raw_len = is_packed ? b->raw.n : head.len;
    return head;
}

/* Returns whether an input with this score is in the format, although it may look foreign. */
static bool is_certain(int32_t score, brz_foreign foreign)
{
    return score >= (foreign == NULL ? BRZ_SNIFF_RECORDS : BRZ_SNIFF_HEADER);
}

/* Returns the collapser of an input that begins like this, if it is certain: otherwise a run may
 * report something. Or NULL. */
static const brz_loaded *collapser_of(const brz_sorted_input *i, const beginning *b)
{
    const brz_pipeline *p = i->all->execution->plan;
    brz_head head = head_of(i, b);
    if (!p->guess) {
        int32_t score = brz_guess_score(p->collapse.loaded, &head, i->name);
        return is_certain(score, brz_guess_foreign(&head)) ? p->collapse.loaded : NULL;
    }
    bool is_packed = brz_sorted_input_is_packed(i);
    brz_guess g = brz_guess_text(p->session->registry, &head, is_packed ? &b->raw : NULL, i->name);
    const brz_loaded *winner =
        g.winner != NULL && is_certain(g.items[0].score, g.foreign) ? g.winner : NULL;
    brz_guess_finish(&g);
    return winner;
}

/* Returns whether the first records of an input are plain, as far as they show that. */
static bool begins_plainly(const brz_sorted_input *i, const beginning *b)
{
    const brz_sorted_reader *reader = i->all->reader;
    brz_str text = b->text;
    if (reader->begin != NULL) {
        brz_head head = head_of(i, b);
        return reader->is_likely(&head);
    }
    brz_sorted_stack stacks[STACKS], last = {.len = 0};
    for (size_t n = STACKS; n == STACKS;) {
        if (!reader->take(&text, last.len > 0 ? &last : NULL, stacks, &n))
            return false;
        if (n > 0)
            last = stacks[n - 1];
    }
    return true;
}

/* Takes the reader that the collapser of the first input offers. The other inputs need the same. */
static bool use_collapser(brz_sorted_inputs *s, const brz_loaded *l)
{
    const brz_execution *x = s->execution;
    if (l == NULL || s->collapser != NULL)
        return l != NULL && l == s->collapser;
    s->collapser = l;
    s->reader = has_no_options(x->plan, l->component) ? reader_of(l) : NULL;
    if (s->reader == NULL || s->reader->begin == NULL || !x->plan->guess)
        return s->reader != NULL;
    brz_resolver r = brz_execution_resolver(x);
    r.trusting = true;
    return brz_resolve_loaded(&r, l, NULL, NULL, &s->use);
}

/* Returns about how much memory a whole input takes: the file, which may be compressed well, its
 * tables and frames. */
static size_t whole_memory(const brz_sorted_input *i)
{
    uint64_t memory = (brz_sorted_input_is_packed(i) ? 12 : 3) * i->size;
    return memory < SIZE_MAX / 4 ? (size_t)memory : SIZE_MAX / 4;
}

/* Checks the beginning of an input. */
static bool begins_well(brz_sorted_input *i, int fd, beginning *b)
{
    brz_sorted_inputs *s = i->all;
    read_plain(i, fd, b);
    i->packing = brz_packing_of((const uint8_t *)b->text.data, b->text.len);
    if (brz_sorted_input_is_packed(i))
        unpack(i, b);
    if (b->text.len == 0 || !use_collapser(s, collapser_of(i, b)))
        return false;
    i->is_whole = s->reader->begin != NULL;
    if (i->is_whole)
        i->memory += whole_memory(i);
    s->n_expensive += brz_sorted_input_is_expensive(i);
    return begins_plainly(i, b);
}

static bool check_all(brz_sorted_inputs *s)
{
    beginning b = {.memory = brz_slack_buffer(BEGINNING), .raw_memory = brz_slack_buffer(HEAD)};
    bool is_good = true;
    for (size_t k = 0; k < s->n && is_good; k++) {
        brz_sorted_input *i = &s->items[k];
        int fd = open_file(i);
        is_good = fd >= 0 && !brz_execution_is_stopped(s->execution) && begins_well(i, fd, &b);
        if (is_good && k < s->n_open && !brz_sorted_input_is_packed(i))
            i->fd = fd;
        else if (fd >= 0)
            close(fd);
    }
    free(b.memory);
    free(b.raw_memory);
    return is_good;
}

/* ---- all inputs ----------------------------------------------------------------------------- */

bool brz_sorted_inputs_open(brz_sorted_inputs *s, const brz_execution *x)
{
    const brz_pipeline *p = x->plan;
    uint64_t total = 0;
    *s =
        (brz_sorted_inputs){.execution = x, .n = p->n_inputs, .telling = PTHREAD_MUTEX_INITIALIZER};
    if (!is_plain(p) || (!p->guess && (reader_of(p->collapse.loaded) == NULL ||
                                       !brz_has_default_options(&p->collapse))))
        return false;
    s->items = brz_calloc(s->n, sizeof *s->items);
    for (size_t k = 0; k < s->n; k++)
        s->items[k] = (brz_sorted_input){.all = s, .fd = -1};
    for (size_t k = 0; k < s->n; k++) {
        if (!find_input(&p->inputs[k], &s->items[k]))
            return false;
        total += s->items[k].size;
    }
    if (total < LEAST_BYTES)
        return false;
    s->n_open = open_max();
    return check_all(s);
}

bool brz_sorted_inputs_say_changed(const brz_sorted_inputs *s)
{
    for (size_t k = 0; k < s->n; k++) {
        if (!s->items[k].has_changed)
            continue;
        brz_say_code(brz_execution_console(s->execution), BRZ_FATAL, BRZ_SAYS_READ,
                     "%s: cannot be read: %s", s->items[k].name, BRZ_BECAME_SHORTER);
        return true;
    }
    return false;
}

void brz_sorted_inputs_close(brz_sorted_inputs *s)
{
    for (size_t k = 0; k < s->n && s->items != NULL; k++) {
        brz_sorted_input_end(&s->items[k]);
        if (s->items[k].fd >= 0)
            close(s->items[k].fd);
    }
    free(s->items);
    brz_use_finish(&s->use);
    brz_buf_finish(&s->weight);
    *s = (brz_sorted_inputs){0};
}
