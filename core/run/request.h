/* A request: everything that the command line, or a program, asks of one run. */
#ifndef BRZ_REQUEST_H
#define BRZ_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

#include "draw/sink.h"
#include "input/progress.h"
#include "input/stream.h"
#include "run/watch.h"
#include "profile/call_tree.h"

/* One option from the command line: --set COMPONENT.OPTION=VALUE, or a flag of the component that a
 * command is about. */
typedef struct brz_setting {
    const char *component;
    const char *option;
    const char *value;
    const char *origin; /* how the user wrote it */
    bool if_there;      /* a run without that component has no use for it, which is no error */
} brz_setting;

#define BRZ_MAX_TRANSFORM_ARGS 64

/* A transform from the command line. */
typedef struct brz_transform_request {
    const char *name;
    const char *args[BRZ_MAX_TRANSFORM_ARGS];
    size_t n_args;
    const char *origin; /* how the user wrote it */
} brz_transform_request;

/* Where an input's bytes come from. */
typedef enum brz_input_kind {
    BRZ_INPUT_FILE, /* or a pipe; "-" is standard input */
    BRZ_INPUT_MEMORY,
    BRZ_INPUT_FUNCTION,
} brz_input_kind;

typedef struct brz_input {
    brz_input_kind kind;
    const char *name;  /* of the file; of other inputs, what messages call it */
    brz_inside inside; /* the place of a file that may not lie anywhere */
    const void *data;  /* in memory */
    size_t len;
    brz_read_fn *read; /* the function */
    void *context;
} brz_input;

typedef struct brz_output_request {
    const char *name;   /* a file, "-" is standard output; for a function: as if for such a file, or
                           NULL */
    const char *format; /* the output's name; NULL: see `to` of the request */
    brz_write_fn *write; /* takes the bytes instead of a file; or NULL */
    void *context;
} brz_output_request;

/* Which of two compared profiles says how wide frames are. */
typedef enum brz_base_on {
    BRZ_BASE_ON_AFTER,
    BRZ_BASE_ON_BEFORE,
    BRZ_BASE_ON_BOTH, /* both together: nothing is lost */
} brz_base_on;

/* What is done so that profiles of different length can be compared. */
typedef enum brz_normalize {
    BRZ_NORMALIZE_NO,
    BRZ_NORMALIZE_YES,   /* the first is scaled to the weight of the second */
    BRZ_NORMALIZE_FLOOR, /* the same, and fractions are cut off */
} brz_normalize;

/* What the command line asks for. Zero and NULL leave a thing to the configuration. */
typedef struct brz_request {
    const char *pipeline; /* its name in the configuration; NULL: "default", if there is one */
    bool no_pipeline;     /* not even that one */
    const brz_input *inputs;
    size_t n_inputs;
    const char *from;        /* the collapser's name, or "guess" */
    bool from_is_usual;      /* nobody chose it: an input clearly in another format is an error */
    const char *palette;     /* names, joined by commas */
    const char *palette_map; /* a file of colours of names, read and written */
    int diffusion;           /* 1: pale narrow frames; -1: do not */
    const brz_output_request *outputs;
    size_t n_outputs;
    const char *to;           /* the output's name, whatever the files' endings */
    const char *otherwise_to; /* for standard output, and for files whose endings no output has;
                                 NULL: svg, and an error */
    const char *weight;
    const brz_setting *settings;
    size_t n_settings;
    const brz_transform_request *transforms;
    size_t n_transforms;
    brz_time_order time;  /* pictures are not merged over time */
    bool allow_empty;     /* an input without samples is no error, and gives an empty output */
    const char *demangle; /* how; the first transform, unless the pipeline has one of its own */
    bool compare;         /* the second input with the first one */
    brz_base_on base_on;
    brz_normalize normalize;
    bool self_deltas;              /* see BRZ_TREE_SELF_DELTAS */
    bool negate;                   /* differences have the other sign in pictures */
    int isolate;                   /* 1: each input is read in a process of its own; -1: none */
    brz_limits limits;             /* 0: the configuration's */
    unsigned threads;              /* 0: as many as there are processors */
    size_t chunk_size, range_size; /* 0: what is fastest */
    bool is_survey;                /* for brz_pipeline_components alone: what is missing, or does
                                      not fit, is no error */
    bool check_stdout;             /* see brz_destination_check */
    bool no_standard_streams;      /* they are not for what nobody gave an input or output */
    bool no_map;                   /* of files, see brz_source */
    brz_progress_fn *progress;     /* or NULL */
    void *progress_context;
} brz_request;

#endif
