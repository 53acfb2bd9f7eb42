/* Times commands against each other: one after another in every round, so that whatever slows
 * the machine down slows all of them, and only ratios within a round are reported.
 *
 *   bench ROUNDS NAME COMMAND... -- NAME COMMAND... -- ...
 *
 * The last command is the measure of the others. Their output goes to /dev/null. */
#define _POSIX_C_SOURCE 200809L

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_COMMANDS = 16, MAX_ROUNDS = 99 };

typedef struct command {
    char *name, **arguments;
    double seconds[MAX_ROUNDS];
} command;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double time_once(char **arguments)
{
    double start = now();
    pid_t child = fork();
    if (child == 0) {
        int null = open("/dev/null", O_WRONLY);
        dup2(null, STDOUT_FILENO);
        execvp(arguments[0], arguments);
        _exit(127);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) > 1) {
        fprintf(stderr, "bench: %s failed\n", arguments[0]);
        exit(2);
    }
    return now() - start;
}

static int split(char **argv, int argc, command *out)
{
    int n = 0;
    for (int i = 0; i < argc && n < MAX_COMMANDS; i++, n++) {
        out[n].name = argv[i];
        out[n].arguments = argv + i + 1;
        while (i < argc && strcmp(argv[i], "--") != 0)
            i++;
        if (i < argc)
            argv[i] = NULL;
    }
    return n;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print_ratio(const command *c, const command *measure, int rounds)
{
    double ratio[MAX_ROUNDS];
    for (int i = 0; i < rounds; i++)
        ratio[i] = c->seconds[i] / measure->seconds[i];
    qsort(ratio, (size_t)rounds, sizeof *ratio, by_value);
    printf("  %-24s %6.3f times %s (%.3f to %.3f)\n", c->name, ratio[rounds / 2], measure->name,
           ratio[0], ratio[rounds - 1]);
}

int main(int argc, char **argv)
{
    static command commands[MAX_COMMANDS];
    int rounds = argc > 2 ? atoi(argv[1]) : 0;
    if (rounds < 1 || rounds > MAX_ROUNDS) {
        fprintf(stderr, "usage: bench ROUNDS NAME COMMAND... -- NAME COMMAND...\n");
        return 2;
    }
    int n = split(argv + 2, argc - 2, commands);
    for (int i = -1; i < rounds; i++) /* the first round warms up */
        for (int k = 0; k < n; k++) {
            double seconds = time_once(commands[k].arguments);
            if (i >= 0)
                commands[k].seconds[i] = seconds;
        }
    for (int k = 0; k < n - 1; k++)
        print_ratio(&commands[k], &commands[n - 1], rounds);
    return 0;
}
