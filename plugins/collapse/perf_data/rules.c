/* Keeps the rules by which modules are unwound. */
#include "rules.h"

#include "../../common/unwind/frame_source.h"

static void *allocate(void *context, size_t size)
{
    brz_ctx *ctx = context;
    return ctx->host->alloc(ctx, size, 0);
}

/* Returns the call-frame information of a module. */
static frame_source *frames_in(recording *p, module *m)
{
    symbol_source *of = symbols_of(&p->symbols, m);
    if (of->frames == NULL) {
        of->frames = p->ctx->host->alloc(p->ctx, sizeof *of->frames, 0);
        frame_source_open(of->frames, &of->loaded, &of->symbols);
    }
    return of->frames;
}

/* Adds rules, unless equal ones are there. Returns their position. */
static uint32_t keep_rule(rules *r, brz_ctx *ctx, const frame_rule *read)
{
    uint64_t packed[2];
    bool is_packed = frame_rule_pack(read, packed);
    uint32_t i = is_packed ? pair_map_find(&r->equal, packed[0], packed[1]) : PAIR_MISS;
    if (i != PAIR_MISS)
        return i;
    r->items = brz_list_room(ctx, r->items, r->n, &r->cap, sizeof *r->items);
    r->items[r->n] = *read;
    if (is_packed)
        pair_map_put(&r->equal, ctx, packed[0], packed[1], (uint32_t)r->n);
    return (uint32_t)r->n++;
}

/* Returns where the range of an address in the file of a module is kept once it was read. */
static rule_range *range_of(recording *p, uint32_t number, uint64_t address)
{
    rules *r = &p->rules;
    if (r->ranges == NULL)
        r->ranges = p->ctx->host->alloc(p->ctx, RULE_RANGES * sizeof *r->ranges, 64);
    return &r->ranges[(address >> 8 ^ address >> 18 ^ (uint64_t)number << 5) % RULE_RANGES];
}

/* Returns the position of the rules at an address in the file of a module. Those of a function are
 * the same behind its first few instructions. */
static uint32_t read_rule(recording *p, frame_source *f, uint32_t number, uint64_t address)
{
    rule_range *range = range_of(p, number, address);
    if (range->module == number && address >= range->start && address < range->end)
        return range->rule;
    frame_rule read = frame_source_read(f, address, allocate, p->ctx);
    uint32_t i = keep_rule(&p->rules, p->ctx, &read);
    if (address < read.end)
        *range = (rule_range){address, read.end, number, i};
    return i;
}

uint32_t rules_find(recording *p, const unwind_machine *machine, uint32_t number, uint64_t offset)
{
    rules *r = &p->rules;
    uint32_t i = pair_map_find(&r->cache, offset, number);
    if (i != PAIR_MISS)
        return i;
    module *m = &p->modules.items[number];
    bool has_file = m->kind == MODULE_FILE || m->kind == MODULE_VDSO;
    frame_source *f = has_file ? frames_in(p, m) : NULL;
    uint64_t address;
    if (f != NULL && f->machine == machine &&
        elf_image_address(&m->symbols->loaded, offset, &address))
        i = read_rule(p, f, number, address);
    else
        i = keep_rule(r, p->ctx, &(frame_rule){.is_known = false});
    pair_map_put(&r->cache, p->ctx, offset, number, i);
    return i;
}

void rules_close(recording *p)
{
    for (symbol_source *of = p->symbols.all; of != NULL; of = of->next)
        if (of->frames != NULL)
            frame_source_close(of->frames);
}
