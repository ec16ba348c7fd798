# SPDX-License-Identifier: MIT
# Changes the stacks of TESTS/CASE.folded with the PLUGIN, whose options are in CASE.args, and compares
# the result with CASE.trim.

file(READ "${TESTS}/${CASE}.args" options)
string(REPLACE "{tests}" "${TESTS}" options "${options}")
separate_arguments(options UNIX_COMMAND "${options}")
execute_process(COMMAND "${PROGRAM}" --no-config run "${TESTS}/${CASE}.folded" --from folded
    --to folded --plugin "${PLUGIN}" --transform trim ${options}
    OUTPUT_VARIABLE got RESULT_VARIABLE status)
file(READ "${TESTS}/${CASE}.trim" expected)
if(NOT status EQUAL 0)
    message(FATAL_ERROR "brazier ended with ${status}")
elseif(NOT got STREQUAL expected)
    message(FATAL_ERROR "expected:\n${expected}\ngot:\n${got}")
endif()
