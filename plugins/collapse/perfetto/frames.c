/* SPDX-License-Identifier: MIT */
/* Makes frames and stacks of the callstacks in tables. */
#include "frames.h"

#include <brazier/symbol.h>

#include "../../common/budget.h"
#include "../../common/names/unresolved.h"

enum { CALLSTACK_FRAMES = 2 };
enum {
    FRAME_FUNCTION = 2,
    FRAME_MAPPING = 3,
    FRAME_ADDRESS = 4,
    FRAME_FILE = 5,
    FRAME_LINE = 6,
    FRAME_KIND = 7,
};
enum { KIND_KERNEL = 2, KIND_JIT = 4 };
enum { MAPPING_BUILD_ID = 2, MAPPING_START = 4, MAPPING_END = 5, MAPPING_PATH = 7 };
enum { INLINE_FRAME = 1 };
enum { INLINE_FUNCTION = 1, INLINE_FILE = 2, INLINE_LINE = 3 };

/* The module of the frames that the profiler gives the kernel. */
#define KERNEL "/kernel"

void frames_init(frames *f, brz_ctx *ctx, const sequences *s, symbols *names, size_t len,
                 bool names_addresses)
{
    *f = (frames){.ctx = ctx,
                  .sequences = s,
                  .symbols = names,
                  .budget = budget_of(len),
                  .names_addresses = names_addresses};
    brz_stacks_init(&f->stacks, ctx, 0);
    brz_frame_cache_init(&f->identities, ctx);
    f->unknown = ctx->host->intern(ctx, "[unknown]", 9);
}

bool frames_spend(frames *f, uint64_t amount)
{
    if (budget_take(&f->budget, amount))
        return true;
    if (!f->is_spent)
        brz_report(f->ctx, BRZ_FATAL, "perfetto.size", NULL, 0,
                   BRZ_STR("the stacks are implausibly large for an input of this size"));
    f->is_spent = true;
    return false;
}

/* ---- identities ------------------------------------------------------------------------------ */

enum { IDENTITY_OF_FRAME, IDENTITY_OF_STACK };

/* Returns the number of a content. */
static uint32_t identity_of(frames *f, uint32_t kind, brz_text *content)
{
    brz_text_room(content, f->ctx, 0);
    brz_frame_key key = brz_frame_key_of(&f->identities, content->data, content->len, kind);
    uint32_t found = brz_frame_cache_find(&f->identities, &key);
    if (found != BRZ_CACHE_MISS)
        return found;
    brz_frame_cache_put(&f->identities, f->ctx, &key, f->n_identities);
    return f->n_identities++;
}

static void append(frames *f, const void *data, size_t len)
{
    brz_text_append(&f->frame_content, f->ctx, brz_str_of(data, len));
}

static void append_text(frames *f, brz_str text)
{
    append(f, &text.len, sizeof text.len);
    append(f, text.data, text.len);
}

static uint32_t frame_identity(frames *f, const brz_frame_desc *d)
{
    f->frame_content.len = 0;
    append_text(f, d->name);
    append_text(f, d->module);
    append_text(f, d->build_id);
    append_text(f, d->file);
    append(f, &d->address, sizeof d->address);
    append(f, &d->line, sizeof d->line);
    return identity_of(f, IDENTITY_OF_FRAME, &f->frame_content);
}

/* ---- mappings -------------------------------------------------------------------------------- */

/* A frame that is being read, and where it is. */
typedef struct place {
    brz_frame_desc desc;
    brz_str build_id; /* as written */
    uint32_t generation;
    const char *at;
} place;

/* Appends a part of a path, which begins with a slash unless it is no path, such as "[vdso]". */
static void append_part(frames *f, brz_str part)
{
    bool bare = f->module.len == 0 && part.len > 0 && (part.data[0] == '/' || part.data[0] == '[');
    if (!bare)
        brz_text_append(&f->module, f->ctx, BRZ_STR("/"));
    brz_text_append(&f->module, f->ctx, part);
}

/* Returns a build id in hexadecimal digits. Chrome writes these, others the bytes. */
static brz_str build_id_text(frames *f, brz_str raw)
{
    static const char digits[] = "0123456789abcdef";
    f->build_id.len = 0;
    if (raw.len >= 32 && brz_all_hex(raw.data, raw.len))
        return raw;
    brz_text_room(&f->build_id, f->ctx, 2 * raw.len);
    for (size_t i = 0; i < raw.len; i++) {
        unsigned char c = (unsigned char)raw.data[i];
        f->build_id.data[f->build_id.len++] = digits[c >> 4];
        f->build_id.data[f->build_id.len++] = digits[c & 15];
    }
    return brz_text_str(&f->build_id);
}

static void append_path(frames *f, const place *p, brz_proto_field *field)
{
    uint32_t taken = 0;
    uint64_t number;
    while (brz_proto_next_number(field, BRZ_PROTO_VARINT, &taken, &number)) {
        brz_str part = sequences_text(f->sequences, p->generation, TABLE_PATHS, number, p->at);
        if (!frames_spend(f, part.len + 1))
            return;
        append_part(f, part);
    }
}

static void read_mapping(frames *f, place *p, uint64_t number)
{
    const interned *found = sequences_find(f->sequences, p->generation, TABLE_MAPPINGS, number);
    brz_proto_field field;
    uint64_t range = 0;
    f->module.len = 0;
    if (found == NULL) {
        BRZ_WARN(f->ctx, "perfetto.mapping", p->at, 0,
                 "no mapping has this number: the module is unknown");
        return;
    }
    brz_bytes b = brz_bytes_of(found->text.data, found->text.len);
    if (!frames_spend(f, found->text.len))
        return;
    while (brz_proto_next(&b, &field))
        if (field.number == MAPPING_BUILD_ID)
            p->build_id =
                sequences_text(f->sequences, p->generation, TABLE_BUILD_IDS, field.value, p->at);
        else if (field.number == MAPPING_PATH)
            append_path(f, p, &field);
        else if (field.number == MAPPING_START || field.number == MAPPING_END)
            range |= field.value;
    p->desc.module = brz_text_str(&f->module);
    if (range == 0 && brz_str_is(p->desc.module, KERNEL)) {
        p->desc.module = BRZ_STR("[kernel]");
        p->desc.kind = BRZ_KIND_KERNEL;
    }
}

/* ---- frames ---------------------------------------------------------------------------------- */

static void set_kind(place *p, uint64_t kind)
{
    if (kind == KIND_KERNEL)
        p->desc.kind = BRZ_KIND_KERNEL;
    if (kind == KIND_JIT)
        p->desc.flags |= BRZ_FRAME_JIT;
}

static void read_frame(frames *f, place *p, brz_bytes b)
{
    brz_proto_field field;
    uint64_t mapping = 0;
    while (brz_proto_next(&b, &field)) {
        if (field.type != BRZ_PROTO_VARINT)
            continue;
        if (field.number == FRAME_FUNCTION)
            p->desc.name =
                sequences_text(f->sequences, p->generation, TABLE_FUNCTIONS, field.value, p->at);
        else if (field.number == FRAME_MAPPING)
            mapping = field.value;
        else if (field.number == FRAME_ADDRESS)
            p->desc.address = field.value;
        else if (field.number == FRAME_FILE)
            p->desc.file =
                sequences_text(f->sequences, p->generation, TABLE_SOURCE_PATHS, field.value, p->at);
        else if (field.number == FRAME_LINE)
            p->desc.line = field.value <= INT32_MAX ? (uint32_t)field.value : 0;
        else if (field.number == FRAME_KIND)
            set_kind(p, field.value);
    }
    if (mapping != 0)
        read_mapping(f, p, mapping);
}

/* Adds a frame to the list. Returns false if the budget is spent. */
static bool add_frame(frames *f, brz_frame_desc d)
{
    brz_str original = symbols_original(f->symbols, d.module, d.name);
    if (original.data != d.name.data) {
        d.system_name = d.name;
        d.name = original;
    }
    frame_complete_name(&d, &f->name, f->ctx, f->names_addresses);
    if (!frames_spend(f, budget_for_frame(&d)))
        return false;
    brz_frame_list_push(&f->list, f->ctx, f->ctx->host->frame(f->ctx, &d));
    return true;
}

/* Adds the frames of an address that has symbols, the innermost one first. */
static bool add_lines(frames *f, const place *p, brz_bytes lines)
{
    symbol_line line, next;
    bool more = symbols_next_line(&lines, &next);
    while (more) {
        brz_frame_desc d = p->desc;
        line = next;
        more = symbols_next_line(&lines, &next);
        d.name = line.function;
        d.file = line.file;
        d.line = line.line;
        d.flags |= more ? BRZ_FRAME_INLINED : 0;
        if (!add_frame(f, d))
            return false;
    }
    return true;
}

/* Puts the root first. */
static void reverse(brz_frame_list *list)
{
    for (size_t i = 0; i < list->n / 2; i++) {
        brz_frame first = list->ids[i];
        list->ids[i] = list->ids[list->n - 1 - i];
        list->ids[list->n - 1 - i] = first;
    }
}

/* Makes the frames of an entry. Returns false if the budget is spent. */
static bool make_code(frames *f, const interned *entry, uint32_t generation, code *to)
{
    place p = {.generation = generation, .at = entry->at};
    p.desc = (brz_frame_desc){.struct_size = sizeof p.desc, .kind = BRZ_KIND_OTHER};
    p.build_id = brz_str_of("", 0);
    f->list.n = 0;
    read_frame(f, &p, brz_bytes_of(entry->text.data, entry->text.len));
    if (!frames_spend(f, p.desc.module.len + 1))
        return false;
    brz_bytes lines = symbols_of(f->symbols, p.desc.module, p.build_id, p.desc.address);
    if (!frames_spend(f, brz_bytes_left(&lines)))
        return false;
    p.desc.build_id = build_id_text(f, p.build_id);
    uint32_t identity = frame_identity(f, &p.desc);
    if (!add_lines(f, &p, lines) || (f->list.n == 0 && !add_frame(f, p.desc)))
        return false;
    reverse(&f->list);
    brz_frame *copy = f->ctx->host->alloc(f->ctx, f->list.n * sizeof *copy, 0);
    memcpy(copy, f->list.ids, f->list.n * sizeof *copy);
    *to = (code){copy, f->list.n, identity};
    return true;
}

/* Returns the frames of the entry with a number, or NULL if the budget is spent. */
static const code *find_code(frames *f, uint32_t generation, uint64_t number, const char *at)
{
    static const code none = {NULL, 0, UINT32_MAX};
    interned *entry = sequences_find(f->sequences, generation, TABLE_FRAMES, number);
    if (entry == NULL) {
        BRZ_WARN(f->ctx, "perfetto.frame", at, 0, "no frame has this number: it is unknown");
        return &none;
    }
    if (entry->made == 0) {
        f->codes = brz_list_room(f->ctx, f->codes, f->n_codes, &f->codes_cap, sizeof *f->codes);
        if (!make_code(f, entry, generation, &f->codes[f->n_codes]))
            return NULL;
        entry->made = (uint32_t)++f->n_codes;
    }
    uint32_t i = entry->made - 1;
    by_number_put(&f->codes_by_number, f->ctx, generation, number, i, f->n_codes);
    return &f->codes[i];
}

static inline const code *code_of(frames *f, uint32_t generation, uint64_t number, const char *at)
{
    uint32_t i;
    if (by_number_find(&f->codes_by_number, generation, number, &i))
        return &f->codes[i];
    return find_code(f, generation, number, at);
}

/* ---- stacks ---------------------------------------------------------------------------------- */

/* Appends the frames with a number to the path. Returns false if the budget is spent. */
static bool push_code(frames *f, uint32_t generation, uint64_t number, const char *at)
{
    const code *c = code_of(f, generation, number, at);
    if (c == NULL || !frames_spend(f, c->n))
        return false;
    for (size_t i = 0; i < c->n; i++)
        brz_path_push(f->stacks.path, f->ctx, c->ids[i]);
    if (c->n == 0)
        brz_path_push(f->stacks.path, f->ctx, f->unknown);
    brz_text_append(&f->stack_content, f->ctx,
                    brz_str_of((const char *)&c->identity, sizeof c->identity));
    return true;
}

/* Makes the path that of a callstack. Returns false if the budget is spent. */
static bool push_callstack(frames *f, const interned *entry, uint32_t generation)
{
    brz_bytes b = brz_bytes_of(entry->text.data, entry->text.len);
    brz_proto_field field;
    uint64_t number;
    brz_path_cut(f->stacks.path, 0);
    f->stack_content.len = 0;
    while (brz_proto_next(&b, &field)) {
        uint32_t taken = 0;
        if (field.number != CALLSTACK_FRAMES)
            continue;
        while (brz_proto_next_number(&field, BRZ_PROTO_VARINT, &taken, &number))
            if (!push_code(f, generation, number, entry->at))
                return false;
        brz_bytes_join(&b, &field.part);
    }
    if (b.error != NULL)
        BRZ_WARN(f->ctx, "perfetto.callstack", entry->at, 0,
                 "a damaged stack: its inner frames are missing");
    return true;
}

/* Stores the path as a stack. */
static brz_stack store(frames *f)
{
    if (f->stacks.path->n == 0)
        brz_path_push(f->stacks.path, f->ctx, f->unknown);
    return brz_stacks_entry_of(&f->stacks, f->ctx, 0)->stack;
}

static stack_result find_stack(frames *f, uint32_t generation, uint64_t number, found_stack *stack)
{
    interned *entry = sequences_find(f->sequences, generation, TABLE_CALLSTACKS, number);
    if (entry == NULL)
        return STACK_MISSING;
    if (entry->made == 0) {
        if (!push_callstack(f, entry, generation))
            return STACK_FAILED;
        f->made = brz_list_room(f->ctx, f->made, f->n_made, &f->made_cap, sizeof *f->made);
        f->made[f->n_made] =
            (found_stack){store(f), identity_of(f, IDENTITY_OF_STACK, &f->stack_content)};
        entry->made = (uint32_t)++f->n_made;
    }
    uint32_t i = entry->made - 1;
    by_number_put(&f->made_by_number, f->ctx, generation, number, i, f->n_made);
    *stack = f->made[i];
    return STACK_FOUND;
}

stack_result frames_stack(frames *f, uint32_t generation, uint64_t number, found_stack *stack)
{
    uint32_t i;
    if (!by_number_find(&f->made_by_number, generation, number, &i))
        return find_stack(f, generation, number, stack);
    *stack = f->made[i];
    return STACK_FOUND;
}

brz_stack frames_unknown_stack(frames *f)
{
    brz_path_cut(f->stacks.path, 0);
    return store(f);
}

static brz_frame_desc read_inline_frame(brz_bytes b)
{
    brz_frame_desc d = {.struct_size = sizeof d};
    brz_proto_field f;
    while (brz_proto_next(&b, &f))
        if (f.number == INLINE_FUNCTION && f.type == BRZ_PROTO_BYTES)
            d.name = brz_proto_text(&f);
        else if (f.number == INLINE_FILE && f.type == BRZ_PROTO_BYTES)
            d.file = brz_proto_text(&f);
        else if (f.number == INLINE_LINE)
            d.line = f.value <= INT32_MAX ? (uint32_t)f.value : 0;
    return d;
}

stack_result frames_inline_stack(frames *f, brz_bytes b, brz_stack *stack)
{
    brz_proto_field field;
    f->list.n = 0;
    while (brz_proto_next(&b, &field))
        if (field.number == INLINE_FRAME && field.type == BRZ_PROTO_BYTES &&
            !add_frame(f, read_inline_frame(field.part)))
            return STACK_FAILED;
    brz_path_cut(f->stacks.path, 0);
    for (size_t i = 0; i < f->list.n; i++)
        brz_path_push(f->stacks.path, f->ctx, f->list.ids[i]);
    *stack = store(f);
    return STACK_FOUND;
}
