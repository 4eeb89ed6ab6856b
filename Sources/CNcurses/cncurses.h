// The system's ncurses for wide characters. Swift does not import its macros, its variadic functions and its global
// screen, so these functions use them. One thread calls all of them, except for cncurses_width and cncurses_can_draw.
#pragma once
#define NCURSES_WIDECHAR 1
#include <fcntl.h>
#include <locale.h>
#include <ncurses.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

// glibc: declared in <wchar.h> behind _XOPEN_SOURCE.
int wcwidth(wchar_t character);
// ncurses: declared in <term.h>, which also defines macros with common names.
int setupterm(const char *type, int output, int *error);

// Lets ncurses and wcwidth know UTF-8. The user's locale does not matter, because output is always UTF-8. Other
// categories, such as that of numbers, would change every module.
static inline void cncurses_use_utf8(void) { setlocale(LC_CTYPE, "C.UTF-8"); }

static inline int cncurses_width(unsigned int character) { return wcwidth((wchar_t)character); }

// Returns 1 if the terminal of this process is known and has a cursor that can be moved.
static inline int cncurses_can_draw(void) {
    int error = 0;
    if (setupterm(NULL, STDOUT_FILENO, &error) != OK) return 0;
    const char *cursor = tigetstr("cup");
    return cursor && cursor != (const char *)-1;
}

enum {
    cncurses_bold = 1, cncurses_dim = 2, cncurses_reverse = 4, cncurses_underline = 8,
    // Keys that ncurses does not know. They are above KEY_MAX.
    cncurses_paste_begin = 1001, cncurses_paste_end = 1002,
};

enum {
    cncurses_up = KEY_UP, cncurses_down = KEY_DOWN, cncurses_left = KEY_LEFT, cncurses_right = KEY_RIGHT,
    cncurses_home = KEY_HOME, cncurses_end_key = KEY_END, cncurses_page_up = KEY_PPAGE, cncurses_page_down = KEY_NPAGE,
    cncurses_backspace = KEY_BACKSPACE, cncurses_delete = KEY_DC, cncurses_back_tab = KEY_BTAB,
    cncurses_enter = KEY_ENTER, cncurses_mouse_key = KEY_MOUSE, cncurses_f1 = KEY_F(1),
};

struct cncurses_terminal {
    SCREEN *screen;
    FILE *input, *output;
};

// The modes while this module draws: Ctrl-S, Ctrl-Q, Ctrl-O and Ctrl-V are keys like others.
static inline void cncurses_free_keys(int input) {
    struct termios modes;
    if (tcgetattr(input, &modes) != 0) return;
    modes.c_lflag &= ~(tcflag_t)IEXTEN;
    modes.c_iflag &= ~(tcflag_t)(IXON | IXOFF);
    tcsetattr(input, TCSANOW, &modes);
    def_prog_mode();
}

static inline void cncurses_write(struct cncurses_terminal *terminal, const char *text) {
    fputs(text, terminal->output);
    fflush(terminal->output);
}

static inline void cncurses_close(struct cncurses_terminal *terminal) {
    if (terminal->input) fclose(terminal->input);
    if (terminal->output) fclose(terminal->output);
    terminal->input = terminal->output = NULL;
}

// Begins to draw. Returns 0 if the terminal cannot be used.
static inline int cncurses_begin(struct cncurses_terminal *terminal, int input, int output, int is_coloured) {
    cncurses_use_utf8();
    // ncurses closes neither the files nor their descriptors, so the terminal's own stay open.
    int in = fcntl(input, F_DUPFD_CLOEXEC, 3), out = fcntl(output, F_DUPFD_CLOEXEC, 3);
    terminal->input = in < 0 ? NULL : fdopen(in, "r");
    terminal->output = out < 0 ? NULL : fdopen(out, "w");
    if (!terminal->input || !terminal->output || !(terminal->screen = newterm(NULL, terminal->output, terminal->input))) {
        cncurses_close(terminal);
        return 0;
    }
    // After an escape, the rest of a key's sequence arrives within this time, in milliseconds.
    set_escdelay(50);
    cbreak();
    noecho();
    nonl();
    intrflush(stdscr, FALSE);
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    cncurses_free_keys(input);
    mousemask(BUTTON1_PRESSED | BUTTON1_CLICKED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL);
    mouseinterval(0);
    // ncurses turns on the other sequences of these keys only when it reads, so the first key may still have this one.
    static const struct { const char *sequence; int key; } early[] = {
        {"\033[A", KEY_UP}, {"\033[B", KEY_DOWN}, {"\033[C", KEY_RIGHT}, {"\033[D", KEY_LEFT},
        {"\033[H", KEY_HOME}, {"\033[F", KEY_END},
    };
    for (size_t index = 0; index < sizeof early / sizeof *early; index++) {
        define_key(early[index].sequence, early[index].key);
    }
    define_key("\033[200~", cncurses_paste_begin);
    define_key("\033[201~", cncurses_paste_end);
    cncurses_write(terminal, "\033[?2004h");
    if (is_coloured && has_colors() && start_color() == OK && use_default_colors() == OK) {
        for (short colour = 1; colour < 8; colour++) init_pair(colour, colour, -1);
    }
    return 1;
}

// Leaves the terminal to another program, with its earlier modes.
static inline void cncurses_leave(struct cncurses_terminal *terminal) {
    cncurses_write(terminal, "\033[?2004l");
    // Leaving the second screen twice would move the cursor, as cncurses_return says.
    if (!isendwin()) endwin();
}

// Draws again after another program has used the terminal. The next call of cncurses_show writes every cell.
static inline void cncurses_return(struct cncurses_terminal *terminal) {
    // ncurses only enters its modes again after it has left them. If something else has left the second screen, leaving it
    // twice would move the cursor back to where the session has begun, and the shell would write over what came after.
    if (!isendwin()) {
        const char *enter = tigetstr("smcup");
        if (enter && enter != (const char *)-1) cncurses_write(terminal, enter);
        endwin();
    }
    clearok(curscr, TRUE);
    refresh();
    cncurses_write(terminal, "\033[?2004h");
}

static inline void cncurses_end(struct cncurses_terminal *terminal) {
    cncurses_leave(terminal);
    delscreen(terminal->screen);
    cncurses_close(terminal);
}

// Takes over the size of the terminal.
static inline void cncurses_resize(int output) {
    struct winsize size;
    if (ioctl(output, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0) {
        resizeterm(size.ws_row, size.ws_col);
    }
}

static inline int cncurses_rows(void) { return LINES; }
static inline int cncurses_columns(void) { return COLS; }

// Returns 1 and a character, 2 and a key, or 0 if no input waits.
static inline int cncurses_read(unsigned int *value) {
    wint_t key = 0;
    int kind = get_wch(&key);
    *value = (unsigned int)key;
    return kind == OK ? 1 : kind == KEY_CODE_YES ? 2 : 0;
}

// Returns the button of the mouse: 1 for a click, 4 and 5 for the wheel, or 0 for anything else.
static inline int cncurses_mouse(int *row, int *column) {
    MEVENT event;
    if (getmouse(&event) != OK) return 0;
    *row = event.y;
    *column = event.x;
    if (event.bstate & BUTTON4_PRESSED) return 4;
    if (event.bstate & BUTTON5_PRESSED) return 5;
    return event.bstate & (BUTTON1_PRESSED | BUTTON1_CLICKED) ? 1 : 0;
}

static inline void cncurses_clear(void) { erase(); }

// Draws text that contains no control characters.
static inline void cncurses_draw(int row, int column, const char *text, int style, int colour) {
    attr_t attributes = (style & cncurses_bold ? A_BOLD : 0) | (style & cncurses_dim ? A_DIM : 0)
        | (style & cncurses_reverse ? A_REVERSE : 0) | (style & cncurses_underline ? A_UNDERLINE : 0);
    attr_set(attributes, (short)colour, NULL);
    mvaddstr(row, column, text);
    attr_set(A_NORMAL, 0, NULL);
}

// Shows what was drawn. A negative row hides the cursor.
static inline void cncurses_show(int row, int column) {
    if (row >= 0) move(row, column);
    curs_set(row >= 0 ? 1 : 0);
    refresh();
}
