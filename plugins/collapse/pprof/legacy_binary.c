/* SPDX-License-Identifier: MIT */
/* Reads binary CPU profiles, whose machine words have 4 or 8 bytes, in either order:
 *
 *     profile := 0 3 version period 0 sample* end text
 *     sample  := count depth address{depth}
 *     end     := 0 1 0
 *
 * The version is 1 for Java, and the period is in microseconds. C++ samples contain frames of the
 * signal handler between the leaf and its caller.
 */
#include "legacy.h"

#include <brazier/binary.h>
#include <brazier/symbol.h>

enum { VERSION_CPP, VERSION_JAVA };

#define LONGEST_PERIOD UINT64_C(1000000000) /* microseconds */

typedef struct words {
    brz_bytes bytes;
    uint32_t size;
    uint64_t version, period;
} words;

/* A sample: its place in the input, and the number of frames after the leaf to skip. */
typedef struct sample {
    const uint8_t *at; /* its count */
    uint64_t depth;
    uint32_t skipped;
} sample;

typedef struct samples {
    sample *items;
    size_t n, cap;
} samples;

static uint64_t take(words *w)
{
    return brz_bytes_uint(&w->bytes, w->size);
}

/* ---- header -------------------------------------------------------------------------------- */

static bool read_header(words *w)
{
    uint64_t first = take(w), n_words = take(w);
    bool good = first == 0 && n_words == 3;
    w->version = take(w);
    w->period = take(w);
    return good && take(w) == 0 && w->version <= VERSION_JAVA && w->period > 0 &&
           w->period <= LONGEST_PERIOD && w->bytes.error == NULL;
}

/* Finds the size and order of words. Returns false if the input has no header of
 * these. */
static bool find_words(brz_str text, words *w)
{
    static const uint32_t sizes[] = {8, 4}, orders[] = {BRZ_LITTLE_ENDIAN, BRZ_BIG_ENDIAN};
    for (size_t i = 0; i < 4; i++) {
        *w = (words){.bytes = brz_bytes_of(text.data, text.len), .size = sizes[i / 2]};
        w->bytes.order = orders[i % 2];
        if (read_header(w))
            return true;
    }
    return false;
}

/* Reads the count and depth of a sample. Returns false at the end, or after a failure. */
static bool next_sample(words *w, sample *s, uint64_t *count)
{
    if (brz_bytes_left(&w->bytes) == 0) {
        brz_bytes_cut(&w->bytes);
        return false;
    }
    s->at = w->bytes.at;
    *count = take(w);
    s->depth = take(w);
    const uint8_t *addresses = w->bytes.at;
    if (s->depth > brz_bytes_left(&w->bytes) / w->size) {
        brz_bytes_cut(&w->bytes);
        return false;
    }
    uint64_t leaf = s->depth == 0 ? 1 : take(w);
    if (*count == 0 && s->depth == 1 && leaf == 0)
        return false;
    w->bytes.at = addresses + s->depth * w->size;
    return w->bytes.error == NULL;
}

int32_t legacy_binary_sniff(brz_str text)
{
    words w;
    sample s;
    uint64_t count;
    bool good = find_words(text, &w);
    for (size_t i = 0; i < 4 && good && next_sample(&w, &s, &count); i++)
        good = s.depth > 0 && count <= INT32_MAX;
    return good && (w.bytes.error == NULL || w.bytes.is_cut) ? BRZ_SNIFF_HEADER : BRZ_SNIFF_NO;
}

/* ---- the signal handler -------------------------------------------------------------------- */

/* Returns the i-th address of a sample. */
static uint64_t address_at(const words *w, const sample *s, uint64_t i)
{
    brz_bytes b = w->bytes;
    b.at = s->at + (2 + i) * w->size;
    return brz_bytes_uint(&b, w->size);
}

/* Returns the address that more than half of the samples have next to the leaf, if there is one. */
static uint64_t frequent_address(const words *w, const samples *s)
{
    uint64_t found = 0;
    size_t votes = 0;
    for (size_t i = 0; i < s->n; i++) {
        const sample *one = &s->items[i];
        uint64_t address = one->depth > 1 + one->skipped ? address_at(w, one, 1 + one->skipped) : 0;
        if (votes == 0)
            found = address;
        votes = address == found ? votes + 1 : votes - 1;
    }
    return found;
}

static bool has_next(const words *w, const sample *s, uint64_t address)
{
    return s->depth > 1 + s->skipped && address_at(w, s, 1 + s->skipped) == address;
}

/* Skips the frame next to the leaf if nearly all samples have it: it is the signal handler's. */
static void skip_handler(const words *w, samples *s)
{
    uint64_t address = frequent_address(w, s);
    size_t count = 0;
    for (size_t i = 0; i < s->n; i++)
        count += has_next(w, &s->items[i], address);
    if (count == 0 || s->n - count > s->n / 32)
        return;
    for (size_t i = 0; i < s->n; i++)
        s->items[i].skipped += has_next(w, &s->items[i], address);
}

/* Skips the frame next to the leaf if it repeats the leaf. */
static void skip_repeated_leaf(const words *w, samples *s)
{
    for (size_t i = 0; i < s->n; i++)
        s->items[i].skipped += has_next(w, &s->items[i], address_at(w, &s->items[i], 0));
}

/* ---- samples ------------------------------------------------------------------------------- */

static void report(legacy *l, const sample *s, const char *msg)
{
    brz_report_lost(l->ctx, "pprof.sample", s->at, 0, brz_str_of(msg, strlen(msg)));
}

/* Lists the samples, and finds the text after them. */
static void list_samples(legacy *l, words *w, samples *list)
{
    sample s = {0};
    uint64_t count;
    size_t left = brz_bytes_left(&w->bytes);
    for (; next_sample(w, &s, &count); left = brz_bytes_left(&w->bytes)) {
        list->items = brz_list_room(l->ctx, list->items, list->n, &list->cap, sizeof s);
        list->items[list->n++] = s;
    }
    if (w->bytes.error != NULL && left > 0)
        report(l, &s, "the data ends within a sample: left out");
    else if (w->bytes.error != NULL)
        brz_bytes_report(l->ctx, &w->bytes, BRZ_WARNING, "pprof.cut-off");
}

/* Reports a profile that begins in the text after the samples: that has no machine words. */
static void check_text(legacy *l, const words *w)
{
    brz_str text = brz_str_of((const char *)w->bytes.at, brz_bytes_left(&w->bytes));
    brz_str header = brz_str_of((const char *)w->bytes.start, (size_t)3 * w->size);
    size_t at = brz_str_find(text, header, 0);
    if (w->bytes.error == NULL && at != SIZE_MAX)
        brz_report_lost(l->ctx, "pprof.another", text.data + at, 0,
                        BRZ_STR("another profile follows, which is not read: name each file by "
                                "itself"));
}

static brz_rc count_sample(legacy *l, const words *w, const sample *s)
{
    brz_bytes b = w->bytes;
    b.at = s->at;
    uint64_t count = brz_bytes_uint(&b, w->size);
    int64_t values[2] = {0, 0};
    if (count > INT64_MAX ||
        __builtin_mul_overflow((int64_t)count, (int64_t)w->period * 1000, &values[1])) {
        report(l, s, "the count of a sample is too large: left out");
        return BRZ_OK;
    }
    if (count == 0)
        return BRZ_OK;
    values[0] = (int64_t)count;
    for (uint64_t i = 0; i < s->depth; i = i == 0 ? 1 + s->skipped : i + 1) {
        if (i == 0)
            legacy_push(l, address_at(w, s, i));
        else
            legacy_push_call(l, address_at(w, s, i));
    }
    return legacy_count(l, values);
}

brz_rc legacy_binary_read(legacy *l, brz_str text)
{
    static const char *const columns[][2] = {{"samples", "count"}, {"cpu", "nanoseconds"}};
    words w;
    samples list = {0};
    brz_rc rc = BRZ_OK;
    if (!find_words(text, &w))
        return BRZ_ERROR;
    legacy_declare(l, columns, 2);
    l->has_ids = w.version == VERSION_JAVA;
    list_samples(l, &w, &list);
    check_text(l, &w);
    if (w.bytes.error == NULL)
        legacy_places_read(&l->places, l->ctx,
                           brz_str_of((const char *)w.bytes.at, brz_bytes_left(&w.bytes)));
    legacy_places_sort(&l->places);
    uint32_t order = w.bytes.order;
    w.bytes = brz_bytes_of(text.data, text.len);
    w.bytes.order = order;
    if (w.version == VERSION_CPP) {
        skip_handler(&w, &list);
        skip_handler(&w, &list);
        skip_repeated_leaf(&w, &list);
    }
    for (size_t i = 0; i < list.n && rc == BRZ_OK; i++)
        rc = count_sample(l, &w, &list.items[i]);
    return rc == BRZ_OK ? brz_stacks_flush(&l->stacks, l->ctx) : rc;
}
