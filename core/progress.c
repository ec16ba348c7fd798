/* The line that tells how far a long run is. */
#include "progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "diag.h"
#include "mem.h"

#define FIRST_LINE 1.0 /* seconds after the start */
#define INTERVAL   0.2 /* between lines */

struct brz_progress {
    double start, last, next; /* of the source; of the last tick; of the next line */
    uint64_t before;          /* bytes of the sources that are done */
    const brz_source *source;
    bool shown;
    void (*relay)(brz_str line); /* NULL: it is shown */
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

brz_progress *brz_progress_create(bool terminal)
{
    if (!terminal)
        return NULL;
    brz_progress *p = brz_calloc(1, sizeof *p);
    p->start = p->last = now();
    p->next = p->start + FIRST_LINE;
    return p;
}

static void add_eta(brz_buf *b, double seconds)
{
    unsigned long s = (unsigned long)(seconds + 0.5);
    if (s >= 3600)
        brz_buf_printf(b, ", %lu:%02lu:%02lu left", s / 3600, s / 60 % 60, s % 60);
    else
        brz_buf_printf(b, ", %lu:%02lu left", s / 60, s % 60);
}

static void print_line(brz_progress *p, brz_str line)
{
    brz_buf b = {0};
    brz_add_printable(&b, line);
    fprintf(stderr, "\r\033[K%s", brz_buf_text(&b));
    fflush(stderr);
    p->shown = true;
    brz_buf_finish(&b);
}

static void show(brz_progress *p, const brz_source *s, uint64_t taken, double time)
{
    brz_buf b = {0};
    double passed = time - p->start;
    double rate = passed > 0 ? (double)taken / passed : 0;
    brz_buf_add_str(&b, brz_source_file_name(s));
    brz_buf_printf(&b, ": %.1f MB", (double)taken / 1e6);
    if (s->file_size > 0 && taken <= s->file_size)
        brz_buf_printf(&b, ", %.0f%%", 100.0 * (double)taken / (double)s->file_size);
    brz_buf_printf(&b, ", %.0f MB/s", rate / 1e6);
    if (s->file_size > taken && rate > 0)
        add_eta(&b, (double)(s->file_size - taken) / rate);
    if (p->relay != NULL)
        p->relay(brz_buf_str(&b));
    else
        print_line(p, brz_buf_str(&b));
    brz_buf_finish(&b);
}

void brz_progress_relay(brz_progress *p, void (*relay)(brz_str line))
{
    if (p != NULL)
        p->relay = relay;
}

void brz_progress_show(brz_progress *p, brz_str line)
{
    if (p == NULL)
        return;
    p->last = now();
    print_line(p, line);
}

void brz_progress_tick(brz_progress *p, const brz_source *s)
{
    if (p == NULL)
        return;
    double time = now();
    if (s != p->source) {
        p->source = s;
        p->start = p->last;
    }
    p->last = time;
    if (time < p->next)
        return;
    p->next = time + INTERVAL;
    show(p, s, atomic_load_explicit(&s->file->taken, memory_order_relaxed), time);
}

void brz_progress_destroy(brz_progress *p)
{
    if (p == NULL)
        return;
    if (p->shown)
        fputs("\r\033[K", stderr);
    free(p);
}
