/* SPDX-License-Identifier: MIT */
/* The block that is being read: its frames, and what damage to it shows. */
#ifndef TEXT_BLOCK_READER_H
#define TEXT_BLOCK_READER_H

#include "block_lines.h"
#include "block_roles.h"

/* A block that is being read. */
typedef struct block_reader {
    blocks *blocks;
    text_samples *samples;
    size_t next;       /* index of the line that follows */
    brz_str begin;     /* the line with which the block began */
    brz_str rest;      /* the rest of a line that consists of several, or empty */
    size_t n_joined;   /* lines of which it consists, so far */
    size_t roots;      /* frames that are no frames of the block */
    uint32_t position; /* number of the next frame */
    uint32_t n_odd;    /* lines since the last frame that may be damaged frames */
    uint32_t n_cut;    /* frames of the block that are damaged */
    bool inside;       /* lines are part of a block */
    bool is_open;      /* a block has not been counted */
    bool is_vague;     /* nothing but damaged text began it */
    bool has_gap;      /* frames of it are missing, which a note counts */
    bool is_headless;  /* its first frame is damaged, so it does not count */
    bool is_orphan;    /* the line that begins it is missing */
    bool is_place;     /* it follows a stop: one frame alone is no stack */
    bool lost;         /* frames outside of a block have been reported */
} block_reader;

/* Returns the options of the format. */
static inline const block_options *block_reader_options(const block_reader *r)
{
    return block_options_of(&r->samples->format);
}

/* Returns the text of a group in the last match; its data is NULL if the group took no part. */
brz_str block_group(const block_reader *r, const text_match *match, text_group g);

/* Reports the damaged text of a line, which is read without it. Returns whether there is some. */
bool block_report_odd(const block_reader *r, const text_match *match);

/* Appends the frame of a line, with those that add to it. Equal texts are one frame: in the cache,
 * they have another context than lines. */
brz_frame block_push_frame(block_reader *r, brz_str line, text_slot slot);

/* Appends the frame of a sound line, which it remembers. */
void block_push_sound_frame(block_reader *r, brz_str line, uint32_t number);

/* Begins a block with a frame, since the line that begins it is missing. */
void block_begin_orphan(block_reader *r, brz_str frame);

/* Ends the block and counts it, or reports that it has no frame. */
brz_rc block_end(block_reader *r);

/* Takes the line of an end with its values. If no block is open, one without frames ends, which
 * only a weight shows. */
brz_rc block_take_end(block_reader *r, const text_match *match);

/* Begins a block. One may be open: blocks_take() does not divide in front of a damaged line, nor in
 * front of a last one without a line end. A damaged line without values after the one that began a
 * block is a part of that. */
brz_rc block_take_begin(block_reader *r, text_match *match);

/* Begins a section, which ends a block that is open. */
brz_rc block_begin_section(block_reader *r, text_match *match);

/* Compares the samples since the last total with the one of a line. */
brz_rc block_take_total(block_reader *r, text_match *match);

/* Takes a line after which one frame alone is the place of the program: in the block that is open,
 * if that has no frame so far, or else in the next one. */
void block_take_stop(block_reader *r);

/* Reports a frame without the line that begins its block. A stack of them is one record. */
void block_take_lost(block_reader *r, brz_str line);

/* Reports a line that is neither part of a block nor known outside of one. */
void block_take_unmatched(block_reader *r, brz_str line);

/* Compares the number of a frame with that of the one above. Lines between them that are damaged
 * may be frames. May end the block. */
brz_rc block_check_number(block_reader *r, brz_str line, uint32_t number);

#endif
