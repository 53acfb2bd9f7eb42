/* Holds signals back. */
#define _POSIX_C_SOURCE 200809L

#include "signals.h"

#include <stddef.h>

sigset_t m5_signals_hold(void)
{
    sigset_t ending, before;
    sigemptyset(&ending);
    sigaddset(&ending, SIGINT);
    sigaddset(&ending, SIGTERM);
    sigaddset(&ending, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &ending, &before);
    return before;
}

void m5_signals_release(sigset_t before)
{
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}
