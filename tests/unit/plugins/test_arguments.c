/* SPDX-License-Identifier: MIT */
/* Tests finding the arguments of functions in names. */
#include "unit.h"

#include <string.h>

#include "common/names/arguments.h"

static brz_str text_of(const char *s)
{
    return brz_str_of(s, strlen(s));
}

/* The names without arguments; NULL: the same. */
typedef struct naming_case {
    const char *name, *without;
} naming_case;

static void check(const naming_case *cases, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const char *expected = cases[i].without != NULL ? cases[i].without : cases[i].name;
        brz_str found = name_without_arguments(text_of(cases[i].name));
        char got[256] = "";
        assert_true(found.len < sizeof got);
        memcpy(got, found.data, found.len);
        assert_string_equal(got, expected);
    }
}

#define CHECK(cases) check(cases, sizeof(cases) / sizeof *(cases))

static void functions_lose_their_arguments(void **state)
{
    static const naming_case cases[] = {
        {"main", NULL},
        {"f(int)", "f"},
        {"f(void (*)(int), A<(B)1>)", "f"},
        {"std::vector<int>::push_back(int const&)", "std::vector<int>::push_back"},
        {"A::get() const", "A::get"},
        {"A::get() const &", "A::get"},
        {"A::get() &&", "A::get"},
        {"A::~A()", "A::~A"},
        {"f(int) [clone .cold]", "f"},
        {"f(int) const [clone .isra.0]", "f"},
        {"f(int) (.llvm.123)", "f"},
        {"f(int)@plt", "f"},
        {"void f<int>(int)", "void f<int>"},
        {"f(int", "f"},
        {"virtual thunk to A::f(int)", "virtual thunk to A::f"},
    };
    (void)state;
    CHECK(cases);
}

static void arguments_of_functions_around_stay(void **state)
{
    static const naming_case cases[] = {
        {"f(int)::{lambda(char)#1}::operator()(char) const",
         "f(int)::{lambda(char)#1}::operator()"},
        {"f(int)::{lambda(char)#1}::operator()", NULL},
        {"main::'lambda'()::operator()() const", "main::'lambda'()::operator()"},
        {"main::$_0::operator()() const", "main::$_0::operator()"},
        {"f(int)::Local::g(char)", "f(int)::Local::g"},
        {"A::f(int) const::Local::g(char)", "A::f(int) const::Local::g"},
        {"f()::once", NULL},
        {"(anonymous namespace)::f(int)", "(anonymous namespace)::f"},
        {"a::(anonymous namespace)::f(int)", "a::(anonymous namespace)::f"},
    };
    (void)state;
    CHECK(cases);
}

static void constraints_are_no_arguments(void **state)
{
    static const naming_case cases[] = {
        {"g(int) requires (X<int>)", "g"},
        {"void g<int>(int) requires X<int>", "void g<int>"},
        {"A::g(int) const requires (std::X<int>) && (Y<int>)", "A::g"},
        {"g(int) requires X<int> [clone .cold]", "g"},
        {"g(int) requires requires {typename T;}", "g"},
        {"f(int) requires (X<int>)::{lambda(char)#1}::operator()(char) const",
         "f(int) requires (X<int>)::{lambda(char)#1}::operator()"},
        {"f(int) requires X<int>::Local::operator()(char)",
         "f(int) requires X<int>::Local::operator()"},
        {"f(int) requires (X<int>)::Local::g(char)", "f(int) requires (X<int>)::Local::g"},
        {"requires(int)", "requires"},
    };
    (void)state;
    CHECK(cases);
}

static void operators_keep_their_signs(void **state)
{
    static const naming_case cases[] = {
        {"operator()", NULL},
        {"operator()(int)", "operator()"},
        {"A::operator()<int>(int) const", "A::operator()<int>"},
        {"std::function<void (int)>::operator()(int) const",
         "std::function<void (int)>::operator()"},
        {"std::function<void (int)>::operator()", NULL},
        {"operator new(unsigned long)", "operator new"},
        {"operator delete[](void*)", "operator delete[]"},
        {"bool operator< <char>(A<char> const&)", "bool operator< <char>"},
        {"A& operator<< <char>(A&, char const*)", "A& operator<< <char>"},
        {"bool A::operator><int>(int)", "bool A::operator><int>"},
        {"A::operator-><int>(int)", "A::operator-><int>"},
        {"A::operator->*(int)", "A::operator->*"},
        {"A::operator!(int)", "A::operator!"},
        {"A::operator[](int)", "A::operator[]"},
        {"operator\"\"_km(long double)", "operator\"\"_km"},
        {"A::operator bool() const", "A::operator bool"},
        {"A::operator void (*)(int)() const", "A::operator void (*)(int)"},
        {"A::operator void (*)(int)", NULL},
        {"A::operator int()::Local::f(char)", "A::operator int()::Local::f"},
        {"my_operator(int)", "my_operator"},
        {"operators(int)", "operators"},
    };
    (void)state;
    CHECK(cases);
}

static void types_in_brackets_stay(void **state)
{
    static const naming_case cases[] = {
        {"decltype(f(a)) g<int>(int)", "decltype(f(a)) g<int>"},
        {"decltype (f(a)) g<int>(int)", "decltype (f(a)) g<int>"},
        {"mydecltype(int)", "mydecltype"},
        {"net/http.(*Client).Do", NULL},
        {"net/http.(*Client).Do(...)", "net/http.(*Client).Do"},
        {"array.ArrayList(u8).append", NULL},
        {"*Set(Int32)@Set(T)#add<Int32>:Set(Int32)", NULL},
        {"std.stdio.writeln!(char).writeln(char)", "std.stdio.writeln!(char).writeln"},
        {"-[NSView(Category) drawRect:]", NULL},
    };
    (void)state;
    CHECK(cases);
}

static void names_of_other_languages_stay_apart(void **state)
{
    static const naming_case cases[] = {
        {"Lio/netty/Foo;.read(Ljava/lang/Object;)Lio/netty/chann", "Lio/netty/Foo;.read"},
        {"Foo.run()V", "Foo.run"},
        {"kfun:com.example.Foo#bar(kotlin.Int){}kotlin.String", "kfun:com.example.Foo#bar"},
        {"instance void [Lib] A.B::C(int32)[Optimized]", "instance void [Lib] A.B::C"},
        {"System.String:Concat (string,string)", "System.String:Concat"},
        {"app::run::{closure#0}(u32) -> String", "app::run::{closure#0}"},
        {"closure #1 () -> () in App.start() -> ()", NULL},
        {"JS:*f (native) /x.js:1:2", NULL},
        {"JS::InstanceofOperator(JSContext*)", "JS::InstanceofOperator"},
        {"LazyCompile:~(anonymous) /my app/x.js:1:1", NULL},
        {"RegExp:^([^;/]+)(?:;|$)", NULL},
        {"py::f:/lib (x86)/a(1)", NULL},
        {"load (app/models.py:12)", NULL},
        {"f (native) /x.js:1", NULL},
        {"(f)", NULL},
        {"", NULL},
    };
    (void)state;
    CHECK(cases);
}

static void unbalanced_names_are_read_once(void **state)
{
    static const char *const parts[] = {"(",        ")",           "a(b)", "<(",
                                        "operator", "f() const::", "(\"",  "f() requires "};
    (void)state;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        size_t n = strlen(parts[i]), len = n * 100000;
        char *name = malloc(len);
        assert_non_null(name);
        for (size_t at = 0; at < len; at += n)
            memcpy(name + at, parts[i], n);
        assert_true(name_arguments(brz_str_of(name, len)) <= len);
        free(name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(functions_lose_their_arguments),
        cmocka_unit_test(arguments_of_functions_around_stay),
        cmocka_unit_test(constraints_are_no_arguments),
        cmocka_unit_test(operators_keep_their_signs),
        cmocka_unit_test(types_in_brackets_stay),
        cmocka_unit_test(names_of_other_languages_stay_apart),
        cmocka_unit_test(unbalanced_names_are_read_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
