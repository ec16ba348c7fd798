/* SPDX-License-Identifier: MIT */
/* Collects the stacks of dumps, which print a stack as lines: what the collapsers of thread dumps
 * and of reports with counted stacks share.
 *
 * A format names the lines with which blocks begin and reads one block at a time. A block may hold
 * several stacks, and blocks are read in order. Texts of frames are parsed once: a cache maps them
 * to frames.
 */
#ifndef COMMON_DUMP_DUMP_H
#define COMMON_DUMP_DUMP_H

#include "../shipped.h"

#include <brazier/block_format.h>
#include <brazier/symbol.h>

/* Samples that a sniffer reads at most. */
#define DUMP_SNIFFED_LINES 2000

/* The state of an instance, or its first member. */
typedef struct dump {
    brz_ctx *ctx;
    brz_stacks stacks;
    brz_frame_cache frames;
    brz_text text;                          /* scratch for functions that describe frames */
    brz_text name;                          /* scratch for names without semicolons */
    int64_t process;                        /* process id of the tags, unless it is negative */
    uint64_t n_incomplete, n_without_stack; /* dump_finish reports these */
} dump;

/* Fills in a frame from its text. `frame` is zeroed except for `struct_size`. */
typedef void dump_describe(dump *d, brz_str text, brz_frame_desc *frame);

/* Reads a block, which is not blank. */
typedef brz_rc dump_read(void *instance, brz_str block);

/* Reads a line, which has no line ending. */
typedef brz_rc dump_read_line(void *instance, brz_str line);

/* Ends the input, which ends at `at`. */
typedef brz_rc dump_end(void *instance, const char *at);

/* Returns the frame of a description, whose name may be empty. Sets `struct_size` and `name`. */
brz_frame dump_frame(dump *d, brz_frame_desc *frame);

/* Appends a frame. Equal texts in the same context are the same frame, described once. The text is
 * part of the chunk, or followed by 31 readable bytes. */
void dump_push(dump *d, brz_str text, uint32_t context, dump_describe *describe);

/* Appends a frame whose text is rarely the same again, because it has arguments. */
void dump_push_once(dump *d, brz_str text, dump_describe *describe);

/* Describes the frame of a system call by its name. */
void dump_describe_system_call(dump *d, brz_str text, brz_frame_desc *frame);

/* Appends a root that names a process or thread. `name` may be any text. */
void dump_push_root(dump *d, brz_str name);

/* Returns the number of frames of the current stack. */
static inline size_t dump_depth(const dump *d)
{
    return d->stacks.path->n;
}

/* Sets the tag of the stacks that follow. `tag` needs no `struct_size`; the process is added. */
void dump_tag(dump *d, brz_tag_desc *tag);

/* Returns whether the run needs tags. */
static inline bool dump_wants_tags(const dump *d)
{
    return (d->ctx->flags & BRZ_CTX_WANTS_TAGS) != 0;
}

/* Counts the current stack, if it has frames, and begins the next one. */
brz_rc dump_count(dump *d, uint32_t weight, int64_t value);

/* Reports that a line or a block is left out, with the weight that is missing because of it. Only
 * the first line of `part` is shown. */
void dump_left_out(dump *d, const char *code, brz_str part, brz_str msg, int64_t weight);

/* Reports that a line has a second frame, which is left out: the line break in front of it is
 * damaged. */
void dump_two_frames(dump *d, const char *code, brz_str line);

/* Warns that the numbers of frames show that others are missing in front of this one. */
void dump_frames_missing(dump *d, const char *code, brz_str frame);

/* Returns the lines that a sniffer may look at: none of a binary file, which may contain any text.
 */
static inline brz_str dump_head_lines(const brz_head *head)
{
    if (head->len > 0 && memchr(head->data, 0, head->len) != NULL)
        return brz_str_of(NULL, 0);
    return brz_head_lines(head);
}

/* Returns BRZ_SNIFF_HEADER if one of the first lines passes a test, and BRZ_SNIFF_NO otherwise. */
int32_t dump_sniff_line(const brz_head *head, brz_block_begins *test);

/* ---- taking texts apart ---------------------------------------------------------------------- */

/* Removes a hexadecimal number from the front, which begins with "0x". */
bool dump_take_address(brz_str *s, uint64_t *address);

/* Finds the first occurrence of a word and parses the number after it, which is decimal, or
 * hexadecimal with "0x". Returns false without one, or if it is larger than INT64_MAX. */
bool dump_number_after(brz_str s, brz_str word, uint64_t *number);

/* Removes blanks from the front. Returns their number. */
static inline size_t dump_take_blanks(brz_str *s)
{
    size_t n = 0;
    if (s->len == 0 || *s->data > ' ')
        return 0;
    while (s->len - n >= 8 && brz_are_blanks8(s->data + n))
        n += 8;
    while (n < s->len && (s->data[n] == ' ' || s->data[n] == '\t'))
        n++;
    *s = brz_str_from(*s, n);
    return n;
}

/* Removes ":LINE" or ":LINE:COLUMN" from the end of a place and sets file, line and column. */
void dump_place(brz_str place, brz_frame_desc *frame);

/* Returns the text without Rust's hash and escapes, in the dump's scratch. */
brz_str dump_repaired(dump *d, brz_str name);

/* ---- the functions of a collapser ------------------------------------------------------------ */

/* Implements brz_collapser.open for frames that are pushed from leaf to root. The instance is a
 * dump, or begins with one. */
brz_rc dump_open(brz_ctx *ctx);

/* Implements brz_collapser.open for frames that are pushed from root to leaf, likewise. */
brz_rc dump_open_root_first(brz_ctx *ctx);

/* Declares a column. Returns its index. */
uint32_t dump_declare(brz_ctx *ctx, brz_str name, brz_str unit);

/* Implements brz_collapser.parse for a format of blocks. `begins` recognises their first lines. */
brz_rc dump_parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used, brz_block_begins *begins,
                  dump_read *read);

/* Implements brz_collapser.parse for a format of lines. The current stack stays from line to line;
 * `end` ends it after the last line of the input, and may be NULL. */
brz_rc dump_parse_lines(brz_ctx *ctx, const brz_chunk *chunk, size_t *used, dump_read_line *read,
                        dump_end *end);

/* Implements brz_collapser.finish. */
brz_rc dump_finish(brz_ctx *ctx);

/* Defines `sniff` of a format that one line shows. */
#define DUMP_SNIFF_LINE(test_)                                                                     \
    static int32_t sniff(const brz_head *head)                                                     \
    {                                                                                              \
        return dump_sniff_line(head, test_);                                                       \
    }

/* Defines `parse` of a format of blocks. */
#define DUMP_PARSE_BLOCKS(begins_, read_)                                                          \
    static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)                        \
    {                                                                                              \
        return dump_parse(ctx, chunk, used, begins_, read_);                                       \
    }

/* Defines `parse` of a format of lines. */
#define DUMP_PARSE_LINES(read_, end_)                                                              \
    static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)                        \
    {                                                                                              \
        return dump_parse_lines(ctx, chunk, used, read_, end_);                                    \
    }

#endif
