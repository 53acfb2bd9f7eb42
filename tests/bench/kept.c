/* Measures how much memory each file takes when its turn is over: the peak of a command on many
 * files, less that on few files of the same kind.
 *
 *     kept GOAL FEW FOLDER_OF_FEW MANY FOLDER_OF_MANY COMMAND...
 *
 * fails if it is more than GOAL bytes. */
#include "process.h"
#include "race.h"

#include <stdio.h>
#include <stdlib.h>

static double peak_of(int count, char **command, char *folder)
{
    char *arguments[100];
    if (count > 98)
        race_fail("too many arguments", command[0]);
    for (int i = 0; i < count; i++)
        arguments[i] = command[i];
    arguments[count] = folder;
    arguments[count + 1] = NULL;
    return run_command(arguments).peak;
}

int main(int argc, char **argv)
{
    if (argc < 7)
        race_fail("usage", "kept GOAL FEW FOLDER_OF_FEW MANY FOLDER_OF_MANY COMMAND...");
    double few = peak_of(argc - 6, argv + 6, argv[3]), many = peak_of(argc - 6, argv + 6, argv[5]);
    double each = (many - few) / (atof(argv[4]) - atof(argv[2]));
    printf("%s files: %.1f MB at most, %s files: %.1f MB: %.0f bytes a file, expected at most %s\n",
           argv[2], few / 1e6, argv[4], many / 1e6, each, argv[1]);
    return each > atof(argv[1]);
}
