/* SPDX-License-Identifier: MIT */
/* Reads what a trace states of the recording: members that Chrome writes, and those of brazier. */
#include <brazier/symbol.h>
#include <brazier/text/integer.h>

#include "../../common/json/text.h"
#include "trace.h"

/* Members of "metadata" and "otherData". */
enum {
    FACT_CREATOR,
    FACT_PRODUCER,
    FACT_VERSION,
    FACT_SOURCE,
    FACT_COMMAND_LINE,
    FACT_COMMAND,
    FACT_SYSTEM,
    FACT_CPU,
    FACT_HOST,
    FACT_ARCHITECTURE,
    FACT_START,
    FACT_CLOCK_START,
    FACT_DURATION,
    FACT_PERIOD,
    FACT_PERIOD_NAME,
    FACT_PERIOD_UNIT,
    FACT_COMMENTS,
    FACT_FACTS,
    FACTS
};

static int64_t number(const brz_json_token *t)
{
    int64_t n;
    return t->kind == BRZ_JSON_NUMBER && brz_parse_i64(t->text, &n) ? n : 0;
}

/* Returns the first of `n` values that is a text. */
static brz_str first_text(brz_ctx *ctx, const brz_json_token *values, size_t n)
{
    brz_str text = {0};
    for (size_t i = 0; i < n && text.len == 0; i++)
        text = json_text(ctx, &values[i]);
    return text;
}

static void state_pair(brz_ctx *ctx, brz_str key, brz_str value)
{
    brz_pair pair = {key, value};
    brz_metadata m = {.struct_size = sizeof m, .pair_size = sizeof pair, .pairs = &pair};
    m.n_pairs = value.len > 0;
    ctx->host->metadata(ctx, &m);
}

/* States the comments and facts that brazier wrote. */
static void state_lists(brz_ctx *ctx, const brz_json_token *values)
{
    cursor c;
    brz_str key;
    brz_text name = {0};
    bool open = members_open(&c, ctx, &values[FACT_COMMENTS], BRZ_JSON_ARRAY);
    while (open && cursor_element(&c)) {
        brz_str comment = json_text(ctx, &c.token);
        brz_metadata m = {.struct_size = sizeof m, .comments = &comment};
        m.n_comments = comment.len > 0;
        ctx->host->metadata(ctx, &m);
        cursor_skip(&c);
    }
    open = members_open(&c, ctx, &values[FACT_FACTS], BRZ_JSON_OBJECT);
    while (open && cursor_member(&c, &key)) {
        name.len = 0;
        brz_json_decode(&name, ctx, key);
        state_pair(ctx, brz_text_str(&name), json_text(ctx, &c.token));
        cursor_skip(&c);
    }
}

void trace_metadata(trace *t, cursor *c)
{
    static const char *const keys[FACTS] = {"creator",      "producer",     "product-version",
                                            "source",       "command_line", "command",
                                            "os-name",      "cpu-brand",    "host",
                                            "architecture", "start",        "clockStart",
                                            "duration",     "period",       "periodName",
                                            "periodUnit",   "comments",     "facts"};
    brz_json_token values[FACTS] = {{0}};
    brz_metadata m = {.struct_size = sizeof m, .pair_size = sizeof(brz_pair)};
    members_read(c, keys, FACTS, values);
    brz_str creator = json_text(c->ctx, &values[FACT_CREATOR]);
    t->own |= brz_starts_with(creator, BRZ_STR("brazier@"));
    m.producer = first_text(c->ctx, &values[FACT_PRODUCER], 3);
    if (m.producer.len == 0)
        m.producer = creator;
    m.command = first_text(c->ctx, &values[FACT_COMMAND_LINE], 2);
    m.host = json_text(c->ctx, &values[FACT_HOST]);
    m.architecture = json_text(c->ctx, &values[FACT_ARCHITECTURE]);
    if (t->own) {
        m.start = number(&values[FACT_START]);
        m.clock_start = number(&values[FACT_CLOCK_START]);
        m.duration = number(&values[FACT_DURATION]);
        m.period = number(&values[FACT_PERIOD]);
        m.period_name = json_text(c->ctx, &values[FACT_PERIOD_NAME]);
        m.period_unit = json_text(c->ctx, &values[FACT_PERIOD_UNIT]);
        state_lists(c->ctx, values);
    }
    c->ctx->host->metadata(c->ctx, &m);
    state_pair(c->ctx, BRZ_STR("system"), json_text(c->ctx, &values[FACT_SYSTEM]));
    state_pair(c->ctx, BRZ_STR("processor"), json_text(c->ctx, &values[FACT_CPU]));
}
