/* Uses all that a plug-in has, in the usual ways: for tests of what it leaves behind. */
#ifndef BRZ_CHECK_USE_H
#define BRZ_CHECK_USE_H

#include "check.h"

void check_use(check *c);

#endif
