/* SPDX-License-Identifier: MIT */
/* Defines the plug-ins that brazier ships, which have one component each. */
#ifndef SHIPPED_H
#define SHIPPED_H

#include <brazier/plugin.h>

/* Defines a plug-in with one component, both named `id_`. The further arguments initialise members
 * of its brz_component: summary, help, BRZ_OPTIONS(). Use it once per plug-in. */
#define SHIPPED_PLUGIN(id_, kind_, vtable_, ...)                                                   \
    static const brz_component component = {                                                       \
        .struct_size = sizeof component,                                                           \
        .kind = (kind_),                                                                           \
        .id = (id_),                                                                               \
        .vtable = (vtable_),                                                                       \
        __VA_ARGS__,                                                                               \
    };                                                                                             \
    static const brz_component *const components[] = {&component, NULL};                           \
    BRZ_PLUGIN(id_, BRZ_SHIPPED_VERSION, "MIT", BRZ_SHIPPED_URL, components)

/* Defines a plug-in with one format, from the table `collapser` of the file. */
#define SHIPPED_COLLAPSER(id_, ...) SHIPPED_PLUGIN(id_, BRZ_COLLAPSER, &collapser, __VA_ARGS__)

/* Defines the table `collapser` from `sniff` and `parse` of the file. `instance_` is the type of
 * the instances; the further arguments initialise other members: .open, .finish, .globs. */
#define SHIPPED_READER(instance_, ...)                                                             \
    static const brz_collapser collapser = {                                                       \
        .struct_size = sizeof collapser,                                                           \
        .inst_size = sizeof(instance_),                                                            \
        .sniff = sniff,                                                                            \
        .parse = parse,                                                                            \
        __VA_ARGS__,                                                                               \
    };

/* Initialises the members of a brz_collapser for an array of brz_magic. */
#define SHIPPED_MAGICS(array_)                                                                     \
    .magics = (array_), .n_magics = BRZ_COUNT_OF(array_), .magic_size = sizeof(brz_magic)

/* Defines the table `collapser` of a reader of whole binary inputs, or of whole files and chunks of
 * others, from `globs` and `parse` of the file. `instance_` is the type of the instances; the
 * further arguments initialise other members. */
#define SHIPPED_BINARY_READER(instance_, ...)                                                      \
    SHIPPED_BINARY_READER_OF(BRZ_WHOLE_INPUT, instance_, __VA_ARGS__)
#define SHIPPED_BINARY_FILE_READER(instance_, ...)                                                 \
    SHIPPED_BINARY_READER_OF(BRZ_WHOLE_FILE, instance_, __VA_ARGS__)
#define SHIPPED_BINARY_READER_OF(flag_, instance_, ...)                                            \
    static const brz_collapser collapser = {                                                       \
        .struct_size = sizeof collapser,                                                           \
        .flags = BRZ_BINARY | (flag_),                                                             \
        .inst_size = sizeof(instance_),                                                            \
        .globs = globs,                                                                            \
        .parse = parse,                                                                            \
        __VA_ARGS__,                                                                               \
    };

/* Defines `offer` of a collapser whose samples may be sorted, from `is_likely`, `begin` and `next`
 * of the file, which includes <brazier/draft/sorted.h> and <string.h>. */
#define SHIPPED_SORTED_READER                                                                      \
    static const brz_sorted_reader sorted_reader = {                                               \
        .struct_size = sizeof sorted_reader,                                                       \
        .stack_size = sizeof(brz_sorted_stack),                                                    \
        .is_likely = is_likely,                                                                    \
        .begin = begin,                                                                            \
        .next = next,                                                                              \
    };                                                                                             \
    static const void *offer(const char *id)                                                       \
    {                                                                                              \
        return strcmp(id, BRZ_SORTED_ID) == 0 ? &sorted_reader : NULL;                             \
    }

/* Defines the table `output` of a writer from `endings` of the file. */
#define SHIPPED_WRITER(write_, media_type_, flags_)                                                \
    static const brz_output output = {                                                             \
        .struct_size = sizeof output,                                                              \
        .flags = (flags_),                                                                         \
        .media_type = (media_type_),                                                               \
        .endings = endings,                                                                        \
        .write = (write_),                                                                         \
    };

#endif
