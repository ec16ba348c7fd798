/* Parses the JSON format of a report:
 *
 *     report := {"cost_centres": [centre*], "profile": node, "total_ticks": …, …}
 *     centre := {"id": n, "label": "…", "module": "…", "src_loc": "…", …}
 *     node   := {"id": n, "entries": n, "alloc": n, "ticks": n, "children": [node*]}
 *
 * The parser reads tokens as they arrive and keeps a stack of open brackets: members may be in any
 * order, and unknown ones are skipped. Nodes are stored until the report is complete, since cost
 * centres may follow them; then all nodes are counted.
 */
#include "json.h"

#include <brazier/symbol.h>

#include <string.h>

enum key { OTHER_KEY, ID, LABEL, MODULE, SOURCE, N_ENTRIES, N_ALLOC, N_TICKS, KIDS, LIST, TREE };

/* ---- tokens -------------------------------------------------------------------------------- */

typedef enum kind { MORE, BAD, OPEN, CLOSE, COMMA, COLON, TEXT, SCALAR } kind;

/* A token; the text of a string is without its quotes. */
typedef struct word {
    kind kind;
    char bracket;
    brz_str text;
} word;

/* Returns the end of the string that starts after a quote at p, or NULL if it is not in the
 * chunk. */
static const char *end_of_text(const char *p, const char *end)
{
    for (; p < end && *p != '"'; p++)
        p += *p == '\\' && p + 1 < end;
    return p < end ? p : NULL;
}

static bool ends_scalar(char c)
{
    return c == ',' || c == ']' || c == '}' || c == ':' || brz_is_blank(c);
}

/* Reads the token at *at and moves *at behind it. `last` says that the input ends at `end`. */
static word next_word(const char **at, const char *end, bool last)
{
    const char *p = *at;
    while (p < end && brz_is_blank(*p))
        p++;
    *at = p;
    if (p == end)
        return (word){.kind = MORE};
    word w = {.bracket = *p, .text = brz_str_of(p, 1)};
    const char *stop = p + 1;
    if (*p == '{' || *p == '[') {
        w.kind = OPEN;
    } else if (*p == '}' || *p == ']') {
        w.kind = CLOSE;
    } else if (*p == ',' || *p == ':') {
        w.kind = *p == ',' ? COMMA : COLON;
    } else if (*p == '"') {
        const char *quote = end_of_text(p + 1, end);
        if (quote == NULL)
            return (word){.kind = MORE};
        w = (word){.kind = TEXT, .text = brz_str_of(p + 1, (size_t)(quote - p - 1))};
        stop = quote + 1;
    } else {
        while (stop < end && !ends_scalar(*stop))
            stop++;
        if (stop == end && !last)
            return (word){.kind = MORE};
        bool known = (*p >= '0' && *p <= '9') || *p == '-' || *p == 't' || *p == 'f' || *p == 'n';
        w = (word){.kind = known ? SCALAR : BAD, .text = brz_str_of(p, (size_t)(stop - p))};
    }
    *at = stop;
    return w;
}

/* ---- strings ------------------------------------------------------------------------------- */

static bool parse_hex4(brz_str s, size_t at, uint32_t *code)
{
    if (at + 4 > s.len || !brz_all_hex(s.data + at, 4))
        return false;
    *code = 0;
    for (size_t i = 0; i < 4; i++) {
        char c = s.data[at + i];
        *code = *code << 4 | (uint32_t)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
    }
    return true;
}

static size_t put_utf8(uint32_t c, char *out)
{
    size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const unsigned char leads[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = n - 1; i > 0; i--, c >>= 6)
        out[i] = (char)(0x80 | (c & 0x3f));
    out[0] = (char)(leads[n] | c);
    return n;
}

/* Decodes the escape sequence after the backslash at `at`. Returns its length. */
static size_t put_escape(brz_str s, size_t at, brz_text *out)
{
    uint32_t code, low;
    char c = '\\';
    if (at < s.len)
        c = s.data[at];
    if (c != 'u' || !parse_hex4(s, at + 1, &code)) {
        static const char from[] = "bfnrt", to[] = "\b\f\n\r\t";
        const char *known = memchr(from, c, 5);
        if (known != NULL)
            c = to[known - from];
        out->data[out->len++] = c;
        return 1;
    }
    size_t n = 5;
    if (code >= 0xd800 && code < 0xdc00 && at + 6 < s.len && s.data[at + 5] == '\\' &&
        s.data[at + 6] == 'u' && parse_hex4(s, at + 7, &low) && low >= 0xdc00 && low < 0xe000) {
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        n = 11;
    }
    out->len += put_utf8(code, out->data + out->len);
    return n;
}

/* Decodes the text between quotes into `out`. */
static void unescape(brz_ctx *ctx, brz_str s, brz_text *out)
{
    out->len = 0;
    brz_text_room(out, ctx, s.len);
    for (size_t i = 0; i < s.len;) {
        if (s.data[i] != '\\')
            out->data[out->len++] = s.data[i++];
        else
            i += 1 + put_escape(s, i + 1, out);
    }
}

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
    /* no position: the node may be far behind */
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

#define OBJECT 0x80 /* flag of a context: the bracket is a brace */

static enum place place_of(const json *j)
{
    return j->depth == 0 ? ELSEWHERE : (enum place)(j->places[j->depth - 1] & ~OBJECT);
}

static bool in_object(const json *j)
{
    return j->depth > 0 && (j->places[j->depth - 1] & OBJECT) != 0;
}

/* Returns the context of a bracket opened in the current context. */
static enum place opened(const json *j, char bracket)
{
    enum place in = place_of(j);
    bool object = bracket == '{';
    if (j->depth == 0)
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

static void open_bracket(json *j, brz_ctx *ctx, char bracket)
{
    enum place place = opened(j, bracket);
    if (j->depth == j->places_cap)
        j->places = brz_stacks_double(ctx, j->places, j->depth, &j->places_cap, 1);
    j->places[j->depth++] = (unsigned char)(place | (bracket == '{' ? OBJECT : 0));
    if (place == NODE)
        begin_node(j, ctx);
    if (place == CENTRE) {
        j->centre_id = UINT64_MAX;
        j->name.len = j->module.len = j->source.len = 0;
    }
}

/* Closes a bracket. Returns false if it does not match the last open one. */
static bool close_bracket(ghcprof *g, brz_ctx *ctx, char bracket, brz_rc *rc)
{
    json *j = &g->json;
    if (j->depth == 0 || in_object(j) != (bracket == '}'))
        return false;
    enum place place = place_of(j);
    j->depth--;
    j->n_open -= place == NODE;
    if (place == CENTRE)
        add_centre(g, ctx);
    if (place == REPORT)
        *rc = end_report(g, ctx);
    return true;
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
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (brz_str_equal(text, brz_str_of(keys[i].text, strlen(keys[i].text))))
            return keys[i].key;
    return OTHER_KEY;
}

static void take_text(json *j, brz_ctx *ctx, brz_str text)
{
    if (j->wants_key) {
        j->key = (int)key_of(text);
        return;
    }
    if (place_of(j) != CENTRE)
        return;
    if (j->key == LABEL)
        unescape(ctx, text, &j->name);
    else if (j->key == MODULE)
        unescape(ctx, text, &j->module);
    else if (j->key == SOURCE)
        unescape(ctx, text, &j->source);
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

static void take_scalar(json *j, brz_ctx *ctx, brz_str text)
{
    if (place_of(j) == CENTRE && j->key == ID)
        j->centre_id = (uint64_t)number_of(ctx, text);
    if (place_of(j) != NODE)
        return;
    node *n = &j->nodes[j->open_nodes[j->n_open - 1]];
    if (j->key == ID) {
        n->centre = (uint64_t)number_of(ctx, text);
        n->has_centre = true;
    } else if (j->key == N_ENTRIES) {
        n->entries = number_of(ctx, text);
    } else if (j->key == N_ALLOC) {
        n->bytes = number_of(ctx, text);
    } else if (j->key == N_TICKS) {
        n->ticks = number_of(ctx, text);
    }
}

/* Handles a token. Returns false if it is not allowed here. */
static bool take_word(ghcprof *g, brz_ctx *ctx, const word *w, brz_rc *rc)
{
    json *j = &g->json;
    switch (w->kind) {
    case OPEN:
        open_bracket(j, ctx, w->bracket);
        j->wants_key = w->bracket == '{';
        return true;
    case CLOSE:
        return close_bracket(g, ctx, w->bracket, rc);
    case COMMA:
        j->wants_key = in_object(j);
        return true;
    case COLON:
        j->wants_key = false;
        return true;
    case TEXT:
        take_text(j, ctx, w->text);
        return true;
    case SCALAR:
        take_scalar(j, ctx, w->text);
        return true;
    default:
        return false;
    }
}

/* ---- input --------------------------------------------------------------------------------- */

void json_init(json *j, brz_ctx *ctx)
{
    j->places_cap = j->nodes_cap = j->open_cap = 64;
    j->places = ctx->host->alloc(ctx, j->places_cap, 0);
    j->nodes = ctx->host->alloc(ctx, j->nodes_cap * sizeof *j->nodes, 0);
    j->open_nodes = ctx->host->alloc(ctx, j->open_cap * sizeof *j->open_nodes, 0);
    brz_frame_cache_init(&j->centres, ctx);
}

static brz_rc end_input(ghcprof *g, brz_ctx *ctx)
{
    if (g->json.depth > 0 && !g->json.broken)
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
    if ((chunk->flags & BRZ_CHUNK_LAST) || chunk->len == 0)
        return chunk->len;
    const char *newline = brz_rfind_near(text, text + chunk->len, '\n');
    if (newline != NULL)
        return (size_t)(newline + 1 - text);
    return chunk->len < LONG_LINE ? 0 : chunk->len;
}

brz_rc json_read(ghcprof *g, brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    json *j = &g->json;
    bool last = (chunk->flags & BRZ_CHUNK_LAST) != 0;
    const char *start = (const char *)chunk->data, *at = start, *end = start + readable(chunk);
    brz_rc rc = BRZ_OK;
    while (rc == BRZ_OK && !j->broken) {
        word w = next_word(&at, end, last);
        if (w.kind == MORE)
            break;
        if (take_word(g, ctx, &w, &rc))
            continue;
        BRZ_WARN(ctx, "ghcprof.json", w.text.data, w.text.len,
                 "not JSON from here on: the rest is left out");
        j->broken = true;
    }
    *used = j->broken || last ? chunk->len : (size_t)(at - start);
    return rc == BRZ_OK && last ? end_input(g, ctx) : rc;
}
