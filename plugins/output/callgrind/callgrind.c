/* Writes the output "callgrind": costs of functions and of the calls between them, in Callgrind's
 * format.
 *
 *     function := ["ob=" text] "fl=" text "fn=" text (line costs | call)*
 *     call     := ["cob=" text] "cfi=" text "cfn=" text "calls=" count line; line costs
 *     text     := "(" number ")" [" " words]           the words where the number is first used
 *
 * The format has a column of costs for each weight, starting with the selected one. Costs are
 * integers: a weight with decimals is counted in units of its last digit, and its name says so. The
 * format does not record which callers of a function lead to which of its callees.
 */
#include <brazier/plugin.h>
#include <brazier/symbol.h>
#include <brazier/write.h>

#include "../common/axis.h"
#include "../../common/shipped.h"
#include "edges.h"

enum { OBJECT, SOURCE, FUNCTION, N_SPACES };

/* State of one file being written. */
typedef struct file {
    brz_writer w;
    const brz_tree *tree;
    edges edges;
    bool objects;             /* whether any module is known; if so, each function names its own */
    uint32_t *seen[N_SPACES]; /* indexed by text: its number from 1, or 0 if not yet written */
    uint32_t n_seen[N_SPACES];
    uint32_t *order; /* weights in output order, the selected one first */
} file;

/* ---- text ---------------------------------------------------------------------------------- */

/* Writes a name that extends to the end of the line; replaces control characters, which would end
 * it. */
static void put_line_text(brz_writer *w, brz_str s)
{
    if (s.len == 0)
        BRZ_PUT(w, "???");
    for (size_t i = 0; i < s.len; i++) {
        char c = s.data[i];
        if ((unsigned char)c < 0x20 || c == 0x7f)
            c = ' ';
        brz_put_char(w, c);
    }
}

/* Writes an event's name, which must be a single word. */
static void put_event_name(brz_writer *w, const brz_weight_info *info)
{
    for (size_t i = 0; i < info->name.len; i++) {
        char c = info->name.data[i];
        if (!brz_is_hex(c) && !(c >= 'g' && c <= 'z') && !(c >= 'G' && c <= 'Z'))
            c = '_';
        brz_put_char(w, c);
    }
    if (info->name.len == 0)
        BRZ_PUT(w, "weight");
    if (info->decimals > 0) {
        BRZ_PUT(w, "_e");
        brz_put_u64(w, info->decimals);
    }
}

static void put_text(file *f, const char *key, int space, uint32_t text)
{
    uint32_t *number = &f->seen[space][text];
    bool new = *number == 0;
    if (new)
        *number = ++f->n_seen[space];
    brz_put_text(&f->w, key);
    brz_put_char(&f->w, '(');
    brz_put_u64(&f->w, *number);
    brz_put_char(&f->w, ')');
    if (new) {
        brz_put_char(&f->w, ' ');
        put_line_text(&f->w, f->edges.functions.texts.items[text]);
    }
    brz_put_char(&f->w, '\n');
}

static void put_values(file *f, const int64_t *values)
{
    for (uint32_t w = 0; w < f->tree->n_weights; w++) {
        brz_put_char(&f->w, ' ');
        brz_put_i64(&f->w, values[f->order[w]]);
    }
    brz_put_char(&f->w, '\n');
}

static bool all_zero(const int64_t *values, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (values[i] != 0)
            return false;
    return true;
}

/* ---- header -------------------------------------------------------------------------------- */

/* Writes the definition of an event: its name, its description and the scale of its numbers. */
static void put_event(file *f, const brz_weight_info *info)
{
    BRZ_PUT(&f->w, "event: ");
    put_event_name(&f->w, info);
    BRZ_PUT(&f->w, " : ");
    put_line_text(&f->w, info->name);
    if (info->decimals > 0) {
        BRZ_PUT(&f->w, " / 1");
        for (uint32_t i = 0; i < info->decimals; i++)
            brz_put_char(&f->w, '0');
    }
    if (info->unit.len > 0 && !brz_str_equal(info->unit, info->name)) {
        BRZ_PUT(&f->w, " (");
        put_line_text(&f->w, info->unit);
        brz_put_char(&f->w, ')');
    }
    brz_put_char(&f->w, '\n');
}

static void put_totals(file *f, const char *key)
{
    uint32_t n = f->tree->n_weights;
    const edges *e = &f->edges;
    brz_put_text(&f->w, key);
    for (uint32_t w = 0; w < n; w++) {
        int64_t sum = 0;
        for (uint32_t i = 0; i < e->lines.n; i++)
            sum = add_saturated(sum, e->self.values[(size_t)i * n + f->order[w]]);
        brz_put_char(&f->w, ' ');
        brz_put_i64(&f->w, sum);
    }
    brz_put_char(&f->w, '\n');
}

static void put_head(file *f)
{
    BRZ_PUT(&f->w, "# callgrind format\nversion: 1\ncreator: brazier@" BRZ_SHIPPED_VERSION
                   "\npositions: line\n");
    for (uint32_t w = 0; w < f->tree->n_weights; w++)
        put_event(f, brz_weight_at(f->tree, f->order[w]));
    BRZ_PUT(&f->w, "events:");
    for (uint32_t w = 0; w < f->tree->n_weights; w++) {
        brz_put_char(&f->w, ' ');
        put_event_name(&f->w, brz_weight_at(f->tree, f->order[w]));
    }
    brz_put_char(&f->w, '\n');
    put_totals(f, "summary:");
}

/* ---- functions ----------------------------------------------------------------------------- */

static void put_call(file *f, uint32_t number)
{
    const edges *e = &f->edges;
    uint64_t pair = e->pairs.items[key_first(e->calls.items[number])];
    uint64_t place = e->places.items[key_second(e->calls.items[number])];
    const function *callee = &e->functions.items[key_second(pair)];
    const int64_t *values = e->total.values + (size_t)number * e->n_weights;
    if (all_zero(values, e->n_weights))
        return;
    if (f->objects)
        put_text(f, "cob=", OBJECT, callee->module);
    put_text(f, "cfi=", SOURCE, callee->file);
    put_text(f, "cfn=", FUNCTION, callee->name);
    BRZ_PUT(&f->w, "calls=");
    brz_put_u64(&f->w, e->n_calls[number]);
    brz_put_char(&f->w, ' ');
    brz_put_u64(&f->w, key_second(place));
    brz_put_char(&f->w, '\n');
    brz_put_u64(&f->w, key_first(place));
    put_values(f, values);
}

static void put_function(file *f, uint32_t number)
{
    const edges *e = &f->edges;
    const function *fn = &e->functions.items[number];
    brz_put_char(&f->w, '\n');
    if (f->objects)
        put_text(f, "ob=", OBJECT, fn->module);
    put_text(f, "fl=", SOURCE, fn->file);
    put_text(f, "fn=", FUNCTION, fn->name);
    for (uint32_t i = e->self.first[number]; i != 0; i = e->self.next[i - 1]) {
        const int64_t *values = e->self.values + (size_t)(i - 1) * e->n_weights;
        if (all_zero(values, e->n_weights))
            continue;
        brz_put_u64(&f->w, key_second(e->lines.items[i - 1]));
        put_values(f, values);
    }
    for (uint32_t i = e->total.first[number]; i != 0; i = e->total.next[i - 1])
        put_call(f, i - 1);
}

static void init_file(file *f, brz_output_ctx *ctx, const brz_tree *tree)
{
    f->tree = tree;
    edges_init(&f->edges, ctx, tree);
    for (int i = 0; i < N_SPACES; i++)
        f->seen[i] = ctx->host->alloc(ctx, f->edges.functions.texts.n * sizeof *f->seen[i], 0);
    for (uint32_t i = 0; i < f->edges.functions.n; i++)
        f->objects |= f->edges.functions.items[i].module != 0;
    f->order = ctx->host->alloc(ctx, tree->n_weights * sizeof *f->order, 0);
    f->order[0] = tree->weight;
    for (uint32_t w = 0, n = 1; w < tree->n_weights; w++)
        if (w != tree->weight)
            f->order[n++] = w;
}

static brz_rc write_callgrind(brz_output_ctx *ctx, const brz_tree *tree, brz_sink *sink)
{
    file f = {.n_seen = {0}};
    axis_check(ctx, tree, BRZ_NO_WEIGHT);
    init_file(&f, ctx, tree);
    brz_writer_init(&f.w, ctx, sink);
    put_head(&f);
    for (uint32_t i = 0; i < f.edges.functions.n && f.w.rc == BRZ_OK; i++)
        put_function(&f, i);
    brz_put_char(&f.w, '\n');
    put_totals(&f, "totals:");
    return brz_writer_finish(&f.w);
}

static const char *const endings[] = {"callgrind", "callgrind.out", NULL};

static const brz_output output = {
    .struct_size = sizeof output,
    .flags = BRZ_OUTPUT_NODES | BRZ_OUTPUT_STACKS,
    .media_type = "text/plain",
    .endings = endings,
    .write = write_callgrind,
};

SHIPPED_PLUGIN("callgrind", BRZ_OUTPUT, &output,
               .summary = "costs of functions and calls, for KCachegrind and callgrind_annotate")
