/* SPDX-License-Identifier: MIT */
/* Fuzzes the readers of symbols: ELF files with call-frame information and DWARF, lists of the
 * kernel, maps of compilers. The bytes cannot be written, as those of a mapped file. Symbols are in
 * order, and the one that is found has the address. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "../../plugins/common/symbols/elf/elf_symbols.h"
#include "../../plugins/common/symbols/dwarf/inlines.h"
#include "../../plugins/common/symbols/jit_dump.h"
#include "../../plugins/common/symbols/elf/mini_debug.h"
#include "../../plugins/common/symbols/symbol_lines.h"
#include "../../plugins/common/symbols/symbol_list.h"
#include "../../plugins/common/symbols/unwind/frame_source.h"
#include "../../plugins/common/symbols/unwind/trampoline.h"

#include <brazier/symbol.h>

/* ---- memory --------------------------------------------------------------------------------- */

typedef struct memory {
    void **items;
    size_t n, cap;
} memory;

static memory *memory_of(brz_ctx *ctx)
{
    return ctx->inst;
}

/* Implements alloc of the host. */
static void *allocate(brz_ctx *ctx, size_t size, size_t align)
{
    memory *m = memory_of(ctx);
    (void)align;
    if (m->n == m->cap) {
        m->cap = m->cap > 0 ? 2 * m->cap : 64;
        m->items = realloc(m->items, m->cap * sizeof *m->items);
    }
    m->items[m->n] = calloc(1, size + 64);
    return m->items[m->n++];
}

static void *allocate_rule(void *context, size_t size)
{
    return allocate(context, size, 0);
}

static void free_all(memory *m)
{
    for (size_t i = 0; i < m->n; i++)
        free(m->items[i]);
    free(m->items);
}

/* ---- checks --------------------------------------------------------------------------------- */

static void check_table(const symbol_table *t)
{
    for (size_t i = 0; i < t->n; i++) {
        const symbol *s = &t->items[i];
        FUZZ_REQUIRE(i == 0 || t->items[i - 1].start < s->start, "symbols out of order");
        FUZZ_REQUIRE(s->start < s->end, "a symbol without an address");
        FUZZ_REQUIRE(i == 0 || t->items[i - 1].end <= s->start, "symbols overlap");
        const symbol *found = symbol_table_find(t, s->start);
        FUZZ_REQUIRE(found == s, "a symbol that is not found");
    }
}

/* Returns the symbols of an image and of the one in it, unless `inner` is not open. */
static elf_symbols *symbols_of(brz_ctx *ctx, const elf_image *e, const elf_image *inner)
{
    elf_symbols *s = allocate(ctx, sizeof *s, 0);
    elf_symbols_init(s, ctx, e, e->len % 2 > 0);
    elf_symbols_add(s, e);
    if (inner->elf != NULL)
        elf_symbols_add(s, inner);
    elf_symbols_finish(s);
    return s;
}

static bool is_same(const symbol *a, const symbol *b)
{
    return a == NULL || b == NULL ? a == b : brz_str_equal(a->name, b->name);
}

/* Compares lookups among a few symbols with those among all. */
static void check_index(elf_symbols *s, const symbol_table *all)
{
    for (size_t i = 0; i < all->n && i < 64; i++) {
        uint64_t ends[] = {all->items[i].start, all->items[i].end - 1, all->items[i].end};
        for (size_t k = 0; k < 3; k++)
            FUZZ_REQUIRE(is_same(elf_symbols_find(s, ends[k]), symbol_table_find(all, ends[k])),
                         "another symbol");
    }
}

/* Unwinds a frame of code at an address. */
static void try_frame(frame_source *f, brz_ctx *ctx, uint64_t address)
{
    uint8_t stack[256] = {1, 2, 3, 4};
    unwind_state s = {.known = UINT64_MAX, .stack = stack, .stack_size = sizeof stack};
    frame_rule r = frame_source_read(f, address, allocate_rule, ctx);
    s.machine = f->machine;
    s.code_mask = UINT64_MAX;
    if (!r.is_known)
        return;
    s.registers[s.machine->ip] = address;
    if (frame_rule_apply(&r, &s))
        FUZZ_REQUIRE(s.machine->has_link || s.lowest > 0, "the stack grows");
}

/* Reads the trampoline of CPython. */
static void try_trampoline(const elf_image *e, const unwind_machine *m)
{
    trampoline t;
    if (trampoline_read(&t, e, m))
        FUZZ_REQUIRE(t.after > 0 && t.after < t.size, "a call outside of the trampoline");
}

static void try_address(const elf_image *e, brz_ctx *ctx, inlines *x, frame_source *f,
                        uint64_t address)
{
    inline_call calls[INLINES_MAX];
    size_t n = x == NULL ? 0 : inlines_find(x, ctx, address, calls);
    FUZZ_REQUIRE(n <= INLINES_MAX, "too many calls");
    for (size_t i = 0; i < n; i++)
        FUZZ_REQUIRE(calls[i].name == NULL || strlen(calls[i].name) <= e->len, "a name");
    try_frame(f, ctx, address);
}

/* The bytes that are read, as the file to which debugging information refers. */
typedef struct other_file {
    brz_ctx *ctx;
    const elf_image *e;
} other_file;

static bool open_other(void *context, size_t place, brz_str folder, brz_str name, elf_image *e)
{
    const other_file *o = context;
    (void)place;
    (void)folder;
    (void)name;
    if (!elf_image_open(e, o->ctx, o->e->data, o->e->len))
        e->elf = NULL;
    return false;
}

static void try_addresses(const elf_image *e, brz_ctx *ctx, const symbol_table *t)
{
    frame_source f;
    packed_budget budget;
    line_budget lines = {0}; /* releases tables at once */
    uint64_t needed;
    other_file other = {ctx, e};
    packed_budget_init(&budget);
    inlines *x = inlines_open(e, e, &(inline_files){open_other, &other},
                              (inline_budgets){&budget, &lines}, &needed, ctx);
    frame_source_open(&f, e, e, &budget);
    try_trampoline(e, f.machine);
    for (size_t i = 0; i < t->n && i < 32; i++) {
        uint64_t address = 0;
        if (elf_image_address(e, t->items[i].start, &address))
            try_address(e, ctx, x, &f, address + i);
    }
    for (size_t i = 0; i < e->n_segments && i < 4; i++)
        try_address(e, ctx, x, &f, e->segments[i].address);
    inlines_close(x);
    frame_source_close(&f);
    FUZZ_REQUIRE(budget.reserve == PACKED_RESERVE, "a budget that is returned");
}

static void read_elf(brz_ctx *ctx, const uint8_t *data, size_t size)
{
    elf_image e, mini;
    if (!elf_image_open(&e, ctx, data, size))
        return;
    mini_debug_open(&e, ctx, &mini);
    elf_symbols *s = symbols_of(ctx, &e, &mini);
    elf_symbols_add_jumps(s);
    const symbol_table *t = symbol_index_all(&s->index);
    check_table(t);
    check_index(symbols_of(ctx, &e, &mini), t);
    try_addresses(&e, ctx, t);
    elf_image_close(&mini);
    elf_image_close(&e);
}

/* Compares lookups in a list of the kernel with those among all its symbols. */
static void check_list(brz_ctx *ctx, brz_str text, const symbol_table *all)
{
    uint64_t at;
    symbol_list list;
    symbol_list_open(&list, ctx, text, BRZ_STR("_text"), &at);
    for (size_t i = 0; i < all->n && i < 64; i++) {
        uint64_t ends[] = {all->items[i].start, all->items[i].end - 1, all->items[i].end};
        for (size_t k = 0; k < 3; k++)
            FUZZ_REQUIRE(is_same(symbol_list_find(&list, ends[k]), symbol_table_find(all, ends[k])),
                         "another symbol of the kernel");
    }
}

static void read_text(brz_ctx *ctx, const uint8_t *data, size_t size)
{
    symbol_table map = {0}, kernel = {0}, dump = {0};
    jit_dump d = {0};
    uint64_t at;
    brz_str text = brz_str_of((const char *)data, size);
    symbol_lines_map(&map, ctx, text);
    check_table(&map);
    jit_dump_read(&d, &dump, ctx, data, size);
    if (dump.n > 0) { /* once more, as one that has grown */
        size_t all = dump.n;
        dump.n = 0;
        jit_dump_read(&d, &dump, ctx, data, size);
        FUZZ_REQUIRE(dump.n == all, "another number of functions");
    }
    symbol_table_finish_in_order(&dump, ctx);
    check_table(&dump);
    symbol_lines_kallsyms(&kernel, ctx, text, BRZ_STR("_text"), &at);
    symbol_table_finish(&kernel, ctx);
    check_table(&kernel);
    check_list(ctx, text, &kernel);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    memory m = {0};
    brz_collapser_host host = {.struct_size = sizeof host, .alloc = allocate};
    brz_ctx ctx = {.struct_size = sizeof ctx, .host = &host, .inst = &m};
    size_t room = (BRZ_SLACK_FRONT + size + BRZ_SLACK_BACK + 4095) / 4096 * 4096;
    uint8_t *pages = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    FUZZ_REQUIRE(pages != MAP_FAILED, "no memory");
    if (size > 0)
        memcpy(pages + BRZ_SLACK_FRONT, data, size);
    mprotect(pages, room, PROT_READ);
    read_elf(&ctx, pages + BRZ_SLACK_FRONT, size);
    read_text(&ctx, pages + BRZ_SLACK_FRONT, size);
    munmap(pages, room);
    free_all(&m);
    return 0;
}

bool fuzz_variant(unsigned i, fuzz_settings *s)
{
    (void)i;
    (void)s;
    return false;
}
