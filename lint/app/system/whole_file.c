/* Writes into a file without a name, which then takes the place of the old one. */
#define _GNU_SOURCE /* O_TMPFILE, where the system has it */
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

/* ---- Places ---------------------------------------------------------------------------------- */

/* A name in the same folder; NULL without memory. */
static char *in_folder_of(const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');
    size_t folder = slash != NULL ? (size_t)(slash - path) + 1 : 0;
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
    if (!exists && lstat(path, &status) == 0)
        return "this symbolic link leads to no file";
    *target = exists ? realpath(path, NULL) : strdup(path);
    return *target != NULL ? NULL : no_memory;
}

/* The same and the folder that it is in. Both are to be freed. */
static const char *find_place(const char *path, char **target, char **folder)
{
    *target = *folder = NULL;
    const char *error = find_target(path, target);
    *folder = *target != NULL ? in_folder_of(*target, ".") : NULL;
    if (error == NULL && *folder == NULL)
        error = no_memory;
    if (error == NULL && access(*folder, W_OK | X_OK) != 0)
        error = strerror(errno);
    return error;
}

const char *m5_whole_file_error(const char *path)
{
    char *target, *folder;
    const char *error = find_place(path, &target, &folder);
    free(folder);
    free(target);
    return error;
}

/* ---- Growing --------------------------------------------------------------------------------- */

static int open_without_name(const char *folder)
{
#ifdef O_TMPFILE
    return open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
#else
    (void)folder;
    return -1;
#endif
}

static int open_elsewhere(void)
{
    FILE *file = tmpfile();
    int fd = file != NULL ? fcntl(fileno(file), F_DUPFD_CLOEXEC, 0) : -1;
    int error = errno;
    if (file != NULL)
        fclose(file);
    errno = error;
    return fd;
}

const char *m5_whole_file_begin(m5_whole_file *f, const char *path)
{
    char *folder;
    f->error = NULL;
    f->pending = 0;
    f->fd = -1;
    const char *error = find_place(path, &f->target, &folder);
    if (error == NULL)
        f->fd = open_without_name(folder);
    f->is_there = f->fd >= 0;
    if (error == NULL && !f->is_there && (f->fd = open_elsewhere()) < 0)
        error = strerror(errno);
    free(folder);
    if (error != NULL)
        free(f->target);
    return error;
}

const char *m5_whole_file_append(m5_whole_file *f, const char *path)
{
    f->error = NULL;
    f->target = NULL;
    f->pending = 0;
    f->fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
    return f->fd >= 0 ? NULL : strerror(errno);
}

static const char *write_all(int fd, const char *bytes, size_t count)
{
    while (count > 0) {
        ssize_t written = write(fd, bytes, count);
        if (written < 0 && errno != EINTR)
            return strerror(errno);
        if (written > 0) {
            bytes += written;
            count -= (size_t)written;
        }
    }
    return NULL;
}

static void write_pending(m5_whole_file *f)
{
    if (f->error == NULL)
        f->error = write_all(f->fd, f->bytes, f->pending);
    f->pending = 0;
}

void m5_whole_file_write(void *user, const void *bytes, size_t count)
{
    m5_whole_file *f = user;
    if (count > sizeof f->bytes - f->pending)
        write_pending(f);
    if (count > sizeof f->bytes) {
        if (f->error == NULL)
            f->error = write_all(f->fd, bytes, count);
        return;
    }
    memcpy(f->bytes + f->pending, bytes, count);
    f->pending += count;
}

/* ---- Taking its place ------------------------------------------------------------------------ */

static bool take_owner(int fd, const struct stat *old)
{
    struct stat new;
    if (fstat(fd, &new) != 0)
        return false;
    return (new.st_uid == old->st_uid &&new.st_gid == old->st_gid) ||
           fchown(fd, old->st_uid, old->st_gid) == 0;
}

/* The rights of the file that is replaced, or those that a new file gets here; this one has fewer.
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

static const char *copy(int from, int to)
{
    char buffer[1 << 15];
    ssize_t count;
    const char *error = NULL;
    if (lseek(from, 0, SEEK_SET) != 0)
        return strerror(errno);
    while (error == NULL && (count = read(from, buffer, sizeof buffer)) != 0)
        if (count > 0)
            error = write_all(to, buffer, (size_t)count);
        else if (errno != EINTR)
            error = strerror(errno);
    return error;
}

/* Gives it the rights that it will have, and waits until it is on the disk, if it must last. */
static const char *finish(int fd, const char *target, unsigned how)
{
    bool done = set_rights(fd, target, how & M5_WHOLE_OWNER) &&
                (!(how & M5_WHOLE_LASTS) || fsync(fd) == 0);
    return done ? NULL : strerror(errno);
}

/* A name beside the target that no file has: one that exists is never replaced. */
static bool link_beside(int fd, char *beside)
{
    char own[40], *number = beside + strlen(beside) - strlen("XXXXXX");
    snprintf(own, sizeof own, "/proc/self/fd/%d", fd);
    for (unsigned n = 0; n < 1000000; n++) {
        snprintf(number, sizeof "XXXXXX", "%06u", n);
        if (linkat(AT_FDCWD, own, AT_FDCWD, beside, AT_SYMLINK_FOLLOW) == 0)
            return true;
        if (errno != EEXIST)
            return false;
    }
    return false;
}

static const char *copy_beside(const m5_whole_file *f, char *beside, unsigned how)
{
    int fd = mkstemp(beside);
    if (fd < 0)
        return strerror(errno);
    const char *error = copy(f->fd, fd);
    if (error == NULL)
        error = finish(fd, f->target, how);
    if (close(fd) != 0 && error == NULL)
        error = strerror(errno);
    if (error != NULL)
        unlink(beside);
    return error;
}

/* Puts the file beside the target: by a name, or, where that cannot be, by a copy. */
static const char *put_beside(const m5_whole_file *f, char *beside, unsigned how)
{
    const char *error = f->is_there ? finish(f->fd, f->target, how) : NULL;
    if (error != NULL || (f->is_there && link_beside(f->fd, beside)))
        return error;
    strcpy(beside + strlen(beside) - strlen("XXXXXX"), "XXXXXX");
    return copy_beside(f, beside, how);
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

static const char *replace(const m5_whole_file *f, unsigned how)
{
    char *folder = in_folder_of(f->target, ".");
    char *beside = in_folder_of(f->target, ".md5lint-XXXXXX");
    const char *error = folder != NULL && beside != NULL ? put_beside(f, beside, how) : no_memory;
    if (error == NULL && rename(beside, f->target) != 0) {
        error = strerror(errno);
        unlink(beside);
    }
    if (error == NULL && how & M5_WHOLE_LASTS)
        sync_folder(folder);
    free(beside);
    free(folder);
    return error;
}

const char *m5_whole_file_end(m5_whole_file *f, unsigned how)
{
    sigset_t signals = m5_signals_hold();
    write_pending(f);
    const char *error = f->error;
    if (error == NULL && f->target != NULL)
        error = replace(f, how);
    if (close(f->fd) != 0 && error == NULL && f->target == NULL)
        error = strerror(errno);
    m5_signals_release(signals);
    free(f->target);
    f->fd = -1;
    return error;
}

void m5_whole_file_drop(m5_whole_file *f)
{
    close(f->fd);
    free(f->target);
    f->fd = -1;
}
