/* SPDX-License-Identifier: MIT */
/* The terminal, by ncurses. */
#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1
#include "view/screen.h"

#include <errno.h>
#include <langinfo.h>
#include <locale.h>
#include <ncurses.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "plugins/output/common/ink.h"
#include "view/colors.h"
#include "view/terminal.h"
#include "view/terminal_guard.h"
#include "view/text.h"

/* Milliseconds in which the rest of a key's sequence follows its escape character. */
#define ESCAPE_TIME 25

/* Maximum number of consecutive failed reads of a key although there is input. Fewer than that may
 * be invalid characters. */
#define EMPTY_MAX 10000

struct view_screen {
    FILE *keys;       /* stream of the keys */
    sigset_t before;  /* signals that were blocked on this thread */
    sigset_t waiting; /* those while it waits for keys */
    char *locale;     /* of characters, before */
    SCREEN *screen;
    ink ink;
    bool has_color, is_direct, is_unicode;
    wchar_t *text;
    size_t text_cap;
    unsigned n_empty; /* consecutive failed reads of a key: see EMPTY_MAX */
};

/* ---- opening ------------------------------------------------------------------------------- */

/* Uses the encoding of the environment for characters. */
static void enter_locale(view_screen *s)
{
    const char *before = setlocale(LC_CTYPE, NULL);
    s->locale = before == NULL ? NULL : brz_memdup(before, strlen(before));
    setlocale(LC_CTYPE, "");
    s->is_unicode = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

static void leave_locale(view_screen *s)
{
    if (s->locale != NULL)
        setlocale(LC_CTYPE, s->locale);
    free(s->locale);
}

/* Chooses colours as https://no-color.org asks for, and as the terminal has them. */
static void choose_colors(view_screen *s)
{
    const char *none = getenv("NO_COLOR");
    if ((none != NULL && none[0] != '\0') || !has_colors() || start_color() != OK)
        return;
    use_default_colors();
    s->has_color = COLORS >= 8;
    s->is_direct = COLORS > 256 && tigetflag("RGB") > 0;
}

/* Lets the signals of the terminal, which ncurses handles, arrive only while the thread waits for
 * keys: their handlers write to the terminal. */
static void hold_signals(view_screen *s)
{
    sigset_t held;
    sigemptyset(&held);
    sigaddset(&held, SIGTSTP);
    sigaddset(&held, SIGWINCH);
    pthread_sigmask(SIG_BLOCK, &held, &s->before);
    s->waiting = s->before;
    sigdelset(&s->waiting, SIGTSTP);
    sigdelset(&s->waiting, SIGWINCH);
}

static void prepare(view_screen *s)
{
    cbreak();
    noecho();
    nonl();
    set_escdelay(ESCAPE_TIME);
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    curs_set(0);
    mousemask(BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL);
    mouseinterval(0);
    choose_colors(s);
}

view_screen *view_screen_open(brz_buf *error)
{
    struct termios modes;
    view_screen *s = brz_calloc(1, sizeof *s);
    ink_init(&s->ink);
    enter_locale(s);
    s->keys = view_terminal_keys();
    if (s->keys != NULL && tcgetattr(fileno(s->keys), &modes) == 0)
        s->screen = newterm(NULL, stdout, s->keys);
    if (s->screen == NULL) {
        brz_buf_add_text(error, "the terminal cannot be opened");
        view_screen_close(s);
        return NULL;
    }
    view_terminal_guard_begin(fileno(s->keys), &modes);
    hold_signals(s);
    prepare(s);
    return s;
}

void view_screen_close(view_screen *s)
{
    if (s == NULL)
        return;
    if (s->screen != NULL) {
        endwin();
        view_terminal_guard_end();
        delscreen(s->screen);
        pthread_sigmask(SIG_SETMASK, &s->before, NULL);
    }
    view_terminal_close_keys(s->keys);
    leave_locale(s);
    free(s->text);
    free(s);
}

/* ---- cells --------------------------------------------------------------------------------- */

uint32_t view_screen_rows(const view_screen *s)
{
    (void)s;
    return LINES > 0 ? (uint32_t)LINES : 1;
}

uint32_t view_screen_columns(const view_screen *s)
{
    (void)s;
    return COLS > 0 ? (uint32_t)COLS : 1;
}

bool view_screen_has_color(const view_screen *s)
{
    return s->has_color;
}

bool view_screen_is_unicode(const view_screen *s)
{
    return s->is_unicode;
}

void view_screen_clear(view_screen *s)
{
    (void)s;
    erase();
}

/* Returns a pair of the number of black or white, whichever reads better, on a colour. */
static int pair_on(const view_screen *s, uint32_t color)
{
    int back = view_color_number(color, COLORS, s->is_direct);
    bool black = ink_is_black(&s->ink, view_color_shown(back, s->is_direct));
    uint32_t text = black ? 0x000000ff : 0xffffffff;
    return alloc_pair(view_color_number(text, COLORS, s->is_direct), back);
}

static void set_style(const view_screen *s, view_style style)
{
    attr_t attributes = A_NORMAL;
    int pair = s->has_color && style.color != 0 ? pair_on(s, style.color) : 0;
    if (style.is_selected)
        attributes |= A_REVERSE;
    if (style.is_marked)
        attributes |= s->has_color ? A_BOLD : A_BOLD | A_UNDERLINE;
    attr_set(attributes, 0, pair > 0 ? &pair : NULL);
}

static wchar_t *room_for(view_screen *s, uint32_t columns)
{
    size_t n = VIEW_TEXT_ROOM(columns);
    if (n > s->text_cap) {
        s->text = brz_realloc(s->text, n, sizeof *s->text);
        s->text_cap = n;
    }
    return s->text;
}

void view_screen_put(view_screen *s, uint32_t row, uint32_t column, uint32_t columns, brz_str text,
                     view_style style, char fill)
{
    wchar_t *cells = room_for(s, columns);
    uint32_t used = view_text(cells, text, columns);
    set_style(s, style);
    mvaddwstr((int)row, (int)column, cells);
    for (; used < columns; used++)
        mvaddch((int)row, (int)(column + used), (chtype)(unsigned char)fill);
    attr_set(A_NORMAL, 0, NULL);
}

void view_screen_show(view_screen *s)
{
    (void)s;
    refresh();
}

void view_screen_send(view_screen *s, brz_str sequence)
{
    (void)s;
    fwrite(sequence.data, 1, sequence.len, stdout);
    fflush(stdout);
}

/* ---- keys ---------------------------------------------------------------------------------- */

static const struct {
    wint_t code;
    uint32_t key;
} known_keys[] = {
    {KEY_UP, VIEW_KEY_UP},          {KEY_DOWN, VIEW_KEY_DOWN},
    {KEY_LEFT, VIEW_KEY_LEFT},      {KEY_RIGHT, VIEW_KEY_RIGHT},
    {KEY_PPAGE, VIEW_KEY_PAGE_UP},  {KEY_NPAGE, VIEW_KEY_PAGE_DOWN},
    {KEY_HOME, VIEW_KEY_HOME},      {KEY_END, VIEW_KEY_END},
    {KEY_ENTER, VIEW_KEY_ENTER},    {KEY_BACKSPACE, VIEW_KEY_BACKSPACE},
    {KEY_RESIZE, VIEW_KEY_RESIZED}, {KEY_MOUSE, VIEW_KEY_MOUSE},
};

static uint32_t key_of(wint_t code)
{
    for (size_t i = 0; i < BRZ_COUNT_OF(known_keys); i++)
        if (known_keys[i].code == code)
            return known_keys[i].key;
    return VIEW_KEY_OTHER;
}

static uint32_t character(wint_t c)
{
    switch (c) {
    case '\r':
    case '\n':
        return VIEW_KEY_ENTER;
    case 0x7f:
    case '\b':
        return VIEW_KEY_BACKSPACE;
    case '\t':
        return VIEW_KEY_TAB;
    case 0x1b:
        return VIEW_KEY_ESCAPE;
    default:
        return (uint32_t)c;
    }
}

/* Returns the key that has arrived, or VIEW_KEY_NONE. */
static uint32_t pending_key(void)
{
    wint_t c = 0;
    int result = get_wch(&c);
    if (result == KEY_CODE_YES)
        return key_of(c);
    return result == OK ? character(c) : VIEW_KEY_NONE;
}

static view_button button_of(mmask_t state)
{
    if (state & BUTTON1_PRESSED)
        return VIEW_BUTTON_LEFT;
    if (state & BUTTON4_PRESSED)
        return VIEW_BUTTON_WHEEL_UP;
    return state & BUTTON5_PRESSED ? VIEW_BUTTON_WHEEL_DOWN : VIEW_BUTTON_NONE;
}

view_mouse view_screen_mouse(view_screen *s)
{
    MEVENT event;
    (void)s;
    if (getmouse(&event) != OK || event.y < 0 || event.x < 0)
        return (view_mouse){VIEW_BUTTON_NONE, 0, 0};
    return (view_mouse){button_of(event.bstate), (uint32_t)event.y, (uint32_t)event.x};
}

/* Counts a failed read of a key. Returns whether the terminal is gone: poll() reports that, or too
 * many reads failed although there is input, as in a process whose terminal belongs to another
 * session. */
static bool note_failed_read(view_screen *s, short events)
{
    s->n_empty++;
    return (events & (POLLHUP | POLLERR | POLLNVAL)) != 0 || s->n_empty > EMPTY_MAX;
}

uint32_t view_screen_key(view_screen *s, int milliseconds)
{
    uint32_t key = pending_key();
    struct pollfd keys = {.fd = fileno(s->keys), .events = POLLIN};
    if (key != VIEW_KEY_NONE) {
        s->n_empty = 0;
        return key;
    }
    const struct timespec most = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
    int n = ppoll(&keys, 1, &most, &s->waiting);
    if (n > 0)
        key = pending_key();
    if (key == VIEW_KEY_NONE && n > 0 && note_failed_read(s, keys.revents))
        return VIEW_KEY_CLOSED;
    if (key != VIEW_KEY_NONE || n == 0)
        s->n_empty = 0;
    return key == VIEW_KEY_NONE && n < 0 && errno == EINTR ? pending_key() : key;
}
