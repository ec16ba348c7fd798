/* Which module a frame belongs to, as far as its collapser or its name tells. */
#ifndef PALETTES_FRAME_MODULE_H
#define PALETTES_FRAME_MODULE_H

#include <brazier/symbol.h>
#include <brazier/tree.h>

/* "/usr/lib/libc.so.6" as "libc.so.6". */
static inline brz_str frame_module_file(brz_str path)
{
    size_t from = path.len;
    while (from > 0 && path.data[from - 1] != '/' && path.data[from - 1] != '\\')
        from--;
    return from == path.len ? path : brz_str_of(path.data + from, path.len - from);
}

/* The frame's module without its folder, or else what stands in its name in front of a backtick
 * (DTrace's module`function) or of the first "::" (a crate, a namespace). Empty: not known. */
static inline brz_str frame_module(const brz_frame_info *f)
{
    if (f->module.len > 0)
        return frame_module_file(f->module);
    brz_str name = f->name;
    size_t end = brz_str_find(name, BRZ_STR("`"), 0);
    if (end != SIZE_MAX && end > 0)
        return brz_str_of(name.data, end);
    while (name.len > 0 && (name.data[0] == '<' || name.data[0] == '&' || name.data[0] == '*'))
        name = brz_str_of(name.data + 1, name.len - 1);
    end = brz_str_find(name, BRZ_STR("::"), 0);
    return brz_str_of(name.data, end == SIZE_MAX ? 0 : end);
}

#endif
