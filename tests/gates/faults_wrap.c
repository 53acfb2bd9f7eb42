/* Makes calls of the C library fail on demand; linked into a build of the program with --wrap. The
 * environment variable FAULT is `malloc:3` to make the third call of malloc fail, and so on;
 * `read:short` for reads of one byte at a time; `mmap:shrink` for files that get shorter once they
 * are mapped; `open:nameless` where the system has no files without names; or `change:shrink`,
 * `change:grow` and `change:rewrite` for the first file that is read or mapped, which then changes;
 * `change:grow:3` for that of the third read.
 * After `open:nameless`, a comma and one of the others may follow: `open:nameless,write:2`. If the
 * call that should fail was never made, the file FAULT_LOG is created. */
#define _GNU_SOURCE /* MAP_POPULATE, O_TMPFILE */

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

static long calls;
static int was_reached;

static void write_log(void)
{
    const char *log = getenv("FAULT_LOG");
    FILE *file = log != NULL && !was_reached ? fopen(log, "w") : NULL;
    if (file != NULL)
        fclose(file);
}

/* What FAULT has after the name of a call and a colon; NULL if it does not have the call. */
static const char *fault_of(const char *name)
{
    static const char nameless[] = "open:nameless,";
    const char *fault = getenv("FAULT");
    size_t length = strlen(name);
    if (fault != NULL && strncmp(fault, name, length) != 0 &&
        strncmp(fault, nameless, sizeof nameless - 1) == 0)
        fault += sizeof nameless - 1;
    return fault != NULL && strncmp(fault, name, length) == 0 && fault[length] == ':'
               ? fault + length + 1
               : NULL;
}

static int is_fault(const char *name, const char *what)
{
    const char *fault = fault_of(name);
    return fault != NULL && strncmp(fault, what, strlen(what)) == 0;
}

/* Whether this call of `name` is the one that fails. */
static int is_due(const char *name)
{
    static int known;
    const char *fault = fault_of(name);
    if (!known)
        known = atexit(write_log) == 0;
    if (fault == NULL || ++calls != strtol(fault, NULL, 10))
        return 0;
    return was_reached = 1;
}

#define WRAP(type, name, parameters, arguments, error, result)                                     \
    type __real_##name parameters;                                                                 \
    type __wrap_##name parameters;                                                                 \
    type __wrap_##name parameters                                                                  \
    {                                                                                              \
        if (is_due(#name)) {                                                                       \
            errno = error;                                                                         \
            return result;                                                                         \
        }                                                                                          \
        return __real_##name arguments;                                                            \
    }

WRAP(void *, malloc, (size_t size), (size), ENOMEM, NULL)
WRAP(void *, calloc, (size_t count, size_t size), (count, size), ENOMEM, NULL)
WRAP(void *, realloc, (void *block, size_t size), (block, size), ENOMEM, NULL)
WRAP(char *, strdup, (const char *text), (text), ENOMEM, NULL)
WRAP(void *, opendir, (const char *path), (path), EMFILE, NULL)
WRAP(void *, readdir64, (void *folder), (folder), EIO, NULL)
WRAP(void *, fopen64, (const char *path, const char *mode), (path, mode), EMFILE, NULL)
WRAP(int, fstat64, (int fd, void *status), (fd, status), EIO, -1)
WRAP(int, fflush, (FILE * file), (file), ENOSPC, EOF)
WRAP(int, fclose, (FILE * file), (file), ENOSPC, EOF)
WRAP(ssize_t, write, (int fd, const void *bytes, size_t count), (fd, bytes, count), ENOSPC, -1)
WRAP(int, fsync, (int fd), (fd), EIO, -1)
WRAP(int, fchmod, (int fd, mode_t mode), (fd, mode), EPERM, -1)
WRAP(int, fchown, (int fd, uid_t user, gid_t group), (fd, user, group), EPERM, -1)
WRAP(int, mkstemp64, (char *path), (path), EACCES, -1)
WRAP(off_t, lseek64, (int fd, off_t to, int from), (fd, to, from), EIO, -1)
WRAP(int, close, (int fd), (fd), EIO, -1)
WRAP(int, rename, (const char *old, const char *new), (old, new), EACCES, -1)
WRAP(int, linkat, (int from, const char *old, int to, const char *new, int flags),
     (from, old, to, new, flags), ENOENT, -1)

int __real_open64(const char *path, int flags, ...);
int __wrap_open64(const char *path, int flags, ...);
int __wrap_open64(const char *path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    unsigned mode = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE
                        ? va_arg(rest, unsigned)
                        : 0;
    va_end(rest);
    if (is_fault("open", "nameless") && (flags & O_TMPFILE) == O_TMPFILE) {
        was_reached |= strchr(getenv("FAULT"), ',') == NULL;
        errno = EOPNOTSUPP;
        return -1;
    }
    return __real_open64(path, flags, mode);
}

/* Changes a file that was just read or mapped, later than the file system's clock can tell. */
static void change(int fd)
{
    static long reads;
    const char *fault = fault_of("change"), *which = fault != NULL ? strchr(fault, ':') : NULL;
    char path[64], byte = ' ';
    struct stat status;
    if (fault == NULL || fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) ||
        ++reads != (which != NULL ? strtol(which + 1, NULL, 10) : 1))
        return;
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    nanosleep(&(struct timespec){.tv_nsec = 30000000}, NULL);
    off_t to = strncmp(fault, "shrink", 6) == 0 ? status.st_size / 2
               : strncmp(fault, "grow", 4) == 0 ? status.st_size + 1
                                                : status.st_size;
    int out = open(path, O_WRONLY);
    if (out < 0 || ftruncate(out, to) != 0 || pwrite(out, &byte, 1, to - 1) != 1)
        abort();
    close(out);
}

ssize_t __real_read(int fd, void *bytes, size_t count);
ssize_t __wrap_read(int fd, void *bytes, size_t count);
ssize_t __wrap_read(int fd, void *bytes, size_t count)
{
    if (is_due("read")) {
        errno = EIO;
        return -1;
    }
    if (is_fault("read", "short") && count > 1)
        count = 1;
    ssize_t n = __real_read(fd, bytes, count);
    change(fd);
    return n;
}

WRAP(int, pthread_create, (void *thread, void *attributes, void *(*start)(void *), void *user),
     (thread, attributes, start, user), EAGAIN, EAGAIN)

void *__real_mmap64(void *at, size_t size, int protection, int flags, int fd, off_t offset);
void *__wrap_mmap64(void *at, size_t size, int protection, int flags, int fd, off_t offset);
void *__wrap_mmap64(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
    char path[64];
    if (is_due("mmap64")) {
        errno = ENODEV;
        return MAP_FAILED;
    }
    if (fd < 0 || !is_fault("mmap", "shrink")) {
        void *mapped = __real_mmap64(at, size, protection, flags, fd, offset);
        if (fd >= 0)
            change(fd);
        return mapped;
    }
    void *bytes = __real_mmap64(at, size, protection, flags & ~MAP_POPULATE, fd, offset);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    if (truncate(path, (off_t)size / 2) != 0)
        abort();
    return bytes;
}
