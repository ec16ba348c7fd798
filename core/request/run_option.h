/* SPDX-License-Identifier: MIT */
/* The options of a run.
 *
 * Each option is a row of one table. The command line, the keys of pipelines in configurations,
 * libbrazier, --help, the JSON Schema and the reference are derived from the rows.
 */
#ifndef BRZ_RUN_OPTION_H
#define BRZ_RUN_OPTION_H

#include "base/buf.h"
#include "request/request.h"

/* The type of an option, which determines how its value is parsed and where it is stored. */
typedef enum brz_run_type {
    BRZ_RUN_FLAG,      /* a bool */
    BRZ_RUN_SWITCH,    /* an int: 1 for true, -1 for false, 0 if it is not set */
    BRZ_RUN_TEXT,      /* a const char * */
    BRZ_RUN_COUNT,     /* a size_t between `least` and `most` */
    BRZ_RUN_SIZE,      /* a uint64_t of bytes */
    BRZ_RUN_DURATION,  /* a uint64_t of nanoseconds */
    BRZ_RUN_CHOICE,    /* an enumeration whose values are the indexes of `words` */
    BRZ_RUN_OUTPUT,    /* adds an output file */
    BRZ_RUN_SETTING,   /* adds a setting of a component */
    BRZ_RUN_TRANSFORM, /* adds the transform of the option's name */
    BRZ_RUN_SHORT,     /* sets other options, see `sets` */
} brz_run_type;

/* Properties of an option. An option with a section is an option of the commands that have the
 * section; libbrazier takes all options. */
enum {
    BRZ_RUN_ABOUT_OUTPUT = 1,
    BRZ_RUN_ABOUT_INPUT = 2,
    BRZ_RUN_ABOUT_DIFF = 4, /* two profiles are compared */
    BRZ_RUN_ABOUT_COMPARISON = 8,
    BRZ_RUN_ABOUT_TRANSFORMS = 16,
    BRZ_RUN_ABOUT_SUM = 1024, /* several inputs are added up */
    BRZ_RUN_SECTIONS = 31 | BRZ_RUN_ABOUT_SUM,
    BRZ_RUN_HIDDEN = 32,   /* --help does not list the option */
    BRZ_RUN_KEY = 64,      /* pipelines of a configuration have a key of this name */
    BRZ_RUN_GUARD = 128,   /* a configuration that was found may only tighten the key */
    BRZ_RUN_CHOOSES = 256, /* the option decides which components a run uses, or how they load */
    BRZ_RUN_PAIR = 2048,   /* of a TEXT: a value without '=' is that of an option of a component */
    BRZ_RUN_ADDS = 512,    /* of a TEXT: further values are added as lines; a key may be a list */
    BRZ_RUN_IS_ON = 4096,  /* of a SWITCH: it is on by default */
    BRZ_RUN_PLAIN = 8192   /* a run with the option may do without a profile: see plain_most, too */
};

typedef struct brz_run_option {
    const char *name;             /* without dashes, such as "max-memory" */
    char letter;                  /* short option of the command line, or 0 */
    brz_run_type type;            /* determines the members below that are used */
    unsigned flags;               /* BRZ_RUN_ABOUT_OUTPUT and others */
    size_t member;                /* offset in brz_request */
    const char *value;            /* name of the value in help; NULL: the option stands alone */
    const char *takes;            /* valid values, for messages; NULL: the type describes them */
    const char *help;             /* one line; NULL for a transform: see brz_run_option_help() */
    const char *dflt;             /* default in words, or NULL */
    const char *off;              /* of a SWITCH: the word that sets it to false, "no-isolate" */
    const char *alone;            /* value of an option that stands alone; NULL: "true" */
    size_t least, most;           /* of a COUNT */
    int plain_most;               /* of a CHOICE or SWITCH without BRZ_RUN_PLAIN: values up to this
                                     one are plain */
    const char *const *words;     /* of a CHOICE, NULL-terminated */
    const char *const (*sets)[2]; /* of a SHORT: names and values, NULL-terminated */
} brz_run_option;

/* Returns the i-th option, or NULL after the last one. */
const brz_run_option *brz_run_option_at(size_t i);

/* Returns the option with this name, or NULL. */
const brz_run_option *brz_run_option_find(brz_str name);

/* Returns the one-line description. */
const char *brz_run_option_help(const brz_run_option *o);

/* Sets an option of a request. `value` may be NULL for an option that stands alone. `origin` is the
 * option as the user wrote it, for messages. Both must outlive the request. Returns false and
 * appends the reason to `error`, unless that is NULL, if the value is invalid. */
bool brz_run_option_set(const brz_run_option *o, brz_request *r, const char *value,
                        const char *origin, brz_buf *error);

/* Appends a description of the valid values, such as "true or false". */
void brz_run_option_add_values(const brz_run_option *o, brz_buf *b);

/* Returns true if the request sets the option. Options that add something to a list are never
 * set. */
bool brz_run_option_is_set(const brz_run_option *o, const brz_request *r);

/* Returns whether a run with these options may add up, compare or draw sorted inputs without making
 * a profile. An option prevents that if it is set, unless its row says otherwise; settings and
 * transforms, which are lists, are not examined. */
bool brz_run_options_are_plain(const brz_request *r);

/* Copies the value of an option from one request to another one, which may share its texts. */
void brz_run_option_copy(const brz_run_option *o, brz_request *to, const brz_request *from);

/* Returns true if `value` permits more than `than`. Both are values of an option that is a guard,
 * which isolates or limits a run. */
bool brz_run_option_is_looser(const brz_run_option *o, const brz_request *value,
                              const brz_request *than);

/* Appends the value of an option that is set, as YAML. */
void brz_run_option_add_yaml(const brz_run_option *o, const brz_request *r, brz_buf *b);

#endif
