/* SPDX-License-Identifier: MIT */
/* Counts samples. */
#include "samples.h"

#include <brazier/digits.h>

#include <stdio.h>

#include "../../common/names/arguments.h"

#include "times.h"

/* ---- header ---------------------------------------------------------------------------------- */

/* Reads the header: its lines are those in front of the first sample. */
static void read_header(text_header *h, brz_str text, text_slot first)
{
    brz_str line;
    text_match match;
    while (!h->format.failed && brz_block_line(&text, &line)) {
        if (text_format_find(&h->format, SLOT_IGNORE, line, &match))
            continue;
        if (text_format_find(&h->format, SLOT_HEADER, line, &match)) {
            text_values_add(&h->values, &match, &h->format.matcher);
        } else if (text_format_find(&h->format, first, line, &match)) {
            return;
        }
    }
}

/* States the labels of the header as facts about the recording. */
static void state_facts(brz_ctx *ctx, const text_header *h)
{
    brz_pair pairs[MOST_LABELS];
    brz_metadata facts = {.struct_size = sizeof facts, .pair_size = sizeof *pairs};
    for (uint32_t i = 0; i < h->values.n_labels; i++)
        pairs[i] = (brz_pair){h->values.labels[i].key, h->values.labels[i].text};
    facts.pairs = pairs;
    facts.n_pairs = h->values.n_labels;
    if (facts.n_pairs > 0)
        ctx->host->metadata(ctx, &facts);
}

static brz_rc report_fault(brz_ctx *ctx, const text_fault *fault)
{
    char message[2 * EXPRESSION_FAULT];
    int n = snprintf(message, sizeof message, "%s: %s", fault->option, fault->what);
    brz_report(ctx, BRZ_FATAL, "text.option", NULL, 0, brz_str_of(message, (size_t)n));
    return BRZ_ERROR;
}

brz_rc text_read_header(brz_ctx *ctx, const brz_chunk *chunk, const text_shape *shape,
                        text_slot first, const void **shared)
{
    text_header *h = ctx->host->alloc(ctx, sizeof *h, 0);
    text_fault fault;
    if (!text_format_init(&h->format, shape, ctx->cfg, ctx, false, &fault))
        return report_fault(ctx, &fault);
    if (text_format_uses(&h->format, SLOT_HEADER)) {
        brz_str text = brz_str_of((const char *)chunk->data, chunk->len);
        read_header(h, text, first);
        text_values_keep(&h->values, &h->copies, ctx);
        state_facts(ctx, h);
    }
    h->format.ctx = NULL;
    *shared = h;
    return h->format.failed ? BRZ_ERROR : BRZ_OK;
}

void text_take_header(text_samples *t, const text_match *match)
{
    const text_header *h = t->dump.ctx->prelude_data;
    text_values *own = &t->values;
    text_values_clear(own);
    text_values_add(own, match, &t->format.matcher);
    for (size_t g = 0; g < N_GROUPS; g++)
        if (own->of[g].data != NULL && !brz_str_equal(own->of[g], h->values.of[g])) {
            BRZ_WARN(t->dump.ctx, "text.header", match->line.data, match->line.len,
                     "a header with other values than the one at the beginning, which count");
            return;
        }
}

/* ---- life cycle ------------------------------------------------------------------------------ */

brz_rc text_open(brz_ctx *ctx, const text_shape *shape, uint32_t flags)
{
    text_samples *t = ctx->inst;
    text_fault fault;
    t->roots_last = (flags & BRZ_LEAF_FIRST) != 0;
    t->frame_slot = SLOT_FRAME;
    if (!text_format_init(&t->format, shape, ctx->cfg, ctx, !(ctx->flags & BRZ_CTX_CONFINED),
                          &fault))
        return report_fault(ctx, &fault);
    if (shape->is_weighted) {
        text_weight_init(&t->weight, t->format.options);
        text_weight_declare(&t->weight, ctx, t->format.options, t->format.has_weight);
    }
    return t->roots_last ? dump_open(ctx) : dump_open_root_first(ctx);
}

void text_close(brz_ctx *ctx)
{
    text_format_finish(&((text_samples *)ctx->inst)->format);
}

/* ---- values ---------------------------------------------------------------------------------- */

static const text_values *header_values(const text_samples *t)
{
    const text_header *h = t->dump.ctx->prelude_data;
    return &h->values;
}

brz_str text_value(const text_samples *t, text_group g)
{
    if (t->values.of[g].data != NULL)
        return t->values.of[g];
    return t->section.of[g].data != NULL ? t->section.of[g] : header_values(t)->of[g];
}

static brz_str label_value(const text_samples *t, brz_str key)
{
    brz_str text = text_values_label(&t->values, key);
    if (text.data == NULL)
        text = text_values_label(&t->section, key);
    return text.data != NULL ? text : text_values_label(header_values(t), key);
}

/* ---- frames ---------------------------------------------------------------------------------- */

const char *const text_kinds[] = {"other", "user", "kernel", NULL};

static void set_default_kind(const text_options *o, brz_frame_desc *frame)
{
    static const uint32_t kinds[] = {BRZ_KIND_OTHER, BRZ_KIND_USER, BRZ_KIND_KERNEL};
    frame->kind = kinds[o->kind];
}

static void set_kind(brz_str kind, brz_frame_desc *frame)
{
    static const struct {
        const char *word, *letter;
        uint32_t kind, flags;
    } kinds[] = {
        {"user", "u", BRZ_KIND_USER, 0},
        {"kernel", "k", BRZ_KIND_KERNEL, 0},
        {"process", "p", BRZ_KIND_PROCESS, 0},
        {"jit", "j", BRZ_KIND_OTHER, BRZ_FRAME_JIT},
        {"inlined", "i", BRZ_KIND_OTHER, BRZ_FRAME_INLINED},
        {"inline", "inl", BRZ_KIND_OTHER, BRZ_FRAME_INLINED},
        {"waker", "w", BRZ_KIND_OTHER, BRZ_FRAME_WAKER},
    };
    for (size_t i = 0; i < BRZ_COUNT_OF(kinds); i++)
        if (brz_str_is(kind, kinds[i].word) || brz_str_is(kind, kinds[i].letter)) {
            frame->kind = kinds[i].kind != BRZ_KIND_OTHER ? kinds[i].kind : frame->kind;
            frame->flags |= kinds[i].flags;
        }
}

static uint32_t small_number(brz_str text)
{
    uint64_t n;
    return brz_parse_u64(text, &n) && n <= UINT32_MAX ? (uint32_t)n : 0;
}

static brz_str function_name(text_samples *t, brz_str text)
{
    bool is_whole = t->format.options->arguments;
    return dump_repaired(&t->dump, is_whole ? text : name_without_arguments(text));
}

/* Fills in the attributes that the groups of a match have. */
static void fill_in(text_samples *t, const text_match *match, brz_frame_desc *frame)
{
    const expression *e = match->expression;
    for (size_t i = e->begin[GROUP_FUNCTION]; i < e->begin[GROUP_KIND + 1]; i++) {
        brz_str text = expression_group_text(&t->format.matcher, match->line, e->groups[i].number);
        if (text.data == NULL)
            continue;
        switch (e->groups[i].means) {
        case GROUP_FUNCTION:
            if (frame->name.len == 0)
                frame->name = function_name(t, text);
            break;
        case GROUP_MODULE:
            frame->module = text;
            break;
        case GROUP_FILE:
            frame->file = text;
            break;
        case GROUP_LINE:
            frame->line = small_number(text);
            break;
        case GROUP_COLUMN:
            frame->column = small_number(text);
            break;
        case GROUP_ADDRESS:
            if (!dump_take_address(&text, &frame->address))
                brz_take_hex(&text, &frame->address);
            break;
        case GROUP_KIND:
            set_kind(text, frame);
            break;
        default:
            break;
        }
    }
}

/* Appends the text for a group of the option `name`. Returns false if the group took no part. */
static bool add_group(text_samples *t, const text_match *match, brz_str name, brz_text *to)
{
    const expression *e = match->expression;
    for (size_t i = 0; i < e->n_groups; i++) {
        brz_str text = expression_group_text(&t->format.matcher, match->line, e->groups[i].number);
        if (text.data == NULL || !brz_str_equal(e->groups[i].name, name))
            continue;
        brz_text_append(to, t->dump.ctx, text);
        return true;
    }
    return false;
}

/* Gives a frame the name that the option describes, if all of its groups took part. */
static void compose_name(text_samples *t, const text_match *match, brz_frame_desc *frame)
{
    brz_str rest = t->format.options->name, before, group;
    brz_text *to = &t->dump.text;
    size_t from = to->len;
    while (brz_cut_first(rest, '{', &before, &rest) && brz_cut_first(rest, '}', &group, &rest)) {
        brz_text_append(to, t->dump.ctx, before);
        if (!add_group(t, match, group, to))
            return;
    }
    brz_text_append(to, t->dump.ctx, rest);
    if (to->len > from)
        frame->name = dump_repaired(&t->dump, brz_str_of(to->data + from, to->len - from));
}

void text_describe(dump *d, brz_str text, brz_frame_desc *frame)
{
    text_samples *t = (text_samples *)d;
    text_match match;
    brz_str line, rest = text;
    text_slot slot = t->frame_slot;
    set_default_kind(t->format.options, frame);
    while (brz_block_line(&rest, &line)) {
        bool found = text_format_find(&t->format, slot, line, &match);
        if (found)
            fill_in(t, &match, frame);
        if (found && slot != SLOT_DETAIL && t->format.options->name.len > 0)
            compose_name(t, &match, frame);
        else if (!found && slot == SLOT_FRAME)
            frame->name = dump_repaired(d, line);
        slot = SLOT_DETAIL;
    }
}

/* Reads a number, which is decimal, or hexadecimal with "0x". */
static bool read_id(brz_str text, int64_t *id)
{
    uint64_t n;
    brz_str rest = text;
    if (!dump_take_address(&rest, &n) && !brz_take_u64(&rest, &n))
        return false;
    *id = (int64_t)n;
    return rest.len == 0 && n <= INT64_MAX;
}

static void push_root(text_samples *t, brz_str name)
{
    static const char *const words[] = {"thread", "thread_name", "process", "process_name"};
    static const text_group groups[] = {GROUP_THREAD, GROUP_THREAD_NAME, GROUP_PROCESS,
                                        GROUP_PROCESS_NAME};
    size_t i = brz_str_index(name, words, BRZ_COUNT_OF(words));
    brz_str text = i < BRZ_COUNT_OF(words) ? text_value(t, groups[i]) : label_value(t, name);
    if (text.len > 0)
        dump_push_root(&t->dump, text);
}

/* Appends the root frame of an id: "PID=812". */
static void push_id(text_samples *t, brz_str key, text_group g)
{
    char name[BRZ_NUMBER_ROOM + 8];
    int64_t id;
    if (!read_id(text_value(t, g), &id))
        return;
    memcpy(name, key.data, key.len);
    char *end = brz_format_u64(name + key.len, (uint64_t)id);
    dump_push_root(&t->dump, brz_str_of(name, (size_t)(end - name)));
}

static void push_ids(text_samples *t)
{
    const text_options *o = t->format.options;
    if (o->pid && !t->roots_last)
        push_id(t, BRZ_STR("PID="), GROUP_PROCESS);
    if (o->tid)
        push_id(t, BRZ_STR("TID="), GROUP_THREAD);
    if (o->pid && t->roots_last)
        push_id(t, BRZ_STR("PID="), GROUP_PROCESS);
}

void text_push_roots(text_samples *t)
{
    const brz_strlist *roots = &t->format.options->roots;
    if (!t->roots_last)
        push_ids(t);
    for (size_t i = 0; i < roots->count; i++)
        push_root(t, roots->items[t->roots_last ? roots->count - 1 - i : i]);
    if (t->roots_last)
        push_ids(t);
}

/* ---- samples --------------------------------------------------------------------------------- */

static bool read_weight(text_samples *t, brz_str text, brz_str unit, int64_t *value)
{
    return text_weight_read(&t->weight, &t->dump.stacks, t->dump.ctx, text, unit, value);
}

/* Reads the weight 1 of a sample without one. */
static bool read_one(text_samples *t, int64_t *value)
{
    return read_weight(t, BRZ_STR("1"), (brz_str){0}, value);
}

bool text_read_weight(text_samples *t, brz_str part, int64_t *value)
{
    if (!t->format.has_weight)
        return read_one(t, value);
    brz_str text = text_value(t, GROUP_WEIGHT), unit = text_value(t, GROUP_UNIT);
    if (read_weight(t, text, unit, value))
        return true;
    if (text.data != NULL && !text_weight_takes(&t->weight, unit))
        brz_report_lost(t->dump.ctx, "text.unit", part.data, part.len,
                        BRZ_STR("the unit is unknown, or none of the weight's kind: left out"));
    else if (text.data == NULL)
        brz_report_lost(t->dump.ctx, "text.no-weight", part.data, part.len,
                        BRZ_STR("a sample without a weight: left out"));
    else
        brz_report_lost(t->dump.ctx, "text.weight", part.data, part.len,
                        BRZ_STR("the weight is no number, or too large: left out"));
    return false;
}

bool text_weight_is_fixed(text_samples *t, int64_t *value)
{
    if (!t->format.has_weight)
        return read_one(t, value);
    bool from_header = !text_format_has(&t->format, SLOT_SAMPLE, GROUP_WEIGHT) &&
                       !text_format_has(&t->format, SLOT_BEGIN, GROUP_WEIGHT) &&
                       !text_format_has(&t->format, SLOT_END, GROUP_WEIGHT) &&
                       !text_format_has(&t->format, SLOT_FIELD, GROUP_WEIGHT) &&
                       !text_format_has(&t->format, SLOT_SECTION, GROUP_WEIGHT);
    const text_values *header = header_values(t);
    return from_header && read_weight(t, header->of[GROUP_WEIGHT], header->of[GROUP_UNIT], value);
}

void text_report_lost(text_samples *t, const char *code, brz_str line, brz_str msg)
{
    int64_t value;
    if (text_weight_is_fixed(t, &value))
        brz_report_lost_weight(t->dump.ctx, code, line.data, line.len, msg, value);
    else
        brz_report_lost(t->dump.ctx, code, line.data, line.len, msg);
}

bool text_own_weight(text_samples *t, int64_t *value)
{
    if (!t->format.has_weight)
        return read_one(t, value);
    return read_weight(t, text_value(t, GROUP_WEIGHT), text_value(t, GROUP_UNIT), value);
}

void text_report_unmatched(text_samples *t, brz_str line)
{
    dump_left_out(&t->dump, "text.line", line,
                  BRZ_STR("fits no expression of the format: left out"), 0);
}

static void set_tag(text_samples *t)
{
    brz_tag_desc tag = {0};
    brz_label labels[2 * MOST_LABELS];
    brz_str thread = text_value(t, GROUP_THREAD), process = text_value(t, GROUP_PROCESS);
    brz_str cpu = text_value(t, GROUP_CPU);
    uint64_t number;
    tag.thread_name = text_value(t, GROUP_THREAD_NAME);
    tag.process_name = text_value(t, GROUP_PROCESS_NAME);
    if (read_id(thread, &tag.thread))
        tag.flags |= BRZ_TAG_THREAD;
    else if (tag.thread_name.len == 0)
        tag.thread_name = thread;
    if (read_id(process, &tag.process))
        tag.flags |= BRZ_TAG_PROCESS;
    else if (tag.process_name.len == 0)
        tag.process_name = process;
    if (brz_parse_u64(cpu, &number) && number <= UINT32_MAX) {
        tag.flags |= BRZ_TAG_CPU;
        tag.cpu = (uint32_t)number;
    }
    for (uint32_t i = 0; i < t->values.n_labels; i++)
        labels[tag.n_labels++] = t->values.labels[i];
    for (uint32_t i = 0; i < t->section.n_labels; i++)
        if (text_values_label(&t->values, t->section.labels[i].key).data == NULL)
            labels[tag.n_labels++] = t->section.labels[i];
    tag.labels = labels;
    dump_tag(&t->dump, &tag);
}

void text_place(text_samples *t, brz_str part)
{
    int64_t time;
    brz_str text = text_value(t, GROUP_TIME);
    if (dump_wants_tags(&t->dump))
        set_tag(t);
    if (!(t->dump.ctx->flags & BRZ_CTX_WANTS_TIME) || text.data == NULL)
        return;
    brz_str unit = {0};
    if (!t->format.has_weight)
        unit = text_value(t, GROUP_UNIT);
    if (text_time_read_in(text, unit, (text_time_unit)t->format.options->time_unit, &time))
        brz_stacks_place(&t->dump.stacks, t->dump.stacks.tag, BRZ_TIMED, time);
    else
        BRZ_WARN(t->dump.ctx, "text.time", part.data, part.len,
                 "not a time: the sample counts without one");
}

/* Keeps the current stack. */
static void keep(text_samples *t, int64_t value)
{
    const brz_stacks *s = &t->dump.stacks;
    brz_ctx *ctx = t->dump.ctx;
    t->kept = brz_list_room(ctx, t->kept, t->n_kept, &t->kept_cap, sizeof *t->kept);
    t->kept[t->n_kept++] = (text_kept){.frames = t->kept_frames.n,
                                       .depth = s->path->n,
                                       .value = value,
                                       .time = s->time,
                                       .tag = s->tag,
                                       .timed = s->timed,
                                       .decimals = t->weight.decimals};
    for (size_t i = 0; i < s->path->n; i++)
        brz_frame_list_push(&t->kept_frames, ctx, s->path->ids[i]);
    brz_path_cut(s->path, 0);
}

void text_forget_kept(text_samples *t)
{
    t->n_kept = 0;
    t->kept_frames.n = 0;
}

static brz_rc count_kept(text_samples *t, const text_kept *k)
{
    dump *d = &t->dump;
    for (size_t i = 0; i < k->depth; i++)
        brz_path_push(d->stacks.path, d->ctx, t->kept_frames.ids[k->frames + i]);
    brz_stacks_place(&d->stacks, k->tag, k->timed, k->time);
    return dump_count(d, t->weight.column,
                      text_weight_now(&t->weight, &d->stacks, k->value, k->decimals));
}

brz_rc text_finish(brz_ctx *ctx)
{
    text_samples *t = ctx->inst;
    brz_rc rc = BRZ_OK;
    for (size_t i = 0; i < t->n_kept && rc == BRZ_OK; i++)
        rc = count_kept(t, &t->kept[i]);
    text_total_finish(&t->total, ctx, text_format_uses(&t->format, SLOT_TOTAL));
    return rc == BRZ_OK ? dump_finish(ctx) : rc;
}

brz_rc text_count(text_samples *t, brz_str part)
{
    int64_t value;
    if (!text_read_weight(t, part, &value) || t->weight.status != BRZ_OK) {
        brz_path_cut(t->dump.stacks.path, 0);
        return t->weight.status;
    }
    text_total_add(&t->total, &t->weight, &t->dump.stacks, value);
    brz_stacks_place(&t->dump.stacks, BRZ_NO_TAG, 0, 0);
    text_place(t, part);
    if (t->keeps) {
        keep(t, value);
        return BRZ_OK;
    }
    return dump_count(&t->dump, t->weight.column, value);
}
