/* SPDX-License-Identifier: MIT */
/* Finds the parts of a profile of the Firefox Profiler:
 *
 *     document := process | {…, "profile": process}        the second by the developer tools
 *     process  := {"meta": {…}, "threads": [thread*], "processes": [process*], "libs": […],
 *                  "shared": {TABLE…}}
 *     thread   := {"name": "…", "processName": "…", "processType": "…", "pid": n, "tid": n,
 *                  "samples": {…}, TABLE…} | "process"      the second: a string that holds JSON
 *     TABLE    := "stackTable" | "frameTable" | "funcTable" | "resourceTable" | "sources" |
 *                 "stringArray" | "stringTable"
 *
 * Members may be in any order, so tables are read afterwards. Unknown members are skipped.
 */
#include "document.h"

#include <brazier/symbol.h>

#include "../../common/json/text.h"

/* Processes have processes of their own only in the outermost one. */
#define MOST_NESTED 4

static const char *const table_keys[] = {"stackTable",    "frameTable", "funcTable",
                                         "resourceTable", "sources",    "stringArray",
                                         "stringTable",   "libs"};

#define TABLE_KEYS BRZ_COUNT_OF(table_keys)

/* Reports a problem at a part of the input, or of a text in it. */
static void report(const firefox *f, brz_ctx *ctx, const char *code, brz_str at, brz_str message)
{
    bool inside = at.data >= f->chunk.data && at.data < f->chunk.data + f->chunk.len;
    brz_report(ctx, BRZ_WARNING, code, inside ? at.data : NULL, inside ? at.len : 0, message);
}

/* ---- threads ------------------------------------------------------------------------------- */

/* Reads the value of a table. Returns false for other keys. */
static bool take_table(scope *s, cursor *c, brz_str key)
{
    size_t i = members_find(key, table_keys, TABLE_KEYS);
    if (i == TABLE_KEYS)
        return false;
    s->parts[i > STRINGS ? i - 1 : i] = members_value(c); /* strings have two names */
    return true;
}

static void read_samples(thread *t, cursor *c)
{
    static const char *const keys[SAMPLES_PARTS] = {
        "stack", "time", "weight", "threadCPUDelta", "timeDeltas", "weightType", "schema", "data"};
    members_read(c, keys, SAMPLES_PARTS, t->samples);
}

static void read_thread(firefox *f, cursor *c, size_t owner)
{
    static const char *const keys[THREAD_PARTS] = {"name", "processName", "processType",
                                                   "pid",  "tid",         "brazier"};
    thread t = {.process = owner};
    brz_str key;
    while (cursor_member(c, &key)) {
        size_t i = members_find(key, keys, THREAD_PARTS);
        if (i < THREAD_PARTS)
            t.own[i] = members_value(c);
        else if (take_table(&t.scope, c, key))
            continue;
        else if (brz_json_text_is(key, BRZ_STR("samples")) && c->token.kind == BRZ_JSON_OBJECT)
            read_samples(&t, c);
        else
            cursor_skip(c);
    }
    if (t.samples[SAMPLES_STACK].kind != BRZ_JSON_ARRAY &&
        t.samples[SAMPLES_DATA].kind != BRZ_JSON_ARRAY)
        return;
    f->threads = brz_list_room(c->ctx, f->threads, f->n_threads, &f->threads_cap, sizeof t);
    f->threads[f->n_threads++] = t;
}

static void add_document(firefox *f, brz_ctx *ctx, brz_str text)
{
    f->documents = brz_list_room(ctx, f->documents, f->n_documents, &f->documents_cap, sizeof text);
    f->documents[f->n_documents++] = text;
}

static void read_threads(firefox *f, cursor *c, size_t owner)
{
    while (cursor_element(c)) {
        brz_str at = c->token.text;
        if (c->token.kind == BRZ_JSON_STRING)
            add_document(f, c->ctx, json_text(c->ctx, &c->token));
        else if (cursor_enter(c, BRZ_JSON_OBJECT))
            read_thread(f, c, owner);
        else
            report(f, c->ctx, "firefox.thread", at, BRZ_STR("not a thread: left out"));
    }
}

/* ---- processes ----------------------------------------------------------------------------- */

static size_t begin_process(firefox *f, brz_ctx *ctx)
{
    f->processes =
        brz_list_room(ctx, f->processes, f->n_processes, &f->processes_cap, sizeof *f->processes);
    memset(&f->processes[f->n_processes], 0, sizeof *f->processes);
    return f->n_processes++;
}

/* Forgets the process that was read last if it has no threads. */
static void end_process(firefox *f, size_t owner)
{
    bool has_threads = f->n_threads > 0 && f->threads[f->n_threads - 1].process == owner;
    f->n_processes -= owner > 0 && owner == f->n_processes - 1 && !has_threads;
}

/* Reads the value of a member of a process, except for other processes. */
static void read_member(firefox *f, cursor *c, brz_str key, size_t owner)
{
    static const char *const keys[META_PARTS] = {"startTime",
                                                 "interval",
                                                 "product",
                                                 "importedFrom",
                                                 "categories",
                                                 "sampleUnits",
                                                 "abi",
                                                 "oscpu",
                                                 "platform",
                                                 "CPUName",
                                                 "initialSelectedThreads"};
    process *p = &f->processes[owner];
    brz_str inner;
    if (brz_json_text_is(key, BRZ_STR("meta")) && c->token.kind == BRZ_JSON_OBJECT)
        members_read(c, keys, META_PARTS, p->meta);
    else if (brz_json_text_is(key, BRZ_STR("threads")) && c->token.kind == BRZ_JSON_ARRAY)
        read_threads(f, c, owner);
    else if (brz_json_text_is(key, BRZ_STR("shared")) && c->token.kind == BRZ_JSON_OBJECT)
        while (cursor_member(c, &inner)) {
            if (!take_table(&p->shared, c, inner))
                cursor_skip(c);
        }
    else if (!take_table(&p->shared, c, key))
        cursor_skip(c);
}

/* A process whose object is open. */
typedef struct open_process {
    size_t process;
    bool listed; /* an element of the list "processes" of the one before */
} open_process;

/* Reads a process and those in it, whose objects are nested. */
static void read_processes(firefox *f, cursor *c)
{
    open_process open[MOST_NESTED] = {{begin_process(f, c->ctx), false}};
    size_t n = 1;
    bool in_list = false; /* of the innermost process */
    brz_str key;
    while (n > 0 && !c->failed && !c->cut) {
        bool more = in_list ? cursor_element(c) : cursor_member(c, &key);
        bool list = !in_list && more && brz_json_text_is(key, BRZ_STR("processes")) &&
                    c->token.kind == BRZ_JSON_ARRAY;
        bool is_object = c->token.kind == BRZ_JSON_OBJECT;
        bool wrapped =
            !in_list && more && n == 1 && is_object && brz_json_text_is(key, BRZ_STR("profile"));
        brz_str at = c->token.text;
        if (!more && in_list) {
            in_list = false;
        } else if (!more) {
            in_list = open[--n].listed;
            end_process(f, open[n].process);
        } else if (list && n < MOST_NESTED) {
            in_list = true;
        } else if (wrapped || (in_list && is_object)) {
            open[n++] = (open_process){begin_process(f, c->ctx), in_list};
            in_list = false;
        } else if (in_list || list) {
            cursor_skip(c);
            report(f, c->ctx, "firefox.process", at,
                   BRZ_STR("not a process, or nested too deeply: left out"));
        } else {
            read_member(f, c, key, open[n - 1].process);
        }
    }
}

static void read_document(firefox *f, brz_ctx *ctx, brz_str text)
{
    static const char *const codes[] = {"firefox.json", "firefox.cut-off"};
    cursor c;
    cursor_start(&c, ctx, text);
    if (cursor_next(&c) && cursor_enter(&c, BRZ_JSON_OBJECT))
        read_processes(f, &c);
    if (text.data == f->chunk.data)
        cursor_report(&c, codes);
    else if (c.failed || c.cut)
        BRZ_WARN(ctx, codes[0], NULL, 0,
                 "a process given as text is not JSON to its end: the rest of it is left out");
}

void document_read(firefox *f, brz_ctx *ctx, brz_str text)
{
    f->chunk = text;
    add_document(f, ctx, text);
    for (size_t i = 0; i < f->n_documents; i++)
        read_document(f, ctx, f->documents[i]);
}

/* ---- categories and libraries -------------------------------------------------------------- */

/* Returns what the name of a category says of a frame. */
static category category_of(const brz_json_token *name)
{
    static const struct {
        const char *names[2];
        category category;
    } known[] = {{{"process", "Process"}, {BRZ_KIND_PROCESS, 0}},
                 {{"user", "User"}, {BRZ_KIND_USER, 0}},
                 {{"kernel", "Kernel"}, {BRZ_KIND_KERNEL, 0}},
                 {{"jit", "JIT"}, {0, BRZ_FRAME_JIT}},
                 {{"inlined", "Inlined"}, {0, BRZ_FRAME_INLINED}},
                 {{"waker", "Waker"}, {0, BRZ_FRAME_WAKER}}};
    for (size_t i = 0; i < BRZ_COUNT_OF(known) && name->kind == BRZ_JSON_STRING; i++)
        if (members_find(name->text, known[i].names, 2) < 2)
            return known[i].category;
    return (category){0, 0};
}

/* Reads the member `key` of the next object of a list. */
static brz_json_token read_name(cursor *c)
{
    static const char *const keys[] = {"name"};
    brz_json_token name = {0};
    members_enter(c, keys, 1, &name);
    return name;
}

void process_read(process *p, brz_ctx *ctx)
{
    cursor c;
    if (p->read)
        return;
    p->read = true;
    if (members_open(&c, ctx, &p->meta[META_CATEGORIES], BRZ_JSON_ARRAY))
        while (cursor_element(&c)) {
            brz_json_token name = read_name(&c);
            p->categories = brz_list_room(ctx, p->categories, p->n_categories, &p->categories_cap,
                                          sizeof *p->categories);
            p->categories[p->n_categories++] = category_of(&name);
        }
    if (members_open(&c, ctx, &p->shared.parts[LIBRARIES], BRZ_JSON_ARRAY))
        while (cursor_element(&c)) {
            brz_json_token name = read_name(&c);
            p->libraries = brz_list_room(ctx, p->libraries, p->n_libraries, &p->libraries_cap,
                                         sizeof *p->libraries);
            p->libraries[p->n_libraries++] =
                name.kind == BRZ_JSON_STRING ? name.text : brz_str_of(NULL, 0);
        }
}
