/* SPDX-License-Identifier: MIT */
/* Fuzzes configurations: from the bytes of a file to pipelines that are ready to run.
 *
 * For any file, building its pipelines results in a pipeline that can be described, or in a
 * message. Building a pipeline reads and writes no other files.
 */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>

#include "run/pipeline.h"

/* Enough to detect side effects of one pipeline on the next. */
#define MOST_PIPELINES 4

static void build(brz_session *s, const char *name)
{
    static brz_input inputs[] = {{.name = "/dev/null"}};
    static brz_output_request outputs[] = {{.name = "/dev/null"}};
    brz_verdict verdict = BRZ_VERDICT_OK;
    brz_request r = {.pipeline = name, .inputs = inputs, .n_inputs = 1};
    if (name == NULL) {
        r.outputs = outputs;
        r.n_outputs = 1;
        r.to = "svg";
    }
    brz_pipeline *p = brz_pipeline_create(s, &r, &verdict);
    /* errors at a position are reported once; another pipeline may have caused the report */
    FUZZ_REQUIRE(p != NULL || atomic_load(&s->console.errors) > 0, "refused without a word");
    FUZZ_REQUIRE((p == NULL) == (verdict != BRZ_VERDICT_OK), "the verdict is wrong");
    brz_buf b = {0};
    if (p != NULL)
        brz_pipeline_describe(p, "p", &b);
    brz_buf_finish(&b);
    brz_pipeline_destroy(p);
}

static void build_all(brz_session *s)
{
    const brz_yaml *pipelines = brz_config_near_section(s->config, "pipelines");
    bool is_map = pipelines != NULL && pipelines->type == BRZ_YAML_MAP;
    const brz_yaml *n = is_map ? pipelines->first : NULL;
    build(s, NULL);
    for (int i = 0; n != NULL && i < MOST_PIPELINES; n = n->next, i++)
        build(s, n->key->text.data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *said = NULL;
    size_t n_said;
    brz_session s = {.console.out = open_memstream(&said, &n_said)};
    const brz_registry_options shipped = {.shipped_only = true};
    const brz_config_options config = {.file = "/proc/self/fd/0", .none = true};
    fuzz_stdin_file(data, size);
    s.registry = brz_registry_create(&shipped, &s.console);
    s.config = brz_config_load(&config, s.registry, &s.console);
    FUZZ_REQUIRE(s.config != NULL || atomic_load(&s.console.errors) > 0, "refused without a word");
    if (s.config != NULL)
        build_all(&s);
    brz_config_destroy(s.config);
    brz_registry_destroy(s.registry);
    fclose(s.console.out);
    free(said);
    return 0;
}

bool fuzz_variant(unsigned i, fuzz_settings *s)
{
    (void)i;
    (void)s;
    return false;
}
