/* Parses names of events. */
#include "record/event.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "base/text.h"
#include "record/tracefs.h"

typedef struct known_event {
    const char *name;
    uint32_t type;
    uint64_t config;
} known_event;

static const known_event known[] = {
    {"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    {"cpu-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    {"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
    {"cache-references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES},
    {"cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
    {"branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
    {"branch-instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
    {"branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES},
    {"bus-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BUS_CYCLES},
    {"ref-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES},
    {"cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK},
    {"task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK},
    {"page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
    {"faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
    {"minor-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN},
    {"major-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ},
    {"context-switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES},
    {"cs", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES},
    {"cpu-migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS},
    {"migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS},
    {"alignment-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_ALIGNMENT_FAULTS},
    {"emulation-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_EMULATION_FAULTS},
};

#define N_KNOWN (sizeof known / sizeof known[0])

/* Takes ":u" or ":k" off the end of a name. */
static brz_str take_modifier(brz_event *e, brz_str word)
{
    if (word.len < 3 || word.data[word.len - 2] != ':')
        return word;
    char c = word.data[word.len - 1];
    e->user_only = c == 'u';
    e->kernel_only = c == 'k';
    return c == 'u' || c == 'k' ? brz_str_of(word.data, word.len - 2) : word;
}

static bool parse_tracepoint(brz_event *e, brz_str word, brz_buf *error)
{
    uint64_t id;
    if (!brz_tracepoint_id(word, &id, error))
        return false;
    e->attr.type = PERF_TYPE_TRACEPOINT;
    e->attr.config = id;
    return true;
}

/* Parses a raw event: 'r' and hexadecimal digits. */
static bool parse_raw(brz_event *e, const char *name)
{
    char *end;
    if (name[0] != 'r' || name[1] == '\0')
        return false;
    e->attr.config = strtoull(name + 1, &end, 16);
    e->attr.type = PERF_TYPE_RAW;
    return *end == '\0';
}

static bool parse_known(brz_event *e, const char *name)
{
    for (size_t i = 0; i < N_KNOWN; i++)
        if (strcmp(known[i].name, name) == 0) {
            e->attr.type = known[i].type;
            e->attr.config = known[i].config;
            return true;
        }
    return parse_raw(e, name);
}

static void refuse(const char *name, brz_buf *error)
{
    brz_suggestion near = {.typed = brz_str_of(name, strlen(name))};
    for (size_t i = 0; i < N_KNOWN; i++)
        brz_suggestion_offer(&near, known[i].name);
    brz_buf_printf(error, "no event '%s'", name);
    if (near.best != NULL)
        brz_suggestion_add(&near, error);
    else
        brz_buf_add_text(error, " (cycles, cpu-clock, page-faults, context-switches and others, or "
                                "a tracepoint such as sched:sched_switch)");
}

bool brz_event_parse(brz_event *e, brz_str word, brz_buf *error)
{
    *e = (brz_event){.attr.size = BRZ_ATTR_SIZE};
    brz_str name = take_modifier(e, word);
    snprintf(e->name, sizeof e->name, "%.*s", (int)word.len, word.data);
    if (name.len > 0 && memchr(name.data, ':', name.len) != NULL)
        return parse_tracepoint(e, name, error);
    char text[sizeof e->name];
    snprintf(text, sizeof text, "%.*s", (int)name.len, name.data);
    bool good = name.len < sizeof text && parse_known(e, text);
    if (!good)
        refuse(text, error);
    return good;
}

bool brz_event_is_tracepoint(const brz_event *e)
{
    return e->attr.type == PERF_TYPE_TRACEPOINT;
}

bool brz_event_is_software(const brz_event *e, uint64_t config)
{
    return e->attr.type == PERF_TYPE_SOFTWARE && e->attr.config == config;
}

bool brz_event_counts_each(const brz_event *e)
{
    return brz_event_is_tracepoint(e) || brz_event_is_software(e, PERF_COUNT_SW_CONTEXT_SWITCHES) ||
           brz_event_is_software(e, PERF_COUNT_SW_CPU_MIGRATIONS);
}

void brz_event_use_clock(brz_event *e)
{
    e->attr.type = PERF_TYPE_SOFTWARE;
    e->attr.config = PERF_COUNT_SW_CPU_CLOCK;
    snprintf(e->name, sizeof e->name, "cpu-clock");
}

void brz_event_finish(brz_event *e)
{
    free(e->ids);
    e->ids = NULL;
}
