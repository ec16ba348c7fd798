/* Opens inputs that are plain folded text.
 *
 * This is the only room of the host that knows a format. It is used only for the shipped components
 * "folded", whose result it reproduces byte by byte.
 */
#include "run/sorted_inputs.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "isolate/input_reader.h"
#include "run/config.h"

/* Minimum size of all inputs together: the checks would take longer than a small run. */
#define LEAST_BYTES ((uint64_t)1 << 20)

/* Size of the parts of inputs that a thread checks at a time. */
#define PART ((size_t)256 << 10)

/* Inputs up to this size stay in memory after they have been checked. */
#define KEPT_BYTES ((uint64_t)32 << 20)

/* ---- conditions --------------------------------------------------------------------------------
 */

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
    const brz_request *r = p->request;
    const brz_selection *s = &p->selection;
    return p->n_inputs > 0 && p->n_inputs <= BRZ_SORTED_INPUTS_MOST && r->time == BRZ_TIME_MERGED &&
           r->weight == NULL && r->isolate <= 0 && !r->no_map && r->chunk_size == 0 &&
           r->range_size == 0 && r->split_by == NULL && s->n_by == 0 && s->n_only == 0 &&
           !s->has_time && !p->sides[0].has_time && has_only_demangling(&p->transforms) &&
           r->detail == BRZ_DETAIL_FUNCTIONS && r->quality < BRZ_QUALITY_TEXT &&
           p->session->console.verbosity <= 0 && has_no_options(p);
}

/* ---- opening -----------------------------------------------------------------------------------
 */

/* Opens an input that is a regular file. */
static bool open_input(const brz_input *input, brz_sorted_input *to)
{
    struct stat st;
    to->name = input->name;
    if (input->kind != BRZ_INPUT_FILE || input->inside.folder != NULL ||
        strcmp(input->name, "-") == 0 || stat(input->name, &st) != 0 || !S_ISREG(st.st_mode))
        return false; /* opening a pipe has effects */
    to->fd = open(input->name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (to->fd < 0 || fstat(to->fd, &st) != 0 || !S_ISREG(st.st_mode) ||
        !brz_mapping_init(&to->file, to->fd, (uint64_t)st.st_size))
        return false;
    to->text = brz_str_of((const char *)to->file.data, to->file.len);
    return true;
}

static bool open_all(brz_sorted_inputs *s, const brz_pipeline *p)
{
    for (size_t i = 0; i < s->n; i++) {
        if (!open_input(&p->inputs[i], &s->items[i]))
            return false;
        s->total += s->items[i].file.len;
    }
    s->is_large = s->total > KEPT_BYTES;
    return s->total >= LEAST_BYTES;
}

/* Checks all lines of all inputs. */
static bool are_plain(brz_sorted_inputs *s, const brz_pipeline *p)
{
    s->parts.drops = s->is_large;
    for (size_t i = 0; i < s->n; i++) {
        brz_str text = s->items[i].text;
        if (!brz_folded_parts_add(&s->parts, text, PART))
            return false;
        if (s->is_large)
            brz_mapping_drop(text.data, text.len);
    }
    return brz_folded_parts_check(&s->parts, brz_pipeline_threads(p->request), &p->run->stop);
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
    bool good = g.winner != NULL && g.foreign == NULL && brz_is_shipped_folded(p, g.winner);
    brz_guess_finish(&g);
    return good;
}

/* Returns whether the named collapser is sure, so that a run asks no other one. */
static bool is_sure(const brz_pipeline *p, const brz_sorted_input *i)
{
    const char *slash = strrchr(i->name, '/'), *name = slash == NULL ? i->name : slash + 1;
    bool is_whole = i->text.len <= BRZ_HEAD_SIZE;
    brz_head head = {.struct_size = sizeof head,
                     .flags = is_whole ? BRZ_CHUNK_LAST : 0,
                     .data = (const uint8_t *)i->text.data,
                     .len = i->text.len < BRZ_HEAD_SIZE ? i->text.len : BRZ_HEAD_SIZE,
                     .name = brz_str_of(name, strlen(name))};
    head.raw = head.data;
    head.raw_len = head.len;
    return brz_guess_score(p->collapse.loaded, &head, i->name) >= BRZ_SNIFF_RECORDS &&
           brz_guess_foreign(&head) == NULL;
}

/* Returns whether the inputs are certainly folded text: otherwise a run may report something. */
static bool are_recognised(const brz_sorted_inputs *s, brz_pipeline *p)
{
    for (size_t i = 0; i < s->n; i++)
        if (!(p->guess ? is_guessed(p, &p->inputs[i]) : is_sure(p, &s->items[i])))
            return false;
    return true;
}

bool brz_sorted_inputs_open(brz_sorted_inputs *s, brz_pipeline *p)
{
    *s = (brz_sorted_inputs){.n = p->n_inputs};
    s->items = brz_calloc(s->n, sizeof *s->items);
    for (size_t i = 0; i < s->n; i++)
        s->items[i].fd = -1;
    return open_all(s, p) && are_plain(s, p) && are_recognised(s, p);
}

bool brz_sorted_inputs_are_whole(const brz_sorted_inputs *s, brz_console *console)
{
    for (size_t i = 0; i < s->n; i++) {
        const brz_sorted_input *x = &s->items[i];
        if (!brz_mapping_is_cut(&x->file, x->fd))
            continue;
        brz_say_code(console, BRZ_FATAL, BRZ_SAYS_READ, "%s: cannot be read: %s", x->name,
                     BRZ_BECAME_SHORTER);
        return false;
    }
    return true;
}

void brz_sorted_inputs_close(brz_sorted_inputs *s)
{
    for (size_t i = 0; i < s->n; i++) {
        brz_mapping_finish(&s->items[i].file);
        if (s->items[i].fd >= 0)
            close(s->items[i].fd);
    }
    brz_folded_parts_finish(&s->parts);
    free(s->items);
    *s = (brz_sorted_inputs){0};
}
