/* SPDX-License-Identifier: MIT */
/* Reads the features of a recording. */
#include "features.h"

#include <brazier/symbol.h>

/* Bit of `misc`: the length of a build id stands after it. */
#define MISC_BUILD_ID_SIZE (1u << 15)

/* Maximum number of words of a command line. */
#define WORDS_MAX 4096

static brz_metadata empty_facts(void)
{
    return (brz_metadata){.struct_size = sizeof(brz_metadata), .pair_size = sizeof(brz_pair)};
}

static void state(recording *p, const brz_metadata *m)
{
    p->ctx->host->metadata(p->ctx, m);
}

/* Takes a text with its length in front. */
static brz_str take_text(brz_bytes *b)
{
    return brz_bytes_padded_text(b, brz_bytes_u32(b));
}

/* ---- facts ---------------------------------------------------------------------------------- */

static void state_pair(recording *p, brz_str key, brz_str value)
{
    brz_metadata m = empty_facts();
    brz_pair pair = {key, value};
    m.pairs = &pair;
    m.n_pairs = value.len > 0;
    state(p, &m);
}

static void state_producer(recording *p, brz_str version)
{
    brz_metadata m = empty_facts();
    brz_text *t = &p->frames.scratch;
    t->len = 0;
    p->is_own = brz_starts_with(version, BRZ_STR("brazier "));
    if (!p->is_own)
        brz_text_append(t, p->ctx, BRZ_STR("perf "));
    brz_text_append(t, p->ctx, version);
    m.producer = brz_text_str(t);
    state(p, &m);
}

/* States the command line: its words, joined by blanks. */
static void state_command(recording *p, brz_bytes *b)
{
    brz_metadata m = empty_facts();
    brz_text *t = &p->frames.scratch;
    uint32_t n = brz_bytes_u32(b);
    t->len = 0;
    for (uint32_t i = 0; i < n && i < WORDS_MAX && b->error == NULL; i++) {
        brz_text_append(t, p->ctx, i > 0 ? BRZ_STR(" ") : BRZ_STR(""));
        brz_text_append(t, p->ctx, take_text(b));
    }
    m.command = brz_text_str(t);
    if (b->error == NULL)
        state(p, &m);
}

/* States when the recording began, on both clocks. */
static void state_clock(recording *p, brz_bytes *b)
{
    brz_metadata m = empty_facts();
    brz_bytes_skip(b, 8);
    m.start = word_clamped(brz_bytes_u64(b));
    m.clock_start = word_clamped(brz_bytes_u64(b));
    if (b->error == NULL)
        state(p, &m);
}

static void state_duration(recording *p, brz_bytes *b)
{
    brz_metadata m = empty_facts();
    uint64_t first = brz_bytes_u64(b), last = brz_bytes_u64(b);
    m.duration = last > first ? word_clamped(last - first) : 0;
    if (b->error == NULL)
        state(p, &m);
}

/* Keeps the machine to which the registers of samples belong. */
static void take_machine(recording *p, brz_str name)
{
    if (name.len == 0)
        return;
    bool is_arm64 = brz_str_is(name, "aarch64") || brz_str_is(name, "aarch64_be");
    p->machine = is_arm64                     ? MACHINE_ARM64
                 : brz_str_is(name, "x86_64") ? MACHINE_X86_64
                                              : MACHINE_OTHER;
}

/* States the release of the kernel. */
static void state_release(recording *p, brz_str text)
{
    p->symbols.release = brz_text_keep(p->ctx, text);
    state_pair(p, BRZ_STR("os_release"), text);
}

static void state_text(recording *p, uint64_t feature, brz_str text)
{
    brz_metadata m = empty_facts();
    if (feature == FEATURE_HOSTNAME)
        m.host = p->symbols.host = brz_text_keep(p->ctx, text);
    else
        m.architecture = text;
    if (feature == FEATURE_ARCH)
        take_machine(p, text);
    state(p, &m);
}

/* ---- names of events ------------------------------------------------------------------------ */

/* Names the event that has one of the ids, or the one at this position if it has none. */
static void name_event(recording *p, brz_bytes *ids, uint32_t position, brz_str name)
{
    bool has_ids = brz_bytes_left(ids) >= 8;
    while (brz_bytes_left(ids) >= 8) {
        uint32_t i = pair_map_find(&p->events.ids, brz_bytes_u64(ids), 0);
        if (i != PAIR_MISS)
            events_name(&p->events, p->ctx, i, name);
    }
    if (!has_ids)
        events_name(&p->events, p->ctx, position, name);
}

static void read_descriptions(recording *p, brz_bytes *b)
{
    uint32_t n = brz_bytes_u32(b), attr = brz_bytes_u32(b);
    for (uint32_t i = 0; i < n && b->error == NULL; i++) {
        brz_bytes_skip(b, attr);
        uint64_t n_ids = brz_bytes_u32(b);
        brz_str name = take_text(b);
        brz_bytes ids = brz_bytes_part(b, 8 * n_ids);
        if (b->error == NULL)
            name_event(p, &ids, i, name);
    }
}

/* ---- build ids ------------------------------------------------------------------------------ */

/* Cuts groups of four zeros off the end: older versions of perf pad shorter ids. */
static uint32_t length_of(const uint8_t *bytes)
{
    static const uint8_t zeros[4];
    uint32_t n = BUILD_ID_MAX;
    while (n > 0 && memcmp(bytes + n - 4, zeros, 4) == 0)
        n -= 4;
    return n;
}

void features_read_build_id(recording *p, uint16_t misc, brz_bytes b)
{
    build_id id = {.len = 0};
    brz_bytes_skip(&b, 4);
    brz_str bytes = brz_bytes_text(&b, BUILD_ID_MAX);
    uint8_t size = brz_bytes_u8(&b);
    brz_bytes_skip(&b, 3);
    brz_str name = brz_bytes_padded_text(&b, brz_bytes_left(&b));
    if (b.error != NULL)
        return;
    memcpy(id.bytes, bytes.data, BUILD_ID_MAX);
    id.len = misc & MISC_BUILD_ID_SIZE ? size : length_of(id.bytes);
    if (id.len <= BUILD_ID_MAX)
        modules_add_build_id(&p->modules, p->ctx, modules_name_in_kernel(name), &id);
}

static void read_build_ids(recording *p, brz_bytes *b)
{
    while (brz_bytes_left(b) >= 8 && b->error == NULL) {
        const uint8_t *at = b->at;
        brz_bytes_skip(b, 4);
        uint16_t misc = brz_bytes_u16(b), size = brz_bytes_u16(b);
        if (size < 8) {
            brz_bytes_fail_at(b, at, "a build id without a size");
            return;
        }
        brz_bytes body = brz_bytes_part(b, size - 8u);
        if (b->error == NULL)
            features_read_build_id(p, misc, body);
    }
}

/* ---- tracepoints ---------------------------------------------------------------------------- */

void features_read_tracing(recording *p, brz_bytes b)
{
    p->tracing = b;
    if (p->off.is_on && brz_bytes_left(&b) > 0 && !tracepoints_read(&p->tracepoints, p->ctx, b))
        recording_warn(p, "perf-data.tracing-data", b.at,
                       BRZ_STR("the description of tracepoints is damaged"));
}

/* ---- features ------------------------------------------------------------------------------- */

static void take(recording *p, uint64_t feature, brz_bytes *b)
{
    switch (feature) {
    case FEATURE_TRACING_DATA:
        features_read_tracing(p, *b);
        break;
    case FEATURE_BUILD_ID:
        read_build_ids(p, b);
        break;
    case FEATURE_HOSTNAME:
    case FEATURE_ARCH:
        state_text(p, feature, take_text(b));
        break;
    case FEATURE_OSRELEASE:
        state_release(p, take_text(b));
        break;
    case FEATURE_CPUDESC:
        state_pair(p, BRZ_STR("cpu"), take_text(b));
        break;
    case FEATURE_VERSION:
        state_producer(p, take_text(b));
        break;
    case FEATURE_CMDLINE:
        state_command(p, b);
        break;
    case FEATURE_EVENT_DESC:
        read_descriptions(p, b);
        break;
    case FEATURE_SAMPLE_TIME:
        state_duration(p, b);
        break;
    case FEATURE_NAMESPACES:
        containers_read(&p->symbols.containers, p->ctx, b);
        break;
    case FEATURE_CLOCK_DATA:
        state_clock(p, b);
        break;
    default:
        break;
    }
}

void features_read(recording *p, uint64_t feature, brz_bytes b)
{
    take(p, feature, &b);
    if (b.error != NULL)
        recording_warn(p, "perf-data.feature", b.error_at,
                       BRZ_STR("a part of the recording's description is damaged"));
}

/* Warns about a recording that begins where this one ends, at an offset. */
static void check_end(recording *p, uint64_t end)
{
    if (end > p->len || p->len - end < 8 || memcmp(p->data + end, p->data, 8) != 0)
        return;
    recording_warn(
        p, "perf-data.another", p->data + end,
        BRZ_STR(
            "another recording follows, which is not read: give each one as a file of its own"));
}

void features_read_all(recording *p)
{
    section s;
    size_t n = 0;
    uint64_t end = p->header.data.offset + p->header.data.size;
    if (p->header.is_pipe || p->header.is_cut)
        return;
    for (uint32_t feature = 0; feature < FEATURES_MAX; feature++) {
        if (!header_has(&p->header, feature))
            continue;
        if (!header_feature(&p->header, p->data, p->len, n++, &s)) {
            recording_warn(p, "perf-data.features", p->data + p->len,
                           BRZ_STR("the recording's description is cut off"));
            return;
        }
        brz_bytes b = brz_bytes_of(p->data, p->len);
        b.order = p->header.order;
        features_read(p, feature, brz_bytes_part_at(&b, s.offset, s.size));
        end = end > s.offset + s.size ? end : s.offset + s.size;
    }
    check_end(p, end);
}
