# SPDX-License-Identifier: MIT
# Installs pages of documentation, with links that lead to installed files.
#
# Pages of the repository link to files outside of docs, such as the headers, which are elsewhere in an
# installation, or not in it. There, such a link leads to the installed file, or is plain text.

# Stores the path from a folder of the installation to another one; both are full paths.
function(brz_installed_link from to result)
    file(RELATIVE_PATH path "${from}" "${to}")
    set(${result} "${path}" PARENT_SCOPE)
endfunction()

# Installs the page SOURCE in the folder FOLDER of the documentation. ROOT and SDK are how its links to files of the
# repository and of its folder sdk begin.
function(brz_install_document)
    cmake_parse_arguments(PARSE_ARGV 0 page "" "SOURCE;FOLDER;ROOT;SDK;COMPONENT" "")
    set(here "${CMAKE_INSTALL_FULL_DOCDIR}/${page_FOLDER}")
    set(data "${CMAKE_INSTALL_FULL_DATADIR}/brazier")
    brz_installed_link("${here}" "${CMAKE_INSTALL_FULL_INCLUDEDIR}" include)
    brz_installed_link("${here}" "${CMAKE_INSTALL_FULL_DOCDIR}/examples" examples)
    brz_installed_link("${here}" "${data}/rust" rust)
    brz_installed_link("${here}" "${data}/formats" formats)

    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${page_SOURCE}")
    file(READ "${page_SOURCE}" text)
    string(REPLACE "](${page_SDK}include/" "](${include}/" text "${text}")
    string(REPLACE "](${page_SDK}examples/" "](${examples}/" text "${text}")
    string(REPLACE "](${page_SDK}rust/" "](${rust}/" text "${text}")
    string(REPLACE "](${page_ROOT}lib/include/" "](${include}/" text "${text}")
    string(REPLACE "](${page_ROOT}formats/" "](${formats}/" text "${text}")
    string(REPLACE "." "\\." beginnings "${page_ROOT}|${page_SDK}")
    string(REGEX REPLACE "\\[([^][]*)\\]\\((${beginnings})[a-zA-Z][^)]*\\)" "\\1" text "${text}")

    get_filename_component(name "${page_SOURCE}" NAME)
    set(own "${CMAKE_CURRENT_BINARY_DIR}/documents/${page_FOLDER}/${name}")
    file(WRITE "${own}" "${text}")
    if(NOT page_COMPONENT)
        set(page_COMPONENT "${CMAKE_INSTALL_DEFAULT_COMPONENT_NAME}")
    endif()
    install(FILES "${own}" DESTINATION "${CMAKE_INSTALL_DOCDIR}/${page_FOLDER}" COMPONENT "${page_COMPONENT}")
endfunction()
