/* Measures a command's peak memory for each byte of the file that it reads, not counting the file
 * itself and what the command needs for a tiny file:
 *
 *     peak GOAL TITLE TINY_FILE FILE COMMAND... */
#include "process.h"
#include "race.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static double peak_of(int count, char **command, char *path)
{
    char *arguments[100];
    if (count > 98)
        race_fail("too many arguments", command[0]);
    for (int i = 0; i < count; i++)
        arguments[i] = command[i];
    arguments[count] = path;
    arguments[count + 1] = NULL;
    return run_command(arguments).peak;
}

static double size_of(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0)
        race_fail("cannot be read", path);
    return (double)status.st_size;
}

int main(int argc, char **argv)
{
    if (argc < 6)
        race_fail("usage", "peak GOAL TITLE TINY_FILE FILE COMMAND...");
    double base = peak_of(argc - 5, argv + 5, argv[3]) - size_of(argv[3]);
    double size = size_of(argv[4]);
    double more = (peak_of(argc - 5, argv + 5, argv[4]) - base - size) / size;
    char title[80];
    snprintf(title, sizeof title, "%s, %.0f MB", argv[2], size / 1e6);
    printf("| %-31s | %-32s | %7.3f | %-16s | %6.0f MB   |", title, "memory beyond the file / byte",
           more, "", (size + more * size) / 1e6);
    race_print_goal(more, atof(argv[1]));
    return 0;
}
