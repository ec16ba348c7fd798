/* SPDX-License-Identifier: MIT */
/* A request: all settings of the command line, or of a program, for one run. */
#ifndef BRZ_REQUEST_H
#define BRZ_REQUEST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "draw/render.h"
#include "input/input.h"
#include "input/progress.h"
#include "request/limits.h"
#include "report/quality.h"
#include "profile/detail.h"

/* An option from the command line: --set COMPONENT.OPTION=VALUE, or an option of a command's
 * component. */
typedef struct brz_setting {
    const char *component;
    const char *option;
    const char *value;
    const char *origin; /* text as the user wrote it */
    bool if_there;      /* ignored if the run does not have the component */
    bool for_guessed;   /* one of several with the same origin: the format that is guessed must have
                           one of them */
} brz_setting;

#define BRZ_MAX_TRANSFORM_ARGS 64

/* The option that adds the transform of a plug-in, whose name is its argument. */
#define BRZ_TRANSFORM_OPTION "transform"

/* A transform from the command line. */
typedef struct brz_transform_request {
    const char *name;
    const char *args[BRZ_MAX_TRANSFORM_ARGS];
    size_t n_args;
    const char *origin; /* text as the user wrote it */
} brz_transform_request;

typedef struct brz_output_request {
    const char *name;    /* a file; "-" is standard output; a name for a function, or NULL */
    const char *format;  /* name of the output; NULL: see `to` of the request */
    brz_write_fn *write; /* receives the bytes instead of a file; or NULL */
    void *context;
    const brz_loaded *own; /* an output of the program, which no plug-in has; or NULL */
    const void *own_cfg;   /* what it gets in place of options; NULL: these */
} brz_output_request;

/* The profile of a comparison that determines the widths of frames. */
typedef enum brz_base_on {
    BRZ_BASE_ON_AFTER,
    BRZ_BASE_ON_BEFORE,
    BRZ_BASE_ON_BOTH, /* the sum of both, which omits nothing */
} brz_base_on;

/* Scaling for comparing profiles of different length. */
typedef enum brz_normalize {
    BRZ_NORMALIZE_NO,
    BRZ_NORMALIZE_YES,   /* scale the first profile to the weight of the second */
    BRZ_NORMALIZE_FLOOR, /* the same, rounding down */
} brz_normalize;

/* The form of the report about thresholds. */
typedef enum brz_fail_report {
    BRZ_FAIL_REPORT_TEXT, /* a table */
    BRZ_FAIL_REPORT_JSON, /* a line of its own */
} brz_fail_report;

/* The request. Zero and NULL leave a setting to the configuration. Members that are options have a
 * row in request/run_option.c. Initialise it with zeros. */
typedef struct brz_request {
    const char *pipeline; /* name in the configuration; NULL: "default", if it exists */
    bool no_pipeline;     /* do not use the default pipeline */
    brz_input *inputs;
    size_t n_inputs, inputs_cap;
    const char *from;           /* name of the collapser, or "guess" */
    const char *otherwise_from; /* the same if `from` is NULL: another format is then an error */
    const char *palette;        /* names separated by commas */
    const char *palette_map;    /* file of fixed colours, read and written */
    int diffusion;              /* 1: make narrow frames paler; -1: do not */
    brz_output_request *outputs;
    size_t n_outputs, outputs_cap;
    const char *to;           /* name of the output, regardless of file endings */
    const char *otherwise_to; /* for stdout and unknown endings; NULL: the default, or an error */
    const char *otherwise_weight; /* shown without `weight`, if the input has it; or NULL */
    const char *weight;
    brz_setting *settings;
    size_t n_settings, settings_cap;
    brz_transform_request *transforms;
    size_t n_transforms, transforms_cap;
    brz_drawing drawing;
    bool allow_empty;       /* an input without samples gives an empty output instead of an error */
    brz_detail detail;      /* the attributes by which frames are distinguished */
    const char *group_by;   /* parts of tags that become root frames, separated by commas */
    const char *only;       /* PART=REGEX: the samples to keep */
    const char *time_range; /* FROM..TO: the samples to keep */
    const char *before_range, *after_range; /* FROM..TO: the samples of the sides to compare */
    const char *labels;   /* KEY=TEMPLATE in lines: labels of each input's samples */
    const char *split_by; /* part of tags; each value has outputs of its own */
    const char *demangle; /* mode of the first transform, unless the pipeline has its own */
    bool compare;         /* compare the second input with the first */
    brz_base_on base_on;
    brz_normalize normalize;
    bool in_place;                 /* an output may replace an input if brazier reads its format */
    bool keep_going;               /* leave out inputs that cannot be read or added */
    const char *fail_if;           /* lines with thresholds, see report/threshold.h; NULL: none */
    bool fail_unmatched;           /* a threshold that matches no function is exceeded */
    brz_fail_report fail_report;   /* form of the report about them */
    brz_quality quality;           /* form of the report about the profile's quality */
    int isolate;                   /* 1: read each input in a separate process; -1: do not */
    brz_limits limits;             /* 0: those of the configuration */
    int cache;                     /* -1: keep nothing for later runs */
    size_t threads;                /* 0: number of processors */
    const char *sysroot;           /* folder with the files that an input names; NULL: none */
    size_t chunk_size, range_size; /* 0: the fastest sizes */
    bool is_survey;                /* for brz_pipeline_components(): ignore errors */
    bool check_stdout;             /* see brz_pipeline_check_destinations() */
    bool no_standard_streams;      /* do not use standard streams by default */
    bool no_map;                   /* read files instead of mapping them, see brz_source */
    brz_progress_fn *progress;     /* or NULL */
    void *progress_context;
    const struct brz_watch *watch; /* looks at the profile while it is read, or NULL */
    brz_arena texts;               /* texts that the request owns */
} brz_request;

/* Adds an element to a list of the request. Its texts must outlive the request. */
void brz_request_add_input(brz_request *r, brz_input input);
void brz_request_add_output(brz_request *r, brz_output_request output);
void brz_request_add_transform(brz_request *r, const brz_transform_request *transform);

/* Adds the setting of `option`, which is COMPONENT.OPTION; with '?' in front, a run without the
 * component ignores it. Copies the texts. Returns false if the option has not this form. */
bool brz_request_set_component(brz_request *r, brz_str option, const char *value,
                               const char *origin);

/* Returns a copy of a text that lives as long as the request; NULL for NULL. */
const char *brz_request_keep(brz_request *r, const char *text);

/* Returns the name of the collapser, or NULL if the request leaves it to the configuration. */
const char *brz_request_from(const brz_request *r);

/* Returns true if that name is a default, so that an input in another format is an error. */
bool brz_request_from_is_default(const brz_request *r);

/* Returns the number of threads that the run may use. */
unsigned brz_request_threads(const brz_request *r);

/* Frees the lists and texts. */
void brz_request_finish(brz_request *r);

#endif
