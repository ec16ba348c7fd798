/* SPDX-License-Identifier: MIT */
/* Serialises a profile and its reports. */
#include "profile/wire.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "profile/weight.h"

/* Limits on reports, whose printing would take long and which nobody would read. */
#define MAX_NOTICES 16384
#define MAX_TALLIES 256

/* ---- writing -------------------------------------------------------------------------------- */

void brz_wire_flush(brz_wire_out *w)
{
    if (w->used > 0)
        w->write(w, w->buffer, w->used);
    w->used = 0;
}

void brz_wire_put(brz_wire_out *w, const void *data, size_t n)
{
    if (n > sizeof w->buffer - w->used)
        brz_wire_flush(w);
    if (n > sizeof w->buffer) {
        w->write(w, data, n);
        return;
    }
    if (n > 0)
        memcpy(w->buffer + w->used, data, n);
    w->used += n;
}

void brz_wire_put_u32(brz_wire_out *w, uint32_t v)
{
    brz_wire_put(w, &v, sizeof v);
}

void brz_wire_put_u64(brz_wire_out *w, uint64_t v)
{
    brz_wire_put(w, &v, sizeof v);
}

void brz_wire_put_str(brz_wire_out *w, brz_str s)
{
    brz_wire_put_u64(w, s.len);
    brz_wire_put(w, s.data, s.len);
}

/* Writes all texts except the empty one, which every table has. */
static void put_strings(brz_wire_out *w, const brz_strings *t)
{
    brz_wire_put_u64(w, t->n);
    for (size_t i = 1; i < t->n; i++)
        brz_wire_put_str(w, brz_strings_at(t, (uint32_t)i));
}

/* Writes stacks without the frames that they share with the previous one. */
static void put_stacks(brz_wire_out *w, const brz_profile *p)
{
    brz_wire_put_u64(w, p->n_stacks);
    for (size_t i = 0; i < p->n_stacks; i++) {
        const brz_profile_stack *s = &p->stacks[i];
        uint32_t shared = (uint32_t)brz_profile_n_nested(p, i);
        brz_wire_put_u32(w, s->n);
        brz_wire_put_u32(w, shared);
        brz_wire_put(w, s->frames + shared, (s->n - shared) * sizeof(brz_frame));
    }
}

static void put_weights(brz_wire_out *w, const brz_profile *p)
{
    brz_wire_put_u64(w, p->n_weights);
    for (size_t i = 0; i < p->n_weights; i++) {
        const brz_profile_weight *c = &p->weights[i];
        size_t n = c->n_values < p->n_stacks ? c->n_values : p->n_stacks;
        brz_wire_put_u32(w, c->name);
        brz_wire_put_u32(w, c->unit);
        brz_wire_put_u32(w, c->decimals);
        brz_wire_put_u32(w, c->flags);
        brz_wire_put_u64(w, c->position);
        brz_wire_put_u64(w, n);
        brz_wire_put(w, c->values, n * sizeof *c->values);
    }
}

static void put_tags(brz_wire_out *w, const brz_tags *t)
{
    brz_wire_put_u64(w, t->n);
    for (size_t i = 0; i < t->n; i++) {
        const brz_tag_entry *e = &t->items[i];
        brz_wire_put(w, e, sizeof *e);
        if (e->n_labels > 0)
            brz_wire_put(w, t->labels + e->first_label, e->n_labels * sizeof *t->labels);
    }
    brz_wire_put_u64(w, t->left_out);
}

static void put_facts(brz_wire_out *w, const brz_facts *f)
{
    brz_wire_put_u32(w, f->known);
    brz_wire_put(w, f->single, sizeof f->single);
    for (size_t list = 0; list < BRZ_COUNT_OF(f->n); list++) {
        brz_wire_put_u64(w, f->n[list]);
        brz_wire_put(w, f->lists[list], f->n[list] * sizeof(brz_fact));
    }
    brz_wire_put_u64(w, f->left_out);
}

static void put_parts(brz_wire_out *w, const brz_parts *parts)
{
    put_tags(w, &parts->tags);
    for (size_t i = 1; i < parts->tags.n; i++)
        put_facts(w, &parts->facts[i]);
}

static void put_codes(brz_wire_out *w, const brz_codes *codes)
{
    brz_wire_put_u64(w, codes->n);
    for (size_t i = 0; i < codes->n; i++) {
        const brz_module_code *m = &codes->items[i];
        brz_wire_put_str(w, m->module);
        brz_wire_put_str(w, m->build_id);
        brz_wire_put_str(w, m->code.bytes);
        brz_wire_put_u32(w, m->code.machine);
        brz_wire_put_u32(w, m->code.flags);
        brz_wire_put_u64(w, m->code.address);
        brz_wire_put_u64(w, m->code.shown);
    }
}

void brz_wire_put_profile(brz_wire_out *w, const brz_profile *p)
{
    brz_wire_put_u32(w, p != NULL);
    if (p == NULL)
        return;
    put_strings(w, &p->strings);
    brz_wire_put_u64(w, p->n_frames);
    brz_wire_put(w, p->frames, p->n_frames * sizeof *p->frames);
    put_stacks(w, p);
    put_weights(w, p);
    put_tags(w, &p->tags);
    put_facts(w, &p->facts);
    put_parts(w, &p->parts);
    put_codes(w, &p->codes);
    brz_wire_put_u32(w, p->samples.which);
    brz_wire_put_u64(w, p->samples.n);
    brz_wire_put(w, p->samples.items, p->samples.n * sizeof *p->samples.items);
    brz_wire_put_u32(w, p->saturated);
    brz_wire_put(w, &p->clash, sizeof p->clash);
}

/* Writes a code, distinguishing NULL from an empty text. */
static void put_code(brz_wire_out *w, const char *code)
{
    brz_wire_put_u32(w, code != NULL);
    if (code != NULL)
        brz_wire_put_str(w, brz_str_of_text(code));
}

static void put_notice(brz_wire_out *w, const brz_notice *r)
{
    brz_wire_put_u32(w, (uint32_t)r->severity);
    put_code(w, r->code);
    brz_wire_put_str(w, r->msg);
    brz_wire_put_u64(w, r->offset);
    brz_wire_put_u64(w, r->line);
    brz_wire_put_u64(w, r->column);
    brz_wire_put_u64(w, r->byte);
    brz_wire_put_u64(w, r->len);
    brz_wire_put_str(w, r->excerpt);
    brz_wire_put_u64(w, r->caret);
    brz_wire_put_u64(w, r->count);
    brz_wire_put_str(w, r->input);
}

static void put_left_out(brz_wire_out *w, const brz_left_out *l)
{
    brz_wire_put_u64(w, l->records);
    brz_wire_put_u64(w, l->weighed);
    brz_wire_put_u64(w, (uint64_t)l->weight);
    brz_wire_put_u32(w, l->decimals);
}

void brz_wire_put_notices(brz_wire_out *w, const brz_notices *r)
{
    size_t n = r->n < MAX_NOTICES ? r->n : MAX_NOTICES;
    brz_wire_put_u64(w, n);
    for (size_t i = 0; i < n; i++)
        put_notice(w, &r->items[i]);
    brz_wire_put_u64(w, r->n_tallies);
    for (size_t i = 0; i < r->n_tallies; i++) {
        const struct brz_notice_tally *t = &r->tallies[i];
        put_code(w, t->code);
        brz_wire_put_str(w, t->msg);
        brz_wire_put_u64(w, t->count);
        brz_wire_put_u32(w, t->fatal);
    }
    put_left_out(w, &r->left_out);
}

/* ---- reading -------------------------------------------------------------------------------- */

bool brz_wire_reject(brz_wire_in *w, const char *why)
{
    if (w->fault == NULL)
        w->fault = why;
    return false;
}

/* Reads available data into the empty buffer. */
static bool fill(brz_wire_in *w)
{
    if (w->fault != NULL)
        return false;
    w->at = 0;
    w->end = w->read(w, w->buffer, sizeof w->buffer);
    if (w->end > w->left) {
        w->end = 0;
        return brz_wire_reject(w, "more bytes than allowed");
    }
    w->left -= w->end;
    return w->end > 0;
}

bool brz_wire_is_at_end(brz_wire_in *w)
{
    return w->fault == NULL && w->at == w->end && !fill(w) && w->fault == NULL;
}

bool brz_wire_take(brz_wire_in *w, void *to, size_t n)
{
    uint8_t *at = to;
    while (n > 0) {
        if (w->at == w->end && !fill(w))
            return brz_wire_reject(w, "unexpected end of data");
        size_t have = w->end - w->at < n ? w->end - w->at : n;
        memcpy(at, w->buffer + w->at, have);
        w->at += have;
        at += have;
        n -= have;
    }
    return w->fault == NULL;
}

bool brz_wire_take_u32(brz_wire_in *w, uint32_t *v)
{
    uint32_t taken = 0;
    if (!brz_wire_take(w, &taken, sizeof taken))
        return false;
    *v = taken;
    return true;
}

bool brz_wire_take_u64(brz_wire_in *w, uint64_t *v)
{
    uint64_t taken = 0;
    if (!brz_wire_take(w, &taken, sizeof taken))
        return false;
    *v = taken;
    return true;
}

/* Reads a count, which is at most `most`. Otherwise rejects it as `why`. */
static bool take_count(brz_wire_in *w, uint64_t most, const char *why, uint64_t *n)
{
    return brz_wire_take_u64(w, n) && (*n <= most || brz_wire_reject(w, why));
}

/* Reads `n` elements into an array that grows only as data arrives. The caller frees the array,
 * even after a failure. */
static bool take_array(brz_wire_in *w, uint64_t n, size_t size, void **array)
{
    size_t have = 0, cap = 0;
    *array = NULL;
    while (have < n) {
        size_t more = cap > 0 ? cap : BRZ_WIRE_BUFFER / size;
        more = n - have < more ? (size_t)(n - have) : more;
        *array = brz_realloc(*array, cap = have + more, size);
        if (!brz_wire_take(w, (uint8_t *)*array + have * size, more * size))
            return false;
        have = cap;
    }
    return true;
}

bool brz_wire_take_str(brz_wire_in *w, brz_buf *b)
{
    uint64_t n;
    brz_buf_clear(b);
    if (!brz_wire_take_u64(w, &n))
        return false;
    while (n > 0) {
        size_t more = n < BRZ_WIRE_BUFFER ? (size_t)n : BRZ_WIRE_BUFFER;
        if (!brz_wire_take(w, brz_buf_room(b, more), more))
            return false;
        b->len += more;
        b->data[b->len] = '\0';
        n -= more;
    }
    return true;
}

/* ---- profiles ------------------------------------------------------------------------------ */

static bool take_strings(brz_wire_in *w, brz_strings *t)
{
    uint64_t n;
    if (!take_count(w, UINT32_MAX, "too many texts", &n))
        return false;
    if (n > 0)
        brz_strings_intern(t, BRZ_STR(""));
    brz_buf text = {0};
    for (uint64_t i = 1; i < n && brz_wire_take_str(w, &text); i++)
        if (brz_strings_intern(t, brz_buf_str(&text)) != i)
            brz_wire_reject(w, "a duplicate text");
    brz_buf_finish(&text);
    return w->fault == NULL;
}

static bool take_frames(brz_wire_in *w, brz_profile *p)
{
    uint64_t n;
    brz_profile_frame f;
    if (!take_count(w, UINT32_MAX / 2, "too many frames", &n))
        return false;
    for (uint64_t i = 0; i < n && brz_wire_take(w, &f, sizeof f); i++) {
        if (f.name >= p->strings.n || f.module >= p->strings.n || f.file >= p->strings.n ||
            f.system_name >= p->strings.n || f.build_id >= p->strings.n)
            return brz_wire_reject(w, "a frame with an unknown text");
        if (brz_profile_intern_frame(p, &f) != i)
            return brz_wire_reject(w, "a duplicate frame");
    }
    return w->fault == NULL;
}

/* Returns whether a stack of `n` frames can share `shared` ones with the last one. It can add
 * frames to the longest one with these frames only: adding some to a shorter one would copy them
 * all. */
static bool can_share(const brz_profile *p, uint32_t n, uint32_t shared, uint32_t longest)
{
    uint32_t last = p->n_stacks > 0 ? p->stacks[p->n_stacks - 1].n : 0;
    if (shared == 0)
        return true;
    return n <= last ? shared == n : shared == last && last == longest;
}

/* Reads a stack. *longest is the number of frames of the longest one that shares those of the last
 * one. */
static bool take_stack(brz_wire_in *w, brz_profile *p, uint32_t *longest)
{
    uint32_t n, shared;
    void *frames;
    if (!brz_wire_take_u32(w, &n) || !brz_wire_take_u32(w, &shared))
        return false;
    if (!can_share(p, n, shared, *longest))
        return brz_wire_reject(w, "a stack that shares unknown frames");
    if (take_array(w, n - shared, sizeof(brz_frame), &frames)) {
        const brz_frame *ids = frames;
        for (uint32_t i = 0; i < n - shared; i++)
            if (ids[i] >= p->n_frames)
                brz_wire_reject(w, "a stack with an unknown frame");
        if (w->fault == NULL && shared > 0)
            brz_profile_add_nested(p, ids, n);
        else if (w->fault == NULL)
            brz_profile_add_stack(p, ids, n, 0);
    }
    *longest = shared == 0 || n > *longest ? n : *longest;
    free(frames);
    return w->fault == NULL;
}

static bool take_stacks(brz_wire_in *w, brz_profile *p)
{
    uint64_t n;
    uint32_t longest = 0;
    if (!take_count(w, UINT32_MAX - 2, "too many stacks", &n))
        return false;
    while (n-- > 0)
        if (!take_stack(w, p, &longest))
            return false;
    return true;
}

static bool take_values(brz_wire_in *w, brz_profile *p, uint32_t number)
{
    uint64_t n;
    void *values;
    if (!take_count(w, p->n_stacks, "a value of an unknown stack", &n))
        return false;
    bool good = take_array(w, n, sizeof(int64_t), &values);
    p->weights[number].values = values;
    p->weights[number].n_values = good ? (size_t)n : 0;
    return good;
}

static bool take_weight(brz_wire_in *w, brz_profile *p)
{
    uint32_t name, unit, decimals, flags;
    uint64_t position;
    size_t expected = p->n_weights;
    if (!brz_wire_take_u32(w, &name) || !brz_wire_take_u32(w, &unit) ||
        !brz_wire_take_u32(w, &decimals) || !brz_wire_take_u32(w, &flags) ||
        !brz_wire_take_u64(w, &position))
        return false;
    if (name >= p->strings.n || unit >= p->strings.n || decimals > 9)
        return brz_wire_reject(w, "an invalid weight");
    uint32_t number = brz_profile_add_weight(p, brz_strings_at(&p->strings, name),
                                             brz_strings_at(&p->strings, unit), decimals, position);
    if (number != expected)
        return brz_wire_reject(w, "a duplicate weight");
    p->weights[number].flags = flags & BRZ_COLUMN_SHOWN_FLAGS;
    return take_values(w, p, number);
}

static bool take_weights(brz_wire_in *w, brz_profile *p)
{
    uint64_t n;
    if (!take_count(w, BRZ_PROFILE_MAX_WEIGHTS, "too many weights", &n))
        return false;
    while (n-- > 0)
        if (!take_weight(w, p))
            return false;
    return true;
}

static bool are_texts(const brz_profile *p, uint32_t a, uint32_t b, uint32_t c)
{
    return a < p->strings.n && b < p->strings.n && c < p->strings.n;
}

static bool take_tag(brz_wire_in *w, const brz_profile *p, brz_tags *tags, uint64_t id)
{
    brz_tag_entry e;
    void *taken;
    if (!brz_wire_take(w, &e, sizeof e))
        return false;
    if (!are_texts(p, e.process_name, e.thread_name, 0))
        return brz_wire_reject(w, "a tag with an unknown text");
    bool good = take_array(w, e.n_labels, sizeof(brz_tag_label), &taken);
    brz_tag_label *labels = taken;
    for (uint64_t i = 0; good && i < e.n_labels; i++)
        if (!are_texts(p, labels[i].key, labels[i].text, labels[i].unit) || labels[i].decimals > 9)
            good = brz_wire_reject(w, "a label with an unknown text");
    if (good && brz_tags_intern(tags, &p->strings, &e, labels, (size_t)e.n_labels) != id)
        good = brz_wire_reject(w, "a duplicate tag");
    free(labels);
    return good;
}

static bool take_tags(brz_wire_in *w, const brz_profile *p, brz_tags *tags, uint64_t most)
{
    uint64_t n;
    if (!take_count(w, most, "too many tags", &n))
        return false;
    for (uint64_t i = 0; i < n; i++)
        if (!take_tag(w, p, tags, i))
            return false;
    return brz_wire_take_u64(w, &tags->left_out);
}

/* Returns whether the texts of a fact exist. Text 0 is the empty one, which always exists. */
static bool has_texts(const brz_profile *p, const brz_fact *fact)
{
    return (fact->key == 0 || fact->key < p->strings.n) &&
           (fact->text == 0 || fact->text < p->strings.n);
}

static bool take_fact_list(brz_wire_in *w, const brz_profile *p, brz_facts *facts,
                           brz_fact_subject subject)
{
    uint64_t n;
    brz_fact fact;
    if (!take_count(w, BRZ_MAX_FACTS, "too many facts", &n))
        return false;
    for (uint64_t i = 0; i < n && brz_wire_take(w, &fact, sizeof fact); i++) {
        if (!has_texts(p, &fact))
            return brz_wire_reject(w, "a fact with an unknown text");
        brz_facts_add(facts, subject, &fact);
    }
    return w->fault == NULL;
}

static bool take_facts(brz_wire_in *w, const brz_profile *p, brz_facts *facts)
{
    uint32_t known;
    brz_fact single[BRZ_FACT_SINGLE];
    if (!brz_wire_take_u32(w, &known) || !brz_wire_take(w, single, sizeof single))
        return false;
    for (int s = 0; s < BRZ_FACT_SINGLE; s++) {
        if (!(known & 1u << s))
            continue;
        if (!has_texts(p, &single[s]))
            return brz_wire_reject(w, "a fact with an unknown text");
        brz_facts_add(facts, (brz_fact_subject)s, &single[s]);
    }
    return take_fact_list(w, p, facts, BRZ_FACT_COMMENT) &&
           take_fact_list(w, p, facts, BRZ_FACT_PAIR) && brz_wire_take_u64(w, &facts->left_out);
}

static bool take_parts(brz_wire_in *w, brz_profile *p)
{
    bool good = take_tags(w, p, &p->parts.tags, BRZ_MAX_PARTS + 1);
    brz_parts_reserve(&p->parts);
    for (size_t i = 1; good && i < p->parts.tags.n; i++)
        good = take_facts(w, p, &p->parts.facts[i]);
    return good;
}

static bool take_samples(brz_wire_in *w, brz_profile *p)
{
    uint64_t n;
    uint32_t sampling;
    void *samples;
    if (!brz_wire_take_u32(w, &sampling) || !brz_wire_take_u64(w, &n))
        return false;
    if (sampling > BRZ_SAMPLES_SINGLE || (sampling == BRZ_SAMPLES_NONE && n > 0) ||
        (sampling == BRZ_SAMPLES_SUMMED && n >= UINT32_MAX))
        return brz_wire_reject(w, "samples of an unknown kind");
    p->samples.which = (brz_which_samples)sampling;
    bool good = take_array(w, n, sizeof *p->samples.items, &samples);
    p->samples.items = samples;
    p->samples.n = p->samples.cap = good ? (size_t)n : 0;
    for (size_t i = 0; i < p->samples.n; i++)
        if (p->samples.items[i].stack >= p->n_stacks ||
            p->samples.items[i].weight >= p->n_weights ||
            (p->samples.items[i].tag != BRZ_NO_TAG && p->samples.items[i].tag >= p->tags.n))
            good = brz_wire_reject(w, "a sample of an unknown stack");
    return good;
}

static bool take_code_of_module(brz_wire_in *w, brz_codes *codes, brz_buf texts[3])
{
    brz_module_code m = {.code = {.struct_size = sizeof m.code}};
    bool good = brz_wire_take_str(w, &texts[0]) && brz_wire_take_str(w, &texts[1]) &&
                brz_wire_take_str(w, &texts[2]) && brz_wire_take_u32(w, &m.code.machine) &&
                brz_wire_take_u32(w, &m.code.flags) && brz_wire_take_u64(w, &m.code.address) &&
                brz_wire_take_u64(w, &m.code.shown);
    m.module = brz_buf_str(&texts[0]);
    m.build_id = brz_buf_str(&texts[1]);
    m.code.bytes = brz_buf_str(&texts[2]);
    return good && (brz_codes_add(codes, &m) || brz_wire_reject(w, "too much code"));
}

static bool take_codes(brz_wire_in *w, brz_codes *codes)
{
    uint64_t n;
    brz_buf texts[3] = {{0}, {0}, {0}};
    bool good = take_count(w, BRZ_CODES_MAX, "code of too many functions", &n);
    for (uint64_t i = 0; i < n && good; i++)
        good = take_code_of_module(w, codes, texts);
    for (size_t i = 0; i < BRZ_COUNT_OF(texts); i++)
        brz_buf_finish(&texts[i]);
    return good;
}

static bool take_clash(brz_wire_in *w, brz_profile *p)
{
    brz_unit_clash c;
    if (!brz_wire_take(w, &c, sizeof c))
        return false;
    size_t n = p->strings.n > 0 ? p->strings.n : 1;
    if (c.name >= n || c.units[0] >= n || c.units[1] >= n)
        return brz_wire_reject(w, "a unit with an unknown text");
    p->clash = c;
    return true;
}

bool brz_wire_take_profile(brz_wire_in *w, brz_profile **taken)
{
    uint32_t there, saturated;
    if (!brz_wire_take_u32(w, &there))
        return false;
    brz_profile *p = there != 0 ? brz_profile_create() : NULL;
    if (p == NULL || (take_strings(w, &p->strings) && take_frames(w, p) && take_stacks(w, p) &&
                      take_weights(w, p) && take_tags(w, p, &p->tags, BRZ_MAX_TAGS) &&
                      take_facts(w, p, &p->facts) && take_parts(w, p) && take_codes(w, &p->codes) &&
                      take_samples(w, p) && brz_wire_take_u32(w, &saturated) && take_clash(w, p))) {
        if (p != NULL)
            p->saturated = saturated != 0;
        *taken = p;
        return true;
    }
    brz_profile_destroy(p);
    return false;
}

/* ---- reports ------------------------------------------------------------------------------- */

/* Reads a text into `memory`. */
static bool take_kept(brz_wire_in *w, brz_arena *memory, brz_str *s)
{
    brz_buf b = {0};
    bool good = brz_wire_take_str(w, &b);
    if (good)
        *s = brz_arena_str(memory, brz_buf_str(&b));
    brz_buf_finish(&b);
    return good;
}

static bool take_code(brz_wire_in *w, brz_arena *memory, const char **code)
{
    uint32_t there;
    brz_str s;
    *code = NULL;
    if (!brz_wire_take_u32(w, &there) || (there != 0 && !take_kept(w, memory, &s)))
        return false;
    if (there != 0)
        *code = s.data;
    return true;
}

static bool take_notice(brz_wire_in *w, brz_arena *memory, brz_notice *r)
{
    uint32_t severity;
    uint64_t len, caret;
    bool good = brz_wire_take_u32(w, &severity) && take_code(w, memory, &r->code) &&
                take_kept(w, memory, &r->msg) && brz_wire_take_u64(w, &r->offset) &&
                brz_wire_take_u64(w, &r->line) && brz_wire_take_u64(w, &r->column) &&
                brz_wire_take_u64(w, &r->byte) && brz_wire_take_u64(w, &len) &&
                take_kept(w, memory, &r->excerpt) && brz_wire_take_u64(w, &caret) &&
                brz_wire_take_u64(w, &r->count) && take_kept(w, memory, &r->input);
    if (!good)
        return false;
    if (severity > BRZ_DEBUG || caret > r->excerpt.len)
        return brz_wire_reject(w, "an invalid report");
    r->severity = (int32_t)severity;
    r->len = (size_t)len;
    r->caret = (size_t)caret;
    return true;
}

static bool take_items(brz_wire_in *w, brz_arena *memory, brz_notices *r)
{
    uint64_t n;
    if (!take_count(w, MAX_NOTICES, "too many reports", &n))
        return false;
    for (brz_notice item = {0}; n > 0 && take_notice(w, memory, &item); n--) {
        r->items = brz_grow(r->items, r->n, &r->cap, sizeof *r->items);
        r->items[r->n++] = item;
    }
    return w->fault == NULL;
}

static bool take_tally(brz_wire_in *w, brz_arena *memory, struct brz_notice_tally *t)
{
    uint32_t fatal;
    if (!take_code(w, memory, &t->code) || !take_kept(w, memory, &t->msg) ||
        !brz_wire_take_u64(w, &t->count) || !brz_wire_take_u32(w, &fatal))
        return false;
    t->fatal = fatal != 0;
    return t->code != NULL || brz_wire_reject(w, "a count without a code");
}

static bool take_tallies(brz_wire_in *w, brz_arena *memory, brz_notices *r)
{
    uint64_t n;
    if (!take_count(w, MAX_TALLIES, "too many kinds of reports", &n))
        return false;
    for (struct brz_notice_tally t = {0}; n > 0 && take_tally(w, memory, &t); n--) {
        r->tallies = brz_grow(r->tallies, r->n_tallies, &r->tallies_cap, sizeof *r->tallies);
        r->tallies[r->n_tallies++] = t;
    }
    return w->fault == NULL;
}

static bool take_left_out(brz_wire_in *w, brz_left_out *l)
{
    uint64_t weight;
    if (!brz_wire_take_u64(w, &l->records) || !brz_wire_take_u64(w, &l->weighed) ||
        !brz_wire_take_u64(w, &weight) || !brz_wire_take_u32(w, &l->decimals))
        return false;
    l->weight = (int64_t)weight;
    if (l->weighed > l->records)
        return brz_wire_reject(w, "more records have a weight than are left out");
    return l->decimals <= 9 || brz_wire_reject(w, "too many decimals");
}

bool brz_wire_take_notices(brz_wire_in *w, brz_notices *into)
{
    brz_notices taken = {0};
    bool good = take_items(w, &into->text, &taken) && take_tallies(w, &into->text, &taken) &&
                take_left_out(w, &taken.left_out);
    if (good)
        brz_notices_absorb(into, &taken);
    brz_notices_finish(&taken);
    return good;
}
