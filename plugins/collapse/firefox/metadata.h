/* States when, where and how a profile of the Firefox Profiler was recorded. */
#ifndef FIREFOX_METADATA_H
#define FIREFOX_METADATA_H

#include "document.h"

/* Tells the host what "meta" says. Recognises files that brazier wrote. */
void metadata_read(firefox *f, brz_ctx *ctx);

#endif
