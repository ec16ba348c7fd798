/* SPDX-License-Identifier: MIT */
/* Runs a collapser on an input: does the steps before, between and after the calls of a driver.
 *
 * Each thread has one instance, which keeps what it has learnt across stretches of input. The
 * result does not depend on which thread parsed what, because each stretch begins at a boundary,
 * where the parser's state is the initial one, and because profiles are sorted afterwards.
 */
#include "collapse/collapse.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "collapse/collect_code.h"
#include "collapse/drivers.h"
#include "host/instance_create.h"
#include "plugin/crash.h"
#include "plugin/process_state.h"

/* Rejects a `prelude` that uses too many bytes or fills the profile: its instance is separate, and
 * its ids and counts would be lost. */
static void check_prelude(brz_drive *d, brz_instance *i, size_t used, size_t len)
{
    if (used > len)
        brz_drive_report_breach(i, "prelude", "used more bytes than it received");
    if (brz_instance_has_emitted(i))
        brz_drive_report_breach(i, "prelude",
                                "must not emit samples, nor declare frames or weights");
    if (brz_notices_are_fatal(&i->reports))
        brz_drive_fail(d);
}

/* Passes the beginning of the input to `prelude`. */
static void run_prelude(brz_drive *d, brz_instance *i)
{
    brz_feed *f = d->feed;
    size_t used = 0, len = brz_feed_len(f);
    if (d->collapser->prelude == NULL)
        return;
    len = len < BRZ_PRELUDE_SIZE ? len : BRZ_PRELUDE_SIZE;
    brz_chunk head = {sizeof head, BRZ_CHUNK_RANGE_START | BRZ_CHUNK_INPUT_START, brz_feed_data(f),
                      len, 0};
    if (f->ended && len == brz_feed_len(f))
        head.flags |= BRZ_CHUNK_LAST;
    i->chunk = head.data;
    i->chunk_len = len;
    i->chunk_byte = 0;
    i->chunk_offset = d->base;
    i->chunk_line = 1;
    i->chunk_column = 0;
    brz_instance_enter(i, "prelude", f->source->name, 0, len);
    brz_rc rc = d->collapser->prelude(&i->ctx, &head, &used, &d->shared);
    brz_instance_leave(i);
    d->in_order = i->in_order;
    brz_feed_consume(f, used < len ? used : len);
    brz_drive_check(d, i, "prelude", 0, rc);
    check_prelude(d, i, used, len);
}

/* Prepares an instance for the input. */
static void collect(const brz_drive *d, brz_instance *i, uint32_t flags)
{
    const brz_source *s = d->feed->source;
    flags |= brz_detail_drops_flags(d->options->drops);
    flags |= d->run->confined ? BRZ_CTX_CONFINED : 0;
    brz_instance_collect(i, s->name, flags);
    i->input_desc.index = d->options->input;
    i->input_desc.size = brz_source_size(s);
    i->related = d->options->related;
    i->is_watched = d->options->watch != NULL;
    i->drops = d->options->drops;
}

/* Most collapsers need less memory for a short input. */
#define USUAL_MEMORY ((size_t)31 << 10)

/* For a long input they need more than a large page, which costs a single page fault; and so do the
 * stacks of most profiles. */
#define LONG_INPUT   ((uint64_t)16 << 20)
#define LARGE_MEMORY ((size_t)8 << 20)

/* Reserves memory for an instance that reads one of `n` shares of the input. */
static void reserve_memory(const brz_drive *d, brz_instance *i, size_t n)
{
    bool is_long = brz_source_size(d->feed->source) / n >= LONG_INPUT;
    brz_arena_reserve(&i->memory, is_long ? LARGE_MEMORY : USUAL_MEMORY);
    if (is_long)
        brz_arena_reserve(&i->profile->paths, LARGE_MEMORY);
}

/* Adds one of `n` instances. */
static void add_instance(brz_drive *d, size_t n)
{
    brz_instance *i = brz_instance_create(d->loaded, d->run, d->cfg, d->shared,
                                          d->collapser->inst_size, (uint32_t)d->n_instances);
    collect(d, i, d->options->wants);
    reserve_memory(d, i, n);
    i->chunk_offset = d->base;
    i->threads = n > 1 ? 1 : d->options->threads; /* on which its own work may run */
    d->instances[d->n_instances++] = i;
    if (d->collapser->open == NULL)
        return;
    brz_instance_enter(i, "open", d->feed->source->name, 0, 0);
    brz_rc rc = d->collapser->open(&i->ctx);
    brz_instance_leave(i);
    brz_drive_check(d, i, "open", 0, rc);
}

/* Returns the number of threads to use for the input. */
static size_t threads_wanted(const brz_drive *d)
{
    const brz_feed *f = d->feed;
    size_t n = d->options->wants & BRZ_CTX_WANTS_ORDER ? 1 : d->options->threads;
    if (!(d->collapser->flags & BRZ_SPLITTABLE) || d->collapser->boundary == NULL || d->in_order)
        return 1;
    if (d->options->range_size > 0)
        return n;
    if (f->ended) /* the whole input is in the buffer */
        return 1;
    uint64_t known = f->source->fd >= 0 ? f->source->file_size : UINT64_MAX;
    return known / BRZ_WORTH_A_THREAD < n ? (size_t)(known / BRZ_WORTH_A_THREAD) + 1 : n;
}

/* Returns whether the decoded bytes are those of a file of known size. */
static bool is_plain_file(const brz_drive *d)
{
    return d->feed->source->fd >= 0 && d->feed->source->file_size > 0;
}

static void drive_input(brz_drive *d)
{
    uint32_t flags = d->collapser->flags;
    bool at_once = (flags & (BRZ_WHOLE_INPUT | BRZ_WHOLE_FILE)) != 0;
    size_t n = at_once ? 1 : threads_wanted(d);
    d->instances = brz_calloc(n, sizeof(brz_instance *));
    while (d->n_instances < n && !brz_drive_is_over(d))
        add_instance(d, n);
    if (brz_drive_is_over(d))
        return;
    if (at_once && brz_drive_file(d, d->instances[0]))
        return;
    if (flags & BRZ_WHOLE_INPUT)
        brz_drive_whole(d, d->instances[0]);
    else if (at_once)
        brz_drive_feed(d, d->instances[0]);
    else if (is_plain_file(d) && (n > 1 || !d->feed->ended))
        brz_drive_ranges(d);
    else if (n == 1)
        brz_drive_feed(d, d->instances[0]);
    else
        brz_drive_blocks(d);
}

/* Moves the sums that the plug-in itself keeps into one instance. */
static void merge_instances(brz_drive *d)
{
    brz_instance *into = d->n_instances > 0 ? d->instances[0] : NULL;
    for (size_t k = 1; k < d->n_instances && !brz_drive_is_over(d); k++) {
        brz_instance_enter(into, "merge", d->feed->source->name, 0, 0);
        brz_rc rc = d->collapser->merge(&into->ctx, &d->instances[k]->ctx);
        brz_instance_leave(into);
        brz_drive_check(d, into, "merge", 0, rc);
    }
}

static void finish_instance(brz_drive *d, brz_instance *i)
{
    i->chunk = NULL;
    if (d->collapser->finish != NULL && !brz_drive_is_over(d)) {
        brz_instance_enter(i, "finish", d->feed->source->name, 0, 0);
        brz_rc rc = d->collapser->finish(&i->ctx);
        brz_instance_leave(i);
        brz_drive_check(d, i, "finish", 0, rc);
    }
    brz_instance_finish_trace(i);
}

/* Merges and finishes the instances. */
static void finish_instances(brz_drive *d)
{
    if (d->collapser->merge != NULL)
        merge_instances(d);
    for (size_t k = 0; k < d->n_instances; k++)
        finish_instance(d, d->instances[k]);
}

/* Determines lines and columns of reports that have only an offset. */
static void find_lines(const brz_drive *d, brz_notices *r)
{
    uint64_t at = 0, lines = 0, line_start = 0;
    brz_notices_sort(r);
    for (size_t k = 0; k < r->n; k++) {
        brz_notice *report = &r->items[k];
        if (report->offset == BRZ_NO_OFFSET || report->line > 0 || report->byte > 0 ||
            d->feed->source->fd < 0)
            continue;
        uint64_t offset = report->offset - d->base;
        lines += brz_source_count_lines(d->feed->source, at, offset - at, &line_start);
        at = offset;
        report->line = lines + 1;
        report->column = offset - line_start + 1;
    }
}

/* Returns the position of the first error of all instances, or BRZ_NO_OFFSET. */
static uint64_t first_failure(const brz_drive *d)
{
    uint64_t first = BRZ_NO_OFFSET;
    for (size_t k = 0; k < d->n_instances; k++) {
        uint64_t at = brz_notices_first_fatal(&d->instances[k]->reports);
        first = at < first ? at : first;
    }
    return first;
}

/* Adds the instances' profiles and reports, and the facts that `prelude` stated, to the result. The
 * first profile becomes the result without copying. */
static void combine_results(brz_drive *d, const brz_instance *prelude, brz_collected *into)
{
    brz_notices reports = {0};
    uint64_t failed_at = first_failure(d);
    for (size_t k = 0; k < d->n_instances; k++) {
        brz_instance *i = d->instances[k];
        brz_notices_forget_after(&i->reports, failed_at);
        brz_notices_absorb(&reports, &i->reports);
        brz_profile_seal(i->profile);
        if (into->profile == NULL) {
            into->profile = i->profile;
            i->profile = NULL;
        } else {
            brz_profile_absorb(into->profile, i->profile);
        }
    }
    find_lines(d, &reports);
    if (brz_notices_are_fatal(&reports))
        brz_drive_fail(d);
    brz_notices_absorb(&into->reports, &reports);
    brz_notices_finish(&reports);
    if (into->profile == NULL)
        return;
    brz_profile_absorb_facts(into->profile, prelude->profile);
    brz_profile_sort_weights(into->profile);
}

/* Returns whether a plain file ended before the size that it had when it was opened. */
static bool became_shorter(const brz_drive *d)
{
    const brz_feed *f = d->feed;
    uint64_t end = f->source->file_start + f->offset + brz_feed_len(f);
    return is_plain_file(d) && brz_feed_is_complete(f) && end < f->source->file_size;
}

/* Reports an error and returns false if a file that belongs to the input has become shorter. */
static bool check_related(const brz_drive *d)
{
    const brz_related *r = d->options->related;
    const char *cut = r == NULL ? NULL : brz_related_cut(r);
    if (cut != NULL)
        brz_say_code(d->run->console, BRZ_FATAL, BRZ_SAYS_READ, "%s: cannot be read: %s", cut,
                     BRZ_BECAME_SHORTER);
    return cut == NULL;
}

/* Reports why the stream ended, unless all of it was read. Returns false if that fails the run. */
static bool check_stream(const brz_drive *d)
{
    const brz_stream *s = d->feed->source->stream;
    const char *name = d->feed->source->name, *why = brz_buf_text(&s->error);
    if (became_shorter(d)) {
        brz_say_code(d->run->console, BRZ_FATAL, BRZ_SAYS_READ, "%s: cannot be read: %s", name,
                     BRZ_BECAME_SHORTER);
        return false;
    }
    if (s->state == BRZ_STREAM_DAMAGED)
        brz_say_code(d->run->console, BRZ_WARNING, BRZ_SAYS_READ,
                     "%s: %s: the data before it is used", name, why);
    if (s->state == BRZ_STREAM_FAILED)
        brz_say_code(d->run->console, BRZ_FATAL, BRZ_SAYS_READ, "%s: cannot be read: %s", name,
                     why);
    return s->state != BRZ_STREAM_FAILED;
}

/* An error that a plug-in reports now fails the input, like any other. */
static void close_instances(brz_drive *d)
{
    size_t errors = d->run->console->errors;
    for (size_t k = 0; k < d->n_instances; k++) {
        brz_instance *i = d->instances[k];
        i->closing = true;
        brz_instance_enter(i, "close", d->feed->source->name, 0, 0);
        if (d->collapser->close != NULL)
            d->collapser->close(&i->ctx);
        brz_instance_leave(i);
        brz_instance_destroy(i);
    }
    if (d->run->console->errors > errors)
        brz_drive_fail(d);
    free(d->instances);
}

static size_t at_most(size_t n, size_t most)
{
    return n < most ? n : most;
}

bool brz_collapse(brz_feed *feed, const brz_loaded *loaded, const void *cfg, brz_run *run,
                  const brz_collapse_options *options, brz_collected *into)
{
    brz_collapse_options bounded = *options;
    brz_drive d = {.feed = feed,
                   .loaded = loaded,
                   .collapser = loaded->vtable,
                   .cfg = cfg,
                   .run = run,
                   .options = &bounded,
                   .base = into->offset};
    atomic_init(&d.failed_at, UINT64_MAX);
    bounded.chunk_size = at_most(options->chunk_size, BRZ_LARGEST_CHUNK);
    bounded.range_size = at_most(options->range_size, BRZ_LARGEST_CHUNK);
    brz_feed_fill(feed, BRZ_PRELUDE_SIZE);
    brz_instance *first = brz_instance_create(loaded, run, cfg, NULL, d.collapser->inst_size, 0);
    collect(&d, first, 0);
    run_prelude(&d, first);
    if (d.collapser->prelude != NULL)
        brz_process_state_check(loaded, "prelude", run->console);
    if (!brz_drive_is_over(&d))
        drive_input(&d);
    brz_process_state_check(loaded, "parse", run->console);
    if (atomic_load(&d.lost))
        brz_drive_report_breach(first, "boundary", "returned an offset outside of the chunk");
    brz_notices_absorb(&into->reports, &first->reports);
    finish_instances(&d);
    brz_process_state_check(loaded, "finish", run->console);
    combine_results(&d, first, into);
    if (!brz_drive_is_over(&d))
        brz_collect_code(&d, into->profile);
    close_instances(&d);
    if (d.collapser->close != NULL)
        brz_process_state_check(loaded, "close", run->console);
    brz_instance_destroy(first); /* its memory holds `prelude_data` */
    into->offset += is_plain_file(&d) ? feed->source->file_size : feed->offset + brz_feed_len(feed);
    return check_stream(&d) && check_related(&d) && !brz_drive_is_over(&d);
}
