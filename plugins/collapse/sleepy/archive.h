/* Reads members of zip archives. */
#ifndef SLEEPY_ARCHIVE_H
#define SLEEPY_ARCHIVE_H

#include <brazier/binary.h>
#include <brazier/collapser.h>

/* Returns the text of a member, which lives as long as the instance. Returns an empty text without
 * data, after a report that names the member, if the archive has none of this name or it is
 * damaged. */
brz_str archive_read(brz_ctx *ctx, const brz_chunk *chunk, brz_str name);

/* Reports that the input is more than one archive, of which only one is read: the position that the
 * last one states for its directory is not its own. */
void archive_check(brz_ctx *ctx, const brz_chunk *chunk);

#endif
