/* SPDX-License-Identifier: MIT */
/* Manages the plug-in under test. */
#include "subject.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"

static bool is_folder(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* Finds the samples' folder: the one given by the user, or one beside the file. */
static bool find_folder(const check_subject *s, brz_buf *to)
{
    static const char *const names[] = {"tests", "samples", NULL};
    int dir = (int)(strrchr(s->path, '/') - s->path);
    if (s->samples != NULL) {
        brz_buf_add_text(to, s->samples);
        return true;
    }
    for (size_t i = 0; names[i] != NULL; i++) {
        brz_buf_clear(to);
        brz_buf_printf(to, "%.*s/%s", dir, s->path, names[i]);
        if (is_folder(brz_buf_text(to)))
            return true;
    }
    return false;
}

/* Reads the samples of a component; prefers a subfolder named after the collapser. */
static void read_samples(const check_subject *s, check_component *c)
{
    brz_buf folder = {0}, own = {0};
    if (find_folder(s, &folder)) {
        brz_buf_printf(&own, "%s/%s", brz_buf_text(&folder), c->id);
        check_samples_read(brz_buf_text(is_folder(brz_buf_text(&own)) ? &own : &folder),
                           brz_decoding_of(c->flags), &c->samples, &c->n_samples);
    }
    brz_buf_finish(&folder);
    brz_buf_finish(&own);
}

void check_subject_add(check_subject *s, uint32_t kind, uint32_t flags, brz_str id)
{
    s->components = brz_grow(s->components, s->n, &s->cap, sizeof *s->components);
    check_component *c = &s->components[s->n++];
    *c = (check_component){.kind = kind, .flags = flags, .id = brz_memdup(id.data, id.len)};
    if (kind == BRZ_COLLAPSER)
        read_samples(s, c);
}

void check_subject_finish(check_subject *s)
{
    for (size_t i = 0; i < s->n; i++) {
        check_samples_free(s->components[i].samples, s->components[i].n_samples);
        free(s->components[i].id);
    }
    free(s->components);
}

uint32_t check_subject_kinds(const check_subject *s)
{
    uint32_t kinds = 0;
    for (size_t i = 0; i < s->n; i++)
        kinds |= 1u << s->components[i].kind;
    return kinds;
}

size_t check_subject_samples(const check_subject *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++)
        n += s->components[i].n_samples;
    return n;
}
