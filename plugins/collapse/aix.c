/* Collapses stacks of AIX's procstack:
 *
 *     input   := process*
 *     process := number ":" command (thread | frame)*
 *     thread  := "---------- tid#" number ["(pthread ID:" number ")"] "----------"
 *     frame   := address (function "(" arguments ")" ["+" offset] | "[" library "]")
 *
 * Frames run from leaf to root, below the command. Each thread with a stack counts as one sample.
 */
#include "dump/dump.h"

typedef struct aix {
    dump dump;
    brz_str command; /* in the block */
    brz_str header;  /* of the current thread, in the block; empty: none yet */
    uint64_t thread;
} aix;

/* ---- frames ---------------------------------------------------------------------------------- */

static void describe(dump *d, brz_str text, brz_frame_desc *frame)
{
    dump_take_address(&text, &frame->address);
    text = brz_trim(text);
    size_t offset = brz_str_find(text, BRZ_STR(") + 0x"), 0);
    if (offset != SIZE_MAX)
        text.len = offset + 1;
    brz_str name, arguments;
    if (brz_ends_with(text, BRZ_STR("]")) && brz_starts_with(text, BRZ_STR("["))) {
        frame->module = brz_str_of(text.data + 1, text.len - 2);
    } else if (brz_ends_with(text, BRZ_STR(")")) && brz_cut_last(text, '(', &name, &arguments)) {
        text = name;
    }
    frame->name = dump_repaired(d, brz_trim(text));
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* Parses "1048832: /usr/sbin/alphad -x" up to the command's first word. */
static bool take_process(brz_str line, uint64_t *id, brz_str *command)
{
    brz_str words;
    if (!dump_take_number(&line, id) || *id > INT64_MAX || !dump_take(&line, BRZ_STR(":")) ||
        dump_take_blanks(&line) == 0 || line.len == 0)
        return false;
    *command = line;
    brz_cut_first(line, ' ', command, &words);
    return true;
}

static bool begins(brz_str line)
{
    brz_str command;
    uint64_t id;
    return take_process(line, &id, &command);
}

/* Parses "---------- tid# 3211473 (pthread ID: 1) ----------". */
static bool take_thread(brz_str line, uint64_t *id)
{
    size_t at = brz_str_find(line, BRZ_STR(" tid# "), 0);
    if (!brz_starts_with(line, BRZ_STR("-----")) || at == SIZE_MAX)
        return false;
    line = dump_behind(line, at + 6);
    return dump_take_number(&line, id) && *id <= INT64_MAX;
}

static brz_rc end_thread(aix *a)
{
    brz_tag_desc tag = {.flags = a->header.len > 0 ? BRZ_TAG_THREAD : 0,
                        .process_name = a->command};
    tag.thread = (int64_t)a->thread;
    if (dump_depth(&a->dump) == 0) {
        if (a->header.len > 0)
            dump_left_out(&a->dump, "aix.thread", a->header,
                          BRZ_STR("thread without a frame: left out"), 1);
        return BRZ_OK;
    }
    if (a->command.len > 0)
        dump_push_root(&a->dump, a->command);
    dump_tag(&a->dump, &tag);
    return dump_count(&a->dump, 0, 1);
}

static bool is_frame(brz_str text)
{
    uint64_t address;
    return dump_take_address(&text, &address) && brz_starts_with(text, BRZ_STR(" "));
}

static brz_rc read_line(aix *a, brz_str line)
{
    brz_str text = brz_trim(line);
    uint64_t id;
    if (take_thread(text, &id)) {
        brz_rc rc = end_thread(a);
        a->thread = id;
        a->header = line;
        return rc;
    }
    if (is_frame(text))
        dump_push(&a->dump, text, 0, describe);
    else if (text.len > 0)
        dump_left_out(&a->dump, "aix.line", line, BRZ_STR("not a frame: left out"), 0);
    return BRZ_OK;
}

static brz_rc read_block(void *instance, brz_str block)
{
    aix *a = instance;
    brz_str line, rest = block;
    uint64_t id;
    brz_rc rc = BRZ_OK;
    a->header = brz_str_of(NULL, 0);
    a->command = brz_str_of(NULL, 0);
    if (brz_block_line(&rest, &line) && take_process(line, &id, &a->command)) {
        a->dump.process = (int64_t)id;
        block = rest;
    }
    while (rc == BRZ_OK && brz_block_line(&block, &line))
        rc = read_line(a, line);
    return rc == BRZ_OK ? end_thread(a) : rc;
}

/* ---- plug-in --------------------------------------------------------------------------------- */

static int32_t sniff(const brz_head *head)
{
    brz_str text = dump_head_lines(head), line;
    bool process = false;
    uint64_t id;
    for (size_t i = 0; i < DUMP_SNIFFED_LINES && brz_block_line(&text, &line); i++) {
        if (take_thread(line, &id))
            return process ? BRZ_SNIFF_HEADER : BRZ_SNIFF_RECORDS;
        if (process && is_frame(line))
            return BRZ_SNIFF_RECORDS;
        process = begins(line);
    }
    return BRZ_SNIFF_NO;
}

DUMP_PARSE_BLOCKS(begins, read_block)

DUMP_COLLAPSER(aix, .open = dump_open, .finish = dump_finish)

SHIPPED_COLLAPSER("aix", .summary = "AIX's procstack",
                  .help = "Record with `procstack PID >> stacks.txt`, several times.")
