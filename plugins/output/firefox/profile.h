/* A profile of the Firefox Profiler being written, and its parts. */
#ifndef OUTPUT_FIREFOX_PROFILE_H
#define OUTPUT_FIREFOX_PROFILE_H

#include <brazier/plugin.h>
#include <brazier/symbol.h>
#include <brazier/write.h>

#include "../common/functions.h"
#include "../common/paths.h"
#include "../common/tracks.h"

typedef struct profile {
    brz_writer w;
    brz_output_ctx *ctx;
    brz_str name; /* of the process, unless the input names processes */
    const brz_tree *tree;
    paths paths; /* stack i of the file is path i + 1 */
    functions functions;
    keys modules; /* (build id, module), as texts, in the order in which functions refer to them */
    keys files;   /* texts, likewise */
    tracks tracks;
    bool by_thread; /* the profile has threads or times, which are in `tracks` */
} profile;

/* Writes the tables that all threads share. */
void put_tables(profile *p);

/* Writes the libraries to which the tables refer, which must have been written. */
void put_libraries(profile *p);

/* Writes a thread for each track, or else for each weight. */
void put_threads(profile *p);

/* Writes the description of the profile. */
void put_meta(profile *p);

#endif
