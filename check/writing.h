/* Runs an output on a tree. */
#ifndef BRZ_CHECK_WRITING_H
#define BRZ_CHECK_WRITING_H

#include "check.h"

typedef struct check_writing {
    unsigned newer;   /* see watch.h */
    size_t limit;     /* bytes that the sink accepts before it fails; SIZE_MAX: unlimited */
    uint32_t columns; /* width of the terminal that it writes to */
} check_writing;

typedef struct check_written {
    brz_buf bytes;
    brz_rc rc;
    bool sink_failed;
    size_t colors; /* number of requested colours */
} check_written;

void check_write(check *c, size_t component, const brz_tree *tree, const check_writing *how,
                 check_written *w);
void check_written_finish(check_written *w);

/* Calls `run` for each output and each tree that it may receive, in write-protected arrays. */
void check_for_each_written(check *c, bool usual,
                            void (*run)(check *c, size_t component, const brz_tree *tree,
                                        const char *name));

extern const check_writing check_usual_writing;

#endif
