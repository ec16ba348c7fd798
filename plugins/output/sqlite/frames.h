/* SPDX-License-Identifier: MIT */
/* The frames and stacks of a profile in a database, which all profiles there share. */
#ifndef SQLITE_FRAMES_H
#define SQLITE_FRAMES_H

#include "database.h"
#include "stack_tree.h"

/* The stacks of a profile with their ids in the database. */
typedef struct stack_rows {
    stack_tree tree;
    int64_t *ids; /* by path: its stack_id */
} stack_rows;

/* Adds the frames and stacks that the database lacks, and finds the others. Without `may_exist`,
 * it has no stacks. Returns false after reporting an error. The memory belongs to the instance. */
bool stack_rows_add(stack_rows *r, database *d, const brz_tree *tree, bool may_exist);

#endif
