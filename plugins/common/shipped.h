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

#endif
