/* SPDX-License-Identifier: MIT */
/* libbrazier: converts profiles of many formats into flame graphs from within a program.
 *
 *     brazier_session *s;
 *     brazier_session_open(NULL, &s);
 *     brazier_pipeline *p = brazier_pipeline_create(s, NULL);
 *     brazier_pipeline_add_input_file(p, "perf.txt");
 *     brazier_pipeline_add_output_file(p, NULL, "flame.svg");
 *     brazier_status status = brazier_pipeline_run(p);
 *     brazier_pipeline_destroy(p);
 *     brazier_session_close(s);
 *
 * A session holds the plug-ins and the configuration, and collects diagnostics: errors and warnings
 * are data. A pipeline describes the inputs, how to read them, and the outputs.
 *
 * General rules:
 *
 * - The library prints nothing, installs no signal handlers, never calls exit(), and changes
 *   nothing about the process, except for the functions at the end, which exist for these purposes.
 *   (Third-party plug-ins are not restricted: see BRAZIER_SHIPPED_ONLY.)
 * - A session and its pipelines may be used by one thread at a time. Different threads may use
 *   different sessions concurrently. Only brazier_pipeline_cancel() may be called from anywhere.
 *   Running pipelines have their own threads, on which no signals are delivered.
 * - A function of the program that is passed to a session or pipeline may be called on any thread,
 *   but never twice concurrently; two such functions may be called concurrently. It must return,
 *   and must not call any function for the same session except brazier_pipeline_cancel() and
 *   brazier_diagnostic_text(). During the call, numbers have a decimal point as in the locale "C",
 *   regardless of the program's LC_NUMERIC.
 * - Texts are UTF-8, terminated by a zero byte. Functions copy the texts and lists passed to them
 *   unless documented otherwise; what they return belongs to the library.
 * - Structs begin with their size in bytes, which the creator of the struct sets, so that later
 *   versions can add members. Members that this library does not know must be zero; members that
 *   the program does not know count as zero. Members called `reserved` must be 0.
 * - The process is aborted when memory is exhausted: see brazier_on_out_of_memory().
 */
#ifndef BRAZIER_H
#define BRAZIER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define BRAZIER_API __attribute__((visibility("default")))
#else
#define BRAZIER_API
#endif

/* The version of this header. */
#define BRAZIER_VERSION_MAJOR 0
#define BRAZIER_VERSION_MINOR 1

/* Returns the version of the library, such as "0.1.0". The text is static. */
BRAZIER_API const char *brazier_version(void);

/* The result of an operation. The session's diagnostics contain the reasons of failures. */
typedef enum brazier_status {
    BRAZIER_OK = 0,
    BRAZIER_MISUSED = 1,   /* invalid request: unknown format, bad value */
    BRAZIER_FAILED = 2,    /* failure: unreadable file, no samples */
    BRAZIER_CANCELLED = 3, /* cancelled by the program */
    BRAZIER_PARTLY = 4,    /* completed without inputs that could not be read in isolation */
    BRAZIER_EXCEEDED = 5,  /* completed; a threshold of the option "fail-if" is exceeded */
} brazier_status;

typedef struct brazier_session brazier_session;
typedef struct brazier_pipeline brazier_pipeline;

/* ---- diagnostics --------------------------------------------------------------------------- */

#define BRAZIER_ERROR   0 /* the operation failed */
#define BRAZIER_WARNING 1 /* the operation succeeded, but data was left out or looks wrong */
#define BRAZIER_NOTE    2 /* useful information */
#define BRAZIER_DEBUG   3 /* details for debugging */

/* A message for the user. Its texts are safe to print on a terminal: control characters and invalid
 * UTF-8 from inputs are escaped ("\x1b"). Unknown texts are NULL, unknown numbers are 0. */
typedef struct brazier_diagnostic {
    uint32_t struct_size;
    int32_t severity;      /* BRAZIER_ERROR and others */
    const char *code;      /* identifies the cause, such as "perf.stack-line"; NULL: no code */
    const char *component; /* origin, such as "collapse.perf"; NULL: brazier itself */
    const char *input;     /* file, or the name that the program gave its input */
    uint64_t line, column; /* position in the input, from 1; columns count bytes */
    uint64_t count;        /* number of occurrences; for numbered ones, of all with this code */
    /* Number of this occurrence among those with this code, from 1. Only the first ones are
     * reported; `count` includes the rest. */
    uint64_t nth;
    const char *message;  /* one line without a full stop; never NULL */
    const char *excerpt;  /* part of the line concerned */
    size_t caret, length; /* position and length in the excerpt, in bytes */
    uint64_t kept;        /* number of reported occurrences with this code: the last `nth` */
    uint64_t byte;        /* position in a binary input, from 1, instead of line and column */
    /* In the summary of a run, "host.left-out"; otherwise 0. The number of samples or rows missing
     * from the result, the number of these with a known weight, and the sum of these weights, in
     * units of 10^-decimals of the input's first weight. */
    uint64_t records, weighed;
    int64_t weight;
    uint32_t decimals;
} brazier_diagnostic;

/* Receives a diagnostic, which is valid only during the call. */
typedef void brazier_diagnostic_fn(void *context, const brazier_diagnostic *diagnostic);

/* Formats a diagnostic as the program brazier prints it: "perf.txt:3:1: warning: ...", the line
 * with a caret below the position, and the number of occurrences, each line with a newline. Adds
 * terminal colours if `color` is not 0. `verbosity` is that of the session; if it is less than 1,
 * only the first of several diagnostics with one code produces text.
 *
 * Like snprintf(), writes at most `size` bytes including the terminator, or nothing if `size` is 0,
 * and returns the length of the complete text without the terminator. May be called on any thread.
 */
BRAZIER_API size_t brazier_diagnostic_text(const brazier_diagnostic *diagnostic, int verbosity,
                                           int color, char *to, size_t size);

/* ---- sessions ------------------------------------------------------------------------------ */

/* Searches for the project's configuration (.brazier.yaml, from the working directory upwards) and
 * the user's, as the program brazier does. Without it, only the shipped configuration applies. */
#define BRAZIER_FIND_CONFIG 1u
/* Trusts a project's configuration that was found like one that was named. Without it, such a file
 * loads no plug-ins, reads and writes only below its own folder, and cannot weaken the user's
 * settings for isolation (docs/security.md). */
#define BRAZIER_TRUST_CONFIG 2u
/* Uses only the plug-ins that came with the library, and ignores those of the user, of
 * $BRAZIER_PLUGIN_PATH and of configurations. */
#define BRAZIER_SHIPPED_ONLY 4u
/* Restricts `config_file` like a configuration that was found. BRAZIER_TRUST_CONFIG takes
 * precedence. */
#define BRAZIER_DISTRUST_CONFIG 8u
/* Opens the session although the configuration has keys or sections that are wrong. They are
 * reported, for a program that checks configurations and reports all mistakes. */
#define BRAZIER_KEEP_MISTAKES 16u

typedef struct brazier_session_options {
    uint32_t struct_size;
    uint32_t flags; /* BRAZIER_FIND_CONFIG and others */
    /* -1: errors only; 0: also warnings and notes; 1: also decisions; 2: also debugging details. */
    int32_t verbosity;
    uint32_t reserved;       /* 0 */
    const char *config_file; /* configuration that replaces the project's; or NULL */
    /* Configuration as YAML text instead of a file; its paths are relative to the working
     * directory; or NULL. */
    const char *config_text;
    const char *const *plugin_files; /* plug-ins to use, in order */
    size_t n_plugin_files;
    const char *const *plugin_dirs; /* folders to search for plug-ins before all others */
    size_t n_plugin_dirs;
    /* Receives each diagnostic when it is found. NULL: diagnostics are kept, see
     * brazier_session_diagnostic(). */
    brazier_diagnostic_fn *on_diagnostic;
    void *context; /* argument of on_diagnostic */
} brazier_session_options;

/* Opens a session. `options` may be NULL, which stands for all zero. Always stores a session in
 * *session, for its diagnostics, which must be closed. Returns BRAZIER_FAILED if a configuration
 * cannot be read or is invalid; such a session cannot be used further. Returns BRAZIER_MISUSED if
 * the options are those of a newer library and request something that this one does not support. */
BRAZIER_API brazier_status brazier_session_open(const brazier_session_options *options,
                                                brazier_session **session);

/* Closes a session; NULL is allowed. All its pipelines must have been destroyed. Plug-ins stay
 * loaded. */
BRAZIER_API void brazier_session_close(brazier_session *session);

/* Returns the i-th diagnostic of a session, or NULL after the last one. They are counted from 0, in
 * the order in which they were reported, and again from 0 after
 * brazier_session_forget_diagnostics(), which also ends the validity of the result.
 * After a thousand diagnostics, only errors are kept. A session with on_diagnostic keeps
 * none. */
BRAZIER_API const brazier_diagnostic *brazier_session_diagnostic(const brazier_session *session,
                                                                 size_t i);

/* Removes all diagnostics and frees their memory; useful for long-lived sessions. */
BRAZIER_API void brazier_session_forget_diagnostics(brazier_session *session);

/* ---- components ---------------------------------------------------------------------------- */

#define BRAZIER_COLLAPSER 1u /* reads a format */
#define BRAZIER_PALETTE   2u /* chooses the colours of frames */
#define BRAZIER_OUTPUT    3u /* writes a file */

#define BRAZIER_OPTION_REQUIRED   1u /* has no default: a value is required */
#define BRAZIER_OPTION_DEPRECATED 2u /* deprecated; `help` names the replacement */

/* An option of a component. */
typedef struct brazier_option {
    uint32_t struct_size;
    uint32_t flags;             /* BRAZIER_OPTION_REQUIRED and others */
    const char *name;           /* for example "min-width" */
    const char *type;           /* bool, int, real, text, choice, size, duration, color or list */
    const char *default_value;  /* default as text; NULL: zero, false or empty */
    const char *help;           /* one-line description */
    const char *const *choices; /* words of a choice, NULL-terminated; otherwise NULL */
    const char *range;          /* range of a number, such as "1..64" or "0.."; NULL: any */
} brazier_option;

/* A component of a plug-in: a format, a palette or an output. */
typedef struct brazier_component {
    uint32_t struct_size;
    uint32_t kind;         /* BRAZIER_COLLAPSER and others */
    const char *kind_name; /* "collapser", "palette", "output", "transform" */
    const char *id;        /* name in pipelines, such as "perf" */
    const char *plugin;    /* name of the plug-in; "perf@perf" is this id of this plug-in */
    const char *version;   /* version of the plug-in */
    const char *summary;   /* one-line description */
    const char *help;      /* longer description, or NULL */
    const char *path;      /* file of the plug-in */
    const char *found_in;  /* place where it was found: "shipped", "user", "environment", ... */
    int32_t shadowed;      /* nonzero if a nearer plug-in with the same id is used instead */
    uint32_t reserved;
    const char *const *endings;           /* NULL-terminated file endings of an output, or NULL */
    const brazier_option *const *options; /* NULL-terminated */
} brazier_component;

/* Returns the i-th of all components, or NULL after the last one. Valid until the session is
 * closed. The first call loads every shipped plug-in, and lets a child process describe each of the
 * others. */
BRAZIER_API const brazier_component *brazier_session_component(brazier_session *session, size_t i);

/* Returns the name of a file's format, or NULL after adding a diagnostic if the file cannot be read
 * or the format is not clear. "-" is standard input. Stores the score in *score unless that is NULL
 * (40: plausible shape, 90: unique header, 100: magic number). The name is valid until the session
 * is closed. */
BRAZIER_API const char *brazier_guess_file(brazier_session *session, const char *path, int *score);

/* Guesses the format of bytes in memory, likewise. `name` is their name in diagnostics; its ending
 * may help. */
BRAZIER_API const char *brazier_guess_memory(brazier_session *session, const char *name,
                                             const void *data, size_t size, int *score);

/* ---- pipelines ----------------------------------------------------------------------------- */

/* Uses the configuration's pipeline "default", if it exists, unless the option "pipeline" names
 * another one. */
#define BRAZIER_DEFAULT_PIPELINE 1u
/* Reads standard input if there is no other input, and writes standard output if there is no other
 * output; configurations may name them as "-". Without it, that is a misuse. */
#define BRAZIER_STANDARD_STREAMS 2u
/* Maps files that a format needs as a whole instead of reading them, which is faster. If a mapped
 * file is truncated meanwhile, SIGBUS ends the process, unless brazier_catch_crashes() was called:
 * then the run fails, as it does for files that are read. */
#define BRAZIER_MAP_FILES 4u
/* Checks what is written to standard output: a terminal receives text for people, other text only
 * if the program adds "-" as an output, and nothing else. Warns about a file with the ending of
 * another format. */
#define BRAZIER_CHECK_STDOUT 8u

/* Enforces the limits on memory and time, whoever set them: ends the process, after a message, if a
 * run does not stop within seconds of reaching a limit, and makes the system refuse memory beyond
 * the limit. For the main program of a process, after brazier_catch_crashes(). Without it, a run
 * that reaches a limit is cancelled as by brazier_pipeline_cancel(), and fails. */
#define BRAZIER_STRICT_LIMITS 16u

/* The progress of a pipeline. */
typedef struct brazier_progress {
    uint32_t struct_size;
    uint32_t reserved;
    const char *input; /* file, or the name that the program gave its input */
    uint64_t bytes;    /* bytes read so far; for a compressed file, compressed bytes */
    uint64_t total;    /* total number of bytes; 0: unknown */
} brazier_progress;

/* Receives the progress a few hundred times per gigabyte, and at the end of each input. A nonzero
 * result cancels the run. */
typedef int brazier_progress_fn(void *context, const brazier_progress *progress);

/* The role of a pipeline in its program. Everything else is set with brazier_pipeline_set(). */
typedef struct brazier_pipeline_options {
    uint32_t struct_size;
    uint32_t flags;                   /* BRAZIER_DEFAULT_PIPELINE and others */
    brazier_progress_fn *on_progress; /* or NULL */
    void *context;                    /* argument of on_progress */
} brazier_pipeline_options;

/* Creates a pipeline without inputs and outputs. `options` may be NULL, which stands for all zero.
 * The session must stay open until the pipeline is destroyed. */
BRAZIER_API brazier_pipeline *brazier_pipeline_create(brazier_session *session,
                                                      const brazier_pipeline_options *options);

/* Destroys a pipeline, including its outputs in memory; NULL is allowed. Must not be called while
 * the pipeline runs. */
BRAZIER_API void brazier_pipeline_destroy(brazier_pipeline *pipeline);

/* The following functions add inputs, which replace those of the configuration; several inputs form
 * one profile. They may be compressed (gzip, zstd) and in UTF-16. */

/* Adds a file or pipe; "-" is standard input. */
BRAZIER_API void brazier_pipeline_add_input_file(brazier_pipeline *pipeline, const char *path);

/* Adds bytes in memory. They are not copied and must stay valid until the last run has ended.
 * `name` is their name in diagnostics; its ending may help to guess the format. */
BRAZIER_API void brazier_pipeline_add_input_memory(brazier_pipeline *pipeline, const char *name,
                                                   const void *data, size_t size);

/* Stores up to `size` bytes, which is at least 1, at `to`. Returns their number, 0 at the end, or a
 * negative number on failure, which fails the run. */
typedef int64_t brazier_read_fn(void *context, void *to, size_t size);

/* Adds an input that is read by a function, in pieces of any size. Only a small part is in memory
 * at a time, unless the format requires all of it. The function is called until it has returned all
 * data or the run ends early. */
BRAZIER_API void brazier_pipeline_add_input_stream(brazier_pipeline *pipeline, const char *name,
                                                   brazier_read_fn *read, void *context);

/* The following functions add outputs, which replace those of the configuration. All are written in
 * one pass. `format` is the id of an output, such as "svg". If it is NULL, the ending of the name
 * determines the format; without a name, the options "to" or "otherwise-to" do, or else it is svg.
 * Bytes are compressed if the name ends in .gz or .zst, as in "flame.svg.gz". */

/* Adds a file, which appears completely or not at all: an existing file stays unchanged until the
 * run has succeeded. "-" is standard output. */
BRAZIER_API void brazier_pipeline_add_output_file(brazier_pipeline *pipeline, const char *format,
                                                  const char *path);

/* Adds an output in the library's memory. Returns its number for brazier_pipeline_output(). `name`
 * may be NULL. */
BRAZIER_API size_t brazier_pipeline_add_output_memory(brazier_pipeline *pipeline,
                                                      const char *format, const char *name);

/* Receives `size` bytes. Returns 0, or anything else to fail the run. */
typedef int brazier_write_fn(void *context, const void *data, size_t size);

/* Adds an output that is passed to a function as it is written, in pieces of any size. It is
 * complete if the run succeeds, and may be incomplete otherwise. `name` may be NULL. */
BRAZIER_API void brazier_pipeline_add_output_stream(brazier_pipeline *pipeline, const char *format,
                                                    const char *name, brazier_write_fn *write,
                                                    void *context);

/* Sets an option of the run or of a component. Options that are not set have the value of the
 * configuration's pipeline, if any, or the default.
 *
 * An option of the run has the name of the command line's option without dashes: "from", "palette",
 * "max-memory". docs/components.md lists them; docs/library.md lists those that only programs have,
 * such as "pipeline". A value is text: "true" or "false" for a switch, "512M" for a size. An option
 * that stands alone on the command line may have the value NULL. Several values of "only" must all
 * hold, and those of "label" all apply; of other options of the run, the last value counts.
 *
 * An option of a component has the name of both: "svg.title". A value for a list is added to its
 * earlier values. With a leading '?' ("?vtune.round"), the option is ignored if the run does not
 * have that component, for example because the format is guessed.
 *
 * "isolate" forks the program for each input; none of the program's code is called in the child.
 * Therefore an input that is a function cannot be read in isolation, and the program must not wait
 * for children that it does not know. "max-memory" counts bytes in addition to those in use when
 * the run begins; an isolated process may use as many.
 *
 * `origin` is the option as the user wrote it, for diagnostics; NULL stands for `option`. Texts are
 * copied. Returns BRAZIER_OK, or BRAZIER_MISUSED after a diagnostic if there is no such option or
 * the value is invalid; the pipeline then cannot run. The run checks options of components, and
 * names of formats, palettes and weights. */
BRAZIER_API brazier_status brazier_pipeline_set(brazier_pipeline *pipeline, const char *option,
                                                const char *value, const char *origin);

/* Adds a transform after those of the configuration: "keep", "drop", "hide", "skip-after", "base",
 * "reverse", "merge-recursion", "rename", "strip-module", "split-packages" or "demangle", with `n`
 * arguments; or "transform" with the name of one of a plug-in. `origin` is as above; NULL stands
 * for `name`. */
BRAZIER_API void brazier_pipeline_add_transform(brazier_pipeline *pipeline, const char *name,
                                                const char *const *args, size_t n,
                                                const char *origin);

/* Checks whether the pipeline can run, without reading or writing anything. Returns BRAZIER_OK or
 * BRAZIER_MISUSED. Does not check options of a format that is to be guessed. */
BRAZIER_API brazier_status brazier_pipeline_check(brazier_pipeline *pipeline);

/* Runs the pipeline: reads, transforms and writes. May be called again: everything is read and
 * written again, and outputs in memory are replaced. */
BRAZIER_API brazier_status brazier_pipeline_run(brazier_pipeline *pipeline);

/* Cancels the current run, or the next one if none is running; the pipeline stays cancelled. May be
 * called from any thread, from functions of the program that the library calls, and from signal
 * handlers. Returns immediately; the run ends after parsing the current pieces of input, when the
 * program's functions have returned. */
BRAZIER_API void brazier_pipeline_cancel(brazier_pipeline *pipeline);

/* Returns the bytes of an output in memory and stores their number in *size. An additional zero
 * byte follows them. Returns NULL, with *size 0, if the last run did not write the output. Valid
 * until the next run. */
BRAZIER_API const void *brazier_pipeline_output(const brazier_pipeline *pipeline, size_t output,
                                                size_t *size);

/* ---- the process --------------------------------------------------------------------------- */

/* The following functions affect the whole process. They are for its main program; libraries should
 * not call them. */

/* Sets the function that is called when memory is exhausted, on any thread, with the number of
 * bytes wanted (0: unknown). It must not return. If it does, or if there is no function (NULL), the
 * process is aborted, after a message if brazier_catch_crashes() was called. */
typedef void brazier_out_of_memory_fn(size_t wanted);
BRAZIER_API void brazier_on_out_of_memory(brazier_out_of_memory_fn *f);

/* Removes temporary files of unfinished outputs; for atexit() and for handlers of signals that end
 * the program. */
BRAZIER_API void brazier_discard_unfinished(void);

/* Installs handlers for crashes (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT). They print to standard
 * error which plug-in was doing what, remove temporary files, and let the signal end the process.
 * If SIGBUS is caused by a mapped input (BRAZIER_MAP_FILES) that became shorter, the run fails
 * instead. */
BRAZIER_API void brazier_catch_crashes(void);

#ifdef __cplusplus
}
#endif

#endif
