/* Runs a command to its end and measures its time and memory. */
#define _DEFAULT_SOURCE /* wait4 */

#include "process.h"
#include "race.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double seconds(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

static _Noreturn void become(char **arguments)
{
    int null = open("/dev/null", O_WRONLY);
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
    execvp(arguments[0], arguments);
    _exit(127);
}

cost run_command(char **arguments)
{
    struct rusage used;
    int status = 0;
    double start = now();
    pid_t child = fork();
    if (child == 0)
        become(arguments);
    if (child < 0 || wait4(child, &status, 0, &used) != child || !WIFEXITED(status) ||
        WEXITSTATUS(status) > 1)
        race_fail("failed", arguments[0]);
    return (cost){now() - start, seconds(used.ru_utime) + seconds(used.ru_stime),
                  (double)used.ru_maxrss * 1024};
}
