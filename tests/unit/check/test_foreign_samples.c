/* SPDX-License-Identifier: MIT */
/* Tests that the samples of foreign formats of each minor stay as they are recorded in
 * foreign_samples.tsv. Lines are only added, together with a minor. */
#include "unit.h"

#include "check/inputs/foreign.h"

/* Returns the 64-bit FNV-1a hash of bytes. */
static uint64_t hash_of(const uint8_t *data, size_t n)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < n; i++)
        h = (h ^ data[i]) * UINT64_C(0x100000001b3);
    return h;
}

static FILE *open_table(void)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/tests/unit/check/foreign_samples.tsv",
             getenv("BRAZIER_SOURCE"));
    FILE *table = fopen(path, "r");
    assert_non_null(table);
    return table;
}

static void the_samples_of_a_minor_stay_as_they_are(void **state)
{
    (void)state;
    FILE *table = open_table();
    check_foreign f;
    char expected[256], got[256];
    for (size_t i = 0; check_foreign_at(UINT32_MAX, i, &f); i++) {
        snprintf(got, sizeof got, "%u\t%s\t%s\t%zu\t%016llx\n", f.since,
                 f.format == NULL ? "-" : f.format, f.name, f.len,
                 (unsigned long long)hash_of(f.data, f.len));
        if (fgets(expected, sizeof expected, table) == NULL)
            expected[0] = '\0';
        assert_string_equal(got, expected);
    }
    assert_null(fgets(expected, sizeof expected, table));
    fclose(table);
}

static void a_plugin_is_tested_with_the_samples_of_its_minor(void **state)
{
    (void)state;
    check_foreign f;
    assert_true(check_foreign_at(0, 0, &f));
    for (size_t i = 0; check_foreign_at(0, i, &f); i++)
        assert_int_equal(f.since, 0);
    for (size_t i = 0; check_foreign_at(BRZ_ABI_MINOR, i, &f); i++)
        assert_true(f.since <= BRZ_ABI_MINOR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_samples_of_a_minor_stay_as_they_are),
        cmocka_unit_test(a_plugin_is_tested_with_the_samples_of_its_minor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
