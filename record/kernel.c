/* SPDX-License-Identifier: MIT */
/* Reads about the running kernel. */
#include "record/kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plugin/elf_file.h"
#include "record/build_id.h"
#include "record/small_file.h"

#define CAP_SYS_ADMIN_BIT 21
#define CAP_PERFMON_BIT   38

/* Inode of the user namespace in which the system starts (USER_NS_INIT_INO of newer headers). */
#define FIRST_USER_NAMESPACE 0xEFFFFFFDu

#define MISC_BUILD_ID_SIZE (1u << 15)
#define RECORD_BUILD_ID    67
#define KERNEL_NOTES       "/sys/kernel/notes"
#define KERNEL_NAME        "[kernel.kallsyms]"
#define NAME_PADDED        28

/* ---- permissions ----------------------------------------------------------------------------- */

/* Returns the number after a key of /proc/self/status. */
static unsigned long long status_number(const char *status, const char *key, int base)
{
    const char *at = strstr(status, key);
    return at == NULL ? 0 : strtoull(at + strlen(key), NULL, base);
}

/* Returns whether the process has a user namespace of its own, as in rootless containers. */
static bool is_in_namespace(void)
{
    struct stat st;
    return stat("/proc/self/ns/user", &st) == 0 && st.st_ino != FIRST_USER_NAMESPACE;
}

static bool is_in_nspawn(void)
{
    const char *container = getenv("container");
    return container != NULL && strcmp(container, "systemd-nspawn") == 0;
}

brz_kernel_limits brz_kernel_limits_read(void)
{
    brz_buf status = {0};
    brz_kernel_limits k = {
        .paranoid = brz_small_file_number("/proc/sys/kernel/perf_event_paranoid", 2),
        .frequency = brz_small_file_number("/proc/sys/kernel/perf_event_max_sample_rate", 0),
        .mlock_kb = brz_small_file_number("/proc/sys/kernel/perf_event_mlock_kb", 516),
        .kptr_restrict = brz_small_file_number("/proc/sys/kernel/kptr_restrict", 0),
        .has_events = access("/proc/sys/kernel/perf_event_paranoid", F_OK) == 0,
        .is_root = geteuid() == 0,
        .in_namespace = is_in_namespace(),
        .is_nspawn = is_in_nspawn(),
    };
    brz_buf_read_file(&status, "/proc/self/status");
    const char *text = brz_buf_text(&status);
    unsigned long long capabilities = status_number(text, "\nCapEff:", 16);
    k.may_perfmon = !k.in_namespace && ((capabilities >> CAP_SYS_ADMIN_BIT & 1) ||
                                        (capabilities >> CAP_PERFMON_BIT & 1));
    k.has_filter = status_number(text, "\nSeccomp:", 10) == 2;
    brz_buf_finish(&status);
    return k;
}

/* ---- code ------------------------------------------------------------------------------------ */

/* A line of the list: ADDRESS TYPE NAME. */
static bool read_line(brz_str line, uint64_t *address, brz_str *name)
{
    char *end;
    char digits[24];
    snprintf(digits, sizeof digits, "%.*s", (int)line.len, line.data);
    *address = strtoull(digits, &end, 16);
    size_t n = (size_t)(end - digits);
    if (n == 0 || line.len < n + 4 || line.data[n] != ' ' || line.data[n + 2] != ' ')
        return false;
    *name = brz_str_of(line.data + n + 3, line.len - n - 3);
    return true;
}

static bool is(brz_str s, const char *word)
{
    return s.len == strlen(word) && memcmp(s.data, word, s.len) == 0;
}

/* Looks for the addresses in a list, or in its beginning, of which the last line may be cut off.
 * The symbol is set as soon as it was found, even if its address is hidden. */
static brz_kernel_map map_of(brz_str kallsyms)
{
    brz_kernel_map map = {0};
    brz_str name;
    uint64_t address;
    const char *at = kallsyms.data, *end = at + kallsyms.len;
    while (at < end && map.end == 0) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        if (line_end == NULL)
            break;
        if (read_line(brz_str_of(at, (size_t)(line_end - at)), &address, &name)) {
            bool is_text = is(name, "_text");
            if (map.start == 0 && (is_text || is(name, "_stext"))) {
                map.start = address;
                map.symbol = is_text ? "_text" : "_stext";
            } else if (is(name, "_etext")) {
                map.end = address;
            }
        }
        at = line_end + 1;
    }
    return map;
}

/* Returns the size of the kernel's code in the map of the machine's memory; 0: unknown. The list of
 * symbols has the end of the code near its own end, and the kernel takes long to write it. */
static uint64_t code_size(void)
{
    uint64_t start = 0, last = 0;
#if defined(__x86_64__) /* other architectures count more than the code */
    brz_buf map = {0};
    brz_buf_read_file(&map, "/proc/iomem");
    const char *at = strstr(brz_buf_text(&map), " : Kernel code\n");
    while (at != NULL && at > map.data && at[-1] != '\n')
        at--;
    char *end = NULL;
    if (at != NULL)
        start = strtoull(at, &end, 16);
    if (end != NULL && *end == '-')
        last = strtoull(end + 1, NULL, 16);
    brz_buf_finish(&map);
#endif
    return last <= start ? 0 : last - start + 1;
}

/* Size of a part of the list that has the start of the code. */
#define LIST_BEGINNING ((size_t)64 << 10)

bool brz_kernel_map_read(brz_kernel_map *map)
{
    brz_buf list = {0};
    int fd = open("/proc/kallsyms", O_RDONLY | O_CLOEXEC | O_NOCTTY);
    bool good = fd >= 0 && brz_buf_read(&list, fd, LIST_BEGINNING);
    *map = map_of(brz_buf_str(&list));
    uint64_t size = map->start > 0 ? code_size() : 0;
    bool is_hidden = map->symbol != NULL && map->start == 0;
    if (size > 0) {
        map->end = map->start + size;
    } else if (good && !is_hidden) {
        good = brz_buf_read(&list, fd, SIZE_MAX);
        *map = map_of(brz_buf_str(&list));
    }
    if (fd >= 0)
        close(fd);
    brz_buf_finish(&list);
    return good;
}

/* ---- build id -------------------------------------------------------------------------------- */

/* Appends the build id that is among ELF notes, if one is, for a name. */
static void add_build_id(brz_buf *b, uint16_t mode, const char *name, brz_str notes)
{
    struct {
        struct perf_event_header header;
        int32_t pid;
        uint8_t id[24];
        char name[NAME_PADDED];
    } record = {.header = {RECORD_BUILD_ID, (uint16_t)(mode | MISC_BUILD_ID_SIZE), sizeof record},
                .pid = -1};
    size_t n = brz_build_id_find(notes, record.id);
    record.id[20] = (uint8_t)n;
    memcpy(record.name, name, strlen(name));
    if (n > 0)
        brz_buf_add(b, (const char *)&record, sizeof record);
}

/* Appends the build id of the code that the kernel maps into each process, this one too. */
static void add_vdso(brz_buf *b)
{
    const char *image = NULL;
    unsigned long address = getauxval(AT_SYSINFO_EHDR);
    memcpy(&image, &address, sizeof image);
    if (image == NULL)
        return;
    brz_elf_header h;
    memcpy(&h, image, sizeof h);
    for (size_t i = 0; i < h.e_phnum; i++) {
        brz_elf_segment s;
        memcpy(&s, image + h.e_phoff + i * sizeof s, sizeof s);
        if (s.p_type == PT_NOTE)
            add_build_id(b, PERF_RECORD_MISC_USER, "[vdso]",
                         brz_str_of(image + s.p_offset, (size_t)s.p_filesz));
    }
}

size_t brz_kernel_build_id(uint8_t id[BRZ_BUILD_ID_MAX])
{
    brz_buf notes = {0};
    bool good = brz_buf_read_file(&notes, KERNEL_NOTES);
    size_t n = good ? brz_build_id_find(brz_buf_str(&notes), id) : 0;
    brz_buf_finish(&notes);
    return n;
}

void brz_kernel_add_build_ids(brz_buf *b)
{
    brz_buf notes = {0};
    brz_buf_read_file(&notes, KERNEL_NOTES);
    add_build_id(b, PERF_RECORD_MISC_KERNEL, KERNEL_NAME, brz_buf_str(&notes));
    brz_buf_finish(&notes);
    add_vdso(b);
}
