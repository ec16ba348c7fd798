/* SPDX-License-Identifier: MIT */
/* The stack line, which is a frame of a sample of `perf script`. */
#ifndef COMMON_NAMES_FRAME_LINE_H
#define COMMON_NAMES_FRAME_LINE_H

#include <brazier/base.h>

typedef struct frame_line {
    brz_str address; /* may have leading spaces */
    brz_str symbol;  /* without its offset, trimmed; one space if perf knew none, empty if perf was
                        told to omit it */
    brz_str module;  /* without its parentheses; empty if perf printed none */
    brz_str file;    /* set by a following source line; empty otherwise */
    uint32_t number;
} frame_line;

/* Parses a stack line. Returns false for other lines. */
bool frame_line_parse(brz_str line, frame_line *out);

/* Recognises "(" at the front, which old versions of perf print with a process name instead of a
 * frame. C++'s (anonymous namespace) is a frame. */
bool symbol_is_process_name(brz_str symbol);

/* Parses a stack line that follows the event on the same line, if there is one. Other columns may
 * surround it (`-F +addr,+weight,+insn`). A payload is rejected: it has no module at its end, or no
 * address. */
bool frame_line_parse_in_line(brz_str text, frame_line *out);

/* Parses a stack line that follows a tracepoint's payload on the same line, if there is one: an
 * address in the columns in which perf prints it, and a symbol. */
bool frame_line_parse_after_payload(brz_str text, frame_line *out);

/* Parses a source line, which `-F +srcline` prints below a stack line ("  main.c:12"). Returns
 * false for other lines; `file` is empty if perf did not know it. */
bool source_line_parse(brz_str line, brz_str *file, uint32_t *number);

/* Recognises lines that perf adds to a sample for other fields of -F: branches, instructions,
 * registers, physical addresses, sizes of pages. */
bool extra_line_is(brz_str line);

#endif
