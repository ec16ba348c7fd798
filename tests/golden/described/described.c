/* Collapses the format "described", for tests of outputs: stacks whose frames have all properties.
 *
 *     input  := header (line | tag | about)*
 *     header := "weights:" (" " name "/" unit ["/samples"])+      the number of samples
 *     line   := frame (";" frame)* (" " number)+            a number for each weight
 *     frame  := name ["{" module "|" file "|" line "|" kind "}"]
 *     tag    := "tag:" (" " part)*                          of the lines from here on
 *     part   := "process=" number | "process-name=" text | "thread=" number | "thread-name=" text
 *             | "cpu=" number | "time=" nanoseconds
 *             | name "=" text | name "#" number ["/" unit]  a label
 *     about  := "about:" (" " (part | fact))*               metadata of the samples with the parts
 *     fact   := ("start" | "clock-start" | "duration" | "producer" | "comment") "=" value
 *
 * Numbers are integers; a weight with a decimal fraction counts in units of 10^-3. "\xNN" in a name
 * or a text stands for a byte. Names may contain spaces.
 */
#include <brazier/plugin.h>
#include <brazier/symbol.h>

#include <stdlib.h>

#define MAX_WEIGHTS 8
#define MAX_FRAMES  4096
#define MAX_LABELS  8
#define DECIMALS    3

typedef struct reader {
    brz_ctx *ctx;
    brz_str rest;
    uint32_t n_weights;
    bool scaled[MAX_WEIGHTS];
    brz_frame frames[MAX_FRAMES];
    brz_tag tag;
    bool timed;
    int64_t time;
} reader;

/* Removes the text up to the first `c`, or all text, from the front of `s` and returns it. */
static brz_str cut(brz_str *s, char c)
{
    const char *at = s->len == 0 ? NULL : memchr(s->data, c, s->len);
    brz_str front = brz_str_of(s->data, at == NULL ? s->len : (size_t)(at - s->data));
    size_t used = front.len + (at != NULL);
    s->data += used;
    s->len -= used;
    return front;
}

static brz_str unescape(brz_ctx *ctx, brz_str s)
{
    char *out = ctx->host->alloc(ctx, s.len + 1, 1), *p = out;
    for (size_t i = 0; i < s.len; i++) {
        *p = s.data[i];
        if (*p == '\\' && i + 3 < s.len && s.data[i + 1] == 'x') {
            char hex[3] = {s.data[i + 2], s.data[i + 3], 0};
            *p = (char)strtol(hex, NULL, 16);
            i += 3;
        }
        p++;
    }
    return brz_str_of(out, (size_t)(p - out));
}

static uint32_t number_of(brz_str s)
{
    uint32_t n = 0;
    for (size_t i = 0; i < s.len; i++)
        n = n * 10 + (uint32_t)(s.data[i] - '0');
    return n;
}

/* Sets the kind or the flag that a word stands for. */
static void classify(brz_frame_desc *d, brz_str word)
{
    static const struct {
        const char *word;
        uint32_t kind, flags;
    } words[] = {
        {"process", BRZ_KIND_PROCESS, 0},
        {"user", BRZ_KIND_USER, 0},
        {"kernel", BRZ_KIND_KERNEL, 0},
        {"jit", BRZ_KIND_OTHER, BRZ_FRAME_JIT},
        {"inlined", BRZ_KIND_OTHER, BRZ_FRAME_INLINED},
        {"waker", BRZ_KIND_OTHER, BRZ_FRAME_WAKER},
    };
    for (uint32_t i = 0; i < BRZ_COUNT_OF(words); i++) {
        if (!brz_str_equal(word, brz_str_of(words[i].word, strlen(words[i].word))))
            continue;
        d->kind = words[i].kind;
        d->flags = words[i].flags;
    }
}

static brz_frame read_frame(brz_ctx *ctx, brz_str text)
{
    brz_frame_desc d = {.struct_size = sizeof d};
    d.name = unescape(ctx, cut(&text, '{'));
    d.module = cut(&text, '|');
    d.file = cut(&text, '|');
    d.line = number_of(cut(&text, '|'));
    classify(&d, cut(&text, '}'));
    return ctx->host->frame(ctx, &d);
}

static int64_t read_value(brz_str text, bool *fraction)
{
    int64_t value = 0;
    bool negative = text.len > 0 && text.data[0] == '-';
    for (size_t i = negative; i < text.len; i++) {
        if (text.data[i] == '.')
            *fraction = true;
        else
            value = value * 10 + (text.data[i] - '0');
    }
    return negative ? -value : value;
}

/* Removes the numbers from the end of a line, which leaves the stack. */
static void read_values(reader *r, brz_str *line, int64_t *values)
{
    for (uint32_t w = r->n_weights; w-- > 0;) {
        size_t at = line->len;
        bool fraction = false;
        while (at > 0 && line->data[at - 1] != ' ')
            at--;
        values[w] = read_value(brz_str_of(line->data + at, line->len - at), &fraction);
        if (fraction && !r->scaled[w]) {
            r->scaled[w] = true;
            r->ctx->host->decimals(r->ctx, w, DECIMALS);
        }
        line->len = at > 0 ? at - 1 : 0;
    }
}

static brz_rc read_line(reader *r, brz_str line)
{
    int64_t values[MAX_WEIGHTS];
    brz_values s = {.struct_size = sizeof s, .values = values};
    size_t n = 0;
    read_values(r, &line, values);
    s.n_values = r->n_weights;
    s.tag = r->tag;
    s.flags = r->timed ? BRZ_TIMED : 0;
    s.time = r->time;
    while (line.len > 0 && n < MAX_FRAMES)
        r->frames[n++] = read_frame(r->ctx, cut(&line, ';'));
    return r->ctx->host->sample(r->ctx, r->frames, n, 0, &s);
}

static int64_t integer_of(brz_str s)
{
    bool fraction;
    return read_value(s, &fraction);
}

static void read_label(reader *r, brz_str key, brz_str value, brz_tag_desc *d, brz_label *labels)
{
    if (d->n_labels == MAX_LABELS)
        return;
    brz_label *l = &labels[d->n_labels++];
    l->key = unescape(r->ctx, cut(&key, '#'));
    l->text = unescape(r->ctx, value);
    if (key.len == 0)
        return;
    l->flags = BRZ_LABEL_NUMBER;
    l->number = integer_of(cut(&key, '/'));
    l->unit = key;
}

static void read_part(reader *r, brz_str key, brz_str value, brz_tag_desc *d, brz_label *labels)
{
    if (brz_str_equal(key, BRZ_STR("process"))) {
        d->process = integer_of(value);
        d->flags |= BRZ_TAG_PROCESS;
    } else if (brz_str_equal(key, BRZ_STR("thread"))) {
        d->thread = integer_of(value);
        d->flags |= BRZ_TAG_THREAD;
    } else if (brz_str_equal(key, BRZ_STR("cpu"))) {
        d->cpu = number_of(value);
        d->flags |= BRZ_TAG_CPU;
    } else if (brz_str_equal(key, BRZ_STR("process-name"))) {
        d->process_name = unescape(r->ctx, value);
    } else if (brz_str_equal(key, BRZ_STR("thread-name"))) {
        d->thread_name = unescape(r->ctx, value);
    } else if (brz_str_equal(key, BRZ_STR("time"))) {
        r->time = integer_of(value);
        r->timed = true;
    } else {
        read_label(r, key, value, d, labels);
    }
}

static void read_tag(reader *r, brz_str line)
{
    brz_label labels[MAX_LABELS] = {0};
    brz_tag_desc d = {.struct_size = sizeof d, .label_size = sizeof *labels, .labels = labels};
    cut(&line, ' ');
    r->timed = false;
    r->time = 0;
    while (line.len > 0) {
        brz_str value = cut(&line, ' '), key = cut(&value, '=');
        read_part(r, key, value, &d, labels);
    }
    r->timed = r->timed && (r->ctx->flags & BRZ_CTX_WANTS_TIME) != 0;
    r->time = r->timed ? r->time : 0;
    r->tag = r->ctx->flags & BRZ_CTX_WANTS_TAGS ? r->ctx->host->tag(r->ctx, &d) : BRZ_NO_TAG;
}

/* Reads a fact. Returns false if the key is that of another part. */
static bool read_fact(reader *r, brz_str key, brz_str value, brz_metadata *m, brz_str *comment)
{
    if (brz_str_is(key, "start"))
        m->start = integer_of(value);
    else if (brz_str_is(key, "clock-start"))
        m->clock_start = integer_of(value);
    else if (brz_str_is(key, "duration"))
        m->duration = integer_of(value);
    else if (brz_str_is(key, "producer"))
        m->producer = unescape(r->ctx, value);
    else if (brz_str_is(key, "comment")) {
        *comment = unescape(r->ctx, value);
        m->comments = comment;
        m->n_comments = 1;
    } else {
        return false;
    }
    return true;
}

static void read_about(reader *r, brz_str line)
{
    brz_label labels[MAX_LABELS] = {0};
    brz_tag_desc d = {.struct_size = sizeof d, .label_size = sizeof *labels, .labels = labels};
    brz_metadata m = {.struct_size = sizeof m, .pair_size = sizeof(brz_pair)};
    brz_str comment;
    cut(&line, ' ');
    while (line.len > 0) {
        brz_str value = cut(&line, ' '), key = cut(&value, '=');
        if (read_fact(r, key, value, &m, &comment))
            continue;
        read_part(r, key, value, &d, labels);
        m.of = &d;
    }
    r->ctx->host->metadata(r->ctx, &m);
}

static void read_header(reader *r, brz_str line)
{
    cut(&line, ' ');
    while (line.len > 0 && r->n_weights < MAX_WEIGHTS) {
        brz_str word = cut(&line, ' ');
        brz_column_desc d = {.struct_size = sizeof d};
        d.name = cut(&word, '/');
        d.unit = cut(&word, '/');
        d.flags = brz_str_is(word, "samples") ? BRZ_COLUMN_SAMPLES : 0;
        r->ctx->host->column(r->ctx, &d);
        r->n_weights++;
    }
}

static int32_t sniff(const brz_head *head)
{
    (void)head;
    return BRZ_SNIFF_NO;
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    reader *r = ctx->inst;
    r->ctx = ctx;
    r->rest = brz_str_of((const char *)chunk->data, chunk->len);
    *used = chunk->len;
    read_header(r, cut(&r->rest, '\n'));
    brz_rc rc = BRZ_OK;
    while (r->rest.len > 0 && rc == BRZ_OK) {
        brz_str line = cut(&r->rest, '\n');
        if (brz_starts_with(line, BRZ_STR("tag:")))
            read_tag(r, line);
        else if (brz_starts_with(line, BRZ_STR("about:")))
            read_about(r, line);
        else
            rc = read_line(r, line);
    }
    return rc;
}

static const brz_collapser collapser = {
    .struct_size = sizeof collapser,
    .flags = BRZ_WHOLE_INPUT,
    .inst_size = sizeof(reader),
    .sniff = sniff,
    .parse = parse,
};

static const brz_component component = {
    .struct_size = sizeof component,
    .kind = BRZ_COLLAPSER,
    .id = "described",
    .summary = "stacks of which all is known, for tests",
    .vtable = &collapser,
};

static const brz_component *const components[] = {&component, NULL};

BRZ_PLUGIN("described", "1.0", "MIT", "none", components)
