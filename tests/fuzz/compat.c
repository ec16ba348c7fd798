/* SPDX-License-Identifier: MIT */
/* A fuzz target around the command lines of other tools: the input is the name of a tool, or its
 * number, and its words, each ended by a line break.
 *
 * The words are refused with a message and a status of the tool, answered (--help), or become words
 * of ours, which our own command takes or refuses with a message. Nothing is run.
 */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cli.h"
#include "compat/compat.h"
#include "component_options.h"

#define MOST_WORDS 64

static const char *const tools[] = {
    "inferno-collapse-dtrace",
    "inferno-collapse-ghcprof",
    "inferno-collapse-guess",
    "inferno-collapse-perf",
    "inferno-collapse-recursive",
    "inferno-collapse-sample",
    "inferno-collapse-vsprof",
    "inferno-collapse-vtune",
    "inferno-collapse-xctrace",
    "inferno-diff-folded",
    "inferno-flamegraph",
    "cargo-brazier",
    "cargo-flamegraph",
    "flamegraph",
    "difffolded.pl",
    "flamegraph.pl",
    "stackcollapse-bpftrace.pl",
    "stackcollapse-perf.pl",
    "stackcollapse-recursive.pl",
    "stackcollapse-sample.awk",
    "stackcollapse-vsprof.pl",
    "stackcollapse-vtune.pl",
    "stackcollapse-xdebug.php",
    "stackcollapse.pl",
};

#define N_TOOLS (sizeof tools / sizeof tools[0])

/* ---- words --------------------------------------------------------------------------------- */

/* Splits the input into words, the first of which is a path that ends in a tool's name. */
static char **split(const uint8_t *data, size_t size, uint8_t which)
{
    char *text = brz_malloc(size + 1);
    char **words = brz_calloc(MOST_WORDS + 2, sizeof *words);
    size_t n = 1;
    memcpy(text, data, size);
    text[size] = '\0';
    words[0] = (char *)(uintptr_t)tools[which % N_TOOLS];
    words[MOST_WORDS + 1] = text; /* to be freed */
    for (char *at = text; *at != '\0' && n < MOST_WORDS;) {
        char *end = at + strcspn(at, "\n");
        bool is_last = *end == '\0';
        *end = '\0';
        words[n++] = at;
        at = end + !is_last;
    }
    return words;
}

static void forget(char **words)
{
    free(words[MOST_WORDS + 1]);
    free(words);
}

/* ---- our own command ----------------------------------------------------------------------- */

static const cli_option *const tables[] = {cli_other_names, NULL};

static cli_syntax syntax_of(const char *command)
{
    cli_syntax s = {.tables = tables, .sections = BRZ_RUN_SECTIONS, .output = "folded"};
    s.names_format = strcmp(command, "collapse") == 0;
    s.compares = strcmp(command, "diff") == 0;
    if (strcmp(command, "flamegraph") == 0)
        s.format = "folded";
    return s;
}

static brz_session *open_session(void)
{
    static brazier_session session = {.core.console.verbosity = -1};
    brz_session *s = &session.core;
    const brz_registry_options shipped = {.shipped_only = true};
    const brz_config_options none = {.none = true};
    if (s->registry != NULL)
        return s;
    s->registry = brz_registry_create(&shipped, &s->console);
    s->config = brz_config_load(&none, s->registry, &s->console);
    FUZZ_REQUIRE(s->config != NULL, "no shipped configuration");
    return s;
}

/* Takes words of ours as the command would. */
static void take_ours(char **words)
{
    brz_session *s = open_session();
    size_t errors = s->console.errors;
    cli_request request = {0};
    cli_globals globals = {.console = &s->console};
    FUZZ_REQUIRE(words[0] != NULL, "no command");
    const cli_syntax syntax = syntax_of(words[0]);
    bool good = cli_globals_take(&globals, words + 1, &s->console) &&
                cli_request_words(s, &syntax, words + 1, &request);
    FUZZ_REQUIRE(good || s->console.errors > errors, "refused without a message");
    cli_request_finish(&request);
    free(globals.plugin_files);
    free(globals.plugin_dirs);
}

/* ---- the target ---------------------------------------------------------------------------- */

/* Help goes nowhere; what a sanitizer and FUZZ_REQUIRE have to say is written to the descriptor.
 * Only glibc has a stderr that can be assigned. */
static void mute(void)
{
    static bool is_muted;
    if (!is_muted)
        FUZZ_REQUIRE(freopen("/dev/null", "w", stdout) != NULL, "no /dev/null");
#if defined(__GLIBC__)
    stderr = stdout;
#endif
    is_muted = true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_settings s = fuzz_take_settings(data, &size);
    char **words = split(data, size, s.way);
    brz_console console = {.verbosity = -1};
    cli_compat c;
    mute();
    int status = cli_compat_init(&c, words, &console);
    FUZZ_REQUIRE(status >= -1 && status <= 255, "status %d", status);
    FUZZ_REQUIRE(status <= 0 || console.errors > 0, "refused without a message");
    if (status < 0)
        take_ours(c.words);
    cli_compat_finish(&c);
    forget(words);
    return 0;
}

/* Each tool. */
bool fuzz_variant(unsigned i, fuzz_settings *s)
{
    s->way = (uint8_t)i;
    return i < N_TOOLS;
}
