/* SPDX-License-Identifier: MIT */
/* Provides the decoded bytes of an input. */
#include "input/source.h"

#include "base/mem.h"
#include "base/read_at.h"
#include "input/slack.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_stdin(const char *path)
{
    return path == NULL || strcmp(path, "-") == 0;
}

static bool has_prefix(const uint8_t *p, size_t n, const char *magic, size_t len)
{
    return n >= len && memcmp(p, magic, len) == 0;
}

/* Reads the first bytes of a stream into `head`. Returns a stream that begins with them again. */
static brz_stream *peek(brz_stream *s, uint8_t *head, size_t *n)
{
    *n = brz_stream_fill(s, head, *n);
    return brz_stream_unread(s, head, *n);
}

/* A zstd file begins with a frame, or with a skippable frame, which pzstd writes in front of each
 * frame. */
static bool is_zstd(const uint8_t *p, size_t n)
{
    return has_prefix(p, n, "\x28\xb5\x2f\xfd", 4) ||
           (n >= 4 && (p[0] & 0xf0) == 0x50 && memcmp(p + 1, "\x2a\x4d\x18", 3) == 0);
}

brz_packing brz_packing_of(const uint8_t *data, size_t n)
{
    if (has_prefix(data, n, "\x1f\x8b", 2))
        return BRZ_PACKED_GZIP;
    return is_zstd(data, n) ? BRZ_PACKED_ZSTD : BRZ_PACKED_NOT;
}

brz_packing brz_packing_of_name(const char *file, size_t *n)
{
    static const struct {
        const char *ending;
        brz_packing packing;
    } all[] = {{".gz", BRZ_PACKED_GZIP}, {".zst", BRZ_PACKED_ZSTD}};
    size_t len = strlen(file);
    *n = len;
    for (size_t i = 0; i < BRZ_COUNT_OF(all); i++) {
        size_t k = strlen(all[i].ending);
        if (len <= k || strcmp(file + len - k, all[i].ending) != 0)
            continue;
        *n = len - k;
        return all[i].packing;
    }
    return BRZ_PACKED_NOT;
}

/* Removes up to four layers of compression, such as gzip in zstd. Returns true if there was any. */
static bool decompress(brz_source *s)
{
    bool any = false;
    for (int layers = 0; layers < 4; layers++) {
        uint8_t head[4];
        size_t n = sizeof head;
        s->stream = peek(s->stream, head, &n);
        brz_packing packing = brz_packing_of(head, n);
        if (packing == BRZ_PACKED_NOT)
            break;
        s->stream = brz_stream_unpack(s->stream, packing);
        any = true;
    }
    if (any)
        s->stream = brz_stream_ahead(s->stream);
    return any;
}

/* Returns whether these are UTF-16 code units of printable ASCII characters, with the high byte at
 * index `high` (0 or 1) of each unit; no other text looks like that. */
static bool is_wide_ascii(const uint8_t *p, size_t n, size_t high)
{
    size_t i = 0;
    for (; i + 2 <= n; i += 2) {
        uint8_t c = p[i + 1 - high];
        bool is_text = (c >= ' ' && c < 0x7f) || c == '\t' || c == '\n' || c == '\r';
        if (p[i + high] != 0 || !is_text)
            return false;
    }
    return i >= 4;
}

/* Reads the first `most` bytes of a stream. Clears only the slack around it, because most inputs
 * need few of its pages. */
static brz_source_head read_head(brz_stream *s, size_t most)
{
    brz_source_head head = {.memory = brz_malloc(BRZ_SLACK_FRONT + most + BRZ_SLACK_BACK)};
    uint8_t *data = head.memory + BRZ_SLACK_FRONT;
    memset(head.memory, 0, BRZ_SLACK_FRONT);
    head.n = brz_stream_fill(s, data, most);
    memset(data + head.n, 0, BRZ_SLACK_BACK);
    head.whole = head.n < most && s->state != BRZ_STREAM_OPEN;
    head.ended = s->state == BRZ_STREAM_END;
    return head;
}

/* Stores the bytes in front of which text begins, for formats that are not text. */
static void keep_binary_head(brz_source *s, const uint8_t *first, size_t n)
{
    s->stream = brz_stream_unread(s->stream, first, n);
    s->binary = read_head(s->stream, BRZ_HEAD_SIZE);
    s->stream = brz_stream_unread(s->stream, s->binary.memory + BRZ_SLACK_FRONT, s->binary.n);
}

/* Removes a byte order mark and converts UTF-16. Returns true if the text is converted. */
static bool decode_text(brz_source *s)
{
    uint8_t head[8];
    size_t n = brz_stream_fill(s->stream, head, sizeof head), mark = 0;
    bool big = has_prefix(head, n, "\xfe\xff", 2), little = has_prefix(head, n, "\xff\xfe", 2);
    if (big || little)
        mark = 2;
    else if (is_wide_ascii(head, n, 0))
        big = true;
    else if (is_wide_ascii(head, n, 1))
        little = true;
    else if (has_prefix(head, n, "\xef\xbb\xbf", 3))
        mark = 3;
    s->file_start = mark;
    if (mark > 0 || big || little) {
        keep_binary_head(s, head, n);
        n = brz_stream_fill(s->stream, head, n);
    }
    s->stream = brz_stream_unread(s->stream, head + mark, n - mark);
    if (big || little)
        s->stream = brz_stream_utf16(s->stream, big);
    return big || little;
}

static void add_not_opened(brz_buf *error, const char *name)
{
    brz_buf_printf(error, "cannot open '%s': %s", name, strerror(errno));
}

static void add_directory(brz_buf *error, const char *name)
{
    brz_buf_printf(error, "'%s' is a directory; name a file in it", name);
}

bool brz_source_in_folder(const char *path, brz_buf *file)
{
    struct stat st;
    size_t n = is_stdin(path) ? 0 : strlen(path);
    while (n > 1 && path[n - 1] == '/')
        n--;
    if (n == 0 || stat(path, &st) != 0 || !S_ISDIR(st.st_mode))
        return false;
    brz_buf_clear(file);
    brz_buf_add(file, path, n);
    brz_buf_add_text(file, "/data");
    return stat(brz_buf_text(file), &st) == 0 && S_ISREG(st.st_mode);
}

bool brz_source_check(const char *path, brz_buf *error)
{
    struct stat st;
    if (is_stdin(path))
        return true;
    if (stat(path, &st) != 0 || access(path, R_OK) != 0)
        add_not_opened(error, path);
    else if (S_ISDIR(st.st_mode))
        add_directory(error, path);
    else
        return true;
    return false;
}

/* Opens a file and stores its state. Returns its descriptor, or -1 after appending the problem to
 * `error`. */
static int open_path(const char *path, struct stat *st, brz_buf *error)
{
    int fd =
        is_stdin(path) ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) : open(path, O_RDONLY | O_CLOEXEC);
    const char *name = is_stdin(path) ? "stdin" : path;
    if (fd < 0 || fstat(fd, st) != 0)
        add_not_opened(error, name);
    else if (S_ISDIR(st->st_mode))
        add_directory(error, name);
    else
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

brz_decoding brz_decoding_of(uint32_t flags)
{
    return flags & BRZ_RAW ? BRZ_DECODE_NOTHING
                           : (flags & BRZ_BINARY ? BRZ_DECODE_BINARY : BRZ_DECODE_TEXT);
}

/* Builds the streams above the undecoded bytes. */
static void decode(brz_source *s)
{
    bool compressed = s->decoding != BRZ_DECODE_NOTHING && decompress(s);
    bool is_text = s->decoding == BRZ_DECODE_TEXT || s->decoding == BRZ_DECODE_UNKNOWN;
    s->wide = is_text && decode_text(s);
    s->fd = compressed || s->wide ? -1 : s->plain;
}

/* Returns the number of undecoded bytes to keep: for a short file one more than it has, to detect
 * its end. */
static size_t raw_head_size(const brz_source *s)
{
    bool is_short = s->plain >= 0 && s->file_size > 0 && s->file_size < BRZ_HEAD_SIZE;
    return is_short ? (size_t)s->file_size + 1 : BRZ_HEAD_SIZE;
}

/* Creates a source; `plain` is the descriptor of a file that can be read at any offset, or -1. */
static brz_source *create(const char *name, brz_stream *stream, uint64_t size, int plain,
                          brz_decoding decoding)
{
    brz_source *s = brz_calloc(1, sizeof *s);
    s->name = brz_memdup(name, strlen(name));
    s->file = stream;
    s->stream = s->encoded = brz_stream_rewindable(stream);
    s->file_size = size;
    s->plain = plain;
    s->decoding = decoding;
    s->raw = read_head(s->encoded, raw_head_size(s));
    brz_stream_rewind(s->encoded, s->encoded);
    if (decoding != BRZ_DECODE_UNKNOWN)
        brz_stream_pass(s->encoded);
    decode(s);
    return s;
}

bool brz_source_settle(brz_source *s, brz_decoding decoding)
{
    bool restarts = s->decoding == BRZ_DECODE_UNKNOWN && decoding != BRZ_DECODE_TEXT;
    if (s->decoding != BRZ_DECODE_UNKNOWN)
        return false;
    s->decoding = decoding;
    if (restarts) {
        brz_stream_rewind(s->encoded, s->stream);
        s->stream = s->encoded;
        s->file_start = 0;
    }
    brz_stream_pass(s->encoded);
    if (restarts)
        decode(s);
    return restarts;
}

brz_source *brz_source_of_stream(const char *name, brz_stream *stream, uint64_t size,
                                 brz_decoding decoding)
{
    return create(name, stream, size, -1, decoding);
}

/* Describes an open file by its state; NULL: unknown. */
static void describe(const char *path, int fd, const struct stat *st, brz_found *found)
{
    *found = (brz_found){.name = is_stdin(path) ? "stdin" : path, .fd = fd};
    bool regular = st != NULL && S_ISREG(st->st_mode);
    found->whole = regular && lseek(fd, 0, SEEK_CUR) == 0;
    found->size = regular && st->st_size > 0 ? (uint64_t)st->st_size : 0;
}

void brz_source_found(const char *path, int fd, brz_found *found)
{
    struct stat st;
    describe(path, fd, fstat(fd, &st) == 0 ? &st : NULL, found);
}

bool brz_source_find(const char *path, brz_found *found, brz_buf *error)
{
    struct stat st;
    int fd = open_path(path, &st, error);
    describe(path, fd, fd >= 0 ? &st : NULL, found);
    return fd >= 0;
}

void brz_found_close(const brz_found *found)
{
    if (found->fd >= 0)
        close(found->fd);
}

brz_source *brz_source_read(const brz_found *found, brz_decoding decoding)
{
    return create(found->name, brz_stream_of_file(found->fd), found->size,
                  found->whole ? found->fd : -1, decoding);
}

brz_source *brz_source_open(const char *path, brz_decoding decoding, brz_buf *error)
{
    brz_found found;
    return brz_source_find(path, &found, error) ? brz_source_read(&found, decoding) : NULL;
}

void brz_source_close(brz_source *s)
{
    if (s == NULL)
        return;
    brz_stream_close(s->stream);
    free(s->raw.memory);
    free(s->binary.memory);
    free(s->name);
    free(s);
}

uint64_t brz_source_count_lines(const brz_source *s, uint64_t from, uint64_t n,
                                uint64_t *line_start)
{
    enum { SIZE = 64 << 10 };
    uint64_t lines = 0, at = 0;
    char *buf = brz_malloc(SIZE);
    while (at < n) {
        size_t want = n - at < SIZE ? (size_t)(n - at) : SIZE;
        size_t got = brz_read_at(s->fd, buf, want, s->file_start + from + at);
        if (got == 0)
            break;
        for (const char *p = buf; (p = memchr(p, '\n', (size_t)(buf + got - p))) != NULL; p++)
            lines++;
        const char *last = memrchr(buf, '\n', got);
        if (last != NULL)
            *line_start = from + at + (uint64_t)(last + 1 - buf);
        at += got;
    }
    free(buf);
    return lines;
}

uint64_t brz_source_size(const brz_source *s)
{
    return s->fd >= 0 && s->file_size > s->file_start ? s->file_size - s->file_start : 0;
}

brz_str brz_source_file_name(const brz_source *s)
{
    return brz_str_of_text(basename(s->name));
}
