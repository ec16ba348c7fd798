/* SPDX-License-Identifier: MIT */
/* Uses all components of a plug-in in typical ways, for tests of their side effects. */
#ifndef BRZ_CHECK_EXERCISE_H
#define BRZ_CHECK_EXERCISE_H

#include "check/contract/check.h"

void check_exercise(check *c);

#endif
