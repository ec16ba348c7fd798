/* SPDX-License-Identifier: MIT */
/* Makes threads read and write numbers with a decimal point, even if the program's locale uses a
 * comma. */
#ifndef BRZ_NUMBER_LOCALE_H
#define BRZ_NUMBER_LOCALE_H

#include <locale.h>

/* The previous locale of a thread. */
typedef struct brz_number_locale {
    locale_t before, own; /* own: NULL if nothing was changed */
} brz_number_locale;

/* Makes this thread read and write numbers as in the locale "C" until brz_number_locale_leave().
 * The rest of its locale is unchanged. Calls may be nested. */
brz_number_locale brz_number_locale_enter(void);
void brz_number_locale_leave(const brz_number_locale *l);

#endif
