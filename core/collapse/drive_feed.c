/* SPDX-License-Identifier: MIT */
/* Drives one thread on the feed's buffer, piece by piece. */
#include "collapse/drivers.h"

#include <string.h>

#include "collapse/watch.h"
#include "input/mapping.h"
#include "input/progress.h"

/* Skips a record that does not fit into any buffer, up to the next line. */
static void skip_record(brz_drive *d, brz_instance *i, brz_piece *p)
{
    brz_feed *f = d->feed;
    const uint8_t *newline;
    i->chunk_offset = d->base + f->offset;
    if (!brz_drive_skips_record(d, i, p->data))
        return;
    uint64_t most = brz_drive_record_max(d);
    brz_feed_consume(f, brz_feed_len(f) < most ? brz_feed_len(f) : (size_t)most);
    while ((newline = memchr(brz_feed_data(f), '\n', brz_feed_len(f))) == NULL && !f->ended) {
        brz_feed_consume(f, brz_feed_len(f));
        brz_feed_fill(f, BRZ_PRELUDE_SIZE);
    }
    brz_feed_consume(f,
                     newline == NULL ? brz_feed_len(f) : (size_t)(newline + 1 - brz_feed_data(f)));
    p->flags |= BRZ_CHUNK_RANGE_START;
}

void brz_drive_feed(brz_drive *d, brz_instance *i)
{
    brz_feed *f = d->feed;
    brz_piece p = {.flags = BRZ_CHUNK_RANGE_START | BRZ_CHUNK_INPUT_START};
    size_t want = brz_drive_chunk_size(d);
    while (!brz_drive_is_over(d)) {
        brz_feed_fill(f, want);
        p.data = brz_feed_data(f);
        p.len = brz_feed_len(f) < want ? brz_feed_len(f) : want;
        p.offset = f->offset;
        p.line = f->source->fd < 0 ? f->line : 0;
        p.column = f->column;
        bool last = f->ended && p.len == brz_feed_len(f);
        p.flags |= last && !brz_drive_is_cut(d) ? BRZ_CHUNK_LAST : 0;
        size_t used = brz_drive_parse(d, i, &p);
        brz_progress_tick(d->options->progress, f->source);
        if (d->options->watch != NULL)
            d->options->watch->look(d->options->watch->context, i->profile);
        if (last)
            brz_drive_report_rest(d, i, &p, used);
        if (last || brz_drive_is_over(d))
            break;
        brz_feed_consume(f, used);
        p.flags &= used > 0 ? ~(BRZ_CHUNK_RANGE_START | BRZ_CHUNK_INPUT_START) : ~0u;
        if (!brz_drive_advance_or_grow(d, used, &want))
            skip_record(d, i, &p);
    }
}

/* Passes all bytes from the beginning of the records to `parse`. */
static void parse_whole(brz_drive *d, brz_instance *i, const uint8_t *data, size_t len)
{
    const brz_feed *f = d->feed;
    brz_piece p = {data,      len,
                   f->offset, f->source->fd < 0 ? f->line : 0,
                   f->column, BRZ_CHUNK_RANGE_START | BRZ_CHUNK_INPUT_START | BRZ_CHUNK_LAST};
    size_t used = brz_drive_parse(d, i, &p);
    brz_drive_report_rest(d, i, &p, used);
}

/* Passes a mapped file. Fails the input if the file has become shorter meanwhile. */
static void drive_mapped(brz_drive *d, brz_instance *i, const brz_mapping *m)
{
    const brz_source *s = d->feed->source;
    uint64_t begin = s->file_start + d->feed->offset;
    parse_whole(d, i, m->data + begin, m->len - (size_t)begin);
    atomic_store_explicit(&s->file->taken, s->file_size, memory_order_relaxed);
    if (!brz_mapping_is_cut(m, s->fd))
        return;
    brz_say_code(d->run->console, BRZ_FATAL, BRZ_SAYS_READ, "%s: cannot be read: %s", s->name,
                 BRZ_BECAME_SHORTER);
    brz_drive_fail(d);
}

bool brz_drive_file(brz_drive *d, brz_instance *i)
{
    brz_feed *f = d->feed;
    const brz_source *s = f->source;
    brz_mapping m;
    if (f->ended || s->fd < 0 || s->no_map || !brz_mapping_init(&m, s->fd, s->file_size))
        return false;
    brz_feed_release(f);
    drive_mapped(d, i, &m);
    brz_mapping_finish(&m);
    return true;
}

void brz_drive_whole(brz_drive *d, brz_instance *i)
{
    brz_feed *f = d->feed;
    const brz_source *s = f->source;
    uint64_t size = brz_source_size(s); /* one more byte shows that the input ends */
    size_t want =
        size > BRZ_PRELUDE_SIZE && size < SIZE_MAX / 4 ? (size_t)size + 1 : BRZ_PRELUDE_SIZE;
    for (; !f->ended; want *= 2)
        brz_feed_fill(f, want);
    parse_whole(d, i, brz_feed_data(f), brz_feed_len(f));
}
