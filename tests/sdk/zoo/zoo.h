/* SPDX-License-Identifier: MIT */
/* Definitions common to the animals: a collapser that counts lines, and initialisers of every
 * struct. Each animal changes one member to an invalid value. */
#ifndef BRZ_ZOO_H
#define BRZ_ZOO_H

#include <brazier/plugin.h>

#include <string.h>

__attribute__((unused)) static int32_t sniff(const brz_head *head)
{
    (void)head;
    return BRZ_SNIFF_NO;
}

/* Counts lines, as one sample of the frame "lines". */
__attribute__((unused)) static brz_rc parse(brz_ctx *ctx, const brz_chunk *chunk, size_t *used)
{
    brz_frame frame = ctx->host->intern(ctx, "lines", 5);
    int64_t lines = 0;
    for (size_t i = 0; i < chunk->len; i++)
        lines += chunk->data[i] == '\n';
    *used = chunk->len;
    return ctx->host->emit(ctx, &frame, 1, lines, 0);
}

#define COLLAPSER .struct_size = sizeof(brz_collapser), .sniff = sniff, .parse = parse

#define COMPONENT_OF(kind_, vtable_)                                                               \
    .struct_size = sizeof(brz_component), .kind = kind_, .id = "zoo", .summary = "an animal",      \
    .vtable = vtable_

#define COMPONENT COMPONENT_OF(BRZ_COLLAPSER, &collapser)

/* An option, and the component that has it. */
struct config {
    int64_t number;
    brz_str text;
    int32_t choice;
    bool flag;
};

#define COUNT_OPTION                                                                               \
    .name = "number", .type = BRZ_OPTION_INT, .offset = offsetof(struct config, number),           \
    .help = "a number"

#define WITH_OPTIONS                                                                               \
    .options = options, .n_options = BRZ_COUNT_OF(options), .option_size = sizeof(brz_option),     \
    .cfg_size = sizeof(struct config)

#define ENTRY                                                                                      \
    .magic = BRZ_PLUGIN_MAGIC, .struct_size = sizeof(brz_plugin), .abi_major = BRZ_ABI_MAJOR,      \
    .abi_minor = BRZ_TARGET_MINOR, .name = "zoo", .version = "1.0", .license = "MIT",              \
    .bugs_url = "https://example.org/zoo", .components = components,                               \
    .sdk_version = BRZ_SDK_VERSION

/* The components of most animals. */
#define ONE_COMPONENT static const brz_component *const components[] = {&component, NULL};

#define ZOO_PLUGIN                                                                                 \
    ONE_COMPONENT                                                                                  \
    BRZ_PLUGIN("zoo", "1.0", "MIT", "https://example.org/zoo", components)

/* Defines an animal's own entry with a valid note. */
#define ZOO_ENTRY(...)                                                                             \
    BRZ_PLUGIN_NOTE                                                                                \
    BRZ_EXTERN_C BRZ_EXPORT const brz_plugin BRZ_PLUGIN_ENTRY;                                     \
    const brz_plugin BRZ_PLUGIN_ENTRY = {ENTRY, __VA_ARGS__};

/* Defines an animal's own note with a valid entry. */
#define ZOO_NOTE(owner, type, major, minor)                                                        \
    __attribute__((used, section(".note.brz.plugin"),                                              \
                   aligned(4))) static const brz_plugin_note own_note = {                          \
        8, 12, type, owner, major, minor, BRZ_SDK_VERSION};                                        \
    BRZ_EXTERN_C BRZ_EXPORT const brz_plugin BRZ_PLUGIN_ENTRY;                                     \
    const brz_plugin BRZ_PLUGIN_ENTRY = {ENTRY};

#endif
