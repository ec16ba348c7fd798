/* Lists the clauses of the contract as worded in docs/plugin-abi.md. */
#include "clauses.h"

#include <stddef.h>

static const char *const clauses[] = {
    "nothing that has a number",
    "It exports brz_plugin_v0 and no other symbol.",
    "It needs no symbol of the host, and names every library it needs.",
    "No text relocations, executable stack or search path for libraries (RPATH, RUNPATH).",
    "Nobody but root and the user can write it or a folder above it.",
    "Note, magic, ABI version and sizes are what BRZ_PLUGIN and sizeof give.",
    "Names and ids are [a-z0-9-]{1,32}, an id is there once per kind; summary, version, licence "
    "and bugs_url say something, in one line.",
    "Options lie within cfg_size, apart from each other, with names, help, and defaults that their "
    "own type and range accept.",
    "Loading does next to nothing: well under 10 ms, no output, nothing left behind.",
    "No mutable globals: all state is in the instance.",
    "No threads, no child processes.",
    "No descriptor is left open or closed, and 0, 1 and 2 are never touched: words go through diag "
    "and log, bytes to the sink.",
    "Locale, working directory, umask, environment, signal handlers and mask, and the "
    "floating-point environment stay as they are.",
    "It never ends the process: no exit, abort, nor a crash.",
    "What it allocates itself it frees: at the end of the call, or in close. What host->alloc gave "
    "is the host's.",
    "Ids of frames, stacks and weights are used only with the instance that was given them.",
    "A collapser emits, and asks for frames, stacks and weights, from open to finish; not in "
    "prelude. Palettes and outputs do not at all.",
    "When a service answers BRZ_STOP, the function returns BRZ_STOP, and emits nothing more.",
    "BRZ_ERROR is returned after a diag of severity BRZ_FATAL said why.",
    "diag.at is in the chunk being parsed (its end included) or NULL, and len does not leave it; "
    "code is static text; msg is one line without a full stop.",
    "Structs it gives the host at run time (brz_diag, brz_frame_desc, brz_weight_desc, brz_sample) "
    "have their struct_size.",
    "ctx, texts, chunks and trees are not used after the call that gave them (cfg, shared, inst "
    "and memory of host->alloc: not after close).",
    "The same input, options and tree give the same result: no time, address, seed of the context "
    "or order of instances shows.",
    "Structs from the host may be longer than those of the header; arrays are walked by their "
    "stride (brz_node_at and its like).",
    "Flags it does not know are ignored, an unknown kind of frame is BRZ_KIND_OTHER.",
    "What is newer than BRZ_TARGET_MINOR is used after BRZ_HAS or extension said that it is there.",
    "sniff is pure and answers 0 to 100: the same head, the same score.",
    "sniff is fine with any bytes and any prefix, the empty one included.",
    "sniff takes less than a millisecond for 64 KiB.",
    "It knows its own format: 70 or more for a good input.",
    "It does not claim other formats: less than 40.",
    "*used is at most the length of the chunk; so is that of prelude.",
    "How an input is divided into chunks does not show: whole records are taken, the rest is left "
    "for the next call, which shows it again.",
    "With BRZ_CHUNK_LAST all complete records are taken, the last one also if its line has no end.",
    "4 KiB before and 64 bytes behind a chunk can be read, what is in them does not matter, and "
    "nothing beyond is touched.",
    "Chunks are only read, and nothing is kept that points into one.",
    "boundary answers from to n, is pure, and looks at buf alone.",
    "Parsing in sequence passes through every boundary, with the state that was there after "
    "prelude.",
    "Chunks with BRZ_CHUNK_FIRST may come to any instance, and instances are merged in any order.",
    "Whatever the bytes, every function returns, in time that does not explode. Odd records are "
    "reported and left out.",
    "Memory grows with the distinct stacks of an input, not with its length.",
    "Instances share nothing that is written.",
    "With BRZ_CTX_ORDERED samples are handed on one by one in input order, and weigh the same in "
    "the end.",
    "color is pure: after prepare, the same frame has the same colour, on any thread.",
    "depends names everything that the colour depends on.",
    "Any tree is fine: empty, deep, with odd names, values at the ends of their range, with or "
    "without changes.",
    "The legend gives names to colours that are opaque, the same ones every time.",
    "Bytes go to the sink alone, and write does not return BRZ_OK if the sink did not.",
    "What is written is well-formed for its media_type, whatever the names in the tree.",
    "Any tree is fine, as for palettes.",
    "It reads what its flags asked for (NODES, STACKS), and asks for colours only with COLOR, of "
    "nodes that are there.",
    "The tree is only read.",
};

const char *check_clause(unsigned number)
{
    return clauses[number < sizeof clauses / sizeof clauses[0] ? number : 0];
}
