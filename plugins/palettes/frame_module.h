/* SPDX-License-Identifier: MIT */
/* Finds the module of a frame from its collapser's data or its name. */
#ifndef PALETTES_FRAME_MODULE_H
#define PALETTES_FRAME_MODULE_H

#include <brazier/symbol.h>
#include <brazier/tree.h>

#include "../common/names/name_parts.h"

/* Returns the file name of a path: "libc.so.6" for "/usr/lib/libc.so.6". */
static inline brz_str frame_module_file(brz_str path)
{
    size_t from = path.len;
    while (from > 0 && path.data[from - 1] != '/' && path.data[from - 1] != '\\')
        from--;
    return from == path.len ? path : brz_str_of(path.data + from, path.len - from);
}

/* Returns the frame's module without its folder, or else the part of its name before a backtick
 * (DTrace's module`function) or the package of a name with "::" (a crate, a namespace, a class), as
 * the palette "package" finds it. Empty if unknown. */
static inline brz_str frame_module(const brz_frame_info *f)
{
    if (f->module.len > 0)
        return frame_module_file(f->module);
    brz_str name = f->name;
    size_t end = brz_str_find(name, BRZ_STR("`"), 0);
    if (end != SIZE_MAX && end > 0)
        return brz_str_of(name.data, end);
    end = brz_str_find(name, BRZ_STR("::"), 0);
    return end == SIZE_MAX ? brz_str_of(name.data, 0) : name_package(name);
}

#endif
