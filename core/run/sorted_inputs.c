/* Opens inputs that are plain folded text.
 *
 * This is the only room of the host that knows a format. It is used only for the shipped components
 * "folded", whose result it reproduces byte by byte.
 */
#include "run/sorted_inputs.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/read_at.h"
#include "input/slack.h"
#include "isolate/input_reader.h"
#include "config/config.h"
#include "request/run_option.h"

/* Minimum size of all inputs together: the checks would take longer than a small run. */
#define LEAST_BYTES ((uint64_t)1 << 20)

/* Size of the parts of inputs that a thread checks at a time. */
#define PART ((size_t)256 << 10)

/* Size of the beginning of an input that is checked before all of it is divided, which costs a page
 * fault per part: most other texts are not plain from the beginning. */
#define BEGINNING ((size_t)16 << 10)

/* Number of inputs that are checked at a time. */
#define CHECKED ((size_t)64)

/* Inputs up to this size stay in memory after they have been checked. */
#define KEPT_BYTES ((uint64_t)32 << 20)

/* ---- conditions ----------------------------------------------------------------------------- */

bool brz_is_shipped_folded(const brz_pipeline *p, const brz_loaded *l)
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

/* Returns whether no option concerns the collapser. */
static bool has_no_options(const brz_pipeline *p)
{
    const brz_yaml *options = brz_config_near_section(p->session->config, "options");
    return brz_yaml_get(options, "folded") == NULL && p->collapse_options == NULL &&
           (p->guess || brz_is_shipped_folded(p, p->collapse.loaded));
}

bool brz_sorted_inputs_suffice(const brz_pipeline *p)
{
    return p->n_inputs > 0 && brz_run_options_are_plain(p->request) && !p->request->no_map &&
           has_only_demangling(&p->transforms) && p->session->console.verbosity <= 0 &&
           has_no_options(p);
}

/* ---- opening -------------------------------------------------------------------------------- */

/* Notes the size of an input that is a regular file. Opening a pipe would have effects. */
static bool find_input(const brz_input *input, brz_sorted_input *to)
{
    struct stat st;
    to->name = input->name;
    if (input->kind != BRZ_INPUT_FILE || input->inside.folder != NULL ||
        strcmp(input->name, "-") == 0 || stat(input->name, &st) != 0 || !S_ISREG(st.st_mode) ||
        (uint64_t)st.st_size > SIZE_MAX)
        return false;
    to->size = (size_t)st.st_size;
    to->device = (uint64_t)st.st_dev;
    to->inode = (uint64_t)st.st_ino;
    return true;
}

/* Returns how many inputs may stay open while others are checked. */
static size_t open_max(void)
{
    struct rlimit files;
    rlim_t spare = BRZ_SORTED_INPUTS_SPARE + CHECKED;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur <= spare)
        return 0;
    return files.rlim_cur - spare < SIZE_MAX ? (size_t)(files.rlim_cur - spare) : SIZE_MAX;
}

static bool find_all(brz_sorted_inputs *s, const brz_pipeline *p)
{
    for (size_t i = 0; i < s->n; i++) {
        if (!find_input(&p->inputs[i], &s->items[i]))
            return false;
        s->total += s->items[i].size;
    }
    s->n_open = open_max();
    s->is_large = s->total > KEPT_BYTES || s->n > BRZ_SORTED_INPUTS_MAPPED;
    return s->total >= LEAST_BYTES;
}

int brz_sorted_input_reopen(const brz_sorted_input *i)
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

/* Opens an input, unless it is open. */
static bool open_input(brz_sorted_input *i)
{
    if (i->fd < 0)
        i->fd = brz_sorted_input_reopen(i);
    return i->fd >= 0;
}

static bool map_input(brz_sorted_input *i)
{
    if (!open_input(i) || !brz_mapping_init(&i->file, i->fd, i->size))
        return false;
    i->text = brz_str_of((const char *)i->file.data, i->file.len);
    return true;
}

static void unmap_input(brz_sorted_input *i)
{
    brz_mapping_finish(&i->file);
    i->file = (brz_mapping){0};
    i->text = BRZ_STR("");
}

static void close_input(brz_sorted_input *i)
{
    unmap_input(i);
    if (i->fd >= 0)
        close(i->fd);
    i->fd = -1;
}

/* ---- formats -------------------------------------------------------------------------------- */

/* Returns whether guessing finds folded text. */
static bool is_guessed(const brz_pipeline *p, const char *input, const brz_head *head,
                       const brz_source_head *raw)
{
    brz_guess g = brz_guess_text(p->session->registry, head, raw, input);
    bool good = g.winner != NULL && g.foreign == NULL && brz_is_shipped_folded(p, g.winner);
    brz_guess_finish(&g);
    return good;
}

bool brz_sorted_input_is_recognised(const brz_sorted_input *i, const brz_pipeline *p, brz_str text,
                                    const brz_source_head *raw)
{
    const char *slash = strrchr(i->name, '/'), *name = slash == NULL ? i->name : slash + 1;
    bool is_whole = text.len <= BRZ_SORTED_INPUTS_HEAD;
    brz_head head = {.struct_size = sizeof head,
                     .flags = is_whole ? BRZ_CHUNK_LAST : 0,
                     .data = (const uint8_t *)text.data,
                     .len = is_whole ? text.len : BRZ_SORTED_INPUTS_HEAD,
                     .name = brz_str_of(name, strlen(name))};
    head.raw = raw == NULL ? head.data : raw->memory + BRZ_SLACK_FRONT;
    head.raw_len = raw == NULL ? head.len : raw->n;
    if (p->guess)
        return is_guessed(p, i->name, &head, raw);
    return brz_guess_score(p->collapse.loaded, &head, i->name) >= BRZ_SNIFF_RECORDS &&
           brz_guess_foreign(&head) == NULL;
}

/* Returns whether inputs, from one to another, are recognised. */
static bool are_recognised(const brz_sorted_inputs *s, const brz_pipeline *p, size_t from,
                           size_t to)
{
    for (size_t i = from; i < to; i++) {
        const brz_sorted_input *x = &s->items[i];
        if (x->packing == BRZ_PACKED_NOT && !x->is_recognised &&
            !brz_sorted_input_is_recognised(x, p, x->text, NULL))
            return false;
    }
    return true;
}

/* ---- checking ------------------------------------------------------------------------------- */

/* A longer line is left to the whole check. */
bool brz_sorted_input_begins_plainly(brz_str text)
{
    size_t most = text.len < BEGINNING ? text.len : BEGINNING;
    const char *end = memrchr(text.data, '\n', most);
    return end == NULL || brz_folded_is_plain(brz_str_of(text.data, (size_t)(end + 1 - text.data)));
}

/* Returns whether an open input is compressed, and notes that. */
static bool is_packed(brz_sorted_inputs *s, brz_sorted_input *x)
{
    if (s->unpacks)
        x->packing = brz_packing_of((const uint8_t *)x->text.data, x->text.len);
    s->n_packed += x->packing != BRZ_PACKED_NOT;
    return x->packing != BRZ_PACKED_NOT;
}

/* Opens the inputs from one on, before another one, and appends their parts. */
static bool open_part(brz_sorted_inputs *s, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        brz_sorted_input *x = &s->items[i];
        if (!map_input(x))
            return false;
        if (is_packed(s, x)) {
            close_input(x);
            continue;
        }
        if (!brz_sorted_input_begins_plainly(x->text) ||
            !brz_folded_parts_add(&s->parts, x->text, PART))
            return false;
        if (s->is_large)
            brz_mapping_drop(x->text.data, x->text.len);
    }
    return true;
}

/* Adds up the counts of the parts from one on. Returns false if the sum is too large. */
static bool add_counts(const brz_folded_parts *parts, size_t first, uint64_t *sum)
{
    for (size_t i = first; i < parts->n; i++)
        if (__builtin_add_overflow(*sum, parts->items[i].totals.count, sum) || *sum > INT64_MAX)
            return false;
    return true;
}

/* Releases the memory of inputs that have been checked: closes them, or gives back their pages. */
static void leave_part(brz_sorted_inputs *s, size_t from, size_t to)
{
    bool unmaps = s->n > BRZ_SORTED_INPUTS_MAPPED;
    for (size_t i = from; i < to && s->is_large; i++) {
        brz_sorted_input *x = &s->items[i];
        if (!unmaps)
            brz_mapping_drop(x->text.data, x->text.len);
        else if (i < s->n_open)
            unmap_input(x);
        else
            close_input(x);
    }
    if (unmaps)
        s->parts.n = 0;
}

bool brz_sorted_inputs_check(brz_sorted_inputs *s, const brz_execution *x, bool unpacks)
{
    const brz_pipeline *p = x->plan;
    bool is_good = true;
    size_t threads = brz_request_threads(p->request), first = 0;
    s->unpacks = unpacks;
    s->parts.drops = s->is_large;
    for (size_t at = 0, end; is_good && at < s->n; at = end) {
        end = at + CHECKED < s->n ? at + CHECKED : s->n;
        is_good = open_part(s, at, end) &&
                  brz_folded_parts_check(&s->parts, first, threads, &x->run->stop) &&
                  add_counts(&s->parts, first, &s->count) && are_recognised(s, p, at, end);
        leave_part(s, at, end);
        first = s->parts.n;
    }
    return is_good;
}

/* Checks the beginning of an open input, which it reads into a buffer of BEGINNING bytes. */
static bool begins_well(const brz_sorted_input *x, const brz_pipeline *p, uint8_t *buffer)
{
    size_t wanted = x->size < BEGINNING ? x->size : BEGINNING;
    brz_str text = brz_str_of((const char *)buffer, wanted);
    return brz_read_at(x->fd, buffer, wanted, 0) == wanted &&
           brz_packing_of(buffer, wanted) == BRZ_PACKED_NOT &&
           brz_sorted_input_begins_plainly(text) &&
           brz_sorted_input_is_recognised(x, p, text, NULL);
}

bool brz_sorted_inputs_begin(brz_sorted_inputs *s, const brz_pipeline *p)
{
    uint8_t *memory = brz_slack_buffer(BEGINNING);
    bool is_good = true;
    for (size_t i = 0; i < s->n && is_good; i++) {
        brz_sorted_input *x = &s->items[i];
        is_good = open_input(x) && begins_well(x, p, memory + BRZ_SLACK_FRONT);
        x->is_recognised = is_good;
        if (i >= s->n_open)
            close_input(x);
    }
    free(memory);
    return is_good;
}

bool brz_sorted_inputs_find(brz_sorted_inputs *s, const brz_pipeline *p)
{
    *s = (brz_sorted_inputs){.n = p->n_inputs};
    s->items = brz_calloc(s->n, sizeof *s->items);
    for (size_t i = 0; i < s->n; i++)
        s->items[i].fd = s->items[i].scratch = -1;
    return find_all(s, p);
}

bool brz_sorted_inputs_open(brz_sorted_inputs *s, const brz_execution *x)
{
    return brz_sorted_inputs_find(s, x->plan) && brz_sorted_inputs_check(s, x, false);
}

bool brz_sorted_inputs_are_whole(const brz_sorted_inputs *s, brz_console *console)
{
    for (size_t i = 0; i < s->n; i++) {
        const brz_sorted_input *x = &s->items[i];
        if (x->file.data == NULL || !brz_mapping_is_cut(&x->file, x->fd))
            continue;
        brz_say_code(console, BRZ_FATAL, BRZ_SAYS_READ, "%s: cannot be read: %s", x->name,
                     BRZ_BECAME_SHORTER);
        return false;
    }
    return true;
}

void brz_sorted_inputs_close(brz_sorted_inputs *s)
{
    for (size_t i = 0; i < s->n; i++)
        close_input(&s->items[i]);
    for (size_t i = 0; i < s->n_scratch; i++)
        close(s->scratch[i]);
    free(s->scratch);
    brz_folded_parts_finish(&s->parts);
    free(s->items);
    *s = (brz_sorted_inputs){0};
}
