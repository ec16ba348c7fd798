/* Collapses stacks of AIX's procstack:
 *
 *     input   := process*
 *     process := number ":" command (thread | frame)*
 *     thread  := "---------- tid#" number ["(pthread ID:" number ")"] "----------"
 *     frame   := address (function "(" arguments ")" ["+" offset] | "[" library "]")
 */
#include "../common/dump/process_stacks.h"

static void describe(dump *d, brz_str text, brz_frame_desc *frame)
{
    dump_take_address(&text, &frame->address);
    text = brz_trim(text);
    if (brz_ends_with(text, BRZ_STR("]")) && brz_starts_with(text, BRZ_STR("[")))
        frame->module = brz_str_of(text.data + 1, text.len - 2);
    frame->name = dump_repaired(d, process_stacks_function(text));
}

/* Parses "---------- tid# 3211473 (pthread ID: 1) ----------". */
static bool take_thread(brz_str line, uint64_t *id)
{
    return brz_starts_with(line, BRZ_STR("-----")) &&
           dump_number_behind(line, BRZ_STR(" tid# "), id);
}

static bool take_address(brz_str *line, uint64_t *address)
{
    return dump_take_address(line, address) && brz_starts_with(*line, BRZ_STR(" "));
}

static const process_format format = {
    .take_thread = take_thread,
    .take_address = take_address,
    .sniff_address = take_address,
    .describe = describe,
};

PROCESS_STACKS_COLLAPSER(&format)

BRZ_HINTS(BRZ_IF_CONTAINS(" tid# ") BRZ_IF_CONTAINS("0x") BRZ_IF_CONTAINS("0X"))

SHIPPED_COLLAPSER("aix", .summary = "AIX's procstack",
                  .help = "Record with `procstack PID >> stacks.txt`, several times.")
