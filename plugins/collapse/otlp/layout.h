/* SPDX-License-Identifier: MIT */
/* Recognises messages of OpenTelemetry's profiles in Protocol Buffers, and the version of their
 * definition. */
#ifndef OTLP_LAYOUT_H
#define OTLP_LAYOUT_H

#include "fields.h"

/* Finds the layout of a message of data. Returns false if the data contain the experimental
 * messages before LAYOUT_PROFILE, which wrap each profile in another message and are not read. */
bool layout_find(document *d, brz_str data);

/* Returns how likely the beginning of an input is such a message: a score of brz_collapser.sniff.
 */
int32_t layout_sniff(brz_bytes head);

/* Takes a message with its length, of 4 bytes, from the front, as the collector's files have it.
 * Returns false if the text does not begin with such a length. */
bool layout_take_framed(brz_str *text, brz_str *message);

#endif
