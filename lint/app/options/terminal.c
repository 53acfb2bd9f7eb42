/* Asks the terminal and the environment. */
#define _DEFAULT_SOURCE

#include "terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static bool is_set(const char *variable)
{
    const char *value = getenv(variable);
    return value != NULL && *value != '\0';
}

bool m5_terminal_color(const m5_options *o)
{
    const char *term = getenv("TERM");
    if (o->color >= 0)
        return o->color != 0;
    if (is_set("FORCE_COLOR"))
        return true;
    return isatty(STDOUT_FILENO) && !is_set("NO_COLOR") &&
           (term == NULL || strcmp(term, "dumb") != 0);
}

bool m5_terminal_links(const m5_options *o)
{
    static const char *const variables[] = {"KITTY_WINDOW_ID", "KONSOLE_VERSION",
                                            "VTE_VERSION",     "WEZTERM_PANE",
                                            "WT_SESSION",      "ITERM_SESSION_ID"};
    static const char *const names[] = {"alacritty", "foot", "xterm-ghostty", "xterm-kitty"};
    const char *term = getenv("TERM"), *inside = getenv("TERM_PROGRAM");
    if (o->links >= 0)
        return o->links != 0;
    bool known = inside != NULL && strcmp(inside, "vscode") == 0;
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        known |= is_set(variables[i]);
    for (size_t i = 0; i < sizeof names / sizeof *names && term != NULL; i++)
        known |= strcmp(term, names[i]) == 0;
    return known && isatty(STDOUT_FILENO) && term != NULL && strcmp(term, "dumb") != 0;
}

uint32_t m5_terminal_width(int fd)
{
    struct winsize size;
    if (!isatty(fd))
        return 0;
    return ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}
