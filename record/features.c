/* SPDX-License-Identifier: MIT */
/* Makes the features of a recording. */
#include "record/features.h"

#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/version.h"
#include "record/kernel.h"
#include "record/tracefs.h"

/* Texts are padded to a multiple of this size, like those of perf. */
#define TEXT_ALIGN 64

/* Size of a command line in bytes from which on words are left out. */
#define COMMAND_MAX 60000

static void add_text(brz_buf *b, const char *text)
{
    size_t len = strlen(text), padded = (len + TEXT_ALIGN) / TEXT_ALIGN * TEXT_ALIGN;
    brz_buf_add_u32(b, (uint32_t)padded);
    char *at = brz_buf_room(b, padded);
    memset(at, 0, padded);
    memcpy(at, text, len);
    b->len += padded;
}

static void make_machine(brz_buf features[BRZ_FEATURES_MAX])
{
    struct utsname u;
    if (uname(&u) != 0)
        return;
    add_text(&features[BRZ_FEATURE_HOSTNAME], u.nodename);
    add_text(&features[BRZ_FEATURE_OSRELEASE], u.release);
    add_text(&features[BRZ_FEATURE_ARCH], u.machine);
    add_text(&features[BRZ_FEATURE_VERSION], "brazier " BRZ_VERSION);
    brz_buf_add_u32(&features[BRZ_FEATURE_NRCPUS], (uint32_t)sysconf(_SC_NPROCESSORS_CONF));
    brz_buf_add_u32(&features[BRZ_FEATURE_NRCPUS], (uint32_t)sysconf(_SC_NPROCESSORS_ONLN));
}

/* States the command line: its number of words, and those. Leaves words out at the end of a very
 * long one, since the feature has to fit into a record. */
static void make_command(brz_buf *b, const char *const *words)
{
    uint32_t n = 0;
    brz_buf_add_u32(b, 0);
    for (; words != NULL && words[n] != NULL; n++) {
        size_t len = strlen(words[n]);
        if (len > COMMAND_MAX || b->len + len > COMMAND_MAX)
            break;
        add_text(b, words[n]);
    }
    memcpy(b->data, &n, sizeof n);
}

static void make_descriptions(brz_buf *b, const brz_event *events, size_t n)
{
    brz_buf_add_u32(b, (uint32_t)n);
    brz_buf_add_u32(b, BRZ_ATTR_SIZE);
    for (size_t i = 0; i < n; i++) {
        brz_buf_add(b, (const char *)&events[i].attr, BRZ_ATTR_SIZE);
        brz_buf_add_u32(b, (uint32_t)events[i].n_ids);
        add_text(b, events[i].name);
        brz_buf_add(b, (const char *)events[i].ids, events[i].n_ids * sizeof *events[i].ids);
    }
}

/* States the same moment on the clock of the recording and of the wall. */
static void make_clock(brz_buf features[BRZ_FEATURES_MAX])
{
    struct timespec resolution = {0};
    clock_getres(CLOCK_MONOTONIC, &resolution);
    brz_buf_add_u64(&features[BRZ_FEATURE_CLOCKID], (uint64_t)resolution.tv_nsec);
    brz_buf *b = &features[BRZ_FEATURE_CLOCK_DATA];
    brz_buf_add_u32(b, 1); /* version */
    brz_buf_add_u32(b, CLOCK_MONOTONIC);
    brz_buf_add_u64(b, brz_clock_read(CLOCK_REALTIME));
    brz_buf_add_u64(b, brz_clock_read(CLOCK_MONOTONIC));
}

static void make_tracepoints(brz_buf *b, const brz_event *events, size_t n)
{
    brz_str words[BRZ_EVENTS_MAX];
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        if (brz_event_is_tracepoint(&events[i]))
            words[count++] = brz_event_tracepoint(&events[i]);
    brz_tracefs_add_description(b, words, count);
}

void brz_features_make(brz_buf features[BRZ_FEATURES_MAX], const brz_event *events, size_t n,
                       const char *const *words)
{
    make_machine(features);
    make_command(&features[BRZ_FEATURE_CMDLINE], words);
    make_descriptions(&features[BRZ_FEATURE_EVENT_DESC], events, n);
    make_clock(features);
    make_tracepoints(&features[BRZ_FEATURE_TRACING_DATA], events, n);
    brz_kernel_add_build_ids(&features[BRZ_FEATURE_BUILD_ID]);
}

void brz_features_make_times(brz_buf features[BRZ_FEATURES_MAX], const brz_tally *tally)
{
    brz_buf_add_u64(&features[BRZ_FEATURE_SAMPLE_TIME], tally->first);
    brz_buf_add_u64(&features[BRZ_FEATURE_SAMPLE_TIME], tally->last);
}

void brz_features_finish(brz_buf features[BRZ_FEATURES_MAX])
{
    for (size_t i = 0; i < BRZ_FEATURES_MAX; i++)
        brz_buf_finish(&features[i]);
}
