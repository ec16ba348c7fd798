# SPDX-License-Identifier: MIT
# brz_embed(TARGET HEADER NAME FILE... [NAME FILE...]...): generates a header with the contents of
# files as `static const unsigned char NAME[]` and `NAME_size`, again whenever a file changes.
# Concatenates the files of a name. Removes comments and indentation from scripts and style sheets.

function(brz_embed target header)
    set(output "${CMAKE_CURRENT_BINARY_DIR}/embed-${target}/${header}")
    set(files "")
    set(items ${ARGN})
    foreach(item IN LISTS items)
        if(IS_ABSOLUTE "${item}")
            list(APPEND files "${item}")
        endif()
    endforeach()
    string(REPLACE ";" "|" packed "${items}")
    add_custom_command(OUTPUT "${output}"
        COMMAND ${CMAKE_COMMAND} "-DOUTPUT=${output}" "-DITEMS=${packed}"
                -P "${PROJECT_SOURCE_DIR}/cmake/embed.cmake"
        DEPENDS ${files} "${PROJECT_SOURCE_DIR}/cmake/embed.cmake"
        VERBATIM)
    target_sources(${target} PRIVATE "${output}")
    target_include_directories(${target} PRIVATE "${CMAKE_CURRENT_BINARY_DIR}/embed-${target}")
endfunction()
