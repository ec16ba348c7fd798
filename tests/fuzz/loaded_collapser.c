/* SPDX-License-Identifier: MIT */
/* Runs the fuzz target of any collapser over files, with the plug-in as it is shipped: one program
 * for all of them takes a fraction of the time to build.
 *
 *     replay_collapser PLUGIN ID FORMAT FILE-OR-FOLDER...
 *
 * FORMAT is the file of a shipped format whose options the collapser has, or a hyphen.
 */
#include "collapser.h"
#include "fuzz.h"

#include <dlfcn.h>
#include <string.h>

static fuzz_collapser *the_collapser(void)
{
    static fuzz_collapser loaded;
    return &loaded;
}

const fuzz_collapser *fuzz_the_collapser(void)
{
    return the_collapser();
}

static const brz_plugin *load(const char *file)
{
    void *plugin = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    FUZZ_REQUIRE(plugin != NULL, "%s", dlerror());
    const brz_plugin *entry = dlsym(plugin, BRZ_PLUGIN_SYMBOL);
    FUZZ_REQUIRE(entry != NULL, "%s", dlerror());
    return entry;
}

int main(int argc, char **argv)
{
    FUZZ_REQUIRE(argc > 4, "usage: replay_collapser PLUGIN ID FORMAT FILE-OR-FOLDER...");
    const char *format = strcmp(argv[3], "-") == 0 ? "" : argv[3];
    *the_collapser() = (fuzz_collapser){load(argv[1]), argv[2], format};
    return fuzz_replay(argv + 4);
}
