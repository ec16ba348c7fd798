/* Numbers as files have them, with a point, on the threads of a program whose locale has a comma.
 */
#ifndef BRZ_NUMBER_LOCALE_H
#define BRZ_NUMBER_LOCALE_H

#include <locale.h>

/* What a thread's locale was. */
typedef struct brz_number_locale {
    locale_t before, own; /* own: NULL if nothing was to be changed */
} brz_number_locale;

/* From here to brz_number_locale_leave numbers are read and written as in the locale "C", on this
 * thread alone; of its locale all else stays. Calls may lie within each other. */
brz_number_locale brz_number_locale_enter(void);
void brz_number_locale_leave(const brz_number_locale *l);

#endif
