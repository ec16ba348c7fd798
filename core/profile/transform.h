/* SPDX-License-Identifier: MIT */
/* Transforms stacks between the input and the call tree. */
#ifndef BRZ_TRANSFORM_H
#define BRZ_TRANSFORM_H

#include "base/buf.h"
#include "plugin/component_use.h"
#include "profile/profile.h"

/* A list of transforms, applied in order. A zeroed list is empty. */
typedef struct brz_transforms {
    struct brz_transform_step *steps;
    size_t n, cap;
} brz_transforms;

/* The arguments of a transform. */
typedef enum brz_transform_args {
    BRZ_TRANSFORM_NONE,
    BRZ_TRANSFORM_PATTERN, /* a regular expression */
    BRZ_TRANSFORM_NAMES,   /* one or more names */
    BRZ_TRANSFORM_REPLACE, /* a regular expression and a replacement */
    BRZ_TRANSFORM_MODE,    /* a demangling mode */
} brz_transform_args;

typedef struct brz_transform_kind {
    const char *name;
    const char *help; /* one line */
    brz_transform_args args;
} brz_transform_kind;

/* Returns the i-th kind of transform, or NULL after the last one. */
const brz_transform_kind *brz_transform_kind_at(size_t i);

/* Returns the kind with this name. If no kind has it, returns NULL and appends a message with the
 * nearest name to `error`. */
const brz_transform_kind *brz_transform_find(brz_str name, brz_buf *error);

/* Appends a transform. `args` must match the kind. Returns false and appends the reason to `error`
 * if an argument is invalid. */
bool brz_transforms_add(brz_transforms *t, const brz_transform_kind *kind, const brz_str *args,
                        size_t n_args, brz_buf *error);

/* Adds a name to the last transform. Returns false if that has another kind or takes no names. */
bool brz_transforms_extend(brz_transforms *t, const brz_transform_kind *kind, brz_str name);

/* Appends a transform of a plug-in, and owns its options. */
void brz_transforms_add_use(brz_transforms *t, brz_use use);

/* Returns the i-th transform with its options, or NULL for a built-in one. */
const brz_use *brz_transforms_use(const brz_transforms *t, size_t i);

/* Applies the transform of a plug-in to each stack of a profile; sets the frames of those that it
 * leaves out to NULL. Returns false after reporting an error. */
typedef bool brz_use_transform(void *context, const brz_use *use, brz_profile *p);

/* Applies all transforms to each stack of the profile and stores the number of distinct stacks that
 * they removed. Calls `apply_use` for those of plug-ins; it may be NULL if there are none. Returns
 * false if that fails, or after adding a message to `error` (which must be empty) if an expression
 * hits a limit on a frame's name: the result is then undefined, and the profile can only be
 * destroyed. */
bool brz_transforms_apply(const brz_transforms *t, brz_profile *p, brz_use_transform *apply_use,
                          void *context, size_t *left_out, brz_buf *error);

/* Returns the name of the i-th transform. */
const char *brz_transforms_name(const brz_transforms *t, size_t i);

/* Returns whether the i-th transform may leave out stacks. */
bool brz_transforms_may_leave_out(const brz_transforms *t, size_t i);

/* Sets where the last transform was written, such as "FILE:LINE". The text must outlive the list.
 */
void brz_transforms_set_origin(brz_transforms *t, const char *origin);

/* Returns that of the i-th transform, or NULL. */
const char *brz_transforms_origin(const brz_transforms *t, size_t i);

/* Appends the i-th transform with its arguments, as a configuration has it in a list. */
void brz_transforms_add_yaml(const brz_transforms *t, size_t i, brz_buf *b);

void brz_transforms_finish(brz_transforms *t);

#endif
