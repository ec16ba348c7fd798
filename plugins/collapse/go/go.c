/* SPDX-License-Identifier: MIT */
/* Collapses the text that `go tool pprof -raw`, `-traces` and `-top` print.
 *
 *     raw    := (key ":" text)* "Samples:" titles sample* "Locations" location* "Mappings" ...
 *     traces := (key ":" text)* separator (label* row* separator)*
 *     top    := (key ":" text)* total titles row*
 *
 * raw.c, traces.c and top.c have the grammars of the parts.
 */
#include "reader.h"

/* Reads the titles of columns after "Samples:", which a damaged line end joins to it. */
static void read_joined_titles(go *g, brz_str line)
{
    size_t at = strlen("Samples:") + 1;
    if (line.len <= at || !go_are_titles(brz_str_from(line, at)))
        return;
    BRZ_WARN(g->dump.ctx, "go.samples", line.data, line.len,
             "two lines in one: they are read apart");
    go_read_titles(g, brz_str_from(line, at));
}

/* Returns whether a line is a sample of -raw: values, a colon and ids. */
static bool is_sample(brz_str line)
{
    brz_str parts[2], word;
    uint64_t number;
    if (line.len == 0 || !brz_is_blank(line.data[0]) ||
        !brz_cut_first(line, ':', &parts[0], &parts[1]))
        return false;
    for (size_t i = 0; i < 2; i++)
        while (brz_take_piece(&parts[i], ' ', &word))
            if (word.len > 0 && !brz_parse_u64(word, &number))
                return false;
    return true;
}

/* Reads a line of the header: "Type: cpu", or the beginning of a part. */
static brz_rc read_header(go *g, brz_str line)
{
    if (brz_starts_with(line, BRZ_STR("Samples:"))) {
        g->part = GO_SAMPLES;
        read_joined_titles(g, line);
    } else if (go_is_separator(line)) {
        g->part = GO_TRACES;
    } else if (go_is_top_title(line)) {
        g->part = GO_TOP;
    } else if (brz_starts_with(line, BRZ_STR("Showing nodes accounting for "))) {
        go_read_top_total(g, line);
        g->part = GO_TOP;
    } else if (g->n_columns == 0 && go_are_titles(line)) {
        g->part = GO_SAMPLES;
        BRZ_WARN(g->dump.ctx, "go.samples", line.data, line.len,
                 "the samples begin without the line that says so");
        go_read_titles(g, line);
    } else if (go_begins_trace(g, line)) {
        g->part = GO_TRACES;
        BRZ_WARN(g->dump.ctx, "go.separator", line.data, line.len,
                 "a trace begins without a line that ends what is before it");
        return go_read_trace(g, line);
    } else if (is_sample(line)) {
        brz_report_lost(g->dump.ctx, "go.sample", line.data, line.len,
                        BRZ_STR("a sample without the titles of its values: left out"));
    } else if (brz_str_take(&line, "Type: ")) {
        g->type = brz_text_keep(g->dump.ctx, brz_trim(line));
    }
    return BRZ_OK;
}

/* Returns whether a line begins the header of a report of traces. Their rows are indented. */
static bool begins_header(brz_str line)
{
    return brz_starts_with(line, BRZ_STR("File: ")) || brz_starts_with(line, BRZ_STR("Type: ")) ||
           brz_starts_with(line, BRZ_STR("Build ID: "));
}

/* Returns whether a line begins the header of another raw text, or its samples, without the lines
 * in front of it. */
static bool begins_raw(const go *g, brz_str line)
{
    bool is_after_samples = g->part == GO_LOCATIONS || g->part == GO_MAPPINGS;
    if (is_after_samples && line.len > 0 && !brz_is_blank(line.data[0]) && go_are_titles(line))
        return true;
    static const char *const keys[] = {
        "PeriodType: ", "Period: ", "Time: ", "Duration: ", "Samples:"};
    for (size_t i = 0; i < (g->part == GO_MAPPINGS ? BRZ_COUNT_OF(keys) : 1); i++)
        if (brz_starts_with(line, brz_str_of_text(keys[i])))
            return true;
    return false;
}

/* Begins another report after one of traces, which may have another weight. */
static brz_rc begin_report(go *g, brz_str line)
{
    brz_rc rc = BRZ_OK;
    if (g->part == GO_TOP)
        go_end_top(g);
    else
        rc = go_end_trace(g);
    g->part = GO_HEADER;
    g->n_columns = 0;
    return rc == BRZ_OK ? read_header(g, line) : rc;
}

static brz_rc read_line(void *instance, brz_str line)
{
    go *g = instance;
    if (g->part == GO_HEADER)
        return read_header(g, line);
    if ((g->part == GO_TRACES || g->part == GO_TOP) && begins_header(line))
        return begin_report(g, line);
    if (g->part == GO_TRACES)
        return go_read_trace(g, line);
    if (g->part == GO_TOP)
        return go_read_top(g, line);
    if (begins_raw(g, line)) {
        brz_rc rc = go_end_raw(g);
        return rc == BRZ_OK ? read_header(g, line) : rc;
    }
    if (brz_starts_with(line, BRZ_STR("Locations")))
        g->part = GO_LOCATIONS;
    else if (brz_starts_with(line, BRZ_STR("Mappings")))
        g->part = GO_MAPPINGS;
    else if (g->part == GO_SAMPLES && g->n_columns == 0)
        go_read_titles(g, line);
    else if (g->part == GO_SAMPLES)
        go_read_sample(g, line);
    else if (g->part == GO_LOCATIONS)
        go_read_location(g, line);
    return BRZ_OK;
}

static brz_rc end_input(void *instance, const char *at)
{
    go *g = instance;
    (void)at;
    if (g->part == GO_TOP)
        go_end_top(g);
    return g->part == GO_TRACES ? go_end_trace(g) : g->part == GO_TOP ? BRZ_OK : go_end_raw(g);
}

/* ---- plug-in --------------------------------------------------------------------------------- */

static int32_t sniff(const brz_head *head)
{
    brz_str text = dump_head_lines(head), line;
    bool key = false;
    for (size_t i = 0; i < 100 && brz_block_line(&text, &line); i++) {
        if (i == 0 && brz_starts_with(line, BRZ_STR("PeriodType: ")))
            return BRZ_SNIFF_HEADER;
        key |= brz_starts_with(line, BRZ_STR("File: ")) ||
               brz_starts_with(line, BRZ_STR("Type: ")) ||
               brz_starts_with(line, BRZ_STR("Duration: "));
        if (go_is_separator(line) || go_is_top_title(line))
            return key ? BRZ_SNIFF_HEADER : BRZ_SNIFF_RECORDS;
    }
    return BRZ_SNIFF_NO;
}

DUMP_PARSE_LINES(read_line, end_input)

static const brz_option option_table[] = {
    BRZ_OPTION(go_options, "first", BOOL, first, "false",
               "show the first weight of -raw instead of the one marked as default"),
};

SHIPPED_READER(go, .open = dump_open, .finish = dump_finish)

BRZ_HINTS(BRZ_IF_BEGINS("PeriodType: ") BRZ_IF_CONTAINS("-----------+-----")
              BRZ_IF_CONTAINS("flat  flat%"))

SHIPPED_COLLAPSER(
    "go", .summary = "text of go tool pprof -raw, -traces and -top",
    .help = "brazier also reads the profile itself, which contains more: -top has no callers.",
    BRZ_OPTIONS(option_table, go_options))
