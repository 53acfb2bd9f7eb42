/* Writes into another file beside, which then takes the place of the old one. */
#define _XOPEN_SOURCE 700
#define _FILE_OFFSET_BITS 64

#include "whole_file.h"
#include "signals.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char no_memory[] = "out of memory";

/* How much of a path is its folder, with the slash. */
static size_t folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? (size_t)(slash - path) + 1 : 0;
}

/* A name in the same folder; NULL without memory. */
static char *in_folder_of(const char *path, const char *name)
{
    size_t folder = folder_of(path);
    char *other = malloc(folder + strlen(name) + 1);
    if (other == NULL)
        return NULL;
    memcpy(other, path, folder);
    memcpy(other + folder, name, strlen(name) + 1);
    return other;
}

/* Where the file is or will be: what a link leads to. */
static const char *find_target(const char *path, char **target)
{
    struct stat status;
    bool exists = stat(path, &status) == 0;
    if (exists && S_ISDIR(status.st_mode))
        return "this is a folder";
    if (exists && !S_ISREG(status.st_mode))
        return "this is not a regular file";
    *target = exists ? realpath(path, NULL) : strdup(path);
    return *target != NULL ? NULL : no_memory;
}

const char *m5_whole_file_error(const char *path)
{
    char *target = NULL;
    const char *error = find_target(path, &target);
    char *folder = target != NULL ? in_folder_of(target, ".") : NULL;
    if (error == NULL && folder == NULL)
        error = no_memory;
    if (error == NULL && access(folder, W_OK | X_OK) != 0)
        error = strerror(errno);
    free(folder);
    free(target);
    return error;
}

static void write_bytes(void *file, const void *bytes, size_t count)
{
    fwrite(bytes, 1, count, file); /* errors are found at the end */
}

static bool take_owner(int fd, const struct stat *old)
{
    struct stat new;
    if (fstat(fd, &new) != 0)
        return false;
    return (new.st_uid == old->st_uid &&new.st_gid == old->st_gid) ||
           fchown(fd, old->st_uid, old->st_gid) == 0;
}

/* The rights of the file that is replaced, or those that a new file gets here; mkstemp gives fewer.
 */
static bool set_rights(int fd, const char *target, bool as_owner)
{
    struct stat old;
    if (stat(target, &old) == 0)
        return (take_owner(fd, &old) || !as_owner) && fchmod(fd, old.st_mode & 07777) == 0;
    mode_t mask = umask(0);
    umask(mask);
    return fchmod(fd, 0666 & ~mask) == 0;
}

/* Writes and closes the new file. */
static const char *fill(FILE *file, const char *target, const m5_whole_file *content)
{
    m5_writer out = {write_bytes, file};
    const char *error = content->put(content->user, &out);
    errno = 0;
    bool written = fflush(file) == 0 && !ferror(file) &&
                   set_rights(fileno(file), target, content->as_owner) && fsync(fileno(file)) == 0;
    if (error == NULL && !written)
        error = strerror(errno);
    if (fclose(file) != 0 && error == NULL)
        error = strerror(errno);
    return error;
}

/* So that the new name lasts, too. */
static void sync_folder(const char *folder)
{
    int fd = open(folder, O_RDONLY | O_CLOEXEC | O_DIRECTORY);
    if (fd < 0)
        return;
    fsync(fd);
    close(fd);
}

static const char *replace(const char *target, const char *folder, char *beside,
                           const m5_whole_file *content)
{
    int fd = mkstemp(beside);
    if (fd < 0)
        return strerror(errno);
    FILE *file = fdopen(fd, "w");
    const char *error = file != NULL ? fill(file, target, content) : no_memory;
    if (file == NULL)
        close(fd);
    if (error == NULL && rename(beside, target) != 0)
        error = strerror(errno);
    if (error != NULL)
        unlink(beside);
    else
        sync_folder(folder);
    return error;
}

const char *m5_whole_file_write(const char *path, const m5_whole_file *content)
{
    char *target = NULL;
    const char *error = find_target(path, &target);
    char *folder = target != NULL ? in_folder_of(target, ".") : NULL;
    char *beside = folder != NULL ? in_folder_of(target, ".md5lint-XXXXXX") : NULL;
    if (error == NULL && beside == NULL)
        error = no_memory;
    sigset_t signals = m5_signals_hold();
    if (error == NULL)
        error = replace(target, folder, beside, content);
    m5_signals_release(signals);
    free(beside);
    free(folder);
    free(target);
    return error;
}
