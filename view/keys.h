/* SPDX-License-Identifier: MIT */
/* Carries out what keys stand for. */
#ifndef BRZ_VIEW_KEYS_H
#define BRZ_VIEW_KEYS_H

#include "view/viewer.h"

void view_key(viewer *v, uint32_t key);

#endif
