/* SPDX-License-Identifier: MIT */
/* The entry point of the module. */
#include "view/view.h"

#include <brazier/base.h>

/* Implements brz_view_entry. The loader finds it by name. */
BRZ_EXPORT const brz_view *brz_view_module(void);

const brz_view *brz_view_module(void)
{
    return brz_view_linked();
}
