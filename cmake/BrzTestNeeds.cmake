# SPDX-License-Identifier: MIT
# Finds the dependencies of the tests, and disables the tests if any is missing: building brazier
# alone requires none of them.

pkg_check_modules(cmocka IMPORTED_TARGET cmocka)
find_package(Python3 COMPONENTS Interpreter)
if(Python3_Interpreter_FOUND)
    # The interpreter itself starts ten times faster than a script that selects one, like those of pyenv.
    execute_process(COMMAND "${Python3_EXECUTABLE}" -c "import sys; print(sys.executable)"
        OUTPUT_VARIABLE BRZ_PYTHON OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(NOT BRZ_PYTHON)
        set(BRZ_PYTHON "${Python3_EXECUTABLE}")
    endif()
endif()

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
