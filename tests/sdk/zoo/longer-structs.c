/* SPDX-License-Identifier: MIT */
/* From a later minor, but built to run with this one: every struct has further members, which this
 * host must ignore. */
#include "zoo.h"

typedef struct junk {
    unsigned char bytes[64];
} junk;

#define JUNK                                                                                       \
    {                                                                                              \
        {                                                                                          \
            0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,    \
                0xff, 0xff                                                                         \
        }                                                                                          \
    }

static brz_rc check_options(brz_ctx *ctx)
{
    const struct config *c = (const struct config *)ctx->cfg;
    return c->number == 3 && c->choice == 1 && c->flag ? BRZ_OK : BRZ_ERROR;
}

static const struct {
    brz_magic magic;
    junk more;
} magics[] = {
    {{.offset = 0, .len = 3, .bytes = "one", .score = BRZ_SNIFF_MAGIC}, JUNK},
    {{.offset = 0, .len = 3, .bytes = "two", .score = BRZ_SNIFF_MAGIC}, JUNK},
};

static const char *const choices[] = {"this", "that", NULL};

static const struct {
    brz_option option;
    junk more;
} options[] = {
    {{COUNT_OPTION, .dflt = "3"}, JUNK},
    {{.name = "choice",
      .type = BRZ_OPTION_ENUM,
      .offset = offsetof(struct config, choice),
      .dflt = "that",
      .help = "one of two",
      .choices = choices},
     JUNK},
    {{.name = "flag",
      .type = BRZ_OPTION_BOOL,
      .offset = offsetof(struct config, flag),
      .dflt = "yes",
      .help = "or not"},
     JUNK},
};

static const struct {
    brz_collapser collapser;
    junk more;
} collapser = {{COLLAPSER, .struct_size = sizeof collapser, .open = check_options,
                .magics = &magics[0].magic, .n_magics = 2, .magic_size = sizeof magics[0]},
               JUNK};

static const struct {
    brz_component component;
    junk more;
} component = {{COMPONENT_OF(BRZ_COLLAPSER, &collapser), .struct_size = sizeof component,
                .options = &options[0].option, .n_options = 3, .option_size = sizeof options[0],
                .cfg_size = sizeof(struct config)},
               JUNK};

static const brz_component *const components[] = {&component.component, NULL};

BRZ_PLUGIN_NOTE

typedef struct longer_entry {
    brz_plugin entry;
    junk more;
} longer_entry;

BRZ_EXPORT extern const longer_entry BRZ_PLUGIN_ENTRY;
const longer_entry BRZ_PLUGIN_ENTRY = {{ENTRY, .struct_size = sizeof(longer_entry)}, JUNK};
