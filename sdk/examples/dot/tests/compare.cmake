# SPDX-License-Identifier: MIT
# Draws INPUT with the PLUGIN and compares the result with EXPECTED.

execute_process(COMMAND "${PROGRAM}" --no-config run "${INPUT}" --from folded --to dot
    --plugin "${PLUGIN}" OUTPUT_VARIABLE got RESULT_VARIABLE status)
file(READ "${EXPECTED}" expected)
if(NOT status EQUAL 0)
    message(FATAL_ERROR "brazier ended with ${status}")
elseif(NOT got STREQUAL expected)
    message(FATAL_ERROR "expected:\n${expected}\ngot:\n${got}")
endif()
