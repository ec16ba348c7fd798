/* SPDX-License-Identifier: MIT */
/* Divides the name of a function as profilers print it: namespaces or packages, the function's own
 * name, its arguments, its place in a file.
 *
 *     void v8::internal::Heap::Collect<int>(int) const     own: Collect
 *     <alloc::vec::Vec<T> as core::Clone>::clone           own: clone
 *     org.apache.spark.Task.run                            own: run
 *     github.com/a/b/pkg.(*Server).Serve.func1             own: Serve
 *     load (app/models.py:12)                              own: load, place: app/models.py:12
 *     models.py:12 - load                                  own: load, line_end: after " - "
 *     LazyCompile:*visit /app/lib/parse.js:3:14            own: visit, place:
 * /app/lib/parse.js:3:14 /usr/lib/libc.so.6                                   own: libc.so.6
 *
 * output/common/viewer/names.js divides names in the same way; a test compares the two.
 */
#ifndef COMMON_NAMES_NAME_PARTS_H
#define COMMON_NAMES_NAME_PARTS_H

#include <brazier/base.h>

/* A part of a name, as offsets; empty if `from` equals `to`. */
typedef struct name_range {
    size_t from, to;
} name_range;

typedef struct name_parts {
    size_t function_end; /* the function's part begins at 0; the place follows */
    size_t line_end;     /* end of a file and a line in front of the function: "a.rs:9 - f" */
    size_t qualified;    /* beginning of the qualified name, after a return type */
    name_range own;      /* the function's own name; lies within its part */
    name_range place;    /* file and line, without the parentheses or blank around them */
} name_parts;

name_parts name_parts_of(brz_str name);

/* Reads a name piece by piece: groups of brackets, separators, other characters. */
typedef struct name_reader {
    brz_str text;
    size_t at, end;
    bool is_unbalanced; /* a bracket was not closed: the ones after it are ordinary characters */
} name_reader;

/* Returns the end of the group of brackets at the reader's position, or the position itself if none
 * begins there. Time is linear in the name for all calls together. */
size_t name_group_end(name_reader *r);

/* Returns the length of the separator of namespaces or packages at the reader's position, or 0. */
size_t name_separator(const name_reader *r);

/* Returns the package of a function: its crate, namespace, package, or the folder of its file; an
 * empty text if the name has none. */
brz_str name_package(brz_str name);

/* Returns the package of a function of Go, whose types may have lower-case names: "net/http" for
 * net/http.body.Read. */
brz_str name_package_of_go(brz_str name);

/* Returns the package of a file: that of npm, Node's internals, or its folder. */
brz_str name_package_of_file(brz_str file);

#endif
