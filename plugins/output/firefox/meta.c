/* SPDX-License-Identifier: MIT */
/* Writes the description of a profile: versions, facts about the recording, categories. */
#include "../common/frame_kind.h"
#include "profile.h"

/* ---- facts --------------------------------------------------------------------------------- */

/* Facts that have members of their own. */
static const struct {
    const char *key, *member;
} members[] = {
    {"system", ",\"oscpu\":"}, {"platform", ",\"platform\":"}, {"processor", ",\"CPUName\":"}};

/* Returns the member for a fact, or NULL. */
static const char *member_of(brz_str key)
{
    for (size_t i = 0; i < BRZ_COUNT_OF(members); i++)
        if (brz_str_is(key, members[i].key))
            return members[i].member;
    return NULL;
}

/* Writes a fact that the profiler shows in a list of further ones. */
static void put_extra(profile *p, brz_str label, brz_str value, bool *any)
{
    if (value.len == 0)
        return;
    if (*any)
        brz_put_char(&p->w, ',');
    else
        BRZ_PUT(&p->w, ",\n\"extra\":[{\"label\":\"Recording\",\"entries\":[");
    *any = true;
    BRZ_PUT(&p->w, "{\"label\":");
    brz_put_json(&p->w, label);
    BRZ_PUT(&p->w, ",\"format\":\"string\",\"value\":");
    brz_put_json(&p->w, value);
    brz_put_char(&p->w, '}');
}

static void put_facts(profile *p)
{
    const brz_metadata *m = p->tree->metadata;
    bool any = false;
    brz_put_member(&p->w, ",\"abi\":", m->architecture);
    brz_put_member(&p->w, ",\"arguments\":", m->command);
    for (uint64_t i = 0; i < m->n_pairs; i++) {
        const brz_pair *pair = brz_pair_at(m, i);
        if (member_of(pair->key) != NULL)
            brz_put_member(&p->w, member_of(pair->key), pair->value);
    }
    put_extra(p, BRZ_STR("producer"), m->producer, &any);
    put_extra(p, BRZ_STR("host"), m->host, &any);
    for (uint64_t i = 0; i < m->n_pairs; i++)
        if (member_of(brz_pair_at(m, i)->key) == NULL)
            put_extra(p, brz_pair_at(m, i)->key, brz_pair_at(m, i)->value, &any);
    for (uint64_t i = 0; i < m->n_comments; i++)
        put_extra(p, BRZ_STR("comment"), m->comments[i], &any);
    if (any)
        BRZ_PUT(&p->w, "]}]");
}

/* Writes the time between two samples, which is 1 ms if it is unknown or not constant. */
static void put_interval(profile *p)
{
    const brz_metadata *m = p->tree->metadata;
    int32_t digits = axis_digits(m->period_unit);
    axis milliseconds = {3 - digits};
    if (digits >= 0 && m->period > 0)
        put_on_axis(&p->w, milliseconds, (uint64_t)m->period);
    else
        brz_put_char(&p->w, '1');
}

/* ---- threads and categories ---------------------------------------------------------------- */

static void put_index(profile *p, uint32_t i, bool *any)
{
    if (*any)
        brz_put_char(&p->w, ',');
    *any = true;
    brz_put_u64(&p->w, i);
}

/* Writes which threads the profiler shows: all weights, or all threads with the run's weight. */
static void put_shown(profile *p)
{
    bool any = false;
    BRZ_PUT(&p->w, "\"initialSelectedThreads\":[");
    brz_put_u64(&p->w, p->by_thread ? p->tracks.heaviest : p->tree->main_column);
    BRZ_PUT(&p->w, "],\"initialVisibleThreads\":[");
    for (uint32_t i = 0; !p->by_thread && i < p->tree->n_columns; i++)
        put_index(p, i, &any);
    for (uint32_t i = 0; p->by_thread && i < p->tracks.n; i++)
        if (p->tracks.items[i].shown || i == p->tracks.heaviest)
            put_index(p, i, &any);
    brz_put_char(&p->w, ']');
}

/* Writes the categories: the frame kinds in their order. */
static void put_categories(profile *p)
{
    static const char *const colors[FRAME_KINDS] = {"grey",  "darkgrey", "yellow", "orange",
                                                    "green", "blue",     "magenta"};
    BRZ_PUT(&p->w, ",\n\"categories\":[");
    for (uint32_t kind = 0; kind < FRAME_KINDS; kind++) {
        brz_put_text(&p->w, kind > 0 ? ",{\"name\":" : "{\"name\":");
        brz_put_json(&p->w, kind > 0 ? frame_kind_word(kind) : BRZ_STR("other"));
        BRZ_PUT(&p->w, ",\"color\":\"");
        brz_put_text(&p->w, colors[kind]);
        BRZ_PUT(&p->w, "\",\"subcategories\":[\"Other\"]}");
    }
    brz_put_char(&p->w, ']');
}

/* Writes how the profiler shows labels, which are markers. */
static void put_marker_schema(profile *p)
{
    BRZ_PUT(&p->w,
            "{\"name\":\"label\",\"display\":[\"marker-chart\",\"marker-table\","
            "\"timeline-overview\"],\"chartLabel\":\"{marker.data.label}\","
            "\"tooltipLabel\":\"{marker.data.label}\",\"tableLabel\":\"{marker.data.label}\","
            "\"fields\":[{\"key\":\"label\",\"label\":\"Label\",\"format\":\"unique-string\"}]}");
}

/* ---- all ----------------------------------------------------------------------------------- */

void put_meta(profile *p)
{
    BRZ_PUT(&p->w, "{\"meta\":{\"product\":");
    brz_put_json(&p->w, p->name);
    BRZ_PUT(&p->w, ",\"version\":24,\"preprocessedProfileVersion\":66,\n"
                   "\"importedFrom\":\"brazier@" BRZ_SHIPPED_VERSION "\",\"interval\":");
    put_interval(p);
    BRZ_PUT(&p->w, ",\"startTime\":");
    brz_put_scaled(&p->w, p->tree->metadata->start, NANOSECONDS);
    BRZ_PUT(&p->w, ",\"processType\":0,\"stackwalk\":1,"
                   "\"debug\":false,\"symbolicated\":true,\"usesOnlyOneStackType\":true,"
                   "\"sourceCodeIsNotOnSearchfox\":true,\"keepProfileThreadOrder\":true,\n"
                   "\"sampleUnits\":{\"time\":\"ms\",\"eventDelay\":\"ms\","
                   "\"threadCPUDelta\":\"\xc2\xb5s\"},\n"
                   "\"extensions\":{\"id\":[],\"name\":[],\"baseURL\":[],\"length\":0},"
                   "\"markerSchema\":[");
    if (p->labels.n > 1)
        put_marker_schema(p);
    BRZ_PUT(&p->w, "],");
    put_shown(p);
    put_facts(p);
    put_categories(p);
    BRZ_PUT(&p->w, "},\n");
}
