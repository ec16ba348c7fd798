/* SPDX-License-Identifier: MIT */
/* Reads the data of brazier's own pages. */
#ifndef PICTURE_OWN_PAGE_H
#define PICTURE_OWN_PAGE_H

#include <brazier/text.h>

/* Counts the stacks of a page, of which `data` is the content of the script element "profile". */
brz_rc own_page_read(brz_stacks *stacks, brz_ctx *ctx, brz_str data);

#endif
