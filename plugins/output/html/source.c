/* SPDX-License-Identifier: MIT */
/* Writes excerpts of source files: the lines around those that frames refer to.
 *
 *     "source": [{"file": number of a text, "line": of the first, "lines": [text, …]}, …]
 *
 * Files lie in the directory of the option "source". Profiles contain file names as they were at
 * build time: leading folders are removed from a name until such a file exists.
 */
#include "document.h"

#include <stdlib.h>

#include "source_file.h"

#define MOST_BYTES   (8 << 20) /* total size of all excerpts */
#define LONGEST_LINE 400       /* bytes */

typedef struct place {
    uint32_t file, line; /* number of a text; line from 1 */
} place;

typedef struct excerpts {
    html_page *page;
    source_folder folder;
    place *places;
    size_t n_places, n_bytes;
    bool has_any, is_full;
} excerpts;

static int by_place(const void *a, const void *b)
{
    const place *x = a, *y = b;
    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    return (x->line > y->line) - (x->line < y->line);
}

static void gather(excerpts *e)
{
    html_page *p = e->page;
    e->places = p->ctx->host->alloc(p->ctx, (p->tree->n_frames + 1) * sizeof *e->places, 0);
    for (uint32_t i = 0; i < p->tree->n_frames; i++) {
        const brz_frame_info *f = brz_frame_at(p->tree, i);
        if (f->file.len > 0 && f->line > 0)
            e->places[e->n_places++] = (place){texts_add(&p->texts, f->file), f->line};
    }
    if (e->n_places > 0)
        qsort(e->places, e->n_places, sizeof *e->places, by_place);
}

/* ---- excerpts ------------------------------------------------------------------------------ */

static void put_line(excerpts *e, const char *line, size_t len, bool is_first)
{
    while (len > 0 && (line[len - 1] == '\n' || line[len - 1] == '\r'))
        len--;
    if (len > LONGEST_LINE)
        len = LONGEST_LINE;
    if (!is_first)
        brz_put_char(&e->page->w, ',');
    html_put_json(&e->page->w, brz_str_of(line, len));
    e->n_bytes += len + 4;
}

static void open_excerpt(excerpts *e, place at)
{
    brz_writer *w = &e->page->w;
    brz_put_text(w, e->has_any ? ",\n{\"file\":" : "\n{\"file\":");
    brz_put_u64(w, at.file);
    BRZ_PUT(w, ",\"line\":");
    brz_put_u64(w, at.line);
    BRZ_PUT(w, ",\"lines\":[");
    e->has_any = true;
}

/* Writes the lines of one file that are near a place; `places` are sorted. */
static void put_file(excerpts *e, FILE *file, const place *places, size_t n)
{
    char *line = NULL;
    size_t room = 0, k = 0;
    int64_t around = e->page->options->source_lines;
    bool is_open = false;
    ssize_t len;
    for (int64_t at = 1; k < n && !e->is_full && (len = getline(&line, &room, file)) >= 0; at++) {
        while (k < n && (int64_t)places[k].line + around < at)
            k++;
        bool is_near = k < n && at >= (int64_t)places[k].line - around;
        if (is_open && !is_near)
            BRZ_PUT(&e->page->w, "]}");
        if (!is_open && is_near)
            open_excerpt(e, (place){places[k].file, (uint32_t)at});
        if (is_near)
            put_line(e, line, (size_t)len, !is_open);
        is_open = is_near;
        e->is_full = e->n_bytes > MOST_BYTES;
    }
    if (is_open)
        BRZ_PUT(&e->page->w, "]}");
    free(line);
}

static void put_excerpts(excerpts *e)
{
    for (size_t i = 0, n; i < e->n_places && !e->is_full; i += n) {
        n = 1;
        while (i + n < e->n_places && e->places[i + n].file == e->places[i].file)
            n++;
        FILE *file = source_folder_find(&e->folder, e->page->texts.items[e->places[i].file]);
        if (file == NULL)
            continue;
        put_file(e, file, e->places + i, n);
        fclose(file);
    }
}

void html_put_source(html_page *p)
{
    excerpts e = {.page = p};
    if (p->options->source.len == 0)
        return;
    if (!source_folder_open(&e.folder, p->options->source)) {
        brz_output_report(p->ctx, BRZ_WARNING, "html.source",
                          BRZ_STR("the directory of the option \"source\" does not exist"));
        return;
    }
    gather(&e);
    BRZ_PUT(&p->w, ",\n\"source\":[");
    put_excerpts(&e);
    brz_put_char(&p->w, ']');
    source_folder_close(&e.folder);
    if (e.is_full)
        brz_output_report(p->ctx, BRZ_WARNING, "html.source-size",
                          BRZ_STR("some sources are left out of the page: they exceed 8 MiB"));
}
