/* Shows bytes to a plug-in between inaccessible pages.
 *
 *     inaccessible page | … slack, bytes, slack … | inaccessible page
 *
 * The accessible pages are mapped twice: read-only for the plug-in, and elsewhere to write to them.
 * To change their protection for each piece of an input takes most of the time of a check.
 */
#include "guarded_buffer.h"

#include <brazier/collapser.h>

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"

/* initial size */
#define USUAL_ROOM ((size_t)64 << 10)

/* Maps the accessible pages in both places. */
static bool map_pages(check_guarded_buffer *g, size_t room)
{
    int file = memfd_create("shown", MFD_CLOEXEC);
    if (file < 0)
        return false;
    bool is_sized = ftruncate(file, (off_t)room) == 0;
    void *shown =
        is_sized ? mmap(g->start, room, PROT_READ, MAP_SHARED | MAP_FIXED, file, 0) : NULL;
    void *written =
        is_sized ? mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED;
    close(file);
    g->written = written;
    return shown == g->start && written != MAP_FAILED;
}

static void make(check_guarded_buffer *g, size_t room)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    room = (room + page - 1) / page * page;
    g->map_len = room + 2 * page;
    g->map = mmap(NULL, g->map_len, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (g->map == MAP_FAILED)
        brz_out_of_memory(g->map_len);
    g->start = g->map + page;
    g->end = g->start + room;
    if (!map_pages(g, room))
        brz_out_of_memory(room);
    g->area =
        check_crash_record_add_area(g->crash_record, (uintptr_t)g->start, (uintptr_t)g->end, 35);
}

void check_guarded_buffer_init(check_guarded_buffer *g, check_crash_record *crash_record)
{
    memset(g, 0, sizeof *g);
    g->crash_record = crash_record;
    make(g, USUAL_ROOM);
}

void check_guarded_buffer_finish(check_guarded_buffer *g)
{
    check_crash_record_drop_area(g->crash_record, g->area);
    munmap(g->written, (size_t)(g->end - g->start));
    munmap(g->map, g->map_len);
}

static void make_room(check_guarded_buffer *g, size_t n)
{
    if ((size_t)(g->end - g->start) >= n)
        return;
    check_guarded_buffer_finish(g);
    make(g, 2 * n);
}

const uint8_t *check_guarded_buffer_set(check_guarded_buffer *g, const uint8_t *data, size_t n,
                                        uint8_t slack, bool at_front)
{
    size_t all = BRZ_SLACK_FRONT + n + BRZ_SLACK_BACK;
    make_room(g, all);
    uint8_t *at = at_front ? g->start : g->end - all, *to = g->written + (at - g->start);
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
        memset(g->written + (g->shown - g->start), '~', g->shown_len);
}
