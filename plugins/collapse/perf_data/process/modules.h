/* SPDX-License-Identifier: MIT */
/* The modules that processes and the kernel map: programs, libraries, compiled code. */
#ifndef PERF_DATA_MODULES_H
#define PERF_DATA_MODULES_H

#include "../../../common/pair_map.h"

#include <brazier/text/buffer.h>
#include <brazier/text/frame_cache.h>

#define BUILD_ID_MAX 20

typedef struct build_id {
    uint8_t bytes[BUILD_ID_MAX];
    uint32_t len; /* 0: unknown */
} build_id;

/* Kinds of modules, by where their symbols are. */
enum module_kind {
    MODULE_FILE,          /* an ELF file */
    MODULE_VDSO,          /* code that the kernel maps into every process */
    MODULE_JIT,           /* code of a compiler at run time: /tmp/perf-PID.map */
    MODULE_MEMORY,        /* code in a file without a path (memfd_create): perhaps likewise */
    MODULE_KERNEL,        /* the kernel: a list of its symbols */
    MODULE_KERNEL_MODULE, /* likewise */
    MODULE_SYMBOL,        /* one symbol, which the recording names: BPF programs */
    MODULE_NONE,          /* memory without symbols */
};

typedef struct symbol_source symbol_source;

/* The range at which a process maps a file. */
typedef struct process_range {
    uint32_t pid; /* 0: nowhere */
    uint64_t start, end;
} process_range;

typedef struct module {
    brz_str name;  /* path, or a name in brackets */
    brz_str label; /* name of code without a symbol: "[libc.so.6]" */
    brz_str hex;   /* digits of the build id */
    brz_str dump;  /* file with code of a compiler, which its process mapped; empty: none */
    build_id id;
    enum module_kind kind;
    process_range mapped;   /* the last mapping of a file; of compiled code, only its process */
    symbol_source *symbols; /* NULL: not looked for yet */
    uint64_t unknown;       /* frames without a symbol */
    uint32_t map;           /* MODULE_MEMORY: position of the module with the process's map */
    bool looked_for_trampoline;
} module;

typedef struct modules {
    module *items;
    size_t n, cap;
    brz_frame_cache by_name; /* names with build ids */
    brz_frame_cache ids;     /* names to positions in `build_ids` */
    build_id *build_ids;
    size_t n_ids, cap_ids;
    brz_text scratch;
} modules;

void modules_init(modules *m, brz_ctx *ctx);

/* Remembers the build id of a module, which its mappings may lack. The first one counts; after the
 * mappings, only if the symbols of the module were not looked for. */
void modules_add_build_id(modules *m, brz_ctx *ctx, brz_str name, const build_id *id);

/* Returns whether the recording lists the build id of a module. */
bool modules_has_build_id(modules *m, brz_ctx *ctx, brz_str name);

/* Returns the position of a module. `id` may be NULL. */
uint32_t modules_get(modules *m, brz_ctx *ctx, brz_str name, enum module_kind kind,
                     const build_id *id);

/* Returns the position of a module of kind MODULE_MEMORY of a process, whose map is the module at
 * `map`. */
uint32_t modules_get_memory(modules *m, brz_ctx *ctx, brz_str name, uint32_t map);

/* Returns the name of a module without the suffix that the kernel adds to that of a deleted file.
 */
brz_str modules_path(const module *m);

/* Returns the kind of a file that a process maps with executable code. */
enum module_kind modules_kind_of(brz_str name);

/* Returns whether a file is a dump that a compiler maps to announce it: jit-PID.dump. */
bool modules_is_dump(brz_str name);

/* Returns the name of a module of the kernel without the symbol after it: "[kernel.kallsyms]" for
 * "[kernel.kallsyms]_text". */
brz_str modules_name_in_kernel(brz_str name);

/* Returns the kind of a module of the kernel. */
enum module_kind modules_kind_in_kernel(brz_str name);

#endif
