/* Collapses the sizes of files and folders as `du -a` and `find -printf '%s %p\n'` print them:
 *
 *     input := line*
 *     line  := size (TAB | blank) path
 *
 * After a tab, the size of a folder contains those of the files in it, which are on earlier lines.
 * After a blank, each size is that of the file itself. Each part of a path is a frame.
 */
#include "../common/dump/dump.h"
#include "../common/table/decimal.h"

typedef struct options {
    uint64_t unit;
} options;

typedef struct du {
    dump dump;
    brz_frame_cache folders; /* paths to indices of `sums` */
    int64_t *sums;           /* sizes of what is in a folder */
    size_t n_sums, sums_cap;
} du;

/* A line of the input. */
typedef struct entry {
    int64_t size;
    brz_str path; /* without slashes at its end */
    bool is_sum;  /* the size contains those of the files in it */
} entry;

/* ---- lines ----------------------------------------------------------------------------------- */

/* Removes a size such as "4096" or "4.0K" from the front. */
static bool take_size(brz_str *s, int64_t *size)
{
    static const char letters[] = "KMGTPE";
    decimal d;
    int64_t thousandths;
    if (s->len == 0 || !brz_is_digit(*s->data) || !decimal_take(s, false, &d))
        return false;
    const char *letter = s->len > 0 && *s->data != '\0' ? strchr(letters, *s->data) : NULL;
    if (letter == NULL)
        return decimal_scale(&d, 0, size);
    *s = brz_str_from(*s, 1);
    int64_t factor = INT64_C(1) << (10 * (letter - letters + 1));
    return decimal_scale(&d, 3, &thousandths) &&
           !__builtin_mul_overflow(thousandths, factor, size) && (*size /= 1000, true);
}

static bool parse_entry(brz_str line, entry *e)
{
    if (!take_size(&line, &e->size) || line.len < 2 || (*line.data != '\t' && *line.data != ' '))
        return false;
    e->is_sum = *line.data == '\t';
    e->path = brz_str_from(line, 1);
    while (e->path.len > 0 && e->path.data[e->path.len - 1] == '/')
        e->path.len--;
    return true;
}

/* Recognises the last line of `du -c`. */
static bool is_total(const entry *e)
{
    return e->is_sum && brz_str_is(e->path, "total");
}

/* ---- folders --------------------------------------------------------------------------------- */

/* Returns the sum of a folder. */
static int64_t *sum_of(du *u, brz_str path)
{
    brz_ctx *ctx = u->dump.ctx;
    brz_frame_key key = brz_frame_key_of(&u->folders, path.data, path.len, 0);
    uint32_t id = brz_frame_cache_find(&u->folders, &key);
    if (id == BRZ_CACHE_MISS) {
        id = (uint32_t)u->n_sums;
        brz_frame_cache_put(&u->folders, ctx, &key, id);
        u->sums = brz_list_room(ctx, u->sums, u->n_sums, &u->sums_cap, sizeof *u->sums);
        u->sums[u->n_sums++] = 0;
    }
    return &u->sums[id];
}

/* Takes the sizes of the files in a folder from its size, and adds that to the folder above. */
static int64_t own_size(du *u, const entry *e, brz_str line)
{
    brz_str above, name;
    int64_t *inside = sum_of(u, e->path), own = e->size - *inside;
    *inside = 0;
    if (brz_cut_last(e->path, '/', &above, &name)) {
        int64_t *sum = sum_of(u, above);
        if (__builtin_add_overflow(*sum, e->size, sum))
            *sum = INT64_MAX;
    }
    if (own >= 0)
        return own;
    brz_report(u->dump.ctx, BRZ_WARNING, "du.folder", line.data, line.len,
               BRZ_STR("smaller than the files in it: its own size is taken as 0"));
    return 0;
}

static void describe(dump *d, brz_str text, brz_frame_desc *frame)
{
    (void)d;
    frame->name = text;
}

static void push_path(dump *d, brz_str path)
{
    brz_str name;
    brz_path_cut(d->stacks.path, 0);
    while (brz_take_piece(&path, '/', &name))
        if (name.len > 0)
            dump_push(d, name, 0, describe);
    if (dump_depth(d) == 0)
        dump_push_once(d, BRZ_STR("/"), describe);
}

static brz_rc read_line(void *instance, brz_str line)
{
    du *u = instance;
    const options *o = u->dump.ctx->cfg;
    entry e;
    if (brz_trim(line).len == 0)
        return BRZ_OK;
    if (!parse_entry(line, &e)) {
        brz_report_lost(u->dump.ctx, "du.line", line.data, line.len,
                        BRZ_STR("not a size and a path: left out"));
        return BRZ_OK;
    }
    if (is_total(&e))
        return BRZ_OK;
    int64_t size = e.is_sum ? own_size(u, &e, line) : e.size;
    if (__builtin_mul_overflow(size, (int64_t)o->unit, &size))
        size = INT64_MAX;
    push_path(&u->dump, e.path);
    return size > 0 ? dump_count(&u->dump, 0, size) : BRZ_OK;
}

/* ---- plug-in --------------------------------------------------------------------------------- */

/* Recognises lines of sizes and of paths that begin with a slash or a dot. */
static int32_t sniff(const brz_head *head)
{
    brz_str text = dump_head_lines(head), line;
    size_t n = 0;
    entry e;
    for (; n < DUMP_SNIFFED_LINES && brz_block_line(&text, &line); n++) {
        bool good = parse_entry(line, &e) &&
                    (e.path.len == 0 || *e.path.data == '/' || *e.path.data == '.' || is_total(&e));
        if (!good)
            return BRZ_SNIFF_NO;
    }
    return n > 1 ? BRZ_SNIFF_RECORDS : BRZ_SNIFF_NO;
}

static brz_rc open_instance(brz_ctx *ctx)
{
    du *u = ctx->inst;
    brz_frame_cache_init(&u->folders, ctx);
    dump_declare(ctx, BRZ_STR("size"), BRZ_STR("bytes"));
    return dump_open_root_first(ctx);
}

DUMP_PARSE_LINES(read_line, NULL)

static const brz_option option_table[] = {
    BRZ_OPTION(options, "unit", SIZE, unit, "1",
               "the unit of sizes without a letter: 1K for du without -b"),
};

SHIPPED_READER(du, .open = open_instance, .finish = dump_finish)

SHIPPED_COLLAPSER(
    "du", .summary = "sizes of files and folders, by du or find",
    .help = "Record with `du -ab FOLDER` or `find FOLDER -type f -printf '%s %p\\n'`.",
    BRZ_OPTIONS(option_table, options))
