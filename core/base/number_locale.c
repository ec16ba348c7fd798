/* SPDX-License-Identifier: MIT */
/* Makes threads read and write numbers with a decimal point. The program's locale affects strtod()
 * and printf(), here and in plug-ins; a library must not change it for the process, but may for a
 * thread. */
#include "base/number_locale.h"

#include <langinfo.h>
#include <string.h>

#include "base/mem.h"

brz_number_locale brz_number_locale_enter(void)
{
    brz_number_locale l = {.before = uselocale((locale_t)0)};
    if (strcmp(nl_langinfo(RADIXCHAR), ".") == 0)
        return l;
    locale_t copy = duplocale(l.before);
    l.own = copy == (locale_t)0 ? copy : newlocale(LC_NUMERIC_MASK, "C", copy);
    if (l.own == (locale_t)0)
        brz_out_of_memory(0);
    uselocale(l.own);
    return l;
}

void brz_number_locale_leave(const brz_number_locale *l)
{
    if (l->own == (locale_t)0)
        return;
    uselocale(l->before);
    freelocale(l->own);
}
