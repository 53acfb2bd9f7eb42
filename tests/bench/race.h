/* Times contenders against each other: one after another in every round, so that a slow phase of
 * the machine affects all of them. Only ratios within a round are reported. */
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
    double goal; /* the highest ratio wanted; 0 for none */
} ratio;

typedef struct race {
    int rounds, count, ratios;
    contender contenders[MAX_CONTENDERS];
    ratio ratio[MAX_RATIOS];
} race;

/* One pass, in seconds. */
typedef double run_pass(void *user, const char *name);

/* Prints the reason and ends the program. */
_Noreturn void race_fail(const char *what, const char *which);

/* Reads ROUNDS, then ratios such as lint/floor<=1.25 or lint/assimp<=1/7 up to a `--`. The
 * contenders are those named in the ratios. Returns the arguments after the `--`. */
char **race_read(race *r, char **arguments);
void race_run(race *r, run_pass *run, void *user);

/* Prints a row of a Markdown table for each ratio; `bytes` is how much each pass reads, 0 to leave
 * the speed out. */
void race_print(const race *r, const char *title, size_t bytes);

/* Prints the rest of a row, from the goal on. */
void race_print_goal(double value, double goal);

#endif
