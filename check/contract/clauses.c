/* SPDX-License-Identifier: MIT */
/* Lists the clauses of the contract as worded in docs/plugin-abi.md. */
#include "clauses.h"

#include <stddef.h>

static const char *const clauses[] = {
    "nothing that has a number",
    "It exports brz_plugin_v1 and no other symbol, except the entries of other majors, such as "
    "brz_plugin_v2.",
    "It needs no symbol of the host, and names every library it needs.",
    "No text relocations, executable stack or search path for libraries (RPATH, RUNPATH).",
    "Only root and the user can write it or a folder above it.",
    "Note, magic, ABI version and sizes have the values of BRZ_PLUGIN and sizeof.",
    "Names and ids match [a-z0-9-]{1,32}, ids are unique per kind; summary, version, licence "
    "and bugs_url are single lines and not empty.",
    "Options lie within cfg_size, aligned for their type, do not overlap, and have names, help, "
    "and defaults of their own type and range.",
    "Loading takes well under 10 ms, writes nothing and leaves nothing behind.",
    "No mutable globals: all state is in the instance.",
    "No threads, no child processes.",
    "It leaves no descriptor open, closes none of others, and never uses 0, 1 and 2: text goes "
    "to diag and log, bytes to the sink.",
    "Locale, working directory, umask, environment, signal handlers and mask, and the floating-"
    "point environment stay as they are.",
    "It never ends the process: no exit, no abort, no crash.",
    "It frees its own allocations at the end of the call or in close. Memory of host->alloc "
    "belongs to the host.",
    "Ids of frames, stacks, columns and tags are used only with the instance that received them.",
    "A collapser emits samples, and requests frames, stacks, columns and tags, from open to "
    "finish, "
    "not in prelude, where it may state metadata. Palettes and outputs never do.",
    "When a service returns BRZ_STOP, the function returns BRZ_STOP and emits no more samples.",
    "A function that returns BRZ_ERROR has reported the reason with a diag of severity "
    "BRZ_FATAL.",
    "diag.at is in the current chunk (its end included) or NULL, and len does not exceed it; "
    "code is static text; msg is one line without a full stop.",
    "Structs that it passes to the host (brz_diag, brz_frame_desc, brz_column_desc, brz_values, "
    "brz_tag_desc, brz_metadata, brz_related_file) contain their struct_size.",
    "ctx, texts, chunks and trees are not used after the call that passed them (cfg, prelude_data, "
    "inst, memory of host->alloc and files of host->open_related: not after close).",
    "The same input, options and tree give the same result: it does not depend on time, "
    "addresses, the context's seed or the order of instances.",
    "Structs from the host may be longer than those of the header; arrays are walked by their "
    "stride (brz_node_at and its like).",
    "Flags it does not know are ignored, an unknown kind of frame is BRZ_KIND_OTHER.",
    "Members newer than BRZ_TARGET_MINOR are used only after BRZ_HAS or extension found them.",
    "sniff is pure and returns 0 to 100: the same score for the same bytes.",
    "sniff accepts any bytes and any prefix, the empty one included.",
    "sniff takes less than a millisecond for 64 KiB.",
    "A collapser with sniff or magics recognises its own format: 70 or more for a good input.",
    "It rejects other formats: less than 40.",
    "*used is at most the length of the chunk; so is that of prelude.",
    "The result does not depend on the division into chunks: a call parses whole records and "
    "leaves the rest for the next call, which passes it again.",
    "With BRZ_CHUNK_LAST, parse takes all complete records, also a last line without an end.",
    "It reads at most 4 KiB before and 64 bytes after a chunk, and their content does not "
    "affect the result.",
    "It does not write to chunks, and keeps no pointer into one.",
    "boundary is pure, depends only on buf and prelude_data, and returns from to n.",
    "Sequential parsing reaches every boundary, with the state after prelude.",
    "Any instance accepts chunks with BRZ_CHUNK_RANGE_START; the order of merging instances does "
    "not "
    "affect the result, and merge uses no ids of from.",
    "Every function returns for any bytes, in reasonable time. It reports bad"
    " records and leaves them out.",
    "Memory grows with the distinct stacks of an input, not with its length.",
    "Instances share no writable data.",
    "With BRZ_CTX_WANTS_ORDER it emits samples one by one in input order, with the same sums.",
    "color is pure: after prepare, the same frame has the same colour, on whichever thread.",
    "depends declares every property that the colour depends on.",
    "It accepts any tree: empty, deep, with odd names, values at the ends of their range, with "
    "or without differences.",
    "The legend names opaque colours, and is the same every time.",
    "It writes only to the sink, and write does not return BRZ_OK if the sink failed.",
    "The output is well-formed for its media_type, for any names in the tree.",
    "It accepts any tree, as palettes do.",
    "It reads only what its flags request (NODES, STACKS), and requests colours only with COLOR"
    " and of existing nodes.",
    "It does not write to the tree.",
    "validate is pure, accepts the defaults, and reports one line on an option of the component.",
    "With BRZ_CTX_WANTS_TAGS and BRZ_CTX_WANTS_TIME the sums are the same as without.",
    "It accepts that a related file is absent, refused or empty.",
    "It loads in a confined process: constructors open no file for writing, and use neither "
    "network nor processes.",
    "With BRZ_NESTED, either the stack or the one stored last begins with all frames of the other.",
    "A count with BRZ_SAME_SAMPLE has the frames, the tag and the time of the count before it.",
    "Numbers are read with the width, sign, byte order and unit that the format defines.",
    "With BRZ_HINTS, an input for which no hint is true scores 0.",
    "apply is pure: the result for a stack depends on its frames and the options and, with "
    "BRZ_TRANSFORM_VALUES, on its values, but not on other stacks.",
    "It accepts any stack: empty, deep, with odd names, values at the ends of their range.",
    "The result has frames of the tree, and frames that this instance has requested.",
};

const char *check_clause(unsigned number)
{
    return clauses[number < sizeof clauses / sizeof clauses[0] ? number : 0];
}
