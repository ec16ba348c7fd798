/* Selects samples by their tags and times, and groups stacks by tags. */
#include "profile/selection.h"

#include "base/mem.h"
#include "base/text.h"
#include "plugin/options.h"

#include <stdlib.h>
#include <string.h>

/* ---- parsing ------------------------------------------------------------------------------- */

static brz_tag_part part_of(brz_str name)
{
    brz_tag_part p = {BRZ_PART_LABEL, name};
    if (brz_str_is(name, "process"))
        p.kind = BRZ_PART_PROCESS;
    else if (brz_str_is(name, "thread"))
        p.kind = BRZ_PART_THREAD;
    else if (brz_str_is(name, "cpu"))
        p.kind = BRZ_PART_CPU;
    return p;
}

bool brz_selection_set_by(brz_selection *s, brz_str text, brz_buf *error)
{
    for (;;) {
        const char *comma = memchr(text.data, ',', text.len);
        size_t n = comma == NULL ? text.len : (size_t)(comma - text.data);
        if (n == 0) {
            brz_buf_add_text(error, "'group-by' takes process, thread, cpu or the name of a label, "
                                    "separated by commas");
            return false;
        }
        s->by = brz_grow(s->by, s->n_by, &s->by_cap, sizeof *s->by);
        s->by[s->n_by++] = part_of(brz_str_of(text.data, n));
        if (comma == NULL)
            return true;
        text = brz_str_of(comma + 1, text.len - n - 1);
    }
}

bool brz_selection_set_only(brz_selection *s, brz_str text, brz_buf *error)
{
    const char *equals = memchr(text.data, '=', text.len);
    if (equals == NULL || equals == text.data) {
        brz_buf_add_text(error,
                         "'only' takes process=REGEX, thread=REGEX, cpu=REGEX or LABEL=REGEX");
        return false;
    }
    size_t n = (size_t)(equals - text.data);
    s->only = part_of(brz_str_of(text.data, n));
    s->pattern = brz_pattern_create(brz_str_of(equals + 1, text.len - n - 1), error);
    return s->pattern != NULL;
}

static bool parse_side(brz_str text, int64_t otherwise, int64_t *value)
{
    uint64_t v = 0;
    *value = otherwise;
    if (text.len == 0)
        return true;
    if (!brz_parse_duration(text, &v) || v > INT64_MAX)
        return false;
    *value = (int64_t)v;
    return true;
}

bool brz_selection_set_time(brz_selection *s, brz_str text, brz_buf *error)
{
    size_t at = 0;
    while (at + 1 < text.len && (text.data[at] != '.' || text.data[at + 1] != '.'))
        at++;
    bool good = at + 1 < text.len && parse_side(brz_str_of(text.data, at), 0, &s->from) &&
                parse_side(brz_str_of(text.data + at + 2, text.len - at - 2), INT64_MAX, &s->to);
    s->has_time = true;
    if (good && s->from < s->to)
        return true;
    brz_buf_add_text(error, "'time-range' takes FROM..TO, such as 1.5s..2s or 10ms.., "
                            "counted from the first sample");
    return false;
}

uint32_t brz_selection_wants(const brz_selection *s)
{
    uint32_t wants = s->n_by > 0 || s->pattern != NULL ? BRZ_CTX_WANTS_TAGS : 0;
    return wants | (s->has_time ? BRZ_CTX_WANTS_TIME | BRZ_CTX_ORDERED : 0);
}

void brz_selection_finish(brz_selection *s)
{
    free(s->by);
    brz_pattern_destroy(s->pattern);
    memset(s, 0, sizeof *s);
}

/* ---- texts of tags ------------------------------------------------------------------------- */

/* A process whose name some tag has. */
typedef struct named_process {
    int64_t id;
    brz_str name;
} named_process;

/* The tags of a profile, with the names of processes that only some of their tags have. */
typedef struct tag_texts {
    const brz_profile *profile;
    named_process *processes; /* sorted by id, then by name */
    size_t n;
} tag_texts;

static int compare_processes(const void *a, const void *b)
{
    const named_process *x = a, *y = b;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return brz_str_compare(x->name, y->name);
}

static void tag_texts_init(tag_texts *t, const brz_profile *p)
{
    *t = (tag_texts){.profile = p, .processes = brz_calloc(p->tags.n + 1, sizeof(named_process))};
    for (size_t i = 0; i < p->tags.n; i++) {
        const brz_tag_entry *e = &p->tags.items[i];
        if ((e->flags & BRZ_TAG_PROCESS) && e->process_name != 0)
            t->processes[t->n++] =
                (named_process){e->process, brz_strings_at(&p->strings, e->process_name)};
    }
    qsort(t->processes, t->n, sizeof *t->processes, compare_processes);
}

/* Returns the first name that any tag gives the process of a tag. */
static brz_str process_name(const tag_texts *t, const brz_tag_entry *e)
{
    size_t from = 0, to = t->n;
    if (!(e->flags & BRZ_TAG_PROCESS))
        return brz_strings_at(&t->profile->strings, e->process_name);
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (t->processes[middle].id < e->process)
            from = middle + 1;
        else
            to = middle;
    }
    bool found = from < t->n && t->processes[from].id == e->process;
    return found ? t->processes[from].name : BRZ_STR("");
}

/* Appends "NAME ID". Returns false if neither is known. */
static bool add_name(brz_buf *b, brz_str name, bool has_id, int64_t id)
{
    brz_buf_add_str(b, name);
    if (has_id)
        brz_buf_printf(b, "%s%lld", name.len > 0 ? " " : "", (long long)id);
    return name.len > 0 || has_id;
}

/* Appends the values of a label, separated by commas. Returns false if the tag has no such label.
 */
static bool add_label(brz_buf *b, const brz_profile *p, const brz_tag_entry *e, brz_str key)
{
    bool any = false;
    for (size_t i = 0; i < e->n_labels; i++) {
        const brz_tag_label *l = &p->tags.labels[e->first_label + i];
        brz_str name = brz_strings_at(&p->strings, l->key);
        if (!brz_str_equal(name, key))
            continue;
        brz_buf_add_text(b, any ? "," : "");
        any = true;
        brz_buf_add_str(b, brz_strings_at(&p->strings, l->text));
        if (l->flags & BRZ_LABEL_NUMBER)
            add_name(b, BRZ_STR(""), true, l->number);
        if (l->unit != 0) {
            brz_buf_add_char(b, ' ');
            brz_buf_add_str(b, brz_strings_at(&p->strings, l->unit));
        }
    }
    return any;
}

/* Appends the text of a tag's part. Returns false if the tag says nothing about it. */
static bool add_part(brz_buf *b, const tag_texts *t, brz_tag tag, const brz_tag_part *part)
{
    const brz_profile *p = t->profile;
    if (tag >= p->tags.n)
        return false;
    const brz_tag_entry *e = &p->tags.items[tag];
    switch (part->kind) {
    case BRZ_PART_PROCESS:
        return add_name(b, process_name(t, e), (e->flags & BRZ_TAG_PROCESS) != 0, e->process);
    case BRZ_PART_THREAD:
        return add_name(b, brz_strings_at(&p->strings, e->thread_name),
                        (e->flags & BRZ_TAG_THREAD) != 0, e->thread);
    case BRZ_PART_CPU:
        return (e->flags & BRZ_TAG_CPU) != 0 && add_name(b, BRZ_STR(""), true, e->cpu);
    default:
        return add_label(b, p, e, part->name);
    }
}

static size_t count_tags(const brz_profile *p)
{
    return p->tags.n > 0 ? p->tags.n : 1;
}

/* ---- removing samples ---------------------------------------------------------------------- */

static void say_unknown(brz_buf *error, const brz_tag_part *part)
{
    static const char *const words[] = {"process", "thread", "processor", NULL};
    const char *word = words[part->kind];
    if (word != NULL)
        brz_buf_printf(error, "the input does not say to which %s samples belong", word);
    else
        brz_buf_printf(error, "no sample of the input has the label '%.*s'", (int)part->name.len,
                       part->name.data);
}

/* Finds the tags that the pattern matches. Returns false after a failed match, or if no tag says
 * anything about the part. */
static bool match_tags(const brz_selection *s, const brz_profile *p, bool *matched, brz_buf *error)
{
    bool known = false;
    brz_buf text = {0};
    tag_texts texts;
    tag_texts_init(&texts, p);
    for (size_t tag = 0; tag < count_tags(p) && error->len == 0; tag++) {
        brz_buf_clear(&text);
        if (!add_part(&text, &texts, (brz_tag)tag, &s->only))
            continue;
        known = true;
        matched[tag] = brz_pattern_search(s->pattern, brz_buf_str(&text), error) == BRZ_MATCH_FOUND;
    }
    brz_buf_finish(&text);
    free(texts.processes);
    if (!known && error->len == 0)
        say_unknown(error, &s->only);
    return error->len == 0;
}

/* Finds the range of times on the profile's clock. Returns false if no sample has a time. */
static bool find_range(const brz_selection *s, const brz_profile *p, int64_t *from, int64_t *to,
                       brz_buf *error)
{
    bool saturated = false;
    int64_t first = INT64_MAX;
    for (size_t i = 0; i < p->samples.n; i++)
        if (p->samples.items[i].time != BRZ_NO_TIME && p->samples.items[i].time < first)
            first = p->samples.items[i].time;
    *from = brz_add_saturated(first, s->from, &saturated);
    *to = s->to == INT64_MAX ? INT64_MAX : brz_add_saturated(first, s->to, &saturated);
    if (first == INT64_MAX)
        brz_buf_add_text(error, "the samples of the input have no times");
    return first != INT64_MAX;
}

/* Sets all sums to those of the samples that are left. */
static void sum_again(brz_profile *p)
{
    for (size_t w = 0; w < p->n_weights; w++)
        if (p->weights[w].n_values > 0)
            memset(p->weights[w].values, 0, p->weights[w].n_values * sizeof *p->weights[w].values);
    for (size_t i = 0; i < p->samples.n; i++) {
        const brz_profile_sample *s = &p->samples.items[i];
        brz_profile_add_value(p, s->stack, s->weight, s->value);
    }
}

bool brz_selection_apply(const brz_selection *s, brz_profile *p, brz_buf *error)
{
    int64_t from = INT64_MIN, to = INT64_MAX;
    if (s->pattern == NULL && !s->has_time)
        return true;
    bool *matched = brz_calloc(count_tags(p), sizeof *matched);
    bool good = s->pattern == NULL || match_tags(s, p, matched, error);
    good = good && (!s->has_time || find_range(s, p, &from, &to, error));
    size_t kept = 0;
    for (size_t i = 0; i < p->samples.n && good; i++) {
        brz_profile_sample sample = p->samples.items[i];
        bool is_in = s->pattern == NULL || matched[sample.tag];
        if (s->has_time)
            is_in &= sample.time != BRZ_NO_TIME && sample.time >= from && sample.time < to;
        if (is_in)
            p->samples.items[kept++] = sample;
    }
    free(matched);
    if (!good)
        return false;
    p->samples.n = kept;
    brz_samples_rehash(&p->samples);
    sum_again(p);
    brz_profile_drop_unused(p);
    if (kept == 0)
        brz_buf_add_text(error, "'only' and 'time-range' select no samples");
    return kept > 0;
}

/* ---- groups -------------------------------------------------------------------------------- */

/* The root frames of each tag. */
typedef struct roots {
    brz_frame *frames; /* n_by per tag */
    size_t n_by;
} roots;

static brz_frame root_frame(brz_profile *p, const tag_texts *texts, const brz_tag_part *part,
                            brz_tag tag, bool *known)
{
    static const char *const prefixes[] = {"", "", "CPU ", NULL};
    brz_buf b = {0};
    const char *prefix = prefixes[part->kind];
    if (prefix != NULL) {
        brz_buf_add_text(&b, prefix);
    } else {
        brz_buf_add_str(&b, part->name);
        brz_buf_add_text(&b, ": ");
    }
    if (add_part(&b, texts, tag, part)) {
        *known = true;
    } else {
        brz_buf_clear(&b);
        brz_buf_printf(&b, "no %.*s", (int)part->name.len, part->name.data);
    }
    brz_frame_desc d = {.struct_size = sizeof d, .kind = BRZ_KIND_PROCESS, .name = brz_buf_str(&b)};
    brz_frame frame = brz_profile_add_frame(p, &d);
    brz_buf_finish(&b);
    return frame;
}

/* Makes the root frames of all tags. Returns false if no tag says anything about one of the parts.
 */
static bool make_roots(const brz_selection *s, brz_profile *p, roots *r, brz_buf *error)
{
    bool good = true;
    tag_texts texts;
    tag_texts_init(&texts, p);
    r->n_by = s->n_by;
    r->frames = brz_calloc(count_tags(p) * s->n_by, sizeof *r->frames);
    for (size_t k = 0; k < s->n_by && good; k++) {
        bool known = false;
        for (size_t tag = 0; tag < count_tags(p); tag++)
            r->frames[tag * s->n_by + k] = root_frame(p, &texts, &s->by[k], (brz_tag)tag, &known);
        if (!known)
            say_unknown(error, &s->by[k]);
        good = known;
    }
    free(texts.processes);
    return good;
}

/* Stores the stack of a sample below its root frames. */
static brz_stack grouped_stack(brz_profile *p, const roots *r, const brz_profile_stack *old,
                               brz_tag tag, brz_frame **scratch, size_t *cap)
{
    size_t n = r->n_by + old->n;
    if (n > *cap)
        *scratch = brz_realloc(*scratch, *cap = 2 * n, sizeof **scratch);
    memcpy(*scratch, r->frames + tag * r->n_by, r->n_by * sizeof **scratch);
    if (old->n > 0)
        memcpy(*scratch + r->n_by, old->frames, old->n * sizeof **scratch);
    return brz_profile_intern_stack(p, *scratch, n, 0);
}

bool brz_selection_group(const brz_selection *s, brz_profile *p, brz_buf *error)
{
    roots r;
    brz_frame *scratch = NULL;
    size_t cap = 0;
    if (s->n_by == 0)
        return true;
    bool good = make_roots(s, p, &r, error);
    brz_profile_stack *old = good ? brz_profile_take_stacks(p) : NULL;
    for (size_t i = 0; i < p->samples.n && good; i++) {
        brz_profile_sample *sample = &p->samples.items[i];
        sample->stack = grouped_stack(p, &r, &old[sample->stack], sample->tag, &scratch, &cap);
    }
    if (good) {
        brz_samples_rehash(&p->samples);
        sum_again(p);
    }
    free(scratch);
    free(old);
    free(r.frames);
    return good;
}
