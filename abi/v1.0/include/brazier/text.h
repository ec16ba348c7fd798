/* SPDX-License-Identifier: MIT */
/** @file
 * Includes the text kit: inline building blocks of a fast line-oriented collapser.
 *
 *     cpu.h          features of this processor
 *     newline.h      offsets of newlines, 64 bytes at a time
 *     lines.h        a cursor over the lines of a chunk
 *     hash.h         hashes of short texts and of id sequences
 *     frame_cache.h  text of a frame -> frame id, without a call to the host
 *     stacks.h       the current stack, and the distinct stacks seen so far
 *     find.h         searches and comparisons from the end of a text
 *     pieces.h       parts of a text between separators
 *     integer.h      parsing of integers
 *     trim.h         removal of white space at the ends of text
 *     buffer.h       text and lists that grow
 *
 * A format whose speed does not matter can use host->emit instead.
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
