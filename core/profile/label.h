/* Labels all samples of a profile. */
#ifndef BRZ_LABEL_H
#define BRZ_LABEL_H

#include "profile/profile.h"

/* Adds a label to the tag of each sample that has none with this key. The profile keeps samples. */
void brz_profile_label(brz_profile *p, brz_str key, brz_str text);

#endif
