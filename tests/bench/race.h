/* Contenders timed against each other: one after another in every round, so that whatever slows
 * the machine down slows all of them, and only ratios within a round are reported. */
#ifndef RACE_H
#define RACE_H

#include <stddef.h>

enum { MAX_ROUNDS = 99, MAX_CONTENDERS = 12, MAX_RATIOS = 12 };

typedef struct contender {
    char name[32];
    double seconds[MAX_ROUNDS]; /* the best of some passes */
} contender;

typedef struct ratio {
    int of, to;
    double goal; /* at most; 0 for none */
} ratio;

typedef struct race {
    int rounds, count, ratios;
    contender contenders[MAX_CONTENDERS];
    ratio ratio[MAX_RATIOS];
} race;

/* One pass, in seconds. */
typedef double run_pass(void *user, const char *name);

/* Says why and ends the program. */
_Noreturn void race_fail(const char *what, const char *which);

/* Reads ROUNDS, then ratios such as lint/floor<=1.25 or lint/assimp<=1/7 up to a `--`; the
 * contenders are those that these name. Returns the arguments behind. */
char **race_read(race *r, char **arguments);
void race_run(race *r, run_pass *run, void *user);

/* A row of a table in markdown for each ratio; `bytes` is what each pass reads, 0 if no matter. */
void race_print(const race *r, const char *title, size_t bytes);

/* The rest of a row from the goal on. */
void race_print_goal(double value, double goal);

#endif
