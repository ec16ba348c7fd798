/* SPDX-License-Identifier: MIT */
/* Buffers with the readable bytes on both sides that collapsers rely on. */
#ifndef BRZ_SLACK_H
#define BRZ_SLACK_H

#include <brazier/collapser.h>

/* Allocates a buffer of `cap` uninitialised bytes, which begin at offset BRZ_SLACK_FRONT, with
 * zeroed slack on both sides. Release it with free(). */
uint8_t *brz_slack_buffer(size_t cap);

/* Allocates a buffer in a large page, which costs a single page fault, for an input that fills much
 * of it. *cap receives the number of bytes between the slack. Release it with free(). */
uint8_t *brz_slack_large_buffer(size_t *cap);

/* Zeroes the slack after the first `n` bytes of a buffer, of which the others are not used now. */
void brz_slack_clear(uint8_t *buffer, size_t n);

#endif
