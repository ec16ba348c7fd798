# SPDX-License-Identifier: MIT
# Defines the settings of targets: warnings, sanitizers, visibility, plug-ins.

include(CheckCCompilerFlag)
include(CheckLinkerFlag)

# Enables warnings and hidden visibility for a target.
function(brz_target_defaults target)
    set_target_properties(${target} PROPERTIES
        C_STANDARD 11 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF
        C_VISIBILITY_PRESET hidden
        POSITION_INDEPENDENT_CODE ON)
    target_compile_options(${target} PRIVATE
        -Wall -Wextra -Wpedantic -Wshadow -Wconversion
        $<$<BOOL:${BRZ_WERROR}>:-Werror>)
    target_compile_definitions(${target} PRIVATE _GNU_SOURCE)
    if(BRZ_SANITIZE)
        target_compile_options(${target} PRIVATE
            -fsanitize=${BRZ_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
        target_link_options(${target} PRIVATE -fsanitize=${BRZ_SANITIZE})
    endif()
    if(BRZ_FUZZ)
        target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link)
    endif()
    if(BRZ_COVERAGE)
        target_compile_options(${target} PRIVATE --coverage -O0)
        target_link_options(${target} PRIVATE --coverage)
    endif()
endfunction()

# Sets the options that link a static program. It stays position-independent if the compiler and the C library can do
# that, which a program without a dynamic linker (AT_BASE) confirms: some compilers ignore -static-pie.
if(BRZ_STATIC)
    include(CheckCSourceRuns)
    set(CMAKE_REQUIRED_FLAGS -fPIE)
    set(CMAKE_REQUIRED_LINK_OPTIONS -static-pie)
    check_c_source_runs("
        #include <sys/auxv.h>
        int main(void) { return getauxval(AT_BASE) != 0; }" BRZ_HAVE_STATIC_PIE)
    unset(CMAKE_REQUIRED_FLAGS)
    unset(CMAKE_REQUIRED_LINK_OPTIONS)
    set(BRZ_STATIC_LINK_OPTIONS -static)
    if(BRZ_HAVE_STATIC_PIE)
        set(BRZ_STATIC_LINK_OPTIONS -static-pie)
    endif()
endif()

# The runtime of a sanitizer is resolved when the program starts, so its plug-ins have undefined
# symbols.
if(NOT BRZ_SANITIZE AND NOT APPLE)
    set(BRZ_PLUGIN_LINK_OPTIONS -Wl,-z,defs -Wl,-z,now -Wl,-z,nodelete)
endif()

# Leaves the compiler's start files out of shipped plug-ins: C code does not need them, and they cost
# each load a page and several symbol lookups.
if(NOT BRZ_SANITIZE AND NOT BRZ_COVERAGE AND NOT BRZ_FUZZ AND NOT APPLE)
    check_linker_flag(C -nostartfiles BRZ_HAVE_NOSTARTFILES)
endif()

# Puts code and constants into one mapping instead of three: for programs and plug-ins of this size,
# mapping dominates the start-up time.
check_linker_flag(C LINKER:-z,noseparate-code BRZ_HAVE_NOSEPARATE_CODE)
if(BRZ_HAVE_NOSEPARATE_CODE)
    set(BRZ_FEW_MAPPINGS LINKER:-z,noseparate-code)
endif()

# Packs the relocations of pointers in constant tables, most of those of a start. The dynamic loader
# must support that, too, so a program is run.
include(CheckCSourceRuns)
set(CMAKE_REQUIRED_LINK_OPTIONS ${BRZ_STATIC_LINK_OPTIONS} LINKER:-z,pack-relative-relocs)
check_c_source_runs("
    static int target;
    static int *volatile pointer = &target; /* a relocation that a loader must not leave out */
    int main(void) { return pointer != &target; }" BRZ_HAVE_PACKED_RELOCATIONS)
unset(CMAKE_REQUIRED_LINK_OPTIONS)
if(BRZ_HAVE_PACKED_RELOCATIONS)
    set(BRZ_FEW_RELOCATIONS LINKER:-z,pack-relative-relocs)
endif()

# Defines what a shipped plug-in says about its origin.
function(brz_define_shipped target)
    target_compile_definitions(${target} PRIVATE
        BRZ_SHIPPED_VERSION="${PROJECT_VERSION}"
        BRZ_SHIPPED_URL="${BRZ_BUGS_URL}")
endfunction()

# brz_add_plugin_parts(NAME SOURCES...): adds an archive for shipped plug-ins.
function(brz_add_plugin_parts name)
    add_library(${name} STATIC ${ARGN})
    brz_target_defaults(${name})
    target_link_libraries(${name} PUBLIC brazier::sdk)
    brz_define_shipped(${name})
    set_property(GLOBAL APPEND PROPERTY BRZ_PLUGIN_PARTS ${name})
endfunction()

# brz_add_plugin(KIND NAME SOURCES...): adds a shipped plug-in, KIND-NAME.so, or its objects for a static program. KIND
# is collapse, palette or output.
function(brz_add_plugin kind name)
    set(target ${kind}-${name})
    set(type MODULE)
    if(BRZ_STATIC)
        set(type OBJECT)
    endif()
    add_library(${target} ${type} ${ARGN})
    brz_target_defaults(${target})
    target_link_libraries(${target} PRIVATE plugin-parts)
    brz_define_shipped(${target})
    set_property(GLOBAL APPEND PROPERTY BRZ_PLUGINS ${target})
    if(BRZ_STATIC)
        return()
    endif()
    target_link_options(${target} PRIVATE ${BRZ_PLUGIN_LINK_OPTIONS} ${BRZ_FEW_MAPPINGS}
        $<$<BOOL:${BRZ_HAVE_NOSTARTFILES}>:-nostartfiles>
        $<$<NOT:$<PLATFORM_ID:Darwin>>:-Wl,--version-script=${PROJECT_SOURCE_DIR}/sdk/brazier-plugin.map>)
    set_target_properties(${target} PROPERTIES
        PREFIX "" SUFFIX ".so"
        LIBRARY_OUTPUT_DIRECTORY "${BRZ_PLUGIN_BUILD_DIR}"
        LINK_DEPENDS "${PROJECT_SOURCE_DIR}/sdk/brazier-plugin.map")
    install(TARGETS ${target} LIBRARY DESTINATION "${BRZ_PLUGIN_INSTALL_DIR}")
endfunction()
