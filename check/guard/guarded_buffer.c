/* SPDX-License-Identifier: MIT */
/* Shows bytes to a plug-in between inaccessible pages.
 *
 *     inaccessible page | … slack, bytes, slack … | inaccessible page
 *
 * The accessible pages are mapped twice: read-only for the plug-in, and elsewhere to write to them.
 * Changing their protection for each piece of an input would take most of the time of a check.
 */
#include "guarded_buffer.h"

#include <brazier/collapser.h>

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"

/* initial size */
#define USUAL_ROOM ((size_t)64 << 10)

/* ---- pages --------------------------------------------------------------------------------- */

/* Maps the accessible pages in both places. */
static bool map_pages(check_guarded_pages *p, size_t room)
{
    int file = memfd_create("shown", MFD_CLOEXEC);
    if (file < 0)
        return false;
    bool is_sized = ftruncate(file, (off_t)room) == 0;
    void *shown =
        is_sized ? mmap(p->start, room, PROT_READ, MAP_SHARED | MAP_FIXED, file, 0) : NULL;
    void *written =
        is_sized ? mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED;
    close(file);
    p->written = written;
    return shown == p->start && written != MAP_FAILED;
}

static size_t room_of(const check_guarded_pages *p)
{
    return (size_t)(p->end - p->start);
}

static check_guarded_pages *create_pages(size_t room)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    check_guarded_pages *p = brz_malloc(sizeof *p);
    room = (room + page - 1) / page * page;
    p->map_len = room + 2 * page;
    p->map = mmap(NULL, p->map_len, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p->map == MAP_FAILED)
        brz_out_of_memory(p->map_len);
    p->start = p->map + page;
    p->end = p->start + room;
    if (!map_pages(p, room))
        brz_out_of_memory(room);
    return p;
}

static void destroy_pages(check_guarded_pages *p)
{
    munmap(p->written, room_of(p));
    munmap(p->map, p->map_len);
    free(p);
}

/* ---- spare pages --------------------------------------------------------------------------- */

/* Takes pages from the pool and makes them readable again. Returns NULL if the pool is empty. */
static check_guarded_pages *take_spare(check_guarded_pool *pool)
{
    for (size_t i = 0; i < CHECK_SPARE_PAGES; i++) {
        check_guarded_pages *p = atomic_exchange(&pool->spare[i], NULL);
        if (p != NULL && mprotect(p->start, room_of(p), PROT_READ) == 0)
            return p;
        if (p != NULL)
            destroy_pages(p);
    }
    return NULL;
}

/* Keeps pages, which dangling pointers cannot access. */
static void keep_spare(check_guarded_pool *pool, check_guarded_pages *p)
{
    bool is_hidden = mprotect(p->start, room_of(p), PROT_NONE) == 0;
    for (size_t i = 0; is_hidden && i < CHECK_SPARE_PAGES; i++) {
        check_guarded_pages *none = NULL;
        if (atomic_compare_exchange_strong(&pool->spare[i], &none, p))
            return;
    }
    destroy_pages(p);
}

void check_guarded_pool_finish(check_guarded_pool *pool)
{
    for (size_t i = 0; i < CHECK_SPARE_PAGES; i++) {
        check_guarded_pages *p = atomic_exchange(&pool->spare[i], NULL);
        if (p != NULL)
            destroy_pages(p);
    }
}

/* ---- buffers ------------------------------------------------------------------------------- */

static void use_pages(check_guarded_buffer *g, check_guarded_pages *p)
{
    g->pages = p;
    g->area = check_crash_record_add_area(g->pool->crash_record, (uintptr_t)p->start,
                                          (uintptr_t)p->end, g->clause);
}

void check_guarded_buffer_init(check_guarded_buffer *g, check_guarded_pool *pool)
{
    check_guarded_buffer_init_for(g, pool, 35);
}

void check_guarded_buffer_init_for(check_guarded_buffer *g, check_guarded_pool *pool,
                                   unsigned clause)
{
    *g = (check_guarded_buffer){.pool = pool, .clause = clause};
    check_guarded_pages *spare = take_spare(pool);
    use_pages(g, spare != NULL ? spare : create_pages(USUAL_ROOM));
}

void check_guarded_buffer_finish(check_guarded_buffer *g)
{
    check_crash_record_drop_area(g->pool->crash_record, g->area);
    keep_spare(g->pool, g->pages);
}

static void make_room(check_guarded_buffer *g, size_t n)
{
    if (room_of(g->pages) >= n)
        return;
    check_crash_record_drop_area(g->pool->crash_record, g->area);
    destroy_pages(g->pages);
    use_pages(g, create_pages(2 * n));
}

const uint8_t *check_guarded_buffer_set(check_guarded_buffer *g, const uint8_t *data, size_t n,
                                        uint8_t slack, bool at_front)
{
    size_t all = BRZ_SLACK_FRONT + n + BRZ_SLACK_BACK;
    make_room(g, all);
    const check_guarded_pages *p = g->pages;
    uint8_t *at = at_front ? p->start : p->end - all, *to = p->written + (at - p->start);
    memset(to, slack, BRZ_SLACK_FRONT);
    if (n > 0)
        memcpy(to + BRZ_SLACK_FRONT, data, n);
    memset(to + BRZ_SLACK_FRONT + n, slack, BRZ_SLACK_BACK);
    g->shown = at;
    g->shown_len = all;
    return at + BRZ_SLACK_FRONT;
}

void check_guarded_buffer_overwrite(check_guarded_buffer *g)
{
    if (g->shown_len > 0)
        memset(g->pages->written + (g->shown - g->pages->start), '~', g->shown_len);
}
