/* SPDX-License-Identifier: MIT */
/* Makes frames and stacks of constants. */
#include "frames.h"

#include <brazier/symbol.h>
#include <brazier/text/integer.h>

void frames_init(frames *f, brz_ctx *ctx, bool merges)
{
    f->ctx = ctx;
    f->wants_lines = (ctx->flags & BRZ_CTX_WANTS_LINES) != 0;
    f->merges = merges;
    brz_stacks_init(&f->stacks, ctx, BRZ_LEAF_FIRST);
}

/* ---- kinds --------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    uint32_t kind, flags;
} kinds[] = {
    {"Interpreted", BRZ_KIND_USER, 0},
    {"JIT compiled", BRZ_KIND_USER, BRZ_FRAME_JIT},
    {"C1 compiled", BRZ_KIND_USER, BRZ_FRAME_JIT},
    {"Inlined", BRZ_KIND_USER, BRZ_FRAME_JIT | BRZ_FRAME_INLINED},
    {"Native", BRZ_KIND_USER, 0},
    {"C++", BRZ_KIND_USER, 0},
    {"Kernel", BRZ_KIND_KERNEL, 0},
};

static void set_kind(chunk *c, brz_frame_desc *d, const field_value *type)
{
    brz_str name = value_text(c, type);
    for (size_t i = 0; i < BRZ_COUNT_OF(kinds); i++)
        if (brz_str_is(name, kinds[i].name)) {
            d->kind = kinds[i].kind;
            d->flags = kinds[i].flags;
        }
}

/* ---- names --------------------------------------------------------------------------------- */

/* Returns how many bytes of a class are its name, without what distinguishes the classes that the
 * JVM generates: "App$$Lambda$12+0x80/34", "jdk/internal/reflect/GeneratedMethodAccessor5". */
static size_t stable_length(brz_str class)
{
    const brz_str lambda = BRZ_STR("$$Lambda"), accessor = BRZ_STR("Accessor");
    size_t at = brz_str_find(class, lambda, 0), end = class.len;
    if (at != SIZE_MAX)
        return at + lambda.len;
    while (end > 0 && brz_is_digit(class.data[end - 1]))
        end--;
    brz_str front = brz_str_of(class.data, end);
    bool generated = brz_str_find(front, BRZ_STR("reflect/Generated"), 0) != SIZE_MAX;
    return generated && brz_ends_with(front, accessor) ? end : class.len;
}

/* Appends a class. The JDK writes dots in the names of hidden classes, such as those of lambdas, up
 * to a number, and slashes in others. */
static void append_class(frames *f, brz_str class)
{
    size_t stable = stable_length(class), start = f->name.len;
    bool merged = f->merges && stable < class.len;
    brz_text_append(&f->name, f->ctx, merged ? brz_str_of(class.data, stable) : class);
    if (brz_str_find(class, BRZ_STR("+0x"), 0) != SIZE_MAX)
        for (size_t i = start; i < f->name.len && f->name.data[i] != '+'; i++)
            if (f->name.data[i] == '.')
                f->name.data[i] = '/';
    if (merged)
        brz_text_append(&f->name, f->ctx, BRZ_STR("_"));
}

/* Returns the name of a method: its class and its own name. Native code may have no class. */
static brz_str method_name(frames *f, chunk *c, const constant *k)
{
    object o;
    o.keeps_extras = false;
    f->name.len = 0;
    if (!constants_object(c, k, &o))
        return BRZ_STR("[unknown]");
    brz_str class = object_has(&o, ROLE_TYPE) ? value_text(c, &o.of[ROLE_TYPE]) : BRZ_STR("");
    brz_str name = object_has(&o, ROLE_NAME) ? value_text(c, &o.of[ROLE_NAME]) : BRZ_STR("");
    append_class(f, class);
    if (class.len > 0 && name.len > 0)
        brz_text_append(&f->name, f->ctx, BRZ_STR("."));
    brz_text_append(&f->name, f->ctx, name);
    return f->name.len > 0 ? brz_text_str(&f->name) : BRZ_STR("[unknown]");
}

/* ---- frames -------------------------------------------------------------------------------- */

static brz_frame special_frame(const frames *f, brz_str name)
{
    return f->ctx->host->intern(f->ctx, name.data, name.len);
}

static brz_frame make_frame(frames *f, chunk *c, const object *o, const constant *method,
                            uint32_t line)
{
    brz_frame_desc d = {.struct_size = sizeof d, .kind = BRZ_KIND_USER};
    if (object_has(o, ROLE_TYPE))
        set_kind(c, &d, &o->of[ROLE_TYPE]);
    d.name = method_name(f, c, method);
    d.line = line;
    return f->ctx->host->frame(f->ctx, &d);
}

/* Returns a frame. A method remembers the one that was last made of it. */
static brz_frame frame_of(frames *f, chunk *c, const object *o)
{
    constant *method = NULL;
    if (object_has(o, ROLE_METHOD))
        method = constants_find(c, o->of[ROLE_METHOD].field->type, o->of[ROLE_METHOD].number);
    if (method == NULL)
        return special_frame(f, BRZ_STR("[unknown]"));
    uint64_t line = f->wants_lines ? object_number(o, ROLE_LINE, 0) : 0;
    line = line <= INT32_MAX ? line : 0; /* 0 and -1: unknown */
    uint64_t what = object_number(o, ROLE_TYPE, 0) << 32 | line;
    if (method->made_as == MADE_FRAME && method->made_for == what)
        return method->made;
    method->made = make_frame(f, c, o, method, (uint32_t)line);
    method->made_for = what;
    method->made_as = MADE_FRAME;
    return method->made;
}

/* ---- stacks -------------------------------------------------------------------------------- */

/* Pushes the frames of a stack trace, which are a list of records. */
static void push_frames(frames *f, chunk *c, const field_value *list)
{
    brz_bytes b = chunk_at(c, list->at);
    uint64_t n = list->field->is_array ? reader_int(&c->reader, &b, INT_SIZE) : 0;
    uint32_t type = list->field->is_pooled ? NO_TYPE : list->field->type;
    object o;
    o.keeps_extras = false;
    for (uint64_t i = 0; i < n && type != NO_TYPE && b.error == NULL; i++) {
        object_read(c, &o, type, &b);
        if (b.error == NULL && reader_spend(&c->reader, 1))
            brz_path_push(f->stacks.path, f->ctx, frame_of(f, c, &o));
    }
}

static void make_stack(frames *f, chunk *c, constant *k)
{
    object o;
    o.keeps_extras = false;
    brz_path_cut(f->stacks.path, 0);
    if (k != NULL && constants_object(c, k, &o) && object_has(&o, ROLE_FRAMES))
        push_frames(f, c, &o.of[ROLE_FRAMES]);
    bool empty = f->stacks.path->n == 0;
    if (empty)
        brz_path_push(f->stacks.path, f->ctx, special_frame(f, BRZ_STR("[no stack]")));
    if (k == NULL)
        return;
    k->made = brz_stacks_entry_of(&f->stacks, f->ctx, 0)->stack;
    k->is_truncated = !empty && object_number(&o, ROLE_TRUNCATED, 0) != 0;
    k->made_as = MADE_STACK;
}

bool frames_any(const object *event)
{
    return object_has(event, ROLE_STACK) && event->of[ROLE_STACK].number != 0;
}

brz_stack frames_stack(frames *f, chunk *c, const object *event, bool *truncated)
{
    constant *k = NULL;
    if (frames_any(event))
        k = constants_find(c, event->of[ROLE_STACK].field->type, event->of[ROLE_STACK].number);
    if (k == NULL || k->made_as != MADE_STACK)
        make_stack(f, c, k);
    *truncated = k != NULL && k->is_truncated;
    return k != NULL ? k->made : brz_stacks_entry_of(&f->stacks, f->ctx, 0)->stack;
}
