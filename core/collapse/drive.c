/* SPDX-License-Identifier: MIT */
/* The calls of a collapser that all drivers make. */
#include "collapse/drive.h"

#include "input/related.h"
#include "plugin/crash.h"

#define CHUNK ((size_t)256 << 10) /* stays in the second-level cache while it is parsed */

bool brz_drive_is_over(brz_drive *d)
{
    return brz_drive_is_over_at(d, UINT64_MAX - 1);
}

bool brz_drive_is_over_at(brz_drive *d, uint64_t offset)
{
    return offset >= atomic_load(&d->failed_at) || atomic_load(&d->run->stop);
}

void brz_drive_fail(brz_drive *d)
{
    brz_drive_fail_at(d, 0);
}

void brz_drive_fail_at(brz_drive *d, uint64_t offset)
{
    uint64_t at = atomic_load(&d->failed_at);
    while (offset < at && !atomic_compare_exchange_weak(&d->failed_at, &at, offset))
        ;
}

size_t brz_drive_chunk_size(const brz_drive *d)
{
    return d->options->chunk_size > 0 ? d->options->chunk_size : CHUNK;
}

uint64_t brz_drive_record_max(const brz_drive *d)
{
    uint64_t most = d->collapser->record_max;
    return most == 0 ? BRZ_RECORD_MAX : (most < BRZ_LARGEST_RECORD ? most : BRZ_LARGEST_RECORD);
}

void brz_drive_report_breach(brz_instance *i, const char *call, const char *what)
{
    brz_buf b = {0};
    brz_buf_printf(&b, "collapser '%s': %s %s", i->loaded->component->id, call, what);
    brz_instance_report(i, BRZ_FATAL, "host.contract", NULL, 0, brz_buf_text(&b));
    brz_buf_finish(&b);
}

void brz_drive_check(brz_drive *d, brz_instance *i, const char *call, uint64_t offset, brz_rc rc)
{
    if (rc == BRZ_OK || (rc == BRZ_STOP && atomic_load(&d->run->stop)))
        return;
    brz_drive_fail_at(d, offset);
    if (rc == BRZ_STOP)
        brz_drive_report_breach(i, call, "returned BRZ_STOP without a request to stop");
    else if (!brz_notices_are_fatal(&i->reports))
        brz_drive_report_breach(i, call, "failed without reporting a reason");
}

size_t brz_drive_boundary(brz_drive *d, const uint8_t *p, size_t n, size_t from, uint64_t offset)
{
    brz_call_enter(d->loaded, "boundary", d->feed->source->name, offset, n);
    size_t at = d->collapser->boundary(d->shared, p, n, from);
    brz_call_leave();
    if (at >= from && at <= n)
        return at;
    atomic_store(&d->lost, true);
    brz_drive_fail(d);
    return n;
}

size_t brz_drive_parse(brz_drive *d, brz_instance *i, const brz_piece *p)
{
    brz_chunk chunk = {sizeof chunk, p->flags, p->data, p->len, p->offset};
    size_t used = 0;
    i->chunk = p->data;
    i->chunk_len = p->len;
    i->chunk_offset = d->base + p->offset;
    i->chunk_byte = p->offset;
    i->chunk_line = p->line;
    i->chunk_column = p->column;
    brz_instance_enter(i, "parse", d->feed->source->name, p->offset, p->len);
    brz_rc rc = d->collapser->parse(&i->ctx, &chunk, &used);
    brz_instance_leave(i);
    brz_drive_check(d, i, "parse", p->offset, rc);
    brz_related_rest(d->options->related);
    if (used <= p->len)
        return used;
    brz_drive_report_breach(i, "parse", "used more bytes than it received");
    brz_drive_fail(d);
    return p->len;
}

bool brz_drive_is_cut(const brz_drive *d)
{
    bool is_split = (d->collapser->flags & BRZ_SPLITTABLE) != 0;
    return is_split && d->feed->ended && !brz_feed_is_complete(d->feed);
}

void brz_drive_report_rest(brz_drive *d, brz_instance *i, const brz_piece *p, size_t used)
{
    if (used < p->len && !brz_drive_is_over_at(d, p->offset))
        brz_instance_report_lost(i, "host.truncated", p->data + used,
                                 "the input ends within a record: left out");
}

bool brz_drive_advance_or_grow(const brz_drive *d, size_t used, size_t *size)
{
    bool can_grow = used == 0 && *size < brz_drive_record_max(d);
    *size = can_grow ? *size * 2 : brz_drive_chunk_size(d);
    return used > 0 || can_grow;
}

/* Appends a size, in MiB if it is a multiple of that. */
static void add_size(brz_buf *b, uint64_t size)
{
    bool whole = size % (1u << 20) == 0;
    brz_buf_printf(b, "%llu %s", (unsigned long long)(whole ? size >> 20 : size),
                   whole ? "MiB" : "bytes");
}

bool brz_drive_skips_record(brz_drive *d, brz_instance *i, const uint8_t *at)
{
    brz_buf b = {0};
    bool can_skip = !i->is_binary;
    brz_buf_add_text(&b, "record of more than ");
    add_size(&b, brz_drive_record_max(d));
    brz_buf_add_text(&b, can_skip ? ": left out" : ", which the format does not allow");
    if (can_skip)
        brz_instance_report_lost(i, "host.long-record", at, brz_buf_text(&b));
    else
        brz_instance_report(i, BRZ_FATAL, "host.long-record", at, 0, brz_buf_text(&b));
    brz_buf_finish(&b);
    if (!can_skip)
        brz_drive_fail(d);
    return can_skip;
}
