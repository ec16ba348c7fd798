/* SPDX-License-Identifier: MIT */
/* Reads the text of `go tool pprof -raw`:
 *
 *     titles   := (type "/" unit ["[dflt]"])+
 *     sample   := value+ ":" id*                  followed by lines of labels: key ":[" text "]"
 *     location := id ":" address ["M=" number] ["[F]"] function place* ["s=" line]
 *                 (function place ["s=" line])*   the callers that it was inlined into
 *
 * Samples come before the locations that their ids name, and run from leaf to root, as do the
 * functions of a location.
 */
#include "reader.h"

#include <stdlib.h>

#include "../../common/sample_count.h"

static void push_number(go *g, go_numbers *list, uint64_t number)
{
    list->items = brz_list_room(g->dump.ctx, list->items, list->n, &list->cap, sizeof number);
    list->items[list->n++] = number;
}

static brz_str next_word(brz_str *s)
{
    dump_take_blanks(s);
    size_t n = 0;
    while (n < s->len && s->data[n] != ' ' && s->data[n] != '\t')
        n++;
    brz_str word = brz_str_of(s->data, n);
    *s = brz_str_from(*s, n);
    return word;
}

static const brz_str default_mark = {"[dflt]", 6};

/* Declares a column such as "cpu/nanoseconds[dflt]". */
static uint32_t declare(go *g, brz_str column, bool is_shown)
{
    brz_column_desc weight = {.struct_size = sizeof weight, .name = column};
    weight.flags = is_shown ? BRZ_COLUMN_DEFAULT : 0;
    if (brz_ends_with(column, default_mark))
        weight.name.len -= default_mark.len;
    brz_cut_first(weight.name, '/', &weight.name, &weight.unit);
    weight.flags |= sample_count_flags(weight.name);
    return g->dump.ctx->host->column(g->dump.ctx, &weight);
}

bool go_are_titles(brz_str line)
{
    brz_str word, name, unit;
    size_t n = 0;
    for (; (word = next_word(&line)).len > 0; n++)
        if (!brz_cut_first(word, '/', &name, &unit) || name.len == 0 || unit.len == 0 ||
            memchr(word.data, ':', word.len) != NULL)
            return false;
    return n > 0;
}

/* Declares the columns. The shown one is the first: that whose missing weight is reported. */
void go_read_titles(go *g, brz_str line)
{
    const go_options *o = g->dump.ctx->cfg;
    brz_str words[GO_COLUMNS], word;
    size_t n = 0;
    g->shown = 0;
    while (n < GO_COLUMNS && (word = next_word(&line)).len > 0) {
        if (!o->first && brz_ends_with(word, default_mark))
            g->shown = n;
        words[n++] = word;
    }
    if (n > 0)
        g->columns[g->shown] = declare(g, words[g->shown], true);
    for (size_t i = 0; i < n; i++)
        if (i != g->shown)
            g->columns[i] = declare(g, words[i], false);
    g->n_columns = n;
}

/* ---- samples --------------------------------------------------------------------------------- */

/* The values of a sample's line. */
typedef struct row {
    size_t n;      /* cells */
    bool is_whole; /* all of them are numbers, as many as there are columns */
    bool has_shown;
    int64_t shown;
} row;

/* Reads values, as many as there are columns. Of a damaged row, finds the shown value: the last one
 * is next to the colon. */
static row read_values(go *g, brz_str text)
{
    row r = {.is_whole = text.len > 0 && !brz_is_blank(text.data[text.len - 1])};
    bool is_last = g->shown + 1 == g->n_columns, is_at_colon = r.is_whole;
    int64_t value;
    brz_str word;
    while ((word = next_word(&text)).len > 0) {
        bool good = brz_parse_i64(word, &value);
        if (good && r.n < g->n_columns)
            push_number(g, &g->values, (uint64_t)value);
        if (good && (is_last ? text.len == 0 && is_at_colon : r.n == g->shown)) {
            r.has_shown = true;
            r.shown = value;
        }
        r.is_whole &= good;
        r.n++;
    }
    r.has_shown &= r.n == g->n_columns || (is_last && r.n < g->n_columns);
    r.is_whole &= r.n == g->n_columns || (r.n > GO_COLUMNS && g->n_columns == GO_COLUMNS);
    return r;
}

static bool read_ids(go *g, brz_str text)
{
    uint64_t id;
    brz_str word;
    while ((word = next_word(&text)).len > 0) {
        if (!brz_parse_u64(word, &id))
            return false;
        push_number(g, &g->ids, id);
    }
    return true;
}

/* Returns whether a line has labels: "key:[text]". */
static bool is_label(brz_str line)
{
    size_t at = brz_str_find(line, BRZ_STR(":["), 0);
    return at != SIZE_MAX && at > 0 && brz_ends_with(brz_trim(line), BRZ_STR("]"));
}

/* Reports a damaged sample, and the second one in its line, which a damaged line end joins to it.
 */
static void leave_out(go *g, brz_str line, brz_str ids, const row *r)
{
    static const brz_str msg = {"not values and locations: sample left out", 41};
    brz_str second, rest;
    if (r->has_shown)
        dump_left_out(&g->dump, "go.sample", line, msg, r->shown);
    else
        brz_report_lost(g->dump.ctx, "go.sample", line.data, line.len, msg);
    if (!brz_cut_first(ids, ':', &second, &rest) || brz_starts_with(rest, BRZ_STR("[")))
        return;
    size_t n = g->values.n;
    size_t at = brz_str_find(second, BRZ_STR("  "), 0);
    row other = read_values(g, at == SIZE_MAX ? second : brz_str_from(second, at));
    g->values.n = n;
    if (other.has_shown)
        dump_left_out(&g->dump, "go.sample", line, msg, other.shown);
}

void go_read_sample(go *g, brz_str line)
{
    go_sample sample = {.values = g->values.n, .locations = g->ids.n};
    brz_str values, ids = brz_str_of(NULL, 0);
    if (brz_trim(line).len == 0)
        return;
    row r = {0};
    if (brz_cut_first(line, ':', &values, &ids))
        r = read_values(g, values);
    if (r.is_whole && read_ids(g, ids)) {
        sample.n = g->ids.n - sample.locations;
        g->samples =
            brz_list_room(g->dump.ctx, g->samples, g->n_samples, &g->samples_cap, sizeof sample);
        g->samples[g->n_samples++] = sample;
        return;
    }
    g->values.n = sample.values;
    g->ids.n = sample.locations;
    if (r.is_whole || !is_label(line))
        leave_out(g, line, ids, &r);
}

/* ---- locations ------------------------------------------------------------------------------- */

/* Removes " s=12" or " s=12(inl)" from the end. */
static void take_start(brz_str *s, brz_frame_desc *frame)
{
    size_t at = s->len;
    while (at > 0 && s->data[at - 1] != ' ')
        at--;
    brz_str word = brz_str_from(*s, at);
    uint64_t line;
    if (!brz_str_take(&word, "s=") || !brz_take_u64(&word, &line))
        return;
    frame->first_line = line <= UINT32_MAX ? (uint32_t)line : 0;
    *s = brz_trim_end(brz_str_of(s->data, at));
}

/* Parses "main.beta ./progv.go:7 s=0". Blanks may be part of a name; a place has a colon and
 * digits at its end. */
static void describe(dump *d, brz_str text, brz_frame_desc *frame)
{
    brz_str name, place, file, digits;
    uint64_t line;
    (void)d;
    take_start(&text, frame);
    frame->name = text;
    frame->kind = BRZ_KIND_USER;
    if (!brz_cut_last(text, ' ', &name, &place) || !brz_cut_last(place, ':', &file, &digits) ||
        !brz_parse_u64(digits, &line))
        return;
    dump_place(place, frame);
    frame->name = brz_trim_end(name);
}

/* Names a location without functions after its address. */
static void describe_address(dump *d, brz_str text, brz_frame_desc *frame)
{
    (void)d;
    dump_take_address(&text, &frame->address);
}

static void add_frame(go *g, brz_str text, bool is_address)
{
    go_location *last = &g->locations[g->n_locations - 1];
    dump_push(&g->dump, text, is_address, is_address ? describe_address : describe);
    brz_path *path = g->dump.stacks.path;
    brz_frame_list_push(&g->frames, g->dump.ctx, path->ids[path->n - 1]);
    brz_path_cut(path, 0);
    last->n++;
}

/* Removes the mapping and flags of a location: "M=1 [F]". */
static void take_mapping(brz_str *s)
{
    brz_str rest = *s;
    uint64_t number;
    dump_take_blanks(&rest);
    if (brz_str_take(&rest, "M=") && brz_take_u64(&rest, &number)) {
        dump_take_blanks(&rest);
        if (brz_str_take(&rest, "[F]"))
            dump_take_blanks(&rest);
    }
    *s = brz_trim(rest);
}

void go_read_location(go *g, brz_str line)
{
    brz_str text = line;
    uint64_t id, address;
    size_t indent = dump_take_blanks(&text);
    brz_str rest = text;
    if (text.len == 0)
        return;
    if (brz_take_u64(&rest, &id) && brz_str_take(&rest, ": ") && rest.len > 2) {
        brz_str where = brz_trim(rest);
        rest = where;
        if (dump_take_address(&rest, &address)) {
            if (brz_starts_with(rest, BRZ_STR("/"))) { /* a mapping, whose title is damaged */
                g->part = GO_MAPPINGS;
                return;
            }
            go_location location = {.id = id, .frames = g->frames.n};
            g->locations = brz_list_room(g->dump.ctx, g->locations, g->n_locations,
                                         &g->locations_cap, sizeof location);
            g->locations[g->n_locations++] = location;
            take_mapping(&rest);
            add_frame(g, rest.len > 0 ? rest : where, rest.len == 0);
            return;
        }
    }
    if (indent > 0 && g->n_locations > 0)
        add_frame(g, brz_trim(text), false);
    else
        dump_left_out(&g->dump, "go.location", line, BRZ_STR("not a location: left out"), 0);
}

/* ---- stacks ---------------------------------------------------------------------------------- */

static int by_id(const void *a, const void *b)
{
    uint64_t x = ((const go_location *)a)->id, y = ((const go_location *)b)->id;
    return (x > y) - (x < y);
}

static const go_location *find_location(const go *g, uint64_t id)
{
    go_location key = {.id = id};
    if (g->n_locations == 0)
        return NULL;
    return bsearch(&key, g->locations, g->n_locations, sizeof key, by_id);
}

static void push_unknown(go *g)
{
    brz_str name = BRZ_STR("[unknown]");
    brz_path_push(g->dump.stacks.path, g->dump.ctx,
                  g->dump.ctx->host->intern(g->dump.ctx, name.data, name.len));
}

static void push_location(go *g, uint64_t id)
{
    const go_location *l = find_location(g, id);
    if (l == NULL) {
        push_unknown(g);
        g->n_missing++;
    }
    for (size_t i = 0; l != NULL && i < l->n; i++)
        brz_path_push(g->dump.stacks.path, g->dump.ctx, g->frames.ids[l->frames + i]);
}

static brz_rc count_sample(go *g, const go_sample *s)
{
    brz_rc rc = BRZ_OK;
    brz_path_cut(g->dump.stacks.path, 0);
    for (size_t i = 0; i < s->n; i++)
        push_location(g, g->ids.items[s->locations + i]);
    if (s->n == 0)
        push_unknown(g);
    brz_stacks_begin_sample(&g->dump.stacks);
    for (size_t i = 0; i < g->n_columns && rc == BRZ_OK; i++) {
        int64_t value = (int64_t)g->values.items[s->values + i];
        if (value != 0)
            rc = brz_stacks_count(&g->dump.stacks, g->dump.ctx, g->columns[i], value);
    }
    brz_stacks_end_sample(&g->dump.stacks);
    return rc;
}

/* Reports samples that name locations which the text does not have, such as truncated text. */
static void report_missing(go *g)
{
    brz_report_count(g->dump.ctx, BRZ_WARNING, "go.location", g->n_missing, 0,
                     BRZ_STR("places in stacks without a location, which are [unknown]: {count}"));
    g->n_missing = 0;
}

brz_rc go_end_raw(go *g)
{
    brz_rc rc = BRZ_OK;
    if (g->n_locations > 0)
        qsort(g->locations, g->n_locations, sizeof *g->locations, by_id);
    for (size_t i = 0; i < g->n_samples && rc == BRZ_OK; i++)
        rc = count_sample(g, &g->samples[i]);
    brz_path_cut(g->dump.stacks.path, 0);
    report_missing(g);
    g->part = GO_HEADER;
    g->n_columns = g->n_samples = g->values.n = g->ids.n = 0;
    g->n_locations = g->frames.n = 0;
    return rc;
}
