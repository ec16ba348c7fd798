/* The viewer of builds without ncurses: there is none. */
#include "view/view.h"

const brz_loaded *brz_view_output(void)
{
    return NULL;
}

bool brz_view_check(brz_buf *error)
{
    (void)error;
    return true;
}
