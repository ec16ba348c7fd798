/* `brazier plugin check`: what its tests are given, and how they say what is wrong.
 *
 * A test is a function that runs in a process of its own, tries one thing, and calls check_fail for
 * each fault that it finds, with the clause of the contract (docs/plugin-abi.md) that was broken.
 * The program that started it never loads the plug-in.
 */
#ifndef BRZ_CHECK_H
#define BRZ_CHECK_H

#include "board.h"
#include "plugin/options.h"
#include "base/diag.h"
#include "base/run.h"
#include "random.h"
#include "result.h"
#include "subject.h"

typedef struct check check;

/* What a test is about: bits of kinds, or the file itself. */
#define CHECK_FILE       0u
#define CHECK_COLLAPSERS (1u << BRZ_COLLAPSER)
#define CHECK_PALETTES   (1u << BRZ_PALETTE)
#define CHECK_OUTPUTS    (1u << BRZ_OUTPUT)
#define CHECK_ALL        (CHECK_COLLAPSERS | CHECK_PALETTES | CHECK_OUTPUTS)

/* The test looks at what is before the plug-in is loaded, and loads it itself. */
#define CHECK_LOADS_ITSELF 1u

typedef struct check_test {
    const char *name; /* GROUP/NAME */
    uint32_t kinds, flags;
    unsigned clause; /* that is broken if the test crashes or does not end */
    void (*run)(check *);
    const char *summary; /* what is tried, one line */
} check_test;

/* All of them, in the order in which they are run; the first one loads the file. Ends with a NULL
 * name. */
extern const check_test check_tests[];

/* What the user asked for. */
typedef struct check_settings {
    uint64_t seed;
    double effort;    /* seconds that a test of random inputs goes on for */
    const char *keep; /* a folder for inputs that show a fault; NULL: they are not kept */
} check_settings;

/* A running test. */
struct check {
    const check_test *test;
    const check_subject *subject;
    const check_settings *settings;
    check_board *board;
    int to; /* where the result goes */
    atomic_size_t failures;
    uint64_t random;
    double began;
    brz_console console; /* keeps quiet */
    brz_run run;
    brz_arena memory;
    brz_plugin_file file;
    brz_options **options; /* by component: the defaults */
};

/* Runs a test in this process; what came of it is written to a descriptor (result.h). */
void check_run_test(const check_test *test, const check_subject *subject,
                    const check_settings *settings, check_board *board, int to);

/* Loads the plug-in; false, said so, if it is refused. */
bool check_load(check *c);

/* Says what is wrong, and which clause that breaks (0: none, but what its author wants). `expected`
 * and `seen` are texts of any length, or empty. */
void check_fail(check *c, unsigned clause, brz_str expected, brz_str seen, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* The test makes no sense here. */
void check_skip(check *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Something worth showing of a test that passes. */
void check_tell(check *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Keeps an input of our own making that has just shown a fault, if that was asked for. */
void check_keep(check *c, const uint8_t *data, size_t len);

/* What is being done now, for messages about a crash or an end that does not come. */
void check_doing(check *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* True once enough was found: a test gives up then. */
bool check_is_over(const check *c);

/* True while a test of random inputs shall go on; `round` counts from 0. */
bool check_goes_on(const check *c, size_t round);

/* Seconds of processor time that this process has taken. */
double check_processor_time(void);

#define CHECK_NOTHING brz_str_of("", 0)

#endif
