/* SPDX-License-Identifier: MIT */
/* Reads YAML files as trees of nodes with positions. Uses libyaml's events and rejects constructs
 * that expand a small file to a large tree or create cycles. */
#ifndef BRZ_YAML_TREE_H
#define BRZ_YAML_TREE_H

#include "base/diag.h"

typedef enum brz_yaml_type {
    BRZ_YAML_SCALAR,
    BRZ_YAML_LIST,
    BRZ_YAML_MAP,
} brz_yaml_type;

typedef struct brz_yaml brz_yaml;
typedef struct brz_yaml_file brz_yaml_file;

struct brz_yaml {
    brz_yaml_type type;
    bool is_null;      /* an empty scalar, or "~" or "null" without quotes */
    brz_str text;      /* text of a scalar */
    brz_yaml *first;   /* first child of a list or map */
    brz_yaml *next;    /* next sibling */
    brz_yaml *key;     /* key, a scalar, of a map's child */
    brz_yaml *farther; /* the value that this one replaced when files were merged, or NULL */
    size_t n_children;
    brz_yaml_file *file;
    size_t line, column; /* from 1 */
};

/* A message that was reported for a position. */
typedef struct brz_yaml_said {
    size_t line, column;
    brz_str msg;
    struct brz_yaml_said *next;
} brz_yaml_said;

struct brz_yaml_file {
    brz_arena memory;
    char *name; /* name in messages */
    char *text;
    size_t len;
    brz_yaml *root;                    /* NULL: the file is empty */
    const struct brz_beneath *beneath; /* folder that its paths must not leave, or NULL */
    const struct brz_beneath *outputs; /* folder that its outputs must not leave, or NULL */
    brz_yaml_said *said;               /* messages already reported, so that none is repeated */
};

/* Limits on file size, depth and number of nodes (the nodes of an alias count each time). */
#define BRZ_YAML_MAX_SIZE  ((size_t)4 << 20)
#define BRZ_YAML_MAX_DEPTH 64
#define BRZ_YAML_MAX_NODES 20000

/* Reads a file, or standard input for "-". Returns NULL after reporting an error. */
brz_yaml_file *brz_yaml_read(const char *path, brz_console *console);

/* Reads and closes an open file; `name` is its name in messages. */
brz_yaml_file *brz_yaml_read_open(int fd, const char *name, brz_console *console);

/* Parses text; `name` is its name in messages. */
brz_yaml_file *brz_yaml_parse(const char *text, size_t len, const char *name, brz_console *console);

/* Destroys a file with its nodes; NULL is allowed. */
void brz_yaml_destroy(brz_yaml_file *f);

/* Returns the value of a key; NULL if `map` lacks the key, is not a map, or is NULL. */
brz_yaml *brz_yaml_get(const brz_yaml *map, const char *key);

/* Returns whether a node is a scalar with this text; NULL is allowed. */
bool brz_yaml_is(const brz_yaml *scalar, const char *word);

/* Reports a message about a node, with its line and a caret. */
void brz_yaml_say(brz_console *c, int32_t severity, const brz_yaml *node, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Returns the place of a node, "FILE:LINE", in the arena. */
const char *brz_yaml_origin(const brz_yaml *node, brz_arena *texts);

/* Merges two trees: adds keys that only `farther` has to a map, recursively. Lists and scalars are
 * not combined: the nearer value wins and remembers the other one. An empty value does not replace
 * a map. Changes both trees and returns the result; either may be NULL. */
brz_yaml *brz_yaml_merge(brz_yaml *nearer, brz_yaml *farther);

#endif
