/* SPDX-License-Identifier: MIT */
/* Tests plug-ins that are linked into the program: they pass through the steps of loaded ones. */
#include "unit.h"

#include <brazier/plugin.h>

#include "plugin/loader.h"

#define PATH "/usr/bin/brazier/palette-plain.so"

static uint32_t color_blue(const brz_palette_ctx *ctx, const brz_color_in *in)
{
    (void)ctx;
    (void)in;
    return 0x0000ffff;
}

static const brz_palette palette = {.struct_size = sizeof palette, .color = color_blue};
static const brz_component component = {.struct_size = sizeof component,
                                        .kind = BRZ_PALETTE,
                                        .id = "plain",
                                        .summary = "one colour",
                                        .vtable = &palette};
static const brz_component *const components[] = {&component, NULL};

/* Returns an entry as BRZ_PLUGIN() defines it. */
static brz_plugin entry_of(void)
{
    return (brz_plugin){.magic = BRZ_PLUGIN_MAGIC,
                        .struct_size = sizeof(brz_plugin),
                        .abi_major = BRZ_ABI_MAJOR,
                        .abi_minor = BRZ_ABI_MINOR,
                        .name = "plain",
                        .version = "1",
                        .license = "MIT",
                        .bugs_url = "here",
                        .components = components,
                        .sdk_version = BRZ_SDK_VERSION};
}

/* Opens an entry. Returns the name of the last step. */
static const char *open_entry(const brz_plugin *entry, brz_plugin_file *file, brz_arena *memory,
                              bool *good)
{
    const brz_built_in b = {.file = "palette-plain.so", .entry = entry};
    brz_steps steps = {.n = 0};
    *good = brz_plugin_open_built_in(&b, PATH, memory, file, &steps);
    const char *name = steps.items[steps.n - 1].name;
    assert_string_equal(steps.items[0].name, "magic");
    brz_steps_finish(&steps);
    return name;
}

static void its_components_are_shipped_and_part_of_the_program(void **state)
{
    (void)state;
    bool good;
    brz_arena memory = {0};
    brz_plugin_file file;
    const brz_plugin entry = entry_of();
    assert_string_equal(open_entry(&entry, &file, &memory, &good), "components");
    assert_true(good);
    assert_int_equal(file.tier, BRZ_TIER_SHIPPED);
    assert_ptr_equal(file.plugin, &entry);
    assert_int_equal(file.n_components, 1);
    assert_string_equal(file.components[0].component->id, "plain");
    assert_string_equal(file.components[0].path, PATH);
    assert_true(file.components[0].is_shipped);
    brz_arena_finish(&memory);
}

static void an_entry_of_another_interface_is_refused(void **state)
{
    (void)state;
    bool good;
    brz_arena memory = {0};
    brz_plugin_file file;
    brz_plugin entry = entry_of();
    entry.abi_major++;
    assert_string_equal(open_entry(&entry, &file, &memory, &good), "version");
    assert_false(good);
    entry = entry_of();
    entry.magic = 0;
    assert_string_equal(open_entry(&entry, &file, &memory, &good), "magic");
    assert_false(good);
    brz_arena_finish(&memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(its_components_are_shipped_and_part_of_the_program),
        cmocka_unit_test(an_entry_of_another_interface_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
