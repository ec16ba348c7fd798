/* SPDX-License-Identifier: MIT */
/* Makes names for code without a function. */
#include "unresolved.h"

#include <brazier/symbol.h>

#include <stdio.h>

#include "../file_path.h"

bool mapping_is_kernel(brz_str module)
{
    return brz_starts_with(module, BRZ_STR("[kernel")) ||
           brz_starts_with(module, BRZ_STR("[guest.kernel")) || brz_str_is(module, "[vmlinux]") ||
           brz_ends_with(module, BRZ_STR(".ko"));
}

brz_str unresolved_name(brz_text *scratch, brz_ctx *ctx, brz_str module, uint64_t address)
{
    scratch->len = 0;
    if (address != 0) {
        char hex[24];
        int n = snprintf(hex, sizeof hex, "0x%llx", (unsigned long long)address);
        brz_text_append(scratch, ctx, brz_str_of(hex, (size_t)n));
        return brz_text_str(scratch);
    }
    brz_str base = path_base(module);
    bool bare = base.len > 0 && base.data[0] != '[';
    if (base.len == 0)
        return BRZ_STR("[unknown]");
    brz_text_append(scratch, ctx, bare ? BRZ_STR("[") : BRZ_STR(""));
    brz_text_append(scratch, ctx, base);
    brz_text_append(scratch, ctx, bare ? BRZ_STR("]") : BRZ_STR(""));
    return brz_text_str(scratch);
}

void frame_complete_name(brz_frame_desc *d, brz_text *scratch, brz_ctx *ctx, bool addresses)
{
    if (d->name.len == 0)
        d->name = d->system_name;
    if (d->name.len == 0)
        d->name = unresolved_name(scratch, ctx, d->module, addresses ? d->address : 0);
}
