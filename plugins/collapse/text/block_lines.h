/* SPDX-License-Identifier: MIT */
/* The lines of blocks: divides a text into blocks, and remembers what lines are that occur again.
 *
 * A block begins with a line of the option "begin" or "section" or, without "begin", after one of
 * "end". A line that is damaged, which the group "odd" shows, begins none: it is read as part of a
 * block.
 */
#ifndef TEXT_BLOCK_LINES_H
#define TEXT_BLOCK_LINES_H

#include "samples.h"

/* The meaning of a known line, such as IS_END; or an index in the list of numbered lines. */
typedef uint32_t block_value;

/* A line of a block. */
typedef struct block_line {
    brz_str text;
    brz_frame_key key; /* of the line */
    block_value value; /* BRZ_CACHE_MISS if the line is not known */
    bool is_plain;     /* the line fits no expression with which a block or a section begins */
} block_line;

/* Values of lines within blocks that are no frames of their own: one that adds to the frame above,
 * a frame to which lines may add, an end without values, and a line that means nothing. */
#define IS_ATTRIBUTE (UINT32_MAX - 1)
#define IS_FRAME     (UINT32_MAX - 2)
#define IS_END       (UINT32_MAX - 3)
#define IS_NOTHING   (UINT32_MAX - 4)

/* The number of a frame that has none, and the largest one. */
#define NO_NUMBER      UINT32_MAX
#define LARGEST_NUMBER (UINT32_MAX - 1)

/* A line of a frame in a format that numbers them. */
typedef struct known_line {
    brz_frame frame; /* or IS_FRAME */
    uint32_t number;
} known_line;

typedef struct blocks {
    text_samples samples;
    block_line *lines; /* of the block that is being read */
    size_t n, cap;
    const block_line *current; /* the one that is being read */
    matcher ahead;    /* looks at the line after a frame, whose match the other one holds */
    bool has_stopped; /* one frame alone in the next block is the place of the program */
    bool is_numbered; /* frames have numbers */
    known_line *numbered;
    size_t n_numbered, numbered_cap;
} blocks;

/* Takes the lines of the next block off text[*at..n), like brz_block_take(). Known lines of frames
 * begin no block, so only others are matched. */
bool blocks_take(blocks *b, const char *text, size_t n, size_t *at, bool last);

/* Reads the lines of the block. */
brz_rc blocks_read(blocks *b);

/* Implements brz_collapser.boundary: finds a section if the format has them, or else a block. */
size_t blocks_boundary(const void *shared, const uint8_t *buf, size_t n, size_t from);

/* Remembers what a line is, unless it is known. */
void blocks_remember(blocks *b, brz_str line, block_value value);

/* Remembers a line of a frame with its number, likewise. */
void blocks_remember_frame(blocks *b, brz_str line, brz_frame frame, uint32_t number);

/* Returns the frame and the number of a known line, or one of the values above instead of the
 * frame. */
known_line blocks_known(const blocks *b, block_value value);

/* Returns the number of the frame on a line, or NO_NUMBER. */
uint32_t blocks_number(blocks *b, const block_line *line);

/* Parses the number of a frame. */
uint32_t blocks_parse_number(brz_str text);

#endif
