/* SPDX-License-Identifier: MIT */
/* The interface of the tests of `brazier plugin check`.
 *
 * A test is a function that runs in a separate process, checks one property, and calls check_fail
 * for each violation, with the clause of the contract (docs/plugin-abi.md) that was violated. The
 * parent process never loads the plug-in.
 */
#ifndef BRZ_CHECK_H
#define BRZ_CHECK_H

#include "check/guard/crash_record.h"
#include "check/guard/guarded_buffer.h"
#include "plugin/options.h"
#include "base/diag.h"
#include "base/run.h"
#include "check/inputs/random.h"
#include "result.h"
#include "check/inputs/subject.h"

typedef struct check check;

/* Subjects of a test: bits of component kinds, or the file itself. */
#define CHECK_FILE       0u
#define CHECK_COLLAPSERS (1u << BRZ_COLLAPSER)
#define CHECK_PALETTES   (1u << BRZ_PALETTE)
#define CHECK_OUTPUTS    (1u << BRZ_OUTPUT)
#define CHECK_TRANSFORMS (1u << BRZ_TRANSFORM)
#define CHECK_ALL        (CHECK_COLLAPSERS | CHECK_PALETTES | CHECK_OUTPUTS | CHECK_TRANSFORMS)

/* The test examines the state before the plug-in is loaded, and loads it itself. */
#define CHECK_LOADS_ITSELF 1u

typedef struct check_test {
    const char *name; /* GROUP/NAME */
    uint32_t kinds, flags;
    unsigned clause; /* clause violated if the test crashes or does not end */
    void (*run)(check *);
    const char *summary; /* one line that describes the test */
} check_test;

/* The tests, in the order in which they run; the first one loads the file. The list ends with a
 * NULL name. */
extern const check_test check_tests[];

/* The user's settings. */
typedef struct check_settings {
    uint64_t seed;
    double effort;    /* duration of a test with random inputs, in seconds */
    const char *keep; /* folder for inputs that cause failures; NULL: none */
    /* Returns whether commands have an option of this name themselves; NULL: none has. */
    bool (*is_command_option)(const char *name);
} check_settings;

/* State of a running test. */
struct check {
    const check_test *test;
    const check_subject *subject;
    const check_settings *settings;
    check_crash_record *crash_record;
    check_guarded_pool guarded;
    int to; /* descriptor for the result */
    atomic_size_t failures;
    uint64_t random;
    double began;
    brz_console console; /* silent */
    brz_run run;
    brz_arena memory;
    brz_plugin_file file;
    brz_options **options; /* options by component: the defaults, or one with another value */
    bool has_other_value;  /* a component may refuse these options in `open` */
};

/* Returns the id of a component of the plug-in. */
static inline const char *check_id_of(const check *c, size_t component)
{
    return c->file.components[component].component->id;
}

/* Returns the minor that the plug-in is made for. */
static inline uint32_t check_minor_of(const check *c)
{
    return c->file.plugin->abi_minor;
}

/* Runs a test in this process and writes its result to the descriptor `to` (see result.h). */
void check_run_test(const check_test *test, const check_subject *subject,
                    const check_settings *settings, check_crash_record *crash_record, int to);

/* Loads the plug-in. Returns false after reporting a failure if it is rejected. */
bool check_load(check *c);

/* Reports a failure and the violated clause (0: none; the plug-in's author may still care).
 * `expected` and `seen` are texts of any length, or empty. */
void check_fail(check *c, unsigned clause, brz_str expected, brz_str seen, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Skips a test that does not apply. */
void check_skip(check *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Records a detail worth showing of a test that passes. */
void check_tell(check *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Saves a generated input that has just caused a failure, if the settings ask for it. */
void check_keep(check *c, const uint8_t *data, size_t len);

/* Saves a generated input that is about to be used, if the settings ask for it: the process may not
 * come back from that. check_unrisk() removes it. */
void check_risk(check *c, const uint8_t *data, size_t len);
void check_unrisk(const check_settings *settings, const check_test *test);

/* Appends the name of the file in which check_risk() saves the inputs of a test. */
void check_add_risk_path(const check_settings *settings, const check_test *test, brz_buf *path);

/* Records the current action, for messages about crashes and time-outs. */
void check_doing(check *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Returns true once there are enough failures; the test should end then. */
bool check_is_over(const check *c);

/* Returns true while a test with random inputs should continue; `round` counts from 0. */
bool check_goes_on(const check *c, size_t round);

/* Returns the processor time used by this process, in seconds. */
double check_processor_time(void);

#define CHECK_NOTHING brz_str_of("", 0)

#endif
