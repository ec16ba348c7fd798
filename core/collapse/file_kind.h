/* Files that are no profile, or none that can be read, as they are met where a profile is expected.
 */
#ifndef BRZ_FILE_KIND_H
#define BRZ_FILE_KIND_H

#include <brazier/base.h>

#include "base/buf.h"

/* Appends what a file is that begins so, and what to do with it: "a recording of perf; …". Appends
 * nothing for text, unless it is a picture. */
void brz_file_kind_add(brz_str head, brz_buf *b);

/* True if the beginning of a file is hardly that of a text: it has a magic number, or many control
 * characters, zeros among them. */
bool brz_is_binary(brz_str head);

#endif
