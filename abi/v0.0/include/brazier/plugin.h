/* The entry of a plug-in: one constant object, and everything else is reached from it.
 *
 *     static const brz_component format = { sizeof format, BRZ_COLLAPSER, "myformat", ... };
 *     static const brz_component *const components[] = {&format, NULL};
 *     BRZ_PLUGIN("myformat", "1.0", "MIT", "https://example.org/bugs", components)
 *
 * The macro also leaves an ELF note, by which the host tells a plug-in and its version before it
 * loads anything.
 */
#ifndef BRAZIER_PLUGIN_H
#define BRAZIER_PLUGIN_H

#include <brazier/base.h>
#include <brazier/collapser.h>
#include <brazier/host.h>
#include <brazier/option.h>
#include <brazier/output.h>
#include <brazier/palette.h>
#include <brazier/tree.h>

#define BRZ_PLUGIN_MAGIC 0x4e5a5242u /* "BRZN" */
#define BRZ_NOTE_NAME    "brazier"
#define BRZ_NOTE_TYPE    1u

/* The one symbol of a plug-in, brz_plugin_v and the major, and its name as text. */
#define BRZ_PLUGIN_ENTRY          BRZ_JOIN(brz_plugin_v, BRZ_ABI_MAJOR)
#define BRZ_PLUGIN_SYMBOL         BRZ_TEXT(BRZ_PLUGIN_ENTRY)
#define BRZ_JOIN(a, b)            BRZ_JOIN_AS_WRITTEN(a, b)
#define BRZ_JOIN_AS_WRITTEN(a, b) a##b
#define BRZ_TEXT(a)               BRZ_TEXT_AS_WRITTEN(a)
#define BRZ_TEXT_AS_WRITTEN(a)    #a

/* Kinds of component. The host skips a kind it does not know. */
#define BRZ_COLLAPSER 1u
#define BRZ_PALETTE   2u
#define BRZ_OUTPUT    3u

typedef struct brz_component {
    uint32_t struct_size, kind;
    const char *id;      /* [a-z0-9-]{1,32}, unique per kind */
    const char *summary; /* one line */
    const char *help;    /* more, or NULL */
    const brz_option *options;
    uint32_t n_options, option_size; /* option_size: sizeof(brz_option) */
    size_t cfg_size;                 /* of the struct that the options fill */
    const void *vtable;              /* brz_collapser, brz_palette or brz_output */
} brz_component;

typedef struct brz_plugin {
    uint32_t magic, struct_size;
    uint16_t abi_major, abi_minor; /* minor: BRZ_TARGET_MINOR */
    uint32_t flags;                /* 0 */
    const char *name, *version, *license, *bugs_url;
    const brz_component *const *components; /* NULL-terminated */
} brz_plugin;

typedef struct brz_plugin_note {
    uint32_t name_size, desc_size, type;
    char name[8];
    uint32_t major, minor;
} brz_plugin_note;

#if defined(__ELF__)
#define BRZ_PLUGIN_NOTE                                                                            \
    __attribute__((used, section(".note.brz.plugin"),                                              \
                   aligned(4))) static const brz_plugin_note brz_note_of_plugin = {                \
        8,                                                                                         \
        8,                                                                                         \
        BRZ_NOTE_TYPE,                                                                             \
        {'b', 'r', 'a', 'z', 'i', 'e', 'r', 0},                                                    \
        BRZ_ABI_MAJOR,                                                                             \
        BRZ_TARGET_MINOR};
#else
#define BRZ_PLUGIN_NOTE
#endif

#define BRZ_PLUGIN(name_, version_, license_, bugs_url_, components_)                              \
    BRZ_PLUGIN_NOTE                                                                                \
    BRZ_EXTERN_C BRZ_EXPORT const brz_plugin BRZ_PLUGIN_ENTRY;                                     \
    const brz_plugin BRZ_PLUGIN_ENTRY = {BRZ_PLUGIN_MAGIC,                                         \
                                         (uint32_t)sizeof(brz_plugin),                             \
                                         BRZ_ABI_MAJOR,                                            \
                                         BRZ_TARGET_MINOR,                                         \
                                         0,                                                        \
                                         name_,                                                    \
                                         version_,                                                 \
                                         license_,                                                 \
                                         bugs_url_,                                                \
                                         components_};

#define BRZ_COUNT_OF(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))

#endif
