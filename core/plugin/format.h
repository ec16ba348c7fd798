/* SPDX-License-Identifier: MIT */
/* Formats that configurations define: a collapser of a plug-in with options, under a name of its
 * own.
 *
 * Such a format is a component of the registry like any other: it has an id, a summary and the
 * options of its collapser. The registry does not know configurations; it gets formats from a
 * source. Formats of the project and of the user replace plug-ins of the same id, and plug-ins
 * replace shipped formats.
 */
#ifndef BRZ_FORMAT_H
#define BRZ_FORMAT_H

#include "base/suggest.h"
#include "base/yaml_tree.h"
#include "plugin/loaded.h"

/* Limit on how many formats use each other. */
#define BRZ_FORMAT_DEPTH 8

/* A list of texts that ends with NULL. */
typedef const char *const *brz_text_list;

/* The owners of formats. */
typedef enum brz_format_owner {
    BRZ_FORMAT_NEAR,    /* the project and the user */
    BRZ_FORMAT_SHIPPED, /* installed with the program */
} brz_format_owner;

typedef struct brz_format {
    brz_format_owner owner;
    const brz_loaded *base;     /* the collapser, which may be a format, too */
    const brz_yaml *definition; /* the map with `use` and `options` */
    brz_text_list files;        /* patterns of names of files, or NULL */
    brz_text_list contains;     /* a file of the format has one of these near its beginning; NULL:
                               nothing is known about that */
    const void *cfg;            /* the collapser's options for guessing; NULL: not guessed */
} brz_format;

/* Receives a format that a source has made. */
typedef void brz_format_fn(void *to, const brz_loaded *format);

/* Tests whether an input may be in a format, by texts of which such an input contains one. */
typedef struct brz_format_test {
    bool (*holds)(const void *context, brz_text_list contains);
    const void *context;
} brz_format_test;

typedef struct brz_format_source {
    void *context;
    /* Returns the format with this name, or NULL if no definition has it. If that has a mistake,
     * reports that, sets *is_wrong and returns NULL. */
    const brz_loaded *(*find)(void *context, brz_format_owner owner, brz_str name, bool *is_wrong);
    /* Makes the formats of an owner that pass the test, which may be NULL, or those near that have
     * no such texts. Gives those without mistakes to `take`, and warns of the others. */
    void (*load)(void *context, brz_format_owner owner, const brz_format_test *test,
                 brz_format_fn *take, void *to);
    /* Offers the names of all formats. */
    void (*suggest)(void *context, brz_suggestion *to);
} brz_format_source;

/* The plug-in of formats in lists and in names such as "rprof@formats". */
#define BRZ_FORMATS_PLUGIN "formats"

/* Returns the component of a plug-in that a component is, or that its definition comes down to. */
static inline const brz_loaded *brz_loaded_plain(const brz_loaded *l)
{
    while (l->format != NULL)
        l = l->format->base;
    return l;
}

#endif
