/* SPDX-License-Identifier: MIT */
/* Drives several threads on a stream: this thread cuts blocks at boundaries, the others parse
 * them. */
#include "collapse/drivers.h"

#include <stdlib.h>
#include <string.h>

#include "plugin/crash.h"
#include "base/mem.h"
#include "input/progress.h"
#include "base/thread.h"

#define BLOCK ((size_t)1 << 20)

typedef struct block {
    uint8_t *memory;
    size_t cap;
    brz_piece piece;
} block;

/* A queue of blocks. Their number is limited, so the reader waits for slow threads. */
typedef struct blocks {
    brz_drive *drive;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    block **ready, **idle;
    size_t n_ready, n_idle;
    bool ended;
    size_t index;
} blocks;

static block *take_idle(blocks *q)
{
    pthread_mutex_lock(&q->lock);
    while (q->n_idle == 0)
        pthread_cond_wait(&q->changed, &q->lock);
    block *b = q->idle[--q->n_idle];
    pthread_mutex_unlock(&q->lock);
    return b;
}

static void put_ready(blocks *q, block *b)
{
    pthread_mutex_lock(&q->lock);
    q->ready[q->n_ready++] = b;
    pthread_cond_broadcast(&q->changed);
    pthread_mutex_unlock(&q->lock);
}

/* Returns the oldest ready block, or NULL when there will be no more. */
static block *take_ready(blocks *q)
{
    block *b = NULL;
    pthread_mutex_lock(&q->lock);
    while (q->n_ready == 0 && !q->ended)
        pthread_cond_wait(&q->changed, &q->lock);
    if (q->n_ready > 0) {
        b = q->ready[0];
        memmove(q->ready, q->ready + 1, --q->n_ready * sizeof(block *));
    }
    pthread_mutex_unlock(&q->lock);
    return b;
}

static void put_idle(blocks *q, block *b)
{
    pthread_mutex_lock(&q->lock);
    q->idle[q->n_idle++] = b;
    pthread_cond_broadcast(&q->changed);
    pthread_mutex_unlock(&q->lock);
}

static void *work_on_blocks(void *arg)
{
    blocks *q = arg;
    brz_drive *d = q->drive;
    void *stack = brz_crash_thread_begin();
    pthread_mutex_lock(&q->lock);
    brz_instance *i = d->instances[q->index++];
    pthread_mutex_unlock(&q->lock);
    for (block *b; (b = take_ready(q)) != NULL; put_idle(q, b)) {
        if (brz_drive_is_over_at(d, b->piece.offset))
            continue;
        size_t used = brz_drive_parse(d, i, &b->piece);
        brz_drive_report_rest(d, i, &b->piece, used);
    }
    brz_crash_thread_end(stack);
    return NULL;
}

/* Copies the next run of whole records from the feed into a block. Returns false at the end. */
static bool cut_block(brz_drive *d, block *b)
{
    brz_feed *f = d->feed;
    size_t size = d->options->range_size > 0 ? d->options->range_size : BLOCK, cut, want = 2 * size;
    for (;; want *= 2) {
        brz_feed_fill(f, want);
        size_t len = brz_feed_len(f);
        bool search = len > size;
        cut = search ? brz_drive_boundary(d, brz_feed_data(f), len, size, f->offset) : len;
        if (cut < len || f->ended || want - size >= brz_drive_record_max(d))
            break;
    }
    if (cut == 0)
        return false;
    if (b->cap < cut) {
        free(b->memory);
        b->cap = cut + cut / 4;
        b->memory = brz_slack_buffer(b->cap);
    }
    bool is_part = cut == brz_feed_len(f) && brz_drive_is_cut(d);
    b->piece = (brz_piece){b->memory + BRZ_SLACK_FRONT,
                           cut,
                           f->offset,
                           f->line,
                           f->column,
                           BRZ_CHUNK_RANGE_START | (is_part ? 0 : BRZ_CHUNK_LAST)};
    memcpy(b->memory + BRZ_SLACK_FRONT, brz_feed_data(f), cut);
    brz_slack_clear(b->memory, cut);
    brz_feed_consume(f, cut);
    return true;
}

/* Cuts blocks until the stream ends. */
static void cut_blocks(blocks *q)
{
    brz_drive *d = q->drive;
    uint32_t start = BRZ_CHUNK_INPUT_START;
    while (!brz_drive_is_over(d)) {
        block *b = take_idle(q);
        if (!cut_block(d, b)) {
            put_idle(q, b);
            break;
        }
        b->piece.flags |= start;
        start = 0;
        put_ready(q, b);
        brz_progress_tick(d->options->progress, d->feed->source);
    }
    pthread_mutex_lock(&q->lock);
    q->ended = true;
    pthread_cond_broadcast(&q->changed);
    pthread_mutex_unlock(&q->lock);
}

void brz_drive_blocks(brz_drive *d)
{
    size_t n = d->n_instances + 3, started = 0;
    blocks q = {.drive = d, .n_idle = n};
    block *all = brz_calloc(n, sizeof *all);
    pthread_t *threads = brz_calloc(d->n_instances, sizeof *threads);
    q.ready = brz_calloc(n, sizeof(block *));
    q.idle = brz_calloc(n, sizeof(block *));
    for (size_t i = 0; i < n; i++)
        q.idle[i] = &all[i];
    pthread_mutex_init(&q.lock, NULL);
    pthread_cond_init(&q.changed, NULL);
    while (started < d->n_instances && brz_thread_start(&threads[started], work_on_blocks, &q))
        started++;
    if (started > 0)
        cut_blocks(&q);
    else
        brz_drive_feed(d, d->instances[0]);
    for (size_t t = 0; t < started; t++)
        pthread_join(threads[t], NULL);
    for (size_t i = 0; i < n; i++)
        free(all[i].memory);
    pthread_cond_destroy(&q.changed);
    pthread_mutex_destroy(&q.lock);
    free(q.ready);
    free(q.idle);
    free(threads);
    free(all);
}
