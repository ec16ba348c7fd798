/* libbrazier: profiles of any format become flame graphs, within a program.
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
 * A session knows the plug-ins and the configuration, and collects what there is to say: errors and
 * warnings are data. A pipeline says what is read, how, and what is written.
 *
 * What holds for all of it:
 *
 * - Nothing is printed, no signal handler is installed, exit() is never called, and nothing of the
 *   process is changed, but by the functions at the end, which are there for that. (A plug-in of a
 *   third party may do as it likes: see BRAZIER_SHIPPED_ONLY.)
 * - A session, with its pipelines, is used by one thread at a time; different sessions may be used
 *   by different threads at once. brazier_pipeline_cancel alone may be called from anywhere.
 *   Pipelines have threads of their own while they run, on which no signals are delivered.
 * - A function of the program that is given to a session or pipeline is called from whatever
 *   thread, though never twice at once; two such functions may be. It must return, and may not call
 *   anything about the same session but brazier_pipeline_cancel and brazier_diagnostic_text. While
 *   it is called, numbers have a point, as in the locale "C", whatever the program's LC_NUMERIC is.
 * - Texts are UTF-8 and end with a zero byte. Texts and lists that are given to a function are
 *   copied unless it says otherwise; what a function gives back belongs to the library.
 * - Structs begin with their size in bytes, which their maker fills in, so that they may grow:
 *   members that this library does not know must be zero, those that a program does not know count
 *   as zero. Members called `reserved` are 0.
 * - Where memory is exhausted, the process is aborted: see brazier_on_out_of_memory.
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

/* The version of the library, as "0.1.0". */
BRAZIER_API const char *brazier_version(void);

/* How something ended. What went wrong is among the session's diagnostics. */
typedef enum brazier_status {
    BRAZIER_OK = 0,
    BRAZIER_MISUSED = 1,   /* it cannot be done as asked: no such format, a bad value */
    BRAZIER_FAILED = 2,    /* it was tried: a file cannot be read, no samples in it */
    BRAZIER_CANCELLED = 3, /* the program wanted no more of it */
    BRAZIER_PARTLY = 4,    /* it is done, but without inputs that could not be read in isolation */
} brazier_status;

typedef struct brazier_session brazier_session;
typedef struct brazier_pipeline brazier_pipeline;

/* ---- diagnostics --------------------------------------------------------------------------- */

#define BRAZIER_ERROR   0 /* what was to be done is not done */
#define BRAZIER_WARNING 1 /* it is done, but something was left out or looks wrong */
#define BRAZIER_NOTE    2 /* good to know */
#define BRAZIER_DEBUG   3 /* for who looks into how it works */

/* Something to tell the user. Texts can be printed on a terminal, whatever the input holds: control
 * characters and bytes that are no UTF-8 are spelled out ("\x1b"). Those that are not known are
 * NULL, numbers that are not known 0. */
typedef struct brazier_diagnostic {
    uint32_t struct_size;
    int32_t severity;      /* BRAZIER_ERROR … */
    const char *code;      /* "perf.stack-line": the same for the same cause; NULL: no such name */
    const char *component; /* whose it is: "collapse.perf"; NULL: brazier's own */
    const char *input;     /* the file it is about, or what the program called its input */
    uint64_t line, column; /* where in it, both from 1; columns are bytes */
    uint64_t count;        /* how often: of those that are numbered, all with this code */
    uint64_t nth;          /* of several places with this code, which one this is, from 1; the first
                              ones are told of, and the rest are in `count` */
    const char *message;   /* one line, without a full stop; never NULL */
    const char *excerpt;   /* of the line that it is about */
    size_t caret, length;  /* of what is meant, in the excerpt, in bytes */
    uint64_t kept; /* the number of places with this code that are told of: the last `nth` */
} brazier_diagnostic;

/* Takes a diagnostic, which it must copy to keep. */
typedef void brazier_diagnostic_fn(void *context, const brazier_diagnostic *diagnostic);

/* Writes a diagnostic as the program brazier prints it: "perf.txt:3:1: warning: …", the line with a
 * caret below the place, and how often it happened, each line with a newline; in colours for a
 * terminal if `color` is not 0. `verbosity` is that of the session; of several with one code, only
 * the first is printed if it is less than 1, and nothing is written for the others.
 *
 * Writes at most `size` bytes with the zero at the end, none if `size` is 0, and returns how many
 * there would be without it, like snprintf. On any thread. */
BRAZIER_API size_t brazier_diagnostic_text(const brazier_diagnostic *diagnostic, int verbosity,
                                           int color, char *to, size_t size);

/* ---- sessions ------------------------------------------------------------------------------ */

/* The project's configuration (.brazier.yaml, from the working directory upwards) and the user's
 * are looked for, as the program brazier does. Without it, there is the shipped configuration
 * alone. */
#define BRAZIER_FIND_CONFIG 1u
/* Lets a project's configuration that was found do what a given one may. Without it, such a file
 * loads no plug-ins, reads and writes only below its own folder, and undoes none of the user's
 * wishes for isolation (docs/security.md). */
#define BRAZIER_TRUST_CONFIG 2u
/* No plug-ins but those that came with the library: neither the user's nor those of
 * $BRAZIER_PLUGIN_PATH, whoever names others. */
#define BRAZIER_SHIPPED_ONLY 4u
/* Lets `config_file` do no more than a configuration that was found. BRAZIER_TRUST_CONFIG wins. */
#define BRAZIER_DISTRUST_CONFIG 8u

typedef struct brazier_session_options {
    uint32_t struct_size;
    uint32_t flags;          /* BRAZIER_FIND_CONFIG … */
    int32_t verbosity;       /* -1: errors only; 0: warnings and notes too; 1: what was decided as
                                well; 2: for debugging */
    uint32_t reserved;       /* 0 */
    const char *config_file; /* a configuration instead of the project's; or NULL */
    const char *config_text; /* the same, as YAML in memory; paths in it are relative to the working
                                directory; or NULL */
    const char *const *plugin_files; /* plug-ins to use, in order */
    size_t n_plugin_files;
    const char *const *plugin_dirs; /* folders to look for plug-ins in, before all others */
    size_t n_plugin_dirs;
    brazier_diagnostic_fn *on_diagnostic; /* told of each diagnostic as it is found; NULL: they are
                                             kept, see brazier_session_diagnostic */
    void *context;                        /* for on_diagnostic */
} brazier_session_options;

/* Opens a session; `options` may be NULL, for all zero. *session is there whatever is returned, for
 * its diagnostics, and must be closed. BRAZIER_FAILED if a configuration cannot be read or is not
 * right: such a session can do nothing more. BRAZIER_MISUSED if the options are of a newer library
 * and ask for something that this one does not have. */
BRAZIER_API brazier_status brazier_session_open(const brazier_session_options *options,
                                                brazier_session **session);

/* Closes it, after all its pipelines were destroyed. Plug-ins stay loaded. NULL is fine. */
BRAZIER_API void brazier_session_close(brazier_session *session);

/* The i-th diagnostic since the session was opened, or since they were last forgotten, in the order
 * in which they were found; NULL behind the last one. Valid until they are forgotten. After a
 * thousand, only errors are kept. There are none if on_diagnostic takes them. */
BRAZIER_API const brazier_diagnostic *brazier_session_diagnostic(const brazier_session *session,
                                                                 size_t i);

/* Forgets them, and frees their memory: for sessions that live long. */
BRAZIER_API void brazier_session_forget_diagnostics(brazier_session *session);

/* ---- components ---------------------------------------------------------------------------- */

#define BRAZIER_COLLAPSER 1u /* reads a format */
#define BRAZIER_PALETTE   2u /* gives frames their colours */
#define BRAZIER_OUTPUT    3u /* writes a file */

#define BRAZIER_OPTION_REQUIRED   1u /* there is no default */
#define BRAZIER_OPTION_DEPRECATED 2u /* `help` says what replaces it */

/* An option of a component. */
typedef struct brazier_option {
    uint32_t struct_size;
    uint32_t flags;             /* BRAZIER_OPTION_… */
    const char *name;           /* "min-width" */
    const char *type;           /* bool, int, real, text, choice, size, duration, color or list */
    const char *default_value;  /* as it would be written; NULL: zero, false or empty */
    const char *help;           /* one line */
    const char *const *choices; /* of a choice, up to a NULL; else NULL */
    const char *range;          /* of numbers: "1..64", "0.."; NULL: any */
} brazier_option;

/* What a plug-in can do: a format it reads, a palette, an output. */
typedef struct brazier_component {
    uint32_t struct_size;
    uint32_t kind;         /* BRAZIER_COLLAPSER … */
    const char *kind_name; /* "collapser", "palette", "output" */
    const char *id;        /* "perf": the name that pipelines use */
    const char *plugin;    /* whose it is; "perf@perf" is this id of this plug-in */
    const char *version;   /* of the plug-in */
    const char *summary;   /* one line */
    const char *help;      /* more; or NULL */
    const char *path;      /* the file that it was loaded from */
    const char *found_in;  /* why that one: "shipped", "user", "environment", … */
    int32_t shadowed;      /* not 0: a nearer plug-in has the same, and is used */
    uint32_t reserved;
    const char *const *endings;           /* of an output's files, up to a NULL; else NULL */
    const brazier_option *const *options; /* up to a NULL */
} brazier_component;

/* The i-th of all components there are; NULL behind the last one. The first call loads every
 * plug-in. Valid until the session is closed. */
BRAZIER_API const brazier_component *brazier_session_component(brazier_session *session, size_t i);

/* The name of the format that a file is in, and how sure that is (40: it has the shape, 90: a
 * header that nothing else has, 100: a magic number) in *score, unless that is NULL. NULL, with a
 * diagnostic, if the file cannot be read or no format is sure enough. "-" is standard input. The
 * name is valid until the session is closed. */
BRAZIER_API const char *brazier_guess_file(brazier_session *session, const char *path, int *score);

/* The same of bytes in memory; `name` is what diagnostics call them, and its ending may help. */
BRAZIER_API const char *brazier_guess_memory(brazier_session *session, const char *name,
                                             const void *data, size_t size, int *score);

/* ---- pipelines ----------------------------------------------------------------------------- */

/* The configuration's pipeline "default" is used if it has one and `pipeline` is NULL. */
#define BRAZIER_DEFAULT_PIPELINE 1u
/* Standard input is read if nothing else is there to be read, and standard output written if there
 * is no output; a configuration may name them, as "-". Without it that is a misuse. */
#define BRAZIER_STANDARD_STREAMS 2u
/* Files are mapped into memory rather than read, which is faster. If somebody makes one shorter
 * meanwhile, SIGBUS ends the process, unless brazier_catch_crashes was called: then the run fails,
 * as it does for files that are read. */
#define BRAZIER_MAP_FILES 4u
/* An input without samples is worth a warning, and makes empty outputs; without it, it is an error,
 * as it is if the input is in another format than the one that was named. */
#define BRAZIER_ALLOW_EMPTY 8u
/* The second of two inputs is compared with the first: what became heavier, what lighter. */
#define BRAZIER_COMPARE 16u
/* In pictures of a comparison, what became lighter looks as if it became heavier. */
#define BRAZIER_NEGATE 32u
/* Differences are those of each frame itself, without what it calls. */
#define BRAZIER_SELF_DELTAS 64u
/* Narrow frames are made pale, or are not, whatever the configuration says. */
#define BRAZIER_DIFFUSION    128u
#define BRAZIER_NO_DIFFUSION 256u

/* Each input is read in a process of its own that can do no harm, or is not, whatever the
 * configuration says: its plug-in may crash or hang, and nothing is lost but that input. It is a
 * fork of the program, in which nothing of the program's is called; so an input that is a function
 * cannot be read there, and the program must not wait for children that it does not know. */
#define BRAZIER_ISOLATE    512u
#define BRAZIER_NO_ISOLATE 1024u

/* Standard output is checked: a terminal gets text that people read there, other text only if the
 * program adds "-" as an output, and no other bytes; a file with the ending of another format is
 * worth a warning. */
#define BRAZIER_CHECK_STDOUT 2048u

/* The limits of memory and time, whoever set them, are kept at any price: a run that does not stop
 * within seconds of a limit is ended with the process, after a message, and the system refuses
 * memory beyond the limit. For the main program of a process that called brazier_catch_crashes.
 * Without it a run is stopped where it next can be, as brazier_pipeline_cancel does, and fails. */
#define BRAZIER_STRICT_LIMITS 8192u

/* Nobody chose `from`, it is only usual: an input that is clearly in another format is an error. */
#define BRAZIER_USUAL_FORMAT 4096u

/* Whose weights say how wide frames are, in a comparison. */
#define BRAZIER_BASE_ON_AFTER  0u /* the second input's: what vanished is not drawn */
#define BRAZIER_BASE_ON_BEFORE 1u /* the first one's: what is new is not drawn */
#define BRAZIER_BASE_ON_BOTH   2u /* both together: all is drawn */

/* What is done so that profiles of different length can be compared. */
#define BRAZIER_NORMALIZE_NO    0u
#define BRAZIER_NORMALIZE_YES   1u /* the first is scaled to the weight of the second */
#define BRAZIER_NORMALIZE_FLOOR 2u /* the same, and fractions are cut off */

/* From left to right, in pictures. */
#define BRAZIER_ORDER_MERGED    0u /* a flame graph: equal stacks are one, in the order of names */
#define BRAZIER_ORDER_TIME      1u /* a flame chart: in the order of the input */
#define BRAZIER_ORDER_TIME_BACK 2u /* the same, the end of the input first */

/* How far a pipeline is. */
typedef struct brazier_progress {
    uint32_t struct_size;
    uint32_t reserved;
    const char *input; /* its file, or what the program called it */
    uint64_t bytes;    /* taken from it so far; of a compressed file, compressed ones */
    uint64_t total;    /* how many it has; 0: not known */
} brazier_progress;

/* Told some hundred times per gigabyte, and at the end of each input. What is not 0 cancels. */
typedef int brazier_progress_fn(void *context, const brazier_progress *progress);

/* Zero and NULL leave a thing to the configuration's pipeline, and that may leave it open. */
typedef struct brazier_pipeline_options {
    uint32_t struct_size;
    uint32_t flags;           /* BRAZIER_DEFAULT_PIPELINE … */
    const char *pipeline;     /* one of the configuration */
    const char *from;         /* the inputs' format; NULL: guessed */
    const char *palette;      /* names, joined by commas; the first with an opinion counts */
    const char *palette_map;  /* a file that keeps colours of names, read and written */
    const char *to;           /* the format of outputs that are given none */
    const char *otherwise_to; /* the format of outputs without a file ending, or with one that no
                                 output has; NULL: svg, and an error */
    const char *weight;       /* which of the input's weights is shown; NULL: the first */
    const char *demangle;     /* names of Rust and C++: "auto", "full", "none"; NULL: auto */
    uint32_t order;           /* BRAZIER_ORDER_… */
    uint32_t base_on;         /* BRAZIER_BASE_ON_… */
    uint32_t normalize;       /* BRAZIER_NORMALIZE_… */
    uint32_t threads;         /* at most so many parse; 0: one per processor */
    uint64_t chunk_size; /* bytes that are parsed at a time, and that one thread takes at a time: */
    uint64_t range_size; /* at most 1 GiB; 0: what is fastest. No result depends on them */
    brazier_progress_fn *on_progress; /* or NULL */
    void *context;                    /* for on_progress */
    uint64_t max_memory; /* bytes that the process may take beside those it has when the run begins;
                            a process that reads in isolation may take as many */
    uint64_t max_time;   /* nanoseconds that the run may take */
} brazier_pipeline_options;

/* A pipeline that has no inputs and outputs yet; `options` may be NULL, for all zero. The session
 * must be open as long as it is there. */
BRAZIER_API brazier_pipeline *brazier_pipeline_create(brazier_session *session,
                                                      const brazier_pipeline_options *options);

/* Frees it, with its outputs in memory. NULL is fine. Not while it runs. */
BRAZIER_API void brazier_pipeline_destroy(brazier_pipeline *pipeline);

/* Inputs, instead of those of the configuration; several become one profile. They may be compressed
 * (gzip, zstd), and text in UTF-16. */

/* A file or a pipe; "-" is standard input. */
BRAZIER_API void brazier_pipeline_add_input_file(brazier_pipeline *pipeline, const char *path);

/* Bytes in memory, which are not copied and must stay until the last run is over. `name` is what
 * diagnostics call them; its ending may help to guess the format. */
BRAZIER_API void brazier_pipeline_add_input_memory(brazier_pipeline *pipeline, const char *name,
                                                   const void *data, size_t size);

/* Puts up to `size` bytes, which is at least 1, into `to`, and returns how many; 0 at the end; less
 * than 0 if it cannot, which fails the run. */
typedef int64_t brazier_read_fn(void *context, void *to, size_t size);

/* What a function gives, in pieces of any size. Little of it is in memory at a time, unless the
 * format needs all of it. It is asked until it has given all, or the run ends early. */
BRAZIER_API void brazier_pipeline_add_input_stream(brazier_pipeline *pipeline, const char *name,
                                                   brazier_read_fn *read, void *context);

/* Outputs, instead of those of the configuration, all written in one pass. `format` is an output's
 * id, such as "svg"; if it is NULL, the ending of the name decides, and without a name `to` or
 * `otherwise_to` of the options, or else it is svg. */

/* A file, which appears whole or not at all: one that is there already stays as it is until the run
 * was good. "-" is standard output. */
BRAZIER_API void brazier_pipeline_add_output_file(brazier_pipeline *pipeline, const char *format,
                                                  const char *path);

/* Memory of the library's. Returns a number for brazier_pipeline_output. `name` may be NULL. */
BRAZIER_API size_t brazier_pipeline_add_output_memory(brazier_pipeline *pipeline,
                                                      const char *format, const char *name);

/* Takes `size` bytes, and returns 0; anything else fails the run. */
typedef int brazier_write_fn(void *context, const void *data, size_t size);

/* A function that is given the bytes as they are written, in pieces of any size. They are all there
 * if the run was good, and if it was not, may be but the beginning. `name` may be NULL. */
BRAZIER_API void brazier_pipeline_add_output_stream(brazier_pipeline *pipeline, const char *format,
                                                    const char *name, brazier_write_fn *write,
                                                    void *context);

/* Sets an option of a component: "svg.title", "CPU"; that of a list is added to those given before.
 * `origin` is how the user wrote it, for diagnostics; NULL: "svg.title". With '?' in front of it
 * ("?vtune.round") it is set if the run has that component, as when the format is not known before,
 * and else means nothing. */
BRAZIER_API void brazier_pipeline_set(brazier_pipeline *pipeline, const char *option,
                                      const char *value, const char *origin);

/* Adds a transform, behind those of the configuration: "keep", "drop", "hide", "skip-after",
 * "base", "reverse", "merge-recursion", "rename", "strip-module" or "demangle", with its `n`
 * arguments. `origin` as above; NULL: the transform's name. */
BRAZIER_API void brazier_pipeline_add_transform(brazier_pipeline *pipeline, const char *name,
                                                const char *const *args, size_t n,
                                                const char *origin);

/* Finds out whether it can be run, without reading or writing anything: BRAZIER_OK or
 * BRAZIER_MISUSED. Options of a format that is yet to be guessed are not looked at. */
BRAZIER_API brazier_status brazier_pipeline_check(brazier_pipeline *pipeline);

/* Reads, transforms and writes; returns when that is done. May be called again: everything is read
 * and written anew, and outputs in memory are replaced. */
BRAZIER_API brazier_status brazier_pipeline_run(brazier_pipeline *pipeline);

/* Ends the run early, or the next one before it begins; the pipeline stays cancelled. From any
 * thread, from functions of the program that are called meanwhile, and from signal handlers. It
 * returns at once; the run ends with the pieces of input that are being parsed, and when the
 * program's functions have returned. */
BRAZIER_API void brazier_pipeline_cancel(brazier_pipeline *pipeline);

/* The bytes of an output in memory, their number in *size, and a zero behind them that is not
 * counted; NULL, with *size 0, if the last run wrote none. Valid until the next run. */
BRAZIER_API const void *brazier_pipeline_output(const brazier_pipeline *pipeline, size_t output,
                                                size_t *size);

/* ---- the process --------------------------------------------------------------------------- */

/* These are for the process as a whole, so they are for its main program to call; no library
 * should. */

/* What is called, on any thread, when there is no memory, with how many bytes were wanted (0: not
 * known). It must not return: if it does, or if there is none (NULL), the process is aborted, after
 * a message if brazier_catch_crashes was called. */
typedef void brazier_out_of_memory_fn(size_t wanted);
BRAZIER_API void brazier_on_out_of_memory(brazier_out_of_memory_fn *f);

/* Removes the temporary files of outputs that are being written. For atexit(), and for the
 * program's own handlers of signals that end it. */
BRAZIER_API void brazier_discard_unfinished(void);

/* Installs handlers for crashes (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT), which say on standard
 * error which plug-in was doing what, remove temporary files, and let the signal end the process. A
 * SIGBUS by an input that is mapped (BRAZIER_MAP_FILES) and becomes shorter fails the run instead.
 */
BRAZIER_API void brazier_catch_crashes(void);

#ifdef __cplusplus
}
#endif

#endif
