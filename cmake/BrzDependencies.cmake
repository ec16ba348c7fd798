# SPDX-License-Identifier: MIT
# Finds the host's libraries. Links each from its archive if there is one, because every shared
# library adds as much to the start-up time as a small run takes; -DBRZ_STATIC_DEPS=OFF links shared
# libraries.

find_package(PkgConfig)
if(NOT PKG_CONFIG_FOUND)
    message(FATAL_ERROR "brazier finds its libraries by pkg-config, which is missing. "
        "Debian: apt-get install pkg-config")
endif()
find_package(Threads REQUIRED)

option(BRZ_STATIC_DEPS "Link libyaml, zlib, libzstd, PCRE2, libdeflate and ncurses from their archives if they are there" ON)

# brz_check_modules(PACKAGE PKGCONFIG-NAME ...): stops if libraries are missing and names all of
# them, together with Debian's packages.
function(brz_check_modules)
    set(missing "")
    set(packages "")
    while(ARGN)
        list(POP_FRONT ARGN package module)
        pkg_check_modules(BRZ_FOUND_${module} QUIET ${module})
        if(NOT BRZ_FOUND_${module}_FOUND)
            string(APPEND missing "\n  ${module}")
            string(APPEND packages " ${package}")
        endif()
    endwhile()
    if(missing)
        message(FATAL_ERROR "brazier needs libraries that pkg-config does not find:\n${missing}\n\n"
            "Debian: apt-get install${packages}\n"
            "./dev setup installs all that is needed; docs/dependencies.md says what each is for.")
    endif()
endfunction()

# brz_require_described(ARCHIVE): stops if the SBOM of the packages could not describe a library, rather than when
# the packages are built.
set(BRZ_LIBRARIES "${PROJECT_SOURCE_DIR}/packaging/libraries.csv")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${BRZ_LIBRARIES}")
function(brz_require_described archive)
    file(STRINGS "${BRZ_LIBRARIES}" rows)
    foreach(row ${rows})
        string(REPLACE "," ";" cells "${row}")
        list(GET cells 0 described)
        if(described STREQUAL archive)
            return()
        endif()
    endforeach()
    message(FATAL_ERROR "packaging/libraries.csv does not describe ${archive}, which the build links: "
        "add a line for it, since the packages list all libraries that they contain.")
endfunction()

# brz_find_dependency(NAME PKGCONFIG-NAME): defines the target brz::NAME.
function(brz_find_dependency name module)
    pkg_check_modules(${name} REQUIRED IMPORTED_TARGET ${module})
    add_library(brz::${name} INTERFACE IMPORTED GLOBAL)
    set(archive "")
    list(GET ${name}_LIBRARIES 0 library)
    brz_require_described(lib${library}.a)
    if(BRZ_STATIC_DEPS)
        find_library(${name}_ARCHIVE lib${library}.a HINTS ${${name}_LIBDIR})
        set(archive "${${name}_ARCHIVE}")
        if(BRZ_STATIC AND NOT archive)
            message(FATAL_ERROR "BRZ_STATIC needs lib${library}.a, which Alpine has in a package NAME-static.")
        endif()
    endif()
    if(archive)
        # A target can request the shared library instead.
        target_link_libraries(brz::${name} INTERFACE
            $<IF:$<BOOL:$<TARGET_PROPERTY:BRZ_SHARED_DEPENDENCIES>>,PkgConfig::${name},${archive}>)
        target_include_directories(brz::${name} INTERFACE ${${name}_INCLUDE_DIRS})
        if(BRZ_STATIC) # the archive needs other libraries, which a shared library would name itself
            set(needed ${${name}_STATIC_LIBRARIES})
            list(REMOVE_ITEM needed ${library})
            target_link_libraries(brz::${name} INTERFACE ${needed})
        endif()
    else()
        target_link_libraries(brz::${name} INTERFACE PkgConfig::${name})
    endif()
endfunction()

# Demangling requires libiberty, which exists only as an archive, without pkg-config. Fedora has its
# header among those of binutils.
find_path(BRZ_DEMANGLE_INCLUDE_DIR demangle.h PATH_SUFFIXES libiberty)
find_library(BRZ_LIBIBERTY_ARCHIVE libiberty.a)
set(BRZ_HAVE_LIBIBERTY OFF)
add_library(brz::iberty INTERFACE IMPORTED GLOBAL)
if(BRZ_DEMANGLE_INCLUDE_DIR AND BRZ_LIBIBERTY_ARCHIVE)
    set(BRZ_HAVE_LIBIBERTY ON)
    brz_require_described(libiberty.a)
    target_link_libraries(brz::iberty INTERFACE "${BRZ_LIBIBERTY_ARCHIVE}")
    target_include_directories(brz::iberty INTERFACE "${BRZ_DEMANGLE_INCLUDE_DIR}")
else()
    message(STATUS "Names are not demangled: that needs libiberty-dev")
endif()

brz_check_modules(
    libyaml-dev yaml-0.1
    zlib1g-dev zlib
    libzstd-dev libzstd
    libpcre2-dev libpcre2-8)
brz_find_dependency(yaml yaml-0.1)
brz_find_dependency(zlib zlib)
brz_find_dependency(zstd libzstd)
brz_find_dependency(pcre2 libpcre2-8)

# Omits plug-ins whose libraries are missing.
option(BRZ_XCTRACE "Build the collapser xctrace if expat is there" ON)
if(BRZ_XCTRACE)
    pkg_check_modules(expat QUIET expat)
    if(expat_FOUND)
        brz_find_dependency(expat expat)
    else()
        message(STATUS "The collapser xctrace is left out: it needs libexpat1-dev")
        set(BRZ_XCTRACE OFF)
    endif()
endif()
option(BRZ_SQLITE "Build the output sqlite if SQLite is there" ON)
if(BRZ_SQLITE)
    pkg_check_modules(sqlite3 QUIET IMPORTED_TARGET sqlite3)
    if(sqlite3_FOUND)
        # The shared library, except in a static program: two copies of SQLite in a process release each other's locks of
        # a file, and the program around libbrazier may have one.
        if(BRZ_STATIC)
            brz_find_dependency(sqlite sqlite3)
        else()
            add_library(brz::sqlite INTERFACE IMPORTED GLOBAL)
            target_link_libraries(brz::sqlite INTERFACE PkgConfig::sqlite3)
        endif()
    else()
        message(STATUS "The output sqlite is left out: it needs libsqlite3-dev")
        set(BRZ_SQLITE OFF)
    endif()
endif()
option(BRZ_VIEW "Build the viewer in the terminal if ncurses is there" ON)
if(BRZ_VIEW)
    pkg_check_modules(ncursesw QUIET ncursesw)
    pkg_check_modules(tinfo QUIET tinfo)
    if(ncursesw_FOUND AND tinfo_FOUND)
        brz_find_dependency(ncursesw ncursesw)
        brz_find_dependency(tinfo tinfo)
    else()
        message(STATUS "brazier view is left out: it needs libncurses-dev")
        set(BRZ_VIEW OFF)
    endif()
endif()
# With the shared libraries of ncurses, the viewer is a module that is loaded only when it is used, unless
# -DBRZ_VIEW_MODULE says otherwise. That is no option of the cache: packages use the folder of one build for another.
if(NOT DEFINED CACHE{BRZ_VIEW_MODULE})
    set(BRZ_VIEW_MODULE ON)
    if(ncursesw_ARCHIVE AND BRZ_STATIC_DEPS)
        set(BRZ_VIEW_MODULE OFF)
    endif()
endif()
option(BRZ_PERF_DATA "Build the collapser perf-data if elfutils is there" ON)
if(BRZ_PERF_DATA)
    pkg_check_modules(elfutils QUIET IMPORTED_TARGET libdw libelf)
    if(elfutils_FOUND)
        # The archives of elfutils cannot be part of shared objects.
        add_library(brz::elf INTERFACE IMPORTED GLOBAL)
        target_link_libraries(brz::elf INTERFACE PkgConfig::elfutils)
        pkg_check_modules(lzma QUIET IMPORTED_TARGET liblzma)
        if(lzma_FOUND)
            target_link_libraries(brz::elf INTERFACE PkgConfig::lzma)
            target_compile_definitions(brz::elf INTERFACE BRZ_HAS_LZMA=1)
        else()
            message(STATUS "perf-data reads no packed symbols (.gnu_debugdata): that needs liblzma-dev")
        endif()
        pkg_check_modules(libdeflate QUIET libdeflate)
        if(libdeflate_FOUND)
            brz_find_dependency(deflate libdeflate)
            target_link_libraries(brz::elf INTERFACE brz::deflate)
            target_compile_definitions(brz::elf INTERFACE BRZ_HAS_LIBDEFLATE=1)
        else()
            message(STATUS "perf-data unpacks debugging information in twice the time: libdeflate-dev is missing")
        endif()
    else()
        message(STATUS "The collapser perf-data is left out: it needs libelf-dev and libdw-dev")
        set(BRZ_PERF_DATA OFF)
    endif()
endif()
