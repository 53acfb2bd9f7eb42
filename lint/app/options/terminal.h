/* What the terminal can show. */
#ifndef M5_LINT_APP_OPTIONS_TERMINAL_H
#define M5_LINT_APP_OPTIONS_TERMINAL_H

#include "options.h"

/* Whether standard output is to have colors: if --color says nothing, as FORCE_COLOR and NO_COLOR
 * say. */
bool m5_terminal_color(const m5_options *o);

/* Whether it is to have links: if --hyperlinks says nothing, in those terminals that have them;
 * others may show parts of them. */
bool m5_terminal_links(const m5_options *o);

/* The columns of a terminal; 0 if `fd` is none. */
uint32_t m5_terminal_width(int fd);

#endif
