/* SPDX-License-Identifier: MIT */
/* Collapses profiles of Very Sleepy, a sampling profiler for Windows, which are zip archives:
 *
 *     Callstacks.txt := (seconds symbol+)*
 *     Symbols.txt    := (symbol '"' module '" "' function '" "' file '"' line)*
 *     Stats.txt      := ("Filename: " program | …)*
 *
 * The symbols of a stack run from leaf to root. The other members repeat these facts.
 */
#include "../../common/shipped.h"

#include <brazier/binary.h>
#include <brazier/collapser.h>
#include <brazier/symbol.h>
#include <brazier/text.h>

#include <zlib.h>

#include "../../common/json/ids.h"
#include "../../common/table/decimal.h"

/* ---- the archive ----------------------------------------------------------------------------- */

/* Reads members of zip archives, stored or compressed with deflate:
 *
 *     archive   := member* directory end
 *     member    := "PK\3\4" header name extra bytes
 *     directory := ("PK\1\2" header name extra comment)*
 *     end       := "PK\5\6" header comment
 *
 * The directory tells where the members are. Archives above 4 GiB are not read. */

enum { STORED = 0, DEFLATED = 8 };

/* Sizes of headers, with their signatures, and of the longest comment. */
enum { END_SIZE = 22, DIRECTORY_SIZE = 46, MEMBER_SIZE = 30, COMMENT_MOST = 65535 };

/* Maximum number of bytes that deflate makes of one. */
#define RATIO_MOST 1040u

typedef struct entry {
    uint16_t method;
    uint32_t checksum;
    uint32_t packed, size; /* in bytes */
    uint32_t offset;       /* of the member's header */
} entry;

/* Moves the cursor past the last signature of an end. Returns false without one. */
static bool find_end(brz_bytes *b)
{
    size_t len = brz_bytes_left(b), least = 0;
    if (len > END_SIZE + COMMENT_MOST)
        least = len - END_SIZE - COMMENT_MOST;
    for (size_t at = len < END_SIZE ? least : len - END_SIZE + 1; at-- > least;)
        if (memcmp(b->start + at, "PK\5\6", 4) == 0) {
            brz_bytes_seek(b, at + 4);
            return true;
        }
    return false;
}

/* Moves the cursor to the directory. Returns its number of entries. */
static uint32_t find_directory(brz_bytes *b)
{
    if (!find_end(b))
        return 0;
    brz_bytes_skip(b, 6);
    uint32_t n = brz_bytes_u16(b);
    brz_bytes_skip(b, 4);
    brz_bytes_seek(b, brz_bytes_u32(b));
    return b->error == NULL ? n : 0;
}

/* Reads the next entry of the directory, with its name. */
static brz_str read_entry(brz_bytes *b, entry *e)
{
    if (!brz_str_is(brz_bytes_text(b, 4), "PK\1\2"))
        brz_bytes_fail(b, "not an entry of an archive");
    brz_bytes_skip(b, 6);
    e->method = brz_bytes_u16(b);
    brz_bytes_skip(b, 4);
    e->checksum = brz_bytes_u32(b);
    e->packed = brz_bytes_u32(b);
    e->size = brz_bytes_u32(b);
    uint32_t name = brz_bytes_u16(b), extra = brz_bytes_u16(b), comment = brz_bytes_u16(b);
    brz_bytes_skip(b, 8);
    e->offset = brz_bytes_u32(b);
    brz_str text = brz_bytes_text(b, name);
    brz_bytes_skip(b, extra + comment);
    return text;
}

static bool find_entry(brz_bytes *b, brz_str name, entry *e)
{
    for (uint32_t n = find_directory(b); n > 0; n--)
        if (brz_str_equal(read_entry(b, e), name))
            return b->error == NULL;
    return false;
}

/* Returns the bytes of a member as they are in the archive. */
static brz_bytes packed_bytes(brz_bytes *b, const entry *e)
{
    brz_bytes_seek(b, e->offset);
    if (!brz_str_is(brz_bytes_text(b, 4), "PK\3\4"))
        brz_bytes_fail(b, "not a member of an archive");
    brz_bytes_skip(b, MEMBER_SIZE - 8);
    uint32_t name = brz_bytes_u16(b), extra = brz_bytes_u16(b);
    brz_bytes_skip(b, name + extra);
    return brz_bytes_part(b, e->packed);
}

/* Unpacks a member into `to`, which has room for its size. Returns whether it has that size. */
static bool unpack(const brz_bytes *packed, const entry *e, unsigned char *to)
{
    if (e->method == STORED && e->packed == e->size) {
        if (e->size > 0)
            memcpy(to, packed->at, e->size);
        return true;
    }
    z_stream z = {.next_in = (unsigned char *)(uintptr_t)packed->at, .avail_in = e->packed};
    z.next_out = to;
    z.avail_out = e->size;
    if (e->method != DEFLATED || inflateInit2(&z, -15) != Z_OK) /* -15: without a header */
        return false;
    int rc = inflate(&z, Z_FINISH);
    bool complete = rc == Z_STREAM_END && z.avail_out == 0;
    inflateEnd(&z);
    return complete;
}

/* Reports that the input is more than one archive, of which only one is read: the position that the
 * last one states for its directory is not its own. */
static void archive_check(brz_ctx *ctx, const brz_chunk *chunk)
{
    brz_bytes b = brz_bytes_of(chunk->data, chunk->len);
    if (!find_end(&b))
        return;
    const uint8_t *end = b.at - 4;
    brz_bytes_skip(&b, 8);
    uint64_t size = brz_bytes_u32(&b), offset = brz_bytes_u32(&b);
    if (b.error == NULL && offset + size < (uint64_t)(end - b.start))
        brz_report_lost(ctx, "sleepy.another", b.start + offset + size, 0,
                        BRZ_STR("another archive follows, of which one is not read: name each "
                                "file by itself"));
}

static void report(brz_ctx *ctx, brz_str name, brz_str what)
{
    brz_text message = {0};
    brz_text_append(&message, ctx, name);
    brz_text_append(&message, ctx, what);
    brz_report(ctx, BRZ_WARNING, "sleepy.member", NULL, 0, brz_text_str(&message));
}

/* Returns the text of a member, which lives as long as the instance. Returns an empty text without
 * data, after a report that names the member, if the archive has none of this name or it is
 * damaged. */
static brz_str archive_read(brz_ctx *ctx, const brz_chunk *chunk, brz_str name)
{
    entry e = {0};
    brz_bytes b = brz_bytes_of(chunk->data, chunk->len);
    if (!find_entry(&b, name, &e)) {
        report(ctx, name, BRZ_STR(": the archive has no such member, or is cut off"));
        return brz_str_of(NULL, 0);
    }
    brz_bytes packed = packed_bytes(&b, &e);
    if (b.error == NULL && e.size / RATIO_MOST <= e.packed) {
        unsigned char *to = ctx->host->alloc(ctx, (size_t)e.size + BRZ_SLACK_BACK, 0);
        if (unpack(&packed, &e, to) && crc32(0, to, e.size) == e.checksum)
            return brz_str_of((const char *)to, e.size);
    }
    report(ctx, name, BRZ_STR(": this member of the archive is damaged"));
    return brz_str_of(NULL, 0);
}

/* ---- the collapser --------------------------------------------------------------------------- */

/* Decimals of the times. */
#define DECIMALS 6

typedef struct sleepy {
    brz_stacks stacks; /* leaf first */
    id_table ids;      /* symbols to indices into `frames` */
    brz_frame_list frames;
    uint32_t weight;
} sleepy;

static brz_rc open_instance(brz_ctx *ctx)
{
    sleepy *s = ctx->inst;
    brz_stacks_init(&s->stacks, ctx, BRZ_LEAF_FIRST);
    ids_init(&s->ids, ctx);
    s->weight = BRZ_DECLARE_COLUMN(ctx, .name = BRZ_STR("time"), .unit = BRZ_STR("seconds"),
                                   .decimals = DECIMALS);
    return BRZ_OK;
}

/* Removes the next line with text. Returns false if none is left. */
static bool take_line(brz_str *text, brz_str *line)
{
    while (brz_take_line(text, line)) {
        *line = brz_trim(*line);
        if (line->len > 0)
            return true;
    }
    return false;
}

/* ---- symbols ------------------------------------------------------------------------------- */

/* Splits a text at the first or the last '" "'. */
static bool split_quoted(brz_str text, bool last, brz_str *before, brz_str *after)
{
    static const brz_str between = {"\" \"", 3};
    size_t at = brz_str_find(text, between, 0), next = at;
    while (last && next != SIZE_MAX) {
        at = next;
        next = brz_str_find(text, between, at + between.len);
    }
    if (at == SIZE_MAX)
        return false;
    *before = brz_str_of(text.data, at);
    *after = brz_str_of(text.data + at + between.len, text.len - at - between.len);
    return true;
}

/* Reads a symbol. Returns false if the line does not describe one. */
static bool read_symbol(brz_str line, brz_str *id, brz_frame_desc *frame)
{
    brz_str rest, place, number;
    uint64_t n;
    if (!brz_cut_first(line, ' ', id, &rest) || !brz_starts_with(rest, BRZ_STR("\"")) ||
        !split_quoted(brz_str_of(rest.data + 1, rest.len - 1), false, &frame->module, &rest) ||
        !split_quoted(rest, true, &frame->name, &place) ||
        !brz_cut_last(place, '"', &frame->file, &number))
        return false;
    if (brz_parse_u64(brz_trim(number), &n) && n <= UINT32_MAX)
        frame->line = (uint32_t)n;
    if (brz_str_is(frame->file, "[unknown]"))
        frame->file.len = 0;
    return true;
}

static void read_symbols(sleepy *s, brz_ctx *ctx, brz_str text)
{
    brz_str line, id;
    while (take_line(&text, &line)) {
        brz_frame_desc d = {.struct_size = sizeof d};
        bool good = read_symbol(line, &id, &d);
        if (d.name.len == 0)
            d.name = BRZ_STR("[unknown]");
        if (!good)
            BRZ_WARN(ctx, "sleepy.symbol", NULL, 0, "a line of Symbols.txt is no symbol: left out");
        else if (ids_add(&s->ids, ctx, 0, id, (uint32_t)s->frames.n))
            brz_frame_list_push(&s->frames, ctx, ctx->host->frame(ctx, &d));
    }
}

/* ---- stacks -------------------------------------------------------------------------------- */

/* Reads the symbols of a stack into the path. Returns false if one of them is unknown. */
static bool read_path(sleepy *s, brz_ctx *ctx, brz_str symbols)
{
    brz_str id;
    brz_path_cut(s->stacks.path, 0);
    while (brz_take_piece(&symbols, ' ', &id)) {
        uint32_t index = ids_find(&s->ids, 0, id);
        if (id.len > 0 && index == BRZ_CACHE_MISS)
            return false;
        if (id.len > 0)
            brz_path_push(s->stacks.path, ctx, s->frames.ids[index]);
    }
    return s->stacks.path->n > 0;
}

static brz_rc read_stacks(sleepy *s, brz_ctx *ctx, brz_str text)
{
    brz_str line;
    brz_rc rc = BRZ_OK;
    decimal d;
    int64_t time;
    while (rc == BRZ_OK && take_line(&text, &line)) {
        if (!decimal_take(&line, false, &d) || !decimal_scale(&d, DECIMALS, &time))
            brz_report_lost(ctx, "sleepy.stack", NULL, 0,
                            BRZ_STR("a line of Callstacks.txt has no time: left out"));
        else if (!read_path(s, ctx, line))
            brz_report_lost_weight(ctx, "sleepy.unknown", NULL, 0,
                                   BRZ_STR("a stack with a symbol that Symbols.txt does not have: "
                                           "left out"),
                                   time);
        else
            rc = brz_stacks_count(&s->stacks, ctx, s->weight, time);
    }
    return rc;
}

/* ---- the archive --------------------------------------------------------------------------- */

static void state_facts(brz_ctx *ctx, brz_str text)
{
    static const brz_str label = {"Filename: ", 10};
    brz_metadata m = {.struct_size = sizeof m, .producer = BRZ_STR("Very Sleepy")};
    brz_str line;
    while (take_line(&text, &line))
        if (brz_starts_with(line, label))
            m.command = brz_str_of(line.data + label.len, line.len - label.len);
    ctx->host->metadata(ctx, &m);
}

static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    sleepy *s = ctx->inst;
    *used = chunk->len;
    archive_check(ctx, chunk);
    state_facts(ctx, archive_read(ctx, chunk, BRZ_STR("Stats.txt")));
    read_symbols(s, ctx, archive_read(ctx, chunk, BRZ_STR("Symbols.txt")));
    return read_stacks(s, ctx, archive_read(ctx, chunk, BRZ_STR("Callstacks.txt")));
}

static brz_rc finish(brz_ctx *ctx)
{
    sleepy *s = ctx->inst;
    return brz_stacks_finish(&s->stacks, ctx);
}

/* Recognises an archive whose first members are those of a profile. */
static int32_t sniff(const brz_head *head)
{
    static const char *const members[] = {"Stats.txt", "Symbols.txt", "IPCounts.txt",
                                          "Callstacks.txt"};
    brz_str text = brz_str_of((const char *)head->data, head->len);
    size_t found = 0;
    if (!brz_starts_with(text, BRZ_STR("PK\3\4")))
        return BRZ_SNIFF_NO;
    for (size_t i = 0; i < BRZ_COUNT_OF(members); i++)
        found += brz_str_find(text, brz_str_of_text(members[i]), 0) != SIZE_MAX;
    return found >= 2 ? BRZ_SNIFF_MAGIC : BRZ_SNIFF_NO;
}

/* ---- plug-in ------------------------------------------------------------------------------- */

static const char *const globs[] = {"*.sleepy", NULL};

SHIPPED_READER(sleepy, .flags = BRZ_WHOLE_INPUT | BRZ_BINARY, .globs = globs, .open = open_instance,
               .finish = finish)

BRZ_HINTS(BRZ_IF_NAME("*.sleepy") BRZ_IF_BEGINS("PK"))

SHIPPED_COLLAPSER("sleepy", .summary = "profiles of Very Sleepy, a profiler for Windows",
                  .help = "Save the profile with File > Save As, which writes a .sleepy file.")
