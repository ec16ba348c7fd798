/* Reads members of zip archives, stored or compressed with deflate:
 *
 *     archive   := member* directory end
 *     member    := "PK\3\4" header name extra bytes
 *     directory := ("PK\1\2" header name extra comment)*
 *     end       := "PK\5\6" header comment
 *
 * The directory tells where the members are. Archives above 4 GiB are not read.
 */
#include "archive.h"

#include <brazier/symbol.h>
#include <brazier/text.h>

#include <zlib.h>

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
    if (!brz_str_equal(brz_bytes_text(b, 4), BRZ_STR("PK\1\2")))
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
    if (!brz_str_equal(brz_bytes_text(b, 4), BRZ_STR("PK\3\4")))
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

void archive_check(brz_ctx *ctx, const brz_chunk *chunk)
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

brz_str archive_read(brz_ctx *ctx, const brz_chunk *chunk, brz_str name)
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
