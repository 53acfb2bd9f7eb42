/* Times contenders in turn, round by round, and prints the ratios within rounds. */
#include "race.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PASSES = 3 };

void race_fail(const char *what, const char *which)
{
    fprintf(stderr, "bench: %s: %s\n", what, which);
    exit(2);
}

static int find_or_add(race *r, const char *name, size_t length)
{
    for (int i = 0; i < r->count; i++)
        if (strlen(r->contenders[i].name) == length &&
            memcmp(r->contenders[i].name, name, length) == 0)
            return i;
    if (r->count == MAX_CONTENDERS || length >= sizeof r->contenders->name)
        race_fail("too many contenders", name);
    memcpy(r->contenders[r->count].name, name, length);
    return r->count++;
}

/* 1.25 or 1/7 */
static double read_goal(const char *text)
{
    char *end;
    double goal = strtod(text, &end);
    return *end == '/' ? goal / strtod(end + 1, NULL) : goal;
}

static void add_ratio(race *r, const char *text)
{
    const char *slash = strchr(text, '/');
    if (slash == NULL || r->ratios == MAX_RATIOS)
        race_fail("not a ratio, or too many ratios", text);
    const char *less = strstr(slash, "<=");
    size_t length = less != NULL ? (size_t)(less - slash - 1) : strlen(slash + 1);
    ratio *a = &r->ratio[r->ratios++];
    a->of = find_or_add(r, text, (size_t)(slash - text));
    a->to = find_or_add(r, slash + 1, length);
    a->goal = less != NULL ? read_goal(less + 2) : 0;
}

char **race_read(race *r, char **arguments)
{
    memset(r, 0, sizeof *r);
    r->rounds = *arguments != NULL ? atoi(*arguments++) : 0;
    if (r->rounds < 1 || r->rounds > MAX_ROUNDS)
        race_fail("wrong number of rounds", "expected 1 to 99");
    while (*arguments != NULL && strcmp(*arguments, "--") != 0)
        add_ratio(r, *arguments++);
    if (*arguments == NULL)
        race_fail("missing", "--");
    return arguments + 1;
}

static double best_pass(run_pass *run, void *user, const char *name)
{
    double best = run(user, name);
    for (int i = 1; i < PASSES; i++) {
        double seconds = run(user, name);
        best = seconds < best ? seconds : best;
    }
    return best;
}

void race_run(race *r, run_pass *run, void *user)
{
    for (int k = 0; k < r->count; k++) /* warm up: touch memory, cache files */
        run(user, r->contenders[k].name);
    for (int i = 0; i < r->rounds; i++)
        for (int k = 0; k < r->count; k++)
            r->contenders[k].seconds[i] = best_pass(run, user, r->contenders[k].name);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts the values and returns the median; of an even number, the lower of the middle two. */
static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, by_value);
    return values[(count - 1) / 2];
}

static void print_ratio(const race *r, const ratio *a, const char *input, size_t bytes)
{
    const contender *of = &r->contenders[a->of], *to = &r->contenders[a->to];
    double value[MAX_ROUNDS], seconds[MAX_ROUNDS];
    char what[80], range[40];
    for (int i = 0; i < r->rounds; i++) {
        value[i] = of->seconds[i] / to->seconds[i];
        seconds[i] = of->seconds[i];
    }
    double middle = median(value, r->rounds), time = median(seconds, r->rounds);
    snprintf(what, sizeof what, "%s / %s", of->name, to->name);
    snprintf(range, sizeof range, "%.3f to %.3f", value[0], value[r->rounds - 1]);
    printf("| %-31s | %-32s | %7.3f | %-16s |", input, what, middle, range);
    if (bytes != 0)
        printf(" %6.0f MB/s |", (double)bytes / time / 1e6);
    else
        printf(" %8.2f ms |", time * 1e3);
    race_print_goal(middle, a->goal);
}

void race_print_goal(double value, double goal)
{
    if (goal == 0)
        printf("        |                |\n");
    else if (value <= goal)
        printf(" %6.3g | met            |\n", goal);
    else
        printf(" %6.3g | missed by %3.0f%% |\n", goal, (value / goal - 1) * 100);
    fflush(stdout);
}

void race_print(const race *r, const char *title, size_t bytes)
{
    char input[80];
    snprintf(input, sizeof input, "%s, %.*f MB", title, bytes < 10000000, (double)bytes / 1e6);
    for (int i = 0; i < r->ratios; i++)
        print_ratio(r, &r->ratio[i], bytes != 0 ? input : title, bytes);
}
