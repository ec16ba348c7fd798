/** @file
 * The entry of a plug-in: one constant object, and everything else is reached from it.
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

#define BRZ_PLUGIN_MAGIC 0x4e5a5242u /**< "BRZN" */
#define BRZ_NOTE_NAME    "brazier"   /**< whose note it is */
#define BRZ_NOTE_TYPE    1u          /**< which of its notes */

/** The one symbol of a plug-in: brz_plugin_v and the major. */
#define BRZ_PLUGIN_ENTRY BRZ_JOIN(brz_plugin_v, BRZ_ABI_MAJOR)
/** The same as text. */
#define BRZ_PLUGIN_SYMBOL         BRZ_TEXT(BRZ_PLUGIN_ENTRY)
#define BRZ_JOIN(a, b)            BRZ_JOIN_AS_WRITTEN(a, b) /**< one word of two */
#define BRZ_JOIN_AS_WRITTEN(a, b) a##b /**< the same, without what macros stand for */
#define BRZ_TEXT(a)               BRZ_TEXT_AS_WRITTEN(a) /**< a word as text */
#define BRZ_TEXT_AS_WRITTEN(a)    #a /**< the same, without what macros stand for */

/* Kinds of component. The host skips a kind it does not know. */
#define BRZ_COLLAPSER 1u /**< its vtable is a #brz_collapser */
#define BRZ_PALETTE   2u /**< its vtable is a #brz_palette */
#define BRZ_OUTPUT    3u /**< its vtable is a #brz_output */

/** A thing that a plug-in has: a format, a palette or an output. */
typedef struct brz_component {
    uint32_t struct_size;      /**< sizeof(brz_component) */
    uint32_t kind;             /**< BRZ_COLLAPSER, BRZ_PALETTE or BRZ_OUTPUT */
    const char *id;            /**< [a-z0-9-]{1,32}, unique per kind */
    const char *summary;       /**< one line */
    const char *help;          /**< more, or NULL */
    const brz_option *options; /**< or NULL */
    uint32_t n_options;        /**< how many: BRZ_COUNT_OF() them */
    uint32_t option_size;      /**< sizeof(brz_option) */
    size_t cfg_size;           /**< of the struct that the options fill */
    const void *vtable;        /**< brz_collapser, brz_palette or brz_output */
} brz_component;

/** The entry: see BRZ_PLUGIN(). */
typedef struct brz_plugin {
    uint32_t magic;       /**< BRZ_PLUGIN_MAGIC */
    uint32_t struct_size; /**< sizeof(brz_plugin) */
    uint16_t abi_major;   /**< BRZ_ABI_MAJOR */
    uint16_t abi_minor;   /**< BRZ_TARGET_MINOR */
    uint32_t flags;       /**< 0 */
    const char *name;     /**< [a-z0-9-]{1,32}: what stands behind '@' in "id@plug-in" */
    const char *version;  /**< "1.0.2" */
    const char *license;  /**< "MIT": an SPDX expression */
    const char *bugs_url; /**< where a crash is to be reported */
    const brz_component *const *components; /**< NULL-terminated */
} brz_plugin;

/** The ELF note, in its section .note.brz.plugin. */
typedef struct brz_plugin_note {
    uint32_t name_size; /**< of `name`: 8 */
    uint32_t desc_size; /**< of what follows `name`: 8 */
    uint32_t type;      /**< BRZ_NOTE_TYPE */
    char name[8];       /**< BRZ_NOTE_NAME */
    uint32_t major;     /**< BRZ_ABI_MAJOR */
    uint32_t minor;     /**< BRZ_TARGET_MINOR */
} brz_plugin_note;

/** Defines the note; part of BRZ_PLUGIN(). */
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

/** Defines the entry, once per plug-in, outside of any function: its name, version, licence, where
 * bugs are to be reported (texts), and the NULL-terminated array of pointers to its components. */
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

/** How many elements an array has. */
#define BRZ_COUNT_OF(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))

#endif
