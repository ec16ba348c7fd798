/* SPDX-License-Identifier: MIT */
/** @file
 * Defines the entry point of a plug-in: one constant object that leads to everything else.
 *
 *     static const brz_component format = { sizeof format, BRZ_COLLAPSER, "myformat", ... };
 *     static const brz_component *const components[] = {&format, NULL};
 *     BRZ_PLUGIN("myformat", "1.0", "MIT", "https://example.org/bugs", components)
 *
 * The macro also emits an ELF note, from which the host recognises a plug-in and its ABI version
 * before it loads the file.
 */
#ifndef BRAZIER_PLUGIN_H
#define BRAZIER_PLUGIN_H

#include <brazier/base.h>
#include <brazier/collapser.h>
#include <brazier/host.h>
#include <brazier/option.h>
#include <brazier/output.h>
#include <brazier/palette.h>
#include <brazier/transform.h>
#include <brazier/tree.h>

#define BRZ_PLUGIN_MAGIC 0x4e5a5242u /**< "BRZN" */
#define BRZ_NOTE_NAME    "brazier"   /**< owner name of the ELF note */
#define BRZ_NOTE_TYPE    1u          /**< type of the ELF note */
#define BRZ_NOTE_HINTS   2u          /**< type of the note of BRZ_HINTS() */

/** The name of the symbol that describes the plug-in: brz_plugin_v followed by the major version.
 */
#define BRZ_PLUGIN_ENTRY BRZ_JOIN(brz_plugin_v, BRZ_ABI_MAJOR)
/** The name of that symbol as a string. */
#define BRZ_PLUGIN_SYMBOL         BRZ_TEXT(BRZ_PLUGIN_ENTRY)
#define BRZ_JOIN(a, b)            BRZ_JOIN_AS_WRITTEN(a, b) /**< expands, then joins two tokens */
#define BRZ_JOIN_AS_WRITTEN(a, b) a##b                   /**< joins two tokens without expansion */
#define BRZ_TEXT(a)               BRZ_TEXT_AS_WRITTEN(a) /**< expands, then quotes a token */
#define BRZ_TEXT_AS_WRITTEN(a)    #a                     /**< quotes a token without expansion */

/* Kinds of components. The host reports components of unknown kinds and leaves them out. */
#define BRZ_COLLAPSER 1u /**< `vtable` points to a #brz_collapser */
#define BRZ_PALETTE   2u /**< `vtable` points to a #brz_palette */
#define BRZ_OUTPUT    3u /**< `vtable` points to a #brz_output */
#define BRZ_TRANSFORM 4u /**< `vtable` points to a #brz_transform */
#define BRZ_DECODER   5u /**< reserved for decoders of inputs, which no host has yet */

/** A component of a plug-in: a format, a palette, an output or a transform. */
typedef struct brz_component {
    uint32_t struct_size;      /**< sizeof(brz_component) */
    uint32_t kind;             /**< BRZ_COLLAPSER, BRZ_PALETTE, BRZ_OUTPUT or BRZ_TRANSFORM */
    const char *id;            /**< [a-z0-9-]{1,32}, unique among components of its kind */
    const char *summary;       /**< one-line description */
    const char *help;          /**< longer description, or NULL */
    const brz_option *options; /**< array of options, or NULL */
    uint32_t n_options;        /**< number of options: BRZ_COUNT_OF(options) */
    uint32_t option_size;      /**< sizeof(brz_option) */
    size_t cfg_size;           /**< size of the configuration struct that the options fill in */
    const void *vtable;        /**< a brz_collapser, brz_palette, brz_output or brz_transform */
    /** Optional. Checks what the table cannot express: rules that span several options, or the
     * syntax of a text. `cfg` is the configuration struct. Adds each fault. Must be a pure
     * function, accept the defaults, and take well under a millisecond. The host calls it before a
     * run, and for `config check`; with faults, there is no run. */
    void (*validate)(const void *cfg, brz_option_faults *);
} brz_component;

/** The entry point, defined by BRZ_PLUGIN(). */
typedef struct brz_plugin {
    uint32_t magic;       /**< BRZ_PLUGIN_MAGIC */
    uint32_t struct_size; /**< sizeof(brz_plugin) */
    uint16_t abi_major;   /**< BRZ_ABI_MAJOR */
    uint16_t abi_minor;   /**< BRZ_TARGET_MINOR */
    uint32_t flags;       /**< 0 */
    const char *name;     /**< [a-z0-9-]{1,32}: the part after '@' in "id@plug-in" */
    const char *version;  /**< version of the plug-in, such as "1.0.2" */
    const char *license;  /**< SPDX licence expression, such as "MIT" */
    const char *bugs_url; /**< address for reporting crashes */
    const brz_component *const *components; /**< NULL-terminated array of components */
    uint32_t sdk_version;                   /**< BRZ_SDK_VERSION; 0: unknown */
    uint32_t reserved;                      /**< 0; ignore it */
} brz_plugin;

/** The ELF note, which is stored in the section .note.brz.plugin. */
typedef struct brz_plugin_note {
    uint32_t name_size; /**< size of `name`: 8 */
    uint32_t desc_size; /**< size of the rest after `name`: 12 */
    uint32_t type;      /**< BRZ_NOTE_TYPE */
    char name[8];       /**< BRZ_NOTE_NAME */
    uint32_t major;     /**< BRZ_ABI_MAJOR */
    uint32_t minor;     /**< BRZ_TARGET_MINOR */
    uint32_t sdk;       /**< BRZ_SDK_VERSION; absent if desc_size is 8 */
} brz_plugin_note;

/** Defines the ELF note; BRZ_PLUGIN() includes it. */
#if defined(__ELF__)
#define BRZ_PLUGIN_NOTE                                                                            \
    __attribute__((used, section(".note.brz.plugin"),                                              \
                   aligned(4))) static const brz_plugin_note brz_note_of_plugin = {                \
        8,                                                                                         \
        12,                                                                                        \
        BRZ_NOTE_TYPE,                                                                             \
        {'b', 'r', 'a', 'z', 'i', 'e', 'r', 0},                                                    \
        BRZ_ABI_MAJOR,                                                                             \
        BRZ_TARGET_MINOR,                                                                          \
        BRZ_SDK_VERSION};
#else
#define BRZ_PLUGIN_NOTE
#endif

/* Kinds of hints: the first byte of each. */
#define BRZ_HINT_NAME     'n' /**< a pattern for file names, as in brz_collapser.globs */
#define BRZ_HINT_BEGINS   'b' /**< the input begins with this text */
#define BRZ_HINT_CONTAINS 'c' /**< the first 64 KiB of the input contain this text */

/** A hint for BRZ_HINTS(): the name of the input matches a pattern. */
#define BRZ_IF_NAME(pattern_) "n" pattern_ "\0"
/** A hint for BRZ_HINTS(): the input begins with a text. */
#define BRZ_IF_BEGINS(text_) "b" text_ "\0"
/** A hint for BRZ_HINTS(): the first 64 KiB of the input contain a text. */
#define BRZ_IF_CONTAINS(text_) "c" text_ "\0"

/** Optional. Defines a second ELF note, with hints that let the host guess a format without loading
 * the plug-in. Where none of them is true, all collapsers of the plug-in must score 0, by their
 * functions, magic numbers and globs alike. The argument is a sequence of literals without commas:
 *
 *     BRZ_HINTS(BRZ_IF_NAME("*.xt") BRZ_IF_CONTAINS("TRACE START"))
 *
 * A text has no NUL and at most 255 bytes. They are looked for in each form of the input: as text,
 * decompressed, and as it is. An empty literal says that no input is recognised. */
#if defined(__ELF__)
#define BRZ_HINTS(hints_)                                                                          \
    __attribute__((used, section(".note.brz.hints"), aligned(4))) static const struct {            \
        uint32_t name_size, desc_size, type;                                                       \
        char name[8];                                                                              \
        char hints[(sizeof(hints_) + 3) / 4 * 4];                                                  \
    } brz_hints_of_plugin = {8,                                                                    \
                             (uint32_t)((sizeof(hints_) + 3) / 4 * 4),                             \
                             BRZ_NOTE_HINTS,                                                       \
                             {'b', 'r', 'a', 'z', 'i', 'e', 'r', 0},                               \
                             hints_};
#else
#define BRZ_HINTS(hints_)
#endif

/** Defines the entry point. Use it once per plug-in, outside of any function. The arguments are the
 * name, the version, the licence and the address for bug reports (strings), and a NULL-terminated
 * array of pointers to the components. */
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
                                         components_,                                              \
                                         BRZ_SDK_VERSION,                                          \
                                         0};

/** Initialises the members of a brz_component that describe its options, in C: the table, an array
 * of brz_option, and the struct that its rows fill in. */
#define BRZ_OPTIONS(table_, struct_)                                                               \
    .options = (table_), .n_options = BRZ_COUNT_OF(table_), .option_size = sizeof(brz_option),     \
    .cfg_size = sizeof(struct_)

#endif
