/* A command run to its end, with its output thrown away. */
#ifndef PROCESS_H
#define PROCESS_H

typedef struct cost {
    double wall, cpu; /* seconds */
    double peak;      /* bytes of memory in use at once */
} cost;

/* Ends the program if the command cannot be run or exits with a status above 1. */
cost run_command(char **arguments);

#endif
