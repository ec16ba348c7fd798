/* Two collapsers as authors of plug-ins for ABI 1.0 may have written them: `frozen` uses all
 * services for splittable text formats, `frozen-calls` the remaining ones. */
#include <brazier/plugin.h>
#include <brazier/text.h>

#include <stdlib.h>
#include <string.h>

/* ---- frozen: "frame;frame 12 34", the columns being named by the first line -------------------
 */

typedef struct config {
    bool mark;
    int64_t least;
    double factor;
    brz_str root;
    int32_t order;
    uint64_t size;
    int64_t duration;
    uint32_t color;
    brz_strlist skip;
    bool in_order;
} config;

/* The settings of the first line. */
typedef struct header {
    brz_str names[2];
} header;

typedef struct folding {
    brz_stacks stacks;
    brz_frame_cache frames;
    uint32_t columns[2];
    brz_frame root;
    uint64_t skipped;
} folding;

static const char *const globs[] = {"*.frozen", NULL};
static const brz_magic magics[] = {{.offset = 0, .len = 9, .bytes = "# frozen:", .score = 90}};

static int32_t sniff(const brz_head *head)
{
    return head->len > 8 && memcmp(head->data, "# frozen:", 9) == 0 ? BRZ_SNIFF_HEADER
                                                                    : BRZ_SNIFF_NO;
}

static brz_rc prelude(brz_ctx *ctx, const brz_chunk *chunk, size_t *used, const void **out)
{
    const char *p = (const char *)chunk->data, *newline = memchr(p, '\n', chunk->len);
    if (newline == NULL || chunk->len < 10 || memcmp(p, "# frozen:", 9) != 0) {
        brz_report(ctx, BRZ_FATAL, "frozen.header", chunk->data, 0, BRZ_STR("no header"));
        return BRZ_ERROR;
    }
    header *s = ctx->host->alloc(ctx, sizeof *s, 0);
    brz_str line = brz_trim(brz_str_of(p + 9, (size_t)(newline - p) - 9));
    const char *blank = memchr(line.data, ' ', line.len);
    size_t first = blank == NULL ? line.len : (size_t)(blank - line.data);
    char *copy = ctx->host->alloc(ctx, line.len + 1, 1);
    memcpy(copy, line.data, line.len);
    s->names[0] = brz_str_of(copy, first);
    if (blank != NULL)
        s->names[1] = brz_str_of(copy + first + 1, line.len - first - 1);
    if (((const config *)ctx->cfg)->in_order)
        ctx->host->in_order(ctx);
    *used = (size_t)(newline + 1 - p);
    *out = s;
    return BRZ_OK;
}

static size_t boundary(const void *unused, const uint8_t *buf, size_t n, size_t from)
{
    (void)unused;
    if (from == 0)
        return 0;
    const uint8_t *newline = memchr(buf + from - 1, '\n', n - from + 1);
    return newline == NULL ? n : (size_t)(newline + 1 - buf);
}

static brz_rc open_folding(brz_ctx *ctx)
{
    folding *f = ctx->inst;
    const header *s = ctx->prelude_data;
    const config *cfg = ctx->cfg;
    brz_stacks_init(&f->stacks, ctx, cfg->order == 1 ? BRZ_LEAF_FIRST : 0);
    brz_frame_cache_init(&f->frames, ctx);
    for (size_t i = 0; i < 2 && s->names[i].len > 0; i++) {
        brz_column_desc d = {.struct_size = sizeof d,
                             .decimals = i == 1 ? 2 : 0,
                             .name = s->names[i],
                             .unit = BRZ_STR("count")};
        f->columns[i] = ctx->host->column(ctx, &d);
    }
    f->root = BRZ_NO_FRAME;
    if (cfg->root.len > 0)
        f->root = ctx->host->intern(ctx, cfg->root.data, cfg->root.len);
    return BRZ_OK;
}

static brz_frame frame_of(folding *f, brz_ctx *ctx, brz_str name)
{
    const config *cfg = ctx->cfg;
    brz_frame_key key = brz_frame_key_of(&f->frames, name.data, name.len, 0);
    uint32_t id = brz_frame_cache_find(&f->frames, &key);
    if (id != BRZ_CACHE_MISS)
        return id;
    brz_frame_desc d = {.struct_size = sizeof d,
                        .kind = name.data[0] == '_' ? BRZ_KIND_KERNEL : BRZ_KIND_USER,
                        .name = name,
                        .module = cfg->mark ? BRZ_STR("frozen.so") : BRZ_STR(""),
                        .file = BRZ_STR("frozen.c"),
                        .line = (uint32_t)name.len};
    id = ctx->host->frame(ctx, &d);
    brz_frame_cache_put(&f->frames, ctx, &key, id);
    return id;
}

static bool is_skipped(const config *cfg, brz_str name)
{
    for (size_t i = 0; i < cfg->skip.count; i++)
        if (cfg->skip.items[i].len == name.len &&
            memcmp(cfg->skip.items[i].data, name.data, name.len) == 0)
            return true;
    return false;
}

static void push_stack(folding *f, brz_ctx *ctx, brz_str stack)
{
    brz_path_cut(f->stacks.path, 0);
    if (f->root != BRZ_NO_FRAME)
        brz_path_push(f->stacks.path, ctx, f->root);
    for (size_t at = 0; at <= stack.len;) {
        const char *end = memchr(stack.data + at, ';', stack.len - at);
        size_t len = end == NULL ? stack.len - at : (size_t)(end - stack.data) - at;
        brz_str name = brz_str_of(stack.data + at, len);
        if (len > 0 && !is_skipped(ctx->cfg, name))
            brz_path_push(f->stacks.path, ctx, frame_of(f, ctx, name));
        at += len + 1;
    }
}

static brz_rc take_line(folding *f, brz_ctx *ctx, brz_str line)
{
    const config *cfg = ctx->cfg;
    const header *s = ctx->prelude_data;
    const char *blank = memchr(line.data, ' ', line.len);
    if (blank == NULL) {
        BRZ_WARN(ctx, "frozen.line", line.data, line.len, "no value: left out ({count})");
        return BRZ_OK;
    }
    push_stack(f, ctx, brz_str_of(line.data, (size_t)(blank - line.data)));
    char *rest = NULL;
    int64_t first = strtol(blank + 1, &rest, 10), second = strtol(rest, &rest, 10);
    if (first < cfg->least) {
        f->skipped++;
        return BRZ_OK;
    }
    brz_stacks_begin_sample(&f->stacks);
    brz_rc rc =
        brz_stacks_count(&f->stacks, ctx, f->columns[0], (int64_t)((double)first * cfg->factor));
    if (rc == BRZ_OK && s->names[1].len > 0)
        rc = brz_stacks_count(&f->stacks, ctx, f->columns[1], second);
    brz_stacks_end_sample(&f->stacks);
    return rc;
}

static brz_rc parse_lines(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    folding *f = ctx->inst;
    brz_rc rc = BRZ_OK;
    const char *p = (const char *)chunk->data, *end = p + chunk->len, *newline;
    while (rc == BRZ_OK && (newline = memchr(p, '\n', (size_t)(end - p))) != NULL) {
        if (newline > p)
            rc = take_line(f, ctx, brz_str_of(p, (size_t)(newline - p)));
        p = newline + 1;
    }
    *used = (size_t)(p - (const char *)chunk->data);
    return rc;
}

static brz_rc merge_skipped(brz_ctx *into, brz_ctx *from)
{
    folding *a = into->inst, *b = from->inst;
    a->skipped += b->skipped;
    b->skipped = 0;
    return BRZ_OK;
}

static brz_rc finish_folding(brz_ctx *ctx)
{
    folding *f = ctx->inst;
    brz_diag d = {.struct_size = sizeof d,
                  .severity = BRZ_NOTE,
                  .code = "frozen.least",
                  .msg = BRZ_STR("{count} lines weigh too little"),
                  .count = f->skipped};
    if (f->skipped > 0)
        ctx->host->diag(ctx, &d);
    return brz_stacks_finish(&f->stacks, ctx);
}

static const char *const orders[] = {"root", "leaf", NULL};

#define OPTION(name_, type_, member_, dflt_)                                                       \
    .name = name_, .type = type_, .offset = offsetof(config, member_), .dflt = dflt_, .help = "…"

static const brz_option options[] = {
    {OPTION("mark", BRZ_OPTION_BOOL, mark, "false")},
    {OPTION("least", BRZ_OPTION_INT, least, "0"), .range = "0.."},
    {OPTION("factor", BRZ_OPTION_REAL, factor, "1"), .range = "0..100"},
    {OPTION("root", BRZ_OPTION_STR, root, NULL)},
    {OPTION("order", BRZ_OPTION_ENUM, order, "root"), .choices = orders},
    {OPTION("size", BRZ_OPTION_SIZE, size, "4K")},
    {OPTION("duration", BRZ_OPTION_DURATION, duration, "1ms")},
    {OPTION("color", BRZ_OPTION_COLOR, color, "#102030")},
    {OPTION("skip", BRZ_OPTION_LIST, skip, NULL)},
    {OPTION("in-order", BRZ_OPTION_BOOL, in_order, "false")},
};

static void validate(const void *cfg, brz_option_faults *faults)
{
    const config *c = cfg;
    for (size_t i = 0; i < c->skip.count; i++)
        if (c->root.len > 0 && c->root.len == c->skip.items[i].len &&
            memcmp(c->root.data, c->skip.items[i].data, c->root.len) == 0)
            faults->add(faults, "skip", i, BRZ_STR("the root cannot be skipped"));
}

static const brz_collapser folding_collapser = {
    .struct_size = sizeof folding_collapser,
    .flags = BRZ_SPLITTABLE,
    .inst_size = sizeof(folding),
    .globs = globs,
    .magics = magics,
    .n_magics = BRZ_COUNT_OF(magics),
    .magic_size = sizeof(brz_magic),
    .sniff = sniff,
    .prelude = prelude,
    .boundary = boundary,
    .open = open_folding,
    .parse = parse_lines,
    .merge = merge_skipped,
    .finish = finish_folding,
};

static const brz_component folding_component = {
    .struct_size = sizeof folding_component,
    .kind = BRZ_COLLAPSER,
    .id = "frozen",
    .summary = "folded lines with named columns",
    .help = "For ABI 1.0.",
    .options = options,
    .n_options = BRZ_COUNT_OF(options),
    .option_size = sizeof(brz_option),
    .cfg_size = sizeof(config),
    .vtable = &folding_collapser,
    .validate = validate,
};

/* ---- frozen-calls: "enter TRACK TIME NAME", "leave TRACK TIME", "sample NAME A B" -------------
 *
 * Tracks are threads. "sample" is of the file that the first line of "names.txt", beside the input,
 * names. */

typedef struct calls {
    brz_str file;
    int64_t last; /* time of the last event */
} calls;

static int32_t sniff_calls(const brz_head *head)
{
    return head->len > 5 && memcmp(head->data, "calls\n", 6) == 0 ? BRZ_SNIFF_MAGIC : BRZ_SNIFF_NO;
}

/* Reads the file beside the input, and keeps its text for later runs. */
static brz_rc read_file(brz_ctx *ctx, calls *c)
{
    brz_str kept;
    brz_related_file file = {.struct_size = sizeof file};
    if (ctx->host->open_related(ctx, BRZ_STR("names.txt"), BRZ_RELATED_BY_INPUT, &file) !=
        BRZ_RELATED_OPENED)
        return BRZ_OK;
    c->file = brz_trim(brz_str_of((const char *)file.data, file.len));
    if (!ctx->host->load(ctx, file.path, BRZ_STR("frozen-1"), &kept)) {
        ctx->host->save(ctx, file.path, BRZ_STR("frozen-1"), c->file);
        return BRZ_OK;
    }
    return kept.len == c->file.len && memcmp(kept.data, c->file.data, kept.len) == 0 ? BRZ_OK
                                                                                     : BRZ_ERROR;
}

/* Returns the tag of a track. */
static brz_tag tag_of(brz_ctx *ctx, uint64_t track)
{
    const brz_label label = {.key = BRZ_STR("share"),
                             .unit = BRZ_STR("percent"),
                             .number = 125,
                             .flags = BRZ_LABEL_NUMBER,
                             .decimals = 1};
    brz_tag_desc tag = brz_tag_of_thread((int64_t)track, BRZ_STR("worker"));
    tag.labels = &label;
    tag.n_labels = 1;
    return ctx->flags & BRZ_CTX_WANTS_TAGS ? ctx->host->tag(ctx, &tag) : BRZ_NO_TAG;
}

/* States facts about the recording, and others about the samples of track 1. */
static void state_facts(brz_ctx *ctx)
{
    const brz_str comment = BRZ_STR("of ABI 1.0");
    const brz_pair pair = {BRZ_STR("mode"), BRZ_STR("calls")};
    const brz_tag_desc first = brz_tag_of_thread(1, BRZ_STR("worker"));
    const brz_metadata all = {.struct_size = sizeof all,
                              .pair_size = sizeof pair,
                              .producer = BRZ_STR("frozen"),
                              .comments = &comment,
                              .n_comments = 1,
                              .pairs = &pair,
                              .n_pairs = 1};
    const brz_metadata part = {
        .struct_size = sizeof part, .command = BRZ_STR("worker --one"), .of = &first};
    ctx->host->metadata(ctx, &all);
    ctx->host->metadata(ctx, &part);
}

static brz_rc open_calls(brz_ctx *ctx)
{
    const brz_column_desc descs[] = {
        {.struct_size = sizeof descs[0],
         .name = BRZ_STR("time"),
         .unit = BRZ_STR("nanoseconds"),
         .flags = BRZ_COLUMN_DEFAULT | BRZ_COLUMN_CLOCK},
        {.struct_size = sizeof descs[1],
         .name = BRZ_STR("size"),
         .unit = BRZ_STR("bytes"),
         .flags = BRZ_COLUMN_GROWTH},
    };
    for (size_t i = 0; i < BRZ_COUNT_OF(descs); i++)
        ctx->host->column(ctx, &descs[i]);
    ctx->host->decimals(ctx, 1, 3);
    state_facts(ctx);
    return read_file(ctx, ctx->inst);
}

static brz_rc take_call(brz_ctx *ctx, const char *line, size_t len)
{
    calls *c = ctx->inst;
    char *rest = NULL;
    const char *end = line + len;
    if (len > 6 && memcmp(line, "enter ", 6) == 0) {
        uint64_t track = strtoul(line + 6, &rest, 10);
        int64_t time = strtol(rest, &rest, 10);
        brz_frame f = ctx->host->intern(ctx, rest + 1, (size_t)(end - rest) - 1);
        brz_values at = brz_values_of_time(&time);
        at.tag = tag_of(ctx, track);
        c->last = time;
        return ctx->host->enter(ctx, track, f, &at);
    }
    if (len > 6 && memcmp(line, "leave ", 6) == 0) {
        uint64_t track = strtoul(line + 6, &rest, 10);
        c->last = strtol(rest, &rest, 10);
        return brz_leave(ctx, track, c->last);
    }
    if (len > 7 && memcmp(line, "sample ", 7) == 0) {
        const char *blank = memchr(line + 7, ' ', len - 7);
        if (blank == NULL)
            return BRZ_OK;
        const brz_frame_desc d = {.struct_size = sizeof d,
                                  .kind = BRZ_KIND_USER,
                                  .name = brz_str_of(line + 7, (size_t)(blank - line) - 7),
                                  .file = c->file,
                                  .line = 12,
                                  .first_line = 10,
                                  .flags = BRZ_FRAME_JIT};
        brz_frame leaf = ctx->host->frame(ctx, &d);
        brz_frame frames[] = {leaf, ctx->host->intern(ctx, "all", 3)};
        int64_t values[] = {strtol(blank, &rest, 10), strtol(rest, &rest, 10)};
        brz_values v = {.struct_size = sizeof v,
                        .flags = BRZ_TIMED,
                        .values = values,
                        .n_values = 2,
                        .time = c->last,
                        .tag = tag_of(ctx, 2)};
        return ctx->host->sample(ctx, frames, 2, BRZ_LEAF_FIRST, &v);
    }
    brz_frame other = ctx->host->intern(ctx, "other", 5);
    return ctx->host->emit(ctx, &other, 1, 1, 0);
}

static brz_rc parse_calls(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    brz_rc rc = BRZ_OK;
    const char *p = (const char *)chunk->data, *end = p + chunk->len, *newline;
    if (ctx->host->extension(ctx, "brz.draft.none/1") != NULL)
        return BRZ_ERROR;
    while (rc == BRZ_OK && (newline = memchr(p, '\n', (size_t)(end - p))) != NULL) {
        if (p > (const char *)chunk->data)
            rc = take_call(ctx, p, (size_t)(newline - p));
        p = newline + 1;
    }
    *used = (size_t)(p - (const char *)chunk->data);
    return ctx->host->stopped(ctx) ? BRZ_STOP : rc;
}

static void close_calls(brz_ctx *ctx)
{
    ctx->host->log(ctx, BRZ_DEBUG, BRZ_STR("closed"));
}

static const brz_collapser calls_collapser = {
    .struct_size = sizeof calls_collapser,
    .flags = BRZ_WHOLE_INPUT,
    .inst_size = sizeof(calls),
    .sniff = sniff_calls,
    .open = open_calls,
    .parse = parse_calls,
    .close = close_calls,
};

static const brz_component calls_component = {
    .struct_size = sizeof calls_component,
    .kind = BRZ_COLLAPSER,
    .id = "frozen-calls",
    .summary = "calls with their times",
    .vtable = &calls_collapser,
};

static const brz_component *const components[] = {&folding_component, &calls_component, NULL};

BRZ_HINTS(BRZ_IF_NAME("*.frozen") BRZ_IF_BEGINS("# frozen:") BRZ_IF_BEGINS("calls\n"))

BRZ_PLUGIN("frozen-collapse", "1.0", "MIT", "https://example.org/frozen", components)
