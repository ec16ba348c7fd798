/* SPDX-License-Identifier: MIT */
/* Measures the cost of the plug-in boundary: folds a file with the perf collapser linked into this
 * program and, in turns, with the same sources as a loaded plug-in. Prints the least time of each
 * in nanoseconds: "LINKED LOADED".
 *
 *     boundary PLUGIN FILE ROUNDS
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "collapse/collapse.h"
#include "plugin/options.h"

extern const brz_plugin BRZ_PLUGIN_ENTRY;

static uint64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Folds the file once. Returns the time it took. */
static uint64_t fold(const brz_plugin *plugin, const char *path)
{
    brz_console console = {.out = stderr, .verbosity = -1};
    brz_run run = {.console = &console};
    brz_buf error = {0};
    const brz_component *c = plugin->components[0];
    brz_loaded loaded = {.component = c,
                         .vtable = c->vtable,
                         .plugin = plugin->name,
                         .version = plugin->version,
                         .bugs_url = "",
                         .path = ""};
    brz_options *options = brz_options_create(c, &error);
    brz_source *source = brz_source_open(path, BRZ_DECODE_TEXT, &error);
    brz_collapse_options how = {.threads = 1};
    brz_collected collected = {0};
    brz_feed feed;
    if (options == NULL || source == NULL) {
        fprintf(stderr, "%s\n", brz_buf_text(&error));
        exit(1);
    }
    uint64_t start = now();
    brz_feed_init(&feed, source);
    bool good = brz_collapse(&feed, &loaded, options->cfg, &run, &how, &collected);
    uint64_t time = now() - start;
    if (!good)
        exit(1);
    brz_profile_destroy(collected.profile);
    brz_notices_finish(&collected.reports);
    brz_feed_finish(&feed);
    brz_source_close(source);
    brz_options_destroy(options);
    return time;
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    void *handle = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    const brz_plugin *loaded = handle == NULL ? NULL : dlsym(handle, BRZ_PLUGIN_SYMBOL);
    if (loaded == NULL) {
        fprintf(stderr, "%s\n", dlerror());
        return 1;
    }
    uint64_t least[2] = {UINT64_MAX, UINT64_MAX};
    for (long round = atol(argv[3]); round > 0; round--) {
        uint64_t times[2] = {fold(&BRZ_PLUGIN_ENTRY, argv[2]), fold(loaded, argv[2])};
        for (int i = 0; i < 2; i++)
            least[i] = times[i] < least[i] ? times[i] : least[i];
    }
    printf("%llu %llu\n", (unsigned long long)least[0], (unsigned long long)least[1]);
    return 0;
}
