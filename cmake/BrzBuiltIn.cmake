# SPDX-License-Identifier: MIT
# Links the shipped plug-ins into one object, for a static program (BRZ_STATIC).
#
# Plug-ins have functions of the same names, and so have plug-ins and the host. Therefore each plug-in becomes an object
# of which only the entry and the hints are visible, under names of their own; then all of them and their common parts
# become one object, of which the same is true. What the parts share with the host, such as PCRE2, is linked later.

# Stores the names of the symbols of a plug-in.
function(brz_built_in_symbols plugin entry hints)
    string(MAKE_C_IDENTIFIER "${plugin}" name)
    set(${entry} "brz_plugin_of_${name}" PARENT_SCOPE)
    set(${hints} "brz_hints_of_${name}" PARENT_SCOPE)
endfunction()

# Makes the object of a plug-in: first with new names, then without the others. Objects without hints stay as they are.
function(brz_build_in_plugin plugin object)
    brz_built_in_symbols(${plugin} entry hints)
    add_custom_command(OUTPUT "${object}"
        COMMAND "${CMAKE_LINKER}" -r -o "${object}" "$<TARGET_OBJECTS:${plugin}>"
        COMMAND "${CMAKE_OBJCOPY}" --redefine-sym brz_plugin_v${BRZ_ABI_MAJOR}=${entry}
                --redefine-sym brz_hints_of_plugin=${hints} "${object}"
        COMMAND "${CMAKE_OBJCOPY}" --globalize-symbol=${hints} "${object}"
        COMMAND "${CMAKE_OBJCOPY}" --keep-global-symbol=${entry} --keep-global-symbol=${hints} "${object}"
        DEPENDS ${plugin} "$<TARGET_OBJECTS:${plugin}>"
        COMMAND_EXPAND_LISTS VERBATIM)
endfunction()

# Writes the table of the plug-ins, which core/plugin/built_in.c returns.
function(brz_write_built_in_table file plugins)
    set(symbols "")
    set(rows "")
    foreach(plugin IN LISTS plugins)
        brz_built_in_symbols(${plugin} entry hints)
        string(APPEND symbols "extern const brz_plugin ${entry};\n"
            "extern const brz_hints_note ${hints} __attribute__((weak));\n")
        string(APPEND rows "    {\"${plugin}.so\", &${entry}, &${hints}},\n")
    endforeach()
    file(CONFIGURE OUTPUT "${file}" @ONLY CONTENT
"/* Written by cmake/BrzBuiltIn.cmake. */
#include \"plugin/built_in.h\"

${symbols}
extern const brz_built_in brz_built_in_table[];
const brz_built_in brz_built_in_table[] = {
${rows}    {0},
};
")
endfunction()

# Adds the target brazier-built-in: the table and all plug-ins that brz_add_plugin() added.
function(brz_build_in_plugins)
    get_property(plugins GLOBAL PROPERTY BRZ_PLUGINS)
    get_property(parts GLOBAL PROPERTY BRZ_PLUGIN_PARTS)
    set(folder "${CMAKE_CURRENT_BINARY_DIR}/built_in")
    set(objects "")
    set(visible "")
    set(libraries "")
    file(MAKE_DIRECTORY "${folder}")
    foreach(plugin IN LISTS plugins)
        brz_build_in_plugin(${plugin} "${folder}/${plugin}.o")
        brz_built_in_symbols(${plugin} entry hints)
        list(APPEND objects "${folder}/${plugin}.o")
        list(APPEND visible --keep-global-symbol=${entry} --keep-global-symbol=${hints})
    endforeach()
    foreach(target IN LISTS plugins parts)
        get_target_property(linked ${target} LINK_LIBRARIES)
        list(APPEND libraries ${linked})
    endforeach()
    list(REMOVE_DUPLICATES libraries)
    list(REMOVE_ITEM libraries ${parts})
    list(TRANSFORM parts REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE archives)

    set(all "${folder}/all.o")
    add_custom_command(OUTPUT "${all}"
        COMMAND "${CMAKE_LINKER}" -r -o "${all}" ${objects} --start-group ${archives} --end-group
        COMMAND "${CMAKE_OBJCOPY}" ${visible} "${all}"
        DEPENDS ${objects} ${parts} ${archives}
        COMMENT "Linking the plug-ins into one object" VERBATIM)
    brz_write_built_in_table("${folder}/table.c" "${plugins}")
    add_library(brazier-built-in STATIC "${folder}/table.c" "${all}")
    set_source_files_properties("${all}" PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
    brz_target_defaults(brazier-built-in)
    target_include_directories(brazier-built-in PRIVATE "${PROJECT_SOURCE_DIR}/core")
    target_link_libraries(brazier-built-in PUBLIC ${libraries})
endfunction()
