/* SPDX-License-Identifier: MIT */
/* Makes frames of addresses. */
#include "frames.h"

#include "call_frames.h"

#include "../../../common/names/frame_name.h"

#include <brazier/symbol.h>

#include <stdio.h>

/* Number of samples whose classes are all counted, and the part of the others. */
#define COUNTED_ALL    4096
#define COUNTED_ONE_OF 16

/* An address in a module. */
typedef struct place_of_code {
    uint32_t module;
    uint32_t kind;    /* BRZ_KIND_USER, BRZ_KIND_KERNEL or BRZ_KIND_OTHER */
    uint64_t address; /* in the module; without a module, the address itself */
    bool is_java;
    bool is_waker; /* the code runs in the thread that woke another one */
} place_of_code;

void frames_init(frames *f, recording *p)
{
    code_table_init(&f->known, p->ctx);
    f->recent = code_table_new_recent(p->ctx);
    pair_map_init(&f->named, p->ctx);
    f->drops_addresses = (p->ctx->flags & BRZ_CTX_DROPS_ADDRESSES) != 0;
    f->demangler = p->ctx->host->extension(p->ctx, BRZ_DEMANGLER_ID);
    brz_frame_cache_init(&f->roots, p->ctx);
}

/* ---- names ---------------------------------------------------------------------------------- */

static void append_number(frames *f, brz_ctx *ctx, const char *format, uint64_t number)
{
    char text[32];
    int n = snprintf(text, sizeof text, format, (unsigned long long)number);
    brz_text_append(&f->scratch, ctx, brz_str_of(text, (size_t)n));
}

/* Appends the number of a thread or process after a character. Those that have ended may have -1.
 */
static void append_id(frames *f, brz_ctx *ctx, char before, uint32_t id)
{
    char text[16];
    int n = id == UINT32_MAX ? snprintf(text, sizeof text, "%c-1", before)
                             : snprintf(text, sizeof text, "%c%u", before, id);
    brz_text_append(&f->scratch, ctx, brz_str_of(text, (size_t)n));
}

/* Appends the annotation that the options ask for. */
static void append_annotation(frames *f, brz_ctx *ctx, const brz_frame_desc *d)
{
    if (f->inlined && (d->flags & BRZ_FRAME_INLINED))
        brz_text_append(&f->scratch, ctx, BRZ_STR("_[i]"));
    else if (f->kernel && d->kind == BRZ_KIND_KERNEL)
        brz_text_append(&f->scratch, ctx, BRZ_STR("_[k]"));
    else if (f->jit && (d->flags & BRZ_FRAME_JIT))
        brz_text_append(&f->scratch, ctx, BRZ_STR("_[j]"));
}

/* Returns the label of code without a symbol. For perf script, the kernel ends where the last of
 * its symbols does. */
static brz_str label_of(const recording *p, const place_of_code *at)
{
    bool is_after =
        p->frames.by_perf_script && at->module == p->kernel_module && at->address >= p->kernel_end;
    return p->modules.items[is_after ? 0 : at->module].label;
}

/* Names code without a symbol by its module, with its address if the options ask for it. */
static void name_unknown(recording *p, const place_of_code *at)
{
    frames *f = &p->frames;
    f->scratch.len = 0;
    brz_text_append(&f->scratch, p->ctx, label_of(p, at));
    if (!f->addrs)
        return;
    f->scratch.len--;
    append_number(f, p->ctx, " <%llx>]", at->address);
}

static brz_frame_desc describe(recording *p, const place_of_code *at)
{
    const module *m = &p->modules.items[at->module];
    brz_frame_desc d = {.struct_size = sizeof d, .kind = at->kind};
    d.module = modules_path(m);
    d.flags = (m->kind == MODULE_JIT ? BRZ_FRAME_JIT : 0) | (at->is_waker ? BRZ_FRAME_WAKER : 0);
    d.address = at->address;
    d.build_id = m->hex;
    return d;
}

/* ---- frames --------------------------------------------------------------------------------- */

/* Makes a frame of the name in `scratch`. */
static void add_frame(recording *p, brz_frame_desc *d)
{
    frames *f = &p->frames;
    if (f->srcline && d->file.len > 0) {
        brz_text_append(&f->scratch, p->ctx, BRZ_STR(":"));
        brz_text_append(&f->scratch, p->ctx, d->file);
        append_number(f, p->ctx, ":%llu", d->line);
    }
    append_annotation(f, p->ctx, d);
    d->name = brz_text_str(&f->scratch);
    brz_frame_list_push(&f->found, p->ctx, p->ctx->host->frame(p->ctx, d));
}

/* Returns the name of a symbol as perf script prints it, demangled, without the parts that perf
 * script leaves out. */
static brz_str printed_name(const recording *p, brz_str name, enum module_kind kind)
{
    const frames *f = &p->frames;
    bool is_of_file = kind == MODULE_FILE || kind == MODULE_VDSO;
    brz_str demangled;
    if (f->by_perf_script && is_of_file && f->demangler != NULL &&
        f->demangler->demangle(p->ctx, name, &demangled))
        return demangled;
    return name;
}

/* Makes the frames of a symbol: several if its name has inlined calls ("a->b"). */
static void add_symbol(recording *p, const place_of_code *at, brz_frame_desc *d, brz_str name)
{
    long balance = brz_bracket_balance(name);
    brz_str piece;
    for (bool more = true, inner = false; more; inner = true) {
        more = brz_take_inlined(&name, &balance, &piece);
        p->frames.scratch.len = 0;
        frame_name_append(&p->frames.scratch, p->ctx, piece, at->is_java);
        d->flags |= inner ? BRZ_FRAME_INLINED : 0;
        add_frame(p, d);
    }
}

static void set_line(brz_frame_desc *d, const inline_call *call)
{
    d->line = call->line;
    d->file = call->file == NULL ? brz_str_of("", 0) : brz_str_of_text(call->file);
}

/* Makes the frames of inlined functions: those after the first call. */
static void add_inlined(recording *p, const place_of_code *at, brz_frame_desc *d,
                        const inline_call *calls, size_t n)
{
    d->flags |= BRZ_FRAME_INLINED;
    for (size_t i = 1; i < n; i++) {
        const char *name = calls[i].name != NULL ? calls[i].name : "[unknown]";
        set_line(d, &calls[i]);
        add_symbol(p, at, d, brz_str_of_text(name));
    }
}

/* An address and the known facts about it. */
typedef struct resolved {
    const place_of_code *at;
    const symbol *symbol; /* NULL: none */
    inline_call calls[INLINES_MAX];
    size_t n; /* of the calls */
} resolved;

/* Finds the symbol of the code to which handlers of signals or functions of contexts return. No
 * call precedes it, so the byte before belongs to nothing; where signals return to, the rules for
 * unwinding begin a byte earlier. */
static const symbol *find_return(recording *p, module *m, const place_of_code *at)
{
    const symbol *next = symbols_find(&p->symbols, m, at->address + 1);
    bool begins = next != NULL && next->start == at->address + 1 && !p->frames.by_perf_script;
    return begins && call_frames_begin_after(p, m, at->address) ? next : NULL;
}

/* Finds the symbol and the calls at an address. */
static void find_code(recording *p, resolved *r, const place_of_code *at)
{
    module *m = &p->modules.items[at->module];
    module *map = m->kind == MODULE_MEMORY ? &p->modules.items[m->map] : m;
    r->at = at;
    r->symbol = symbols_find(&p->symbols, map, at->address);
    if (r->symbol == NULL)
        r->symbol = find_return(p, m, at);
    r->n = p->frames.inlines ? symbols_inlines(&p->symbols, m, at->address, r->calls) : 0;
}

/* Makes the frames of an address, root first. */
static void make_frames(recording *p, const resolved *r)
{
    frames *f = &p->frames;
    const module *m = &p->modules.items[r->at->module];
    const place_of_code *at = r->at;
    const inline_call *calls = r->calls;
    brz_frame_desc d = describe(p, at);
    f->found.n = 0;
    if (r->n > 0)
        set_line(&d, &calls[0]);
    if (r->symbol != NULL) {
        d.flags |= m->kind == MODULE_MEMORY ? BRZ_FRAME_JIT : 0;
        add_symbol(p, at, &d, printed_name(p, r->symbol->name, m->kind));
        if (at->is_waker && f->found.n > 0)
            off_cpu_name_waker(&p->off, p->ctx, f->found.ids[0], r->symbol->name);
    } else if (m->kind == MODULE_SYMBOL) {
        add_symbol(p, at, &d, m->name);
    } else if (r->n > 0 && calls[0].name != NULL) {
        add_symbol(p, at, &d, brz_str_of_text(calls[0].name));
    } else {
        name_unknown(p, at);
        add_frame(p, &d);
    }
    add_inlined(p, at, &d, calls, r->n);
}

/* ---- classes -------------------------------------------------------------------------------- */

/* Adds the frames that were made to a class. */
static void classify(recording *p, enum frame_class c)
{
    frames *f = &p->frames;
    for (size_t i = 0; i < f->found.n; i++) {
        while (f->n_classes <= f->found.ids[i]) {
            f->classes = brz_list_room(p->ctx, f->classes, f->n_classes, &f->classes_cap, 1);
            f->classes[f->n_classes++] = 0;
        }
        f->classes[f->found.ids[i]] |= (uint8_t)(1u << c);
    }
}

/* An interpreter: the function that runs all functions of scripts, and the beginning of the names
 * of its program and library. */
static const struct {
    enum frame_class class;
    const char *function, *file;
} interpreters[] = {
    {CLASS_PYTHON, "_PyEval_EvalFrameDefault", "python"},
    {CLASS_PHP, "execute_ex", "php"},
    {CLASS_PERL, "Perl_runops_standard", "perl"},
    {CLASS_PERL, "Perl_runops_debug", "perl"},
    {CLASS_RUBY, "vm_exec_core", "ruby"},
    {CLASS_RUBY, "rb_vm_exec", "ruby"},
};

/* Returns whether the label of a module, such as "[libpython3.11.so.1.0]", is that of the program
 * or library of an interpreter. */
static bool is_file_of(brz_str label, const char *file)
{
    brz_str name = brz_str_from(label, brz_starts_with(label, BRZ_STR("[lib")) ? 4 : 1);
    size_t n = strlen(file);
    return brz_starts_with(name, brz_str_of(file, n)) && name.len > n &&
           (name.data[n] < 'a' || name.data[n] > 'z');
}

/* Notes the code of interpreters. */
static void classify_code(recording *p, const module *m, brz_str name)
{
    for (size_t i = 0; i < BRZ_COUNT_OF(interpreters) && m->kind == MODULE_FILE; i++)
        if (brz_str_is(name, interpreters[i].function) ||
            is_file_of(m->label, interpreters[i].file))
            classify(p, interpreters[i].class);
    p->frames.has_python |= m->kind == MODULE_JIT && brz_starts_with(name, BRZ_STR("py::"));
}

static void classify_unnamed(recording *p, const module *m, uint32_t kind)
{
    bool is_jit = m->kind == MODULE_JIT || m->kind == MODULE_MEMORY;
    classify(p, kind == BRZ_KIND_KERNEL ? CLASS_KERNEL : is_jit ? CLASS_JIT : CLASS_UNNAMED);
}

void frames_count_classes(recording *p, uint64_t n)
{
    frames *f = &p->frames;
    const brz_path *path = p->stacks.path;
    unsigned all = 0;
    if (n > COUNTED_ALL && n % COUNTED_ONE_OF != 0)
        return;
    f->n_counted++;
    for (size_t i = 0; i < path->n && f->n_classes > 0; i++)
        all |= path->ids[i] < f->n_classes ? f->classes[path->ids[i]] : 0u;
    for (size_t i = 0; i < FRAME_CLASSES && all != 0; i++)
        f->samples_of[i] += all >> i & 1;
}

bool frames_are_many(const recording *p, enum frame_class c)
{
    const frames *f = &p->frames;
    /* Frames that are made later, and stacks that were held back, are not counted. */
    bool is_late = p->held.n > 0 || (c == CLASS_JIT && f->n_pending > 0);
    return is_late || f->samples_of[c] * 100 >= f->n_counted;
}

/* Returns a value that stands for the frames that were made. */
static uint32_t keep_frames(frames *f, brz_ctx *ctx)
{
    if (f->found.n == 1)
        return f->found.ids[0];
    uint32_t place = (uint32_t)f->lists.n;
    brz_frame_list_push(&f->lists, ctx, (uint32_t)f->found.n);
    for (size_t i = f->found.n; i-- > 0;)
        brz_frame_list_push(&f->lists, ctx, f->found.ids[i]);
    return place | FRAMES_LIST;
}

/* Returns whether the frames are the same at all addresses of a symbol, or of a module without
 * symbols, for as long as the recording is read. */
static bool is_same_everywhere(const recording *p, const resolved *r)
{
    const frames *f = &p->frames;
    enum module_kind kind = p->modules.items[r->at->module].kind;
    bool may_change = p->is_live && (kind == MODULE_JIT || kind == MODULE_MEMORY);
    return f->drops_addresses && r->n == 0 && (r->symbol != NULL || !f->addrs) && !may_change;
}

/* Returns a number that stands for the symbol of an address in a module, or 0. Symbols of files may
 * be released and read again, at other places in memory; one begins at an address. */
static uint64_t key_of(const module *m, const symbol *s)
{
    bool is_of_file = m->kind == MODULE_FILE || m->kind == MODULE_VDSO;
    return s == NULL ? 0 : is_of_file ? s->start + 1 : (uint64_t)(uintptr_t)s;
}

/* Makes the frames of an address. Returns the value to cache. */
static uint32_t resolve(recording *p, const place_of_code *at, uint64_t context)
{
    frames *f = &p->frames;
    module *m = &p->modules.items[at->module];
    resolved r;
    find_code(p, &r, at);
    bool has_name =
        r.symbol != NULL || m->kind == MODULE_SYMBOL || (r.n > 0 && r.calls[0].name != NULL);
    bool is_kernel = at->module == 0 && at->kind == BRZ_KIND_KERNEL;
    *(is_kernel ? &f->unmapped_kernel : &m->unknown) += !has_name;
    bool is_same = is_same_everywhere(p, &r);
    uint64_t key = key_of(m, r.symbol);
    uint32_t value = is_same ? pair_map_find(&f->named, key, context) : PAIR_MISS;
    if (value != PAIR_MISS)
        return value;
    make_frames(p, &r);
    if (!has_name)
        classify_unnamed(p, m, at->kind);
    classify_code(p, m, r.symbol != NULL ? r.symbol->name : brz_str_of("", 0));
    value = keep_frames(f, p->ctx);
    if (is_same)
        pair_map_put(&f->named, p->ctx, key, context, value);
    return value;
}

void frames_push_list(recording *p, uint32_t value)
{
    const brz_frame *list = p->frames.lists.ids + (value & ~FRAMES_LIST);
    bool is_pending = list[0] == 1 && (list[1] & FRAMES_PENDING) != 0;
    if (is_pending && !frames_is_unnamed(p, list[1])) {
        frames_push_id(p, list[1]);
        return;
    }
    for (uint32_t i = 1; i <= list[0]; i++)
        brz_path_push(p->stacks.path, p->ctx, list[i]);
}

/* Decodes an address and the context that determines its frames. */
static place_of_code place_of(uint64_t address, uint64_t context)
{
    return (place_of_code){.module = (uint32_t)(context >> KNOWN_MODULE),
                           .kind = (uint32_t)(context >> 2 & 3),
                           .address = address,
                           .is_java = (context & 1) != 0,
                           .is_waker = (context & 2) != 0};
}

/* Returns whether the frames of code are made at the end. A compiler that works at run time may
 * write the names of its functions long after they ran, and an input that arrives in chunks may be
 * read while the program still runs. */
static bool has_to_wait(const recording *p, const place_of_code *at)
{
    enum module_kind kind = p->modules.items[at->module].kind;
    return p->is_open && (kind == MODULE_JIT || kind == MODULE_MEMORY);
}

/* Returns a value that stands for frames that are made at the end. */
static uint32_t postpone(recording *p, uint64_t address, uint64_t context)
{
    frames *f = &p->frames;
    uint32_t place = (uint32_t)f->lists.n;
    f->pending =
        brz_list_room(p->ctx, f->pending, f->n_pending, &f->pending_cap, sizeof *f->pending);
    f->pending[f->n_pending] = (pending_code){.address = address, .context = context};
    f->n_unnamed++;
    brz_frame_list_push(&f->lists, p->ctx, 1);
    brz_frame_list_push(&f->lists, p->ctx, (uint32_t)f->n_pending++ | FRAMES_PENDING);
    return place | FRAMES_LIST;
}

static void name_pending(recording *p, pending_code *c)
{
    place_of_code place = place_of(c->address, c->context);
    c->value = resolve(p, &place, c->context);
    c->is_named = true;
    p->frames.n_unnamed--;
}

/* Returns the module with the names of waiting code. */
static module *module_of_names(const recording *p, const pending_code *c)
{
    module *m = &p->modules.items[c->context >> KNOWN_MODULE];
    return m->kind == MODULE_MEMORY ? &p->modules.items[m->map] : m;
}

/* Looks for the names that compilers have written since the last time. */
static void refresh_names(recording *p)
{
    symbols_look_again(&p->symbols);
    for (size_t i = 0; i < p->frames.n_pending; i++)
        if (!p->frames.pending[i].is_named)
            symbols_refresh(&p->symbols, module_of_names(p, &p->frames.pending[i]));
}

void frames_name_pending(recording *p)
{
    refresh_names(p);
    for (size_t i = 0; i < p->frames.n_pending; i++) {
        pending_code *c = &p->frames.pending[i];
        uint64_t address = place_of(c->address, c->context).address;
        if (!c->is_named && symbols_find(&p->symbols, module_of_names(p, c), address) != NULL)
            name_pending(p, c);
    }
}

void frames_resolve_pending(recording *p)
{
    if (p->is_live)
        refresh_names(p);
    for (size_t i = 0; i < p->frames.n_pending; i++)
        if (!p->frames.pending[i].is_named)
            name_pending(p, &p->frames.pending[i]);
}

const recent_code *frames_learn(recording *p, uint64_t address, uint64_t context)
{
    place_of_code place = place_of(address, context);
    uint32_t value =
        has_to_wait(p, &place) ? postpone(p, address, context) : resolve(p, &place, context);
    return code_table_keep(p->frames.recent,
                           code_table_add(&p->frames.known, p->ctx, address, context, value));
}

/* ---- threads -------------------------------------------------------------------------------- */

static void name_root(frames *f, brz_ctx *ctx, const thread *of)
{
    f->scratch.len = 0;
    if (of->name.len > 0)
        brz_text_append(&f->scratch, ctx, of->name);
    else
        append_id(f, ctx, ':', of->tid);
    for (size_t i = 0; i < f->scratch.len; i++) /* as in the text of perf script */
        if (f->scratch.data[i] == ' ')
            f->scratch.data[i] = '_';
    if (f->pid || f->tid)
        append_id(f, ctx, '-', of->pid);
    if (f->tid)
        append_id(f, ctx, '/', of->tid);
}

/* Returns the frame of a thread with flags. */
static brz_frame root_of(recording *p, const thread *of, uint32_t flags)
{
    frames *f = &p->frames;
    name_root(f, p->ctx, of);
    brz_frame_key key = brz_frame_key_of(&f->roots, f->scratch.data, f->scratch.len, flags);
    brz_frame root = brz_frame_cache_find(&f->roots, &key);
    if (root != BRZ_CACHE_MISS)
        return root;
    brz_frame_desc d = {.struct_size = sizeof d, .kind = BRZ_KIND_PROCESS, .flags = flags};
    d.name = brz_text_str(&f->scratch);
    root = p->ctx->host->frame(p->ctx, &d);
    brz_frame_cache_put(&f->roots, p->ctx, &key, root);
    return root;
}

brz_frame frames_root(recording *p, thread *of)
{
    if (of->root == BRZ_NO_FRAME)
        of->root = root_of(p, of, 0);
    return of->root;
}

brz_frame frames_waker_root(recording *p, const thread *of)
{
    return root_of(p, of, BRZ_FRAME_WAKER);
}
