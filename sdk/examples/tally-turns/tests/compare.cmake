# SPDX-License-Identifier: MIT
# Folds INPUT with the plug-in found in PLUGINS and compares the result with EXPECTED.

execute_process(
    COMMAND ${CMAKE_COMMAND} -E env "BRAZIER_PLUGIN_PATH=${PLUGINS}"
            "${PROGRAM}" --no-config collapse ${FORMAT} "${INPUT}"
    OUTPUT_VARIABLE got COMMAND_ERROR_IS_FATAL ANY)
file(READ "${EXPECTED}" expected)
if(NOT got STREQUAL expected)
    message(FATAL_ERROR "expected:\n${expected}\ngot:\n${got}")
endif()
