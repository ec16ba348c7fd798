/* SPDX-License-Identifier: MIT */
/* Parses names of events. */
#include "record/event.h"

#include <brazier/symbol.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "record/tracefs.h"
#include "record/request.h"

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

#define N_KNOWN BRZ_COUNT_OF(known)

/* ---- modifiers ------------------------------------------------------------------------------ */

/* Letters that modify events for perf. */
#define MODIFIERS "ukhGHpPSDWeIb"

/* The highest precision that p requests, once per letter. */
#define PRECISION_MAX 3

/* Returns the part of a word after its first colon, or an empty text. */
static brz_str after_colon(brz_str word)
{
    const char *colon = word.len > 0 ? memchr(word.data, ':', word.len) : NULL;
    const char *end = word.data + word.len;
    return colon == NULL ? brz_str_of("", 0) : brz_str_of(colon + 1, (size_t)(end - colon) - 1);
}

/* Returns the part of a word in front of its first colon, or all of it. */
static brz_str before_colon(brz_str word)
{
    const char *colon = word.len > 0 ? memchr(word.data, ':', word.len) : NULL;
    return colon == NULL ? word : brz_str_of(word.data, (size_t)(colon - word.data));
}

static bool are_modifiers(brz_str letters)
{
    for (size_t i = 0; i < letters.len; i++)
        if (strchr(MODIFIERS, letters.data[i]) == NULL || letters.data[i] == '\0')
            return false;
    return letters.len > 0;
}

/* Applies a letter. Returns false if it has no meaning here. */
static bool apply_modifier(brz_event *e, char letter)
{
    e->user_only |= letter == 'u';
    e->kernel_only |= letter == 'k';
    if (letter == 'p' && e->attr.precise_ip < PRECISION_MAX)
        e->attr.precise_ip++;
    return letter == 'u' || letter == 'k' || letter == 'p';
}

/* Applies the letters after the colon of an event; u and k together exclude nothing. */
static bool apply_modifiers(brz_event *e, brz_str word, brz_str letters, brz_buf *error)
{
    for (size_t i = 0; i < letters.len; i++) {
        if (apply_modifier(e, letters.data[i]))
            continue;
        brz_buf_printf(error, "no modifier '%c' in '%.*s' (u: programs, k: the kernel, p: precise)",
                       letters.data[i], (int)word.len, word.data);
        return false;
    }
    bool is_both = e->user_only && e->kernel_only;
    e->user_only &= !is_both;
    e->kernel_only &= !is_both;
    return true;
}

/* ---- kinds of events ------------------------------------------------------------------------ */

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

/* Returns the known event whose name is near a word, if there is one. */
static brz_suggestion near_event(brz_str word)
{
    brz_suggestion near = {.typed = word};
    for (size_t i = 0; i < N_KNOWN; i++)
        brz_suggestion_offer(&near, known[i].name);
    return near;
}

static void refuse(brz_str name, brz_buf *error)
{
    brz_suggestion near = near_event(name);
    brz_buf_printf(error, "no event '%.*s'", (int)name.len, name.data);
    if (near.best != NULL)
        brz_suggestion_add(&near, error);
    else
        brz_buf_add_text(error, " (cycles, cpu-clock, page-faults, context-switches and others, or "
                                "a tracepoint such as sched:sched_switch)");
}

/* Parses a known event with modifiers. Returns false if the name is not known. */
static bool parse_named(brz_event *e, brz_str name)
{
    char text[sizeof e->name];
    snprintf(text, sizeof text, "%.*s", (int)name.len, name.data);
    return name.len < sizeof text && parse_known(e, text);
}

/* Returns whether a word is SYSTEM:NAME rather than a misspelt event with modifiers. */
static bool is_tracepoint(brz_str word)
{
    brz_str rest = after_colon(word);
    return before_colon(word).len > 0 && rest.len > 0 &&
           !(are_modifiers(rest) && near_event(before_colon(word)).best != NULL);
}

/* Returns the tracepoint of a word, SYSTEM:NAME without modifiers. */
static brz_str tracepoint_of(brz_str word)
{
    brz_str modifiers = after_colon(after_colon(word));
    return brz_str_of(word.data, word.len - (modifiers.len > 0 ? modifiers.len + 1 : 0));
}

/* Applies the modifiers of a tracepoint. */
static bool modify_tracepoint(brz_event *e, brz_str word, brz_buf *error)
{
    return apply_modifiers(e, word, after_colon(after_colon(word)), error);
}

/* Parses a tracepoint with modifiers. */
static bool parse_tracepoint(brz_event *e, brz_str word, brz_buf *error)
{
    uint64_t id;
    if (!modify_tracepoint(e, word, error) || !brz_tracepoint_id(tracepoint_of(word), &id, error))
        return false;
    e->attr.type = PERF_TYPE_TRACEPOINT;
    e->attr.config = id;
    return true;
}

bool brz_event_parse(brz_event *e, brz_str word, brz_buf *error)
{
    *e = (brz_event){.attr.size = BRZ_ATTR_SIZE};
    snprintf(e->name, sizeof e->name, "%.*s", (int)word.len, word.data);
    if (!brz_ends_with(word, BRZ_STR(":")) && parse_named(e, before_colon(word)))
        return apply_modifiers(e, word, after_colon(word), error);
    if (is_tracepoint(word))
        return parse_tracepoint(e, word, error);
    refuse(are_modifiers(after_colon(word)) ? before_colon(word) : word, error);
    return false;
}

bool brz_event_may_exist(brz_str word, brz_buf *error)
{
    brz_event e;
    brz_buf why = {0};
    bool may_exist = brz_event_parse(&e, word, &why);
    bool is_hidden = !may_exist && !parse_named(&e, before_colon(word)) && is_tracepoint(word) &&
                     brz_tracepoint_may_exist(tracepoint_of(word));
    brz_buf ignored = {0};
    may_exist |= is_hidden && modify_tracepoint(&e, word, &ignored);
    if (!may_exist)
        brz_buf_add_str(error, brz_buf_str(&why));
    brz_buf_finish(&ignored);
    brz_buf_finish(&why);
    return may_exist;
}

brz_str brz_event_tracepoint(const brz_event *e)
{
    return tracepoint_of(brz_str_of_text(e->name));
}

bool brz_event_is_tracepoint(const brz_event *e)
{
    return e->attr.type == PERF_TYPE_TRACEPOINT;
}

static bool is_software(const brz_event *e, uint64_t config)
{
    return e->attr.type == PERF_TYPE_SOFTWARE && e->attr.config == config;
}

bool brz_event_counts_each(const brz_event *e)
{
    return brz_event_is_tracepoint(e) || is_software(e, PERF_COUNT_SW_CONTEXT_SWITCHES) ||
           is_software(e, PERF_COUNT_SW_CPU_MIGRATIONS);
}

void brz_event_slow_clock(brz_event *e)
{
    bool is_clock =
        is_software(e, PERF_COUNT_SW_CPU_CLOCK) || is_software(e, PERF_COUNT_SW_TASK_CLOCK);
    if (!is_clock || !e->attr.freq || e->attr.sample_freq <= BRZ_FREQUENCY_CLOCK)
        return;
    e->attr.sample_freq = BRZ_FREQUENCY_CLOCK;
    e->is_slowed = true;
}

void brz_event_use_clock(brz_event *e)
{
    e->attr.type = PERF_TYPE_SOFTWARE;
    e->attr.config = PERF_COUNT_SW_CPU_CLOCK;
    snprintf(e->name, sizeof e->name, "cpu-clock");
    brz_event_slow_clock(e);
}

void brz_event_finish(brz_event *e)
{
    free(e->ids);
    e->ids = NULL;
}
