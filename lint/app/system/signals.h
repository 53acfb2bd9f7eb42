/* Signals that end the program wait while output is written, so that no line is torn. */
#ifndef M5_LINT_APP_SYSTEM_SIGNALS_H
#define M5_LINT_APP_SYSTEM_SIGNALS_H

#include <signal.h>

/* Keeps SIGINT, SIGTERM and SIGHUP from the calling thread, and from those that it starts. Returns
 * what was kept from it before. */
sigset_t m5_signals_hold(void);

/* Lets them come again; one that came in the meantime comes now. */
void m5_signals_release(sigset_t before);

#endif
