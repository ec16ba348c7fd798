/* Collapses profiles of Very Sleepy, a sampling profiler for Windows, which are zip archives:
 *
 *     Callstacks.txt := (seconds symbol+)*
 *     Symbols.txt    := (symbol '"' module '" "' function '" "' file '"' line)*
 *     Stats.txt      := ("Filename: " program | …)*
 *
 * The symbols of a stack run from leaf to root. The other members repeat these facts.
 */
#include "../../common/shipped.h"

#include <brazier/symbol.h>
#include <brazier/text.h>

#include "../../common/json/ids.h"
#include "../../common/table/decimal.h"
#include "archive.h"

/* Decimals of the times. */
#define DECIMALS 6

typedef struct sleepy {
    brz_stacks stacks; /* leaf first */
    id_table ids;      /* symbols to indices into `frames` */
    brz_frame_list frames;
    uint32_t weight;
} sleepy;

static brz_rc open_instance(brz_ctx *ctx)
{
    sleepy *s = ctx->inst;
    brz_weight_desc d = {.struct_size = sizeof d, .decimals = DECIMALS};
    d.name = BRZ_STR("time");
    d.unit = BRZ_STR("seconds");
    brz_stacks_init(&s->stacks, ctx, BRZ_LEAF_FIRST);
    ids_init(&s->ids, ctx);
    s->weight = ctx->host->weight(ctx, &d);
    return BRZ_OK;
}

/* Removes the next line with text. Returns false if none is left. */
static bool take_line(brz_str *text, brz_str *line)
{
    while (brz_take_line(text, line)) {
        *line = brz_trim(*line);
        if (line->len > 0)
            return true;
    }
    return false;
}

/* ---- symbols ------------------------------------------------------------------------------- */

/* Splits a text at the first or the last '" "'. */
static bool split_quoted(brz_str text, bool last, brz_str *before, brz_str *after)
{
    static const brz_str between = {"\" \"", 3};
    size_t at = brz_str_find(text, between, 0), next = at;
    while (last && next != SIZE_MAX) {
        at = next;
        next = brz_str_find(text, between, at + between.len);
    }
    if (at == SIZE_MAX)
        return false;
    *before = brz_str_of(text.data, at);
    *after = brz_str_of(text.data + at + between.len, text.len - at - between.len);
    return true;
}

/* Reads a symbol. Returns false if the line does not describe one. */
static bool read_symbol(brz_str line, brz_str *id, brz_frame_desc *frame)
{
    brz_str rest, place, number;
    uint64_t n;
    if (!brz_cut_first(line, ' ', id, &rest) || !brz_starts_with(rest, BRZ_STR("\"")) ||
        !split_quoted(brz_str_of(rest.data + 1, rest.len - 1), false, &frame->module, &rest) ||
        !split_quoted(rest, true, &frame->name, &place) ||
        !brz_cut_last(place, '"', &frame->file, &number))
        return false;
    if (brz_parse_u64(brz_trim(number), &n) && n <= UINT32_MAX)
        frame->line = (uint32_t)n;
    if (brz_str_equal(frame->file, BRZ_STR("[unknown]")))
        frame->file.len = 0;
    return true;
}

static void read_symbols(sleepy *s, brz_ctx *ctx, brz_str text)
{
    brz_str line, id;
    while (take_line(&text, &line)) {
        brz_frame_desc d = {.struct_size = sizeof d};
        bool good = read_symbol(line, &id, &d);
        if (d.name.len == 0)
            d.name = BRZ_STR("[unknown]");
        if (!good)
            BRZ_WARN(ctx, "sleepy.symbol", NULL, 0, "a line of Symbols.txt is no symbol: left out");
        else if (ids_add(&s->ids, ctx, 0, id, (uint32_t)s->frames.n))
            brz_frame_list_push(&s->frames, ctx, ctx->host->frame(ctx, &d));
    }
}

/* ---- stacks -------------------------------------------------------------------------------- */

/* Reads the symbols of a stack into the path. Returns false if one of them is unknown. */
static bool read_path(sleepy *s, brz_ctx *ctx, brz_str symbols)
{
    brz_str id;
    brz_path_cut(s->stacks.path, 0);
    while (brz_take_piece(&symbols, ' ', &id)) {
        uint32_t index = ids_find(&s->ids, 0, id);
        if (id.len > 0 && index == BRZ_CACHE_MISS)
            return false;
        if (id.len > 0)
            brz_path_push(s->stacks.path, ctx, s->frames.ids[index]);
    }
    return s->stacks.path->n > 0;
}

static brz_rc read_stacks(sleepy *s, brz_ctx *ctx, brz_str text)
{
    brz_str line;
    brz_rc rc = BRZ_OK;
    decimal d;
    int64_t time;
    while (rc == BRZ_OK && take_line(&text, &line)) {
        if (!decimal_take(&line, false, &d) || !decimal_scale(&d, DECIMALS, &time))
            brz_report_lost(ctx, "sleepy.stack", NULL, 0,
                            BRZ_STR("a line of Callstacks.txt has no time: left out"));
        else if (!read_path(s, ctx, line))
            brz_report_lost_weight(ctx, "sleepy.unknown", NULL, 0,
                                   BRZ_STR("a stack with a symbol that Symbols.txt does not have: "
                                           "left out"),
                                   time);
        else
            rc = brz_stacks_count(&s->stacks, ctx, s->weight, time);
    }
    return rc;
}

/* ---- the archive --------------------------------------------------------------------------- */

static void state_facts(brz_ctx *ctx, brz_str text)
{
    static const brz_str label = {"Filename: ", 10};
    brz_metadata m = {.struct_size = sizeof m, .producer = BRZ_STR("Very Sleepy")};
    brz_str line;
    while (take_line(&text, &line))
        if (brz_starts_with(line, label))
            m.command = brz_str_of(line.data + label.len, line.len - label.len);
    ctx->host->metadata(ctx, &m);
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    sleepy *s = ctx->inst;
    *used = chunk->len;
    archive_check(ctx, chunk);
    state_facts(ctx, archive_read(ctx, chunk, BRZ_STR("Stats.txt")));
    read_symbols(s, ctx, archive_read(ctx, chunk, BRZ_STR("Symbols.txt")));
    return read_stacks(s, ctx, archive_read(ctx, chunk, BRZ_STR("Callstacks.txt")));
}

static brz_rc finish(brz_ctx *ctx)
{
    sleepy *s = ctx->inst;
    return brz_stacks_finish(&s->stacks, ctx);
}

/* Recognises an archive whose first members are those of a profile. */
static int32_t sniff(const brz_head *head)
{
    static const char *const members[] = {"Stats.txt", "Symbols.txt", "IPCounts.txt",
                                          "Callstacks.txt"};
    brz_str text = brz_str_of((const char *)head->data, head->len);
    size_t found = 0;
    if (!brz_starts_with(text, BRZ_STR("PK\3\4")))
        return BRZ_SNIFF_NO;
    for (size_t i = 0; i < BRZ_COUNT_OF(members); i++)
        found += brz_str_find(text, brz_str_of(members[i], strlen(members[i])), 0) != SIZE_MAX;
    return found >= 2 ? BRZ_SNIFF_MAGIC : BRZ_SNIFF_NO;
}

/* ---- plug-in ------------------------------------------------------------------------------- */

static const char *const globs[] = {"*.sleepy", NULL};

SHIPPED_READER(sleepy, .flags = BRZ_WHOLE_INPUT | BRZ_BINARY, .globs = globs, .open = open_instance,
               .finish = finish)

SHIPPED_COLLAPSER("sleepy", .summary = "profiles of Very Sleepy, a profiler for Windows",
                  .help = "Save the profile with File > Save As, which writes a .sleepy file.")
