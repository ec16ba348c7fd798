# SPDX-License-Identifier: MIT
# Writes OUTPUT from ITEMS, "NAME|FILE|FILE|NAME|FILE...": see BrzEmbed.cmake.

# Removes comments, indentation and empty lines from a script or style sheet. Works on text rather
# than tokens: in these files, "/*" begins a comment everywhere, and no string spans lines.
function(squeeze text out)
    string(REGEX REPLACE "/\\*[^*]*\\*+([^/*][^*]*\\*+)*/" "" text "${text}")
    string(REGEX REPLACE "[ \t]+\n" "\n" text "${text}")
    string(REGEX REPLACE "\n[ \t\n]+" "\n" text "\n${text}")
    string(REGEX REPLACE "^\n+" "" text "${text}")
    set(${out} "${text}" PARENT_SCOPE)
endfunction()

function(put_array name bytes)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    file(APPEND "${OUTPUT}"
        "static const unsigned char ${name}[] = {${bytes}};\n"
        "static const size_t ${name}_size = sizeof ${name};\n")
endfunction()

file(WRITE "${OUTPUT}" "/* Made from files of the source tree. */\n#include <stddef.h>\n")
string(REPLACE "|" ";" items "${ITEMS}")
set(name "")
set(bytes "")
foreach(item IN LISTS items)
    if(NOT IS_ABSOLUTE "${item}")
        if(name)
            put_array("${name}" "${bytes}")
        endif()
        set(name "${item}")
        set(bytes "")
    elseif(item MATCHES "\\.(js|css)$")
        file(READ "${item}" text)
        squeeze("${text}" text)
        string(HEX "${text}" hex)
        string(APPEND bytes "${hex}")
    else()
        file(READ "${item}" hex HEX)
        string(APPEND bytes "${hex}")
    endif()
endforeach()
put_array("${name}" "${bytes}")
