/* SPDX-License-Identifier: MIT */
/* The symbols of a module, and what is shared by all of them. */
#ifndef PERF_DATA_SYMBOL_SOURCE_H
#define PERF_DATA_SYMBOL_SOURCE_H

#include "../../../common/temporary_memory.h"
#include "../../../common/symbols/debuginfod.h"
#include "../../../common/symbols/elf/elf_symbols.h"
#include "../../../common/symbols/dwarf/inlines.h"
#include "../../../common/symbols/jit_dump.h"
#include "../../../common/symbols/elf/mini_debug.h"
#include "../../../common/symbols/symbol_list.h"
#include "containers.h"
#include "modules.h"

#include <brazier/draft/live.h>

/* The result of the search for a module's symbols. */
enum symbols_state {
    SYMBOLS_FOUND,
    SYMBOLS_NO_FILE,  /* there is no file, or it may not be read */
    SYMBOLS_OTHER_ID, /* the file has another build id than the recorded one */
    SYMBOLS_NOT_ELF,
    SYMBOLS_STRIPPED, /* only symbols for linking */
    SYMBOLS_PACKED,   /* likewise, and others that this build cannot unpack */
    SYMBOLS_DAMAGED,  /* likewise, but those are damaged, or unpack to too much */
};

/* The symbols of a module. */
struct symbol_source {
    symbol_table table; /* of compiled code, and of the kernel in the way of perf script */
    jit_dump dump;      /* of compiled code */
    const uint8_t *map; /* bytes of the file that `table` has; NULL: none */
    uint64_t look;      /* the last one at that file */
    symbol_list list;   /* of the kernel */
    elf_symbols elf;    /* of files */
    elf_image loaded;   /* the file that was mapped */
    elf_image symbols;  /* the file with its symbols, if it is another one */
    brz_str symbols_path;
    elf_image mini;              /* symbols that the loaded file has in packed form */
    elf_image shared;            /* the file with the shared parts of its DWARF (dwz) */
    struct frame_source *frames; /* see rules.h; NULL: not looked for yet */
    inlines *inlines;            /* NULL: none, or not opened */
    inline_gaps gaps;            /* of those that were closed */
    temporary_memory memory;     /* of `elf` and `inlines` */
    size_t held, was_held;       /* size of that memory now, and when it was released, in bytes */
    uint64_t used;               /* symbols.uses at the last use */
    bool is_released;
    uint64_t needed; /* bytes that its DWARF unpacks to, if that is too much; or 0 */
    bool looked_for_inlines;
    bool has_other_debug; /* a file with debugging symbols is that of another build */
    bool lacks_shared;    /* the file with the shared parts of its DWARF is missing */
    enum symbols_state state;
    symbol_source *next;
};

typedef struct symbols {
    brz_ctx *ctx;
    const brz_live *live; /* the recording is shown while it is made; NULL: it is not */
    uint64_t look;        /* number of the current look at files that grow */
    brz_str kallsyms;     /* file of the kernel's symbols; empty: that of the build-id cache */
    brz_str build_id_dir; /* folder of the build-id cache; empty: none */
    brz_text path;
    bool is_own_path;      /* of this machine or user, not of the recorded machine */
    bool was_refused;      /* the host does not open the last path that was tried */
    symbol_source *all;    /* those with open files */
    symbol_source *last;   /* of these, the one that was used last; NULL: none was */
    uint64_t uses;         /* changes of `last` */
    size_t held;           /* memory of all symbols, in bytes */
    size_t bound, reread;  /* maximum of `held`: their sum; symbols that are read again raise it */
    size_t released;       /* bytes since free pages were last given back to the system */
    symbol_source *kernel; /* shared by the kernel and its modules; NULL: not looked for yet */
    brz_str reference;     /* symbol whose address the recording has, such as "_text" */
    uint64_t reference_at; /* its address in the recording; 0: unknown */
    uint64_t shift;        /* distance of the kernel's addresses from those of the list */
    build_id kernel_id;
    brz_str host, release; /* name of the recorded machine, release of its kernel; empty: unknown */
    bool by_perf_script; /* of several names at an address of the kernel, that of perf counts; names
                          * keep their versions */
    packed_budget packed; /* memory for compressed debugging information */
    line_budget lines;    /* memory for line tables */
    bool uses_servers;    /* files that are missing are fetched */
    debuginfod servers;
    containers containers;         /* of processes */
    const struct threads *threads; /* with the names of processes */
    uint64_t jit_unwinding; /* compiled functions with unwinding information, which is not used */
} symbols;

#endif
