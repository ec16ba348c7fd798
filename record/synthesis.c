/* SPDX-License-Identifier: MIT */
/* Writes records of what existed before a recording, from /proc.
 *
 * Their times are 0: readers apply them at once. The recording is on before /proc is read, so that
 * no mapping is missed; one that the kernel reports as well is harmless.
 */
#include "record/synthesis.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* Marks a mapping with a build id. */
#define MISC_MMAP_BUILD_ID (1u << 14)

/* Marks a child that does not share the mappings of its parent. */
#define MISC_FORK_EXEC (1u << 13)

/* Longest name of a mapping that is kept. */
#define NAME_MAX_KEPT 4096

static void add_zeros(brz_buf *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        brz_buf_add_char(b, '\0');
}

/* Adds a text with its terminator, padded to 8 bytes. */
static void add_padded(brz_buf *b, const char *text, size_t len)
{
    brz_buf_add(b, text, len);
    add_zeros(b, 8 - len % 8);
}

static void begin(brz_buf *b, uint32_t type, uint16_t misc)
{
    const struct perf_event_header h = {.type = type, .misc = misc};
    brz_buf_clear(b);
    brz_buf_add(b, (const char *)&h, sizeof h);
}

/* Completes a record with the fields that end each record, and appends it. */
static void end(brz_buf *b, const brz_synthesis *s)
{
    static const uint64_t fields[] = {PERF_SAMPLE_TID, PERF_SAMPLE_TIME,
                                      PERF_SAMPLE_ID,  PERF_SAMPLE_STREAM_ID,
                                      PERF_SAMPLE_CPU, PERF_SAMPLE_IDENTIFIER};
    for (size_t i = 0; i < BRZ_COUNT_OF(fields); i++)
        add_zeros(b, s->sample_type & fields[i] ? 8 : 0);
    uint16_t size = (uint16_t)b->len;
    memcpy(b->data + offsetof(struct perf_event_header, size), &size, sizeof size);
    brz_perf_file_add(s->file, b->data, b->len);
}

/* Takes a number and the character after it. Returns false if either is missing. */
static bool take_number(const char **at, int base, char following, unsigned long long *value)
{
    char *after;
    *value = strtoull(*at, &after, base);
    bool good = after > *at && *after == following;
    *at = good ? after + 1 : *at;
    return good;
}

/* ---- the kernel ------------------------------------------------------------------------------ */

/* Adds the fields that both forms of a mapping of the kernel have in common. */
static void add_place(brz_buf *b, uint64_t start, uint64_t len, uint64_t offset)
{
    brz_buf_add_u32(b, UINT32_MAX); /* no process */
    brz_buf_add_u32(b, 0);
    brz_buf_add_u64(b, start);
    brz_buf_add_u64(b, len);
    brz_buf_add_u64(b, offset);
}

static void add_kernel_map(brz_buf *b, uint64_t start, uint64_t len, uint64_t offset,
                           const char *name)
{
    begin(b, PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL);
    add_place(b, start, len, offset);
    add_padded(b, name, strlen(name));
}

/* Adds the code of the kernel itself with its build id, which a recording that is cut off has
 * nowhere else. */
static void add_kernel_image(brz_buf *b, uint64_t start, uint64_t len, const char *name)
{
    uint8_t id[4 + BRZ_BUILD_ID_MAX] = {0};
    size_t n = brz_kernel_build_id(id + 4);
    id[0] = (uint8_t)n;
    if (n == 0) {
        add_kernel_map(b, start, len, start, name);
        return;
    }
    begin(b, PERF_RECORD_MMAP2, PERF_RECORD_MISC_KERNEL | MISC_MMAP_BUILD_ID);
    add_place(b, start, len, start);
    brz_buf_add(b, (const char *)id, sizeof id);
    brz_buf_add_u32(b, PROT_EXEC);
    brz_buf_add_u32(b, MAP_PRIVATE);
    add_padded(b, name, strlen(name));
}

/* Adds a module of a line of /proc/modules: NAME SIZE USES BY STATE ADDRESS. */
static void add_module(brz_buf *b, const brz_synthesis *s, const char *line)
{
    char text[80];
    const char *at = strchr(line, ' '), *place = strstr(line, " 0x");
    unsigned long long size, address = place == NULL ? 0 : strtoull(place, NULL, 16);
    size_t len = at == NULL ? 0 : (size_t)(at++ - line);
    if (at == NULL || len > 64 || address == 0 || !take_number(&at, 10, ' ', &size))
        return;
    snprintf(text, sizeof text, "[%.*s]", (int)len, line);
    add_kernel_map(b, address, size, 0, text);
    end(b, s);
}

void brz_synthesize_kernel(const brz_synthesis *s, const brz_kernel_map *map)
{
    brz_buf b = {0};
    brz_buf modules = {0};
    char name[64], *rest;
    if (map->start == 0)
        return;
    snprintf(name, sizeof name, "[kernel.kallsyms]%s", map->symbol);
    uint64_t len = map->end > map->start ? map->end - map->start : UINT64_C(1) << 24;
    add_kernel_image(&b, map->start, len, name);
    end(&b, s);
    if (brz_buf_read_file(&modules, "/proc/modules") && modules.len > 0)
        for (char *line = strtok_r(modules.data, "\n", &rest); line != NULL;
             line = strtok_r(NULL, "\n", &rest))
            add_module(&b, s, line);
    brz_buf_finish(&b);
    brz_buf_finish(&modules);
}

/* ---- processes ------------------------------------------------------------------------------- */

bool brz_numbers_in(const char *folder, brz_number_fn *take, void *context)
{
    DIR *dir = opendir(folder);
    if (dir == NULL)
        return false;
    for (const struct dirent *e; (e = readdir(dir)) != NULL;) {
        char *rest;
        long number = strtol(e->d_name, &rest, 10);
        if (e->d_name[0] != '\0' && *rest == '\0' && number > 0)
            take(context, (pid_t)number);
    }
    closedir(dir);
    return true;
}

/* A line of /proc/PID/maps. */
typedef struct map_line {
    unsigned long long start, end, offset, major, minor, inode;
    char permissions[4];
    const char *name;
} map_line;

/* Reads START-END PERMISSIONS OFFSET MAJOR:MINOR INODE NAME. */
static bool read_map_line(const char *line, map_line *m)
{
    const char *at = line;
    if (!take_number(&at, 16, '-', &m->start) || !take_number(&at, 16, ' ', &m->end) ||
        strcspn(at, " ") != 4)
        return false;
    memcpy(m->permissions, at, 4);
    at += 5;
    if (!take_number(&at, 16, ' ', &m->offset) || !take_number(&at, 16, ':', &m->major) ||
        !take_number(&at, 16, ' ', &m->minor))
        return false;
    m->inode = strtoull(at, NULL, 10);
    at += strcspn(at, " ");
    m->name = at + strspn(at, " ");
    return m->end > m->start;
}

static bool is_code(const map_line *m)
{
    return m->permissions[2] == 'x';
}

static bool is_wanted(const brz_synthesis *s, const map_line *m)
{
    return is_code(m) || (s->has_data && m->name[0] == '/');
}

/* Adds the identity of a mapped file: its build id, or else its inode. Returns whether it has a
 * build id. */
static bool add_identity(brz_buf *b, const brz_mapped_file *f, brz_build_ids *ids)
{
    uint8_t id[BRZ_BUILD_ID_MAX];
    size_t size = ids == NULL ? 0 : brz_build_ids_read(ids, f, id);
    if (size == 0) {
        brz_buf_add_u32(b, (uint32_t)f->major);
        brz_buf_add_u32(b, (uint32_t)f->minor);
        brz_buf_add_u64(b, f->inode);
        brz_buf_add_u64(b, 0); /* generation of the inode */
        return false;
    }
    brz_buf_add_u32(b, (uint32_t)size);
    brz_buf_add(b, (const char *)id, size);
    add_zeros(b, BRZ_BUILD_ID_MAX - size);
    return true;
}

static void set_misc(brz_buf *b, uint16_t misc)
{
    memcpy(b->data + offsetof(struct perf_event_header, misc), &misc, sizeof misc);
}

static void add_map(brz_buf *b, pid_t pid, const map_line *m, brz_build_ids *ids)
{
    const char *name = m->name[0] != '\0' ? m->name : "//anon";
    const brz_mapped_file file = {pid, name, m->major, m->minor, m->inode, m->start, m->end};
    uint16_t misc = PERF_RECORD_MISC_USER | (is_code(m) ? 0 : PERF_RECORD_MISC_MMAP_DATA);
    begin(b, PERF_RECORD_MMAP2, misc);
    brz_buf_add_u32(b, (uint32_t)pid);
    brz_buf_add_u32(b, (uint32_t)pid);
    brz_buf_add_u64(b, m->start);
    brz_buf_add_u64(b, m->end - m->start);
    brz_buf_add_u64(b, m->offset);
    if (add_identity(b, &file, ids))
        set_misc(b, misc | MISC_MMAP_BUILD_ID);
    brz_buf_add_u32(b, (m->permissions[0] == 'r' ? PROT_READ : 0) |
                           (m->permissions[1] == 'w' ? PROT_WRITE : 0) |
                           (is_code(m) ? PROT_EXEC : 0));
    brz_buf_add_u32(b, m->permissions[3] == 's' ? MAP_SHARED : MAP_PRIVATE);
    add_padded(b, name, strnlen(name, NAME_MAX_KEPT));
}

/* The process whose records are written. */
typedef struct process {
    const brz_synthesis *to;
    pid_t pid;
    brz_buf b;
} process;

static void add_maps(process *p)
{
    char path[64], *rest;
    map_line m;
    brz_buf text = {0};
    snprintf(path, sizeof path, "/proc/%d/maps", p->pid);
    if (brz_buf_read_file(&text, path) && text.len > 0)
        for (char *line = strtok_r(text.data, "\n", &rest); line != NULL;
             line = strtok_r(NULL, "\n", &rest))
            if (read_map_line(line, &m) && is_wanted(p->to, &m)) {
                add_map(&p->b, p->pid, &m, p->to->ids);
                end(&p->b, p->to);
            }
    brz_buf_finish(&text);
}

/* Adds the parent of a thread and its name. */
static void add_thread(void *context, pid_t tid)
{
    process *p = context;
    char path[64];
    brz_buf name = {0};
    snprintf(path, sizeof path, "/proc/%d/task/%d/comm", p->pid, tid);
    if (!brz_buf_read_file(&name, path) || name.len == 0) {
        brz_buf_finish(&name);
        return;
    }
    if (tid != p->pid) {
        begin(&p->b, PERF_RECORD_FORK, MISC_FORK_EXEC);
        brz_buf_add_u32(&p->b, (uint32_t)p->pid);
        brz_buf_add_u32(&p->b, (uint32_t)p->pid);
        brz_buf_add_u32(&p->b, (uint32_t)tid);
        brz_buf_add_u32(&p->b, (uint32_t)p->pid);
        brz_buf_add_u64(&p->b, 0);
        end(&p->b, p->to);
    }
    begin(&p->b, PERF_RECORD_COMM, 0);
    brz_buf_add_u32(&p->b, (uint32_t)p->pid);
    brz_buf_add_u32(&p->b, (uint32_t)tid);
    add_padded(&p->b, name.data, name.len - (name.data[name.len - 1] == '\n'));
    end(&p->b, p->to);
    brz_buf_finish(&name);
    if (p->to->between != NULL)
        p->to->between(p->to->context);
}

void brz_synthesize_name(const brz_synthesis *s, pid_t pid)
{
    process p = {.to = s, .pid = pid};
    add_thread(&p, pid);
    brz_buf_finish(&p.b);
}

void brz_synthesize_process(const brz_synthesis *s, pid_t pid)
{
    process p = {.to = s, .pid = pid};
    char path[64];
    add_thread(&p, pid);
    if (s->namespaces != NULL)
        brz_namespaces_add(s->namespaces, pid);
    add_maps(&p);
    snprintf(path, sizeof path, "/proc/%d/task", pid);
    brz_numbers_in(path, add_thread, &p);
    brz_buf_finish(&p.b);
}

static void add_process(void *context, pid_t pid)
{
    const process *p = context;
    brz_synthesize_process(p->to, pid);
}

void brz_synthesize_all(const brz_synthesis *s)
{
    process p = {.to = s};
    brz_numbers_in("/proc", add_process, &p);
}
