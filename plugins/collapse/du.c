/* SPDX-License-Identifier: MIT */
/* Collapses the sizes of files and folders as `du -a` and `find -printf '%s %p\n'` print them:
 *
 *     input := line*
 *     line  := size (TAB | blank) path
 *
 * After a tab, the size of a folder contains those of the files in it, which are on earlier lines.
 * After a blank, each size is that of the file itself. Each part of a path is a frame.
 */
#include "../common/dump/dump.h"
#include "../common/pair_map.h"
#include "../common/table/decimal.h"

typedef struct options {
    uint64_t unit;
} options;

/* A folder with the sizes that its own line will contain. */
typedef struct folder {
    uint32_t above;
    int64_t inside; /* of files and folders in it */
    int64_t below;  /* those of folders anywhere in it that have no line so far */
} folder;

/* The folders that contain those of absolute and of relative paths. */
enum { ROOT, RELATIVE };

typedef struct du {
    dump dump;
    pair_map indices; /* of a folder above and a frame to an index in `folders` */
    folder *folders;  /* ROOT, RELATIVE and those in them */
    size_t n_folders, folders_cap;
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
    const char *start = s->data;
    if (s->len == 0 || !brz_is_digit(*start) || !decimal_take(s, false, &d) ||
        start[s->data - start - 1] == '.')
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

static uint32_t new_folder(du *u, uint32_t above)
{
    u->folders =
        brz_list_room(u->dump.ctx, u->folders, u->n_folders, &u->folders_cap, sizeof *u->folders);
    u->folders[u->n_folders] = (folder){.above = above};
    return (uint32_t)u->n_folders++;
}

/* Returns the folder in `at` with the first `n` frames of the stack. */
static uint32_t folder_of(du *u, uint32_t at, size_t n)
{
    const brz_frame *frames = u->dump.stacks.path->ids;
    for (size_t i = 0; i < n; i++) {
        uint32_t found = pair_map_find(&u->indices, at, frames[i]);
        if (found == PAIR_MISS) {
            found = new_folder(u, at);
            pair_map_put(&u->indices, u->dump.ctx, at, frames[i], found);
        }
        at = found;
    }
    return at;
}

static int64_t add_sizes(int64_t a, int64_t b)
{
    int64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

/* Adds to the sizes that a folder contains. */
static void fill(du *u, uint32_t number, int64_t size)
{
    folder *f = &u->folders[number];
    f->inside = add_sizes(f->inside, size);
    while (number > RELATIVE) {
        number = u->folders[number].above;
        u->folders[number].below = add_sizes(u->folders[number].below, size);
    }
}

/* Takes all sizes out of a folder, which its own line contains. Returns them. */
static int64_t empty(du *u, uint32_t number)
{
    folder *f = &u->folders[number];
    int64_t all = add_sizes(f->inside, f->below);
    f->inside = f->below = 0;
    while (number > RELATIVE) {
        number = u->folders[number].above;
        folder *above = &u->folders[number];
        above->below = above->below > all ? above->below - all : 0;
    }
    return all;
}

/* Reports that folders in this one have no line. Their own sizes are part of its size. */
static void check_lines(du *u, int64_t below, brz_str line)
{
    if (below > 0)
        brz_report_lost_weight(u->dump.ctx, "du.missing", line.data, line.len,
                               BRZ_STR("no line for a folder in it, whose own size counts here"),
                               0);
}

/* Takes the sizes of what is in a file or folder, whose path is that of the stack, from its size.
 * Adds the size to the folder above. */
static int64_t own_size(du *u, const entry *e, brz_str line)
{
    size_t n = dump_depth(&u->dump);
    uint32_t root = e->path.len == 0 || *e->path.data == '/' ? ROOT : RELATIVE;
    uint32_t above = folder_of(u, root, n > 0 ? n - 1 : 0), number = root;
    if (n > 0)
        number = pair_map_find(&u->indices, above, u->dump.stacks.path->ids[n - 1]);
    int64_t own = e->size;
    if (number != PAIR_MISS) {
        check_lines(u, u->folders[number].below, line);
        own -= empty(u, number);
    }
    if (n > 0)
        fill(u, above, e->size);
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
    push_path(&u->dump, e.path);
    int64_t size = e.is_sum ? own_size(u, &e, line) : e.size;
    if (__builtin_mul_overflow(size, (int64_t)o->unit, &size))
        size = INT64_MAX;
    if (dump_depth(&u->dump) == 0)
        dump_push_once(&u->dump, BRZ_STR("/"), describe);
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
    pair_map_init(&u->indices, ctx);
    dump_declare(ctx, BRZ_STR("size"), BRZ_STR("bytes"));
    brz_rc rc = dump_open_root_first(ctx);
    new_folder(u, ROOT);
    new_folder(u, RELATIVE);
    return rc;
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
