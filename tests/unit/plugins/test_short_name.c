/* SPDX-License-Identifier: MIT */
/* Tests dividing and shortening names with the table labels.tsv, which the viewers' script is
 * tested with too. */
#include "unit.h"

#include <brazier/symbol.h>

#include "common/names/name_parts.h"
#include "output/common/short_name.h"

/* ---- a host that allocates ------------------------------------------------------------------- */

static void *blocks[4096];
static size_t n_blocks;

static void *allocate(brz_output_ctx *ctx, size_t size, size_t align)
{
    (void)ctx;
    (void)align;
    assert_true(n_blocks < 4096);
    return blocks[n_blocks++] = calloc(1, size);
}

static void free_blocks(void)
{
    while (n_blocks > 0)
        free(blocks[--n_blocks]);
}

static const brz_output_host host = {.struct_size = sizeof host, .alloc = allocate};

/* ---- tests ----------------------------------------------------------------------------------- */

/* Calls `check` for each line of the table, which has three columns. */
static void each_line(void (*check)(short_names *n, char *columns[3]))
{
    char path[4096], line[4096];
    brz_output_ctx ctx = {.struct_size = sizeof ctx, .host = &host};
    short_names names;
    short_names_init(&names, &ctx);
    snprintf(path, sizeof path, "%s/tests/unit/plugins/labels.tsv", getenv("BRAZIER_SOURCE"));
    FILE *table = fopen(path, "r");
    assert_non_null(table);
    size_t n = 0;
    while (fgets(line, sizeof line, table) != NULL) {
        char *columns[3] = {line}, *tab = line;
        for (int i = 1; i < 3; i++) {
            tab = strchr(tab, '\t');
            assert_non_null(tab);
            *tab++ = '\0';
            columns[i] = tab;
        }
        columns[2][strcspn(columns[2], "\n")] = '\0';
        check(&names, columns);
        n++;
    }
    fclose(table);
    free_blocks();
    assert_true(n > 50);
}

static void check_label(short_names *n, char *columns[3])
{
    brz_str label = short_name(n, str_of(columns[0]), strtoul(columns[1], NULL, 10));
    char got[4096];
    snprintf(got, sizeof got, "%s in %s: %.*s", columns[0], columns[1], (int)label.len, label.data);
    char expected[4096];
    snprintf(expected, sizeof expected, "%s in %s: %s", columns[0], columns[1], columns[2]);
    assert_string_equal(got, expected);
}

static void names_are_shortened_at_meaningful_borders(void **state)
{
    (void)state;
    each_line(check_label);
}

/* Checks that the label of a name shows four letters of the function's own name wherever they fit,
 * and that it is cut. */
static void check_own_name(short_names *n, char *columns[3])
{
    brz_str name = str_of(columns[0]);
    name_parts p = name_parts_of(name);
    brz_str own = brz_str_of(name.data + p.own.from, p.own.to - p.own.from);
    size_t letters = own.len < 4 ? own.len : 4;
    assert_true(own.len > 0);
    for (size_t room = 4; room < 2 * name.len; room++) {
        brz_str label = short_name(n, name, room);
        if (label.len == 0 && room == 4) /* none for the sign */
            continue;
        if (!brz_str_equal(label, name) && brz_str_find(label, BRZ_STR("…"), 0) == SIZE_MAX)
            fail_msg("'%.*s' does not show that '%s' is cut", (int)label.len, label.data,
                     columns[0]);
        if (brz_str_find(label, brz_str_of(own.data, letters), 0) == SIZE_MAX)
            fail_msg("'%.*s' hides '%.*s' of '%s'", (int)label.len, label.data, (int)own.len,
                     own.data, columns[0]);
    }
}

static void labels_keep_four_letters_of_the_own_name(void **state)
{
    (void)state;
    each_line(check_own_name);
}

/* Checks what `package_of` returns for each name. */
static void check_packages(brz_str (*package_of)(brz_str), const char *const cases[][2], size_t n)
{
    for (size_t i = 0; i < n; i++) {
        brz_str package = package_of(str_of(cases[i][0]));
        char got[256], expected[256];
        snprintf(got, sizeof got, "%s: %.*s", cases[i][0], (int)package.len, package.data);
        snprintf(expected, sizeof expected, "%s: %s", cases[i][0], cases[i][1]);
        assert_string_equal(got, expected);
    }
}

static void packages_are_found_in_names(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"v8::internal::Heap::Collect(int)", "v8"},
        {"void v8::internal::Heap::Collect<int>(int) const", "v8"},
        {"<alloc::vec::Vec<T> as core::Clone>::clone", "alloc"},
        {"<u8 as core::clone::Clone>::clone", "core"},
        {"<u64>::wrapping_add", "core"},
        {"<[u8]>::split_first", "core"},
        {"<[hashbrown::control::tag::Tag]>::get_unchecked", "hashbrown"},
        {"<weather::json::Parser>::value", "weather"},
        {"tokio::runtime::task::raw::poll", "tokio"},
        {"java/util/HashMap.put", "java/util"},
        {"java/util/Comparator$$Lambda$106+0x00007f402403cc10/112302969.compare", "java/util"},
        {"java.util.Comparator$$Lambda/0x00007f402403cc10.compare", "java.util"},
        {"java/lang/invoke/LambdaForm$MH+0x00007f4024001000/671467883.invoke", "java/lang/invoke"},
        {"Orders$$Lambda$90+0x00007f4024008438/1076770748.apply", "Orders"},
        {"<built-in method builtins.exec>", "built-in"},
        {"<method 'match' of 're.Pattern' objects>", "built-in"},
        {"loads (/usr/lib/python3.11/json/__init__.py:299)", "json"},
        {"org.apache.spark.sql.Row.get", "org.apache.spark"},
        {"java.util.HashMap.put(Object, Object)", "java.util"},
        {"github.com/a/b/pkg.(*Server).Serve.func1", "github.com/a/b/pkg"},
        {"runtime.mallocgc", "runtime"},
        {"load (app/models.py:12)", "app"},
        {"boxed.rs:2007 - <alloc::boxed::Box<F> as core::ops::FnOnce>::call_once", "alloc"},
        {"LazyCompile:*visit /app/node_modules/typescript/lib/tsc.js:3:14", "typescript"},
        {"f /app/node_modules/@babel/core/lib/index.js:3:14", "@babel/core"},
        {"Function:~require node:internal/modules/helpers:165:31", "node:internal"},
        {"libc.so.6`malloc", "libc.so.6"},
        {"hash_table<hasher, false, xcallocator>::find_slot", "hash_table"},
        {"std::map<int, std::vector<int> >::operator[]", "std"},
        {"vec<tree_node*, va_gc, vl_embed>::quick_push", "vec"},
        {"std::operator< <char>", "std"},
        {"std::operator<< <std::char_traits<char> >(std::ostream&, char const*)", "std"},
        {"<alloc::vec::Vec<T> as core::iter::Extend<T>>::extend", "alloc"},
        {"<(A, B) as Tuple>::first", "Tuple"},
        {"foo(int, std::pair<a::b, c::d>)::{lambda()#1}::operator()() const", ""},
        {"ns::foo(int)::{lambda(a::b)#1}::operator()(a::b) const", "ns"},
        {"generic_wide_int<wide_int_storage>::x", "generic_wide_int"},
        {"bool std::operator==<char>(std::string const&)", "std"},
        {"int ns::f<(anonymous namespace)::T>(x)", "ns"},
        {"std::enable_if<(a::b)0, x::y>::type ns::f<int>(int)", "ns"},
        {"void (*ns::get(int))(char)", "ns"},
        {"decltype(auto) a::b<c>", "a"},
        {"int_range<2, false>::~int_range", "int_range"},
        {"A<(1>2)>::f", "A"},
        {"A<(1 > 2)>::f", "A"},
        {"std::function<void (int)>::operator()(int) const", "std"},
        {"(anonymous namespace)::Parser::next()", "(anonymous namespace)"},
        {"operator->", ""},
        {"operator<", ""},
        {"std::pair<a, b> f<c::d>(e::g)", ""},
        {"malloc", ""},
        {"operator new[](unsigned long, std::nothrow_t const&)", ""},
        {"a_name_of_sixteen_or_more`malloc_of_sixteen", "a_name_of_sixteen_or_more"},
        {"a_long_name_that_has_no_separator<at, all>", ""},
        {"[cc1plus <698303> with more than sixteen]", ""},
        {"[unknown]", ""},
        {"", ""},
    };
    check_packages(name_package, cases, sizeof cases / sizeof cases[0]);
}

static void packages_of_go_end_before_types_with_lower_case_names(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"runtime.gcTrigger.test", "runtime"},
        {"net/http.body.Read", "net/http"},
        {"github.com/a/b.v2/pkg.(*Server).Serve.func1", "github.com/a/b.v2/pkg"},
        {"slices.Sort[go.shape.[]github.com/a/b.T]", "slices"},
        {"memeqbody", ""},
        {"a/b", ""},
        {"", ""},
    };
    check_packages(name_package_of_go, cases, sizeof cases / sizeof cases[0]);
}

static void packages_of_files_are_folders_or_those_of_npm(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"file:///srv/app/main.js", "/srv/app"},
        {"/srv/app/node_modules/@babel/core/lib/index.js", "@babel/core"},
        {"node:internal/modules/cjs/loader", "node:internal"},
        {"node:fs", "node:fs"},
        {"lib/models.py:12", "lib"},
        {"/usr/lib/python3.11/json/scanner.py", "json"},
        {"/usr/lib/python3.11/_strptime.py:309", "_strptime"},
        {"/opt/lib/python3.11/site-packages/numpy/core/multiarray.py", "numpy"},
        {"/usr/lib/python3/dist-packages/six.py", "six"},
        {"/home/me/python3/app/models.py", "app"},
        {"/home/me/python-app/models.py", "/home/me/python-app"},
        {"<frozen importlib._bootstrap>", "importlib"},
        {"", ""},
    };
    check_packages(name_package_of_file, cases, sizeof cases / sizeof cases[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_shortened_at_meaningful_borders),
        cmocka_unit_test(labels_keep_four_letters_of_the_own_name),
        cmocka_unit_test(packages_are_found_in_names),
        cmocka_unit_test(packages_of_go_end_before_types_with_lower_case_names),
        cmocka_unit_test(packages_of_files_are_folders_or_those_of_npm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
