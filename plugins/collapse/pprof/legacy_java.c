/* SPDX-License-Identifier: MIT */
/* Reads profiles of Java in text form:
 *
 *     profile   := ("--- heapz " n " ---" | "--- contentionz " n " ---") attribute* sample* symbol*
 *     attribute := ("format" | "resolution" | "sampling period" | "ms since reset") "=" value
 *     sample    := amount count "@" id*
 *
 * A profile of contention is one of Java if it states its format or resolution. The ids are those
 * of symbols (legacy_places.c). The resolution is the unit of the amount.
 */
#include "legacy.h"

#include <brazier/symbol.h>
#include <brazier/text.h>
#include <brazier/text/pieces.h>

#include "legacy_words.h"

/* Average number of bytes between two samples of a heap, which the profile does not state. */
#define HEAP_RATE 524288

typedef struct java {
    bool is_heap;
    bool is_known; /* an attribute says that the profile is one of Java */
    brz_str resolution;
    uint64_t period; /* number of events per sample */
} java;

/* ---- header -------------------------------------------------------------------------------- */

bool legacy_java_begins(brz_str line)
{
    return brz_starts_with(line, BRZ_STR("--- heapz ")) ||
           brz_starts_with(line, BRZ_STR("--- contentionz "));
}

/* Takes the first line that is not blank. Returns false if it is not that of such a profile. */
static bool take_title(brz_str *text, java *j)
{
    brz_str line;
    *j = (java){.resolution = BRZ_STR("nanoseconds"), .period = 1};
    while (brz_take_line(text, &line)) {
        line = brz_trim(line);
        if (line.len == 0)
            continue;
        j->is_heap = brz_starts_with(line, BRZ_STR("--- heapz "));
        if (j->is_heap)
            j->resolution = BRZ_STR("bytes");
        return legacy_java_begins(line);
    }
    return false;
}

static void set_period(java *j, brz_str value)
{
    uint64_t number;
    if (legacy_take_decimal(&value, &number) && number > 0)
        j->period = number;
}

/* Reads "resolution = microseconds". Returns false for other lines. */
static bool read_attribute(java *j, brz_str line)
{
    brz_str key, value;
    if (!brz_cut_first(line, '=', &key, &value))
        return false;
    key = brz_trim(key);
    value = brz_trim(value);
    bool is_resolution = brz_str_equal(key, BRZ_STR("resolution"));
    j->is_known |= is_resolution || brz_str_equal(key, BRZ_STR("format"));
    if (is_resolution && value.len > 0)
        j->resolution = value;
    if (brz_str_equal(key, BRZ_STR("sampling period")))
        set_period(j, value);
    return true;
}

/* Reads the title and the attributes, and leaves the samples in the text. */
static bool read_header(brz_str *text, java *j)
{
    brz_str line;
    if (!take_title(text, j))
        return false;
    for (brz_str rest = *text; brz_take_line(&rest, &line); *text = rest)
        if (brz_trim(line).len > 0 && !read_attribute(j, line))
            break;
    return j->is_heap || j->is_known;
}

int32_t legacy_java_sniff(brz_str text)
{
    java j;
    return read_header(&text, &j) ? BRZ_SNIFF_HEADER : BRZ_SNIFF_NO;
}

/* ---- samples ------------------------------------------------------------------------------- */

/* Declares the weights. The name of a unit is cut to 31 bytes. */
static void declare(legacy *l, const java *j)
{
    char unit[32] = "";
    const char *const heap[][2] = {{"inuse_objects", "count"}, {"inuse_space", unit}};
    const char *const contention[][2] = {{"contentions", "count"}, {"delay", unit}};
    memcpy(unit, j->resolution.data,
           j->resolution.len < sizeof unit ? j->resolution.len : sizeof unit - 1);
    legacy_declare(l, j->is_heap ? heap : contention, 2);
}

/* Reads "amount count @ id id". Returns false for other lines. */
static bool read_sample(legacy *l, const java *j, brz_str line, brz_rc *rc)
{
    uint64_t amount, count;
    int64_t values[2];
    if (!legacy_take_decimal(&line, &amount) || !legacy_take_decimal(&line, &count) ||
        !legacy_take_at(&line) || !legacy_push_calls(l, line))
        return false;
    if (j->is_heap) {
        legacy_scale(HEAP_RATE, (int64_t)count, (int64_t)amount, values);
    } else {
        values[0] = legacy_integer((double)count * (double)j->period);
        values[1] = legacy_integer((double)amount * (double)j->period);
    }
    *rc = legacy_count(l, values);
    return true;
}

/* Returns whether a line has ids alone, which are a part of the line of a sample. Lines of symbols
 * are indented, or have a name after the id. */
static bool has_ids_alone(brz_str line)
{
    uint64_t id;
    size_t n = 0;
    if (!brz_starts_with(line, BRZ_STR("0x")))
        return false;
    while (legacy_take_address(&line, &id))
        n++;
    return n > 0 && brz_trim(line).len == 0;
}

static brz_rc read_line(legacy *l, const java *j, brz_str line)
{
    brz_rc rc = BRZ_OK;
    bool has_ids = has_ids_alone(line);
    line = brz_trim(line);
    bool is_symbol = brz_starts_with(line, BRZ_STR("0x"));
    if (has_ids) {
        brz_report_lost_weight(l->ctx, "pprof.line", line.data, line.len,
                               BRZ_STR("ids without the numbers of a sample: left out"), 0);
        return BRZ_OK;
    }
    if (line.len > 0 && !legacy_is_comment(line) && !is_symbol && !read_sample(l, j, line, &rc))
        brz_report_lost(l->ctx, "pprof.line", line.data, line.len,
                        BRZ_STR("not a sample: left out"));
    return rc;
}

/* Reports a sample in the line of an attribute, whose line break is damaged. */
static void report_joined(brz_ctx *ctx, brz_str header)
{
    brz_str line;
    while (brz_take_line(&header, &line))
        if (memchr(line.data, '=', line.len) != NULL && brz_str_has(line, BRZ_STR(" @ 0x")))
            brz_report_lost(ctx, "pprof.line", line.data, line.len,
                            BRZ_STR("a sample in the line of an attribute: left out"));
}

brz_rc legacy_java_read(legacy *l, brz_str text)
{
    java j;
    brz_rc rc = BRZ_OK;
    brz_str line, all = text;
    if (!read_header(&text, &j))
        return BRZ_ERROR;
    report_joined(l->ctx, brz_str_of(all.data, (size_t)(text.data - all.data)));
    l->has_ids = true;
    declare(l, &j);
    legacy_places_read(&l->places, l->ctx, text);
    legacy_places_check_end(l->ctx, text);
    legacy_places_sort(&l->places);
    while (rc == BRZ_OK && brz_take_line(&text, &line))
        rc = read_line(l, &j, line);
    return rc == BRZ_OK ? brz_stacks_flush(&l->stacks, l->ctx) : rc;
}
