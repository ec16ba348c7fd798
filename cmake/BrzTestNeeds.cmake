# Looks for what the tests need, and turns them off if something is missing: who only wants to build
# brazier needs none of it.

pkg_check_modules(cmocka IMPORTED_TARGET cmocka)
find_package(Python3 COMPONENTS Interpreter)

set(missing "")
if(NOT cmocka_FOUND)
    list(APPEND missing "cmocka (Debian: libcmocka-dev)")
endif()
if(NOT Python3_Interpreter_FOUND)
    list(APPEND missing "Python 3 (Debian: python3)")
endif()
if(missing)
    list(JOIN missing ", " missing)
    message(WARNING "The tests are left out, brazier itself is built. They need ${missing}. "
        "-DBRZ_TESTS=OFF silences this; ./dev setup installs all that is needed.")
    set(BRZ_TESTS OFF)
endif()
