/* What is done to stacks between the input and the call tree. */
#ifndef BRZ_TRANSFORM_H
#define BRZ_TRANSFORM_H

#include "base/buf.h"
#include "profile/profile.h"

/* A list of steps, done in order. A zeroed one is empty and ready. */
typedef struct brz_transforms {
    struct brz_transform *steps;
    size_t n, cap;
} brz_transforms;

/* What a step needs to be told. */
typedef enum brz_transform_args {
    BRZ_TRANSFORM_NONE,
    BRZ_TRANSFORM_PATTERN, /* an expression */
    BRZ_TRANSFORM_NAMES,   /* one name or several */
    BRZ_TRANSFORM_REPLACE, /* an expression and what matches become */
    BRZ_TRANSFORM_MODE,    /* how to demangle */
} brz_transform_args;

typedef struct brz_transform_kind {
    const char *name;
    const char *help; /* one line */
    brz_transform_args args;
} brz_transform_kind;

/* The kinds there are; NULL behind the last one. */
const brz_transform_kind *brz_transform_kind_at(size_t i);

/* The kind of that name; NULL, with the nearest name added to `error`. */
const brz_transform_kind *brz_transform_find(brz_str name, brz_buf *error);

/* Adds a step. `args`: nothing; an expression; names; or an expression and a replacement. False,
 * with the reason added to `error`, if they are not right. */
bool brz_transforms_add(brz_transforms *t, const brz_transform_kind *kind, const brz_str *args,
                        size_t n_args, brz_buf *error);

/* Adds names to the last step if it is of this kind and takes several; else false. */
bool brz_transforms_extend(brz_transforms *t, const brz_transform_kind *kind, brz_str name);

/* Applies all steps to each stack of the profile and stores how many distinct stacks they left out.
 * Returns false, with a message added to `error` (which is empty before), if an expression hits a
 * limit on a frame's name: it is then unknown which stacks belong in the result, and the profile
 * can only be destroyed. */
bool brz_transforms_apply(const brz_transforms *t, brz_profile *p, size_t *left_out,
                          brz_buf *error);

/* What the i-th step is called. */
const char *brz_transforms_name(const brz_transforms *t, size_t i);

void brz_transforms_finish(brz_transforms *t);

#endif
