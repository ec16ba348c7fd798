/* SPDX-License-Identifier: MIT */
/* Parses the JSON format of a report:
 *
 *     report := {"cost_centres": [centre*], "profile": node, "total_ticks": …, …}
 *     centre := {"id": n, "label": "…", "module": "…", "src_loc": "…", …}
 *     node   := {"id": n, "entries": n, "alloc": n, "ticks": n, "children": [node*]}
 *
 * Each open bracket has a place, such as CHILDREN: members may be in any order, and unknown ones
 * are skipped. Nodes are stored until the report is complete, since cost centres may follow them;
 * then all nodes are counted.
 */
#include "costs.h"

#include <brazier/symbol.h>

#include <string.h>

#include "../../common/json/cursor.h"

enum key { OTHER_KEY, ID, LABEL, MODULE, SOURCE, N_ENTRIES, N_ALLOC, N_TICKS, KIDS, LIST, TREE };

/* ---- the report ---------------------------------------------------------------------------- */

/* Returns the cache key of a cost centre's frame. `bytes` receives the id, padded since the hash
 * reads beyond it. */
static brz_frame_key centre_key(const json *j, uint64_t id, char bytes[40])
{
    memset(bytes, 0, 40);
    memcpy(bytes, &id, sizeof id);
    return brz_frame_key_of(&j->centres, bytes, sizeof id, 0);
}

static void add_centre(ghcprof *g, brz_ctx *ctx)
{
    json *j = &g->json;
    char bytes[40];
    brz_frame_key key = centre_key(j, j->centre_id, bytes);
    if (brz_frame_cache_find(&j->centres, &key) != BRZ_CACHE_MISS)
        return;
    centre c = {brz_text_str(&j->name), brz_text_str(&j->module), brz_text_str(&j->source)};
    brz_frame_cache_put(&j->centres, ctx, &key, centre_frame(g, ctx, &c));
}

static brz_frame frame_of(ghcprof *g, brz_ctx *ctx, const node *n)
{
    char bytes[40];
    brz_frame_key key = centre_key(&g->json, n->centre, bytes);
    uint32_t id = n->has_centre ? brz_frame_cache_find(&g->json.centres, &key) : BRZ_CACHE_MISS;
    if (id != BRZ_CACHE_MISS)
        return id;
    /* no position: the node may be far back */
    BRZ_WARN(ctx, "ghcprof.centre", NULL, 0, "a cost centre is not in the list: [unknown]");
    return ctx->host->intern(ctx, "[unknown]", strlen("[unknown]"));
}

/* Returns a part of a whole in per mille, rounded. */
static int64_t share(int64_t part, double whole)
{
    return whole <= 0 ? 0 : (int64_t)((double)part * 1000 / whole + 0.5);
}

static brz_rc count_node(ghcprof *g, brz_ctx *ctx, const node *n, double ticks, double bytes)
{
    int64_t costs[COSTS] = {[TIME] = share(n->ticks, ticks),
                            [ALLOC] = share(n->bytes, bytes),
                            [TICKS] = n->ticks,
                            [BYTES] = n->bytes,
                            [ENTRIES] = n->entries};
    brz_rc rc = count_waiting(g, ctx);
    brz_path_cut(g->stacks.path, n->depth);
    brz_path_push(g->stacks.path, ctx, frame_of(g, ctx, n));
    take_costs(g, costs);
    return rc;
}

/* Counts the nodes of a complete report. */
static brz_rc end_report(ghcprof *g, brz_ctx *ctx)
{
    json *j = &g->json;
    static const bool has[COSTS] = {true, true, true, true, true};
    double ticks = 0, bytes = 0;
    if (j->n_nodes == 0)
        return BRZ_OK;
    if (!declare_weights(g, ctx, has, TICKS))
        return BRZ_ERROR;
    for (size_t i = 0; i < j->n_nodes; i++) {
        ticks += (double)j->nodes[i].ticks;
        bytes += (double)j->nodes[i].bytes;
    }
    brz_rc rc = BRZ_OK;
    for (size_t i = 0; i < j->n_nodes && rc == BRZ_OK; i++)
        rc = count_node(g, ctx, &j->nodes[i], ticks, bytes);
    j->n_nodes = 0;
    brz_frame_cache_init(&j->centres, ctx); /* the next report has its own cost centres */
    return rc;
}

/* ---- brackets ------------------------------------------------------------------------------ */

static enum place place_of(const json *j)
{
    return j->n_places == 0 ? ELSEWHERE : (enum place)j->places[j->n_places - 1];
}

/* Returns the place of a bracket opened in the current place. */
static enum place opened(const json *j, bool object)
{
    enum place in = place_of(j);
    if (j->n_places == 0)
        return object ? REPORT : ELSEWHERE;
    if (in == REPORT && j->key == LIST && !object)
        return CENTRES;
    if (in == REPORT && j->key == TREE && object)
        return NODE;
    if (in == CENTRES && object)
        return CENTRE;
    if (in == NODE && j->key == KIDS && !object)
        return CHILDREN;
    return in == CHILDREN && object ? NODE : ELSEWHERE;
}

static void begin_node(json *j, brz_ctx *ctx)
{
    if (j->n_nodes == j->nodes_cap)
        j->nodes = brz_stacks_double(ctx, j->nodes, j->n_nodes, &j->nodes_cap, sizeof *j->nodes);
    if (j->n_open == j->open_cap)
        j->open_nodes =
            brz_stacks_double(ctx, j->open_nodes, j->n_open, &j->open_cap, sizeof *j->open_nodes);
    j->nodes[j->n_nodes] = (node){.depth = (uint32_t)j->n_open};
    j->open_nodes[j->n_open++] = j->n_nodes++;
}

/* Reports a value that is no number in the place of a cost of a node. */
static void check_value(const ghcprof *g, brz_ctx *ctx, brz_str text)
{
    const json *j = &g->json;
    static const enum key costs[] = {N_ENTRIES, N_ALLOC, N_TICKS};
    bool is_cost = false;
    for (size_t i = 0; i < BRZ_COUNT_OF(costs); i++)
        is_cost |= j->key == (int)costs[i];
    if (place_of(j) == NODE && is_cost)
        brz_report_lost(ctx, "ghcprof.number", text.data, text.len,
                        BRZ_STR("not a whole number: taken for 0"));
}

static void open_bracket(json *j, brz_ctx *ctx, bool object)
{
    enum place place = opened(j, object);
    if (j->n_places == j->places_cap)
        j->places = brz_stacks_double(ctx, j->places, j->n_places, &j->places_cap, 1);
    j->places[j->n_places++] = (unsigned char)place;
    if (place == NODE)
        begin_node(j, ctx);
    if (place == CENTRE) {
        j->centre_id = UINT64_MAX;
        j->name.len = j->module.len = j->source.len = 0;
    }
}

static brz_rc close_bracket(ghcprof *g, brz_ctx *ctx)
{
    json *j = &g->json;
    enum place place = place_of(j);
    j->n_places--;
    j->n_open -= place == NODE;
    if (place == CENTRE)
        add_centre(g, ctx);
    return place == REPORT ? end_report(g, ctx) : BRZ_OK;
}

/* ---- members ------------------------------------------------------------------------------- */

static enum key key_of(brz_str text)
{
    static const struct {
        const char *text;
        enum key key;
    } keys[] = {
        {"id", ID},          {"label", LABEL},       {"module", MODULE},
        {"src_loc", SOURCE}, {"entries", N_ENTRIES}, {"alloc", N_ALLOC},
        {"ticks", N_TICKS},  {"children", KIDS},     {"cost_centres", LIST},
        {"profile", TREE},
    };
    for (size_t i = 0; i < BRZ_COUNT_OF(keys); i++)
        if (brz_json_text_is(text, brz_str_of_text(keys[i].text)))
            return keys[i].key;
    return OTHER_KEY;
}

static void decode(brz_text *to, brz_ctx *ctx, brz_str text)
{
    to->len = 0;
    brz_json_decode(to, ctx, text);
}

static void take_text(json *j, brz_ctx *ctx, brz_str text)
{
    if (place_of(j) != CENTRE)
        return;
    if (j->key == LABEL)
        decode(&j->name, ctx, text);
    else if (j->key == MODULE)
        decode(&j->module, ctx, text);
    else if (j->key == SOURCE)
        decode(&j->source, ctx, text);
}

/* Parses a required integer; returns 0 and warns if it is not one. */
static int64_t number_of(brz_ctx *ctx, brz_str text)
{
    int64_t n;
    if (parse_number(text, &n))
        return n;
    BRZ_WARN(ctx, "ghcprof.number", text.data, text.len, "not a whole number: taken for 0");
    return 0;
}

/* Parses a cost of a node. If it is the one that is counted and not an integer, the node's weight
 * is missing. */
static int64_t cost_of(const ghcprof *g, brz_ctx *ctx, brz_str text, uint32_t cost)
{
    uint32_t counted = counted_cost(g, TICKS);
    int64_t n;
    if (cost != (counted == TIME ? TICKS : counted))
        return number_of(ctx, text);
    if (parse_number(text, &n))
        return n;
    brz_report_lost(ctx, "ghcprof.number", text.data, text.len,
                    BRZ_STR("not a whole number: taken for 0"));
    return 0;
}

static void take_scalar(ghcprof *g, brz_ctx *ctx, brz_str text)
{
    json *j = &g->json;
    if (place_of(j) == CENTRE && j->key == ID)
        j->centre_id = (uint64_t)number_of(ctx, text);
    if (place_of(j) != NODE)
        return;
    node *n = &j->nodes[j->open_nodes[j->n_open - 1]];
    if (j->key == ID) {
        n->centre = (uint64_t)number_of(ctx, text);
        n->has_centre = true;
    } else if (j->key == N_ENTRIES) {
        n->entries = cost_of(g, ctx, text, ENTRIES);
    } else if (j->key == N_ALLOC) {
        n->bytes = cost_of(g, ctx, text, BYTES);
    } else if (j->key == N_TICKS) {
        n->ticks = cost_of(g, ctx, text, TICKS);
    }
}

static brz_rc take_token(ghcprof *g, brz_ctx *ctx, const brz_json_token *t)
{
    json *j = &g->json;
    switch (t->kind) {
    case BRZ_JSON_OBJECT:
    case BRZ_JSON_ARRAY:
        check_value(g, ctx, t->text);
        open_bracket(j, ctx, t->kind == BRZ_JSON_OBJECT);
        return BRZ_OK;
    case BRZ_JSON_OBJECT_CLOSE:
    case BRZ_JSON_ARRAY_CLOSE:
        return close_bracket(g, ctx);
    case BRZ_JSON_KEY:
        j->key = (int)key_of(t->text);
        return BRZ_OK;
    case BRZ_JSON_STRING:
        check_value(g, ctx, t->text);
        take_text(j, ctx, t->text);
        return BRZ_OK;
    default:
        take_scalar(g, ctx, t->text);
        return BRZ_OK;
    }
}

/* ---- input --------------------------------------------------------------------------------- */

void json_init(json *j, brz_ctx *ctx)
{
    j->parser.several = j->parser.lenient = true;
    j->places_cap = j->nodes_cap = j->open_cap = 64;
    j->places = ctx->host->alloc(ctx, j->places_cap, 0);
    j->nodes = ctx->host->alloc(ctx, j->nodes_cap * sizeof *j->nodes, 0);
    j->open_nodes = ctx->host->alloc(ctx, j->open_cap * sizeof *j->open_nodes, 0);
    brz_frame_cache_init(&j->centres, ctx);
}

static brz_rc end_input(ghcprof *g, brz_ctx *ctx)
{
    if (g->json.n_places > 0 && !g->json.broken)
        BRZ_WARN(ctx, "ghcprof.cut-off", NULL, 0,
                 "the input ends within the report: the part that was read is counted");
    return end_report(g, ctx);
}

#define LONG_LINE (256u << 10)

/* Returns the number of bytes to read at once: whole lines, so that warnings have correct
 * positions, unless a line is very long. */
static size_t readable(const brz_chunk *chunk)
{
    const char *text = (const char *)chunk->data;
    if (text == NULL)
        return 0;
    if ((chunk->flags & BRZ_CHUNK_LAST) || chunk->len == 0)
        return chunk->len;
    const char *newline = brz_rfind_near(text, text + chunk->len, '\n');
    if (newline != NULL)
        return (size_t)(newline + 1 - text);
    return chunk->len < LONG_LINE ? 0 : chunk->len;
}

/* Reports the first deviation from JSON of each kind, whose place is in the chunk. Counts the
 * others for the end of the input: how many of them one token has depends on the chunks. */
static void report_deviations(json *j, brz_ctx *ctx)
{
    bool any = false;
    for (size_t i = 0; i < BRZ_JSON_N_DEVIATIONS; i++) {
        brz_json_count *found = &j->parser.deviations[i];
        bool is_first = found->n > 0 && !j->deviates[i];
        j->others += found->n - is_first;
        j->deviates[i] |= is_first;
        found->n = is_first;
        any |= is_first;
    }
    if (any)
        cursor_report_deviations(ctx, &j->parser);
    for (size_t i = 0; i < BRZ_JSON_N_DEVIATIONS && any; i++)
        j->parser.deviations[i].n = 0;
}

/* Gives up on the text from `at` on. */
static void leave_out(json *j, brz_ctx *ctx, brz_str at)
{
    BRZ_WARN(ctx, "ghcprof.json", at.data, at.len, "not JSON from here on: the rest is left out");
    j->broken = true;
}

brz_rc json_read(ghcprof *g, brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    json *j = &g->json;
    bool last = (chunk->flags & BRZ_CHUNK_LAST) != 0;
    const char *start = (const char *)chunk->data, *at = start, *end = start + readable(chunk);
    brz_rc rc = BRZ_OK;
    while (rc == BRZ_OK && !j->broken) {
        /* a text that ends too early is no error here: end_input() reports it */
        brz_json_token t = brz_json_next(&j->parser, ctx, &at, end, false);
        report_deviations(j, ctx);
        if (t.kind == BRZ_JSON_MORE)
            break;
        if (t.kind != BRZ_JSON_ERROR) {
            rc = take_token(g, ctx, &t);
            continue;
        }
        leave_out(j, ctx, t.text);
    }
    if (last && !j->broken && j->n_places == 0 && at < end)
        leave_out(j, ctx, brz_str_of(at, (size_t)(end - at)));
    *used = j->broken || last ? chunk->len : (size_t)(at - start);
    if (last)
        brz_report_count(
            ctx, BRZ_NOTE, "ghcprof.deviations", j->others, 0,
            BRZ_STR("{count} further {deviation|deviations} from JSON, of the kinds above"));
    return rc == BRZ_OK && last ? end_input(g, ctx) : rc;
}
