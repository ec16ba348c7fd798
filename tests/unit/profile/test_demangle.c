/* SPDX-License-Identifier: MIT */
/* Tests demangling: changed names, unchanged names, and names that would expand exponentially. */
#include "unit.h"

#include "profile/demangle.h"

/* Returns the demangled name, valid until the next call. */
static const char *demangled(const char *name, brz_demangle_mode mode)
{
    static brz_buf b;
    brz_buf_clear(&b);
    if (!brz_demangle(str_of(name), mode, &b))
        return name;
    return brz_buf_text(&b);
}

static void names_of_rust_and_cplusplus_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *name, *short_form, *full;
    } cases[] = {
        {"_ZN4core3fmt5write17h0123456789abcdefE", "core::fmt::write",
         "core::fmt::write::h0123456789abcdef"},
        {"_RNvC6_123foo3bar", "123foo::bar", "123foo[0]::bar"},
        {"_ZN3foo3barEi", "foo::bar", "foo::bar(int)"},
        {"__ZN3foo3barEi", "foo::bar", "foo::bar(int)"},
        {"_ZN3fooC1Ei@plt", "foo::foo@plt", "foo::foo(int)@plt"},
        {"libc.so.6`_ZN3foo3barEi_[k]", "libc.so.6`foo::bar_[k]", "libc.so.6`foo::bar(int)_[k]"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        assert_string_equal(demangled(cases[i].name, BRZ_DEMANGLE_AUTO), cases[i].short_form);
        assert_string_equal(demangled(cases[i].name, BRZ_DEMANGLE_FULL), cases[i].full);
        assert_string_equal(demangled(cases[i].name, BRZ_DEMANGLE_NONE), cases[i].name);
    }
}

static void names_of_ocaml_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *name, *readable;
    } cases[] = {
        {"camlStdlib__List__fold_left_275", "Stdlib.List.fold_left_275"},
        {"camlStdlib__$5e$5E_444", "Stdlib.^^_444"},
        {"camlOc__f$27_12", "Oc.f'_12"},
        {"camlOc__entry", "Oc.entry"},
        {"camlOc.recurse_93", "Oc.recurse_93"},
        {"app`camlOc__x_3_[k]", "app`Oc.x_3_[k]"},
        {"camlOc___x_$5", "Oc._x_$5"},
        {"camlA__$3bb$00c$zz", "A.$3bb$00c$zz"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        assert_string_equal(demangled(cases[i].name, BRZ_DEMANGLE_AUTO), cases[i].readable);
        assert_string_equal(demangled(cases[i].name, BRZ_DEMANGLE_FULL), cases[i].readable);
        assert_string_equal(demangled(cases[i].name, BRZ_DEMANGLE_NONE), cases[i].name);
    }
}

/* The readable form, and that of "full" if it is another one. */
static const struct {
    const char *name, *readable, *full;
} others[] = {
    {"_D4main3fooFiZv", "main.foo", NULL},
    {"_D4main1xi", "main.x", NULL},
    {"_D4main3fooFiZ3barMFZv", "main.foo.bar", NULL},
    {"_D4main3Foo6__ctorMFNcZSQuQp", "_D4main3Foo6__ctorMFNcZSQuQp", NULL},
    {"_D4main3Foo6__ctorMFZCQuQr", "main.Foo.this", NULL},
    {"_D3std6digest3crc__T3CRCVki64VmN2882303761517117440ZQBg4peekMxFNaNbNiNfZG8h",
     "std.digest.crc.CRC.peek", NULL},
    {"_D2rt3aaA4Impl14findSlotLookupMNgFmMxPvMxC8TypeInfoZPNgSQCcQCc6Bucket",
     "rt.aaA.Impl.findSlotLookup", NULL},
    {"_D4core4time8Duration__T5splitVAyaa5_686f757273VQra7_6d696e75746573ZQBsMxFNaNbNiNfZSQCv",
     "_D4core4time8Duration__T5splitVAyaa5_686f757273VQra7_6d696e75746573ZQBsMxFNaNbNiNfZSQCv",
     NULL},
    {"a.out`_D4main3fooFZv.constprop.0", "a.out`main.foo.constprop.0", NULL},
    {"_D4main3fooFZv_[k]", "main.foo_[k]", NULL},
    {"base_GHCziBase_zpzp_info", "GHC.Base.++", "base:GHC.Base.++_info"},
    {"containerszm0zi6zi5zi1_DataziMapziInternal_insert_zdsgo4_info",
     "Data.Map.Internal.insert_$sgo4", "containers-0.6.5.1:Data.Map.Internal.insert_$sgo4_info"},
    {"base_GHCziTuple_Z2T_con_info_[k]", "GHC.Tuple.Z2T_[k]", "base:GHC.Tuple.Z2T_con_info_[k]"},
    {"base_GHCziBase_map_info@plt", "GHC.Base.map@plt", "base:GHC.Base.map_info@plt"},
    {"ada__text_io__put_line__2", "ada.text_io.put_line", "ada.text_io.put_line.2"},
    {"ada__calendar__Oadd__2", "ada.calendar.\"+\"", "ada.calendar.\"+\".2"},
    {"system__img_int__Oor", "system.img_int.\"or\"", NULL},
    {"ada__calendar___elabb", "ada.calendar'Elab_Body", NULL},
    {"ada__complex_text_io__aux_float__getXn", "ada.complex_text_io.aux_float.get", NULL},
    {"ada__directories__directory_vectors__insert__4Xn", "ada.directories.directory_vectors.insert",
     "ada.directories.directory_vectors.insert.4"},
    {"gnat__awk__actions___sizeXn", "gnat.awk.actions'Size", NULL},
    {"ada__strings__unbounded___assign__2", "ada.strings.unbounded.\":=\"",
     "ada.strings.unbounded.\":=\".2"},
    {"_ada_main", "main", NULL},
};

static void names_of_d_haskell_and_ada_become_paths(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(others); i++) {
        const char *full = others[i].full != NULL ? others[i].full : others[i].readable;
        assert_string_equal(demangled(others[i].name, BRZ_DEMANGLE_AUTO), others[i].readable);
        assert_string_equal(demangled(others[i].name, BRZ_DEMANGLE_FULL), full);
        assert_string_equal(demangled(others[i].name, BRZ_DEMANGLE_NONE), others[i].name);
    }
}

static void names_of_c_that_look_like_those_are_left_alone(void **state)
{
    (void)state;
    static const char *const names[] = {
        "_D",           "_D4main",      "_D9too_short",    "_D4main3fooFZ",  "_D1_1_Zx",
        "_Dmain",       "_D4mainQz",    "_D4main3fooFZvv", "Main_main_info", "get_SizeInfo_x_info",
        "a_Bzi_c_info", "_BziB_c_info", "x_AziB__info_",   "foo__bar__2",    "ada__x__TK",
        "ada__",        "system__X",    "interfaces__c__%"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        assert_string_equal(demangled(names[i], BRZ_DEMANGLE_AUTO), names[i]);
}

/* Stores a reference of D to what is so many bytes in front of it. Returns its length. */
static size_t put_reference(char *to, size_t distance)
{
    to[0] = 'Q';
    to[1] = (char)('A' + distance / 676);
    to[2] = (char)('A' + distance / 26 % 26);
    to[3] = (char)('a' + distance % 26);
    return 4;
}

/* References of D are followed once each, and only to symbols: a few bytes do not expand. */
static void a_name_of_d_with_many_references_stays_short(void **state)
{
    (void)state;
    char name[8000] = "_D4main1fF";
    size_t n = strlen(name);
    for (; n < sizeof name - 8; n += 6)
        memcpy(name + n, "HQeQeA", 6);
    memcpy(name + n, "iZv", 4);
    assert_string_equal(demangled(name, BRZ_DEMANGLE_AUTO), "main.f");
    n = (size_t)snprintf(name, sizeof name, "_D4main");
    n += put_reference(name + n, n - 2);
    memcpy(name + n, "FZv", 4);
    assert_string_equal(demangled(name, BRZ_DEMANGLE_AUTO), "main.main");
    n = (size_t)snprintf(name, sizeof name, "_D2000f%01999d", 1);
    while (n < sizeof name - 8)
        n += put_reference(name + n, n - 2);
    memcpy(name + n, "FZv", 4);
    assert_string_equal(demangled(name, BRZ_DEMANGLE_AUTO), name);
}

/* perf and others print names of C++ demangled, and C has names without a path. */
static void names_of_others_that_begin_like_those_of_ocaml_are_left_alone(void **state)
{
    (void)state;
    static const char *const names[] = {
        "camlCopy",          "camlFoo::bar(int)",      "camlCopy_[k]",
        "camlFoo__x<int>",   "camlImages.Box<T>.load", "camlRun@plt",
        "camlA__b (in lib)", "camlCase.f file.js:1"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        assert_string_equal(demangled(names[i], BRZ_DEMANGLE_AUTO), names[i]);
    assert_string_equal(demangled("camlA__b@plt", BRZ_DEMANGLE_AUTO), "A.b@plt");
}

static void other_names_are_left_alone(void **state)
{
    (void)state;
    static const char *const names[] = {"",     "main",   "_",      "_Z",           "_ZN",
                                        "_R",   "_Zfoo!", "__do_x", "$s4mainAAyyF", "_$s4mainAAyyF",
                                        "Zeta", "`",      "a`",     "_ZN3fo",       "[unknown]",
                                        "caml", "caml_x", "caml1",  "camlx__Y",     "CamlA"};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        assert_string_equal(demangled(names[i], BRZ_DEMANGLE_FULL), names[i]);
}

static void all_mangled_names_are_recognised(void **state)
{
    (void)state;
    dice d = {.state = 3};
    for (int i = 0; i < 20000; i++) {
        char text[24];
        size_t n = roll_text(&d, "_ZRNvC13foEi`@", 20, text);
        if (i % 4 == 0) {
            memcpy(text, "camlA", 5);
            n = n < 5 ? 5 : n;
        }
        brz_buf b = {0};
        if (brz_demangle(brz_str_of(text, n), BRZ_DEMANGLE_FULL, &b))
            assert_true(brz_may_be_mangled(brz_str_of(text, n)));
        brz_buf_finish(&b);
    }
}

/* Each parameter is a template with the previous one as its argument twice, which doubles the text
 * each time. */
static void a_name_that_explodes_is_left_alone(void **state)
{
    (void)state;
    char name[1024];
    size_t n = (size_t)snprintf(name, sizeof name, "_Z1f1AIiiE");
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    for (size_t i = 0; i < 34; i++) {
        char last = digits[i];
        n += (size_t)snprintf(name + n, sizeof name - n, "S_IS%c_S%c_E", last, last);
    }
    brz_buf b = {0};
    (void)brz_demangle(brz_str_of(name, n), BRZ_DEMANGLE_FULL, &b);
    assert_true(b.len <= 65536);
    brz_buf_finish(&b);
}

static void a_name_that_is_too_long_is_left_alone(void **state)
{
    (void)state;
    char *name = malloc(20000);
    memset(name, 'a', 20000);
    memcpy(name, "_ZN10000", 8);
    brz_buf b = {0};
    assert_false(brz_demangle(brz_str_of(name, 20000), BRZ_DEMANGLE_FULL, &b));
    assert_int_equal(b.len, 0);
    brz_buf_finish(&b);
    free(name);
}

static void demangling_appends_to_the_buffer(void **state)
{
    (void)state;
    brz_buf b = {0};
    brz_buf_add_text(&b, "x=");
    assert_false(brz_demangle(BRZ_STR("_ZN3fo"), BRZ_DEMANGLE_AUTO, &b));
    assert_string_equal(brz_buf_text(&b), "x=");
    assert_true(brz_demangle(BRZ_STR("_Z3foov"), BRZ_DEMANGLE_AUTO, &b));
    assert_string_equal(brz_buf_text(&b), "x=foo");
    brz_buf_finish(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_of_rust_and_cplusplus_are_read),
        cmocka_unit_test(names_of_ocaml_are_read),
        cmocka_unit_test(names_of_d_haskell_and_ada_become_paths),
        cmocka_unit_test(names_of_c_that_look_like_those_are_left_alone),
        cmocka_unit_test(a_name_of_d_with_many_references_stays_short),
        cmocka_unit_test(names_of_others_that_begin_like_those_of_ocaml_are_left_alone),
        cmocka_unit_test(other_names_are_left_alone),
        cmocka_unit_test(all_mangled_names_are_recognised),
        cmocka_unit_test(a_name_that_explodes_is_left_alone),
        cmocka_unit_test(a_name_that_is_too_long_is_left_alone),
        cmocka_unit_test(demangling_appends_to_the_buffer),
    };
    return cmocka_run_group_tests_name("demangle", tests, NULL, NULL);
}
