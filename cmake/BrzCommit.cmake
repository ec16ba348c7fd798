# SPDX-License-Identifier: MIT
# Names the commit of an unreleased build, for --version.
#
# As a module, brz_add_commit(TARGET) makes the header commit.h for a target. As a script, writes it:
#
#     cmake -D SOURCE=FOLDER -D VERSION=X.Y.Z -D FILE=commit.h -P BrzCommit.cmake
#
# BRZ_COMMIT is empty for a release, which has the tag vX.Y.Z, and where git does not know the source.

set(BRZ_COMMIT_SCRIPT "${CMAKE_CURRENT_LIST_FILE}")

# Stores the output of a git command in a variable: an empty text if it fails.
function(brz_git variable source)
    execute_process(COMMAND git -C "${source}" ${ARGN} OUTPUT_VARIABLE out RESULT_VARIABLE status ERROR_QUIET
                    OUTPUT_STRIP_TRAILING_WHITESPACE)
    if(NOT status EQUAL 0)
        set(out "")
    endif()
    set(${variable} "${out}" PARENT_SCOPE)
endfunction()

# Stores the commit of an unreleased source. A folder within another project's repository has none.
function(brz_find_commit variable source version)
    brz_git(prefix "${source}" rev-parse --show-prefix)
    brz_git(commit "${source}" rev-parse --short=12 HEAD)
    brz_git(tags "${source}" tag --points-at HEAD --list "v${version}")
    if(NOT prefix STREQUAL "" OR NOT tags STREQUAL "")
        set(commit "")
    endif()
    set(${variable} "${commit}" PARENT_SCOPE)
endfunction()

function(brz_write_commit file commit)
    set(text "/* Written by cmake/BrzCommit.cmake. */\n#define BRZ_COMMIT \"${commit}\"\n")
    file(WRITE "${file}" "${text}")
endfunction()

# Makes commit.h for a target: again after each commit, or with the BRZ_COMMIT that packages give.
function(brz_add_commit target)
    set(folder "${CMAKE_CURRENT_BINARY_DIR}/commit")
    target_include_directories(${target} PRIVATE "${folder}")
    brz_git(log "${PROJECT_SOURCE_DIR}" rev-parse --path-format=absolute --git-path logs/HEAD)
    if(BRZ_COMMIT OR NOT EXISTS "${log}")
        brz_write_commit("${folder}/commit.h" "${BRZ_COMMIT}")
        return()
    endif()
    add_custom_command(
        OUTPUT "${folder}/commit.h"
        COMMAND "${CMAKE_COMMAND}" -D "SOURCE=${PROJECT_SOURCE_DIR}" -D "VERSION=${PROJECT_VERSION}"
                -D "FILE=${folder}/commit.h" -P "${BRZ_COMMIT_SCRIPT}"
        DEPENDS "${log}" "${BRZ_COMMIT_SCRIPT}"
        COMMENT "Finding the commit" VERBATIM)
    target_sources(${target} PRIVATE "${folder}/commit.h")
endfunction()

if(CMAKE_SCRIPT_MODE_FILE AND CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
    brz_find_commit(commit "${SOURCE}" "${VERSION}")
    brz_write_commit("${FILE}" "${commit}")
endif()
