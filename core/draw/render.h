/* SPDX-License-Identifier: MIT */
/* Renders a profile with the outputs of a run. */
#ifndef BRZ_RENDER_H
#define BRZ_RENDER_H

#include "base/beneath.h"
#include "draw/palette_chain.h"
#include "draw/palette_map.h"
#include "draw/sink.h"
#include "profile/call_tree.h"
#include "base/run.h"

#include <brazier/draft/update.h>

/* An output of a run: the component, its palettes and its destination. */
typedef struct brz_output_use {
    brz_use use;
    brz_chain palettes;        /* empty for outputs without colours */
    bool palettes_are_default; /* the palettes are the default */
    bool diffusion;
    bool is_sent;        /* the command line names the destination */
    bool is_default;     /* the format is the default */
    const char *origin;  /* where the configuration has it, "FILE:LINE"; NULL: nowhere */
    char *to;            /* a file, "-" for standard output, or a name for messages */
    brz_inside inside;   /* location of a file that must lie below some folder */
    bool makes_folder;   /* missing folders on the way to an unrestricted file are created */
    brz_write_fn *write; /* receives the bytes instead of a file */
    void *context;
    const brz_updater *updater; /* can change a file in place; NULL: nothing can */
    bool updates;               /* the file `to` is changed in place, not written as a new one */
    const void *cfg;            /* what the output gets in place of options; NULL: these */
} brz_output_use;

/* The weights that a comparison subtracts from each other. */
typedef enum brz_deltas {
    BRZ_DELTAS_TOTAL, /* those of a frame and of the functions that it calls */
    BRZ_DELTAS_SELF,  /* those of the frame itself; sets BRZ_TREE_SELF_DELTAS */
} brz_deltas;

/* Options of a run that only the outputs depend on. */
typedef struct brz_drawing {
    brz_time_order time; /* order of nodes in pictures */
    brz_deltas deltas;
    bool negate; /* pictures show differences with the opposite sign */
} brz_drawing;

/* The data that outputs show. */
typedef struct brz_subject {
    uint32_t weight;        /* column that determines widths */
    uint32_t color_weight;  /* column by which colours of frames are chosen */
    uint32_t before, after; /* columns of a comparison, or BRZ_NO_COLUMN */
    bool is_signed;         /* a weight has negative values: widths in pictures are sizes */
    brz_drawing drawing;
    brz_str source;               /* names of the files that are shown; empty: unknown */
    brz_palette_map *palette_map; /* fixed colours of names, or NULL */
} brz_subject;

/* Returns the options of the call tree that an output's flags require, for the first column. */
brz_call_tree_options brz_render_tree_options(const brz_output *o);

/* Writes each output to the sink with the same index, which is NULL if it changes a file. Outputs
 * that need the same call tree share it. Returns false after reporting an error. */
bool brz_render(brz_profile *profile, const brz_subject *subject, const brz_output_use *outputs,
                size_t n, brz_file_sink *const *sinks, brz_run *run);

/* Does the same with a call tree that all outputs can use. */
bool brz_render_tree(const brz_tree *tree, const brz_subject *subject,
                     const brz_output_use *outputs, size_t n, brz_file_sink *const *sinks,
                     brz_run *run);

#endif
