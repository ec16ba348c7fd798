/* SPDX-License-Identifier: MIT */
/* Reads a stream on a separate thread, which fills a ring of blocks that the reader empties. If a
 * processor is free, decompression thereby costs the reader no time. */
#include "input/stream.h"

#include "base/mem.h"
#include "base/thread.h"

#include <stdlib.h>
#include <string.h>

#define BLOCKS     4
#define BLOCK_SIZE (512u << 10)

typedef struct block {
    uint8_t *data;
    size_t n;
} block;

typedef struct ahead_stream {
    brz_stream base;
    brz_stream *below;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t filled_one, emptied_one;
    block blocks[BLOCKS];
    size_t filled, emptied; /* counters; their difference is the number of ready blocks */
    bool ended;             /* no further block will be filled */
    bool closing;           /* the reader is closing the stream */
    size_t at;              /* position in the current block; used by the reader only */
} ahead_stream;

/* Waits for a free block. Returns NULL if the reader closes the stream. */
static block *free_block(ahead_stream *a)
{
    pthread_mutex_lock(&a->lock);
    while (a->filled - a->emptied == BLOCKS && !a->closing)
        pthread_cond_wait(&a->emptied_one, &a->lock);
    block *b = a->closing ? NULL : &a->blocks[a->filled % BLOCKS];
    pthread_mutex_unlock(&a->lock);
    return b;
}

static void *fill_blocks(void *arg)
{
    ahead_stream *a = arg;
    bool more = true;
    while (more) {
        block *b = free_block(a);
        if (b == NULL)
            break;
        b->n = brz_stream_fill(a->below, b->data, BLOCK_SIZE);
        more = a->below->state == BRZ_STREAM_OPEN;
        pthread_mutex_lock(&a->lock);
        a->filled += b->n > 0;
        a->ended = !more;
        pthread_cond_signal(&a->filled_one);
        pthread_mutex_unlock(&a->lock);
    }
    return NULL;
}

/* Waits for a filled block. Returns NULL at the end. */
static block *next_block(ahead_stream *a)
{
    pthread_mutex_lock(&a->lock);
    while (a->filled == a->emptied && !a->ended)
        pthread_cond_wait(&a->filled_one, &a->lock);
    block *b = a->filled == a->emptied ? NULL : &a->blocks[a->emptied % BLOCKS];
    pthread_mutex_unlock(&a->lock);
    return b;
}

static void release_block(ahead_stream *a)
{
    pthread_mutex_lock(&a->lock);
    a->emptied++;
    pthread_cond_signal(&a->emptied_one);
    pthread_mutex_unlock(&a->lock);
    a->at = 0;
}

static size_t ahead_read(brz_stream *base, uint8_t *to, size_t n)
{
    ahead_stream *a = (ahead_stream *)base;
    block *b = next_block(a);
    if (b == NULL) {
        brz_stream_end_like(base, a->below); /* the thread does not use it any more */
        return 0;
    }
    size_t give = b->n - a->at < n ? b->n - a->at : n;
    memcpy(to, b->data + a->at, give);
    a->at += give;
    if (a->at == b->n)
        release_block(a);
    return give;
}

static void ahead_close(brz_stream *base)
{
    ahead_stream *a = (ahead_stream *)base;
    pthread_mutex_lock(&a->lock);
    a->closing = true;
    pthread_cond_signal(&a->emptied_one);
    pthread_mutex_unlock(&a->lock);
    pthread_join(a->thread, NULL);
    brz_stream_close(a->below);
    for (size_t i = 0; i < BLOCKS; i++)
        free(a->blocks[i].data);
    pthread_cond_destroy(&a->filled_one);
    pthread_cond_destroy(&a->emptied_one);
    pthread_mutex_destroy(&a->lock);
    free(a);
}

brz_stream *brz_stream_ahead(brz_stream *below)
{
    ahead_stream *a = brz_calloc(1, sizeof *a);
    a->base.read = ahead_read;
    a->base.close = ahead_close;
    a->below = below;
    for (size_t i = 0; i < BLOCKS; i++)
        a->blocks[i].data = brz_malloc(BLOCK_SIZE);
    pthread_mutex_init(&a->lock, NULL);
    pthread_cond_init(&a->filled_one, NULL);
    pthread_cond_init(&a->emptied_one, NULL);
    if (brz_thread_start(&a->thread, fill_blocks, a))
        return &a->base;
    /* without a thread, use the stream directly */
    for (size_t i = 0; i < BLOCKS; i++)
        free(a->blocks[i].data);
    free(a);
    return below;
}
