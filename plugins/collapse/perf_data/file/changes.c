/* SPDX-License-Identifier: MIT */
/* Applies records that change the state. */
#include "changes.h"

#include "../../../common/file_path.h"

#include <brazier/symbol.h>

#include <stdio.h>

#define PROT_EXEC_BIT 4u

/* Position of the namespace of mounts among those of a process. */
#define NAMESPACE_OF_MOUNTS 5

/* Bits of the flags of AUX records: cut, partial, collision. */
#define AUX_GAPS (1u | 4u | 8u)

/* A MMAP or MMAP2 record. */
typedef struct mapping {
    uint32_t pid, tid;
    uint64_t start, len, offset;
    build_id id;
    uint32_t protection;
    brz_str name;
} mapping;

/* ---- mappings ------------------------------------------------------------------------------- */

static map_range range_of(const mapping *m, uint32_t position)
{
    uint64_t end = m->start + m->len;
    return (map_range){m->start, end < m->start ? UINT64_MAX : end, m->offset, position, 0};
}

/* Returns the name that perf script prints for a module without a known build id: "[ext4]" for
 * "/lib/modules/6.1/kernel/fs/ext4.ko.xz". */
static brz_str name_by_perf_script(recording *p, brz_str name, const build_id *id)
{
    size_t end = brz_str_find(name, BRZ_STR(".ko"), 0);
    if (end == SIZE_MAX || id->len > 0 || modules_has_build_id(&p->modules, p->ctx, name))
        return name;
    brz_text *t = &p->frames.scratch;
    t->len = 0;
    brz_text_append(t, p->ctx, BRZ_STR("["));
    brz_text_append(t, p->ctx, path_base(brz_str_of(name.data, end)));
    brz_text_append(t, p->ctx, BRZ_STR("]"));
    for (size_t k = 0; k < t->len; k++)
        if (t->data[k] == '-')
            t->data[k] = '_';
    return brz_text_str(t);
}

/* Notes the address of the symbol after the kernel's name, and its build id. */
static void take_reference(recording *p, const mapping *m, brz_str name, uint32_t position)
{
    symbols *s = &p->symbols;
    if (s->reference.len > 0)
        return;
    brz_str after = brz_str_of(m->name.data + name.len, m->name.len - name.len);
    s->reference = brz_text_keep(p->ctx, after.len > 0 ? after : BRZ_STR("_text"));
    s->reference_at = m->offset;
    s->kernel_id = p->modules.items[position].id;
}

/* Maps the kernel or a module of it. Its code keeps its addresses. */
static void map_kernel(recording *p, const mapping *m)
{
    brz_str name = modules_name_in_kernel(m->name);
    if (p->frames.by_perf_script)
        name = name_by_perf_script(p, name, &m->id);
    enum module_kind kind = modules_kind_in_kernel(name);
    map_range range = range_of(m, modules_get(&p->modules, p->ctx, name, kind, &m->id));
    range.offset = range.start;
    p->kernel = maps_add(p->kernel, &p->threads.pool, p->ctx, range);
    if (kind != MODULE_KERNEL)
        return;
    p->kernel_end = range.end;
    p->kernel_module = range.module;
    take_reference(p, m, name, range.module);
}

/* Returns the module of a process's code that was compiled at run time. */
static uint32_t compiled_code(recording *p, uint32_t pid)
{
    char text[64];
    int n = snprintf(text, sizeof text, "/tmp/perf-%u.map", pid);
    uint32_t number =
        modules_get(&p->modules, p->ctx, brz_str_of(text, (size_t)n), MODULE_JIT, NULL);
    p->modules.items[number].mapped.pid = pid;
    return number;
}

/* Returns whether a mapping is executable code. */
static bool is_code(uint16_t misc, const mapping *m)
{
    return !(misc & MISC_MMAP_DATA) && (m->protection & PROT_EXEC_BIT);
}

/* Returns the kind of a mapping. The vdso of 32-bit processes is not the one that a build id is
 * listed for; data without a file has no symbols. perf does not look for those of files without a
 * path. */
static enum module_kind kind_of(const recording *p, uint16_t misc, const mapping *m)
{
    enum module_kind kind = modules_kind_of(m->name);
    bool is_other_vdso = kind == MODULE_VDSO && m->start <= UINT32_MAX;
    bool is_plain_data = kind == MODULE_JIT && !is_code(misc, m);
    bool is_left_out = kind == MODULE_MEMORY && p->frames.by_perf_script;
    return is_other_vdso || is_plain_data || is_left_out ? MODULE_NONE : kind;
}

/* Returns the position of the module of a mapping. */
static uint32_t module_of(recording *p, const mapping *m, enum module_kind kind)
{
    if (kind == MODULE_JIT)
        return compiled_code(p, m->pid);
    if (kind == MODULE_MEMORY)
        return modules_get_memory(&p->modules, p->ctx, m->name, compiled_code(p, m->pid));
    return modules_get(&p->modules, p->ctx, m->name, kind, &m->id);
}

/* Maps code into a process. Code of compilers has no file, and keeps its addresses; a compiler maps
 * its dump only to announce it. */
static void map_user(recording *p, uint16_t misc, const mapping *m)
{
    enum module_kind kind = kind_of(p, misc, m);
    if (kind == MODULE_FILE && modules_is_dump(m->name)) {
        uint32_t position = compiled_code(p, m->pid); /* may move the modules */
        module *code = &p->modules.items[position];
        if (code->dump.len == 0)
            code->dump = brz_text_keep(p->ctx, m->name);
        return;
    }
    uint32_t number = module_of(p, m, kind);
    map_range range = range_of(m, number);
    if (kind == MODULE_JIT || kind == MODULE_MEMORY)
        range.offset = range.start;
    else if (kind == MODULE_VDSO)
        range.offset = 0;
    else if (kind == MODULE_FILE)
        p->modules.items[number].mapped = (process_range){m->pid, range.start, range.end};
    threads_map(&p->threads, p->ctx, m->pid, range);
}

static bool is_of_kernel(const mapping *m, uint16_t misc)
{
    return (misc & MISC_CPUMODE) == 1 || m->pid == KERNEL_PID;
}

static void apply_mapping(recording *p, uint16_t misc, const mapping *m)
{
    if (misc & MISC_MAP_TIMEOUT)
        p->losses.map_timeouts++;
    if (m->len == 0 || (misc & MISC_CPUMODE) > 2)
        return;
    if (is_of_kernel(m, misc))
        map_kernel(p, m);
    else if (is_code(misc, m) || p->frames.by_perf_script) /* perf script names data, too */
        map_user(p, misc, m);
}

static mapping read_mapping(brz_bytes *b)
{
    mapping m = {.protection = PROT_EXEC_BIT};
    m.pid = brz_bytes_u32(b);
    m.tid = brz_bytes_u32(b);
    m.start = brz_bytes_u64(b);
    m.len = brz_bytes_u64(b);
    m.offset = brz_bytes_u64(b);
    return m;
}

static bool take_mmap(recording *p, uint16_t misc, brz_bytes *b)
{
    mapping m = read_mapping(b);
    m.name = brz_bytes_padded_text(b, brz_bytes_left(b));
    if (b->error == NULL)
        apply_mapping(p, misc, &m);
    return b->error == NULL;
}

/* Takes the identity of a mapped file: device and inode, or a build id. */
static void take_identity(mapping *m, uint16_t misc, brz_bytes *b)
{
    brz_bytes part = brz_bytes_part(b, 24);
    if (!(misc & MISC_MMAP_BUILD_ID))
        return;
    uint8_t size = brz_bytes_u8(&part);
    brz_bytes_skip(&part, 3);
    brz_str bytes = brz_bytes_text(&part, BUILD_ID_MAX);
    m->id.len = size <= BUILD_ID_MAX ? size : 0;
    if (bytes.len == BUILD_ID_MAX)
        memcpy(m->id.bytes, bytes.data, BUILD_ID_MAX);
    memset(m->id.bytes + m->id.len, 0, BUILD_ID_MAX - m->id.len);
}

static bool take_mmap2(recording *p, uint16_t misc, brz_bytes *b)
{
    mapping m = read_mapping(b);
    take_identity(&m, misc, b);
    m.protection = brz_bytes_u32(b);
    brz_bytes_skip(b, 4);
    m.name = brz_bytes_padded_text(b, brz_bytes_left(b));
    if (b->error == NULL)
        apply_mapping(p, misc, &m);
    return b->error == NULL;
}

/* Maps a symbol that the kernel made at run time, such as a BPF program. */
static bool take_ksymbol(recording *p, brz_bytes *b)
{
    mapping m = {.start = brz_bytes_u64(b)};
    m.len = brz_bytes_u32(b);
    uint32_t type = brz_bytes_u16(b), flags = brz_bytes_u16(b);
    m.name = brz_bytes_padded_text(b, brz_bytes_left(b));
    (void)type;
    if (b->error != NULL || m.len == 0 || (flags & 1) != 0)
        return b->error == NULL;
    map_range range = range_of(&m, modules_get(&p->modules, p->ctx, m.name, MODULE_SYMBOL, NULL));
    range.offset = range.start;
    p->kernel = maps_add(p->kernel, &p->threads.pool, p->ctx, range);
    return true;
}

/* ---- threads -------------------------------------------------------------------------------- */

static bool take_comm(recording *p, uint16_t misc, brz_bytes *b)
{
    uint32_t pid = brz_bytes_u32(b), tid = brz_bytes_u32(b);
    brz_str name = brz_bytes_padded_text(b, brz_bytes_left(b));
    if (b->error != NULL)
        return false;
    threads_name(&p->threads, p->ctx, pid, tid, name, (misc & MISC_COMM_EXEC) != 0);
    return true;
}

static bool take_fork(recording *p, uint16_t misc, brz_bytes *b)
{
    uint32_t ids[4];
    for (size_t i = 0; i < 4; i++)
        ids[i] = brz_bytes_u32(b);
    if (b->error != NULL)
        return false;
    threads_fork(&p->threads, p->ctx, ids, !(misc & MISC_FORK_EXEC));
    return true;
}

static bool take_exit(recording *p, brz_bytes *b)
{
    uint32_t pid = brz_bytes_u32(b);
    brz_bytes_skip(b, 4);
    uint32_t tid = brz_bytes_u32(b);
    if (b->error == NULL)
        threads_exit(&p->threads, p->ctx, pid, tid);
    return b->error == NULL;
}

/* Takes the namespaces of a process: pairs of a device and an inode, among which is that of its
 * mounts. */
static bool take_namespaces(recording *p, brz_bytes *b)
{
    uint32_t pid = brz_bytes_u32(b);
    brz_bytes_skip(b, 4);
    if (brz_bytes_u64(b) <= NAMESPACE_OF_MOUNTS)
        return b->error == NULL;
    brz_bytes_skip(b, 16 * NAMESPACE_OF_MOUNTS + 8);
    uint64_t mounts = brz_bytes_u64(b);
    if (b->error == NULL)
        containers_note(&p->symbols.containers, p->ctx, pid, mounts);
    return b->error == NULL;
}

/* ---- losses --------------------------------------------------------------------------------- */

static void add(uint64_t *sum, uint64_t value)
{
    if (__builtin_add_overflow(*sum, value, sum))
        *sum = UINT64_MAX;
}

static bool take_lost(recording *p, brz_bytes *b)
{
    brz_bytes_skip(b, 8);
    add(&p->losses.lost, brz_bytes_u64(b));
    return b->error == NULL;
}

static bool take_lost_samples(recording *p, uint16_t misc, brz_bytes *b)
{
    uint64_t n = brz_bytes_u64(b);
    if (!(misc & MISC_LOST_BY_FILTER))
        add(&p->losses.lost_samples, n);
    return b->error == NULL;
}

static bool take_aux(recording *p, brz_bytes *b)
{
    brz_bytes_skip(b, 8);
    add(&p->losses.aux_bytes, brz_bytes_u64(b));
    p->losses.aux_lost += (brz_bytes_u64(b) & AUX_GAPS) != 0;
    return b->error == NULL;
}

bool changes_affect_names(uint32_t type, uint16_t misc, brz_bytes body)
{
    if (type != RECORD_MMAP && type != RECORD_MMAP2)
        return type == RECORD_KSYMBOL;
    mapping m = read_mapping(&body);
    if (is_of_kernel(&m, misc))
        return true;
    if (type == RECORD_MMAP2)
        brz_bytes_skip(&body, 32);
    return modules_is_dump(brz_bytes_padded_text(&body, brz_bytes_left(&body)));
}

bool changes_apply(recording *p, uint32_t type, uint16_t misc, brz_bytes body)
{
    switch (type) {
    case RECORD_MMAP:
        return take_mmap(p, misc, &body);
    case RECORD_MMAP2:
        return take_mmap2(p, misc, &body);
    case RECORD_COMM:
        return take_comm(p, misc, &body);
    case RECORD_FORK:
        return take_fork(p, misc, &body);
    case RECORD_EXIT:
        return take_exit(p, &body);
    case RECORD_NAMESPACES:
        return take_namespaces(p, &body);
    case RECORD_LOST:
        return take_lost(p, &body);
    case RECORD_LOST_SAMPLES:
        return take_lost_samples(p, misc, &body);
    case RECORD_AUX:
        return take_aux(p, &body);
    case RECORD_KSYMBOL:
        return take_ksymbol(p, &body);
    case RECORD_THROTTLE:
        p->losses.throttled++;
        return true;
    case RECORD_ITRACE_START:
        p->losses.traces++;
        return true;
    default:
        return true;
    }
}
