/* YAML files as trees of nodes that know their place: libyaml's events, and nothing that can make
 * a small file large or a tree a loop. */
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
    bool is_null;      /* a scalar that is empty, "~" or "null", unquoted */
    brz_str text;      /* of a scalar */
    brz_yaml *first;   /* of a list or map: its children */
    brz_yaml *next;    /* beside it */
    brz_yaml *key;     /* of a map's child: a scalar */
    brz_yaml *farther; /* the value that this one replaced when files were merged; or NULL */
    size_t n_children;
    brz_yaml_file *file;
    size_t line, column; /* from 1 */
};

/* Something that was said of a file. */
typedef struct brz_yaml_said {
    size_t line, column;
    brz_str msg;
    struct brz_yaml_said *next;
} brz_yaml_said;

struct brz_yaml_file {
    brz_arena memory;
    char *name; /* as messages call it */
    char *text;
    size_t len;
    brz_yaml *root;                    /* NULL: the file is empty */
    const struct brz_beneath *beneath; /* the folder that its paths may not leave; NULL: any */
    const struct brz_beneath *outputs; /* the folder that its outputs may not leave; NULL: any */
    brz_yaml_said *said;               /* so that it is said once, however often the place is met */
};

/* Larger files, deeper trees and more nodes (those behind aliases counted each time) are refused.
 */
#define BRZ_YAML_MAX_SIZE  ((size_t)4 << 20)
#define BRZ_YAML_MAX_DEPTH 64
#define BRZ_YAML_MAX_NODES 20000

/* Reads a file; NULL after saying what is wrong with it. */
brz_yaml_file *brz_yaml_read(const char *path, brz_console *console);

/* Reads a file that is open, and closes it; `name` is its name in messages. */
brz_yaml_file *brz_yaml_read_open(int fd, const char *name, brz_console *console);

/* The same for text that is there already; `name` is what messages call it. */
brz_yaml_file *brz_yaml_parse(const char *text, size_t len, const char *name, brz_console *console);

/* Frees it with its nodes. NULL is fine. */
void brz_yaml_destroy(brz_yaml_file *f);

/* The value under a key, or NULL; also if `map` is NULL or no map. */
brz_yaml *brz_yaml_get(const brz_yaml *map, const char *key);

/* True if a scalar (or its key, for a map's child) is this word. */
bool brz_yaml_is(const brz_yaml *scalar, const char *word);

/* Says something about a node, with its line and a caret. */
void brz_yaml_say(brz_console *c, int32_t severity, const brz_yaml *node, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Adds to a map what `farther` has and it has not, all the way down. Lists and scalars are not
 * mixed: the nearer one stays and remembers the other one. An empty value does not replace a map.
 * Both are changed; returns the result, either may be NULL. */
brz_yaml *brz_yaml_merge(brz_yaml *nearer, brz_yaml *farther);

#endif
