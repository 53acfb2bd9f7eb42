/* Shows the progress of a long run on a terminal. */
#define _POSIX_C_SOURCE 200809L

#include "progress.h"
#include "signals.h"

#include <string.h>
#include <time.h>

enum { FIRST_AFTER = 1000, AGAIN_AFTER = 100 };  /* milliseconds */
enum { OTHER_COLUMNS = 48, LEAST_COLUMNS = 16 }; /* for all but the name, and for the name */

static void clear(m5_progress *p)
{
    if (p->is_shown)
        m5_output_string(p->out, "\r\033[K");
    p->is_shown = false;
}

static void show(m5_progress *p)
{
    size_t room = p->width > OTHER_COLUMNS + LEAST_COLUMNS ? p->width - OTHER_COLUMNS
                                                           : LEAST_COLUMNS;
    clear(p);
    m5_write(p->out, "%u of %u files, %u MB", p->files_done, p->files,
             (unsigned)(p->bytes_done / 1000000));
    if (p->current != NULL) {
        size_t length = strlen(p->current), cut = length > room ? length - room : 0;
        m5_output_string(p->out, cut != 0 ? ": ..." : ": ");
        m5_output_safe(p->out, p->current + cut, length - cut);
    }
    p->is_shown = true;
}

static struct timespec later(unsigned milliseconds)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    t.tv_nsec += (long)milliseconds * 1000000;
    t.tv_sec += t.tv_nsec / 1000000000;
    t.tv_nsec %= 1000000000;
    return t;
}

static void *watch(void *user)
{
    m5_progress *p = user;
    pthread_mutex_lock(&p->lock);
    for (unsigned wait = FIRST_AFTER; !p->is_ended; wait = AGAIN_AFTER) {
        struct timespec until = later(wait);
        while (!p->is_ended && pthread_cond_timedwait(&p->ended, &p->lock, &until) == 0)
            ;
        if (!p->is_ended)
            show(p);
    }
    clear(p);
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

void m5_progress_begin(m5_progress *p, const m5_writer *out, uint32_t width, unsigned files)
{
    *p = (m5_progress){.out = out, .width = width, .files = files};
    if (width == 0)
        return;
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->ended, NULL);
    sigset_t signals = m5_signals_hold();
    p->is_running = pthread_create(&p->thread, NULL, watch, p) == 0;
    m5_signals_release(signals);
}

void m5_progress_end(m5_progress *p)
{
    if (!p->is_running)
        return;
    pthread_mutex_lock(&p->lock);
    p->is_ended = true;
    pthread_cond_signal(&p->ended);
    pthread_mutex_unlock(&p->lock);
    pthread_join(p->thread, NULL);
    pthread_cond_destroy(&p->ended);
    pthread_mutex_destroy(&p->lock);
}

void m5_progress_pause(m5_progress *p)
{
    if (!p->is_running)
        return;
    pthread_mutex_lock(&p->lock);
    clear(p);
}

void m5_progress_resume(m5_progress *p)
{
    if (p->is_running)
        pthread_mutex_unlock(&p->lock);
}

void m5_progress_file(m5_progress *p, const char *path)
{
    if (!p->is_running)
        return;
    pthread_mutex_lock(&p->lock);
    p->current = path;
    pthread_mutex_unlock(&p->lock);
}

void m5_progress_done(m5_progress *p, uint64_t bytes)
{
    if (!p->is_running)
        return;
    pthread_mutex_lock(&p->lock);
    p->files_done++;
    p->bytes_done += bytes;
    pthread_mutex_unlock(&p->lock);
}
