/* SPDX-License-Identifier: MIT */
/* Runs of whole pipelines in memory. */
#include "pipeline.h"

#include "fuzz.h"

#include <string.h>

/* The session of all runs: plug-ins are loaded once. */
static brz_session *open_session(void)
{
    static brz_session s = {.console.verbosity = -1};
    const brz_registry_options shipped = {.shipped_only = true};
    const brz_config_options none = {.none = true};
    if (s.registry != NULL)
        return &s;
    s.registry = brz_registry_create(&shipped, &s.console);
    s.config = brz_config_load(&none, s.registry, &s.console);
    FUZZ_REQUIRE(s.config != NULL, "no shipped configuration");
    return &s;
}

static int keep(void *to, const void *data, size_t len)
{
    brz_buf_add(to, data, len);
    return 0;
}

/* Records in the boolean `to` that an input is refused for its format. */
static void note_format(void *to, const brz_notice *n)
{
    if (n->code != NULL && strcmp(n->code, BRZ_SAYS_FORMAT) == 0)
        *(bool *)to = true;
}

bool fuzz_run(const brz_request *request, brz_buf *out, bool *other_format)
{
    brz_session *s = open_session();
    bool refused_format = false;
    brz_request r = *request;
    brz_output_request output = {.format = "folded", .write = keep, .context = out};
    brz_verdict verdict = BRZ_VERDICT_USAGE;
    brz_run run = {.console = &s->console};
    size_t errors = s->console.errors;
    s->console.report = note_format;
    s->console.to = &refused_format;
    r.no_pipeline = true;
    r.outputs = &output;
    r.n_outputs = 1;
    r.threads = 1;
    brz_pipeline *p = brz_pipeline_create(s, &r, &verdict);
    if (p != NULL)
        verdict = brz_pipeline_run(p, &run);
    brz_pipeline_destroy(p);
    FUZZ_REQUIRE(verdict == BRZ_VERDICT_OK || s->console.errors > errors,
                 "failed without a message");
    s->console.report = NULL;
    s->console.to = NULL;
    if (other_format != NULL)
        *other_format = refused_format;
    return verdict == BRZ_VERDICT_OK;
}
