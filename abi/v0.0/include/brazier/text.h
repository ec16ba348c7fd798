/** @file
 * The text kit: what a fast line-oriented collapser is made of, all inline.
 *
 *     cpu.h          what this processor can do
 *     newline.h      where lines end, 64 bytes at a time
 *     lines.h        a cursor over the lines of a chunk
 *     hash.h         hashes of short texts and of id sequences
 *     frame_cache.h  text of a frame -> frame id, without a call to the host
 *     stacks.h       the stack being read, and the distinct ones seen so far
 *     find.h         a byte from the end of a text
 *     pieces.h       a text between the bytes that divide it
 *     integer.h      whole numbers
 *     trim.h         blanks at the ends of text
 *     buffer.h       text and lists that grow
 *
 * A format that is not hot needs none of it: host->emit does.
 */
#ifndef BRAZIER_TEXT_H
#define BRAZIER_TEXT_H

#include <brazier/text/buffer.h>
#include <brazier/text/cpu.h>
#include <brazier/text/find.h>
#include <brazier/text/frame_cache.h>
#include <brazier/text/hash.h>
#include <brazier/text/integer.h>
#include <brazier/text/lines.h>
#include <brazier/text/newline.h>
#include <brazier/text/pieces.h>
#include <brazier/text/stacks.h>
#include <brazier/text/trim.h>

#endif
