/* SPDX-License-Identifier: MIT */
/* Reads tracepoints from tracefs. */
#include "record/tracefs.h"

#include <brazier/symbol.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/suggest.h"

static const char *const folders[] = {"/sys/kernel/tracing", "/sys/kernel/debug/tracing"};

/* Returns the folder of tracefs, or NULL if it is not mounted or may not be read. */
static const char *find_tracefs(void)
{
    brz_buf path = {0};
    const char *found = NULL;
    for (size_t i = 0; i < 2 && found == NULL; i++) {
        brz_buf_clear(&path);
        brz_buf_printf(&path, "%s/events", folders[i]);
        if (access(brz_buf_text(&path), R_OK | X_OK) == 0)
            found = folders[i];
    }
    brz_buf_finish(&path);
    return found;
}

/* Appends the path of a file of a tracepoint. */
static void add_path(brz_buf *path, const char *tracefs, brz_str word, const char *file)
{
    const char *colon = memchr(word.data, ':', word.len);
    size_t system = (size_t)(colon - word.data);
    brz_buf_printf(path, "%s/events/%.*s/%.*s/%s", tracefs, (int)system, word.data,
                   (int)(word.len - system - 1), colon + 1, file);
}

static void refuse_tracefs(brz_str word, brz_buf *error)
{
    bool is_mounted = access(folders[0], F_OK) == 0;
    brz_buf_printf(error, "the tracepoint '%.*s' needs tracefs, ", (int)word.len, word.data);
    brz_buf_add_text(error,
                     is_mounted && geteuid() != 0
                         ? "which only root may read here: record with --root"
                         : "which is not mounted: mount -t tracefs none /sys/kernel/tracing");
}

/* Appends that there is no such tracepoint, and the nearest one, or where they are listed. */
static void refuse_name(const char *tracefs, brz_str word, brz_buf *error)
{
    brz_buf path = {0}, list = {0};
    brz_suggestion near = {.typed = word};
    char *rest = NULL;
    brz_buf_printf(&path, "%s/available_events", tracefs);
    brz_buf_printf(error, "no tracepoint '%.*s'", (int)word.len, word.data);
    if (brz_buf_read_file(&list, brz_buf_text(&path)) && list.len > 0)
        for (char *name = strtok_r(list.data, "\n", &rest); name != NULL;
             name = strtok_r(NULL, "\n", &rest))
            brz_suggestion_offer(&near, name);
    if (near.best != NULL)
        brz_suggestion_add(&near, error);
    else
        brz_buf_printf(error, " (%s lists them)", brz_buf_text(&path));
    brz_buf_finish(&path);
    brz_buf_finish(&list);
}

bool brz_tracepoint_id(brz_str word, uint64_t *id, brz_buf *error)
{
    const char *tracefs = find_tracefs();
    brz_buf path = {0}, text = {0};
    bool good = false;
    if (memchr(word.data, '/', word.len) != NULL) {
        brz_buf_printf(error, "no tracepoint '%.*s'", (int)word.len, word.data);
    } else if (tracefs == NULL) {
        refuse_tracefs(word, error);
    } else {
        add_path(&path, tracefs, word, "id");
        good = brz_buf_read_file(&text, brz_buf_text(&path));
        *id = good ? strtoull(brz_buf_text(&text), NULL, 10) : 0;
        if (!good)
            refuse_name(tracefs, word, error);
    }
    brz_buf_finish(&path);
    brz_buf_finish(&text);
    return good;
}

bool brz_tracepoint_may_exist(brz_str word)
{
    const char *tracefs = find_tracefs();
    brz_buf path = {0};
    if (memchr(word.data, '/', word.len) != NULL)
        return false;
    if (tracefs == NULL)
        return true;
    add_path(&path, tracefs, word, "id");
    bool exists = access(brz_buf_text(&path), F_OK) == 0 || errno != ENOENT;
    brz_buf_finish(&path);
    return exists;
}

/* ---- description ----------------------------------------------------------------------------- */

/* Appends the content of a file with its size in front. */
static void add_file(brz_buf *b, const char *path)
{
    brz_buf text = {0};
    brz_buf_read_file(&text, path);
    brz_buf_add_u64(b, text.len);
    brz_buf_add_str(b, brz_buf_str(&text));
    brz_buf_finish(&text);
}

static void add_event_file(brz_buf *b, const char *tracefs, const char *name)
{
    brz_buf path = {0};
    brz_buf_printf(&path, "%s/events/%s", tracefs, name);
    brz_buf_add(b, name, strlen(name) + 1);
    add_file(b, brz_buf_text(&path));
    brz_buf_finish(&path);
}

static brz_str system_of(brz_str word)
{
    const char *colon = memchr(word.data, ':', word.len);
    return brz_str_of(word.data, (size_t)(colon - word.data));
}

/* Returns whether no earlier word has the system of the i-th one. */
static bool is_first_of_system(const brz_str *words, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (brz_str_equal(system_of(words[k]), system_of(words[i])))
            return false;
    return true;
}

static void add_system(brz_buf *b, const char *tracefs, const brz_str *words, size_t n, size_t i)
{
    brz_str system = system_of(words[i]);
    brz_buf path = {0};
    uint32_t count = 0;
    for (size_t k = 0; k < n; k++)
        count += brz_str_equal(system_of(words[k]), system) ? 1 : 0;
    brz_buf_add_str(b, system);
    brz_buf_add(b, "", 1);
    brz_buf_add_u32(b, count);
    for (size_t k = 0; k < n; k++) {
        if (!brz_str_equal(system_of(words[k]), system))
            continue;
        brz_buf_clear(&path);
        add_path(&path, tracefs, words[k], "format");
        add_file(b, brz_buf_text(&path));
    }
    brz_buf_finish(&path);
}

void brz_tracefs_add_description(brz_buf *b, const brz_str *words, size_t n)
{
    static const char magic[] = "\x17\x08\x44tracing";
    static const uint16_t one = 1;
    const char *tracefs = find_tracefs();
    uint32_t systems = 0;
    if (tracefs == NULL || n == 0)
        return;
    brz_buf_add(b, magic, sizeof magic - 1);
    brz_buf_add(b, "0.6", 4);
    brz_buf_add_char(b, *(const char *)&one == 1 ? 0 : 1); /* byte order */
    brz_buf_add_char(b, (char)sizeof(long));
    brz_buf_add_u32(b, (uint32_t)sysconf(_SC_PAGESIZE));
    add_event_file(b, tracefs, "header_page");
    add_event_file(b, tracefs, "header_event");
    brz_buf_add_u32(b, 0); /* formats of ftrace itself */
    for (size_t i = 0; i < n; i++)
        systems += is_first_of_system(words, i) ? 1 : 0;
    brz_buf_add_u32(b, systems);
    for (size_t i = 0; i < n; i++)
        if (is_first_of_system(words, i))
            add_system(b, tracefs, words, n, i);
    brz_buf_add_u32(b, 0); /* kallsyms */
    brz_buf_add_u32(b, 0); /* formats of printk */
    brz_buf_add_u64(b, 0); /* names of threads */
}
