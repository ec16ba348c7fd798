/* SPDX-License-Identifier: MIT */
/* Selects samples by their tags and times, and groups stacks by tags. */
#include "profile/selection.h"

#include "base/mem.h"
#include "base/text.h"
#include "plugin/options.h"
#include "profile/stack_tree.h"

#include <stdlib.h>
#include <string.h>

/* Values of a part that a message lists. */
#define LISTED_VALUES 5

/* ---- parsing ------------------------------------------------------------------------------- */

static bool is_same_part(const brz_tag_part *a, const brz_tag_part *b)
{
    return a->kind == b->kind && (a->kind != BRZ_PART_LABEL || brz_str_equal(a->name, b->name));
}

/* Adds a part to the groups. Returns false after an error if it is one of them already. */
static bool add_by(brz_selection *s, brz_str name, brz_buf *error)
{
    const brz_tag_part part = brz_tag_part_of(name);
    for (size_t i = 0; i < s->n_by; i++)
        if (is_same_part(&s->by[i], &part)) {
            brz_buf_printf(error, "'group-by' has '%.*s' twice", (int)name.len, name.data);
            return false;
        }
    s->by = brz_grow(s->by, s->n_by, &s->by_cap, sizeof *s->by);
    s->by[s->n_by++] = part;
    return true;
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
        if (!add_by(s, brz_str_of(text.data, n), error))
            return false;
        if (comma == NULL)
            return true;
        text = brz_str_of(comma + 1, text.len - n - 1);
    }
}

/* Adds a rule "PART=REGEX". */
static bool add_only(brz_selection *s, brz_str text, brz_buf *error)
{
    const char *equals = memchr(text.data, '=', text.len);
    if (equals == NULL || equals == text.data) {
        brz_buf_add_text(error,
                         "'only' takes process=REGEX, thread=REGEX, cpu=REGEX or LABEL=REGEX");
        return false;
    }
    size_t n = (size_t)(equals - text.data);
    brz_pattern *pattern = brz_pattern_create(brz_str_of(equals + 1, text.len - n - 1), error);
    if (pattern == NULL)
        return false;
    s->only = brz_grow(s->only, s->n_only, &s->only_cap, sizeof *s->only);
    s->only[s->n_only++] = (brz_selection_rule){brz_tag_part_of(brz_str_of(text.data, n)), pattern};
    return true;
}

bool brz_selection_set_only(brz_selection *s, brz_str text, brz_buf *error)
{
    for (;;) {
        const char *end = memchr(text.data, '\n', text.len);
        size_t n = end == NULL ? text.len : (size_t)(end - text.data);
        if (!add_only(s, brz_str_of(text.data, n), error))
            return false;
        if (end == NULL)
            return true;
        text = brz_str_of(end + 1, text.len - n - 1);
    }
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

/* Appends a hint if a side of the range is a number without a unit. */
static void hint_at_unit(brz_str side, brz_buf *error)
{
    size_t n = 0;
    while (n < side.len && ((side.data[n] >= '0' && side.data[n] <= '9') || side.data[n] == '.'))
        n++;
    if (n > 0 && n == side.len)
        brz_buf_printf(error, "; '%.*s' has no unit, such as s, ms or us", (int)side.len,
                       side.data);
}

bool brz_selection_set_time(brz_selection *s, brz_str text, brz_buf *error)
{
    size_t at = 0;
    while (at + 1 < text.len && (text.data[at] != '.' || text.data[at + 1] != '.'))
        at++;
    bool has_dots = at + 1 < text.len;
    brz_str from = brz_str_of(text.data, has_dots ? at : 0);
    brz_str to = has_dots ? brz_str_of(text.data + at + 2, text.len - at - 2) : BRZ_STR("");
    s->has_time = true;
    bool good_from = parse_side(from, 0, &s->from), good_to = parse_side(to, INT64_MAX, &s->to);
    if (has_dots && good_from && good_to && s->from < s->to)
        return true;
    brz_buf_add_text(error, "'time-range' takes FROM..TO, such as 1.5s..2s or 10ms.., "
                            "counted from the first sample");
    if (!good_from || !good_to)
        hint_at_unit(good_from ? to : from, error);
    return false;
}

uint32_t brz_selection_wants(const brz_selection *s)
{
    uint32_t wants = s->n_by > 0 || s->n_only > 0 ? BRZ_CTX_WANTS_TAGS : 0;
    return wants | (s->has_time ? BRZ_CTX_WANTS_TIME | BRZ_CTX_WANTS_ORDER : 0);
}

void brz_selection_finish(brz_selection *s)
{
    for (size_t i = 0; i < s->n_only; i++)
        brz_pattern_destroy(s->only[i].pattern);
    free(s->only);
    free(s->by);
    memset(s, 0, sizeof *s);
}

static size_t count_tags(const brz_profile *p)
{
    return p->tags.n > 0 ? p->tags.n : 1;
}

/* ---- removing samples ---------------------------------------------------------------------- */

/* Removes the tags that a rule does not match. Returns false after a failed match, or if all tags
 * lack the part. */
static bool match_rule(const brz_selection_rule *rule, const brz_profile *p,
                       const brz_tag_texts *texts, bool *matched, brz_buf *error)
{
    bool known = false;
    brz_buf text = {0};
    for (size_t tag = 0; tag < count_tags(p) && error->len == 0; tag++) {
        brz_buf_clear(&text);
        bool has_part = brz_tag_texts_add(texts, &text, (brz_tag)tag, &rule->part);
        known |= has_part;
        matched[tag] =
            matched[tag] && has_part &&
            brz_pattern_search(rule->pattern, brz_buf_str(&text), error) == BRZ_MATCH_FOUND;
    }
    brz_buf_finish(&text);
    if (!known && error->len == 0)
        brz_tag_part_explain(error, &rule->part, p);
    return error->len == 0;
}

/* Finds the tags that all rules match. */
static bool match_tags(const brz_selection *s, const brz_profile *p, bool *matched, brz_buf *error)
{
    bool good = true;
    brz_tag_texts texts;
    brz_tag_texts_init(&texts, p);
    memset(matched, true, count_tags(p) * sizeof *matched);
    for (size_t i = 0; i < s->n_only && good; i++)
        good = match_rule(&s->only[i], p, &texts, matched, error);
    brz_tag_texts_finish(&texts);
    return good;
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

/* Returns whether a rule matches the text of some tag. */
static bool matches_any(const brz_selection_rule *rule, const brz_profile *p,
                        const brz_tag_texts *texts)
{
    brz_buf text = {0}, ignored = {0};
    bool found = false;
    for (size_t tag = 0; tag < count_tags(p) && !found; tag++) {
        brz_buf_clear(&text);
        found = brz_tag_texts_add(texts, &text, (brz_tag)tag, &rule->part) &&
                brz_pattern_search(rule->pattern, brz_buf_str(&text), &ignored) == BRZ_MATCH_FOUND;
    }
    brz_buf_finish(&text);
    brz_buf_finish(&ignored);
    return found;
}

/* Appends the values of the first part of which no value matches. */
static void add_values(const brz_selection *s, const brz_profile *p, brz_buf *error)
{
    brz_tag_texts texts;
    brz_tag_texts_init(&texts, p);
    for (size_t i = 0; i < s->n_only; i++) {
        const brz_selection_rule *rule = &s->only[i];
        brz_shortlist values = {.most = LISTED_VALUES};
        if (matches_any(rule, p, &texts))
            continue;
        brz_tag_texts_list(&texts, &values, &rule->part);
        brz_buf_printf(error, "; '%.*s' has the values ", (int)rule->part.name.len,
                       rule->part.name.data);
        brz_shortlist_print(&values, error);
        brz_shortlist_finish(&values);
        break;
    }
    brz_tag_texts_finish(&texts);
}

/* Appends the time of the last sample, if it is before the range. */
static void add_last_time(const brz_selection *s, const brz_profile *p, brz_buf *error)
{
    int64_t first = INT64_MAX, last = INT64_MIN;
    for (size_t i = 0; i < p->samples.n; i++) {
        int64_t time = p->samples.items[i].time;
        if (time == BRZ_NO_TIME)
            continue;
        first = time < first ? time : first;
        last = time > last ? time : last;
    }
    int64_t span = first > last ? INT64_MAX : brz_subtract_saturated(last, first);
    if (span < s->from)
        brz_buf_printf(error, "; the last sample is at %lld.%03llds",
                       (long long)(span / 1000000000), (long long)(span / 1000000 % 1000));
}

/* Appends the reason why no sample is selected. */
static void explain_none(const brz_selection *s, const brz_profile *p, brz_buf *error)
{
    brz_buf_add_text(error, !s->has_time     ? "'only' selects no samples"
                            : s->n_only == 0 ? "'time-range' selects no samples"
                                             : "'only' and 'time-range' select no samples");
    if (s->n_only > 0)
        add_values(s, p, error);
    if (s->has_time)
        add_last_time(s, p, error);
}

bool brz_selection_apply(const brz_selection *s, brz_profile *p, brz_buf *error)
{
    int64_t from = INT64_MIN, to = INT64_MAX;
    if (s->n_only == 0 && !s->has_time)
        return true;
    bool *matched = brz_calloc(count_tags(p), sizeof *matched);
    bool good = s->n_only == 0 || match_tags(s, p, matched, error);
    good = good && (!s->has_time || find_range(s, p, &from, &to, error));
    size_t kept = 0;
    for (size_t i = 0; i < p->samples.n && good; i++) {
        brz_profile_sample sample = p->samples.items[i];
        bool is_in = s->n_only == 0 || matched[sample.tag];
        if (s->has_time)
            is_in &= sample.time != BRZ_NO_TIME && sample.time >= from && sample.time < to;
        if (is_in)
            p->samples.items[kept++] = sample;
    }
    free(matched);
    if (!good)
        return false;
    if (kept == 0)
        explain_none(s, p, error);
    p->samples.n = kept;
    brz_samples_rehash(&p->samples);
    brz_profile_sum_samples(p);
    brz_profile_drop_unused(p);
    return kept > 0;
}

/* ---- groups -------------------------------------------------------------------------------- */

/* Stacks below root frames. Nodes of the tree are root frames and, below all of these, stacks: the
 * ids that they had, in place of frames. */
typedef struct groups {
    brz_stack_tree tree;
    uint32_t *of_tag; /* nodes of the innermost root frames */
    size_t n_by;
    brz_profile_stack *old; /* stacks before they were grouped */
    brz_stack *first;       /* by old stack: the first of those that share its frames */
    uint32_t *longest;      /* by first stack: number of the frames that are shared */
    brz_frame **paths;      /* by node of a first stack: stored frames, below roots */
    size_t n_paths;
} groups;

static brz_frame root_frame(brz_profile *p, const brz_tag_texts *texts, const brz_tag_part *part,
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
    if (brz_tag_texts_add(texts, &b, tag, part)) {
        *known = true;
    } else {
        brz_buf_clear(&b);
        brz_tag_part_add_none(&b, part);
    }
    brz_frame_desc d = {.struct_size = sizeof d, .kind = BRZ_KIND_PROCESS, .name = brz_buf_str(&b)};
    brz_frame frame = brz_profile_add_frame(p, &d);
    brz_buf_finish(&b);
    return frame;
}

/* Makes the root frames of all tags. Returns false if all tags lack one of the parts. */
static bool make_roots(const brz_selection *s, brz_profile *p, groups *g, brz_buf *error)
{
    bool good = true;
    brz_tag_texts texts;
    brz_tag_texts_init(&texts, p);
    g->n_by = s->n_by;
    g->of_tag = brz_calloc(count_tags(p), sizeof *g->of_tag);
    brz_stack_tree_clear(&g->tree);
    for (size_t k = 0; k < s->n_by && good; k++) {
        good = false;
        for (size_t tag = 0; tag < count_tags(p); tag++)
            g->of_tag[tag] = brz_stack_tree_child(
                &g->tree, g->of_tag[tag], root_frame(p, &texts, &s->by[k], (brz_tag)tag, &good));
        if (!good)
            brz_tag_part_explain(error, &s->by[k], p);
    }
    brz_tag_texts_finish(&texts);
    return good;
}

/* Finds the stacks that share frames. */
static void find_shared(groups *g, brz_profile *p)
{
    brz_profile_stack **stacks = brz_profile_stacks_by_frames(p);
    size_t first = 0;
    g->first = brz_calloc(p->n_stacks, sizeof *g->first);
    g->longest = brz_calloc(p->n_stacks, sizeof *g->longest);
    for (size_t i = 0; i < p->n_stacks; i++) {
        size_t s = (size_t)(stacks[i] - p->stacks);
        first = i > 0 && stacks[i]->frames == p->stacks[first].frames ? first : s;
        g->first[s] = (brz_stack)first;
        g->longest[first] = stacks[i]->n > g->longest[first] ? stacks[i]->n : g->longest[first];
    }
    free(stacks);
}

/* Returns the frames that the stacks which share those of a node's stack have below its roots. */
static brz_frame *shared_frames(groups *g, brz_profile *p, uint32_t node)
{
    const brz_stack_node *nodes = g->tree.nodes;
    brz_stack first = nodes[node].frame;
    uint32_t n = g->longest[first];
    if (node >= g->n_paths) {
        g->paths = brz_realloc(g->paths, g->tree.cap, sizeof *g->paths);
        memset(g->paths + g->n_paths, 0, (g->tree.cap - g->n_paths) * sizeof *g->paths);
        g->n_paths = g->tree.cap;
    }
    if (g->paths[node] != NULL)
        return g->paths[node];
    brz_frame *frames = g->paths[node] = brz_profile_add_frames(p, g->n_by + n);
    if (n > 0)
        memcpy(frames + g->n_by, g->old[first].frames, n * sizeof *frames);
    for (uint32_t at = nodes[node].parent; at != 0; at = nodes[at].parent)
        frames[nodes[at].depth - 1] = nodes[at].frame;
    return frames;
}

/* Returns the stack of a sample below its root frames. The mark of a node is its stack, from 1. */
static brz_stack grouped_stack(groups *g, brz_profile *p, const brz_profile_sample *sample)
{
    uint32_t roots = g->of_tag[sample->tag];
    uint32_t node = brz_stack_tree_child(&g->tree, roots, sample->stack);
    if (g->tree.nodes[node].mark != 0)
        return g->tree.nodes[node].mark - 1;
    uint32_t first = brz_stack_tree_child(&g->tree, roots, g->first[sample->stack]);
    brz_stack stack =
        brz_profile_add_stored(p, shared_frames(g, p, first), g->n_by + g->old[sample->stack].n, 0);
    g->tree.nodes[node].mark = stack + 1;
    return stack;
}

bool brz_selection_group(const brz_selection *s, brz_profile *p, brz_buf *error)
{
    groups g = {0};
    if (s->n_by == 0)
        return true;
    bool good = make_roots(s, p, &g, error);
    if (good) {
        find_shared(&g, p);
        g.old = brz_profile_take_stacks(p);
        for (size_t i = 0; i < p->samples.n; i++)
            p->samples.items[i].stack = grouped_stack(&g, p, &p->samples.items[i]);
        brz_samples_rehash(&p->samples);
        brz_profile_sum_samples(p);
    }
    brz_stack_tree_finish(&g.tree);
    free(g.of_tag);
    free(g.old);
    free(g.first);
    free(g.longest);
    free(g.paths);
    return good;
}
