/* SPDX-License-Identifier: MIT */
/* Collapses processed logs of `node --prof`, in JSON:
 *
 *     log      := {"code": [code*], "functions": [function*], "ticks": [tick*], …}
 *     code     := {"name": …, "type": "JS"|"CODE"|"CPP"|"SHARED_LIB", "kind": …, "func": index}
 *     function := {"name": "NAME FILE:LINE:COLUMN", …}
 *     tick     := {"tm": microseconds, "vm": state, "s": [(code offset)*]}
 *
 * The codes of a tick run from leaf to root; -1 is code without a name. Members may be in any
 * order, and others are skipped.
 */
#include "../../common/dump/dump.h"
#include "../../common/json/members.h"
#include "../../common/json/text.h"
#include "../../common/names/unresolved.h"
#include "../../common/v8/code_name.h"

typedef enum member { CODE, FUNCTIONS, TICKS, N_MEMBERS } member;

/* The state of V8 in which it collects garbage. */
#define STATE_GC 1

/* Elements of an array; each is parsed when it is needed. */
typedef struct elements {
    brz_json_token *items;
    size_t n, cap;
} elements;

typedef struct proflog {
    dump dump;
    brz_json_token members[N_MEMBERS];
    elements codes, functions;
    brz_frame *frames; /* of codes, plus 1; 0: not made yet */
    brz_text name;
} proflog;

static void read_elements(elements *e, brz_ctx *ctx, const brz_json_token *array)
{
    cursor c;
    if (!members_open(&c, ctx, array, BRZ_JSON_ARRAY))
        return;
    while (cursor_element(&c)) {
        e->items = brz_list_room(ctx, e->items, e->n, &e->cap, sizeof *e->items);
        e->items[e->n++] = members_value(&c);
    }
}

/* ---- frames ---------------------------------------------------------------------------------- */

static bool is_type(const brz_json_token *type, brz_str word)
{
    return type->kind == BRZ_JSON_STRING && brz_json_text_is(type->text, word);
}

/* Returns the name of a function, or NULL. It replaces the function, which is parsed once. */
static const brz_json_token *function_name(proflog *p, const brz_json_token *index)
{
    static const char *const keys[] = {"name"};
    uint32_t i = members_number(index, UINT32_MAX);
    brz_json_token name = {0};
    cursor c;
    if (i >= p->functions.n)
        return NULL;
    if (members_open(&c, p->dump.ctx, &p->functions.items[i], BRZ_JSON_OBJECT)) {
        members_read(&c, keys, 1, &name);
        p->functions.items[i] = name;
    }
    return &p->functions.items[i];
}

static void describe(proflog *p, const brz_json_token *code, brz_frame_desc *frame)
{
    static const char *const keys[] = {"name", "type", "func"};
    brz_json_token values[3] = {{0}};
    if (!members_of(p->dump.ctx, code, keys, 3, values))
        return;
    const brz_json_token *function = function_name(p, &values[2]);
    brz_str text = json_text_into(&p->name, p->dump.ctx, function != NULL ? function : &values[0]);
    frame->kind = BRZ_KIND_USER;
    if (is_type(&values[1], BRZ_STR("JS"))) {
        code_describe_script(text, frame);
    } else if (is_type(&values[1], BRZ_STR("SHARED_LIB"))) {
        frame->module = text;
        frame->name = unresolved_name(&p->dump.text, p->dump.ctx, text, 0);
    } else {
        frame->name = is_type(&values[1], BRZ_STR("CPP")) ? code_without_letter(text) : text;
    }
}

static brz_frame frame_of(proflog *p, uint32_t index)
{
    if (p->frames[index] == 0) {
        brz_frame_desc frame = {0};
        describe(p, &p->codes.items[index], &frame);
        p->frames[index] = dump_frame(&p->dump, &frame) + 1;
    }
    return p->frames[index] - 1;
}

/* ---- ticks ----------------------------------------------------------------------------------- */

static void push_named(proflog *p, brz_str name)
{
    brz_frame_desc frame = {.name = name};
    brz_path_push(p->dump.stacks.path, p->dump.ctx, dump_frame(&p->dump, &frame));
}

/* Appends the code of an index, or code without a name for -1. Returns false for others. */
static bool push_code(proflog *p, const brz_json_token *index)
{
    uint32_t i = members_number(index, UINT32_MAX);
    if (i < p->codes.n)
        brz_path_push(p->dump.stacks.path, p->dump.ctx, frame_of(p, i));
    else
        push_named(p, brz_str_of("", 0));
    return i < p->codes.n || brz_str_is(index->text, "-1");
}

/* Reads the codes of a tick, with an offset after each. */
static bool read_stack(proflog *p, const brz_json_token *stack)
{
    cursor c;
    bool good = true;
    if (!members_open(&c, p->dump.ctx, stack, BRZ_JSON_ARRAY))
        return false;
    while (cursor_element(&c)) {
        brz_json_token code = members_value(&c);
        good &= code.kind == BRZ_JSON_NUMBER && push_code(p, &code);
        if (cursor_element(&c))
            cursor_skip(&c);
    }
    return good && dump_depth(&p->dump) > 0;
}

static brz_rc read_tick(proflog *p, cursor *c)
{
    static const char *const keys[] = {"tm", "vm", "s"};
    dump *d = &p->dump;
    brz_json_token values[3] = {{0}};
    const char *begin = c->at;
    int64_t time;
    brz_path_cut(d->stacks.path, 0);
    members_enter(c, keys, 3, values);
    if (values[1].kind != BRZ_JSON_NUMBER)
        BRZ_WARN(d->ctx, "v8log.state", begin, (size_t)(c->at - begin),
                 "a tick without the state of V8: a frame of the garbage collector may be missing");
    if (members_number(&values[1], 0) == STATE_GC)
        push_named(p, BRZ_STR("(garbage collector)"));
    if (!read_stack(p, &values[2])) {
        brz_report_lost_weight(d->ctx, "v8log.tick", begin, (size_t)(c->at - begin),
                               BRZ_STR("a tick without known code: left out"), 1);
        return BRZ_OK;
    }
    bool timed = members_integer(d->ctx, &values[0], &time) &&
                 !__builtin_mul_overflow(time, INT64_C(1000), &time);
    brz_stacks_place(&d->stacks, BRZ_NO_TAG, timed ? BRZ_TIMED : 0, timed ? time : 0);
    return dump_count(d, 0, 1);
}

static brz_rc read_ticks(proflog *p)
{
    brz_ctx *ctx = p->dump.ctx;
    brz_rc rc = BRZ_OK;
    cursor c;
    p->frames = ctx->host->alloc(ctx, (p->codes.n + 1) * sizeof *p->frames, 0);
    if (members_open(&c, ctx, &p->members[TICKS], BRZ_JSON_ARRAY))
        while (rc == BRZ_OK && cursor_element(&c))
            rc = read_tick(p, &c);
    return rc;
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    static const char *const codes[] = {"v8log.json", "v8log.cut-off"};
    static const char *const keys[N_MEMBERS] = {"code", "functions", "ticks"};
    proflog *p = ctx->inst;
    *used = chunk->len;
    members_of_input(ctx, chunk, codes, keys, N_MEMBERS, p->members);
    dump_declare(ctx, BRZ_STR("ticks"), BRZ_STR("samples"));
    read_elements(&p->codes, ctx, &p->members[CODE]);
    read_elements(&p->functions, ctx, &p->members[FUNCTIONS]);
    return read_ticks(p);
}

/* ---- plug-in --------------------------------------------------------------------------------- */

/* Recognises codes with the types that V8 has. */
static int32_t sniff(const brz_head *head)
{
    static const char *const paths[] = {"code.name", "code.type", "ticks.tm", "ticks.s", NULL};
    static const char *const types[] = {"\"SHARED_LIB\"", "\"CPP\"", "\"CODE\"", "\"JS\""};
    brz_str text = brz_str_of((const char *)head->data, head->len);
    uint32_t found = cursor_paths(head, paths);
    if ((found & 12) == 12)
        return BRZ_SNIFF_HEADER;
    for (size_t i = 0; i < BRZ_COUNT_OF(types) && (found & 3) == 3; i++)
        if (brz_str_find(text, brz_str_of_text(types[i]), 0) != SIZE_MAX)
            return BRZ_SNIFF_HEADER;
    return BRZ_SNIFF_NO;
}

SHIPPED_READER(proflog, .flags = BRZ_WHOLE_INPUT, .open = dump_open, .finish = dump_finish)

BRZ_HINTS(BRZ_IF_CONTAINS("ticks") BRZ_IF_CONTAINS("\"code\"") BRZ_IF_CONTAINS("\\u00"))

SHIPPED_COLLAPSER("v8log", .summary = "processed logs of `node --prof`, in JSON",
                  .help = "Record with `node --prof SCRIPT`, and make JSON of the log with `node "
                          "--prof-process --preprocess -j isolate*.log > log.json`.")
