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

/* Returns the position of a process's line within another line, or 0: the line break in front of it
 * is another byte. */
static size_t joined_process(brz_str line)
{
    const char *colon = line.data, *end = line.data + line.len;
    while ((colon = memchr(colon, ':', (size_t)(end - colon))) != NULL) {
        size_t at = (size_t)(colon++ - line.data);
        while (at > 0 && brz_is_digit(line.data[at - 1]))
            at--;
        if (at > 0 && process_stacks_begins(brz_str_from(line, at)))
            return at;
    }
    return 0;
}

/* Does the same for a thread's line. */
static size_t joined_thread(const process_stacks *p, brz_str line)
{
    uint64_t number;
    size_t at = brz_str_find(line, BRZ_STR("-----"), 1);
    bool is_thread = at != SIZE_MAX && p->format->take_thread(brz_str_from(line, at), &number);
    return is_thread ? at : 0;
}

/* Recognises a process's line whose blank in front of the command, or what follows the number, is
 * damaged or on the next line. Stores the command. */
static bool take_cut_process(brz_str line, brz_str *command)
{
    uint64_t id;
    bool has_digits = line.len > 1; /* one digit may be a part of a frame */
    if (!brz_take_u64(&line, &id))
        return false;
    *command = brz_str_of(NULL, 0);
    if (line.len == 0)
        return has_digits;
    if (!brz_str_take(&line, ":"))
        return false;
    if (line.len > 1)
        brz_cut_first(brz_str_from(line, 1), ' ', command, &line);
    return brz_str_find(line, BRZ_STR(") + "), 0) == SIZE_MAX;
}

/* Recognises a process's line with a damaged byte in front of the command: within the number, or in
 * the place of the colon. Frames may be indented, processes are not. Stores the command. */
static bool take_damaged_process(brz_str line, brz_str *command)
{
    size_t n = 0, others = 0;
    while (n < line.len && !brz_is_blank(line.data[n]))
        others += !brz_is_digit(line.data[n++]);
    if (n < 2 || n == line.len || others == 0 || others > 2 || others == n)
        return false;
    if (others == 2 ? line.data[n - 1] != ':' : brz_is_digit(line.data[n - 1]))
        return false;
    brz_str words = brz_trim(brz_str_from(line, n));
    *command = words;
    brz_cut_first(words, ' ', command, &words);
    return brz_str_find(line, BRZ_STR(") + "), 0) == SIZE_MAX; /* part of a frame */
}

/* Recognises a process's line with a blank in its number: "104890 : ./gamma". Stores the command.
 */
static bool take_divided_process(brz_str line, brz_str *command)
{
    uint64_t part, id;
    if (!brz_take_u64(&line, &part) || dump_take_blanks(&line) != 1 || line.len < 3)
        return false;
    if (line.data[0] != ':')
        return take_process(line, &id, command);
    line = brz_trim(brz_str_from(line, 1));
    *command = line;
    brz_cut_first(line, ' ', command, &line);
    return true;
}

/* Returns whether a text is a frame, whose address has a prefix, or follows the dashes of a thread
 * and one more byte. */
static bool is_joined_frame(const process_stacks *p, brz_str line, size_t at)
{
    brz_str rest = brz_str_from(line, at), frame;
    uint64_t number;
    if (line.data[at] == '0' && dump_take_address(&rest, &number))
        return brz_starts_with(rest, BRZ_STR(" "));
    frame = brz_trim_start(brz_str_from(line, at + 1));
    return line.data[at - 1] == '-' && line.data[at] != '-' &&
           p->format->take_address(&frame, &number);
}

/* Reports the line of a process or a thread that has a frame on it. */
static void report_joined_frame(process_stacks *p, brz_str line)
{
    for (size_t i = 1; i < line.len; i++)
        if (is_joined_frame(p, line, i)) {
            dump_left_out(&p->dump, "process-stacks.joined", line,
                          BRZ_STR("a frame in a line of another kind: left out"), 0);
            return;
        }
}

static brz_rc begin_thread(process_stacks *p, brz_str header, uint64_t number)
{
    brz_rc rc = end_thread(p);
    p->thread = number;
    p->header = header;
    return rc;
}

/* Recognises the path of a command, in front of which the number of the process is missing. */
static bool take_bare_command(brz_str line, brz_str *command)
{
    brz_str words;
    *command = line;
    brz_cut_first(line, ' ', command, &words);
    return brz_starts_with(line, BRZ_STR("/")) || brz_starts_with(line, BRZ_STR("./"));
}

static brz_rc begin_process(process_stacks *p, brz_str line)
{
    brz_rc rc = end_thread(p);
    uint64_t id;
    p->header = brz_str_of(NULL, 0);
    p->dump.process = take_process(line, &id, &p->command) ? (int64_t)id : -1;
    return rc;
}

/* Reads a line that is no frame. One that begins a thread or a process, but is damaged, still ends
 * the stack above it. */
static brz_rc read_odd_line(process_stacks *p, brz_str line, brz_str text)
{
    static const brz_str dashes = {"-----", 5}, dash = {"-", 1};
    brz_str command;
    dump_left_out(&p->dump, "process-stacks.line", line, BRZ_STR("not a frame: left out"), 0);
    if (brz_starts_with(text, dash) || brz_ends_with(text, dashes))
        return dump_depth(&p->dump) > 0 ? begin_thread(p, brz_str_of(NULL, 0), 0) : BRZ_OK;
    if (!take_damaged_process(line, &command) && !take_cut_process(line, &command) &&
        !take_divided_process(line, &command) && !take_bare_command(line, &command))
        return BRZ_OK;
    brz_rc rc = begin_process(p, brz_str_of(NULL, 0));
    p->command = command;
    return rc;
}

/* Reads a frame. Returns the rest of the line, which is another one that begins a stack. */
static brz_str read_frame(process_stacks *p, brz_str text)
{
    size_t at = joined_process(text);
    at = at > 0 ? at : joined_thread(p, text);
    if (at == 0) {
        dump_push(&p->dump, text, 0, p->format->describe);
        return brz_str_of(NULL, 0);
    }
    brz_report(p->dump.ctx, BRZ_WARNING, "process-stacks.joined", text.data, text.len,
               BRZ_STR("two lines in one: they are read apart"));
    dump_push(&p->dump, brz_trim_end(brz_str_of(text.data, at - 1)), 0, p->format->describe);
    return brz_str_from(text, at);
}

static brz_rc read_line(process_stacks *p, brz_str line)
{
    brz_str text = brz_trim(line), rest = text;
    uint64_t number;
    if (text.len == 0)
        return BRZ_OK;
    if (p->format->take_thread(text, &number)) {
        report_joined_frame(p, text);
        return begin_thread(p, line, number);
    }
    if (!p->format->take_address(&rest, &number))
        return read_odd_line(p, line, text);
    rest = read_frame(p, text);
    if (rest.len == 0)
        return BRZ_OK;
    return p->format->take_thread(rest, &number) ? begin_thread(p, rest, number)
                                                 : begin_process(p, rest);
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
        report_joined_frame(p, line);
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
