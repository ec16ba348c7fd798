/* SPDX-License-Identifier: MIT */
/* A collapser whose input names files that it opens: lines of "open NAME" and "cut NAME", which
 * shortens the file while it is mapped. Each line becomes a stack of the status and the beginning
 * of the file. */
#define _GNU_SOURCE
#include <brazier/line_format.h>
#include <brazier/plugin.h>
#include <brazier/symbol.h>

#include <stdio.h>
#include <unistd.h>

static void add_file(brz_line_sample *sample, brz_str name, bool cut, uint32_t flags)
{
    char text[200];
    brz_related_file file = {.struct_size = sizeof file};
    int32_t status = sample->ctx->host->open_related(sample->ctx, name, flags, &file);
    if (cut) {
        snprintf(text, sizeof text, "%.*s", (int)file.path.len, file.path.data);
        sample->value += truncate(text, 0);
        sample->value += file.data[0]; /* zeros are what is left */
    }
    const char *data = (const char *)file.data;
    volatile char slack = (char)(data[-4096] + data[file.len + 63]);
    (void)slack;
    snprintf(text, sizeof text, "%d %zu %.*s", (int)status, file.len,
             (int)(file.len < 20 ? file.len : 20), data);
    brz_line_frame(sample, brz_str_of(text, strlen(text)));
}

static int32_t read_line(brz_line_sample *sample, brz_str line)
{
    brz_str verb, name;
    if (!brz_cut_first(line, ' ', &verb, &name))
        return BRZ_LINE_ODD;
    if (sample->ctx == NULL)
        brz_line_frame(sample, name);
    else
        add_file(sample, name, brz_str_equal(verb, BRZ_STR("cut")),
                 brz_str_equal(verb, BRZ_STR("named")) ? BRZ_RELATED_BY_INPUT : 0);
    return BRZ_LINE_SAMPLE;
}

BRZ_LINE_COLLAPSER(collapser, read_line, 0)

static const brz_component component = {
    .struct_size = sizeof component,
    .kind = BRZ_COLLAPSER,
    .id = "related",
    .summary = "files",
    .vtable = &collapser,
};

static const brz_component *const components[] = {&component, NULL};

BRZ_PLUGIN("related", "1.0", "MIT", "https://example.org/bugs", components)
