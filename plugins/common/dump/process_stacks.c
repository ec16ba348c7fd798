/* Reads stacks of processes. */
#include "process_stacks.h"

#include "../names/arguments.h"

/* Parses "1048832: /usr/sbin/demod -x 5" up to the command's first word. Solaris writes "core
 * 'FILE' of " in front of the process of a core file. */
static bool take_process(brz_str line, uint64_t *id, brz_str *command)
{
    brz_str words;
    size_t of = brz_starts_with(line, BRZ_STR("core '")) ? brz_str_find(line, BRZ_STR("' of "), 0)
                                                         : SIZE_MAX;
    if (of != SIZE_MAX)
        line = brz_str_from(line, of + 5);
    if (!brz_take_u64(&line, id) || *id > INT64_MAX || !brz_str_take(&line, ":") ||
        dump_take_blanks(&line) == 0 || line.len == 0)
        return false;
    *command = line;
    brz_cut_first(line, ' ', command, &words);
    return true;
}

bool process_stacks_begins(brz_str line)
{
    brz_str command;
    uint64_t id;
    return take_process(line, &id, &command);
}

brz_str process_stacks_function(brz_str text)
{
    for (size_t i = text.len; i >= 4; i--)
        if (memcmp(text.data + i - 4, ") + ", 4) == 0) {
            text.len = i - 3;
            break;
        }
    return brz_trim(name_without_arguments(text));
}

/* ---- lines ----------------------------------------------------------------------------------- */

static brz_rc end_thread(process_stacks *p)
{
    brz_tag_desc tag = {.flags = p->header.len > 0 ? BRZ_TAG_THREAD : 0,
                        .process_name = p->command};
    tag.thread = (int64_t)p->thread;
    if (dump_depth(&p->dump) == 0) {
        if (p->header.len > 0)
            dump_left_out(&p->dump, "process-stacks.thread", p->header,
                          BRZ_STR("thread without a frame: left out"), 1);
        return BRZ_OK;
    }
    if (p->command.len > 0)
        dump_push_root(&p->dump, p->command);
    dump_tag(&p->dump, &tag);
    return dump_count(&p->dump, 0, 1);
}

static brz_rc read_line(process_stacks *p, brz_str line)
{
    brz_str text = brz_trim(line), rest = text;
    uint64_t number;
    if (p->format->take_thread(text, &number)) {
        brz_rc rc = end_thread(p);
        p->thread = number;
        p->header = line;
        return rc;
    }
    if (p->format->take_address(&rest, &number))
        dump_push(&p->dump, text, 0, p->format->describe);
    else if (text.len > 0)
        dump_left_out(&p->dump, "process-stacks.line", line, BRZ_STR("not a frame: left out"), 0);
    return BRZ_OK;
}

brz_rc process_stacks_read(void *instance, brz_str block)
{
    process_stacks *p = instance;
    brz_str line, rest = block;
    uint64_t id;
    brz_rc rc = BRZ_OK;
    p->header = brz_str_of(NULL, 0);
    p->command = brz_str_of(NULL, 0);
    if (brz_block_line(&rest, &line) && take_process(line, &id, &p->command)) {
        p->dump.process = (int64_t)id;
        block = rest;
    }
    while (rc == BRZ_OK && brz_block_line(&block, &line))
        rc = read_line(p, line);
    return rc == BRZ_OK ? end_thread(p) : rc;
}

int32_t process_stacks_sniff(const brz_head *head, const process_format *format)
{
    brz_str text = dump_head_lines(head), line;
    bool process = false;
    uint64_t number;
    for (size_t i = 0; i < DUMP_SNIFFED_LINES && brz_block_line(&text, &line); i++) {
        brz_str frame = brz_trim(line);
        if (format->take_thread(frame, &number))
            return process ? BRZ_SNIFF_HEADER : BRZ_SNIFF_RECORDS;
        if (process && format->sniff_address(&frame, &number))
            return BRZ_SNIFF_RECORDS;
        process = process_stacks_begins(line);
    }
    return BRZ_SNIFF_NO;
}

brz_rc process_stacks_open(brz_ctx *ctx, const process_format *format)
{
    process_stacks *p = ctx->inst;
    p->format = format;
    return dump_open(ctx);
}
