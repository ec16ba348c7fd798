/* The stack line, a frame of a sample of `perf script`. */
#ifndef PERF_FRAME_LINE_H
#define PERF_FRAME_LINE_H

#include <brazier/base.h>

typedef struct frame_line {
    brz_str address; /* perhaps with blanks in front */
    brz_str symbol;  /* without its offset, trimmed; one blank if perf knew none, empty if it
                       was not to print any */
    brz_str module;  /* without its parentheses; empty if perf printed none */
    brz_str file;    /* from a source line; empty until one follows */
    uint32_t number;
} frame_line;

/* Takes a line apart if it is a stack line. */
bool frame_line_parse(brz_str line, frame_line *out);

/* True for "(" in front, which old versions of perf print with a process: it is no frame. C++'s
 * (anonymous namespace) is one. */
bool symbol_is_process_name(brz_str symbol);

/* Takes the stack line apart that stands behind the event, on the same line, if there is one. Other
 * columns may be around it (`-F +addr,+weight,+insn`). A payload is none: it has no module at its
 * end, or no address. */
bool frame_line_parse_in_line(brz_str text, frame_line *out);

/* Takes the stack line apart that stands behind a tracepoint's payload, on the same line, if there
 * is one: an address in the columns that perf prints it in, and a symbol. */
bool frame_line_parse_behind_payload(brz_str text, frame_line *out);

/* Takes a source line apart, which `-F +srcline` prints below a stack line ("  main.c:12"). True
 * if it is one; `file` stays empty when perf did not know. */
bool source_line_parse(brz_str line, brz_str *file, uint32_t *number);

/* True for lines that perf adds to a sample for other fields of -F: branches, instructions,
 * registers, physical addresses, sizes of pages. */
bool extra_line_is(brz_str line);

#endif
