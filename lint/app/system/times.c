/* --time: how long each part of the work takes. */
#define _POSIX_C_SOURCE 200809L

#include "times.h"

#include <stdio.h>
#include <time.h>

uint64_t m5_times_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

void m5_times_enter(void *user, unsigned part)
{
    m5_times *t = user;
    if (t == NULL)
        return;
    uint64_t now = m5_times_now();
    if (t->begun != 0)
        t->spent[t->part] += now - t->begun;
    t->begun = part != M5_PART_none ? now : 0;
    t->part = part;
}

void m5_times_add(m5_times *sum, const m5_times *t)
{
    for (unsigned i = 0; i < M5_PARTS && t != NULL; i++)
        sum->spent[i] += t->spent[i];
}

static bool is_check(unsigned part)
{
    return *m5_part_rules((m5_part)part) != '\0';
}

static void put_seconds(const m5_writer *out, const char *before, uint64_t ns, const char *after)
{
    char text[32];
    snprintf(text, sizeof text, "%.3f", (double)ns / 1e9);
    m5_write(out, "%s%s s%s", before, text, after);
}

/* The slowest check of those that were not `shown` yet; M5_PART_none if no other took any time. */
static unsigned slowest(const m5_times *t, const bool *shown)
{
    unsigned best = M5_PART_none;
    for (unsigned i = 0; i < M5_PARTS; i++)
        if (is_check(i) && !shown[i] && t->spent[i] > t->spent[best])
            best = i;
    return best;
}

void m5_times_put(const m5_times *t, uint64_t wall, unsigned threads, const m5_writer *out)
{
    enum { MOST = 5 };
    bool shown[M5_PARTS] = {false};
    uint64_t all = 0, checks = 0;
    for (unsigned i = 0; i < M5_PARTS; i++) {
        all += t->spent[i];
        checks += is_check(i) ? t->spent[i] : 0;
    }
    put_seconds(out, "time: ", wall, "");
    m5_write(out, " on %u thread%s", threads, threads == 1 ? "" : "s");
    put_seconds(out, " (", all, " of work): ");
    put_seconds(out, "reading ", t->spent[M5_PART_read], ", ");
    put_seconds(out, "joints for pairs ", t->spent[M5_PART_scan], ", ");
    put_seconds(out, "parsing ", t->spent[M5_PART_parse], ", ");
    put_seconds(out, "checks ", checks, ", ");
    put_seconds(out, "output ", t->spent[M5_PART_show], "\n");
    for (unsigned i = 0, part; i < MOST && (part = slowest(t, shown)) != M5_PART_none; i++) {
        shown[part] = true;
        put_seconds(out, "  ", t->spent[part], " ");
        m5_write(out, "checks of %s\n", m5_part_rules((m5_part)part));
    }
}
