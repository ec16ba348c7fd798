/* Unpacks compressed inputs that are plain folded text: see sorted_inputs.h.
 *
 * Some at a time are unpacked, checked and added up into a file without a name, from which they are
 * read like other inputs. Memory for decompressors is therefore limited, for any number of inputs.
 */
#ifndef BRZ_PACKED_INPUTS_H
#define BRZ_PACKED_INPUTS_H

#include "run/sorted_inputs.h"

/* Unpacks the compressed inputs, if any. If inputs are added up, the
 * first one of a group then has the text of all of them. Returns false, without a message, if one
 * of them is not plain folded text or cannot be read or stored, or if the run is to end. */
bool brz_packed_inputs_read(brz_sorted_inputs *s, const brz_execution *x);

#endif
