/* Drives one thread on the feed's buffer, piece by piece. */
#include "collapse/drivers.h"

#include <string.h>

#include "input/progress.h"

/* Skips a record that does not fit into any buffer, up to the next line. */
static void skip_record(brz_drive *d, brz_instance *i, brz_piece *p)
{
    brz_feed *f = d->feed;
    i->chunk_offset = d->base + f->offset;
    brz_drive_report_long_record(i, p->data);
    const uint8_t *newline;
    while ((newline = memchr(brz_feed_data(f), '\n', brz_feed_len(f))) == NULL && !f->ended) {
        brz_feed_consume(f, brz_feed_len(f));
        brz_feed_fill(f, BRZ_PRELUDE_SIZE);
    }
    brz_feed_consume(f,
                     newline == NULL ? brz_feed_len(f) : (size_t)(newline + 1 - brz_feed_data(f)));
    p->flags |= BRZ_CHUNK_FIRST;
}

void brz_drive_feed(brz_drive *d, brz_instance *i)
{
    brz_feed *f = d->feed;
    brz_piece p = {.flags = BRZ_CHUNK_FIRST | BRZ_CHUNK_START};
    size_t want = brz_drive_chunk_size(d);
    while (!brz_drive_is_over(d)) {
        brz_feed_fill(f, want);
        p.data = brz_feed_data(f);
        p.len = brz_feed_len(f) < want ? brz_feed_len(f) : want;
        p.offset = f->offset;
        p.line = f->source->fd < 0 ? f->line : 0;
        p.column = f->column;
        bool last = f->ended && p.len == brz_feed_len(f);
        p.flags |= last ? BRZ_CHUNK_LAST : 0;
        size_t used = brz_drive_parse(d, i, &p);
        brz_progress_tick(d->options->progress, f->source);
        if (last)
            brz_drive_report_rest(i, &p, used);
        if (last)
            break;
        brz_feed_consume(f, used);
        p.flags &= used > 0 ? ~(BRZ_CHUNK_FIRST | BRZ_CHUNK_START) : ~0u;
        if (!brz_drive_advance_or_grow(d, used, &want))
            skip_record(d, i, &p);
    }
}

void brz_drive_whole(brz_drive *d, brz_instance *i)
{
    brz_feed *f = d->feed;
    for (size_t want = BRZ_PRELUDE_SIZE; !f->ended; want *= 2)
        brz_feed_fill(f, want);
    brz_piece p = {brz_feed_data(f),
                   brz_feed_len(f),
                   0,
                   1,
                   0,
                   BRZ_CHUNK_FIRST | BRZ_CHUNK_START | BRZ_CHUNK_LAST};
    size_t used = brz_drive_parse(d, i, &p);
    brz_drive_report_rest(i, &p, used);
}
