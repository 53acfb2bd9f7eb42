/* Compares the times of whole processes, by wall-clock time, or with BENCH_CLOCK=cpu in the
 * environment by the processor time of all their threads:
 *
 *     commands ROUNDS RATIO... -- TITLE NAME COMMAND... -- NAME COMMAND...
 *
 * BENCH_BEFORE is a command for sh that runs before each of them, and does not count. */
#include "process.h"
#include "race.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct command {
    char *name, **arguments;
} command;

typedef struct commands {
    command list[MAX_CONTENDERS + 1]; /* the last command has no name */
    bool cpu;
    char *before;
} commands;

static double run(void *user, const char *name)
{
    const commands *c = user;
    const command *i = c->list;
    while (i->name != NULL && strcmp(i->name, name) != 0)
        i++;
    if (i->name == NULL)
        race_fail("no such command", name);
    char shell[] = "sh", option[] = "-c";
    if (c->before != NULL)
        run_command((char *[]){shell, option, c->before, NULL});
    cost paid = run_command(i->arguments);
    return c->cpu ? paid.cpu : paid.wall;
}

/* Each `--` becomes the end of a command. */
static void split(char **argument, commands *out)
{
    int n = 0;
    while (*argument != NULL && n < MAX_CONTENDERS) {
        out->list[n++] = (command){argument[0], argument + 1};
        while (*argument != NULL && strcmp(*argument, "--") != 0)
            argument++;
        if (*argument != NULL)
            *argument++ = NULL;
    }
}

int main(int argc, char **argv)
{
    (void)argc;
    static race r;
    char **rest = race_read(&r, argv + 1);
    const char *clock = getenv("BENCH_CLOCK");
    commands c = {.cpu = clock != NULL && strcmp(clock, "cpu") == 0,
                  .before = getenv("BENCH_BEFORE")};
    if (*rest == NULL)
        race_fail("missing", "TITLE");
    split(rest + 1, &c);
    race_run(&r, run, &c);
    race_print(&r, *rest, 0);
    return 0;
}
