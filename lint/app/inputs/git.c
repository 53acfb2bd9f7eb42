/* Asks git, without a shell in between. */
#define _POSIX_C_SOURCE 200809L

#include "git.h"
#include "file_list.h"

#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Starts git with its output in *out. */
static bool start(char *const *arguments, pid_t *pid, FILE **out)
{
    posix_spawn_file_actions_t actions;
    int ends[2];
    if (pipe(ends) != 0)
        return false;
    bool begun = posix_spawn_file_actions_init(&actions) == 0;
    bool started = begun &&
                   posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO) == 0 &&
                   posix_spawn_file_actions_addclose(&actions, ends[0]) == 0 &&
                   posix_spawnp(pid, "git", &actions, NULL, arguments, environ) == 0;
    if (begun)
        posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    *out = started ? fdopen(ends[0], "r") : NULL;
    if (*out == NULL)
        close(ends[0]);
    return started;
}

static bool succeeded(pid_t pid)
{
    int status;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return false;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Runs git and takes each line or, with `end` 0, each entry of its output. */
static m5_git_result run(const char *const *arguments, int end, m5_entry take, void *user)
{
    pid_t pid;
    FILE *out;
    if (!start((char *const *)arguments, &pid, &out))
        return M5_GIT_FAILED;
    const char *error = NULL;
    bool room = out != NULL && m5_file_list_read_open(out, end, take, user, &error);
    if (out != NULL)
        fclose(out);
    bool done = succeeded(pid) && error == NULL;
    return !room ? M5_GIT_NO_MEMORY : done ? M5_GIT_DONE : M5_GIT_FAILED;
}

typedef struct changes {
    m5_only *only;
    char *root; /* of the work tree */
} changes;

static bool take_root(void *user, const char *entry)
{
    changes *c = user;
    free(c->root);
    c->root = strdup(entry);
    return c->root != NULL;
}

static bool take_path(void *user, const char *entry)
{
    const changes *c = user;
    return m5_only_add(c->only, c->root, entry);
}

static bool pass_over(void *user, const char *entry)
{
    (void)user;
    (void)entry;
    return true;
}

/* Before the first commit there is no HEAD, and all that is staged is new. */
static m5_git_result list_since_head(changes *c)
{
    const char *const head[] = {"git", "rev-parse", "--quiet", "--verify", "HEAD", NULL};
    const char *const diff[] = {
        "git", "diff", "--name-only", "--no-relative", "-z", "--no-renames", "HEAD", "--", NULL};
    const char *const staged[] = {"git",         "ls-files", "-z", "--cached",
                                  "--full-name", "--",       ":/", NULL};
    m5_git_result result = run(head, '\n', pass_over, NULL);
    if (result == M5_GIT_NO_MEMORY)
        return result;
    return run(result == M5_GIT_DONE ? diff : staged, '\0', take_path, c);
}

m5_git_result m5_git_changed(m5_only *only, const char *ref)
{
    const char *const root[] = {"git", "rev-parse", "--show-toplevel", NULL};
    const char *const since_base[] = {"git",
                                      "diff",
                                      "--name-only",
                                      "--no-relative",
                                      "-z",
                                      "--no-renames",
                                      "--merge-base",
                                      "--end-of-options",
                                      ref,
                                      "--",
                                      NULL};
    const char *const untracked[] = {
        "git", "ls-files", "-z", "--others", "--exclude-standard", "--full-name", "--", ":/", NULL};
    changes c = {only, NULL};
    m5_git_result result = run(root, '\n', take_root, &c);
    if (result == M5_GIT_DONE)
        result = ref != NULL ? run(since_base, '\0', take_path, &c) : list_since_head(&c);
    if (result == M5_GIT_DONE)
        result = run(untracked, '\0', take_path, &c);
    free(c.root);
    return result;
}
