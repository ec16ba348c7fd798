/* SPDX-License-Identifier: MIT */
/* Reads and writes everything that a profile can hold, for tests of the model: a collapser and an
 * output, both of one text format.
 *
 *     line   := "meta" KEY VALUE | "weight" NAME UNIT DECIMALS FLAGS | "sample" TAG TIME STACK
 * VALUE* TAG    := "-" | part ("," part)* part   := "pid=" N | "tid=" N | "cpu=" N | "process=" T |
 * "thread=" T | KEY "=" T | KEY "#" N "/" UNIT TIME   := "-" | nanoseconds STACK  := frame (";"
 * frame)* frame  := NAME ("{" KEY ":" VALUE ("|" KEY ":" VALUE)* "}")?
 *
 * Words are separated by single spaces. The output writes one more kind of line, "stack", with the
 * sums of each stack.
 */
#include <brazier/plugin.h>
#include <brazier/symbol.h>
#include <brazier/text.h>
#include <brazier/write.h>

#include <stdlib.h>

#define MOST 64

/* ---- words --------------------------------------------------------------------------------- */

static brz_str cut(brz_str *s, char c)
{
    const char *at = s->len == 0 ? NULL : memchr(s->data, c, s->len);
    brz_str front = brz_str_of(s->data, at == NULL ? s->len : (size_t)(at - s->data));
    size_t used = front.len + (at != NULL);
    s->data += used;
    s->len -= used;
    return front;
}

static bool is(brz_str s, const char *word)
{
    return brz_str_equal(s, brz_str_of(word, strlen(word)));
}

static int64_t number(brz_str s)
{
    char text[32] = "";
    if (s.len > 0)
        memcpy(text, s.data, s.len < sizeof text ? s.len : sizeof text - 1);
    return strtoll(text, NULL, 10);
}

/* ---- reading ------------------------------------------------------------------------------- */

static void read_meta(brz_ctx *ctx, brz_str line)
{
    brz_str key = cut(&line, ' ');
    brz_metadata m = {.struct_size = sizeof m, .pair_size = sizeof(brz_pair)};
    brz_pair pair = {key, line};
    const struct {
        const char *word;
        int64_t *number;
        brz_str *text;
    } members[] = {
        {"start", &m.start, NULL},
        {"clock-start", &m.clock_start, NULL},
        {"duration", &m.duration, NULL},
        {"period", &m.period, NULL},
        {"period-name", NULL, &m.period_name},
        {"period-unit", NULL, &m.period_unit},
        {"producer", NULL, &m.producer},
        {"command", NULL, &m.command},
        {"host", NULL, &m.host},
        {"architecture", NULL, &m.architecture},
    };
    bool found = is(key, "comment");
    m.comments = found ? &line : NULL;
    m.n_comments = found;
    for (uint32_t i = 0; i < BRZ_COUNT_OF(members); i++) {
        if (!is(key, members[i].word))
            continue;
        found = true;
        if (members[i].text != NULL)
            *members[i].text = line;
        else
            *members[i].number = number(line);
    }
    m.pairs = &pair;
    m.n_pairs = !found;
    ctx->host->metadata(ctx, &m);
}

static void read_weight(brz_ctx *ctx, brz_str line)
{
    brz_column_desc d = {.struct_size = sizeof d};
    d.name = cut(&line, ' ');
    d.unit = cut(&line, ' ');
    d.decimals = (uint32_t)number(cut(&line, ' '));
    d.flags = (uint32_t)number(line);
    ctx->host->column(ctx, &d);
}

static void read_label(brz_tag_desc *d, brz_label *labels, brz_str part)
{
    brz_label *l = &labels[d->n_labels++];
    *l = (brz_label){.flags = 0};
    brz_str value = part;
    l->key = cut(&value, '=');
    l->text = value;
    if (l->key.len < part.len)
        return;
    value = part;
    l->flags = BRZ_LABEL_NUMBER;
    l->key = cut(&value, '#');
    brz_str digits = cut(&value, '/'), whole = cut(&digits, '.');
    l->decimals = (uint32_t)digits.len;
    l->number = number(whole) * brz_power_of_ten(l->decimals);
    l->number += whole.len > 0 && whole.data[0] == '-' ? -number(digits) : number(digits);
    l->unit = value;
}

static brz_tag read_tag(brz_ctx *ctx, brz_str text)
{
    static const struct {
        const char *word;
        uint32_t flag;
    } numbers[] = {{"pid", BRZ_TAG_PROCESS}, {"tid", BRZ_TAG_THREAD}, {"cpu", BRZ_TAG_CPU}};
    brz_label labels[MOST];
    brz_tag_desc d = {.struct_size = sizeof d, .label_size = sizeof labels[0], .labels = labels};
    while (text.len > 0 && !is(text, "-")) {
        brz_str part = cut(&text, ','), value = part, key = cut(&value, '=');
        uint32_t flag = 0;
        for (uint32_t i = 0; i < BRZ_COUNT_OF(numbers); i++)
            flag |= is(key, numbers[i].word) ? numbers[i].flag : 0;
        d.flags |= flag;
        if (flag == BRZ_TAG_PROCESS)
            d.process = number(value);
        else if (flag == BRZ_TAG_THREAD)
            d.thread = number(value);
        else if (flag == BRZ_TAG_CPU)
            d.cpu = (uint32_t)number(value);
        else if (is(key, "process"))
            d.process_name = value;
        else if (is(key, "thread"))
            d.thread_name = value;
        else
            read_label(&d, labels, part);
    }
    return ctx->host->tag(ctx, &d);
}

static void read_attribute(brz_frame_desc *d, brz_str key, brz_str value)
{
    const struct {
        const char *word;
        brz_str *text;
        uint32_t *number;
    } members[] = {
        {"module", &d->module, NULL},      {"file", &d->file, NULL},
        {"system", &d->system_name, NULL}, {"build", &d->build_id, NULL},
        {"line", NULL, &d->line},          {"column", NULL, &d->column},
        {"first", NULL, &d->first_line},   {"kind", NULL, &d->kind},
        {"flags", NULL, &d->flags},
    };
    for (uint32_t i = 0; i < BRZ_COUNT_OF(members); i++) {
        if (!is(key, members[i].word))
            continue;
        if (members[i].text != NULL)
            *members[i].text = value;
        else
            *members[i].number = (uint32_t)number(value);
    }
    if (is(key, "address"))
        d->address = (uint64_t)number(value);
}

static brz_frame read_frame(brz_ctx *ctx, brz_str text)
{
    brz_frame_desc d = {.struct_size = sizeof d};
    d.name = cut(&text, '{');
    text = cut(&text, '}');
    while (text.len > 0) {
        brz_str value = cut(&text, '|'), key = cut(&value, ':');
        read_attribute(&d, key, value);
    }
    return ctx->host->frame(ctx, &d);
}

static brz_rc read_sample(brz_ctx *ctx, brz_str line)
{
    brz_frame frames[MOST];
    int64_t values[MOST];
    brz_values s = {.struct_size = sizeof s, .values = values};
    size_t n = 0;
    brz_str tag = cut(&line, ' '), time = cut(&line, ' '), stack = cut(&line, ' ');
    if (ctx->flags & BRZ_CTX_WANTS_TAGS)
        s.tag = read_tag(ctx, tag);
    if (!is(time, "-")) {
        s.flags = BRZ_TIMED;
        s.time = number(time);
    }
    while (stack.len > 0 && n < MOST)
        frames[n++] = read_frame(ctx, cut(&stack, ';'));
    while (line.len > 0 && s.n_values < MOST)
        values[s.n_values++] = number(cut(&line, ' '));
    return ctx->host->sample(ctx, frames, n, 0, &s);
}

static void read_header(brz_ctx *ctx, brz_str line)
{
    brz_str word = cut(&line, ' ');
    if (is(word, "weight"))
        read_weight(ctx, line);
}

static size_t to_boundary(const void *prelude_data, const uint8_t *buf, size_t n, size_t from)
{
    (void)prelude_data;
    for (size_t i = from; i > 0 && i < n; i++)
        if (buf[i - 1] == '\n')
            return i;
    return from == 0 ? 0 : n;
}

/* Declares the columns, which the lines before the first sample describe, in each instance. */
static brz_rc find_weights(brz_ctx *ctx, const brz_chunk *chunk, size_t *used,
                           const void **prelude_data)
{
    brz_str rest = brz_str_of((const char *)chunk->data, chunk->len), *header;
    while (rest.len >= 7 && memcmp(rest.data, "weight ", 7) == 0)
        cut(&rest, '\n');
    *used = chunk->len - rest.len;
    header = ctx->host->alloc(ctx, sizeof *header, 0);
    char *copy = ctx->host->alloc(ctx, *used + 1, 1);
    memcpy(copy, chunk->data, *used);
    *header = brz_str_of(copy, *used);
    *prelude_data = header;
    return BRZ_OK;
}

static brz_rc open_instance(brz_ctx *ctx)
{
    brz_str header = *(const brz_str *)ctx->prelude_data;
    while (header.len > 0)
        read_header(ctx, cut(&header, '\n'));
    return BRZ_OK;
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    brz_str rest = brz_str_of((const char *)chunk->data, chunk->len);
    brz_rc rc = BRZ_OK;
    while (rest.len > 0 && rc == BRZ_OK) {
        brz_str line = cut(&rest, '\n');
        bool whole = line.data + line.len < (const char *)chunk->data + chunk->len;
        if (!whole && !(chunk->flags & BRZ_CHUNK_LAST))
            break;
        *used = chunk->len - rest.len;
        brz_str word = cut(&line, ' ');
        if (is(word, "meta"))
            read_meta(ctx, line);
        else if (is(word, "sample"))
            rc = read_sample(ctx, line);
    }
    return rc;
}

static int32_t sniff(const brz_head *head)
{
    return head->len >= 7 && memcmp(head->data, "weight ", 7) == 0 ? BRZ_SNIFF_HEADER
                                                                   : BRZ_SNIFF_NO;
}

static const brz_collapser collapser = {
    .struct_size = sizeof collapser,
    .flags = BRZ_SPLITTABLE,
    .sniff = sniff,
    .prelude = find_weights,
    .boundary = to_boundary,
    .open = open_instance,
    .parse = parse,
};

/* ---- writing ------------------------------------------------------------------------------- */

static void put_text(brz_writer *w, const char *key, brz_str text)
{
    if (text.len == 0)
        return;
    brz_put_text(w, key);
    brz_put_str(w, text);
}

static void put_number(brz_writer *w, const char *key, int64_t v)
{
    if (v == 0)
        return;
    brz_put_text(w, key);
    brz_put_i64(w, v);
}

static void put_meta(brz_writer *w, const brz_metadata *m)
{
    put_number(w, "\nmeta start ", m->start);
    put_number(w, "\nmeta clock-start ", m->clock_start);
    put_number(w, "\nmeta duration ", m->duration);
    put_number(w, "\nmeta period ", m->period);
    put_text(w, "\nmeta period-name ", m->period_name);
    put_text(w, "\nmeta period-unit ", m->period_unit);
    put_text(w, "\nmeta producer ", m->producer);
    put_text(w, "\nmeta command ", m->command);
    put_text(w, "\nmeta host ", m->host);
    put_text(w, "\nmeta architecture ", m->architecture);
    for (uint64_t i = 0; i < m->n_comments; i++)
        put_text(w, "\nmeta comment ", m->comments[i]);
    for (uint64_t i = 0; i < m->n_pairs; i++) {
        put_text(w, "\nmeta ", brz_pair_at(m, i)->key);
        put_text(w, " ", brz_pair_at(m, i)->value);
    }
}

static void put_frame(brz_writer *w, const brz_frame_info *f)
{
    brz_put_str(w, f->name);
    BRZ_PUT(w, "{");
    put_text(w, "|module:", f->module);
    put_text(w, "|file:", f->file);
    put_text(w, "|system:", f->system_name);
    put_text(w, "|build:", f->build_id);
    put_number(w, "|line:", f->line);
    put_number(w, "|column:", f->column);
    put_number(w, "|first:", f->first_line);
    put_number(w, "|kind:", f->kind);
    put_number(w, "|flags:", f->flags);
    put_number(w, "|address:", (int64_t)f->address);
    BRZ_PUT(w, "}");
}

static void put_stack(brz_writer *w, const brz_tree *t, uint32_t i)
{
    const brz_stack_info *s = brz_stack_at(t, i);
    for (uint32_t k = 0; k < s->n; k++) {
        brz_put_text(w, k > 0 ? ";" : "");
        put_frame(w, brz_frame_at(t, s->frames[k]));
    }
}

static void put_tag(brz_writer *w, const brz_tag_info *tag)
{
    BRZ_PUT(w, "[");
    if (tag->flags & BRZ_TAG_PROCESS)
        put_number(w, ",pid=", tag->process);
    if (tag->flags & BRZ_TAG_THREAD)
        put_number(w, ",tid=", tag->thread);
    if (tag->flags & BRZ_TAG_CPU) {
        BRZ_PUT(w, ",cpu=");
        brz_put_u64(w, tag->cpu);
    }
    put_text(w, ",process=", tag->process_name);
    put_text(w, ",thread=", tag->thread_name);
    for (uint32_t i = 0; i < tag->n_labels; i++) {
        const brz_label *l = brz_label_at(tag, i);
        put_text(w, ",", l->key);
        if (l->flags & BRZ_LABEL_NUMBER) {
            BRZ_PUT(w, "#");
            brz_put_scaled(w, l->number, l->decimals);
            put_text(w, "/", l->unit);
        } else {
            put_text(w, "=", l->text);
        }
    }
    BRZ_PUT(w, "]");
}

static void put_sample(brz_writer *w, const brz_tree *t, const brz_sample_info *s)
{
    BRZ_PUT(w, "\nsample ");
    put_tag(w, brz_tag_at(t, s->tag));
    BRZ_PUT(w, " ");
    if (s->flags & BRZ_TIMED)
        brz_put_i64(w, s->time);
    else
        BRZ_PUT(w, "-");
    BRZ_PUT(w, " ");
    put_stack(w, t, s->stack);
    for (uint32_t i = 0; i < t->n_columns; i++) {
        if (s->values[i] == 0)
            continue;
        put_text(w, " ", brz_column_at(t, i)->name);
        BRZ_PUT(w, "=");
        brz_put_i64(w, s->values[i]);
    }
}

static brz_rc write_all(brz_output_ctx *ctx, const brz_tree *t, brz_sink *sink)
{
    brz_writer w;
    brz_writer_init(&w, ctx, sink);
    for (uint32_t i = 0; i < t->n_columns; i++) {
        const brz_column_info *info = brz_column_at(t, i);
        put_text(&w, i > 0 ? "\nweight " : "weight ", info->name);
        put_text(&w, " ", info->unit);
        BRZ_PUT(&w, " ");
        brz_put_u64(&w, info->decimals);
        BRZ_PUT(&w, " ");
        brz_put_u64(&w, info->flags);
        brz_put_text(&w, i == t->main_column ? " shown" : "");
    }
    put_meta(&w, t->metadata);
    for (uint32_t i = 0; i < t->n_stacks; i++) {
        BRZ_PUT(&w, "\nstack ");
        put_stack(&w, t, i);
        for (uint32_t k = 0; k < t->n_columns; k++) {
            BRZ_PUT(&w, " ");
            brz_put_i64(&w, brz_stack_at(t, i)->values[k]);
        }
    }
    for (uint64_t i = 0; i < t->n_samples; i++)
        put_sample(&w, t, brz_sample_at(t, i));
    BRZ_PUT(&w, "\n");
    return brz_writer_finish(&w);
}

static const char *const endings[] = {".everything", NULL};
static const char *const no_endings[] = {".none", NULL};

#define OUTPUT(name, flags_, endings_)                                                             \
    static const brz_output name = {.struct_size = sizeof name,                                    \
                                    .flags = (flags_),                                             \
                                    .media_type = "text/plain",                                    \
                                    .endings = (endings_),                                         \
                                    .write = write_all}

OUTPUT(plain, BRZ_OUTPUT_STACKS, endings);
OUTPUT(tagged, BRZ_OUTPUT_STACKS | BRZ_OUTPUT_TAGS, no_endings);
OUTPUT(timed, BRZ_OUTPUT_STACKS | BRZ_OUTPUT_TIME, no_endings);
OUTPUT(exact, BRZ_OUTPUT_STACKS | BRZ_OUTPUT_FRAMES, no_endings);

#define COMPONENT(name_, kind_, id_, vtable_)                                                      \
    static const brz_component name_ = {.struct_size = sizeof name_,                               \
                                        .kind = (kind_),                                           \
                                        .id = (id_),                                               \
                                        .summary = "everything that a profile holds",              \
                                        .vtable = (vtable_)}

COMPONENT(reader, BRZ_COLLAPSER, "everything", &collapser);
COMPONENT(plain_writer, BRZ_OUTPUT, "everything", &plain);
COMPONENT(tagged_writer, BRZ_OUTPUT, "everything-tagged", &tagged);
COMPONENT(timed_writer, BRZ_OUTPUT, "everything-timed", &timed);
COMPONENT(exact_writer, BRZ_OUTPUT, "everything-exact", &exact);

static const brz_component *const components[] = {&reader,       &plain_writer, &tagged_writer,
                                                  &timed_writer, &exact_writer, NULL};
BRZ_PLUGIN("everything", "1.0", "MIT", "https://example.org/everything", components)
