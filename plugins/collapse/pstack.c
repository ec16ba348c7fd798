/* Collapses stacks of pstack on Solaris, illumos and FreeBSD:
 *
 *     input   := process*
 *     process := ["core '" file "' of"] number ":" command (thread | frame)*
 *     thread  := dashes (("lwp#" | "thread#") number "/" ...| "thread" number) dashes
 *     frame   := address ["*"] function ["(" arguments ")"] ["+" offset]
 *
 * Numbers are hexadecimal, mostly without a prefix.
 */
#include "../common/dump/process_stacks.h"

/* Digits that an address has at least, unless it has a prefix. */
#define ADDRESS_DIGITS 4

/* Removes a word of hexadecimal digits. */
static bool take_address(brz_str *line, uint64_t *address)
{
    brz_str s = *line;
    bool prefixed = dump_take_address(&s, address);
    if (!prefixed && (!brz_take_hex(&s, address) || line->len - s.len < ADDRESS_DIGITS))
        return false;
    if (dump_take_blanks(&s) == 0 || s.len == 0 || *s.data == '/') /* a process without a colon */
        return false;
    *line = s;
    return true;
}

/* Removes " + 2a" from the end of a function that has no arguments. */
static brz_str without_offset(brz_str text)
{
    brz_str name, offset;
    uint64_t number;
    if (!brz_cut_last(text, '+', &name, &offset) || !brz_ends_with(name, BRZ_STR(" ")))
        return text;
    offset = brz_trim(offset);
    if (!brz_str_take(&offset, "0x"))
        dump_take_blanks(&offset);
    return brz_take_hex(&offset, &number) && offset.len == 0 ? brz_trim(name) : text;
}

static void describe(dump *d, brz_str text, brz_frame_desc *frame)
{
    brz_str library, function, arguments;
    take_address(&text, &frame->address);
    if (brz_str_take(&text, "* "))
        brz_cut_first(text, '(', &text, &arguments); /* of a method of Java */
    text = without_offset(process_stacks_function(text));
    if (brz_cut_first(text, '`', &library, &function)) {
        frame->module = library;
        text = function;
    }
    if (text.len > 0 && brz_trim(text).data[0] != '?')
        frame->name = dump_repaired(d, text);
}

/* Parses "----------------- lwp# 2 / thread# 2 [worker] ----------------". */
static bool take_thread(brz_str line, uint64_t *id)
{
    static const char *const words[] = {" thread# ", " lwp# ", " thread "};
    if (!brz_starts_with(line, BRZ_STR("-----")))
        return false;
    for (size_t i = 0; i < BRZ_COUNT_OF(words); i++)
        if (dump_number_behind(line, brz_str_of_text(words[i]), id))
            return true;
    return false;
}

/* Removes an address without a prefix, which a frame of AIX would have. */
static bool take_bare_address(brz_str *line, uint64_t *address)
{
    return !brz_starts_with(*line, BRZ_STR("0x")) && take_address(line, address);
}

static const process_format format = {
    .take_thread = take_thread,
    .take_address = take_address,
    .sniff_address = take_bare_address,
    .describe = describe,
};

PROCESS_STACKS_COLLAPSER(&format)

SHIPPED_COLLAPSER("pstack", .summary = "pstack of Solaris, illumos and FreeBSD",
                  .help = "Record with `pstack PID >> stacks.txt`, several times.")
